"""Likely ranges of a share (docs/learning.md)."""

from __future__ import annotations

from math import sqrt
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
