"""Charts as data: the position of each mark, so that templates only draw it.

Units are those of the SVG's viewBox. Every chart has `words`, its description for screen readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import segno
from markupsafe import Markup

from classroom.learning.estimates import Share
from classroom.services.reports.figures import Day
from classroom.web.words import filters
from classroom.web.words.language import gettext as _

RANGE_WIDTH: Final = 200
CHART_DAYS: Final = 14
CHART_HEIGHT: Final = 132
BAR: Final = 26
STEP: Final = 42
FLOOR: Final = 108
HIGHEST: Final = 84


@dataclass(frozen=True, slots=True)
class RangeBar:
    """A likely range from `left`, `width` wide, with the share at `point`; all in 0–RANGE_WIDTH."""

    left: int
    width: int
    point: int
    band: str
    words: str


def range_bar(right: int, n: int, low: float | None, high: float | None, band: str) -> RangeBar:
    """The range as a bar. `low` and `high` must not be None."""
    assert low is not None
    assert high is not None
    left, end = round(low * RANGE_WIDTH), round(high * RANGE_WIDTH)
    at = right / n
    said = _likely(f"{at:.0%}", low, high)
    point = min(max(round(at * RANGE_WIDTH), 7), RANGE_WIDTH - 7)
    return RangeBar(left=left, width=end - left, point=point, band=band, words=said)


def _likely(share: str, low: float, high: float) -> str:
    return _(
        "%(share)s, likely %(low)s to %(high)s", share=share, low=f"{low:.0%}", high=f"{high:.0%}"
    )


# ---- shares with their ranges, along lags or weeks

PLOT_WIDTH: Final = 580
PLOT_LEFT, PLOT_RIGHT = 52, 564
PLOT_TOP, PLOT_FLOOR = 16, 196
ASIDE: Final = 11  # how far a mark moves aside where two share a place


@dataclass(frozen=True, slots=True)
class PlotMark:
    """A share at `x`, `y` with its range from `top` to `bottom`; `text`: the same in words."""

    x: float
    y: float
    top: float
    bottom: float
    text: str


@dataclass(frozen=True, slots=True)
class PlotRow:
    """One series of a plot. `look`: q (circles, full line) or p (squares, dashes).

    `marks`: shares with enough answers; `path` joins them. `counts`: the text at each place, such
    as "7 of 9", or "" for no answers; `at`: the y of these texts.
    """

    look: str
    name: str
    marks: tuple[PlotMark, ...]
    path: str
    counts: tuple[tuple[float, str], ...]
    at: int


@dataclass(frozen=True, slots=True)
class Plot:
    """Shares from 0 to 100% with their likely ranges, at places along the x axis.

    `table`: the same as text: for each place its name and its share in each row.
    """

    rows: tuple[PlotRow, ...]
    places: tuple[tuple[float, str], ...]
    table: tuple[tuple[str, tuple[str, ...]], ...]
    lines: tuple[tuple[float, str], ...]
    guess: float | None
    height: int
    words: str
    width: int = PLOT_WIDTH
    left: int = PLOT_LEFT
    right: int = PLOT_RIGHT
    names: int = PLOT_FLOOR + 24

    @property
    def anything(self) -> bool:
        """Whether there is a mark to draw; if not, the counts are all there is to show."""
        return any(row.marks for row in self.rows)


def plot(
    places: Sequence[str],
    rows: Sequence[tuple[str, str, Sequence[Share]]],
    what: str,
    guess: float | None = None,
) -> Plot:
    """A plot of `rows` (look, name, a Share for each place). `guess`: the share right by luck."""
    step = (PLOT_RIGHT - PLOT_LEFT) / max(len(places), 1)
    middles = [PLOT_LEFT + step * (at + 0.5) for at in range(len(places))]
    drawn = tuple(_row(at, *row, middles, len(rows)) for at, row in enumerate(rows))
    told = "; ".join(_told(name, places, shares) for look, name, shares in rows)
    return Plot(
        rows=drawn,
        places=tuple((round(x, 1), place) for x, place in zip(middles, places, strict=True)),
        table=tuple(
            (place, tuple(_in_words(shares[at]) for look, name, shares in rows))
            for at, place in enumerate(places)
        ),
        lines=tuple((_height(part), f"{100 * part:.0f}") for part in (0, 0.25, 0.5, 0.75, 1)),
        guess=None if guess is None else _height(guess),
        height=PLOT_FLOOR + 34 + 18 * len(rows),
        words=f"{what}. {told}.",
    )


def _row(
    at: int, look: str, name: str, shares: Sequence[Share], middles: Sequence[float], rows: int
) -> PlotRow:
    aside = ASIDE * (2 * at - rows + 1)
    marks = tuple(
        _mark(round(x + aside, 1), share)
        for x, share in zip(middles, shares, strict=True)
        if share.enough
    )
    counts = tuple(
        (round(x, 1), _of(share) if share.n else "")
        for x, share in zip(middles, shares, strict=True)
    )
    path = "M" + "L".join(f"{mark.x} {mark.y}" for mark in marks) if len(marks) > 1 else ""
    return PlotRow(
        look=look,
        name=name,
        marks=marks,
        path=path,
        counts=counts,
        at=PLOT_FLOOR + 44 + 18 * at,
    )


def _mark(x: float, share: Share) -> PlotMark:
    low, high = share.low or 0.0, share.high or 0.0
    text = _likely(f"{share.percent}%", low, high)
    y = _height(share.right / share.n)
    return PlotMark(x=x, y=y, top=_height(high), bottom=_height(low), text=text)


def _in_words(share: Share) -> str:
    return f"{_of(share)} ({filters.likely(share)})" if share.n else "–"


def _of(share: Share) -> str:
    return _("%(right)s of %(n)s", right=share.right, n=share.n)


def _height(part: float) -> float:
    return round(PLOT_FLOOR - part * (PLOT_FLOOR - PLOT_TOP), 1)


def _told(name: str, places: Sequence[str], shares: Sequence[Share]) -> str:
    said = [
        _("%(place)s %(percent)s%% of %(n)s", place=place, percent=share.percent, n=share.n)
        if share.enough
        else _("%(place)s not enough yet", place=place)
        for place, share in zip(places, shares, strict=True)
        if share.n
    ]
    return f"{name}: {', '.join(said) or _('nothing yet')}"


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
    """The minutes a child played on each of the last days."""
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
    return Markup(drawn)  # noqa: S704 -- segno draws shapes; no text of the address is in it
