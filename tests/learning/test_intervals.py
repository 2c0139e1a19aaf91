"""Likely ranges against the values worked out by hand in docs/learning.md."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given, strategies as st

from classroom.learning.beliefs import Z95, wilson


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (3, 3, 44, 100),
        (5, 5, 57, 100),
        (8, 10, 49, 94),
        (10, 10, 72, 100),
        (16, 20, 58, 92),
        (20, 20, 84, 100),
        (40, 50, 67, 89),
        (14, 18, 55, 91),
        (0, 10, 0, 28),
    ],
)
def test_the_likely_range_is_wilsons(right: int, n: int, low: int, high: int) -> None:
    assert tuple(round(100 * end) for end in wilson(right, n)) == (low, high)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_both_ends_solve_wilsons_equation(counts: tuple[int, int]) -> None:
    right, n = counts
    for end in wilson(right, n):
        if 0 < end < 1:
            off = abs(right / n - end)
            assert isclose(off, Z95 * (end * (1 - end) / n) ** 0.5, rel_tol=1e-6, abs_tol=1e-9)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_range_holds_its_share_and_mirrors_its_misses(counts: tuple[int, int]) -> None:
    right, n = counts
    low, high = wilson(right, n)
    assert 0 <= low <= right / n <= high <= 1
    other = wilson(n - right, n)
    assert isclose(low, 1 - other[1], abs_tol=1e-9)


def test_no_answers_give_the_widest_range() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 50), st.floats(0.05, 0.95))
def test_less_weight_makes_a_wider_range(n: int, weight: float) -> None:
    right = n * 3 // 4
    low, high = wilson(right, n)
    faded = wilson(weight * right, weight * n)
    assert faded[0] <= low + 1e-12
    assert faded[1] >= high - 1e-12
