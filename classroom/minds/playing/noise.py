"""Repeatable random numbers: each follows from a seed and some keys.

They decide what a computer player forgets, so its memory needs no storage: asked twice about the
same fact, it has forgotten it both times or neither time.
"""

from __future__ import annotations

from typing import Final

_MASK: Final = (1 << 64) - 1


def uniform(seed: int, *keys: int) -> float:
    """A number in [0, 1) that depends on seed and keys alone (SplitMix64).

    >>> uniform(1, 2, 3) == uniform(1, 2, 3) != uniform(1, 3, 2)
    True
    """
    state = _mixed(seed & _MASK)
    for key in keys:
        state = _mixed(state ^ (key & _MASK))
    return (state >> 11) / (1 << 53)


def _mixed(value: int) -> int:
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)
