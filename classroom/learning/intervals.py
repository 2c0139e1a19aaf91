"""Likely ranges of a share, and how far luck alone can go (docs/learning.md)."""

from __future__ import annotations

from math import comb, sqrt
from typing import Final

Z95: Final = 1.959964  # two-sided 95 % point of the normal distribution


def wilson(right: float, n: float, z: float = Z95) -> tuple[float, float]:
    """The Wilson score range of a share: `right` of `n`, as fractions from 0 to 1.

    `n` may be a weight (old evidence counts less), hence the floats. Without answers
    the range is 0 to 1.

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


def items_for(half_width: float, share: float = 0.8, z: float = Z95) -> int:
    """The number of items for a range of `share` plus or minus `half_width` (normal formula).

    >>> items_for(0.15), items_for(0.20), items_for(0.10)
    (27, 15, 61)
    """
    return round(z * z * share * (1 - share) / (half_width * half_width))


def at_least(right: int, n: int, chance: float) -> float:
    """The probability that pure luck gives `right` or more of `n`, each with `chance`.

    >>> round(at_least(5, 7, 1 / 2), 3), round(at_least(5, 7, 1 / 4), 3)
    (0.227, 0.013)
    """
    return sum(comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(right, n + 1))


def streak_by_luck(run: int, tries: int, chance: float) -> float:
    """The probability of `run` right in a row somewhere in `tries` by pure guessing.

    This is why no streak decides anything here: of children who toss a coin, half get three in a
    row within ten tries.

    >>> [round(streak_by_luck(3, 10, 1 / options), 3) for options in (2, 3, 4)]
    [0.508, 0.203, 0.096]
    """
    waiting = [1.0] + [0.0] * (run - 1)  # waiting[k]: no full run yet, and the last k were right
    for _ in range(tries):
        waiting = [sum(waiting) * (1 - chance)] + [w * chance for w in waiting[:-1]]
    return 1.0 - sum(waiting)
