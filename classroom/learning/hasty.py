"""Fast guessing: answers that came too fast for thought, and that luck explains far better than
knowledge does. A day of it counts for no level (tracks.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from statistics import median
from typing import Final, NamedTuple

from classroom.learning.evidence import Evidence

FAST_MS: Final[Mapping[str, int]] = {"flash": 700, "been_asked": 1000}
FAST_USUAL_MS: Final = 1500  # an answer this fast comes before the spoken question has ended
NEWEST: Final = 12  # newest answers of a day that are looked at
FAST_FROM: Final = 6  # fast answers among them before anything is said
KNOWS: Final = 0.75  # chance of a right answer of a child that knows: items are chosen for that
LIKELIER: Final = 8.0  # fast answers are guessing if luck explains them this many times better


class Fresh(NamedTuple):
    """A first answer of a child's newest day. `step`: of the strand's scale; `fast`: milliseconds,
    None if there was time to think."""

    day: int
    difficulty: float
    luck: float
    right: bool
    step: int
    at: float
    fast: int | None


class Hasty(NamedTuple):
    """How a child guessed on a day: `fast` of the newest `n` answers in about `usual_ms`."""

    day: int
    n: int
    fast: int
    right: int
    usual_ms: int


def too_fast(row: Evidence) -> int | None:
    """The time that an answer took, if that was too short for the child to have thought."""
    ms = row.latency_ms
    return ms if ms is not None and ms < FAST_MS.get(row.kind, FAST_USUAL_MS) else None


def hasty(answers: Iterable[Fresh]) -> Hasty | None:
    """Judge the answers of one day, in all strands: None unless the child guessed."""
    newest = sorted(answers, key=lambda one: one.at)[-NEWEST:]
    fast = [one for one in newest if one.fast is not None]
    if len(fast) < FAST_FROM:
        return None
    by_luck = prod(_chance(one.right, one.luck) for one in fast)
    if by_luck < LIKELIER * prod(_chance(one.right, KNOWS) for one in fast):
        return None
    usual = round(median(one.fast or 0 for one in fast))
    return Hasty(newest[-1].day, len(newest), len(fast), sum(one.right for one in fast), usual)


def _chance(right: bool, share: float) -> float:
    return share if right else 1 - share
