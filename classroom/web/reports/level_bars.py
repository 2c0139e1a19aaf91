"""Bars that show a level on the scale of its strand: the position of each part.

The ranges of a scale are equally wide, so small numbers get as much room as large ones. Units are
those of the SVG's viewBox.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.learning.levels import Level
from classroom.learning.scales import SCALES, Scale
from classroom.web.words.level_words import level_words

WIDTH: Final = 360
EDGE: Final = 10  # left free at both ends, for marks and numbers
TICKS: Final = 10  # a range with more steps than this has no mark for each
LEAST: Final = 8  # a likely range is drawn at least this wide, even if it is a single step


@dataclass(frozen=True, slots=True)
class LevelBar:
    """A level on its scale. `ends`: the end of each range, and its last step.

    `about`: where the steps end that the child can do; `low`, `high`: their likely range. `words`:
    the same for screen readers.
    """

    ends: tuple[tuple[float, int], ...]
    ticks: tuple[float, ...]
    about: float
    low: float
    high: float
    stale: bool
    words: str
    left: int = EDGE
    right: int = WIDTH - EDGE
    width: int = WIDTH


def level_bar(level: Level) -> LevelBar | None:
    """The bar of a level, or None while too little is known to show one."""
    if level.standing == "none":
        return None
    scale = SCALES[level.strand]
    low, high = (_at(scale, step) for step in level.between)
    if high - low < LEAST:
        low = max(EDGE, min(low, high - LEAST))
        high = low + LEAST
    return LevelBar(
        ends=tuple((_at(scale, top), top) for top in _tops(scale)),
        ticks=_ticks(scale),
        about=_at(scale, level.about),
        low=low,
        high=high,
        stale=level.stale,
        words=level_words(level),
    )


def _tops(scale: Scale) -> list[int]:
    """The last step of each range; the open range at the end is left out if it has no steps."""
    last = len(scale.steps)
    return [*scale.tops] if scale.tops[-1] >= last else [*scale.tops, last]


def _at(scale: Scale, step: int) -> float:
    """The place at which a step ends."""
    tops = _tops(scale)
    wide = (WIDTH - 2 * EDGE) / len(tops)
    place = next(at for at, top in enumerate(tops) if step <= top)
    below = tops[place - 1] if place else 0
    return round(EDGE + wide * (place + (step - below) / (tops[place] - below)), 1)


def _ticks(scale: Scale) -> tuple[float, ...]:
    found, below = [], 0
    for top in _tops(scale):
        if top - below <= TICKS:
            found += [_at(scale, step) for step in range(below + 1, top)]
        below = top
    return tuple(found)
