"""What adults see: never more than the evidence shows (docs/learning.md)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classroom.learning.estimates import (
    CHECK_AFTER,
    Estimate,
    Share,
    estimate,
    trend,
    week_of,
)
from classroom.learning.intervals import wilson
from classroom.learning.skills import ASKED
from classroom.learning.windows import RECENT_DAYS, RECENT_ITEMS
from tests.learning.rows import row, rows
from tests.learning.size import LONG, many
from tools.proof import covered, guessers_mastering


def shown(right: int, n: int, day: int = 0, **how) -> Estimate:  # type: ignore[no-untyped-def]
    return estimate(rows(right, n, **how), day, "how_many")


def test_the_teachers_line() -> None:
    """Make 4: 14 of 18 right on the first try, no help (likely 55-91 %); 5 more with help."""
    line = shown(14, 18)
    helped = estimate([*rows(14, 18), *rows(5, 5, hint_step=3)], 0)
    for one in (line, helped):
        assert (one.n, one.right) == (18, 14)
        assert (round(100 * (one.low or 0)), round(100 * (one.high or 0))) == (55, 91)
    assert (helped.aided_n, helped.aided_right) == (5, 5)


@pytest.mark.parametrize("n", range(10))
def test_no_percentage_below_ten(n: int) -> None:
    line = shown(n, n)
    assert line.share is line.low is line.high is None
    assert not line.coloured
    assert line.missing == 10 - n


@pytest.mark.parametrize("n", range(10, 20))
def test_no_colour_below_twenty(n: int) -> None:
    line = shown(n, n)
    assert line.share == 1.0
    assert line.state == "not_enough"
    assert line.missing == 20 - n


@pytest.mark.parametrize(
    ("right", "n", "state"),
    [
        (27, 28, "high"),
        (20, 20, "high"),
        (19, 20, "high"),
        (18, 20, "mid"),  # likely from 69.9 %
        (22, 33, "mid"),
        (23, 28, "mid"),
        (13, 21, "low"),
        (22, 40, "low"),
        (0, 20, "low"),
    ],
)
def test_a_colour_follows_from_the_whole_likely_range(right: int, n: int, state: str) -> None:
    assert shown(right, n).state == state


def test_no_evidence_is_its_own_state() -> None:
    line = estimate([], 5, "make_ten")
    assert (line.state, line.n, line.last_day, line.missing) == ("none", 0, None, 10)
    assert not line.check_again


def test_help_alone_is_not_enough_yet() -> None:
    line = shown(50, 50, hint_step=4)
    assert (line.n, line.aided_n, line.state) == (0, 50, "not_enough")
    assert line.share is None


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
    line = estimate([*mine, *with_board, *with_hint], 0, "who_asked")
    plain = estimate(mine, 0, "who_asked")
    assert (line.n, line.right, line.share, line.low, line.high) == (
        plain.n, plain.right, plain.share, plain.low, plain.high,
    )  # fmt: skip
    assert line.aided_n == 2 * aided


def test_two_choice_items_never_decide() -> None:
    line = shown(200, 200, options=2)
    assert (line.n, line.weak_n, line.weak_right) == (0, 200, 200)
    assert line.state == "not_enough"
    assert line.share is None


def test_practice_and_questions_left_alone_do_not_count() -> None:
    found = [*rows(20, 20, practice=True), *rows(0, 5, answered=False), *rows(2, 3)]
    line = estimate(found, 0)
    assert (line.n, line.practice_n, line.skipped_n) == (3, 20, 5)


def test_the_line_is_about_now() -> None:
    """Long practice in autumn does not hide a child's skill in winter."""
    found = [*rows(10, 60, day=0), *rows(48, 50, day=60, round_id=2)]
    line = estimate(found, 60)
    assert (line.n, line.right, line.since_day) == (50, 48, 60)
    assert (line.all_n, line.all_right) == (110, 58)
    assert line.state == "high"


def test_few_new_answers_reach_back_to_older_days() -> None:
    found = [one for day in range(0, 100, 10) for one in rows(8, 10, day=day, round_id=day)]
    line = estimate(found, 90)
    assert (line.since_day, line.n) == (60, RECENT_ITEMS)
    assert line.days == 4


def test_whole_days_and_at_least_four_weeks_are_used() -> None:
    found = [one for day in range(60) for one in rows(9, 10, day=day, round_id=day)]
    assert estimate(found, 59).since_day == 59 - RECENT_DAYS + 1
    assert estimate(found, 59).n == 10 * RECENT_DAYS


def test_mastery_fades_without_new_evidence() -> None:
    lines = {day: shown(20, 20, day=day) for day in (0, 7, 20, 30, 60)}
    widths = [(line.high or 0) - (line.low or 0) for line in lines.values()]
    assert widths == sorted(widths)
    assert widths[0] == pytest.approx(widths[1])
    assert (lines[0].low, lines[0].high) == wilson(20, 20)
    assert [line.state for line in lines.values()] == ["high"] * 4 + ["not_enough"]
    assert [line.check_again for line in lines.values()] == [False, False, False, True, True]
    assert lines[60].share == 1.0  # the counts stay
    assert [shown(36, 40, day=day).state for day in (0, 60, 80)] == ["high", "mid", "not_enough"]


def test_a_skill_is_to_be_checked_after_four_weeks_and_one_answer_settles_it() -> None:
    assert not shown(15, 20, day=CHECK_AFTER - 1).check_again
    assert shown(15, 20, day=CHECK_AFTER).check_again
    found = [*rows(15, 20), row(day=CHECK_AFTER, round_id=9)]
    assert not estimate(found, CHECK_AFTER).check_again
    assert not shown(3, 5, day=200).check_again  # too little to check


def test_next_day_week_and_month_checks() -> None:
    plan = {0: True, 1: True, 2: False, 12: True, 45: False}
    found = [row(right=right, day=day, round_id=day) for day, right in plan.items()]
    one, week, month = estimate(found, 45).checks
    assert (one.right, one.n) == (1, 2)
    assert (week.right, week.n) == (1, 1)
    assert (month.right, month.n) == (0, 1)


def test_an_answer_with_help_is_not_a_check() -> None:
    found = [row(day=0), row(day=1, hint_step=3, round_id=2), row(day=1, at=86401.0, round_id=2)]
    assert estimate(found, 1).checks[0].n == 0


def test_a_line_is_about_one_skill() -> None:
    mixed = [row("how_many"), row("make_ten")]
    with pytest.raises(ValueError):
        estimate(mixed, 0)
    assert estimate(mixed, 0, "make_ten").n == 1


def test_weeks_begin_on_monday() -> None:
    monday = 4  # 5 January 1970
    found = [*rows(3, 4, day=monday - 1), *rows(10, 12, day=monday), *rows(1, 2, day=monday + 6)]
    before, after = trend([*found, *rows(2, 2, day=monday, hint_step=2)])
    assert (before.alone.right, before.alone.n) == (3, 4)
    assert (after.alone.right, after.alone.n) == (11, 14)
    assert (after.first_day, after.aided.n) == (monday, 2)
    assert before.alone.percent is None
    assert after.alone.percent == 79


@given(st.integers(0, 40000))
def test_a_week_has_seven_days(day: int) -> None:
    assert 7 * week_of(day) - 3 <= day < 7 * week_of(day) + 4


def test_shares_say_nothing_below_ten() -> None:
    assert Share(9, 9).percent is Share(9, 9).low is Share(9, 9).high is None
    assert Share(16, 20).percent == 80


# ---- by simulation


@pytest.mark.parametrize("n", [10, 20, 50, 100, 200])
def test_the_likely_range_holds_the_truth(n: int) -> None:
    """For at least 93 % of children, over all skills with questions."""
    totals: Counter[str] = Counter()
    each = many(12 if n < 100 else 5, 200)
    for skill in ASKED:
        hits, of = covered(skill, n, each, Random(f"{skill} {n}"))
        totals["hits"] += hits
        totals["of"] += of
    slack = 0.0 if LONG else 2 * (0.95 * 0.05 / totals["of"]) ** 0.5  # small samples vary
    assert totals["hits"] / totals["of"] >= 0.93 - slack


def test_a_child_that_only_guesses_is_never_shown_as_having_mastered_anything() -> None:
    assert guessers_mastering(many(150, 1000), 100, Random(5)) == 0
