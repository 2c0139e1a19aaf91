"""What a family is told first of one strand: what the child can do, what comes next, an idea."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from classroom.learning.levels import Level
from classroom.learning.scales import SCALES
from classroom.learning.skills import STRANDS, Strand

AHEAD: Final = 3  # most steps that come next
ENOUGH: Final = 8  # recent answers; a strand with fewer is not chosen if another has as many
FURTHER: Final = 0.1  # how much further along its scale another strand must be to be told of
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
    """What to tell a family: all of it is about one strand.

    `level`: the level of that strand, None while nothing is known. `next`: the steps that come
    next. `idea`: the place, from 0, of the range in which these begin; the idea for home depends on
    it.
    """

    level: Level | None
    next: Steps
    idea: int


def at_home(levels: Mapping[Strand, Level]) -> AtHome:
    """Choose what to tell, from a child's levels; the same levels always give the same choice.

    The strand is the first one, unless the child is clearly further along the scale of another, so
    it seldom changes. Strands with few or old answers, and remembering, are chosen only if there
    are no others.
    """
    shown = [levels[one] for one in STRANDS if one in levels and levels[one].standing != "none"]
    known = [one for one in shown if one.about]
    maths = [one for one in known if one.strand != "recall"] or known
    fresh = [one for one in maths if not one.stale] or maths
    clear = [one for one in fresh if one.recent >= ENOUGH] or fresh
    told = clear[0] if clear else None
    for one in clear[1:]:
        if told and _way(one) > _way(told) + FURTHER:
            told = one
    steps = _next(BEGIN, 0) if told is None else _next(told.strand, told.about)
    return AtHome(level=told, next=steps, idea=SCALES[steps.strand].range_of_step(steps.first))


def _next(strand: Strand, done: int) -> Steps:
    """The AHEAD steps after those that are done, up to the end of the scale."""
    end = len(SCALES[strand].steps)
    if done >= end:
        return Steps(strand, done + 1, done + 1, beyond=True)
    return Steps(strand, done + 1, min(done + AHEAD, end))


def _way(level: Level) -> float:
    """How far along its scale a child is."""
    return level.about / len(SCALES[level.strand].steps)
