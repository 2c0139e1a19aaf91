"""Beliefs: what answers say about a level, as the chance of each level of a grid, in logits.

An answer is right with the chance g + (1 - g - s) / (1 + e^-(level - difficulty)), where g is luck
and s is SLIP: the Rasch model with a floor and a ceiling.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from math import ceil, exp
from typing import Final

STEP: Final = 0.2  # logits between the levels of the grid
LOWEST, HIGHEST = -8.0, 9.0  # logits; the ends of the grid
GRID: Final = tuple(LOWEST + STEP * i for i in range(round((HIGHEST - LOWEST) / STEP) + 1))
MIDDLE, SPREAD = 0.0, 3.0  # logits; the bell curve before any answer: nearly anything is possible
SLIP: Final = 0.03  # chance of missing what is known: children of this age tap beside it
PLACES: Final = 9  # decimals that a chance keeps

Belief = tuple[float, ...]  # the chance of each level of GRID

_INVERSE: Final = tuple(exp(-level) for level in GRID)


def updated(belief: Belief, right: bool, difficulty: float, luck: float) -> Belief:
    """Return the belief after a first answer to an item of this difficulty (Bayes' rule)."""
    hard, free = exp(difficulty), 1 - luck - SLIP
    chances = [luck + free / (1 + hard * e) for e in _INVERSE]
    pairs = zip(belief, chances, strict=True)
    return _normal([p * c if right else p * (1 - c) for p, c in pairs])


def predicted(belief: Belief, difficulty: float, luck: float) -> float:
    """Return the chance of a right first answer to an item of this difficulty."""
    hard, free = exp(difficulty), 1 - luck - SLIP
    pairs = zip(belief, _INVERSE, strict=True)
    return sum([p * (luck + free / (1 + hard * e)) for p, e in pairs]) / sum(belief)


def widened(belief: Belief, variance: float, leap: float = 0.0) -> Belief:
    """Return the belief about a level that has since changed at random, with this variance.

    `leap`: the chance that it has changed altogether, so that nothing is ever ruled out for good.
    """
    if variance <= 0:
        return belief
    times = ceil(variance / (0.5 * STEP**2))  # in each pass, at most 1/4 of p goes each way
    share = variance / times / STEP**2 / 2
    new = list(belief)
    for _ in range(times):
        below, above = [new[0], *new[:-1]], [*new[1:], new[-1]]
        new = [p + share * (b - 2 * p + a) for b, p, a in zip(below, new, above, strict=True)]
    return _normal([(1 - leap) * p + leap * q for p, q in zip(new, NOTHING_KNOWN, strict=True)])


def quantiles(belief: Belief, shares: Iterable[float]) -> tuple[float, ...]:
    """Return the levels that the child is below with these chances, in logits."""
    sums = list(accumulate(belief))
    return tuple(_quantile(sums, share * sums[-1]) for share in shares)


def _quantile(sums: list[float], share: float) -> float:
    place = next(i for i, total in enumerate(sums) if total >= share)
    before = sums[place - 1] if place else 0.0
    within = (share - before) / (sums[place] - before)
    return GRID[place] + STEP * (within - 0.5)


def moments(belief: Belief) -> tuple[float, float]:
    """Return the mean and the variance of a belief, in logits and square logits."""
    total = sum(belief)
    mean = sum(p * level for p, level in zip(belief, GRID, strict=True)) / total
    square = sum(p * level * level for p, level in zip(belief, GRID, strict=True)) / total
    return mean, max(square - mean * mean, 0.0)


def _normal(weights: list[float]) -> Belief:
    total = sum(weights)
    return tuple([round(weight / total, PLACES) for weight in weights])


NOTHING_KNOWN: Final = _normal([exp(-(((level - MIDDLE) / SPREAD) ** 2) / 2) for level in GRID])
