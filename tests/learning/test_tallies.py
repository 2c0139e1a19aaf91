"""Tallies can be added up in any grouping, and the sums are the same."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classroom.learning.estimates import estimate
from classroom.learning.evidence import Evidence
from classroom.learning.tallies import (
    CHECKS,
    Met,
    Tally,
    count,
    lag_bin,
    merged,
    tally,
)
from tests.learning.rows import row, rows

SKILLS = st.sampled_from(["how_many", "make_book", "who_asked", "what_asked"])


@st.composite
def histories(draw: st.DrawFn) -> list[Evidence]:
    """Mixtures of answers over some days."""
    found = []
    for i in range(draw(st.integers(0, 40))):
        skill = draw(SKILLS)
        recalls = skill in ("who_asked", "what_asked")
        trial = draw(st.sampled_from(["old", "new"])) if skill == "who_asked" else None
        found.append(
            row(
                skill,
                draw(st.booleans()),
                day=draw(st.integers(0, 60)),
                at=None,
                options=draw(st.sampled_from([2, 3, 4, 5])),
                board=draw(st.sampled_from(["off", "open"])),
                hint_step=draw(st.sampled_from([0, 1, 3])),
                lag=draw(st.integers(1, 40)) if recalls and trial != "new" else None,
                overlap=draw(st.booleans()) if recalls else False,
                trial=trial,
                practice=draw(st.integers(0, 9)) == 0,
                answered=draw(st.integers(0, 9)) > 0,
                round_id=i // 3,
            )
        )
    return sorted(found, key=lambda one: one.day)


@given(histories())
@settings(max_examples=60)
def test_rows_and_tallies_give_the_same_numbers(found: list[Evidence]) -> None:
    counted = tally(found)
    for skill in {one.skill for one in found}:
        assert estimate(found, 70, skill) == estimate(counted, 70, skill)


@given(histories())
@settings(max_examples=60)
def test_counting_one_by_one_equals_counting_all(found: list[Evidence]) -> None:
    met: dict[str, Met] = {}
    ones = []
    for one in sorted(found, key=lambda one: one.at):
        added, met[one.skill] = count(one, met.get(one.skill))
        ones.append(added)
    assert merged(ones) == tally(found)
    assert merged(merged(ones)) == merged(ones)


@given(histories())
@settings(max_examples=60)
def test_nothing_is_lost_or_counted_twice(found: list[Evidence]) -> None:
    counted = tally(found)
    assert sum(one.n for one in counted) == len(found)
    assert sum(one.right for one in counted) == sum(one.right for one in found)
    days = defaultdict(set)
    for one in found:
        days[one.skill].add(one.day)
    for skill, seen in days.items():
        assert sum(one.days for one in counted if one.skill == skill) == len(seen)
    assert len({one.key for one in counted}) == len(counted)


def test_days_and_rounds_are_counted_once() -> None:
    found = [
        *rows(2, 3, day=0, round_id=1),
        *rows(1, 2, day=0, start=60, round_id=2),
        *rows(1, 1, day=4, round_id=3),
    ]
    shown = estimate(found, 4, "how_many")
    assert (shown.days, shown.sessions) == (2, 3)


@pytest.mark.parametrize("round_id", [7, None])
def test_a_round_that_goes_on_another_day_counts_again(round_id: int | None) -> None:
    found = [*rows(2, 2, day=0, round_id=round_id), *rows(1, 2, day=1, round_id=round_id)]
    shown = estimate(found, 1, "how_many")
    assert (shown.days, shown.sessions) == (2, 2)


def test_the_first_answer_after_a_pause_is_a_check() -> None:
    days = (0, 1, 3, 10, 40)
    found = [one for day in days for one in rows(2, 2, day=day, round_id=day)]
    checks = [(one.day, one.check) for one in tally(found) if one.check]
    assert checks == [(1, 1), (3, 1), (10, 7), (40, 28)]
    assert {check for _, check in checks} == set(CHECKS)


def test_lags_fall_into_bins_that_make_up_the_shown_ones() -> None:
    assert [lag_bin(lag) for lag in (1, 2, 3, 5, 6, 10, 11, 500)] == [0, 1, 2, 4, 5, 6, 7, 10]
    assert lag_bin(None) == -1


def test_plus_keeps_the_sort_and_the_later_day() -> None:
    one, two = tally(rows(1, 2, day=1)) + tally(rows(2, 2, day=5, round_id=2))
    both = one.plus(two)
    assert isinstance(both, Tally)
    assert (both.n, both.right, both.day, both.days) == (4, 3, 5, 2)
