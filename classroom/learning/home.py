"""What a family is told first: the surest thing, the new thing, and which idea for home fits it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from classroom.learning.levels import Level
from classroom.learning.scales import SCALES
from classroom.learning.skills import STRANDS, Strand

AHEAD: Final = 3  # steps past what is sure that are called new, unless the range ends before
BEGIN: Final[Strand] = "counting"  # where a child begins of whom nothing is known


@dataclass(frozen=True, slots=True)
class Steps:
    """Some steps of a strand's scale, from `first` to `last`; `beyond`: past its end."""

    strand: Strand
    first: int
    last: int
    beyond: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHome:
    """What to tell a family. `sure`: the surest thing, None while nothing is known of the child.
    `new`: the steps that come next. `idea`: the place of the range they begin in, from 0, by which
    an idea for home is chosen."""

    sure: Level | None
    new: Steps
    idea: int


def at_home(levels: Mapping[Strand, Level]) -> AtHome:
    """Choose from a child's levels; the same levels always give the same.

    The surest strand is the one in which the child has come furthest on the scale. The new thing is
    the next of the mathematical strand in which it has come least far, or of the surest one.
    Remembering is told of only where no mathematics is known yet.
    """
    known = [levels[one] for one in STRANDS if one in levels and levels[one].shown]
    maths = [one for one in known if one.strand != "recall"] or known
    if not maths:
        return _told(None, BEGIN, 0, 0)
    fresh = [one for one in maths if not one.stale] or maths
    sure = max(fresh, key=_way)
    new = min(fresh, key=_way)
    return _told(sure, new.strand, new.sure, new.some)


def _told(sure: Level | None, strand: Strand, surely: int, sometimes: int) -> AtHome:
    scale = SCALES[strand]
    first, end = surely + 1, len(scale.steps)
    place = min(scale.range_of_step(first), len(scale.ranges) - 1)
    top = scale.tops[place] if place < len(scale.tops) else end
    last = max(first, min(top, max(sometimes, surely + AHEAD)))
    return AtHome(sure=sure, new=Steps(strand, first, last, beyond=first > end), idea=place)


def _way(level: Level) -> float:
    """How far along its scale a child is; what it can do sometimes counts half."""
    steps = len(SCALES[level.strand].steps)
    return (level.sure + level.some) / 2 / steps
