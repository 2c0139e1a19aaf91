"""Ratings: the Elo formula, with luck taken into account."""

from __future__ import annotations

from math import exp
from random import Random

import pytest
from hypothesis import given, strategies as st

from classroom.learning.beliefs import (
    GENERAL_LEAST,
    GENERAL_STEP,
    RATING_STEP,
    Ability,
    Rating,
    chance,
    general_step,
    information,
    rating_step,
)
from tests.learning.size import many
from tools.proof.choosing import success_aimed_at


@pytest.mark.parametrize(
    ("ability", "difficulty", "luck", "p"),
    [(0, 0, 0, 0.5), (1, 0, 0, 1 / (1 + exp(-1))), (0, 0, 0.25, 0.625), (-1, 1, 0.5, 0.5596)],
)
def test_the_chance_of_a_right_answer(
    ability: float, difficulty: float, luck: float, p: float
) -> None:
    assert chance(ability, difficulty, luck) == pytest.approx(p, abs=1e-4)


def test_steps_shrink_as_answers_come_in() -> None:
    assert [rating_step(1.0, n) for n in (0, 20, 60)] == [1.0, 0.5, 0.25]


def test_the_general_part_learns_fast_at_first_and_never_stops() -> None:
    steps = [general_step(n) for n in (0, 5, 10, 1000)]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] == GENERAL_STEP
    assert steps[-1] == GENERAL_LEAST


def test_five_right_answers_are_enough_to_aim_two_logits_higher() -> None:
    """A school week has about five answers in a strand; in three weeks a child should not get
    questions that are too easy for it half of the time."""
    one = Ability()
    for _ in range(5):
        one = one.after(True, one.level - 0.7, 0.25)
    assert 2.0 < one.level < 3.5


def test_one_miss_at_the_start_does_not_decide_much() -> None:
    one = Ability().after(False, -0.7, 0.25)
    for _ in range(5):
        one = one.after(True, max(one.level, -0.5) - 0.7, 0.25)
    assert one.level > 0


@pytest.mark.parametrize("luck", [0.0, 0.2, 0.4])
def test_information_is_the_slope_of_the_chance_over_its_spread(luck: float) -> None:
    for ability in (-2.0, 0.0, 1.5):
        p, step_ = chance(ability, 0.3, luck), 1e-5
        slope = (chance(ability + step_, 0.3, luck) - chance(ability - step_, 0.3, luck)) / 2e-5
        assert information(ability, 0.3, luck) == pytest.approx(slope**2 / (p * (1 - p)), rel=1e-4)


def test_one_answer_moves_both_parts() -> None:
    after = Ability().after(True, 0.0)
    assert after.own.level == pytest.approx(RATING_STEP * 0.5)
    assert after.general.level == pytest.approx(GENERAL_STEP * 0.5)
    assert (after.own.answers, after.general.answers) == (1, 1)
    later = Ability(Rating(0.0, 3), Rating(0.0, 1)).after(True, 0.0)
    assert later.own.level == pytest.approx(rating_step(RATING_STEP, 1) * 0.5)
    assert later.general.level == pytest.approx(general_step(3) * 0.5)


def test_a_right_answer_moves_by_the_chance_that_it_came_from_knowledge() -> None:
    after = Ability().after(True, 0.0, 0.25)  # right with 5/8; 1/2 of 5/8 knew it
    assert after.own.level == pytest.approx(RATING_STEP * (1 - 5 / 8) * 4 / 5)


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 0.5))
def test_right_answers_raise_wrong_ones_lower_and_lucky_ones_count_less(
    level: float, difficulty: float, luck: float
) -> None:
    known = Ability(Rating(level))
    right, wrong = known.after(True, difficulty, luck), known.after(False, difficulty, luck)
    assert wrong.level < known.level < right.level
    assert right.level - known.level <= known.after(True, difficulty).level - known.level + 1e-12


def test_a_rating_finds_the_childs_level() -> None:
    rng, known = Random(2), Ability()
    levels = []
    for i in range(600):
        difficulty = rng.uniform(-1, 3)
        known = known.after(rng.random() < chance(1.5, difficulty, 0.25), difficulty, 0.25)
        if i >= 200:
            levels.append(known.level)
    assert sum(levels) / len(levels) == pytest.approx(1.5, abs=0.3)


@pytest.mark.parametrize("level", [-2.0, 0.0, 2.0])
def test_three_to_four_of_five_answers_are_right(level: float) -> None:
    rng = Random(f"aim {level}")
    shares = [success_aimed_at(level, 220, rng) for _ in range(many(20, 200))]
    assert 0.74 <= sum(shares) / len(shares) <= 0.81
