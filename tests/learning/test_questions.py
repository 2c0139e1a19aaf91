"""Questions over whole random games: answerable, one right option, true to what the child saw."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classroom.engine.chance import Lots
from classroom.engine.observation import WATCHER, observe
from classroom.engine.round import apply, deal, legal_actions, shuffled
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.learning.drafts import near
from classroom.learning.questions import PRACTICE, Question, drafts, make, place_for, possible
from classroom.learning.ratings import AIM, chance
from classroom.learning.recall_questions import OPTIONS
from classroom.learning.skills import AGE_BANDS, ASKED, KINDS, RECALL, SKILLS, Bounds, bounds_at
from tests.learning.oracle import RIGHT
from tests.learning.size import many
from tests.learning.tables import random_views

SEEN: Counter[str] = Counter()


def all_questions(game: str, seed: int, every: int = 1):  # type: ignore[no-untyped-def]
    rng = Random(f"{game} {seed}")
    last: list[int] = []
    for step, observation in enumerate(random_views(game, seed)):
        if step % every:
            continue
        for skill in ASKED:
            bounds = bounds_at(rng.choice(AGE_BANDS))
            question = make(observation, skill, rng, bounds, last)
            if question is not None:
                yield observation, question, bounds, tuple(last)
                last.append(question.right)


@pytest.mark.parametrize("game", GAMES)
def test_every_question_has_exactly_one_right_option_which_is_the_named_one(game: str) -> None:
    for seed in range(many(2, 30)):
        for observation, question, bounds, last in all_questions(game, seed, every=2):
            SEEN[question.kind] += 1
            right = RIGHT[question.kind](question, observation)
            places = [
                place
                for place, option in enumerate(question.options)
                if option == right and type(option) is type(right)
            ]
            assert places == [question.right], question
            assert len(set(question.options)) == len(question.options)
            fewest = OPTIONS if question.skill in RECALL else 3
            assert fewest <= len(question.options) <= 11
            assert question.guess_rate == pytest.approx(1 / len(question.options))
            assert question.right not in last[-1:]
            assert KINDS[question.kind] == question.skill
            assert question.skill in bounds.skills
            assert question.seq == observation.seq


def test_every_kind_of_question_comes_up_in_some_game() -> None:
    for seed in range(6):
        for _, question, _, _ in all_questions("classic", seed):
            SEEN[question.kind] += 1
    assert set(RIGHT) - set(SEEN) == set()


@pytest.mark.parametrize("game", ["classic", "wish_pairs", "fours", "old_fish", "make_ten"])
def test_numbers_stay_within_age_and_bounds(game: str) -> None:
    for _, question, bounds, _ in all_questions(game, 5, every=3):
        if SKILLS[question.skill].area == "recall":
            if question.lag_asks is not None:
                assert 1 <= question.lag_asks <= bounds.numbers(SKILLS[question.skill])[1]  # type: ignore[index]
        elif question.face == "numeral" and question.kind not in ("more_for_book",):
            low, high = bounds.numbers(SKILLS[question.skill])  # type: ignore[misc]
            assert question.answer <= max(high, 10)
            assert low - 1 <= question.answer or question.kind.startswith("complement")


@pytest.mark.parametrize("game", ["classic", "guru_exact_card", "fours", "make_ten"])
def test_a_question_is_shown_again_exactly_as_the_child_saw_it(game: str) -> None:
    for _, question, _, _ in all_questions(game, 3, every=3):
        text = json.dumps(question.to_json())
        assert Question.from_json(json.loads(text)) == question


def hidden_swapped(state: State, viewer: int, rng: Random) -> State:
    """The same round with two cards swapped that the viewer has not seen."""
    unseen = list(state.stock)
    unseen += [c for seat, hand in enumerate(state.hands) if seat != viewer for c in sorted(hand)]
    one, two = rng.sample(unseen, 2)
    swap = {one: two, two: one}
    hands = [frozenset(swap.get(c, c) for c in hand) for hand in state.hands]
    return replace(
        state, hands=tuple(hands), stock=tuple(swap.get(card, card) for card in state.stock)
    )


def test_a_question_reveals_nothing_about_hidden_cards() -> None:
    """The same view gives the same question, with any cards in other hands."""
    rules, rng = GAMES["classic"].rules, Random(4)
    state = deal(rules, 3, 0, shuffled(rules, rng), Lots(rng)).state
    for move in range(40):
        other = hidden_swapped(state, 0, rng)
        for skill in ASKED:
            asked = make(observe(state, 0), skill, Random(move), bounds_at("7-9"))
            again = make(observe(other, 0), skill, Random(move), bounds_at("7-9"))
            assert asked == again
        state = apply(state, rng.choice(legal_actions(state)), Lots(rng)).state
        if state.over:
            break


def test_a_watcher_gets_no_questions() -> None:
    rules, rng = GAMES["classic"].rules, Random(4)
    state = deal(rules, 3, 0, shuffled(rules, rng), Lots(rng)).state
    with pytest.raises(ValueError):
        make(observe(state, WATCHER), "how_many", rng, bounds_at("5-6"))


def test_the_same_chance_makes_the_same_question() -> None:
    (observation, *_) = random_views("classic", 8, moves=1)
    for skill in possible(observation, bounds_at("6-7")):
        one, two = (make(observation, skill, Random(3), bounds_at("6-7")) for _ in range(2))
        assert one == two


def test_a_skill_outside_the_bounds_is_not_asked() -> None:
    (observation, *_) = random_views("classic", 8, moves=1)
    bounds = Bounds(low=0, high=10, skills=frozenset({"subitizing"}), band="5-6")
    assert make(observation, "how_many", Random(1), bounds) is None
    assert possible(observation, bounds) in (("subitizing",), ())


def test_the_first_two_of_a_kind_are_practice_and_easy() -> None:
    observation = list(random_views("classic", 2, seats=3, moves=30))[-1]
    bounds = bounds_at("7-9")
    found = [d.difficulty for d in drafts(observation, SKILLS["what_asked"], bounds)]
    question = make(observation, "what_asked", Random(1), bounds, practised={})
    assert question is not None
    assert question.practice
    assert question.difficulty == pytest.approx(min(found), abs=0.001)
    done = make(observation, "what_asked", Random(1), bounds, practised={"what_asked": PRACTICE})
    assert done is not None
    assert not done.practice


def test_an_item_near_the_target_is_chosen() -> None:
    observation = list(random_views("classic", 2, seats=4, moves=30))[-1]
    bounds = bounds_at("7-9")
    found = list(drafts(observation, SKILLS["next_before"], bounds))
    assert len(found) > 5
    for ability in (-3.0, -1.0, 1.0):
        best = min(abs(chance(ability, d.difficulty, 0.25) - AIM) for d in found)
        for seed in range(10):
            question = make(observation, "next_before", Random(seed), bounds, ability=ability)
            assert question is not None
            off = abs(chance(ability, question.difficulty, 0.25) - AIM)
            assert off <= best + 0.09


# ---- the place of the right answer


@given(st.integers(2, 6), st.lists(st.integers(0, 5), max_size=6), st.integers(0, 10**6))
def test_the_right_answer_is_never_in_the_same_place_twice_running(
    size: int, last: list[int], seed: int
) -> None:
    place = place_for(size, tuple(last), Random(seed))
    assert 0 <= place < size
    assert place not in last[-1:]


@given(st.integers(0, 10**6))
def test_no_pattern_of_places_continues(seed: int) -> None:
    rng = Random(seed)
    assert place_for(4, (0, 1, 2), rng) != 3
    assert place_for(4, (1, 3, 1), rng) != 3
    assert place_for(4, (3, 2, 1), rng) != 0


def test_every_place_is_used_about_equally_often() -> None:
    rng, last = Random(1), ()
    counts: Counter[int] = Counter()
    for _ in range(3000):
        place = place_for(4, last, rng)
        counts[place] += 1
        last = (*last, place)[-3:]
    assert all(600 < counts[place] < 900 for place in range(4))


def test_the_right_number_is_not_always_the_middle_one() -> None:
    ranks: Counter[int] = Counter()
    for seed in range(2000):
        options = sorted([5, *near(5, 0, 10, Random(seed), 3)])
        assert len(options) == 4
        ranks[options.index(5)] += 1
    assert all(ranks[rank] > 250 for rank in range(4))


@given(st.integers(0, 20), st.integers(1, 10), st.integers(0, 10**6))
def test_wrong_numbers_are_near_and_different(right: int, count: int, seed: int) -> None:
    wrong = near(right, 0, 20, Random(seed), count)
    assert len(wrong) == len(set(wrong)) == count
    assert right not in wrong
    assert all(0 <= n <= 20 and abs(n - right) <= count + 1 for n in wrong)


def test_cards_that_show_the_answer_are_covered() -> None:
    for _, question, _, _ in all_questions("classic", 1, every=10):
        if SKILLS[question.skill].area == "recall":
            assert "board" in question.covers
        if question.kind in ("count_hand", "most_cards"):
            assert "counts" in question.covers


@pytest.mark.parametrize("game", GAMES)
def test_there_is_nothing_to_remember_before_the_first_ask(game: str) -> None:
    dealt = next(random_views(game, 1))
    for skill in RECALL:
        for band in AGE_BANDS:
            assert not list(drafts(dealt, SKILLS[skill], bounds_at(band)))
