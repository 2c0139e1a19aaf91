"""The report on a child for adults, and what its family reads first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from classroom.learning.alerts import Signal, leaning, signals
from classroom.learning.estimates import Estimate, Share, Window, estimate, windows_of
from classroom.learning.evidence import Evidence
from classroom.learning.guessing import hasty
from classroom.learning.levels import Growth, Level, growth, level_of
from classroom.learning.remembering import Recalled, shares
from classroom.learning.skills import SKILLS, STRANDS, Strand
from classroom.learning.tracks import SCALES, Track, fresh_of_all, tracks_of

Value = str | int | float | bool | None
PLACES: Final = 3  # decimals of a share or a level in a table
COLUMNS: Final = tuple(
    """as_of_day age_band part strand skill name standards first_tries right
    level level_from level_to about about_from about_to standing behind growth
    growth_from growth_to share likely_from likely_to with_help with_help_right
    two_choices two_choices_right practice left_alone since_day last_day days rounds
    next_day_checks next_day_right week_checks week_right month_checks month_right
    check_again ever ever_right""".split()
)
_EMPTY: Final[dict[str, Value]] = dict.fromkeys(COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything about one child: levels and growth by strand, counts by skill, recall, signals.

    `day`: the day of the report; `band`: the age band by which levels are judged. `signals`:
    those that come from answers; idling shows in moves, so a service adds it.
    """

    day: int
    band: str
    levels: Mapping[Strand, Level]
    growth: Mapping[Strand, Growth | None]
    estimates: Mapping[str, Estimate]
    recalled: tuple[Recalled, ...]
    signals: tuple[Signal, ...]

    def of(self, strand: Strand) -> tuple[Estimate, ...]:
        """Return the estimates of a strand, in the order of the catalogue."""
        return tuple(one for key, one in self.estimates.items() if SKILLS[key].strand == strand)


def report(rows: Sequence[Evidence], day: int, band: str) -> Report:
    """Make the report on a child of this age band as of a day, from all its rows."""
    return of_stored(tracks_of(rows).values(), windows_of(rows).values(), day, band)


def of_stored(
    tracks: Iterable[Track],
    windows: Iterable[Window],
    day: int,
    band: str,
) -> Report:
    """Make the same report from what is stored: the tracks of strands and the windows of skills the
    child met."""
    kept = {key: Window(key) for key in SKILLS} | {one.skill: one for one in windows}
    met = {one.strand: one for one in tracks}
    fresh = fresh_of_all(met.values())
    kept_day = hasty(fresh) is None
    followed = {key: met.get(key, Track(strand=key)).settled(kept_day) for key in STRANDS}
    levels = {key: level_of(one, band, day) for key, one in followed.items()}
    grown = {key: growth(one) for key, one in followed.items()}
    helped = [leaning(one, day) for one in kept.values()]
    return Report(
        day=day,
        band=band,
        levels=levels,
        growth=grown,
        estimates={key: estimate(one, day) for key, one in kept.items()},
        recalled=followed["recall"].recalled,
        signals=signals(levels.values(), grown.values(), helped, fresh),
    )


def lines(one: Report) -> Iterator[dict[str, Value]]:
    """Yield every number of a report as rows of one table, each with all of COLUMNS.

    `part`: level (of a strand), range (of a strand's scale), skill or recall. Shares and
    their ranges are empty if there are too few answers.
    """
    always: dict[str, Value] = {**_EMPTY, "as_of_day": one.day, "age_band": one.band}
    for row in chain(_levels(one), map(line, one.estimates.values()), _recall(one)):
        yield always | row


def _levels(one: Report) -> Iterator[dict[str, Value]]:
    for level in one.levels.values():
        yield level_line(level, one.growth[level.strand])
        for evident in level.evidence:
            at = {"part": "range", "strand": level.strand, "name": evident.range}
            yield {**at, "first_tries": evident.n, "right": evident.right}


def _recall(one: Report) -> Iterator[dict[str, Value]]:
    soon, later = one.levels["recall"].taken
    named = {"play: within five asks": soon, "play: later": later, **shares(one.recalled)}
    for name, share in named.items():
        yield {"part": "recall", "strand": "recall", "name": name, **_share(share)}


def level_line(one: Level, grown: Growth | None) -> dict[str, Value]:
    """Return a strand as a row of a table, levels in logits and growth in ranges of the scale."""
    row: dict[str, Value] = {
        "part": "level",
        "strand": one.strand,
        "first_tries": one.recent,
        "right": one.right,
        "level": _rounded(one.middle),
        "level_from": _rounded(one.low),
        "level_to": _rounded(one.high),
        "about": one.about,
        "about_from": one.between[0],
        "about_to": one.between[1],
        "standing": one.standing,
        "behind": one.behind,
        "last_day": one.last_day,
        "check_again": one.stale,
        "ever": one.n,
    }
    if grown is not None:
        row |= {
            "growth": _rounded(grown.by),
            "growth_from": _rounded(grown.low),
            "growth_to": _rounded(grown.high),
            "since_day": grown.since,
        }
    return row


def line(one: Estimate) -> dict[str, Value]:
    """Return one skill as a row of a table."""
    skill = SKILLS[one.skill]
    next_day, week, month = one.checks
    return {
        "part": "skill",
        "strand": skill.strand,
        "skill": one.skill,
        "name": skill.name,
        "standards": skill.common_core,
        "first_tries": one.n,
        "right": one.right,
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


def _share(one: Share) -> dict[str, Value]:
    said = None if one.low is None else one.right / one.n
    return {
        "first_tries": one.n,
        "right": one.right,
        "share": _rounded(said),
        "likely_from": _rounded(one.low),
        "likely_to": _rounded(one.high),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)


# ---- What a family reads first, about one strand: what the child can do, what comes next, an idea

AHEAD: Final = 3  # the most steps that are named as next
ENOUGH_LOOKS: Final = 8  # recent answers; a strand with fewer is chosen only if all have fewer
FURTHER: Final = 0.1  # how much further along its scale a strand must be to come first
BEGIN_WITH: Final[Strand] = "counting"  # the strand in which a child begins


@dataclass(frozen=True, slots=True)
class HomeSteps:
    """Some steps of a strand's scale, from `first` to `last`; `beyond`: they are past its end."""

    strand: Strand
    first: int
    last: int
    beyond: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilySteps:
    """What to tell a family: all of it is about one strand.

    `level`: the level of that strand, None while nothing is known. `next`: the steps that come
    next. `idea`: the place, from 0, of the range in which these begin; the idea for home depends on
    it.
    """

    level: Level | None
    next: HomeSteps
    idea: int


def at_home(levels: Mapping[Strand, Level]) -> FamilySteps:
    """Choose what to tell, from a child's levels; the same levels always give the same choice.

    The strand is the first one, unless the child is clearly further along the scale of another, so
    it seldom changes. Strands with few or old answers, and remembering, are chosen only if there
    are no others.
    """
    shown = [levels[one] for one in STRANDS if one in levels and levels[one].standing != "none"]
    known = [one for one in shown if one.about]
    maths = [one for one in known if one.strand != "recall"] or known
    fresh = [one for one in maths if not one.stale] or maths
    clear = [one for one in fresh if one.recent >= ENOUGH_LOOKS] or fresh
    told = clear[0] if clear else None
    for one in clear[1:]:
        if told and _way(one) > _way(told) + FURTHER:
            told = one
    steps = _next(BEGIN_WITH, 0) if told is None else _next(told.strand, told.about)
    return FamilySteps(level=told, next=steps, idea=SCALES[steps.strand].range_of_step(steps.first))


def _next(strand: Strand, done: int) -> HomeSteps:
    """The AHEAD steps after those that are done, up to the end of the scale."""
    end = len(SCALES[strand].steps)
    if done >= end:
        return HomeSteps(strand, done + 1, done + 1, beyond=True)
    return HomeSteps(strand, done + 1, min(done + AHEAD, end))


def _way(level: Level) -> float:
    """How far along its scale a child is."""
    return level.about / len(SCALES[level.strand].steps)
