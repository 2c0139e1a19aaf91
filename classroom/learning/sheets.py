"""Sheets of paper for one child: tasks with dots and numbers, all within its range.

The answers are never on the sheet. The same child and range always give the same sheet, so that a
page printed again is the same page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import Final, Literal

from classroom.learning.skills import Strand

Picture = Literal["frame", "scattered", "rows"]
Form = Literal["count", "draw", "bond", "fill"]

PICTURES: Final[tuple[Picture, ...]] = ("frame", "scattered", "rows")
TASKS: Final = 6  # in each half of a sheet


@dataclass(frozen=True, slots=True)
class Task:
    """One task. count: how many dots are there? (`whole`, drawn as `picture`.) draw: draw `whole`
    dots. bond: `part` and how many make `whole`? fill: a frame of `whole` places, `part` of them
    filled: how many more?"""

    form: Form
    whole: int
    part: int = 0
    picture: Picture = "frame"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The two halves of a sheet; each has tasks of one form."""

    strand: Strand
    numbers: tuple[int, int]
    halves: tuple[tuple[Task, ...], tuple[Task, ...]]


def sheet(strand: Strand, numbers: tuple[int, int], seed: int) -> Sheet:
    """Make a sheet of counting or adding with numbers from `numbers[0]` to `numbers[1]`."""
    rng = Random(f"{strand} {numbers} {seed}")
    halves = _counting(numbers, rng) if strand == "counting" else _adding(numbers, rng)
    return Sheet(strand, numbers, halves)


def _counting(numbers: tuple[int, int], rng: Random) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    some = _turns(numbers, rng)
    pictures = cycle(rng.sample(PICTURES, len(PICTURES)))
    count = tuple(Task("count", next(some), picture=next(pictures)) for _ in range(TASKS))
    return count, tuple(Task("draw", next(some)) for _ in range(TASKS))


def _adding(numbers: tuple[int, int], rng: Random) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    low, high = numbers
    wholes = _turns((max(2, low), max(2, high)), rng)
    tasks = [Task("bond", whole, rng.randint(1, whole - 1)) for whole in islice(wholes, 2 * TASKS)]
    fill = tuple(Task("fill", one.whole, one.part) for one in tasks[TASKS:])
    return tuple(tasks[:TASKS]), fill


def _turns(numbers: tuple[int, int], rng: Random) -> Iterator[int]:
    """Yield every number of the range in random order, and then again in another order, without
    end."""
    low, high = numbers
    while True:
        yield from rng.sample(range(low, high + 1), high - low + 1)
