"""The guess rates: no habit of guessing does better than the table says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from random import Random

import pytest

from classroom.learning import questions
from classroom.learning.questions import make
from classroom.learning.skills import RATES, SKILL_OF, bounds_at, guess_rate
from tests.learning.simulating import plain_question
from tests.learning.size import many
from tests.learning.tables import random_views
from tools import luck
from tools.simulate import HABITS, SimulatedChild, Trace

NOISE = 4.5  # standard errors: there are 800 comparisons, and the answers are not quite independent
LEAST = 60


def beaten(rounds: int, seed: str) -> Iterator[tuple[str, str, float, float]]:
    """The sorts of question that a habit gets right clearly more often than the table says."""
    hits, asked = luck.measured(rounds, seed)
    for key, n in asked.items():
        kind, way, options = key.split()
        if n < LEAST:
            continue
        said = guess_rate(kind, "numeral" if way == "pad" else way, int(options))
        for habit in HABITS:
            found = hits[key][habit] / n
            if found > said + 0.02 + NOISE * sqrt(said * (1 - said) / n):
                yield key, habit, round(found, 2), said


def test_no_habit_of_guessing_beats_the_table(whole: bool) -> None:
    assert not list(beaten(many(3 if whole else 1, 20), "another sample"))


def test_a_rule_for_the_place_of_the_right_answer_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The check notices a fault: if the right number is always the smallest, a habit beats the
    table."""
    above = lambda right, low, high, rng, count, errors=(): tuple(  # noqa: E731
        right + 1 + n for n in range(count)
    )
    monkeypatch.setattr(questions, "wrong_numbers", above)
    assert {habit for _, habit, _, _ in beaten(1, "biased")} >= {"smallest"}


def test_a_rate_is_never_below_a_blind_guess() -> None:
    assert guess_rate("next", "numeral", 4) >= 0.25
    assert guess_rate("unheard_of", "numeral", 5) == 0.2
    for key, rate in RATES.items():
        kind, _, options = key.split()
        assert kind in SKILL_OF
        assert 1 / int(options) <= rate + 0.005
        assert rate < 1


def test_a_question_carries_the_rate_of_its_sort() -> None:
    seen: Counter[float] = Counter()
    for observation in random_views("classic", 4, seats=3):
        question = make(observation, "subitizing", Random(1), bounds_at("4-5"))
        if question is not None:
            seen[question.guess_rate] += 1
    assert list(seen) == [guess_rate("flash", "dots", 3)]
    assert guess_rate("count_hand", "numeral", 3) > 1 / 3


@pytest.mark.parametrize("habit", HABITS)
def test_a_simulated_guesser_has_its_habit(habit: str) -> None:
    rng = Random(3)
    child, trace = SimulatedChild(guesses=True, habit=habit, trace=Trace()), Trace()
    for _ in range(20):
        question = plain_question("how_many", rng)
        one, two = Random(7), Random(7)
        assert child.answer(question, one) == HABITS[habit](question, trace, two)
        trace.add(question)


def test_win_shift_never_taps_where_the_last_right_answer_was() -> None:
    rng = Random(3)
    child = SimulatedChild(guesses=True, habit="win_shift")
    last = None
    for _ in range(50):
        question = plain_question("how_many", rng)
        assert child.answer(question, rng) != last
        last = question.right
