"""What a family is told first: what the child can do best, what is new, and an idea for home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from classroom.learning.levels import Level
from classroom.learning.scales import SCALES
from classroom.learning.skills import STRANDS, Strand

AHEAD: Final = 3  # most steps that are called new
ENOUGH: Final = 8  # recent answers; a strand with fewer is not chosen if another has as many
BEGIN: Final[Strand] = "counting"  # the strand in which a child begins


@dataclass(frozen=True, slots=True)
class Steps:
    """Some steps of a strand's scale, from `first` to `last`; `beyond`: past its end."""

    strand: Strand
    first: int
    last: int
    beyond: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHome:
    """What to tell a family.

    `best`: the level that is furthest along, None while nothing is known; `firm`: whether the child
    is past the beginning there (`is_firm`). `new`: the steps that come next. `idea`: the place,
    from 0, of the range in which these steps begin; the idea for home depends on it.
    """

    best: Level | None
    firm: bool
    new: Steps
    idea: int


def at_home(levels: Mapping[Strand, Level]) -> AtHome:
    """Choose what to tell, from a child's levels; the same levels always give the same choice.

    The best level is that of the strand in which the child is furthest along its scale; the new
    steps are the next ones of the strand in which it is least far along. Strands with few or old
    answers, and remembering, are chosen only if there are no others.
    """
    known = [levels[one] for one in STRANDS if one in levels and levels[one].standing != "none"]
    maths = [one for one in known if one.strand != "recall"] or known
    fresh = [one for one in maths if not one.stale] or maths
    clear = [one for one in fresh if one.recent >= ENOUGH] or fresh
    if not clear:
        return AtHome(best=None, firm=False, new=_next(BEGIN, 0), idea=0)
    best, least = max(clear, key=_way), min(clear, key=_way)
    new = _next(least.strand, least.sure if is_firm(least) else least.some)
    return AtHome(best=best, firm=is_firm(best), new=new, idea=_place(new))


def is_firm(level: Level) -> bool:
    """Whether what a child can do surely is at least half of the first range of the scale."""
    return 2 * level.sure >= SCALES[level.strand].tops[0]


def _next(strand: Strand, done: int) -> Steps:
    """The AHEAD steps after those that are done, up to the end of the scale."""
    end = len(SCALES[strand].steps)
    if done >= end:
        return Steps(strand, done + 1, done + 1, beyond=True)
    return Steps(strand, done + 1, min(done + AHEAD, end))


def _place(new: Steps) -> int:
    return SCALES[new.strand].range_of_step(new.first)


def _way(level: Level) -> float:
    """How far along its scale a child is; steps that it can do only sometimes count half."""
    steps = len(SCALES[level.strand].steps)
    return (level.sure + level.some) / 2 / steps
