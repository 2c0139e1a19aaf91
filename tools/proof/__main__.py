"""`python -m tools.proof [--long] [NAME ...]`: measure what pages show about simulated children.

Returns 1 if a line is not as wanted; such a line is printed as failing. `--long` simulates more
children. A name is one of GROUPS; without a name all of them are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tools.proof.alarms import alarm_lines, guessing_lines
from tools.proof.choosing import choice_lines
from tools.proof.guessers import CHILDREN, guesser_lines
from tools.proof.levels import (
    coverage_lines,
    fitted_lines,
    gain_lines,
    growing_lines,
    off_lines,
    slope_lines,
    steady_children,
)
from tools.proof.lines import Measurement, seeded, table
from tools.proof.memory import memory_lines
from tools.proof.moods import mood_lines
from tools.proof.pages import page_lines

STEADY: Final = 120
"""Children of each ability, age and strand with `--long`. In each band of ability they are 960: of
fewer, the worst of many bands would be a matter of chance."""


def level_lines(scale: int) -> Iterator[Measurement]:
    """The level and its range for children who are as the formula assumes."""
    found = steady_children(STEADY if scale > 1 else STEADY // 60, seeded)
    yield from slope_lines(found)
    yield from coverage_lines(found)
    yield from off_lines(96 * scale, seeded)
    yield from fitted_lines(20 * scale, seeded)
    yield from growing_lines(16 * scale, seeded)
    yield from gain_lines(20 * scale, seeded)


GROUPS: Final[dict[str, Callable[[int], Iterator[Measurement]]]] = {
    "levels": level_lines,
    "pages": lambda scale: page_lines(8 * scale, seeded),
    "alarms": lambda scale: alarm_lines(8 * scale, seeded),
    "guessing": lambda scale: guessing_lines(8 * scale, seeded),
    "memory": lambda scale: memory_lines(scale, seeded),
    "choosing": lambda scale: choice_lines(scale, seeded),
    "guessers": lambda scale: guesser_lines(CHILDREN if scale > 1 else CHILDREN // 20, seeded),
    "moods": lambda scale: mood_lines(16 * scale, seeded),
}
"""What is measured, by name. What pages say about comparing, sorting and remembering, and to
parents, gets its lines in pages.py (`page_lines`) from the same children."""


def main(arguments: Sequence[str]) -> int:
    """Print the results; returns 1 if one of them is not as wanted."""
    scale = 6 if "--long" in arguments else 1
    names = [one for one in arguments if not one.startswith("-")] or list(GROUPS)
    lines = []
    for name in names:
        for one in GROUPS[name](scale):
            lines.append(one)
            print(table([one]).splitlines()[-1], file=sys.stderr, flush=True)
    print(table(lines))
    failing = [one.what for one in lines if not one.held]
    if failing:
        print(f"\n{len(failing)} of {len(lines)} are not as wanted.")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
