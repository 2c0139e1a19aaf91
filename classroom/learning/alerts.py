"""Signals that a child needs attention: it is behind, leans on help, guesses fast or does nothing.

Each signal carries its reason as data, which pages turn into one line (docs/learning.md). No signal
is ever shown to a child. A child is said to be behind, or to lean on help, only after two days with
answers; signals of guessing and idling are about one day.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from math import prod
from statistics import median
from typing import Any, Final, Literal, NamedTuple

from classroom.learning.evidence import Evidence
from classroom.learning.levels import Level
from classroom.learning.skills import RECALL
from classroom.learning.windows import (
    BEATS,
    RECENT_DAYS,
    Beat,
    DayCount,
    SkillEvidence,
    Window,
    beat,
    window,
)

Trouble = Literal["behind", "leaning", "guessing", "idle"]

LEANING_FROM: Final = 10  # fewest answers in four weeks ...
LEANING_DAYS: Final = 2  # ... and fewest days with help, before a child is said to lean on it
HELPED: Final = 0.5  # a child that takes help in more than this share of answers leans on it

FAST_MS: Final[Mapping[str, int]] = {"flash": 700, "been_asked": 1000}
FAST_USUAL_MS: Final = 1500  # an answer this fast comes before the spoken question has ended
FAST_FROM: Final = 6  # fast answers needed for a signal
KNOWS: Final = 0.75  # chance of a right answer of a child that knows: items are chosen for that
LIKELIER: Final = 8.0  # fast answers are guessing if luck explains them this many times better

SLOW: Final = 4.0  # a turn is idle after this many times the child's usual time ...
LONGEST: Final = 90.0  # ... but at most this many seconds
GONE: Final = 600.0  # seconds; from then on the child was not idle but away
IDLE_FROM: Final = 3  # fewest idle turns in one day; a single one can have many reasons
IDLE_SHARE: Final = 0.2  # smallest share of the day's turns that must be idle as well


@dataclass(frozen=True, slots=True)
class Signal:
    """A reason to pay attention to a child.

    `skill`: what it is about; for "behind", the strand. `facts`: the numbers in its explanation.
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


def leaning(evidence: SkillEvidence, day: int, skill: str) -> Signal | None:
    """Signal that a child takes help with most answers, so its own skill does not show.

    This signal is never about recall, where the help is the board: adults choose how much of it the
    child sees.
    """
    if skill in RECALL:
        return None
    recent = _month(evidence, day, skill)
    with_help = [one.aided_n for one in recent if one.aided_n]
    if len(with_help) < LEANING_DAYS:
        return None
    helped = sum(with_help)
    n = helped + sum(one.n + one.weak_n for one in recent)
    if n < LEANING_FROM or helped <= HELPED * n:
        return None
    return Signal("leaning", skill, {"n": n, "helped": helped})


def guessing(answers: Iterable[Evidence] | Iterable[Beat]) -> Signal | None:
    """Signal fast guessing: many of the newest answers came too fast for thought, and luck explains
    them far better than knowledge does."""
    newest = sorted(_beats(answers), key=lambda one: one.at)[-BEATS:]
    fast = [one for one in newest if is_fast(one)]
    if len(fast) < FAST_FROM:
        return None
    by_luck = prod(_chance(one.right, one.luck) for one in fast)
    if by_luck < LIKELIER * prod(_chance(one.right, KNOWS) for one in fast):
        return None
    facts = {
        "n": len(newest),
        "fast": len(fast),
        "right": sum(one.right for one in fast),
        "usual_ms": round(median(one.latency_ms or 0 for one in fast)),
    }
    return Signal("guessing", None, facts)


def _chance(right: bool, share: float) -> float:
    return share if right else 1 - share


def _beats(answers: Iterable[Evidence] | Iterable[Beat]) -> Iterator[Beat]:
    for one in answers:
        if isinstance(one, Beat):
            yield one
        elif one.source == "question" and one.how in ("alone", "aided"):
            yield beat(one)


def is_fast(one: Beat) -> bool:
    """Whether an answer came too fast for the child to have thought about it."""
    return one.latency_ms is not None and one.latency_ms < FAST_MS.get(one.kind, FAST_USUAL_MS)


class Turn(NamedTuple):
    """One move at a child's seat. `seconds`: how long the child touched nothing before it, on its
    turn. `own`: whether the child made the move; otherwise a stand-in made it after a wait."""

    seconds: float
    own: bool


def idling(turns: Iterable[Turn], day: int, patience: float) -> Signal | None:
    """Signal that a child often did nothing on its turns, on one day of play.

    A turn is idle if nothing was touched for `patience` seconds, or for SLOW times the child's
    usual time if that is longer. Waiting for others does not count, nor does a turn that took GONE
    seconds or more: the child was away.
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


class Noticed(NamedTuple):
    """What the window of one skill shows as of a day: whether the child leans on help, and its
    newest answers of that day."""

    leaning: Signal | None
    beats: tuple[Beat, ...]


def noticed(one: Window, day: int) -> Noticed:
    """Look at a window for reasons to pay attention.

    Only windows updated answer by answer have the day's answers: tallies do not keep the times.
    """
    now = one.met is not None and one.met.day == day
    return Noticed(leaning(one, day, one.skill), one.beats if now else ())


def signals(seen: Iterable[Noticed], levels: Iterable[Level]) -> tuple[Signal, ...]:
    """Find all signals about a child's answers, from its levels and what its windows show."""
    kept = tuple(seen)
    found = [*map(behind, levels), *(one.leaning for one in kept)]
    found.append(guessing(chain.from_iterable(one.beats for one in kept)))
    return tuple(signal for signal in found if signal is not None)


def _month(evidence: SkillEvidence, day: int, skill: str) -> list[DayCount]:
    return [one for one in window(evidence, skill).days if one.day > day - RECENT_DAYS]
