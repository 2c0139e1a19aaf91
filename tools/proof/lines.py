"""Lines of the proof: what was measured, what came out, and what was wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

Seeded = Callable[[str], Random]
"""Gives the random numbers of a measurement by its name, so that each can be repeated alone."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One result: what was measured, what came out, what was wanted, and whether it held."""

    what: str
    result: str
    wanted: str
    held: bool = True


NOTHING_WANTED: Final = "-"


def seeded(name: str) -> Random:
    """Return the random numbers of a measurement."""
    return Random(f"proof {name}")


def per_cent(part: float, of: int) -> str:
    """Write a part of a whole as a percentage."""
    return f"{100 * part / max(of, 1):.1f} %"


def slack(share: float, n: int) -> float:
    """Return how far below the wanted `share` the share of `n` may fall by chance: in 19 of 20 runs
    it falls no further."""
    return float(1.645 * (share * (1 - share) / max(n, 1)) ** 0.5)


def table(lines: Sequence[Measurement]) -> str:
    """Return the lines as a Markdown table."""
    rows = [
        f"| {one.what} | {one.result} | {one.wanted}{'' if one.held else ' **fails**'} |"
        for one in lines
    ]
    return "\n".join(("| looked at | result | wanted |", "| --- | --- | --- |", *rows))
