"""Likely ranges of a share, and how far luck alone can go (docs/learning.md)."""

from __future__ import annotations

from math import comb, sqrt
from typing import Final

Z95: Final = 1.959964  # two-sided 95 % point of the normal distribution


def wilson(right: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Return the Wilson score range of a share: `right` of `n`, as fractions from 0 to 1.

    `right` and `n` need not be whole numbers. Without answers the range is from 0 to 1.

    >>> [round(100 * end) for end in wilson(8, 10)]
    [49, 94]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if n <= 0:
        return 0.0, 1.0
    middle = right + z * z / 2
    spread = z * sqrt(right * (n - right) / n + z * z / 4)
    low = 0.0 if right <= 0 else (middle - spread) / (n + z * z)
    high = 1.0 if right >= n else (middle + spread) / (n + z * z)
    return low, high


def at_least(right: int, n: int, chance: float) -> float:
    """Return the probability of `right` or more of `n` by pure luck, each with this `chance`.

    >>> round(at_least(5, 7, 1 / 2), 3), round(at_least(5, 7, 1 / 4), 3)
    (0.227, 0.013)
    """
    return sum(comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(right, n + 1))
