"""Tracks: what a child's first answers in one strand say about its level, kept answer by answer.

A track made of all rows at once equals one that was updated row by row, so a service can keep one
for each child and strand and never read old evidence again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import log
from typing import Any, Final, NamedTuple

from classroom.learning.beliefs import (
    NOTHING_KNOWN,
    Belief,
    moments,
    predicted,
    quantiles,
    updated,
    widened,
)
from classroom.learning.evidence import Evidence, in_order
from classroom.learning.scales import range_of
from classroom.learning.skills import SKILLS, Strand
from classroom.learning.windows import RECENT_DAYS, recent_from

DRIFT: Final = 0.008  # variance, in square logits, that each day adds to a level
LEAP: Final = 0.0002  # daily chance that it changes altogether, as after an illness
LONGEST: Final = 200  # days; a longer time away makes a level no more uncertain than this
LOOKS: Final = 2  # newest days with answers that are kept for alarms
FIRST: Final = 40  # first answers, to which later ones are compared ...
FIRST_DAYS, FIRST_FEWEST = 42, 20  # ... or those of the first six weeks, if at least 20
BEYOND_LUCK: Final = 3000.0
"""How many times better than luck alone a level must explain the answers before anything is said to
be known. Of children who only guess, at most one in that number ever gets there, however often one
looks (Ville's inequality)."""
LATEST: Final = 30  # newest answers, which are compared to the first


class Look(NamedTuple):
    """The level after the last answer of a day: 19 times out of 20 it is below `high` (logits)."""

    day: int
    high: float


class RangeCount(NamedTuple):
    """First answers without help of one day, to items of one range of the strand's scale."""

    day: int
    place: int
    n: int
    right: int


class Answer(NamedTuple):
    """What a level depends on in a first answer. `difficulty` in logits, `luck` as a share."""

    day: int
    difficulty: float
    luck: float
    right: bool


class First(NamedTuple):
    """The first answers of all: how many, on which days, and what they say by themselves.

    `middle`, `variance`: of the level, in logits. `belief`: empty once there are answers after
    these, as it is needed no more.
    """

    n: int = 0
    since: int = 0
    until: int = 0
    middle: float = 0.0
    variance: float = 0.0
    belief: Belief = NOTHING_KNOWN

    def open_to(self, day: int) -> bool:
        """Whether an answer of this day still belongs to the first ones."""
        enough = self.n >= FIRST_FEWEST and day >= self.since + FIRST_DAYS
        return bool(self.belief) and self.n < FIRST and not enough

    def after(self, answer: Answer) -> First:
        """Return the first answers with one more."""
        belief = answered(self.belief, answer)
        middle, variance = (round(value, 4) for value in moments(belief))
        since = answer.day if self.n == 0 else self.since
        return First(self.n + 1, since, answer.day, middle, variance, belief)


NO_FIRST: Final = First()


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A child's level in one strand, as far as its answers show it.

    `day`: the day of the newest answer that counts. `belief`: the chance of each level. `n`: all
    first answers without help. `ranges`: recent ones by day and range. `looks`: one for each of the
    newest days. `first`, `latest`: the first answers and the newest after those, for growth.
    `against_luck`: how many times better the level predicted all answers than luck alone, as a
    logarithm. `beyond_luck`: whether that has ever reached BEYOND_LUCK.
    """

    strand: Strand
    day: int | None = None
    belief: Belief = NOTHING_KNOWN
    n: int = 0
    ranges: tuple[RangeCount, ...] = ()
    looks: tuple[Look, ...] = ()
    first: First = NO_FIRST
    latest: tuple[Answer, ...] = ()
    against_luck: float = 0.0
    beyond_luck: bool = False

    def after(self, row: Evidence) -> Track:
        """Return the track with one more row of its strand; a row that does not count is ignored.

        A row dated before the newest day, as after a change of the clock, counts for that day.
        """
        if not counts(row):
            return self
        day = row.day if self.day is None else max(row.day, self.day)
        away = 0 if self.day is None else min(day - self.day, LONGEST)
        answer = Answer(day, row.difficulty, row.guess_rate, row.right)
        before = widened(self.belief, DRIFT * away, 1 - (1 - LEAP) ** away)
        belief = answered(before, answer)
        against = self.against_luck + _against_luck(before, answer)
        beyond = self.beyond_luck or against >= log(BEYOND_LUCK)
        one = replace(self, day=day, belief=belief, n=self.n + 1)
        one = replace(one, against_luck=round(against, 4), beyond_luck=beyond)
        if self.first.open_to(day):
            one = replace(one, first=self.first.after(answer))
        else:
            closed = self.first._replace(belief=())
            one = replace(one, first=closed, latest=(*self.latest, answer)[-LATEST:])
        return replace(one, ranges=self._counted(day, row), looks=one._looked(day))

    def _counted(self, day: int, row: Evidence) -> tuple[RangeCount, ...]:
        place = range_of(row)
        kept = {(one.day, one.place): one for one in self.ranges}
        was = kept.get((day, place), RangeCount(day, place, 0, 0))
        kept[day, place] = was._replace(n=was.n + 1, right=was.right + int(row.right))
        return _recent(tuple(kept.values()), day)

    def _looked(self, day: int) -> tuple[Look, ...]:
        before = tuple(one for one in self.looks if one.day < day)
        (high,) = quantiles(self.belief, (0.95,))
        return (*before, Look(day, round(high, 3)))[-LOOKS:]

    def to_json(self) -> dict[str, Any]:
        """Return the track as plain JSON values, without its strand."""
        return {
            "day": self.day,
            "belief": list(self.belief),
            "n": self.n,
            "ranges": [list(one) for one in self.ranges],
            "looks": [list(one) for one in self.looks],
            "first": [*self.first[:-1], list(self.first.belief)],
            "latest": [list(one) for one in self.latest],
            "against_luck": self.against_luck,
            "beyond_luck": self.beyond_luck,
        }

    @classmethod
    def from_json(cls, strand: Strand, data: Mapping[str, Any]) -> Track:
        """Parse the track of a strand."""
        *first, belief = data["first"]
        return cls(
            strand=strand,
            day=data["day"],
            belief=tuple(data["belief"]),
            n=data["n"],
            ranges=tuple(map(_range_count, data["ranges"])),
            looks=tuple(map(Look._make, data["looks"])),
            first=First._make([*first, tuple(belief)]),
            latest=tuple(map(_answer, data["latest"])),
            against_luck=data["against_luck"],
            beyond_luck=data["beyond_luck"],
        )


# As in windows.py: a class has some 10,000 of these.
_range_count: Callable[[Iterable[Any]], RangeCount] = partial(tuple.__new__, RangeCount)
_answer: Callable[[Iterable[Any]], Answer] = partial(tuple.__new__, Answer)


def counts(row: Evidence) -> bool:
    """Whether a row says something about a level: a question, answered without help, no practice.

    Items that luck alone gets right half the time count as well; their luck makes them say little.
    """
    return row.source == "question" and row.how == "alone"


def answered(belief: Belief, answer: Answer) -> Belief:
    """Return the belief after one more answer."""
    return updated(belief, answer.right, answer.difficulty, answer.luck)


def _against_luck(before: Belief, answer: Answer) -> float:
    """Return the logarithm of how many times likelier an answer was by the level than by luck."""
    right = predicted(before, answer.difficulty, answer.luck)
    if answer.right:
        return log(right / answer.luck)
    return log((1 - right) / (1 - answer.luck))


def track(rows: Iterable[Evidence], strand: Strand) -> Track:
    """Make the track of a strand from all rows of a child, given in any order."""
    found = Track(strand=strand)
    for row in in_order(rows):
        if SKILLS[row.skill].strand == strand:
            found = found.after(row)
    return found


def _recent(found: tuple[RangeCount, ...], today: int) -> tuple[RangeCount, ...]:
    """Leave out the days that are not recent (windows.recent_from)."""
    if found[0].day > today - RECENT_DAYS:
        return found
    since = recent_from([(one.day, one.n) for one in found])
    return tuple(one for one in found if since is None or one.day >= since)
