"""Bars that show a level on the scale of its strand: the position of each part.

The ranges of a scale are equally wide, so small numbers get as much room as large ones. Units are
those of the SVG's viewBox.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.learning.levels import Level
from classroom.learning.scales import SCALES, Scale
from classroom.web.words.language import gettext as _
from classroom.web.words.level_words import level_words, likely_words

WIDTH: Final = 360
EDGE: Final = 10  # left free at both ends, for marks and numbers
TICKS: Final = 10  # a range with more steps than this has no mark for each
LEAST: Final = 8  # a likely range is drawn at least this wide, even if it is a single step


@dataclass(frozen=True, slots=True)
class LevelBar:
    """A level on its scale. `ends`: the end of each range, and its last step.

    `sure`, `some`: where the steps end that the child can do surely, and sometimes. `low`, `high`:
    the likely range of what it can do surely. `words`: the same for screen readers.
    """

    ends: tuple[tuple[float, int], ...]
    ticks: tuple[float, ...]
    sure: float
    some: float
    low: float
    high: float
    stale: bool
    words: str
    left: int = EDGE
    right: int = WIDTH - EDGE
    width: int = WIDTH


def level_bar(level: Level) -> LevelBar | None:
    """The bar of a level, or None while too little is known to show one."""
    if not level.shown:
        return None
    scale = SCALES[level.strand]
    low, high = (_at(scale, step) for step in level.likely)
    if high - low < LEAST:
        low = max(EDGE, min(low, high - LEAST))
        high = low + LEAST
    return LevelBar(
        ends=tuple((_at(scale, top), top) for top in _tops(scale)),
        ticks=_ticks(scale),
        sure=_at(scale, level.sure),
        some=_at(scale, level.some),
        low=low,
        high=high,
        stale=level.stale,
        words=_words(level),
    )


def _words(level: Level) -> str:
    said = _("Too early to say:") if level.standing == "none" else level_words(level)
    return _("%(said)s %(likely)s", said=said, likely=likely_words(level))


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
