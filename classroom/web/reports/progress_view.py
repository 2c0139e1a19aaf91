"""A report as its pages show it: lines, cells, charts and reasons, made from learning.report.

Every number comes from the report; here it only becomes a position in a chart or a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from classroom.learning.alerts import Signal
from classroom.learning.estimates import SHARE_FROM, Estimate, Share, Week
from classroom.learning.recall_span import RecallEstimate, Span
from classroom.learning.report import Report
from classroom.learning.skills import IN_PLAY, SKILLS, Area, Skill
from classroom.services.reports.skill_reports import ChildSkills, ClassSkills
from classroom.web.reports.charts import Plot, RangeBar, plot, range_bar
from classroom.web.words import filters
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

WEEKS: Final = 10  # weeks shown in the weekly chart
HEADS: Final[dict[str, str]] = {  # short names of skills, for narrow columns
    "subitizing": N_("At a glance"),
    "how_many": N_("How many?"),
    "give_n": N_("Counts out"),
    "mixed": N_("Mixed"),
    "numeral_dots": N_("Numerals"),
    "next_before": N_("After, before"),
    "count_on": N_("Counts on"),
    "teens": N_("Teens"),
    "who_has_more": N_("Who has more?"),
    "how_many_more": N_("More than?"),
    "make_book": N_("How many more?"),
    "make_five": N_("Make 5"),
    "bonds": N_("Make 6 to 9"),
    "make_ten": N_("Make 10"),
    "doubles": N_("Doubles"),
    "add_books": N_("Adds two numbers"),
    "add_three": N_("Adds three"),
    "take_away": N_("Takes away"),
    "sorting": N_("Sorts"),
    "who_asked": N_("Who asked?"),
    "what_asked": N_("Asked for what?"),
    "been_asked": N_("Asked before?"),
    "order_asked": N_("Who asked first?"),
    "recall_ask": N_("Asks who must have it"),
}
AREAS: Final[tuple[tuple[Area, str], ...]] = (
    ("counting", N_("Counting")),
    ("comparing", N_("Comparing")),
    ("adding", N_("Adding and taking away")),
    ("sorting", N_("Sorting")),
    ("recall", N_("Remembering")),
)


@dataclass(frozen=True, slots=True)
class SkillLine:
    """One skill of one child. `band`: ok, mid, low, grey (no colour), none (too few answers).

    `low`, `high`: per cent, None below ten answers. `missed`: how many missed items there are.
    """

    skill: Skill
    head: str
    e: Estimate
    band: str
    low: int | None
    high: int | None
    bar: RangeBar | None
    missed: int

    @property
    def standards(self) -> str:
        """The code of its standard; "memory" for recall, which has none."""
        if self.skill.area == "recall":
            return _("memory")
        return self.skill.common_core or ""

    @property
    def in_play(self) -> bool:
        """Whether the child's asks in play show this skill, without any question."""
        return self.skill.key == IN_PLAY


@dataclass(frozen=True, slots=True)
class Remembering:
    """The chart of remembering, and the recall spans in words ("" while not enough is known)."""

    r: RecallEstimate
    curve: Plot
    questions: str
    play: str

    @property
    def anything(self) -> bool:
        """Whether there is any evidence yet of what the child remembers or misses."""
        r = self.r
        return bool(r.questions.n or r.play.n or r.hits.n or r.false_alarms.n or r.aided.n)


@dataclass(frozen=True, slots=True)
class ChildView:
    """A child's report. `areas`: heading and lines; `unmet`: names of skills not tried yet.

    `weeks`: the chart of counting and remembering; `helped`: for each week its date, the answers
    with help and all answers. `reasons`: why a teacher should look, one line each.
    """

    areas: tuple[tuple[str, tuple[SkillLine, ...]], ...]
    unmet: tuple[str, ...]
    remembering: Remembering
    weeks: Plot | None
    helped: tuple[tuple[str, int, int], ...]
    reasons: tuple[str, ...]

    @property
    def anything(self) -> bool:
        return bool(self.areas)


@dataclass(frozen=True, slots=True)
class ClassRow:
    """One child of the class; a line for each skill of the table, None for one not tried yet."""

    child: ChildSkills
    cells: tuple[SkillLine | None, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassView:
    """The table of a class. `heads`: each skill's key and short name. `need`: rows with reasons."""

    heads: tuple[tuple[str, str], ...]
    rows: tuple[ClassRow, ...]
    need: tuple[ClassRow, ...]


# ---- a child


def child_view(report: Report) -> ChildView:
    """The report of one child, for its teacher or its parent."""
    met = {key: one for key, one in report.estimates.items() if one.state != "none"}
    areas = tuple(
        (name, tuple(line(one) for key, one in met.items() if SKILLS[key].area == area))
        for area, name in AREAS
    )
    return ChildView(
        areas=tuple((_(name), lines) for name, lines in areas if lines),
        unmet=tuple(_(skill.name) for key, skill in SKILLS.items() if key not in met),
        remembering=remembering(report.recall),
        weeks=_weeks(report.weeks),
        helped=_helped(report.weeks),
        reasons=tuple(reason(one) for one in report.signals),
    )


def line(e: Estimate) -> SkillLine:
    """The line for one estimate, with a bar if it has a range."""
    shown = e.low is not None and e.high is not None
    band = _band(e)
    return SkillLine(
        skill=SKILLS[e.skill],
        head=_(HEADS[e.skill]),
        e=e,
        band=band,
        low=round(100 * e.low) if e.low is not None else None,
        high=round(100 * e.high) if e.high is not None else None,
        bar=range_bar(e.right, e.n, e.low, e.high, band) if shown else None,
        missed=e.n - e.right + e.weak_n - e.weak_right,
    )


def _band(e: Estimate) -> str:
    if e.coloured:
        return {"high": "ok"}.get(e.state, e.state)
    return "grey" if e.n >= SHARE_FROM else "none"


def remembering(r: RecallEstimate) -> Remembering:
    """The share remembered by lag, separately for questions and for play."""
    asked = [point for point in r.points if point.questions.n or point.play.n]
    luck = sum(point.luck for point in asked) / len(asked) if asked else None
    curve = plot(
        [_lags(point.label) for point in r.points],
        [
            ("q", _("questions"), [point.questions for point in r.points]),
            ("p", _("in play"), [point.play for point in r.points]),
        ],
        _("Share remembered by the number of asks ago"),
        luck,
    )
    return Remembering(r, curve, _span(r.questions), _span(r.play, at_least=True))


def _lags(label: str) -> str:
    """The label of a group of lags, such as `3–5` or `over 10`."""
    return _("over 10") if label == ">10" else label.replace("-", "–")


def _span(span: Span, at_least: bool = False) -> str:
    """`about 6 asks back (likely 4 to 9)`, or `at least 6`; "" while not enough is known."""
    if span.half is None or span.low is None or span.high is None:
        return ""
    low, high = _asks(span.low), _asks(span.high)
    if span.beyond:
        return _("at least %(low)s asks back", low=low)
    words = (
        N_("at least %(half)s asks back (likely %(low)s to %(high)s)")
        if at_least
        else N_("about %(half)s asks back (likely %(low)s to %(high)s)")
    )
    return _(words, half=_asks(span.half), low=low, high=high)


def _asks(span: float) -> str:
    return f"{span:.0f}" if span >= 1.5 else "1" if span >= 0.75 else _("less than 1")


def _weeks(weeks: Mapping[Area, tuple[Week, ...]]) -> Plot | None:
    shown = _shown(weeks)
    if not shown:
        return None
    rows = []
    for look, area, name in (("q", "counting", _("counting")), ("p", "recall", _("remembering"))):
        by_day = {week.first_day: week.alone for week in weeks[area]}  # type: ignore[index]
        rows.append((look, name, [by_day.get(day, Share(0, 0)) for day in shown]))
    days = [filters.short_date(day) for day in shown]
    return plot(days, rows, _("Right on the first try by week"))


def _helped(weeks: Mapping[Area, tuple[Week, ...]]) -> tuple[tuple[str, int, int], ...]:
    found = []
    for day in _shown(weeks):
        here = [week for area in weeks.values() for week in area if week.first_day == day]
        aided = sum(week.aided.n for week in here)
        found.append((filters.short_date(day), aided, aided + sum(week.alone.n for week in here)))
    return tuple(found)


def _shown(weeks: Mapping[Area, tuple[Week, ...]]) -> list[int]:
    """The first days of the latest weeks with any answers."""
    return sorted({week.first_day for area in weeks.values() for week in area})[-WEEKS:]


# ---- a class


def class_view(page: ClassSkills) -> ClassView:
    """The table of a class."""
    rows = tuple(
        ClassRow(
            child,
            tuple(
                line(child.estimates[key]) if key in child.estimates else None
                for key in page.skills
            ),
            tuple(reason(one) for one in child.signals),
        )
        for child in page.children
    )
    heads = tuple((key, _(HEADS[key])) for key in page.skills)
    return ClassView(heads, rows, tuple(row for row in rows if row.reasons))


# ---- reasons


def reason(signal: Signal) -> str:
    """Why a teacher should look at a child, in one line with the numbers."""
    name = _(SKILLS[signal.skill].name).rstrip("?") if signal.skill else ""
    return _REASONS[signal.trouble](name, signal.facts)


def _struggling(name: str, facts: Mapping[str, Any]) -> str:
    (was, was_of), (now, now_of) = facts["earlier"], facts["later"]
    return _(
        "%(skill)s: %(right)s of %(n)s right on %(days)s days and not getting better "
        "(%(was)s of %(was_of)s, then %(now)s of %(now_of)s).",
        skill=name,
        right=facts["right"],
        n=facts["n"],
        days=facts["days"],
        was=was,
        was_of=was_of,
        now=now,
        now_of=now_of,
    )


def _leaning(name: str, facts: Mapping[str, Any]) -> str:
    return _(
        "%(skill)s: %(helped)s of %(n)s answers were with help, so there is little to say about "
        "working without it.",
        skill=name,
        helped=facts["helped"],
        n=facts["n"],
    )


def _guessing(_name: str, facts: Mapping[str, Any]) -> str:
    return _(
        "Fast guessing today: %(fast)s of the last %(n)s answers came within %(seconds)s s, "
        "%(right)s of them right.",
        fast=facts["fast"],
        n=facts["n"],
        seconds=f"{facts['usual_ms'] / 1000:.1f}",
        right=facts["right"],
    )


def _idle(_name: str, facts: Mapping[str, Any]) -> str:
    said = _(
        "Idle on %(day)s: on %(still)s of %(n)s turns nothing was touched for %(seconds)s s or "
        "longer.",
        day=filters.short_date(facts["day"]),
        still=facts["still"],
        n=facts["n"],
        seconds=facts["seconds"],
    )
    if facts["played_for"]:
        said += " " + _("A computer friend played %(n)s of them.", n=facts["played_for"])
    return said


_REASONS: Final[dict[str, Callable[[str, Mapping[str, Any]], str]]] = {
    "struggling": _struggling,
    "leaning": _leaning,
    "guessing": _guessing,
    "idle": _idle,
}
