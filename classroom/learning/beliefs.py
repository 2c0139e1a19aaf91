"""Beliefs: what answers say about a level, as the chance of each level of a grid, in logits.

An answer is right with the chance g + (1 - g - s) / (1 + e^-(level - difficulty)), where g is luck
and s is how often the child misses what it knows: the Rasch model with a floor and a ceiling. How
careless a child is shows in its own answers: a belief holds the chance of each level for each of
SLIPS, and what is said of the level adds these up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import ceil, exp
from typing import Final

STEP: Final = 0.2  # logits between the levels of the grid
LOWEST, HIGHEST = -8.0, 9.0  # logits; the ends of the grid
GRID: Final = tuple(LOWEST + STEP * i for i in range(round((HIGHEST - LOWEST) / STEP) + 1))
MIDDLE, SPREAD = 0.0, 3.0  # logits; the bell curve before any answer: nearly anything is possible
SLIPS: Final = (0.0, 0.08)  # a careful child, and one that taps beside what it knows ...
CARELESS: Final = 0.15  # ... as about one child in seven is thought to do before any answer
PLACES: Final = 9  # decimals that a chance keeps

Belief = tuple[float, ...]  # the chance of each level of GRID, for each of SLIPS

_STATES: Final = tuple((exp(-level), slip) for slip in SLIPS for level in GRID)


def updated(belief: Belief, right: bool, difficulty: float, luck: float) -> Belief:
    """Return the belief after a first answer to an item of this difficulty (Bayes' rule)."""
    hard, free = exp(difficulty), 1 - luck
    chances = [luck + (free - slip) / (1 + hard * e) for e, slip in _STATES]
    pairs = zip(belief, chances, strict=True)
    return _normal([p * c if right else p * (1 - c) for p, c in pairs])


def predicted(belief: Belief, difficulty: float, luck: float) -> float:
    """Return the chance of a right first answer to an item of this difficulty."""
    hard, free = exp(difficulty), 1 - luck
    pairs = zip(belief, _STATES, strict=True)
    said = [p * (luck + (free - slip) / (1 + hard * e)) for p, (e, slip) in pairs]
    return sum(said) / sum(belief)


def widened(belief: Belief, variance: float, leap: float = 0.0) -> Belief:
    """Return the belief about a level that has since changed at random, with this variance.

    `leap`: the chance that it has changed altogether, so that nothing is ever ruled out for good.
    """
    if variance <= 0:
        return belief
    times = ceil(variance / (0.5 * STEP**2))  # in each pass, at most 1/4 of p goes each way
    share = variance / times / STEP**2 / 2
    new: list[float] = []
    for part in (belief[: len(GRID)], belief[len(GRID) :]):
        one = list(part)
        for _ in range(times):
            below, above = [one[0], *one[:-1]], [*one[1:], one[-1]]
            one = [p + share * (b - 2 * p + a) for b, p, a in zip(below, one, above, strict=True)]
        new += one
    return _normal([(1 - leap) * p + leap * q for p, q in zip(new, NOTHING_KNOWN, strict=True)])


def of_levels(belief: Belief) -> list[float]:
    """Return the chance of each level of GRID, however careless the child is."""
    return [a + b for a, b in zip(belief[: len(GRID)], belief[len(GRID) :], strict=True)]


def to_json(belief: Belief) -> tuple[list[float], list[float]]:
    """Return the chance of each level, and the part of it that is of careless children."""
    return [round(p, PLACES) for p in of_levels(belief)], list(belief[len(GRID) :])


def from_json(levels: Sequence[float], careless: Sequence[float] | None) -> Belief:
    """Parse a belief; what release 0.2 kept does not say how careless the child is."""
    if careless is None:
        careless = [round(CARELESS * p, PLACES) for p in levels]
    pairs = zip(levels, careless, strict=True)
    return (*[round(p - c, PLACES) for p, c in pairs], *careless)


def quantiles(belief: Belief, shares: Iterable[float]) -> tuple[float, ...]:
    """Return the levels that the child is below with these chances, in logits."""
    sums = list(accumulate(of_levels(belief)))
    return tuple(_quantile(sums, share * sums[-1]) for share in shares)


def _quantile(sums: list[float], share: float) -> float:
    place = next(i for i, total in enumerate(sums) if total >= share)
    before = sums[place - 1] if place else 0.0
    within = (share - before) / (sums[place] - before)
    return GRID[place] + STEP * (within - 0.5)


def moments(belief: Belief) -> tuple[float, float]:
    """Return the mean and the variance of a belief, in logits and square logits."""
    chances, total = of_levels(belief), sum(belief)
    mean = sum(p * level for p, level in zip(chances, GRID, strict=True)) / total
    square = sum(p * level * level for p, level in zip(chances, GRID, strict=True)) / total
    return mean, max(square - mean * mean, 0.0)


def _normal(weights: list[float]) -> Belief:
    total = sum(weights)
    return tuple([round(weight / total, PLACES) for weight in weights])


NOTHING_KNOWN: Final = _normal(
    [
        share * exp(-(((level - MIDDLE) / SPREAD) ** 2) / 2)
        for share in (1 - CARELESS, CARELESS)
        for level in GRID
    ]
)
