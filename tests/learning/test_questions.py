"""Questions over whole random games: answerable, one right option, true to what the child saw."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, strategies as st

from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import Lots
from classroom.engine.events import LaidBook, TurnPassed
from classroom.engine.observation import WATCHER, Observation
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.learning.beliefs import AIM, chance
from classroom.learning.drafts import DIFFICULTIES, SLOPE, Draft, Scene, hardness, wrong_numbers
from classroom.learning.number_questions import complement, hops
from classroom.learning.questions import Question, drafts, make
from classroom.learning.recall_questions import OPTIONS
from classroom.learning.skills import (
    AGE_BANDS,
    ASKED,
    PAD,
    RECALL,
    SKILL_OF,
    SKILLS,
    Bounds,
    answered_by,
    bounds_at,
    guess_rate,
)
from tests.learning.oracle import RIGHT
from tests.learning.size import many
from tests.learning.tables import random_views

SEEN: Counter[str] = Counter()
NO_NUMBER = {"belongs", *(kind for key in RECALL for kind in SKILLS[key].kinds)}


TIDE = GAMES["classic"].rules.changed(
    {"seats": [4, 4], "deck.ranks": "A234567", "deal": {"default": 5}, "end.tide": 30}
)


def all_questions(game: str | Rules, seed: int, every: int = 1):  # type: ignore[no-untyped-def]
    rng = Random(f"{game} {seed}")
    for step, observation in enumerate(random_views(game, seed)):
        if step % every:
            continue
        for skill in ASKED:
            bounds = bounds_at(rng.choice(AGE_BANDS))
            question = make(observation, skill, rng, bounds)
            if question is not None:
                yield observation, question, bounds


@pytest.mark.walk(6)
@pytest.mark.parametrize("game", GAMES)
def test_every_question_has_exactly_one_right_option_which_is_the_named_one(game: str) -> None:
    for seed in range(many(2, 30)):
        for observation, question, bounds in all_questions(game, seed, every=2):
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
            assert fewest <= len(question.options) <= 15
            assert 1 / len(question.options) <= question.guess_rate
            assert (question.number is None) == (question.kind in NO_NUMBER)
            assert SKILL_OF[question.kind] == question.skill
            assert question.skill in bounds.skills
            assert question.seq == observation.seq


def test_every_kind_of_question_comes_up_in_some_game() -> None:
    for seed in range(6):
        for game in ("classic", TIDE):
            for _, question, _ in all_questions(game, seed):
                SEEN[question.kind] += 1
    assert set(RIGHT) - set(SEEN) == set()


def test_the_books_missing_are_asked_about_while_the_catch_is_new() -> None:
    """And only against the pond, from what everybody sees, with the whole within what suits."""
    answers = set()
    for seed in range(many(8, 40)):
        for seen in random_views(TIDE, seed):
            laid = [item.seq for item in seen.history if isinstance(item.event, LaidBook)]
            since = [one for one in seen.history if laid and one.seq > laid[-1]]
            passed = sum(isinstance(one.event, TurnPassed) for one in since)
            asked = make(seen, "take_away", Random(1), bounds_at("6-7"), kinds=("books_missing",))
            if not laid or passed > 1:
                assert asked is None
            elif passed == 0 and not seen.over:
                assert asked is not None
                assert asked.stem.numbers == (7, len(laid))
                assert (asked.answer, asked.number) == (7 - len(laid), 7)
                answers.add(asked.answer)
            assert (
                make(seen, "take_away", Random(1), bounds_at("4-5"), kinds=("books_missing",))
                is None
            ), "seven are more than suit"
    assert len(answers) > 4


@pytest.mark.parametrize("game", ["classic", "wish_pairs", "fours", "old_fish", "make_ten", TIDE])
def test_numbers_stay_within_age_and_bounds(game: str) -> None:
    for _, question, bounds in all_questions(game, 5, every=3):
        if SKILLS[question.skill].strand == "recall":
            if question.lag_asks is not None:
                assert 1 <= question.lag_asks <= bounds.numbers(SKILLS[question.skill])[1]  # type: ignore[index]
        elif question.number is not None:
            low, high = bounds.numbers(SKILLS[question.skill])  # type: ignore[misc]
            assert low <= question.number <= high


@pytest.mark.parametrize("game", ["classic", "guru_exact_card", "fours", "make_ten"])
def test_a_question_is_shown_again_exactly_as_the_child_saw_it(game: str) -> None:
    for _, question, _ in all_questions(game, 3, every=3):
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
    """The same view gives the same question, whatever cards the other hands hold."""
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


def possible(observation: Observation, bounds: Bounds) -> tuple[str, ...]:
    """Return the skills about which a question could be asked now."""
    return tuple(
        key
        for key, skill in SKILLS.items()
        if any(True for _ in drafts(observation, skill, bounds))
    )


def test_a_single_card_is_not_mixed() -> None:
    (observation, *_) = random_views("classic", 8, moves=1)
    posed = {
        size: [q for q in asked_with(observation, size) if q.kind == "mixed"] for size in (1, 2)
    }
    assert not posed[1]
    assert {q.stem.numbers for q in posed[2]} == {(2, 0), (2, 1)}


def holding(hand: str) -> Scene:
    """A child at a table of four who holds these cards."""
    (observation, *_) = random_views("classic", 8, seats=4, moves=1)
    return Scene(replace(observation, hand=tuple(hand.split())))


def test_bonds_are_made_from_the_numbers_of_my_cards_up_to_the_whole() -> None:
    bonds = list(complement(holding("5C AC 3C 8C"), 0, 5, 5))
    assert [(one.stem.numbers, one.right) for one in bonds] == [
        ((5, 5), 0), ((1, 5), 4), ((3, 5), 2),
    ]  # fmt: skip
    assert [one.errors for one in bonds] == [one.stem.numbers for one in bonds]
    by_hardness = sorted(bonds, key=lambda one: one.difficulty)
    assert [one.right for one in by_hardness] == [0, 4, 2], "a small part makes a bond easy"
    assert not list(complement(holding("3C"), 0, 9, 10)), "ten is more than suits this child"


def test_hops_back_begin_and_end_at_numbers_that_suit_the_child() -> None:
    def asked(low: int, high: int) -> dict[tuple[int, ...], int]:
        found = list(hops(holding("3C 4C 9C"), low, high, kind="count_back", way=-1))
        for one in found:
            assert (one.number,) == one.errors == one.stem.numbers[:1]
        return {one.stem.numbers: one.right for one in found}

    assert asked(0, 4) == {(3, 2): 1, (4, 2): 2, (4, 3): 1}
    assert asked(2, 8) == {(4, 2): 2}
    assert asked(2, 9) == {(4, 2): 2, (9, 2): 7, (9, 3): 6}


def test_the_others_come_clockwise_from_the_child() -> None:
    scene = holding("3C")
    assert scene.others == tuple(seat % 4 for seat in range(scene.me + 1, scene.me + 4))


def asked_with(observation: Observation, size: int) -> Iterator[Draft]:
    """The counting questions to a child of 5 or 6 who holds this many of its cards."""
    fewer = replace(observation, hand=observation.hand[:size])
    for skill in SKILLS.values():
        if "mixed" in skill.kinds:
            yield from drafts(fewer, skill, bounds_at("5-6"))


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


def test_the_first_in_each_way_of_answering_is_practice_and_easy() -> None:
    observation = list(random_views("classic", 2, seats=3, moves=30))[-1]
    bounds = bounds_at("7-9")
    found = [d.difficulty for d in drafts(observation, SKILLS["what_asked"], bounds)]
    question = make(observation, "what_asked", Random(1), bounds, practised=())
    assert question is not None
    assert question.practice
    assert question.difficulty == pytest.approx(min(found), abs=0.001)
    met = answered_by(question.face, len(question.options))
    done = make(observation, "what_asked", Random(1), bounds, practised=(met,))
    assert done is not None
    assert not done.practice


def test_an_item_near_the_target_is_chosen() -> None:
    observation = list(random_views("classic", 2, seats=4, moves=30))[-1]
    bounds = bounds_at("7-9")
    found = list(drafts(observation, SKILLS["next_before"], bounds))
    assert len(found) > 5
    for ability in (-3.0, -1.0, 1.0):
        offs: dict[int, float] = {}  # by right answer: the least distance from the target
        for d in found:
            luck = guess_rate(d.kind, d.face, bounds.options)
            off = abs(chance(ability, d.difficulty, luck) - AIM)
            offs[d.right] = min(off, offs.get(d.right, 9.0))
        fourth = sorted(offs.values())[3]
        for seed in range(10):
            question = make(observation, "next_before", Random(seed), bounds, ability=ability)
            assert question is not None
            off = abs(chance(ability, question.difficulty, question.guess_rate) - AIM)
            assert off <= max(fourth, min(offs.values()) + 0.08) + 0.02


def test_doubling_the_number_adds_the_same_to_every_kind() -> None:
    assert hardness("give", 12) - hardness("give", 6) == pytest.approx(SLOPE)
    assert hardness("next", 20) - hardness("next", 10) == pytest.approx(SLOPE)


@pytest.mark.parametrize(
    ("first", "then", "found", "error"),
    [
        (1, 2, 1.68, 0.47), (2, 3, 1.87, 0.41), (3, 4, 0.96, 0.35), (4, 6, 0.94, 0.37),
        (5, 8, 0.70, 0.48), (1, 5, 3.20, 0.61),
    ],
)  # fmt: skip
def test_steps_are_as_hard_as_for_the_children_of_twelve_studies(
    first: int, then: int, found: float, error: float
) -> None:
    """Numberbank: children of 36 to 71 months were asked to give N. `error`: a 95 % range."""
    assert abs(hardness("give", then) - hardness("give", first) - found) <= error


def test_every_kind_has_a_difficulty() -> None:
    kinds = {
        kind.rstrip("_0123456789") for kind in SKILL_OF if SKILLS[SKILL_OF[kind]].strand != "recall"
    }
    assert set(DIFFICULTIES) == kinds


# ---- the place of the right answer


def test_every_place_is_right_equally_often_whatever_was_right_before() -> None:
    observation = list(random_views("classic", 2, seats=3, moves=30))[-1]
    rng, places, pairs = Random(1), Counter[int](), Counter[tuple[int, int]]()
    last = 0
    for _ in range(3200):
        question = make(observation, "what_asked", rng, bounds_at("6-7"))
        assert question is not None
        places[question.right] += 1
        pairs[last, question.right] += 1
        last = question.right
    assert all(700 < places[place] < 900 for place in range(4))
    assert all(150 < pairs[a, b] < 250 for a in range(4) for b in range(4))


@pytest.mark.parametrize(("options", "in_order"), [(PAD - 1, False), (PAD, True)])
def test_many_numerals_are_in_order_and_few_are_not(options: int, in_order: bool) -> None:
    (observation, *_) = random_views("classic", 8, moves=1)
    bounds = replace(bounds_at("5-6"), options=options)
    for seed in range(20):
        question = make(observation, "how_many", Random(seed), bounds, kinds=("count_hand",))
        assert question is not None
        assert len(question.options) == options
        if list(question.options) != sorted(question.options):
            break
    assert (list(question.options) == sorted(question.options)) is in_order


def test_the_right_number_has_every_rank_equally_often() -> None:
    ranks: Counter[int] = Counter()
    for seed in range(2000):
        options = sorted([9, *wrong_numbers(9, 1, 99, Random(seed), 3)])
        assert len(options) == 4
        ranks[options.index(9)] += 1
    assert all(420 < ranks[rank] < 580 for rank in range(4))


@pytest.mark.parametrize("count", [2, 3])
def test_small_numbers_together_have_every_rank_equally_often(count: int) -> None:
    """If 1 is right, it can only be the smallest option. So that every rank is equally often right,
    2 is then always the second smallest, and so on."""
    ranks = [
        sorted([right, *wrong_numbers(right, 1, 99, Random(1), count)]).index(right)
        for right in range(1, count + 2)
    ]
    assert ranks == list(range(count + 1))


def test_real_errors_come_before_near_numbers() -> None:
    offered = {n for seed in range(60) for n in wrong_numbers(9, 1, 99, Random(seed), 3, (4, 5))}
    assert {4, 5, 8, 10} <= offered
    assert 0 not in offered


@given(st.integers(0, 20), st.integers(1, 10), st.integers(0, 10**6))
def test_wrong_numbers_are_near_and_different(right: int, count: int, seed: int) -> None:
    wrong = wrong_numbers(right, 0, 20, Random(seed), count)
    assert len(wrong) == len(set(wrong)) == count
    assert right not in wrong
    assert all(0 <= n <= 20 and abs(n - right) <= count + 1 for n in wrong)


def test_how_many_never_offers_none() -> None:
    for seed in range(3):
        for _, question, _ in all_questions("classic", seed, every=3):
            if question.skill in ("how_many", "subitizing", "give_n"):
                assert 0 not in question.options


def test_remembering_has_four_options_at_every_age() -> None:
    offered: Counter[tuple[str, int]] = Counter()
    for observation in list(random_views("classic", 3, seats=4))[20:60]:
        for band in AGE_BANDS:
            question = make(observation, "what_asked", Random(1), bounds_at(band))
            if question is not None:
                offered[band, len(question.options)] += 1
    assert offered
    assert {size for _, size in offered} == {4}


def test_the_youngest_answer_what_they_see_by_dots() -> None:
    faces: Counter[tuple[str, str]] = Counter()
    for observation in random_views("classic", 3, seats=3):
        for band in ("4-5", "5-6"):
            question = make(observation, "subitizing", Random(1), bounds_at(band))
            if question is not None:
                faces[band, question.face] += 1
    assert {("4-5", "dots"), ("5-6", "numeral")} == set(faces)


def test_any_number_of_things_can_be_asked_for_whatever_the_child_holds() -> None:
    asked: Counter[int] = Counter()
    last = list(random_views("classic", 2, seats=4))[-8]
    assert len(last.hand) < 8
    for seed in range(800):
        question = make(last, "give_n", Random(seed), bounds_at("5-6"))
        assert question is not None
        assert question.options == tuple(range(1, 16))
        asked[question.answer] += 1
    assert set(asked) == set(range(1, 9))
    assert max(asked[n] for n in range(1, 6)) < 2 * min(asked[n] for n in range(1, 6))


def test_cards_that_show_the_answer_are_covered() -> None:
    for _, question, _ in all_questions("classic", 1, every=10):
        if SKILLS[question.skill].strand == "recall":
            assert "board" in question.covers
        if question.kind in ("count_hand", "most_cards"):
            assert "counts" in question.covers


@pytest.mark.parametrize("game", GAMES)
def test_there_is_nothing_to_remember_before_the_first_ask(game: str) -> None:
    dealt = next(random_views(game, 1))
    for skill in RECALL:
        for band in AGE_BANDS:
            assert not list(drafts(dealt, SKILLS[skill], bounds_at(band)))
