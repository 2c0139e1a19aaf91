"""What the pages of adults are made of: frozen figures, counted by `reports`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """Rounds and what was done in them, added up. `seconds` with long pauses left out."""

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
        """Whole minutes, and at least one where anything was played."""
        return max(1, round(self.seconds / 60)) if self.rounds else 0


@dataclass(frozen=True, slots=True)
class ClassLine:
    """One class in a teacher's list."""

    class_id: int
    name: str
    children: int
    opened_until: float | None
    rounds_today: int


@dataclass(frozen=True, slots=True)
class ChildLine:
    """One child in a class. `last_day`: of play; `playing`: the round it is at just now."""

    child_id: int
    name: str
    animal: str
    pad: int
    age_band: str
    today: Tally
    week: Tally
    last_day: int | None
    playing: int | None


@dataclass(frozen=True, slots=True)
class ClassPage:
    """`opened_until` is None when sign-in is closed; `day` is today. `new_devices_rest`: strangers
    may have guessed, and a new device needs the teacher's tap."""

    class_id: int
    name: str
    code: str
    code_kept: bool
    opened_until: float | None
    new_devices_rest: bool
    day: int
    children: tuple[ChildLine, ...]
    today: Tally
    week: Tally


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who sat at the table too. `person`: another child, not a computer player."""

    name: str
    animal: str
    pad: int
    person: bool


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of one child. `seconds` it was at the table; `over`: played to the end."""

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

    @property
    def minutes(self) -> int:
        return max(1, round(self.seconds / 60))

    @property
    def help(self) -> int:
        """Hints taken and looks at the board."""
        return self.hints + self.peeks


@dataclass(frozen=True, slots=True)
class Day:
    """A child's day of play: `day` local, and its rounds added up."""

    day: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class RoundPage:
    """What a round is, apart from its cards. `children`: seat, child and name, by seat."""

    round_id: int
    game: str
    class_id: int
    class_name: str
    started_at: float
    seats: int
    children: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class SureAsk:
    """An ask at which a catch was certain. `known`: target, class and how many asks ago it could
    last be seen, for each such catch."""

    taken: bool
    aided: bool
    known: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True)
class ChildPage:
    """`rounds` newest first, a page of them; `more`: the address of the next page, if any."""

    child_id: int
    class_id: int
    class_name: str
    name: str
    animal: str
    pad: int
    age_band: str
    day: int
    today: Tally
    week: Tally
    ever: Tally
    days: tuple[Day, ...]
    rounds: tuple[RoundLine, ...]
    more: int | None
    parents: int


def on(days: Sequence[Day], today: int) -> Tally:
    """What was done on one day."""
    return total([day for day in days if day.day == today])


def total(days: Sequence[Day]) -> Tally:
    """Days added up; of one child or of several, whose days then count once each."""
    parts = [day.tally for day in days]
    return Tally(
        sum(part.rounds for part in parts),
        sum(part.finished for part in parts),
        sum(part.asks for part in parts),
        sum(part.catches for part in parts),
        sum(part.books for part in parts),
        sum(part.seconds for part in parts),
        len({day.day for day in days}),
        max((part.last_at for part in parts if part.last_at), default=None),
    )
