"""When a teacher should look: a child gets nowhere, guesses fast, or does nothing.

Each signal carries its reason as data; pages make one line of it. Struggling, guessing and idling
are different things and want different help (docs/learning.md). No signal is ever shown to a child.
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

LONG_FROM, SHORT_FROM = 20, 10  # answers before "often without getting anywhere"
LONG_BELOW, SHORT_BELOW = 0.75, 0.60  # the whole likely range lies below
GAIN: Final = 0.10  # the later half must beat the earlier by so much, and clear of luck
CLEAR: Final = 1.28  # standard errors: one steady child in ten seems to gain by luck
DAYS_FROM: Final = 3  # a bad day is not a struggle
HELPED: Final = 0.5  # share of answers with help from which a child leans on it

FAST_MS: Final[Mapping[str, int]] = {"flash": 700, "been_asked": 1000}
FAST_USUAL_MS: Final = 1500  # before a spoken question is over
FAST_FROM: Final = 6  # so many of them fast
BETTER: Final = 0.05  # chance by luck below which fast answers show knowing

SLOW: Final = 4.0  # times the child's own usual time for a turn; it gets so long ...
LONGEST: Final = 90.0  # ... but not longer
GONE: Final = 600.0  # seconds after which a child was not idle: it had gone, and came back
IDLE_FROM: Final = 3  # turns of one day that stood still; a single one has many reasons
IDLE_SHARE: Final = 0.2  # of all turns of the day


@dataclass(frozen=True, slots=True)
class Signal:
    """A reason to look at a child. `facts`: the numbers of the one-line reason."""

    trouble: Trouble
    skill: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def struggling(evidence: SkillEvidence, day: int, skill: str) -> Signal | None:
    """Wheel-spinning: a skill met often in four weeks, on several days, without getting anywhere.

    After 20 answers the whole likely range is under 75 %, or after 10 under 60 %; the later half
    of the answers by itself is under 75 % too and does not clearly beat the earlier. Two-choice
    items are left out.
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
    """A child that takes help in most answers, so that nothing is known of what it can do alone.

    Not where the board helps: what of it lies open is the choice of adults, not of the child.
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
    """Fast guessing in the newest answers: many before they can have been thought about, and these
    no more often right than luck would have it. Fast and right is knowing, not guessing."""
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
    """Whether an answer came before it can have been thought about."""
    return one.latency_ms is not None and one.latency_ms < FAST_MS.get(one.kind, FAST_USUAL_MS)


class Turn(NamedTuple):
    """One move of a child's seat. `seconds`: how long nothing was touched before it, on the child's
    own turn. `own`: the child made it; else a computer friend did, who had waited long enough."""

    seconds: float
    own: bool


def idling(turns: Iterable[Turn], day: int, patience: float) -> Signal | None:
    """A child that often lets its turn stand, on one day of play.

    A turn stood still if nothing was touched for `patience` seconds, or for SLOW times what is
    usual for this child if that is longer. Waiting for others is no turn, and who comes back much
    later had gone.
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

    Guessing is seen where the windows were carried from answer to answer: tallies know no haste.
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
    """The earlier and the later days, each with about half of the answers, none of them empty."""
    total = sum(one.n for one in days)
    heaped = accumulate(one.n for one in days[:-1])
    cut = next((at for at, n in enumerate(heaped, 1) if n * 2 >= total), len(days) - 1)
    return _sum(days[:cut]), _sum(days[cut:])
