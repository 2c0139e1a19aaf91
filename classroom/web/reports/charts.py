"""Charts as data: the position of each mark, so that templates only draw it.

Units are those of the SVG's viewBox. Every chart has `words`, its description for screen readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import segno
from markupsafe import Markup

from classroom.services.reports.figures import Day
from classroom.web.words import filters
from classroom.web.words.language import gettext as _

CHART_DAYS: Final = 14
CHART_HEIGHT: Final = 132
BAR: Final = 26
STEP: Final = 42
FLOOR: Final = 108
HIGHEST: Final = 84


@dataclass(frozen=True, slots=True)
class DayBar:
    """One day of the chart: its bar (height 0: not played), its minutes and its name."""

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
    """The chart of the minutes a child played on each of the last fourteen days."""
    played = {day.day: day.totals.minutes for day in days}
    shown = range(today - CHART_DAYS + 1, today + 1)
    most = max([10, *(played.get(day, 0) for day in shown)])
    bars = tuple(_bar(at, day, played.get(day, 0), most, today) for at, day in enumerate(shown))
    told = ", ".join(
        f"{filters.on_day(day)} {played[day]}" for day in reversed(shown) if day in played
    )
    told = told or _("none in the last two weeks")
    return DayChart(bars, _("Minutes played on each day: %(days)s.", days=told))


def _bar(at: int, day: int, minutes: int, most: int, today: int) -> DayBar:
    height = max(5, round(minutes * HIGHEST / most)) if minutes else 0
    left = at * STEP + (STEP - BAR) // 2
    top = FLOOR - height
    return DayBar(
        left=left,
        top=top,
        height=height,
        middle=at * STEP + STEP // 2,
        label=top - 5,
        minutes=minutes,
        name=filters.weekday(day),
        today=day == today,
    )


def qr(address: str, look: str = "qr") -> Markup:
    """The address as a QR code in SVG; the page must also show the address as text."""
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(
        omitsize=True, svgclass=look, lineclass=None, dark="#12304f", light=None, border=1
    )
    drawn = drawn.replace("<svg ", '<svg aria-hidden="true" ', 1)
    return Markup(drawn)  # noqa: S704 -- segno draws shapes; no text of the address is in it
