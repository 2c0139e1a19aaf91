"""Signals that a child needs attention: it is behind, does less well than before, leans on help,
guesses fast or does nothing.

Each signal carries its reason as data, which pages turn into one line (docs/learning.md). No signal
is ever shown to a child. A child is said to be behind, or to lean on help, only after two days with
answers. Guessing and idling are about one day, and the signal of guessing stays until the next day
with answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final, Literal, NamedTuple

from classroom.learning.estimates import RECENT_DAYS, Window
from classroom.learning.guessing import FreshAnswer, hasty
from classroom.learning.levels import Growth, Level
from classroom.learning.skills import RECALL

Trouble = Literal["behind", "fallen", "leaning", "guessing", "idle"]

LEANING_FROM: Final = 10  # fewest answers in four weeks ...
LEANING_DAYS: Final = 2  # ... and fewest days with help, before a child is said to lean on it
HELPED: Final = 0.5  # a child that takes help in more than this share of answers leans on it

SLOW: Final = 4.0  # a turn is idle if it takes this many times the child's usual time ...
LONGEST: Final = 90.0  # ... and always if it takes this many seconds
GONE: Final = 600.0  # seconds; a child that does nothing for this long is away, not idle
IDLE_FROM: Final = 3  # fewest idle turns in one day; a single one can have many reasons
IDLE_SHARE: Final = 0.2  # at least this share of the day's turns must be idle too


@dataclass(frozen=True, slots=True)
class Signal:
    """A reason to pay attention to a child.

    `skill`: what it is about; for "behind" and "fallen", the strand. `facts`: the numbers in its
    explanation.
    """

    trouble: Trouble
    skill: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def behind(level: Level) -> Signal | None:
    """Signal that a child is almost certainly below what children of its age need in a strand."""
    if not level.behind:
        return None
    facts = {"n": level.recent, "right": level.right, "days": level.looked, "line": level.line}
    return Signal("behind", level.strand, facts)


def fallen(grown: Growth) -> Signal | None:
    """Signal that a child's newest answers in a strand are below its earlier ones."""
    if not grown.fallen:
        return None
    facts = {"by": -grown.by, "low": -grown.high, "high": -grown.low, "n": grown.n}
    return Signal("fallen", grown.strand, {**facts, "since": grown.since})


def leaning(counted: Window, day: int) -> Signal | None:
    """Signal that a child takes help with most answers, so its own skill does not show.

    This signal is never about recall, where the help is the board: adults choose how much of it the
    child sees.
    """
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
    """Signal fast guessing on the newest day with answers. Such answers count for no level."""
    found = hasty(answers)
    return None if found is None else Signal("guessing", None, found._asdict())


class Turn(NamedTuple):
    """One move at a child's seat. `seconds`: how long the child touched nothing before it, on its
    turn. `own`: whether the child made the move; otherwise a stand-in made it after a wait."""

    seconds: float
    own: bool


def idling(turns: Iterable[Turn], day: int, patience: float) -> Signal | None:
    """Signal that a child often did nothing on its turns, on one day of play.

    A turn is idle if nothing was touched for `patience` seconds, or for SLOW times the child's
    usual time if that is longer. Waiting for others does not count. Neither does a turn that took
    GONE seconds or more, because the child was away.
    """
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
    """Find all signals about a child's answers. `helped`: the signals of relying on help, by
    skill."""
    fell = [fallen(one) for one in grown if one is not None]
    found = [*map(behind, levels), *fell, *helped, guessing(fresh)]
    return tuple(signal for signal in found if signal is not None)
