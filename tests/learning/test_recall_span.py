"""The recall span: a known one is found, with luck, help and false alarms separated."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classroom.learning.recall_span import (
    Cell,
    RecallEstimate,
    recall,
    remembered,
    span_of,
)
from classroom.learning.simulate import SimulatedChild
from tests.learning.rows import rows
from tests.learning.size import many
from tools.proof.memory import helped_shown, recall_rows, spans_found


@pytest.mark.parametrize(
    ("lag", "span", "luck", "chance"),
    [(5, 5, 0, 0.5), (10, 5, 0, 0.25), (5, 5, 0.25, 0.625), (3, 6, 0.5, 0.5 + 0.5 * 2**-0.5)],
)
def test_the_curve_of_forgetting(lag: float, span: float, luck: float, chance: float) -> None:
    assert remembered(lag, span, luck) == pytest.approx(chance)


def test_the_span_is_where_half_is_left() -> None:
    """Half right after six asks, without luck, is a span of six."""
    assert span_of([Cell(400, 200, 6.0, 0.0)]).half == pytest.approx(6.0, rel=0.02)
    with_luck = span_of([Cell(800, 500, 6.0, 0.25)])
    assert with_luck.half == pytest.approx(6.0, rel=0.03)


def test_the_range_of_one_lag_is_that_of_its_share() -> None:
    """With almost no prior, the range ends where the curve meets the ends of the share's likely
    range."""
    found = span_of([Cell(100, 50, 6.0, 0.0)])
    assert remembered(6.0, found.low or 0) == pytest.approx(0.404, abs=0.01)
    assert remembered(6.0, found.high or 0) == pytest.approx(0.596, abs=0.01)


@given(st.integers(10, 60), st.integers(0, 60), st.integers(1, 25))
def test_a_range_holds_its_middle(n: int, right: int, lag: int) -> None:
    found = span_of([Cell(n, min(right, n), float(lag), 0.25)])
    assert found.low is not None
    assert found.half is not None
    assert found.high is not None
    assert 0 < found.low < found.half < found.high


@given(st.integers(10, 60), st.integers(0, 59), st.integers(1, 25))
def test_more_right_is_a_longer_span(n: int, right: int, lag: int) -> None:
    if right < n:
        less = span_of([Cell(n, right, float(lag), 0.25)]).half or 0
        assert (span_of([Cell(n, right + 1, float(lag), 0.25)]).half or 0) > less


def test_below_ten_items_there_is_no_span() -> None:
    found = span_of([Cell(9, 9, 4.0, 0.25)])
    assert (found.half, found.low, found.high, found.enough) == (None, None, None, False)
    assert (found.n, found.right) == (9, 9)


def test_always_right_gives_only_a_lower_bound() -> None:
    found = span_of([Cell(60, 60, 5.0, 0.25)])
    assert found.beyond
    assert (found.low or 0) > 15


@pytest.mark.parametrize("span", [2.0, 4.0, 6.0, 10.0, 15.0])
def test_the_span_is_found_without_bias_at_200_items(span: float) -> None:
    mean, middle, held = spans_found(span, 0.6, many(24, 300), Random(f"span {span}"))
    assert abs(mean - 1) <= many(15, 10) / 100
    assert abs(middle - 1) <= many(15, 10) / 100
    assert held >= many(80, 93) / 100


@pytest.mark.parametrize("names", [0.1, 1.0])
def test_a_child_who_says_nobody_does_not_look_forgetful(names: float) -> None:
    mean, _, _ = spans_found(6.0, names, many(20, 300), Random(f"names {names}"))
    assert abs(mean - 1) <= many(15, 10) / 100


def test_a_child_helped_by_the_board_is_not_shown_as_remembering() -> None:
    assert helped_shown(20, 60, Random(3)) == 0


def test_a_child_that_only_guesses_has_a_span_near_nothing() -> None:
    rng = Random(6)
    for _ in range(5):
        found = recall(recall_rows(SimulatedChild(guesses=True), 200, rng)).questions
        assert (found.half or 0) < 1.5


# ---- separate figures


def picture() -> RecallEstimate:
    """Evidence of questions with and without a fact, of play, help and overlaps."""
    old = {"skill": "who_asked", "trial": "old", "lag": 4}
    return recall(
        [
            *rows(12, 16, **old),
            *rows(0, 3, **old, nobody=True),
            *rows(7, 10, skill="who_asked", trial="new"),
            *rows(5, 9, skill="what_asked", lag=8, overlap=True),
            *rows(9, 11, skill="recall_ask", source="play", lag=2, options=8),
            *rows(18, 20, skill="recall_ask", source="play", trial="new", luck=0.9),
            *rows(30, 30, skill="who_asked", trial="old", lag=4, board="open"),
            *rows(40, 40, skill="been_asked", trial="old", lag=1, options=2),
            *rows(50, 50, skill="how_many"),
        ]
    )


def test_questions_and_play_are_separate() -> None:
    found = picture()
    assert (found.questions.n, found.questions.right) == (16 + 3 + 9, 12 + 5)
    assert (found.play.n, found.play.right) == (11, 9)


def test_hits_and_false_alarms_are_separate() -> None:
    found = picture()
    assert (found.hits.right, found.hits.n) == (12, 19)  # two choices never count
    assert found.mixed_up == 4
    assert (found.false_alarms.right, found.false_alarms.n) == (3, 10)


def test_overlap_is_separate() -> None:
    found = picture()
    assert (found.overlap.right, found.overlap.n) == (5, 9)
    assert found.overlap.percent is None
    assert (found.single.right, found.single.n) == (12, 19)


def test_help_and_hopeless_asks_are_separate() -> None:
    found = picture()
    assert found.aided.n == 30
    assert (found.hopeless.right, found.hopeless.n) == (2, 20)


def test_points_by_lag_have_their_n_and_range() -> None:
    near, middle, far, farther = picture().points
    assert [p.label for p in (near, middle, far, farther)] == ["1-2", "3-5", "6-10", ">10"]
    assert (near.play.n, near.questions.n) == (11, 0)
    assert (middle.questions.right, middle.questions.n) == (12, 19)
    assert middle.questions.low is not None
    assert far.questions.percent is None
    assert middle.luck == pytest.approx(0.25)


def test_a_span_is_about_now() -> None:
    old = rows(5, 100, skill="what_asked", lag=5, day=0)
    new = rows(180, 200, skill="what_asked", lag=5, day=60, round_id=2)
    found = recall([*old, *new])
    assert (found.questions.n, found.since_day) == (200, 60)
