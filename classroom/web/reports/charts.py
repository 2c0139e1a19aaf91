"""Charts as data: the position of each mark, so that templates only draw it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import segno
from markupsafe import Markup

WEEK, SCHOOL_WEEK = 7, 5
SCHOOL_DAYS: Final = 15  # Monday to Friday, three weeks
FIRST, STEP, GAP = 4, 6, 5  # where the first dot is, the space to the next, and between weeks


@dataclass(frozen=True, slots=True)
class DayDots:
    """The last school days, a dot for each: where those are on which a child played (`on`), and
    those on which it did not (`off`)."""

    on: tuple[int, ...]
    off: tuple[int, ...]


def day_dots(played: Collection[int], today: int) -> DayDots:
    """The dots of a child that played on these days."""
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
    """The address as a QR code in SVG; the page must also show the address as text."""
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(
        omitsize=True, svgclass=look, lineclass=None, dark="#12304f", light=None, border=1
    )
    drawn = drawn.replace("<svg ", '<svg aria-hidden="true" ', 1)
    return Markup(drawn)  # noqa: S704 -- segno draws shapes; no text of the address is in it
