"""The report on a child for adults, its signals, and the learning steps that a family is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final, Literal, NamedTuple

from classroom.learning.estimates import (
    RECENT_DAYS,
    Estimate,
    Recalled,
    Share,
    Window,
    estimate,
    shares,
)
from classroom.learning.levels import Growth, Level, growth, level_of
from classroom.learning.skills import RECALL, SKILLS, STRANDS, Strand
from classroom.learning.tracks import SCALES, FreshAnswer, Track, fresh_of_all, hasty

# ---- Signals that a child needs attention: behind, fallen, leaning on help, guessing or idle
#
# Each signal carries the numbers behind it, from which pages make one line (docs/learning.md). No
# signal is ever shown to a child. A child is said to be behind, or to lean on help, only after two
# days with answers. Guessing and idling are judged by a single day, and a signal of guessing
# remains until the next day with answers.

Trouble = Literal["behind", "fallen", "leaning", "guessing", "idle"]

LEANING_FROM: Final = 10  # the fewest answers in four weeks for a signal of leaning on help
LEANING_DAYS: Final = 2  # the fewest days with helped answers for a signal of leaning on help
HELPED: Final = 0.5  # a child leans on help if more than this share of the child's answers had help

SLOW: Final = 4.0  # multiples of a child's usual time before its turn is idle (see `idling`)
LONGEST: Final = 90.0  # seconds; a cap on SLOW x the usual time
GONE: Final = 600.0  # seconds; a child who does nothing for this long is away, not idle
IDLE_FROM: Final = 3  # a signal needs at least this many idle turns in the day
IDLE_SHARE: Final = 0.2  # a signal also needs at least this share of idle turns in the day


@dataclass(frozen=True, slots=True)
class Signal:
    """A reason to pay attention to a child. `skill`: the skill concerned or, for "behind" and
    "fallen", the strand. `facts`: the numbers in the explanation."""

    trouble: Trouble
    skill: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def behind(level: Level) -> Signal | None:
    """Signal that a child is almost certainly below the level that the age needs in a strand."""
    if not level.behind:
        return None
    facts = {"n": level.recent, "right": level.right, "days": level.looked, "line": level.line}
    return Signal("behind", level.strand, facts)


def fallen(grown: Growth) -> Signal | None:
    """Signal that a child's newest answers in a strand show a lower level than earlier ones."""
    if not grown.fallen:
        return None
    facts = {"by": -grown.by, "low": -grown.high, "high": -grown.low, "n": grown.n}
    return Signal("fallen", grown.strand, {**facts, "since": grown.since})


def leaning(counted: Window, day: int) -> Signal | None:
    """Signal that a child takes help with most answers, so they do not show the child's own skill.
    Recall has no such signal: its help is the board, and adults choose how much of it is shown."""
    if counted.skill in RECALL:
        return None
    recent = [one for one in counted.days if one.day > day - RECENT_DAYS]
    with_help = [one.aided_n for one in recent if one.aided_n]
    if len(with_help) < LEANING_DAYS:
        return None
    helped = sum(with_help)
    n = helped + sum(one.n + one.weak_n for one in recent)
    if n < LEANING_FROM or helped <= HELPED * n:
        return None
    return Signal("leaning", counted.skill, {"n": n, "helped": helped})


def guessing(answers: Iterable[FreshAnswer]) -> Signal | None:
    """Signal fast guessing on the newest day with answers. Levels ignore that day's answers."""
    found = hasty(answers)
    return None if found is None else Signal("guessing", None, found._asdict())


class Turn(NamedTuple):
    """One move at a child's seat. `seconds`: how long the child touched nothing on its turn before
    the move. `own`: whether the child made the move itself, without a stand-in."""

    seconds: float
    own: bool


def idling(turns: Iterable[Turn], day: int, patience: float) -> Signal | None:
    """Signal that a child often did nothing on its turns during one day. A turn is idle if the
    child touched nothing for `patience` seconds or, if that is longer, SLOW times the child's usual
    time (at most LONGEST). Waiting for others does not count. Turns of GONE seconds or more do not
    count either, because the child was away."""
    some = [turn for turn in turns if turn.seconds < GONE]
    usual = median([turn.seconds for turn in some if turn.own] or [0.0])
    patience = max(patience, min(SLOW * usual, LONGEST))
    still = [turn for turn in some if turn.seconds >= patience]
    n = sum(turn.own or turn.seconds >= patience for turn in some)
    if len(still) < max(IDLE_FROM, IDLE_SHARE * n):
        return None
    facts = {
        "day": day,
        "n": n,
        "still": len(still),
        "seconds": round(patience),
        "played_for": sum(not turn.own for turn in still),
    }
    return Signal("idle", None, facts)


def signals(
    levels: Iterable[Level],
    grown: Iterable[Growth | None],
    helped: Iterable[Signal | None],
    fresh: Iterable[FreshAnswer],
) -> tuple[Signal, ...]:
    """Find all signals about a child's answers. `helped`: a result of `leaning` for each skill."""
    fell = [fallen(one) for one in grown if one is not None]
    return tuple(filter(None, [*map(behind, levels), *fell, *helped, guessing(fresh)]))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything about one child: levels and growth by strand, counts by skill, recall, signals.
    `day`: the day of the report; `band`: the age band by which levels are judged. `signals`: only
    the signals about answers; a service adds the signal of idling, which needs the moves."""

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


def of_stored(tracks: Iterable[Track], windows: Iterable[Window], day: int, band: str) -> Report:
    """Make the report on a child as of a day, from the stored tracks of its strands and the stored
    windows of its skills."""
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
    """Yield a report as the rows of a table with COLUMNS. The column `part` names the kind of row:
    "level" for a strand, "range" for a range of its scale, "skill" or "recall". Shares and their
    ranges are empty if there are too few answers."""
    always: dict[str, Value] = dict.fromkeys(COLUMNS)
    always |= {"as_of_day": one.day, "age_band": one.band}
    for level in one.levels.values():
        yield always | _level_line(level, one.growth[level.strand])
        at = always | {"part": "range", "strand": level.strand}
        for some in level.evidence:
            yield at | {"name": some.range, "first_tries": some.n, "right": some.right}
    yield from (always | line(counted) for counted in one.estimates.values())
    soon, later = one.levels["recall"].taken
    named = {"play: within five asks": soon, "play: later": later, **shares(one.recalled)}
    at = always | {"part": "recall", "strand": "recall"}
    yield from (at | {"name": name} | _share(share) for name, share in named.items())


def _level_line(one: Level, grown: Growth | None) -> dict[str, Value]:
    """Return a strand as a table row, with levels in logits and growth in ranges of the scale."""
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
    skill, counts = SKILLS[one.skill], one.counts
    next_day, week, month = one.checks
    return {
        "part": "skill",
        "strand": skill.strand,
        "skill": one.skill,
        "name": skill.name,
        "standards": skill.common_core,
        "first_tries": counts.n,
        "right": counts.right,
        "with_help": counts.aided_n,
        "with_help_right": counts.aided_right,
        "two_choices": counts.weak_n,
        "two_choices_right": counts.weak_right,
        "practice": counts.practice_n,
        "left_alone": counts.skipped_n,
        "since_day": one.since_day,
        "last_day": one.last_day,
        "days": counts.days,
        "rounds": counts.sessions,
        "next_day_checks": next_day.n,
        "next_day_right": next_day.right,
        "week_checks": week.n,
        "week_right": week.right,
        "month_checks": month.n,
        "month_right": month.right,
        "check_again": one.check_again,
        "ever": one.ever.n,
        "ever_right": one.ever.right,
    }


def _share(one: Share) -> dict[str, Value]:
    return {
        "first_tries": one.n,
        "right": one.right,
        "share": _rounded(one.right / one.n if one.enough else None),
        "likely_from": _rounded(one.low),
        "likely_to": _rounded(one.high),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)


# ---- The first thing a family reads: in one strand, the child's level, the next steps and an idea

AHEAD: Final = 3  # the largest number of steps that are named as next steps
ENOUGH_LOOKS: Final = 8  # a strand needs this many recent answers, unless all strands have fewer
FURTHER: Final = 0.1  # a later strand is chosen if the child is this much further along its scale
BEGIN_WITH: Final[Strand] = "counting"  # the strand for a child about whom nothing is known


@dataclass(frozen=True, slots=True)
class HomeSteps:
    """Steps `first` to `last` of a strand's scale. `beyond`: whether they are past its end."""

    strand: Strand
    first: int
    last: int
    beyond: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilySteps:
    """The facts that a family is told about one strand. `level`: the child's level, None while
    nothing is known. `next`: the next steps. `idea`: the index of the range in which the next steps
    begin, from 0; it decides which idea for home the family gets."""

    level: Level | None
    next: HomeSteps
    idea: int


def at_home(levels: Mapping[Strand, Level]) -> FamilySteps:
    """Choose the strand and steps that a family is told about; the same levels always give the same
    choice. The first strand is chosen unless the child is clearly further along the scale of
    another, so the choice seldom changes. Recall, and strands with few or old answers, are chosen
    only if there are no others."""
    shown = [levels[one] for one in STRANDS if one in levels and levels[one].standing != "none"]
    known = [one for one in shown if one.about]
    maths = [one for one in known if one.strand != "recall"] or known
    fresh = [one for one in maths if not one.stale] or maths
    clear = [one for one in fresh if one.recent >= ENOUGH_LOOKS] or fresh
    told: Level | None = None
    for one in clear:
        if told is None or _way(one) > _way(told) + FURTHER:
            told = one
    strand, done = (told.strand, told.about) if told else (BEGIN_WITH, 0)
    scale, first = SCALES[strand], done + 1
    end = len(scale.steps)
    # The next AHEAD steps, or fewer at the end of the scale.
    steps = HomeSteps(strand, first, max(first, min(done + AHEAD, end)), beyond=first > end)
    return FamilySteps(level=told, next=steps, idea=scale.range_of_step(first))


def _way(level: Level) -> float:
    """How far a child is along the scale, as a share of its steps."""
    return level.about / len(SCALES[level.strand].steps)
