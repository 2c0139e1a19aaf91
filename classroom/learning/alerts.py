"""Signals that a teacher should look at a child: it gets nowhere, guesses fast, or does nothing.

Each signal has its reason as data, which pages turn into one line. Struggling, guessing and idling
are different and need different help (docs/learning.md). No signal is ever shown to a child.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from math import sqrt
from statistics import median
from typing import Any, Final, Literal, NamedTuple

from classroom.learning.estimates import Share
from classroom.learning.evidence import Evidence
from classroom.learning.intervals import at_least, wilson
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

Trouble = Literal["struggling", "leaning", "guessing", "idle"]

LONG_FROM, SHORT_FROM = 20, 10  # answers that make a long record, and a short one
LONG_BELOW, SHORT_BELOW = 0.75, 0.60  # the whole likely range of a poor record is below
GAIN: Final = 0.10  # the later half must beat the earlier by this much, and by more than luck
CLEAR: Final = 1.28  # standard errors: one steady child in ten seems to gain by luck
DAYS_FROM: Final = 3  # days with answers; one bad day is not a struggle
HELPED: Final = 0.5  # a child leans on help in more than this share of answers

FAST_MS: Final[Mapping[str, int]] = {"flash": 700, "been_asked": 1000}
FAST_USUAL_MS: Final = 1500  # before a spoken question has ended
FAST_FROM: Final = 6  # fast answers that make a signal
BETTER: Final = 0.05  # if luck is less likely than this, fast answers show knowing

SLOW: Final = 4.0  # a turn is idle after this many times the child's usual time ...
LONGEST: Final = 90.0  # ... but at most this many seconds
GONE: Final = 600.0  # seconds; after a longer time the child was not idle but away
IDLE_FROM: Final = 3  # idle turns in one day that make a signal; a single one has many reasons
IDLE_SHARE: Final = 0.2  # of all turns of the day


@dataclass(frozen=True, slots=True)
class Signal:
    """A reason to look at a child. `facts`: the numbers of the one-line reason."""

    trouble: Trouble
    skill: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def struggling(evidence: SkillEvidence, day: int, skill: str) -> Signal | None:
    """Signal that a skill was met often in four weeks, on several days, without progress.

    After 20 answers the whole likely range is under 75 %, or after 10 under 60 %; the later half
    of the answers by itself is under 75 % too and does not clearly beat the earlier. Two-choice
    items are left out. (Tutoring research calls it wheel-spinning.)
    """
    days = [one for one in _month(evidence, day, skill) if one.n]
    all_ = _sum(days)
    high = wilson(all_.right, all_.n)[1]
    poor = (all_.n >= LONG_FROM and high < LONG_BELOW) or (
        all_.n >= SHORT_FROM and high < SHORT_BELOW
    )
    if not poor or len(days) < DAYS_FROM:
        return None
    earlier, later = _halves(days)
    if wilson(later.right, later.n)[1] >= LONG_BELOW or _gained(earlier, later):
        return None
    facts = {
        "n": all_.n,
        "right": all_.right,
        "days": len(days),
        "earlier": (earlier.right, earlier.n),
        "later": (later.right, later.n),
    }
    return Signal("struggling", skill, facts)


def leaning(evidence: SkillEvidence, day: int, skill: str) -> Signal | None:
    """Signal that a child takes help in most answers, so that its own skill does not show.

    Not for recall, where the board helps: adults choose how much of it is open, not the child.
    """
    if skill in RECALL:
        return None
    recent = _month(evidence, day, skill)
    helped = sum(one.aided_n for one in recent)
    n = helped + sum(one.n + one.weak_n for one in recent)
    if n < SHORT_FROM or helped <= HELPED * n:
        return None
    return Signal("leaning", skill, {"n": n, "helped": helped})


def guessing(answers: Iterable[Evidence] | Iterable[Beat]) -> Signal | None:
    """Signal of fast guessing: of the newest answers, many came too fast for thinking, and these
    were right no more often than by luck. Fast and right is knowing, not guessing."""
    newest = sorted(_beats(answers), key=lambda one: one.at)[-BEATS:]
    fast = [one for one in newest if is_fast(one)]
    if len(fast) < FAST_FROM:
        return None
    right = sum(one.right for one in fast)
    luck = sum(one.luck for one in fast) / len(fast)
    if at_least(right, len(fast), luck) < BETTER:
        return None
    facts = {
        "n": len(newest),
        "fast": len(fast),
        "right": right,
        "usual_ms": round(median(one.latency_ms or 0 for one in fast)),
    }
    return Signal("guessing", None, facts)


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
    turn. `own`: whether the child made the move; otherwise a stand-in did after a wait."""

    seconds: float
    own: bool


def idling(turns: Iterable[Turn], day: int, patience: float) -> Signal | None:
    """Signal that a child often did nothing on its turn, on one day of play.

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


SIGNALS: Final = (struggling, leaning)


def signals(windows: Iterable[Window], day: int) -> tuple[Signal, ...]:
    """All signals about a child's answers, from the windows of its skills.

    Guessing shows only in windows carried from answer to answer: tallies do not keep the times.
    """
    kept = tuple(windows)
    newest = [one.beats for one in kept if one.met is not None and one.met.day == day]
    found = [look(one, day, one.skill) for one in kept for look in SIGNALS]
    found.append(guessing(chain.from_iterable(newest)))
    return tuple(signal for signal in found if signal is not None)


def _gained(earlier: Share, later: Share) -> bool:
    both = (earlier.right + later.right) / (earlier.n + later.n)
    error = sqrt(both * (1 - both) * (1 / earlier.n + 1 / later.n))
    gain = later.right / later.n - earlier.right / earlier.n
    return gain >= max(GAIN, CLEAR * error)


def _month(evidence: SkillEvidence, day: int, skill: str) -> list[DayCount]:
    return [one for one in window(evidence, skill).days if one.day > day - RECENT_DAYS]


def _sum(days: Sequence[DayCount]) -> Share:
    return Share(sum([one.right for one in days]), sum([one.n for one in days]))


def _halves(days: Sequence[DayCount]) -> tuple[Share, Share]:
    """The earlier and the later days, each with about half of the answers, neither empty."""
    total = sum(one.n for one in days)
    heaped = accumulate(one.n for one in days[:-1])
    cut = next((at for at, n in enumerate(heaped, 1) if n * 2 >= total), len(days) - 1)
    return _sum(days[:cut]), _sum(days[cut:])
