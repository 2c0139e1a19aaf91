"""Imagined rounds agree with what was seen, and the ask that wins most of them is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from classroom.engine.actions import Ask
from classroom.engine.observation import Observation, observe
from classroom.engine.state import State
from classroom.minds.deals.worlds import Effort, imagine, rounds
from classroom.minds.memory.counts import CountMemory
from classroom.minds.memory.perfect_memory import certain_catches, plain_asks, remember
from classroom.minds.playing.playouts import most_won
from classroom.minds.playing.tactics import LOW_POND
from tests.engine.tabletop import dealt, rules_of, steps
from tests.minds.deals import counts

MANY = Effort(counting=0, sampling=80_000, deals=2_000)
GAMES = ["classic", "rank_pairs", "colour_pairs", "guru_threes", "guru_points"]


def positions(
    key: str, seats: int, every: int, **changes: Any
) -> Iterator[tuple[Observation, CountMemory]]:
    """Some positions of a random round, as the seat to ask sees them."""
    for _, step in steps(rules_of(key, **changes), seats, 3):
        state = step.state
        if state.turn is not None and state.phase == "ask" and state.seq % every == 0:
            observation = observe(state, state.turn)
            memory = remember(observation)
            assert isinstance(memory, CountMemory)
            yield observation, memory


@pytest.mark.parametrize("key", GAMES)
def test_an_imagined_round_shows_the_viewer_what_the_true_one_shows(key: str) -> None:
    """All but the history and the number of moves, which an imagined round does not have."""
    compared = 0
    for observation, memory in positions(key, 3, every=8):
        for state in rounds(observation, memory, Random(1), 4):
            seen = observe(state, observation.turn or 0)
            same = {"seq": observation.seq, "history": observation.history}
            assert replace(seen, **same) == observation
            compared += 1
    assert compared >= 8


@pytest.mark.parametrize("key", GAMES)
def test_an_imagined_round_agrees_with_everything_known(key: str) -> None:
    for observation, memory in positions(key, 3, every=8):
        for state in rounds(observation, memory, Random(1), 4):
            cards = [*state.stock, *(card for hand in state.hands for card in hand)]
            laid = [card for books in state.books for book in books for card in book]
            off = [card for singles in state.singles for card in singles]
            assert Counter(cards + laid + off) == Counter(state.setup.deck.cards)
            for seat in {*range(state.seats)} - {observation.viewer}:
                held = counts(state, seat)
                for class_ in memory.kinds.names:
                    low, high = memory.bounds(seat, class_)
                    assert low <= held[class_] <= high, (observation.seq, seat, class_)


def test_imagined_rounds_hold_a_class_as_often_as_many_more_deals_do() -> None:
    compared = 0
    for observation, memory in positions("classic", 3, every=20):
        worlds = imagine(observation, memory, memory.kinds.names, MANY)
        assert worlds is not None
        states = list(rounds(observation, memory, Random(2), 400))
        for seat in {0, 1, 2} - {observation.viewer}:
            held = [counts(state, seat) for state in states]
            for class_ in memory.kinds.names:
                share = sum(one[class_] > 0 for one in held) / len(held)
                assert share == pytest.approx(worlds.chance(seat, class_), abs=0.12)
                compared += 1
    assert compared > 50


def test_an_ask_that_surely_makes_a_book_wins_more_rounds_than_a_vain_one() -> None:
    """The vain one is named first, so it would be chosen if both won the same number of rounds, as
    all asks do once the winner is certain."""
    chosen = Counter[bool]()
    for seed in range(9):
        for _, step in steps(rules_of("classic"), 3, seed):
            state = step.state
            if state.turn is None or len(state.stock) > LOW_POND or not contested(state):
                continue
            observation = observe(state, state.turn)
            memory = remember(observation)
            assert isinstance(memory, CountMemory)
            sure = [c.ask for c in certain_catches(observation, memory) if c.completes]
            vain = [ask for ask in plain_asks(observation) if in_vain(memory, ask)]
            if sure and vain:
                best = most_won(observation, memory, (vain[0], sure[0]), Random(seed))
                chosen[best == sure[0]] += 1
                break
    assert chosen[True] >= 6
    assert chosen[False] <= 1


def contested(state: State) -> bool:
    """Whether enough books are still open for the seat to move to win, and to lose."""
    books = [len(of) for of in state.books]
    mine, rival = books[state.active], max(n for s, n in enumerate(books) if s != state.active)
    return abs(mine - rival) <= 13 - sum(books) - 2


def in_vain(memory: CountMemory, ask: Ask) -> bool:
    return isinstance(ask.target, int) and memory.bounds(ask.target, ask.class_)[1] == 0


MIXED: dict[str, dict[str, Any]] = {
    "guru_hand_fishing": {"end": ["all_booked"]},
    "guru_how_many": {"end": ["all_booked"]},
    "classic": {"lucky": "again_may_show"},
    "guru_pairs": {"deck_lost": 2},
}


@pytest.mark.parametrize("key", MIXED)
def test_mixed_rules_can_be_played_on_too(key: str) -> None:
    tried = 0
    for observation, memory in positions(key, 3, every=5, **MIXED[key]):
        asks = plain_asks(observation)[:2]
        if observation.stock_size <= LOW_POND:
            assert most_won(observation, memory, asks, Random(1)) in asks
            tried += len(asks) == 2
            if tried == 2:
                break
    assert tried


def test_where_no_round_can_be_imagined_the_first_ask_is_taken() -> None:
    state = dealt(rules_of("classic_face_down"), 3, "", "7C 7D 7H 7S").state
    observation = observe(state, 1)
    hidden = replace(observation, books=((None,), (), ()))  # as if seat 0 had laid one at the deal
    memory = remember(observation)
    assert isinstance(memory, CountMemory)
    assert not list(rounds(hidden, memory, Random(1), 5))
    asks = plain_asks(observation)
    assert most_won(hidden, memory, asks, Random(1)) == asks[0]
