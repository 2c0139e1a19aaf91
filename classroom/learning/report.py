"""The report on a child for adults: the same values for pages, files and the interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from classroom.learning.alerts import Signal, signals
from classroom.learning.estimates import Estimate, Share, Week, estimate, trend
from classroom.learning.evidence import Evidence
from classroom.learning.recall_span import Prior, RecallEstimate, Span, recall
from classroom.learning.skills import SKILLS, Area
from classroom.learning.tallies import Tally, grouped
from classroom.learning.windows import Window, window

Value = str | int | float | bool | None
PLACES: Final = 3  # decimals of a share in a table
COLUMNS: Final = tuple(
    """part skill name standards state first_tries right share likely_from likely_to span_asks
    with_help with_help_right two_choices two_choices_right practice left_alone since_day last_day
    days rounds next_day_checks next_day_right week_checks week_right month_checks month_right
    check_again ever ever_right""".split()
)
_EMPTY: Final[dict[str, Value]] = dict.fromkeys(COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything about one child: estimates by skill, the recall estimate, weeks and signals.

    `weeks`: by area (counting, recall, sorting), oldest first. `signals`: those that come from
    answers; idling shows in moves, so a service adds it.
    """

    day: int
    estimates: Mapping[str, Estimate]
    recall: RecallEstimate
    weeks: Mapping[Area, tuple[Week, ...]]
    signals: tuple[Signal, ...]

    def of(self, area: Area) -> tuple[Estimate, ...]:
        """Return the estimates of an area, in the order of the catalogue."""
        return tuple(one for key, one in self.estimates.items() if SKILLS[key].area == area)


def report(
    evidence: Sequence[Evidence] | Sequence[Tally], day: int, prior: Prior | None = None
) -> Report:
    """Make the report on a child as of a day, from its rows or from its tallies."""
    tallies = grouped(evidence)
    windows = [window([one for one in tallies if one.skill == key], key) for key in SKILLS]
    return of_windows(windows, tallies, tallies, day, prior)


def of_windows(
    windows: Iterable[Window],
    remembered: Sequence[Tally],
    weekly: Sequence[Tally],
    day: int,
    prior: Prior | None = None,
) -> Report:
    """Make the same report from what is stored: the windows of skills the child met, the tallies of
    recall (`remembered`), and the tallies of all skills, which may be merged by week and sort."""
    kept = {key: Window(key) for key in SKILLS} | {one.skill: one for one in windows}
    areas: tuple[Area, ...] = ("counting", "comparing", "adding", "sorting", "recall")
    return Report(
        day=day,
        estimates={key: estimate(one, day) for key, one in kept.items()},
        recall=recall(remembered, prior),
        weeks={
            area: trend([one for one in weekly if SKILLS[one.skill].area == area]) for area in areas
        },
        signals=signals(kept.values(), day),
    )


def lines(one: Report) -> Iterator[dict[str, Value]]:
    """Yield every number of a report as rows of one table, each with all of COLUMNS.

    `part`: skill, span (in asks, not shares), recall or week. Shares and ranges are empty if
    there are too few answers.
    """
    for estimate_ in one.estimates.values():
        yield {**_EMPTY, **line(estimate_)}
    yield {**_EMPTY, **span_line("questions", one.recall.questions)}
    yield {**_EMPTY, **span_line("play", one.recall.play)}
    for name, share in _recall_shares(one.recall):
        yield {**_EMPTY, "part": "recall", "skill": "recall", "name": name, **_share(share)}
    for area, weeks in one.weeks.items():
        for week in weeks:
            helped = {"with_help": week.aided.n, "with_help_right": week.aided.right}
            at = {"part": "week", "skill": area, "since_day": week.first_day, **helped}
            yield {**_EMPTY, **at, **_share(week.alone)}


def line(one: Estimate) -> dict[str, Value]:
    """Return one skill as a row of a table; shares and ranges are empty after too few answers."""
    skill = SKILLS[one.skill]
    next_day, week, month = one.checks
    return {
        "part": "skill",
        "skill": one.skill,
        "name": skill.name,
        "standards": skill.common_core,
        "state": one.state,
        "first_tries": one.n,
        "right": one.right,
        "share": _rounded(one.share),
        "likely_from": _rounded(one.low),
        "likely_to": _rounded(one.high),
        "with_help": one.aided_n,
        "with_help_right": one.aided_right,
        "two_choices": one.weak_n,
        "two_choices_right": one.weak_right,
        "practice": one.practice_n,
        "left_alone": one.skipped_n,
        "since_day": one.since_day,
        "last_day": one.last_day,
        "days": one.days,
        "rounds": one.sessions,
        "next_day_checks": next_day.n,
        "next_day_right": next_day.right,
        "week_checks": week.n,
        "week_right": week.right,
        "month_checks": month.n,
        "month_right": month.right,
        "check_again": one.check_again,
        "ever": one.all_n,
        "ever_right": one.all_right,
    }


def span_line(name: str, span: Span) -> dict[str, Value]:
    """Return a recall span as a row of a table, its range in asks. `name`: questions or play."""
    return {
        "part": "span",
        "skill": "recall",
        "name": name,
        "first_tries": span.n,
        "right": span.right,
        "span_asks": _rounded(span.half),
        "likely_from": _rounded(span.low),
        "likely_to": None if span.beyond else _rounded(span.high),
    }


def _recall_shares(one: RecallEstimate) -> Iterator[tuple[str, Share]]:
    for point in one.points:
        yield f"questions, {point.label} asks back", point.questions
        yield f"play, {point.label} asks back", point.play
    yield "questions: hits", one.hits
    yield "questions: named somebody else", Share(one.mixed_up, one.hits.n)
    yield "questions: false alarms", one.false_alarms
    yield "questions: asked for by one", one.single
    yield "questions: asked for by two", one.overlap
    yield "play: asked somebody who could not have it", one.hopeless
    yield "with help, not counted", one.aided


def _share(one: Share) -> dict[str, Value]:
    said = None if one.low is None else one.right / one.n
    return {
        "first_tries": one.n,
        "right": one.right,
        "share": _rounded(said),
        "likely_from": _rounded(one.low),
        "likely_to": _rounded(one.high),
    }


def missed(rows: Iterable[Evidence], skill: str | None = None) -> tuple[Evidence, ...]:
    """List the questions missed at the first try without help, newest first, to show them again."""
    wrong = [
        row
        for row in rows
        if row.source == "question"
        and row.how == "alone"
        and not row.right
        and skill in (None, row.skill)
    ]
    return tuple(sorted(wrong, key=lambda row: -row.at))


def need(estimates: Iterable[Estimate], signals: Sequence[Signal]) -> tuple[int, int, int]:
    """Return how much a child may need its teacher: signals, low skills, skills to check.

    This orders a class page only; it is never shown as a rank, and never to children.
    """
    shown = tuple(estimates)
    low = sum(one.state == "low" for one in shown)
    return len(signals), low, sum(one.check_again for one in shown)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)
