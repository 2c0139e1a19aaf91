"""Drawings of figures: where each mark stands, so that templates only place it.

Units are those of the drawing's own box. Every drawing has its words, for who cannot see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

import segno
from markupsafe import Markup

from classroom.services.figures import Day, Share
from classroom.web import words

RANGE_WIDTH: Final = 200
CHART_DAYS: Final = 14
CHART_HEIGHT: Final = 132
BAR: Final = 26
STEP: Final = 42
FLOOR: Final = 108
HIGHEST: Final = 84


@dataclass(frozen=True, slots=True)
class RangeBar:
    """A likely range from `left`, so wide, and the share itself at `point`; 0 to 200."""

    left: int
    width: int
    point: int
    band: str
    words: str


def range_bar(share: Share) -> RangeBar | None:
    """The range as a bar; None while there is not enough."""
    if share.percent is None or share.low is None or share.high is None:
        return None
    left, right = (round(end * RANGE_WIDTH / 100) for end in (share.low, share.high))
    said = f"{share.percent} %, likely {share.low} to {share.high} %"
    point = round(share.percent * RANGE_WIDTH / 100)
    return RangeBar(left, right - left, min(max(point, 7), 193), share.band, said)


@dataclass(frozen=True, slots=True)
class DayBar:
    """One day of the chart: its bar (no height: not played), its minutes and its name."""

    left: int
    top: int
    height: int
    middle: int
    label: int
    minutes: int
    name: str
    today: bool


@dataclass(frozen=True, slots=True)
class DayChart:
    """Minutes of the last fourteen days, oldest first."""

    bars: tuple[DayBar, ...]
    words: str
    width: int = CHART_DAYS * STEP
    height: int = CHART_HEIGHT
    floor: int = FLOOR
    names: int = CHART_HEIGHT - 6
    bar: int = BAR


def day_chart(days: Sequence[Day], today: int) -> DayChart:
    """The minutes a child played on each of the last days."""
    played = {day.day: day.tally.minutes for day in days}
    shown = range(today - CHART_DAYS + 1, today + 1)
    most = max([10, *(played.get(day, 0) for day in shown)])
    bars = tuple(_bar(at, day, played.get(day, 0), most, today) for at, day in enumerate(shown))
    told = ", ".join(
        f"{words.on_day(day)} {played[day]}" for day in reversed(shown) if day in played
    )
    return DayChart(bars, f"Minutes played on each day: {told or 'none in the last two weeks'}.")


def _bar(at: int, day: int, minutes: int, most: int, today: int) -> DayBar:
    height = max(5, round(minutes * HIGHEST / most)) if minutes else 0
    left = at * STEP + (STEP - BAR) // 2
    named = date(1970, 1, 1) + timedelta(days=day)
    top = FLOOR - height
    return DayBar(
        left, top, height, at * STEP + STEP // 2, top - 5, minutes, f"{named:%a}", day == today
    )


def qr(address: str, look: str = "qr") -> Markup:
    """The address as a drawn QR code; the page's own words must say it too."""
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(
        omitsize=True, svgclass=look, lineclass=None, dark="#12304f", light=None, border=1
    )
    return Markup(drawn)  # noqa: S704 -- drawn by us from modules, not from text
