"""When a teacher should look: a child gets nowhere, guesses fast, or does nothing.

Each signal carries its reason as data; pages make one line of it. Struggling, guessing and idling
are different things and want different help (PEOPLE.md 1.4, 4). No signal is ever shown to a child.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import median
from typing import Any, Final, Literal

from classroom.learning.estimates import RECENT_DAYS, Share, share
from classroom.learning.evidence import Evidence
from classroom.learning.intervals import at_least, wilson
from classroom.learning.skills import SKILLS
from classroom.learning.tallies import Tally, grouped

Trouble = Literal["struggling", "leaning", "guessing", "idle", "away"]

LONG_FROM, SHORT_FROM = 20, 10  # answers before "often without getting anywhere"
LONG_BELOW, SHORT_BELOW = 0.75, 0.60  # the whole likely range lies below
GAIN: Final = 0.10  # the later half must beat the earlier by so much, and clear of luck
CLEAR: Final = 1.28  # standard errors: one steady child in ten seems to gain by luck
DAYS_FROM: Final = 3  # a bad day is not a struggle
HELPED: Final = 0.5  # share of answers with help from which a child leans on it

FAST_MS: Final[Mapping[str, int]] = {"flash": 700, "been_asked": 1000}
FAST_USUAL_MS: Final = 1500  # before a spoken question is over
LOOK_BACK: Final = 12  # answers looked at for guessing
FAST_FROM: Final = 6  # so many of them fast
BETTER: Final = 0.05  # chance by luck below which fast answers show knowing

IDLE_SECONDS: Final = 25.0
AWAY_SECONDS: Final = 90.0
SLOW: Final = 4.0  # times the child's own usual time for a turn


@dataclass(frozen=True, slots=True)
class Signal:
    """A reason to look at a child. `facts`: the numbers of the one-line reason."""

    trouble: Trouble
    skill: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def struggling(
    evidence: Sequence[Evidence] | Sequence[Tally], day: int, skill: str
) -> Signal | None:
    """Wheel-spinning: a skill met often in four weeks, on several days, without getting anywhere.

    After 20 answers the whole likely range is under 75 %, or after 10 under 60 %; the later half
    of the answers by itself is under 75 % too and does not clearly beat the earlier. Two-choice
    items are left out.
    """
    recent = [
        one
        for one in grouped(evidence)
        if one.skill == skill
        and one.how == "alone"
        and not one.weak
        and one.day > day - RECENT_DAYS
    ]
    days = sorted({one.day for one in recent})
    all_ = share(recent)
    high = wilson(all_.right, all_.n)[1]
    poor = (all_.n >= LONG_FROM and high < LONG_BELOW) or (
        all_.n >= SHORT_FROM and high < SHORT_BELOW
    )
    if not poor or len(days) < DAYS_FROM:
        return None
    earlier, later = _halves(recent)
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


def leaning(evidence: Sequence[Evidence] | Sequence[Tally], day: int, skill: str) -> Signal | None:
    """A child that takes help in most answers, so that nothing is known of what it can do alone."""
    recent = [o for o in grouped(evidence) if o.skill == skill and o.day > day - RECENT_DAYS]
    helped = share(one for one in recent if one.how == "aided").n
    n = helped + share(one for one in recent if one.how == "alone").n
    if n < SHORT_FROM or helped <= HELPED * n:
        return None
    return Signal("leaning", skill, {"n": n, "helped": helped})


def guessing(rows: Iterable[Evidence]) -> Signal | None:
    """Fast guessing in the newest answers: many before they can have been thought about, and these
    no more often right than luck would have it. Fast and right is knowing, not guessing."""
    asked = [r for r in rows if r.source == "question" and r.how in ("alone", "aided")]
    newest = sorted(asked, key=lambda row: row.at)[-LOOK_BACK:]
    fast = [row for row in newest if is_fast(row)]
    if len(fast) < FAST_FROM:
        return None
    right = sum(row.right for row in fast)
    luck = sum(row.guess_rate for row in fast) / len(fast)
    if at_least(right, len(fast), luck) < BETTER:
        return None
    facts = {
        "n": len(newest),
        "fast": len(fast),
        "right": right,
        "usual_ms": round(median(row.latency_ms or 0 for row in fast)),
    }
    return Signal("guessing", None, facts)


def is_fast(row: Evidence) -> bool:
    """Whether an answer came before it can have been thought about."""
    if row.latency_ms is None:
        return False
    return row.latency_ms < FAST_MS.get(row.kind, FAST_USUAL_MS)


@dataclass(frozen=True, slots=True)
class Pulse:
    """What is known of a child at a table just now, in POSIX seconds and seconds.

    `own_turn`: since when it is the child's turn, None if it is not. `touched`: the last touch.
    `usual`: the child's own median seconds for a turn, None if unknown.
    """

    now: float
    touched: float
    own_turn: float | None
    usual: float | None = None


def idle(pulse: Pulse) -> Signal | None:
    """A child that could act and does not: idle after 25 s, or 4 times its own usual time if that
    is longer; away after 90 s. Waiting for others is neither."""
    if pulse.own_turn is None:
        return None
    still = pulse.now - max(pulse.touched, pulse.own_turn)
    patience = min(max(IDLE_SECONDS, SLOW * (pulse.usual or 0.0)), AWAY_SECONDS)
    if still < patience:
        return None
    trouble: Trouble = "away" if still >= AWAY_SECONDS else "idle"
    return Signal(trouble, None, {"seconds": round(still), "usual": pulse.usual})


def signals(
    rows: Sequence[Evidence], day: int, tallies: Sequence[Tally] | None = None
) -> tuple[Signal, ...]:
    """All signals about a child's answers. `rows`: at least today's; `tallies`: of four weeks,
    counted from the rows if left out."""
    counted = tallies if tallies is not None else grouped(rows)
    skills = [key for key in SKILLS if any(one.skill == key for one in counted)]
    found = [struggling(counted, day, skill) for skill in skills]
    found += [leaning(counted, day, skill) for skill in skills]
    found.append(guessing(row for row in rows if row.day == day))
    return tuple(signal for signal in found if signal is not None)


def _gained(earlier: Share, later: Share) -> bool:
    both = (earlier.right + later.right) / (earlier.n + later.n)
    error = sqrt(both * (1 - both) * (1 / earlier.n + 1 / later.n))
    gain = later.right / later.n - earlier.right / earlier.n
    return gain >= max(GAIN, CLEAR * error)


def _halves(recent: Sequence[Tally]) -> tuple[Share, Share]:
    """The earlier and the later days, each with about half of the answers, none of them empty."""
    total = sum(one.n for one in recent)
    days = sorted({one.day for one in recent})
    counted, cut = 0, days[0]
    for day in days[:-1]:
        counted += sum(one.n for one in recent if one.day == day)
        cut = day
        if counted * 2 >= total:
            break
    earlier = share(one for one in recent if one.day <= cut)
    return earlier, share(one for one in recent if one.day > cut)
