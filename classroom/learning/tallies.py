"""Tallies: counted evidence, from which every number that adults see is made.

Rows become tallies, and tallies are merged, by addition alone. So the same figures come from the
rows, from a stored table of tallies, and from sums over that table.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from classroom.learning.evidence import Evidence, How, Source, in_order

LAG_BINS: Final = (
    1,
    2,
    3,
    4,
    5,
    7,
    10,
    14,
    20,
    30,
)  # last lag of each bin; one more bin, without an end, follows
CHECKS: Final = (1, 7, 28)  # days after which a skill comes back


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The number of first answers of one sort, and how many of them were right.

    The sort: `skill`, `day` (of a merged tally: the last one), `source`, `how`,
    `weak` (luck alone is right half the time or more), `trial` (old, new, None),
    `lag_bin` (place in LAG_BINS, -1: no lag), `overlap`, `check` (first answer of a day after at
    least 1, 7 or 28 days away; else 0).
    The counts: `n`, `right`, `mixed_up` (wrong, and named somebody where "nobody" was offered),
    `guess_sum`, `lag_sum`, and the `days` and `sessions` (rounds) that began with these answers.
    """

    skill: str
    day: int
    source: Source
    how: How
    weak: bool
    trial: str | None
    lag_bin: int
    overlap: bool
    check: int
    n: int = 0
    right: int = 0
    mixed_up: int = 0
    guess_sum: float = 0.0
    lag_sum: int = 0
    days: int = 0
    sessions: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        """The sort, without the counts."""
        return (
            self.skill,
            self.day,
            self.source,
            self.how,
            self.weak,
            self.trial,
            self.lag_bin,
            self.overlap,
            self.check,
        )

    def plus(self, other: Tally) -> Tally:
        """Return the sum of both, with the sort of this one and the later day."""
        return replace(
            self,
            day=max(self.day, other.day),
            n=self.n + other.n,
            right=self.right + other.right,
            mixed_up=self.mixed_up + other.mixed_up,
            guess_sum=self.guess_sum + other.guess_sum,
            lag_sum=self.lag_sum + other.lag_sum,
            days=self.days + other.days,
            sessions=self.sessions + other.sessions,
        )


@dataclass(frozen=True, slots=True)
class Met:
    """When the child last met a skill, which decides how its next row is counted."""

    day: int
    round_id: int | None


def lag_bin(lag: int | None) -> int:
    """Return the place of a lag in LAG_BINS; -1 for none.

    >>> [lag_bin(lag) for lag in (1, 5, 6, 7, 10, 30, 31, None)]
    [0, 4, 5, 5, 6, 9, 10, -1]
    """
    return -1 if lag is None else bisect_left(LAG_BINS, lag)


def count(row: Evidence, met: Met | None) -> tuple[Tally, Met]:
    """Turn a row into a tally, given when its skill was last met; returns it and the new Met.

    A service adds the tally to its table.
    """
    away = None if met is None else row.day - met.day
    opens_day = away is None or away > 0
    opens_round = met is None or opens_day or row.round_id != met.round_id
    one = Tally(
        skill=row.skill,
        day=row.day,
        source=row.source,
        how=row.how,
        weak=row.weak,
        trial=row.trial,
        lag_bin=lag_bin(row.lag_asks),
        overlap=row.overlap,
        check=max((d for d in CHECKS if away is not None and away >= d), default=0),
        n=1,
        right=int(row.right),
        mixed_up=int(row.mixed_up),
        guess_sum=row.guess_rate,
        lag_sum=row.lag_asks or 0,
        days=int(opens_day),
        sessions=int(opens_round),
    )
    return one, Met(row.day, row.round_id)


def tally(rows: Iterable[Evidence]) -> tuple[Tally, ...]:
    """Count all rows of one child into tallies, by day and sort; the rows may be in any order."""
    last: dict[str, Met] = {}
    ones = []
    for row in in_order(rows):
        one, last[row.skill] = count(row, last.get(row.skill))
        ones.append(one)
    return merged(ones)


def merged(tallies: Iterable[Tally]) -> tuple[Tally, ...]:
    """Add up the tallies of the same day and sort; returns the sums, ordered by day and sort."""
    sums: dict[tuple[object, ...], Tally] = {}
    for one in tallies:
        so_far = sums.get(one.key)
        sums[one.key] = one if so_far is None else so_far.plus(one)
    return tuple(sorted(sums.values(), key=_order))


def _order(one: Tally) -> tuple[object, ...]:
    trial = one.trial or ""
    sort = (one.day, one.skill, one.source, one.how, one.weak)
    return (*sort, trial, one.lag_bin, one.overlap)


def grouped(evidence: Sequence[Evidence] | Sequence[Tally]) -> tuple[Tally, ...]:
    """Return the tallies of this evidence: rows are counted, tallies are taken as they are."""
    rows = [one for one in evidence if isinstance(one, Evidence)]
    return (*tally(rows), *(one for one in evidence if isinstance(one, Tally)))
