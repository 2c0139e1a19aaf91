"""Charts as data: the position of each mark, so that templates only draw it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

import segno
from markupsafe import Markup

from classroom.learning.levels import Level
from classroom.learning.report import at_home
from classroom.learning.skills import AGE_BANDS, Strand
from classroom.learning.tomorrow import Task
from classroom.learning.tracks import SCALES, Scale
from classroom.web.words.language import gettext as _
from classroom.web.words.level_words import level_words

WEEK, SCHOOL_WEEK = 7, 5
SCHOOL_DAYS: Final = 15  # Monday to Friday, three weeks
FIRST, STEP, GAP = 4, 6, 5  # place of the first dot, space between dots, extra space between weeks


@dataclass(frozen=True, slots=True)
class DayDots:
    """A dot for each of the last school days. `on`: the places of the dots for days on which the
    child played; `off`: the places of the other dots."""

    on: tuple[int, ...]
    off: tuple[int, ...]


def day_dots(played: Collection[int], today: int) -> DayDots:
    """Return the dots for a child who played on these days."""
    weekdays = {day: (day + 3) % WEEK for day in range(today - 3 * WEEK, today + 1)}  # 0: Monday
    days = [day for day, weekday in weekdays.items() if weekday < SCHOOL_WEEK][-SCHOOL_DAYS:]
    places, at = {}, FIRST
    for day in days:
        places[day] = at
        at += STEP + GAP * (weekdays[day] == SCHOOL_WEEK - 1)
    return DayDots(
        tuple(x for day, x in places.items() if day in played),
        tuple(x for day, x in places.items() if day not in played),
    )


def qr(address: str, look: str = "qr") -> Markup:
    """Return the URL as a QR code in SVG. The page must also show the URL as text."""
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(
        omitsize=True, svgclass=look, lineclass=None, dark="#12304f", light=None, border=1
    )
    drawn = drawn.replace("<svg ", '<svg aria-hidden="true" ', 1)
    return Markup(drawn)  # noqa: S704 -- segno draws shapes; no text of the URL is in it


# ---- The positions of dots and frames in the picture of a task, which measures 200 by 120 units

WIDTH, HEIGHT = 200, 120
COLUMNS: Final = 5
DOT_GAP: Final = 8  # extra space between the first ten and the next
BIG, SMALL = 32, 25  # the width of a place in a frame, for up to ten places and for more

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A task and its picture. `places`: the upper left corner of each place in a frame. `side`: the
    width of a place. `dots`: the middle of each dot. `r`: the radius of a dot."""

    task: Task
    places: tuple[Point, ...]
    dots: tuple[Point, ...]
    side: int
    r: float


def dot_drawing(task: Task, seed: int = 0) -> Drawing:
    """Draw the picture of a task. Another `seed` scatters its dots differently."""
    n = {"count": task.whole, "fill": task.part}.get(task.form, 0)
    room = task.whole if task.form == "fill" else 10 if task.whole <= 10 else 20
    side = BIG if room <= 10 else SMALL
    places = _places(room, side)
    if task.form == "bond":
        return Drawing(task, (), (), side, 0)
    if task.form == "count" and task.picture != "frame":
        dots = (
            _scattered(n, seed) if task.picture == "scattered" else _middles(_places(n, side), side)
        )
        return Drawing(task, (), dots, side, 0.32 * SMALL)
    return Drawing(task, places, _middles(places[:n], side), side, 0.36 * side)


def _places(n: int, side: int) -> tuple[Point, ...]:
    """Return places in rows of five, in the middle of the picture, with a gap after ten."""
    rows = -(-n // COLUMNS)
    high = rows * side + (DOT_GAP if rows > 2 else 0)
    left = (WIDTH - min(n, COLUMNS) * side) / 2
    top = (HEIGHT - high) / 2
    return tuple(
        (
            left + at % COLUMNS * side,
            top + at // COLUMNS * side + (DOT_GAP if at // COLUMNS >= 2 else 0),
        )
        for at in range(n)
    )


def _middles(places: tuple[Point, ...], side: int) -> tuple[Point, ...]:
    return tuple((x + side / 2, y + side / 2) for x, y in places)


def _scattered(n: int, seed: int) -> tuple[Point, ...]:
    """Scatter dots that never touch: each one is placed inside its own field of a coarse grid."""
    rng = Random(f"{n} {seed}")
    across, down = (5, 3) if n <= 12 else (7, 4)
    wide, high = WIDTH / across, HEIGHT / down
    r = 0.32 * SMALL
    return tuple(
        (
            round(field % across * wide + rng.uniform(r + 1, wide - r - 1), 1),
            round(field // across * high + rng.uniform(r + 1, high - r - 1), 1),
        )
        for field in rng.sample(range(across * down), n)
    )


# ---- Strips that show a level on the scale of its strand: the position of each mark
#
# The ranges of a scale are equally wide, so small numbers get as much room as large ones. Positions
# are in per cent of the strip's width, so that the same drawing fits any width.

EDGE: Final = 4  # per cent left free at each end, for marks and numbers
LEAST: Final = 2  # a likely range is drawn at least this wide, even if it is a single step
LOOKS: Final = {"secure": "ok", "partly": "mid", "start": "low", "open": "open"}


@dataclass(frozen=True, slots=True)
class Strip:
    """A level on its scale. `look`: ok, mid, low, open (not certain enough for the first three) or
    grey (no answer for four weeks). For families, who see no verdict, it is open or grey.

    Positions are from 0 to 100. `about`: where the last step that the child can do ends. `low`,
    `wide`: the start and width of the likely range. `goal`: what is expected at the child's age,
    None for families and without a norm. `ends`: for each range, where it ends and its last step.
    `words`: the level for screen readers.
    """

    look: str
    about: float
    low: float
    wide: float
    goal: float | None
    ends: tuple[tuple[float, int], ...]
    words: str


def strip_of(level: Level, *, judged: bool = True) -> Strip | None:
    """Return the strip of a level, or None if too little is known to show one. `judged`: whether to
    show what is expected at the child's age."""
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
    """Return the last step of each range. An open range at the end counts only if it has steps."""
    last = len(scale.steps)
    return [*scale.tops] if scale.tops[-1] >= last else [*scale.tops, last]


def _at(scale: Scale, step: int) -> float:
    """Return the position at which a step ends."""
    tops = _tops(scale)
    part = (100 - 2 * EDGE) / len(tops)
    place = next(at for at, top in enumerate(tops) if step <= top)
    below = tops[place - 1] if place else 0
    return round(EDGE + part * (place + (step - below) / (tops[place] - below)), 1)


# ---- A ten-frame that shows a family what their child can do, beside the three sentences

SIDE: Final = 54  # the width of a place in a frame
CELL_GAP: Final = 16  # the space between two frames
ROW, TEN, TWENTY = 5, 10, 20

FrameLook = Literal["sure", "some", "next", ""]


@dataclass(frozen=True, slots=True)
class TenFrame:
    """One ten-frame, or two for numbers over ten. `places`: the upper left corner of each place,
    and what is in it: a solid dot (the child can certainly do this number), a pale dot (the child
    probably can), a ring (this number comes next) or nothing. `words`: the picture in words."""

    strand: Strand
    places: tuple[tuple[int, int, FrameLook], ...]
    words: str


def ten_frame(levels: Mapping[Strand, Level]) -> TenFrame | None:
    """Return a picture of what a family is told first. None while nothing is known, and for
    remembering, which is measured in asks."""
    told = at_home(levels)
    level, steps = told.level, told.next
    if level is None or level.strand == "recall":
        return None
    sure, some = level.between[0], level.about
    last = some if steps.beyond else steps.last
    size = TEN if last <= TEN else TWENTY
    return TenFrame(
        strand=level.strand,
        places=tuple(
            (_left(at), at // ROW % 2 * SIDE, _look(at + 1, sure, some, last)) for at in range(size)
        ),
        words=_("Certainly up to %(sure)s, probably up to %(some)s.", sure=sure, some=some),
    )


def _look(number: int, sure: int, some: int, last: int) -> FrameLook:
    if number > last:
        return ""
    return "sure" if number <= sure else "some" if number <= some else "next"


def _left(at: int) -> int:
    return at % ROW * SIDE + at // TEN * (ROW * SIDE + CELL_GAP)
