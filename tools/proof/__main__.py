"""`python -m tools.proof [--long]`: measure what reports show about simulated children.

Returns 1 if a line is not as wanted. `--long` simulates more children; docs/learning.md shows its
tables.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Final

from tools.proof.alarms import alarm_lines
from tools.proof.choosing import choice_lines
from tools.proof.guessers import CHILDREN, guesser_lines
from tools.proof.levels import (
    coverage_lines,
    gain_lines,
    growing_lines,
    slope_lines,
    steady_children,
)
from tools.proof.lines import Measurement, Seeded, seeded, table
from tools.proof.memory import memory_lines
from tools.proof.moods import mood_lines

STEADY: Final = 120
"""Children of each ability, age and strand with `--long`. In each band of ability they are 960: of
fewer, the worst of many bands would be a matter of chance."""


def wanted(scale: int, steady: int, guessers: int, rng: Seeded) -> Iterator[Measurement]:
    """Yield all measurements that have a wanted result. `scale`: multiplies the children."""
    found = steady_children(steady, rng)
    yield from slope_lines(found)
    yield from coverage_lines(found)
    yield from growing_lines(24 * scale, rng)
    yield from gain_lines(20 * scale, rng)
    yield from alarm_lines(16 * scale, rng)
    yield from memory_lines(scale, rng)
    yield from choice_lines(scale, rng)
    yield from guesser_lines(guessers, rng)


def main(arguments: Sequence[str]) -> int:
    """Print the results; returns 1 if one of them is not as wanted."""
    long = "--long" in arguments
    scale, steady, guessers = (6, STEADY, CHILDREN) if long else (1, STEADY // 40, CHILDREN // 10)
    lines = []
    for one in wanted(scale, steady, guessers, seeded):
        lines.append(one)
        print(table([one]).splitlines()[-1], file=sys.stderr, flush=True)
    print(table(lines))
    print("\nWhat the likely range does not cover:\n")
    print(table(list(mood_lines(16 * scale, seeded))))
    return 0 if all(line.held for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
