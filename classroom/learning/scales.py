"""The scale of each strand: from easy items to hard ones, in the steps that adults see.

A scale says in which range an item counts ("6-10"), how hard a typical item of each step is, and
what is expected at each age. Difficulties are in logits, as everywhere in this package.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from classroom.learning.difficulty import SLOPE, hardness
from classroom.learning.drafts import RANGE_ENDS
from classroom.learning.evidence import Evidence
from classroom.learning.recall_questions import recall_hardness
from classroom.learning.skills import SKILLS, Strand

Ages = tuple[int, int, int, int]  # a step for each of AGE_BANDS
USUALLY_CLOSE: Final = 1.0  # logits that a usual difference adds to comparing two sets


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """One strand's scale.

    `ranges`: the name of each range of evidence, easiest first; `tops`: the last step of each range
    but the last. `steps`: the difficulty of each step; step 1 is the first. `place`: the step of a
    row's item. `expected`, `least`: for each of AGE_BANDS the step that children of that age are
    practising towards, and the step below which a child needs help. `unit`: logits from the middle
    of one range to the next, on average.
    """

    ranges: tuple[str, ...]
    tops: tuple[int, ...]
    steps: tuple[float, ...]
    place: Callable[[Evidence], int]
    expected: Ages
    least: Ages
    unit: float

    def step_at(self, level: float) -> int:
        """Return the last step that is not harder than this level; 0 if all are."""
        return sum(1 for difficulty in self.steps if difficulty <= level)

    def last_step(self, place: int) -> int:
        """Return the last step of a range."""
        return self.tops[place] if place < len(self.tops) else len(self.steps)

    def range_of_step(self, step: int) -> int:
        """Return the place of the range that a step belongs to."""
        return bisect_left(self.tops, step)


def _number(row: Evidence) -> int:
    """The number that the item is about. Rows of version 0.2 did not keep it; for these it is the
    greatest number that the question named."""
    number = row.item.get("number")
    if number is None:
        number = max(row.item.get("stem", {}).get("numbers", ()), default=1)
    return max(1, int(number))


def _lag(row: Evidence) -> int:
    return row.lag_asks or 1


def _of_numbers(kind: str, expected: Ages, least: Ages, more: float = 0.0) -> Scale:
    """Make a scale whose steps are the numbers from 1 to 20; `kind` is a typical kind of item, and
    `more` what usually makes it harder, in logits."""
    return Scale(
        ranges=("1-5", "6-10", "11-20", ">20"),
        tops=RANGE_ENDS,
        steps=tuple(hardness(kind, number) + more for number in range(1, 21)),
        place=_number,
        expected=expected,
        least=least,
        unit=SLOPE,
    )


SCALES: Final[dict[Strand, Scale]] = {
    "counting": _of_numbers("count_hand", (5, 10, 20, 20), (2, 4, 7, 9)),
    "comparing": _of_numbers("most_cards", (4, 8, 10, 20), (2, 3, 5, 6), USUALLY_CLOSE),
    "adding": _of_numbers("points_of_two", (4, 8, 10, 20), (1, 3, 4, 6)),
    "sorting": _of_numbers("count_kind", (3, 5, 10, 10), (1, 2, 3, 4)),
    "recall": Scale(
        ranges=("1-2", "3-5", "6-10", ">10"),
        tops=(2, 5, 10),
        steps=tuple(recall_hardness(lag) for lag in range(1, 41)),
        place=_lag,
        expected=(2, 3, 5, 5),
        least=(1, 1, 1, 1),
        unit=recall_hardness(2) - recall_hardness(1),
    ),
}


def range_of(row: Evidence) -> int:
    """Return the place of the range of its strand's scale in which a row's item counts."""
    scale = SCALES[SKILLS[row.skill].strand]
    return min(scale.range_of_step(scale.place(row)), len(scale.ranges) - 1)
