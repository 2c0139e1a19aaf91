"""What adults see: never more than the evidence shows (docs/learning.md)."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from classroom.learning.estimates import (
    CHECK_AFTER,
    RECENT_DAYS,
    RECENT_ITEMS,
    Estimate,
    Share,
    Window,
    estimate,
)
from tests.learning.rows import row, rows, window


def shown(right: int, n: int, day: int = 0, **how) -> Estimate:  # type: ignore[no-untyped-def]
    return estimate(window(rows(right, n, **how)), day)


def test_a_line_counts_first_answers_without_help() -> None:
    """Make 4: 14 of 18 right on the first try, no help; 5 more with help."""
    helped = estimate(window([*rows(14, 18), *rows(5, 5, hint_step=3)]), 0)
    assert (helped.counts.n, helped.counts.right) == (18, 14)
    assert (helped.counts.aided_n, helped.counts.aided_right) == (5, 5)


def test_no_evidence_counts_nothing() -> None:
    line = estimate(Window("make_ten"), 5)
    assert (line.counts.n, line.last_day, line.since_day) == (0, None, None)
    assert not line.check_again


def test_help_alone_is_no_share() -> None:
    line = shown(50, 50, hint_step=4)
    assert (line.counts.n, line.counts.aided_n) == (0, 50)


@given(
    st.integers(0, 30), st.integers(0, 30), st.sampled_from(["open", "peek", "fading"]),
    st.integers(2, 5),
)  # fmt: skip
def test_aided_answers_never_count_as_unaided(
    alone: int, aided: int, board: str, step: int
) -> None:
    mine = rows(alone // 2, alone, skill="who_asked", lag=3)
    with_board = rows(aided, aided, skill="who_asked", lag=3, board=board)
    with_hint = rows(aided, aided, skill="who_asked", lag=3, hint_step=step)
    line = estimate(window([*mine, *with_board, *with_hint], "who_asked"), 0)
    plain = estimate(window(mine, "who_asked"), 0)
    assert (line.counts.n, line.counts.right) == (plain.counts.n, plain.counts.right)
    assert line.counts.aided_n == 2 * aided


def test_two_choice_items_never_decide() -> None:
    line = shown(200, 200, options=2)
    assert (line.counts.n, line.counts.weak_n, line.counts.weak_right) == (0, 200, 200)


def test_practice_and_questions_left_alone_do_not_count() -> None:
    found = [*rows(20, 20, practice=True), *rows(0, 5, answered=False), *rows(2, 3)]
    line = estimate(window(found), 0)
    assert (line.counts.n, line.counts.practice_n, line.counts.skipped_n) == (3, 20, 5)


def test_the_line_is_about_now() -> None:
    """Many wrong answers in autumn do not hide a child's skill in winter."""
    found = [*rows(10, 60, day=0), *rows(48, 50, day=60, round_id=2)]
    line = estimate(window(found), 60)
    assert (line.counts.n, line.counts.right, line.since_day) == (50, 48, 60)
    assert (line.ever.n, line.ever.right) == (110, 58)


def test_few_new_answers_reach_back_to_older_days() -> None:
    found = [one for day in range(0, 100, 10) for one in rows(8, 10, day=day, round_id=day)]
    line = estimate(window(found), 90)
    assert (line.since_day, line.counts.n) == (60, RECENT_ITEMS)
    assert line.counts.days == 4


def test_whole_days_and_at_least_four_weeks_are_used() -> None:
    found = [one for day in range(60) for one in rows(9, 10, day=day, round_id=day)]
    assert estimate(window(found), 59).since_day == 59 - RECENT_DAYS + 1
    assert estimate(window(found), 59).counts.n == 10 * RECENT_DAYS


def test_help_before_the_first_answer_alone_is_counted_too() -> None:
    found = [*rows(9, 20, hint_step=3, day=1), *rows(12, 12, day=6)]
    line = estimate(window(found), 6)
    assert (line.counts.n, line.counts.aided_n, line.since_day) == (12, 20, 1)


def test_a_skill_is_to_be_checked_after_four_weeks_and_one_answer_settles_it() -> None:
    assert not shown(15, 20, day=CHECK_AFTER - 1).check_again
    assert shown(15, 20, day=CHECK_AFTER).check_again
    found = [*rows(15, 20), row(day=CHECK_AFTER, round_id=9)]
    assert not estimate(window(found), CHECK_AFTER).check_again
    assert shown(3, 5, day=200).check_again
    assert not shown(0, 5, day=200, hint_step=3).check_again  # never answered alone


def test_next_day_week_and_month_checks() -> None:
    plan = {0: True, 1: True, 2: False, 12: True, 45: False}
    found = [row(right=right, day=day, round_id=day) for day, right in plan.items()]
    one, week, month = estimate(window(found), 45).checks
    assert (one.right, one.n) == (1, 2)
    assert (week.right, week.n) == (1, 1)
    assert (month.right, month.n) == (0, 1)


def test_an_answer_with_help_is_not_a_check() -> None:
    found = [row(day=0), row(day=1, hint_step=3, round_id=2), row(day=1, at=86401.0, round_id=2)]
    assert estimate(window(found), 1).checks[0].n == 0


def test_a_line_is_about_one_skill() -> None:
    mixed = [row("how_many"), row("make_ten")]
    assert estimate(window(mixed, "make_ten"), 0).counts.n == 1


def test_days_and_rounds_are_counted_once() -> None:
    found = [
        *rows(2, 3, day=0, round_id=1),
        *rows(1, 2, day=0, start=60, round_id=2),
        *rows(1, 1, day=4, round_id=3),
    ]
    shown = estimate(window(found), 4)
    assert (shown.counts.days, shown.counts.sessions) == (2, 3)


@pytest.mark.parametrize("round_id", [7, None])
def test_a_round_that_goes_on_another_day_counts_again(round_id: int | None) -> None:
    found = [*rows(2, 2, day=0, round_id=round_id), *rows(1, 2, day=1, round_id=round_id)]
    shown = estimate(window(found), 1)
    assert (shown.counts.days, shown.counts.sessions) == (2, 2)


def test_shares_say_nothing_below_ten() -> None:
    assert Share(9, 9).low is Share(9, 9).high is None
    assert Share(10, 10).low
