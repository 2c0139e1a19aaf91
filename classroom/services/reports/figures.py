"""The values that pages for adults are made from; `overview` fills them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classroom.learning.skills import Strand


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Rounds of one or more days, added up. `seconds` counts at most a minute between two moves of
    a child. `last_at`: when a child last moved or was dealt cards, None without rounds."""

    rounds: int = 0
    finished: int = 0
    asks: int = 0
    catches: int = 0
    books: int = 0
    seconds: float = 0.0
    days: int = 0
    last_at: float | None = None

    @property
    def minutes(self) -> int:
        """Whole minutes; at least one if any round was played."""
        return max(1, round(self.seconds / 60)) if self.rounds else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassLine:
    """One class in a teacher's list. `opened_until`: None while sign-in is closed; `rounds_today`:
    added up over the children."""

    class_id: int
    name: str
    children: int
    opened_until: float | None
    rounds_today: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildLine:
    """One child in a class. `days`: those of the last three weeks on which it played; `last_day`:
    its last day of play, None if there is none."""

    child_id: int
    name: str
    animal: str
    pad: int
    age_band: str
    days: frozenset[int]
    last_day: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassPage:
    """A class and its children. `opened_until` is None when sign-in is closed; `day` is today.
    `new_devices_off`: strangers may have been guessing, so a new device needs the teacher's tap."""

    class_id: int
    name: str
    code: str
    code_kept: bool
    opened_until: float | None
    archived: bool
    new_devices_off: bool
    day: int
    children: tuple[ChildLine, ...]

    @property
    def played_today(self) -> int:
        """How many children played today; a round of four counts for each of them."""
        return sum(self.day in child.days for child in self.children)

    @property
    def played_lately(self) -> int:
        """How many children played in the last seven days."""
        return sum(any(day > self.day - 7 for day in child.days) for child in self.children)


@dataclass(frozen=True, slots=True)
class Opponent:
    """Another player at the table. `person`: a child, not a computer player."""

    name: str
    animal: str
    pad: int
    person: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """One round of one child. `seconds`: time at the table; `over`: played to the end; `earlier`:
    ended without points because today's rules refuse it. `at_home`: played at home."""

    round_id: int
    game: str
    started_at: float
    day: int
    seat: int
    opponents: tuple[Opponent, ...]
    asks: int
    catches: int
    books: int
    hints: int
    peeks: int
    seconds: float
    over: bool
    earlier: bool
    at_home: bool = False

    @property
    def minutes(self) -> int:
        return max(1, round(self.seconds / 60))

    @property
    def help(self) -> int:
        """Hints taken plus looks at the board."""
        return self.hints + self.peeks


@dataclass(frozen=True, slots=True)
class Day:
    """A child's day of play: the local day number, and the day's rounds added up."""

    day: int
    totals: Totals


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHome:
    """What a child did at home in the last weeks. `strands`: each strand with how many questions
    the child answered without help, and how many of its first answers to them were right. `counts`:
    whether all this is part of the other numbers too."""

    totals: Totals
    strands: tuple[tuple[Strand, int, int], ...]
    counts: bool

    @property
    def answers(self) -> int:
        return sum(given for _, given, _ in self.strands)

    @property
    def right(self) -> int:
        return sum(right for _, _, right in self.strands)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPage:
    """A round without its cards. `children`: each child's seat, id and name, in seat order."""

    round_id: int
    game: str
    class_id: int
    class_name: str
    started_at: float
    seats: int
    children: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class SureAsk:
    """An ask where some catch was certain. `known`: for each such catch its target, its class, and
    how many asks ago the table last showed it. `taken`: the child asked for one of them; `aided`:
    it had help."""

    taken: bool
    aided: bool
    known: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildPage:
    """A child for the adults' page. `rounds`: one page of them, newest first; `more`: the `before`
    of the next page, None if this is the last one. `parents`: how many are linked. `card`: the
    number on the sign-in card that works now. `home`: what it did at home, None if nothing lately;
    the other totals leave that out unless the class counts it."""

    child_id: int
    class_id: int
    class_name: str
    name: str
    animal: str
    pad: int
    age_band: str
    card: int
    day: int
    today: Totals
    week: Totals
    ever: Totals
    days: tuple[Day, ...]
    rounds: tuple[RoundLine, ...]
    more: int | None
    parents: int
    home: AtHome | None


def on(days: Sequence[Day], today: int) -> Totals:
    """The totals of one day."""
    return total([day for day in days if day.day == today])


def total(days: Sequence[Day]) -> Totals:
    """Add days up. The result's `days` counts each date once, even if several children played on
    it."""
    parts = [day.totals for day in days]
    return Totals(
        rounds=sum(part.rounds for part in parts),
        finished=sum(part.finished for part in parts),
        asks=sum(part.asks for part in parts),
        catches=sum(part.catches for part in parts),
        books=sum(part.books for part in parts),
        seconds=sum(part.seconds for part in parts),
        days=len({day.day for day in days}),
        last_at=max((part.last_at for part in parts if part.last_at), default=None),
    )
