"""Chances: counting agrees with enumeration exactly, and sampling within its error."""

from __future__ import annotations

from math import comb, sqrt

import pytest

from classroom.engine.actions import Ask
from classroom.engine.observation import observe
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.minds.deals.draws import model_of
from classroom.minds.deals.worlds import QUICK, Effort, Worlds, imagine
from classroom.minds.memory.counts import CountMemory
from classroom.minds.memory.perfect_memory import plain_asks, remember, targets
from classroom.minds.playing.chances import chances
from tests.engine.tabletop import dealt, rules_of, steps
from tests.minds.deals import agreeing, counts, tiny

COUNT = Effort(counting=10**7, sampling=0, deals=0)
SAMPLE = Effort(counting=0, sampling=60_000, deals=1_200)

TINY: dict[str, tuple[Rules, int]] = {
    "three seats": (tiny(), 3),
    "two seats": (tiny(deal=3), 2),
    "a card may be kept hidden": (tiny(lucky="again_may_show"), 2),
    "everybody is asked": (tiny("guru_ask_all"), 3),
    "how many": (tiny("guru_how_many"), 2),
    "two cards set aside": (tiny(deck_lost=2, end=["all_booked", "stock_out"]), 2),
}


def imagined(state: State, viewer: int, effort: Effort, seed: int = 0) -> Worlds:
    observation = observe(state, viewer)
    worlds = imagine(observation, remember(observation), state.setup.deck.classes, effort, seed)
    assert worlds is not None
    return worlds


@pytest.mark.parametrize("name", TINY)
def test_counting_agrees_exactly_with_all_deals(name: str) -> None:
    rules, seats = TINY[name]
    cells = 0
    for seed in range(4):
        viewer = seed % seats
        for _, true, same in agreeing(rules, seats, viewer, seed):
            if true.over or true.phase != "ask":
                continue
            worlds = imagined(true, viewer, COUNT)
            assert worlds.sample == 0
            for seat in {*range(seats)} - {viewer}:
                held = [counts(state, seat) for state in same]
                for class_ in true.setup.deck.classes:
                    spread = worlds.spread[seat, class_]
                    for number, chance in enumerate(spread):
                        found = sum(one[class_] == number for one in held) / len(same)
                        assert chance == pytest.approx(found, abs=1e-12)
                        cells += 1
            check_anybody(true, viewer, same, worlds)
    assert cells > 100


def check_anybody(true: State, viewer: int, same: list[State], worlds: Worlds) -> None:
    others = {*range(true.seats)} - {viewer}
    for class_ in true.setup.deck.classes:
        found = sum(any(counts(state, s)[class_] for s in others) for state in same) / len(same)
        assert worlds.anybody[class_] == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("name", TINY)
def test_sampling_agrees_with_all_deals_within_its_error(name: str) -> None:
    rules, seats = TINY[name]
    for seed in range(2):
        viewer = seed % seats
        for _, true, same in agreeing(rules, seats, viewer, seed):
            if true.over or true.phase != "ask" or true.seq % 3:
                continue
            worlds = imagined(true, viewer, SAMPLE)
            for seat in {*range(seats)} - {viewer}:
                held = [counts(state, seat) for state in same]
                for class_ in true.setup.deck.classes:
                    found = sum(one[class_] > 0 for one in held) / len(same)
                    assert worlds.chance(seat, class_) == pytest.approx(found, abs=0.08)


@pytest.mark.parametrize("key", ["classic", "rank_pairs", "make_ten"])
def test_sampling_agrees_with_counting_on_full_decks(key: str) -> None:
    """Neighbouring deals of the chain are similar, so the error is as large as with a quarter as
    many independent deals."""
    compared = 0
    for _, step in steps(rules_of(key), 3, 2):
        state = step.state
        if state.over or state.phase != "ask" or state.seq % 6 != 1:
            continue
        assert state.turn is not None
        counted = imagined(state, state.turn, Effort(60_000, 20_000, 400))
        if counted.sample:
            continue
        sampled = imagined(state, state.turn, SAMPLE)
        assert sampled.sample > 100 or not any(state.stock)
        for key_, spread in counted.spread.items():
            true = 1 - spread[0]
            error = sqrt(true * (1 - true) / max(sampled.sample / 4, 1))
            assert abs(sampled.chance(*key_) - true) <= 4 * error + 0.02, (state.seq, key_)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("key", ["classic_face_down", "guru_hand_fishing", "old_fish"])
def test_where_cards_come_from_hidden_places_the_expected_cards_of_a_hand_add_up(key: str) -> None:
    """The draws of these games cannot be listed one by one, so deals follow from bounds alone."""
    compared = 0
    for _, step in steps(rules_of(key), 3, 3):
        state = step.state
        if state.turn is None or state.phase != "ask" or state.seq % 5:
            continue
        observation = observe(state, state.turn)
        memory = remember(observation)
        assert isinstance(memory, CountMemory)
        worlds = imagined(state, state.turn, QUICK)
        for seat in {*range(3)} - {state.turn}:
            known = sum(memory.bounds(seat, class_)[0] for class_ in state.setup.deck.classes)
            held = sum(worlds.mean(seat, class_) for class_ in state.setup.deck.classes)
            assert held == pytest.approx(observation.hand_sizes[seat])
            compared += known > 0 and not model_of(observation, memory).exact
    assert compared > 5


def test_the_same_view_and_seed_give_the_same_chances() -> None:
    *_, (_, step) = [item for item in steps(rules_of("classic"), 4, 5) if item[1].state.seq == 20]
    assert imagined(step.state, 0, QUICK) == imagined(step.state, 0, QUICK)
    assert imagined(step.state, 0, SAMPLE, 1) == imagined(step.state, 0, SAMPLE, 1)


@pytest.mark.parametrize(("own", "share"), [(1, 0.405), (2, 0.290), (3, 0.156)])
def test_the_chance_of_the_first_ask_is_that_of_the_closed_form(own: int, share: float) -> None:
    """M3: of the 45 unseen cards, 4 - `own` are sevens, and the other seat holds seven cards."""
    mine = {1: "7C 2C 3C 4C 5C 6C 8C", 2: "7C 7D 3C 4C 5C 6C 8C", 3: "7C 7D 7H 4C 5C 6C 8C"}[own]
    state = dealt(rules_of("classic"), 2, "", mine).state
    assert state.turn == 1
    closed = 1 - comb(45 - (4 - own), 7) / comb(45, 7)
    assert closed == pytest.approx(share, abs=0.0005)
    observation = observe(state, 1)
    found = chances(observation, remember(observation), COUNT)
    assert found.sample == 0
    # slightly more likely than in the closed form, which ignores that no book was laid at the deal
    assert found.by_ask[0, "7"] == pytest.approx(closed, abs=0.003)


@pytest.mark.parametrize("key", ["classic", "wish_pairs", "guru_exact_card", "fours", "old_fish"])
def test_chances_are_0_and_1_exactly_where_the_memory_is_certain(key: str) -> None:
    for _, step in steps(rules_of(key), rules_of(key).seats[0], 3):
        state = step.state
        if state.turn is None or state.phase != "ask" or state.seq % 7:
            continue
        observation = observe(state, state.turn)
        memory = remember(observation)
        odds = chances(observation, memory)
        for ask in plain_asks(observation):
            bounds = [memory.bounds(seat, ask.class_) for seat in targets(observation, ask)]
            chance = odds.of(ask)
            assert chance is not None
            assert 0 <= chance <= 1
            if any(low for low, _ in bounds):
                assert chance == 1
            if not any(high for _, high in bounds):
                assert chance == 0


def test_an_ask_that_is_not_legal_has_no_chance() -> None:
    observation = observe(dealt(rules_of("classic"), 2, "", "7C").state, 1)
    odds = chances(observation, remember(observation))
    assert odds.of(Ask(1, "7")) is None
    assert odds.best == max(odds.by_ask.values())
