"""Sheets of paper: every task within the child's numbers, the same whenever it is printed."""

from __future__ import annotations

import pytest

from classroom.learning.skills import Strand
from classroom.learning.tomorrow import PICTURES, TASKS, worksheet

RANGES = [(1, 4), (3, 7), (1, 10), (9, 12), (16, 20), (1, 20)]


@pytest.mark.parametrize("numbers", RANGES)
@pytest.mark.parametrize("strand", ["counting", "adding"])
def test_all_tasks_of_a_sheet_are_within_its_numbers(
    strand: Strand, numbers: tuple[int, int]
) -> None:
    low, high = numbers
    for seed in range(30):
        found = worksheet(strand, numbers, seed)
        for half in found.halves:
            assert len(half) == TASKS
            assert len({task.form for task in half}) == 1
            for task in half:
                assert max(low, 2 if strand == "adding" else 1) <= task.whole <= high
                assert strand == "counting" or 1 <= task.part < task.whole


def test_a_sheet_asks_for_every_number_of_a_small_range_and_each_as_often() -> None:
    counts = [task.whole for task in worksheet("counting", (3, 5), 1).halves[0]]
    assert sorted(counts) == [3, 3, 4, 4, 5, 5]


def test_a_sheet_printed_again_is_the_same_and_that_of_another_child_is_not() -> None:
    assert worksheet("adding", (1, 9), 7) == worksheet("adding", (1, 9), 7)
    assert worksheet("adding", (1, 9), 7) != worksheet("adding", (1, 9), 8)


def test_a_sheet_of_counting_shows_dots_in_every_arrangement() -> None:
    assert {task.picture for task in worksheet("counting", (2, 6), 3).halves[0]} == set(PICTURES)
