"""Strips that show a level on the scale of its strand: the position of each mark.

The ranges of a scale are equally wide, so small numbers get as much room as large ones. Positions
are in per cent of the strip's width, so that the same drawing fits any width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.learning.levels import Level
from classroom.learning.scales import SCALES, Scale
from classroom.learning.skills import AGE_BANDS
from classroom.web.words.level_words import level_words

EDGE: Final = 4  # left free at both ends, for marks and numbers
LEAST: Final = 2  # a likely range is drawn at least this wide, even if it is a single step
LOOKS: Final = {"secure": "ok", "partly": "mid", "start": "low", "open": "open"}


@dataclass(frozen=True, slots=True)
class Strip:
    """A level on its scale. `look`: ok, mid, low, open (not certain enough for one of these) or
    grey (no answer for four weeks); it is "open" for families, who read no verdict.

    `about`: where the steps end that the child can do; `low`, `wide`: their likely range. `goal`:
    what is expected at the child's age, None for families and where there is no norm. `ends`: the
    end of each range, and its last step. `words`: the level for screen readers.
    """

    look: str
    about: float
    low: float
    wide: float
    goal: float | None
    ends: tuple[tuple[float, int], ...]
    words: str


def strip_of(level: Level, *, judged: bool = True) -> Strip | None:
    """The strip of a level, or None while too little is known to show one. `judged`: with what is
    expected at the child's age."""
    if level.standing == "none":
        return None
    scale, band = SCALES[level.strand], level.line[0]
    low, high = (_at(scale, step) for step in level.between)
    wide = max(high - low, LEAST)
    norm = judged and band and level.strand != "recall"
    look = LOOKS[level.standing] if judged else "open"
    return Strip(
        look="grey" if level.stale else look,
        about=_at(scale, level.about),
        low=max(EDGE, min(low, 100 - EDGE - wide)),
        wide=round(wide, 1),
        goal=_at(scale, scale.expected[AGE_BANDS.index(band)]) if norm else None,
        ends=tuple((_at(scale, top), top) for top in _tops(scale)),
        words=level_words(level),
    )


def _tops(scale: Scale) -> list[int]:
    """The last step of each range; the open range at the end is left out if it has no steps."""
    last = len(scale.steps)
    return [*scale.tops] if scale.tops[-1] >= last else [*scale.tops, last]


def _at(scale: Scale, step: int) -> float:
    """The place at which a step ends."""
    tops = _tops(scale)
    part = (100 - 2 * EDGE) / len(tops)
    place = next(at for at, top in enumerate(tops) if step <= top)
    below = tops[place - 1] if place else 0
    return round(EDGE + part * (place + (step - below) / (tops[place] - below)), 1)
