"""A memory is never wrong: the true number is always within its bounds."""

from __future__ import annotations

import pytest

from classroom.engine import observe
from classroom.engine.checks import check
from classroom.engine.observation import WATCHER, Viewer
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.minds.memory.by_card import PlaceMemory
from classroom.minds.memory.by_class import CountMemory
from classroom.minds.memory.perfect_memory import Memory, certain_catches, remember, start
from tests.engine.tabletop import steps
from tests.engine.test_non_interference import MIXES

BY_CARD = [key for key in MIXES if key.startswith("fours")]
"""In these games every card has three classes, and a memory costs a hundred times as much."""


def sizes(rules: Rules) -> list[int]:
    """All numbers of seats that a game allows."""
    most = rules.seats[1]
    return [n for n in range(rules.seats[0], most + 1) if check(rules, n).lawful]


def check_bounds(state: State, memory: Memory, where: object) -> None:
    deck = state.setup.deck
    for seat in range(state.seats):
        cards = state.cards(seat)
        for class_, members in deck.members.items():
            low, high = memory.bounds(seat, class_)
            assert low <= len(cards & members) <= high, (where, seat, class_)
    if isinstance(memory, CountMemory):
        for class_, members in deck.members.items():
            for pile, row in ((state.stock, memory.sheet.stock), (state.lost, memory.sheet.lost)):
                low, high = memory.bounds(row, class_)
                assert low <= len(members.intersection(pile)) <= high, (where, row, class_)
    else:
        check_places(state, memory, where)


def check_places(state: State, memory: PlaceMemory, where: object) -> None:
    for seat in range(state.seats):
        for card in state.hands[seat]:
            assert memory.settled.where[card] & memory.settled.hand(seat), (where, card)
        for card in state.boats[seat]:
            assert memory.settled.where[card] & memory.settled.boat(seat), (where, card)


def check_catches(state: State, viewer: int | Viewer, memory: Memory, where: object) -> None:
    """Check that each certain catch would bring at least as many cards as it says."""
    if viewer == state.turn and state.phase == "ask":
        members = state.setup.deck.members
        for catch in certain_catches(observe(state, viewer), memory):
            cards = members.get(catch.class_, frozenset((catch.class_,)))
            assert len(state.cards(catch.target) & cards) >= catch.least > 0, where


def check_round(rules: Rules, seats: int, seed: int, every: int = 1) -> int:
    """Follow a random round as a seat or a watcher sees it. Returns the number of checked moves."""
    viewer = WATCHER if seed % 5 == 4 else seed % seats
    memory, looked = None, 0
    for _, step in steps(rules, seats, seed):
        state = step.state
        if not state.over:
            memory = remember(observe(state, viewer), memory)
            if state.seq % every == 0:
                where = (rules.ask_what, seats, seed, viewer, state.seq)
                check_bounds(state, memory, where)
                check_catches(state, viewer, memory, where)
                looked += 1
    return looked


@pytest.mark.walk(4)
@pytest.mark.parametrize("key", [key for key in MIXES if key not in BY_CARD])
def test_the_true_number_lies_inside_the_bounds(key: str) -> None:
    rules = MIXES[key]
    few, *_, many = sizes(rules) * 2
    assert check_round(rules, few, seed=4) > 3  # seed 4: as a watcher sees it
    assert sum(check_round(rules, seats, seats) for seats in (few, few + many >> 1, many)) > 20


@pytest.mark.parametrize("key", BY_CARD)
def test_the_true_number_lies_inside_the_bounds_card_by_card(key: str) -> None:
    assert check_round(MIXES[key], 3, 1, every=9) > 5


@pytest.mark.long
@pytest.mark.parametrize("key", MIXES)
def test_the_true_number_lies_inside_the_bounds_in_thousands_of_rounds(key: str) -> None:
    rules, seats = MIXES[key], sizes(MIXES[key])
    for seed in range(20 if key in BY_CARD else 1_000):
        check_round(rules, seats[seed % len(seats)], seed)


@pytest.mark.parametrize("key", [key for key in MIXES if key not in BY_CARD])
def test_reading_event_by_event_gives_the_same_as_all_at_once(key: str) -> None:
    rules = MIXES[key]
    *_, before_last, _ = steps(rules, sizes(rules)[0], 3)
    observation = observe(before_last[1].state, 0)
    memory = start(observation)
    for seen in observation.history:
        memory = memory.after(seen)
    once = remember(observation)
    for seat in range(observation.seats):
        for class_ in once.kinds.deck.classes:
            assert remember(observation, memory).bounds(seat, class_) == once.bounds(seat, class_)
            assert memory.taken == once.taken == len(observation.history)


@pytest.mark.parametrize("seed", [5, 7])
def test_a_card_from_a_hand_may_complete_a_book_that_is_not_laid_yet(seed: int) -> None:
    """The hand that lost the card takes another one first, and then the book is laid."""
    changes = {"ask_what": "card", "book_size": 3, "book_layoff": "auto"}
    rules = MIXES["guru_hand_fishing"].changed(**changes)
    assert check_round(rules, 3, seed, every=2) > 5


def test_a_book_that_was_kept_and_is_laid_face_down_may_be_of_any_class() -> None:
    """Here the seat lays an old book just after a catch that made another one."""
    assert check_round(MIXES["classic_by_choice"], 9, 88) > 5
