"""What the page of a class needs of each child, kept in memory for the next look.

A result is kept by the stored text from which it was made, the child's age band and the day. It is
found only while all these are the same, so it is what working it out again would give. What an
earlier day left is dropped at the first look of a new day, and everything when a child's data is
deleted (`forget`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from classroom.learning.alerts import Signal, leaning, signals
from classroom.learning.estimates import Estimate, estimate
from classroom.learning.guessing import FreshAnswer, hasty
from classroom.learning.levels import Growth, Level, growth, level_of
from classroom.learning.skills import SKILLS, STRANDS, Strand
from classroom.learning.tracks import Track
from classroom.services.base import clock
from classroom.services.table.evidence_log import (
    Progress,
    Stored,
    parsed_track,
    parsed_window,
)

WEEK: Final = 7  # days in which growth is news
KEPT: Final = 20_000  # results of each sort; a class of thirty children has up to 700


@dataclass(frozen=True, slots=True)
class Glance:
    """What a child's answers show on `day`: its level in each strand that it has met, and signals.
    `grown`: its growth in strands with answers in the last week, where it is certain. `stored`: its
    evidence; `changed`: its progress where there are new rows."""

    day: int
    levels: dict[Strand, Level] = field(default_factory=dict)
    signals: tuple[Signal, ...] = ()
    grown: tuple[Growth, ...] = ()
    stored: Stored = field(default_factory=Stored)
    changed: Progress = field(default_factory=Progress)

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills that the child has met."""
        return tuple({**self.stored.windows, **self.changed.windows})

    def estimates(self, skills: Iterable[str]) -> dict[str, Estimate]:
        """The estimates of these skills, as far as the child has met them."""
        wanted, new = set(skills), self.changed.windows
        return {
            key: estimate(new.get(key) or parsed_window(key, self.stored.windows[key]), self.day)
            for key in self.skills
            if key in wanted
        }


class Glances:
    """Makes the glances of one day, and keeps the parts of which they are made."""

    def __init__(self, day: int) -> None:
        self.day = day
        self._seen = lru_cache(KEPT)(_seen)
        self._helped = lru_cache(KEPT)(_helped)

    def __len__(self) -> int:
        """How many results are kept."""
        return self._seen.cache_info().currsize + self._helped.cache_info().currsize

    def of(self, stored: Stored, band: str) -> Glance:
        """The glance of a child of this age band. Only the skills with new rows, and the strands of
        a child with new rows, are worked out at each look."""
        changed = stored.changed()
        met = [key for key in STRANDS if key in changed.tracks or key in stored.tracks]
        seen = {key: self._of_track(changed, stored, key, band, True) for key in met}
        fresh = tuple(chain.from_iterable(one.fresh for one in seen.values()))
        if hasty(fresh) is not None:
            seen = {key: self._of_track(changed, stored, key, band, False) for key in met}
        helped = [
            leaning(changed.windows[key], self.day)
            if key in changed.windows
            else self._helped(key, stored.windows[key], self.day)
            for key in SKILLS
            if key in changed.windows or key in stored.windows
        ]
        levels = {key: one.level for key, one in seen.items()}
        grown = [one.growth for one in seen.values()]
        told = signals(levels.values(), grown, helped, fresh)
        week = self.day - WEEK
        lately = [
            one for one in grown if one and one.seen and (levels[one.strand].last_day or 0) > week
        ]
        return Glance(self.day, levels, told, tuple(lately), stored, changed)

    def _of_track(
        self, changed: Progress, stored: Stored, key: Strand, band: str, kept: bool
    ) -> _Seen:
        if key in changed.tracks:
            return _of(changed.tracks[key], band, self.day, kept)
        return self._seen(key, stored.tracks[key], band, self.day, kept)


class _Seen(NamedTuple):
    """What a track shows, and its answers of the newest day, counted or not."""

    level: Level
    growth: Growth | None
    fresh: tuple[FreshAnswer, ...]


def _of(track: Track, band: str, day: int, kept: bool) -> _Seen:
    one = track.settled(kept)
    return _Seen(level_of(one, band, day), growth(one), track.fresh)


def _seen(strand: Strand, stored: str, band: str, day: int, kept: bool) -> _Seen:
    return _of(parsed_track(strand, stored), band, day, kept)


def _helped(skill: str, kept: str, day: int) -> Signal | None:
    return leaning(parsed_window(skill, kept), day)


_now = Glances(0)


def today() -> Glances:
    """The glances of today. Take them before you read what is stored: those taken before `forget`
    keep nothing for others."""
    global _now
    found, day = _now, clock.day()
    if found.day != day:
        found = _now = Glances(day)
    return found


def forget() -> None:
    """Forget all that is kept. Call it after the commit that deletes a child's data."""
    global _now
    _now = Glances(0)
