"""Playing in place gives the same round as playing from State to State."""

from __future__ import annotations

import random

import pytest

from classroom.engine import apply, deal, legal_actions, observe, play, refusal, shuffled
from classroom.engine.actions import Ask, IllegalAction, Lots, Name
from classroom.engine.observation import TEACHER, WATCHER
from classroom.engine.state import State, Table
from classroom.games import GAMES
from tests.engine.tabletop import LONG, rules_of, seats_of

ROUNDS = 3 * LONG


def _dealt(key: str, seats: int, seed: int) -> State:
    rules = rules_of(key)
    return deal(rules, seats, seed % seats, shuffled(rules, random.Random(seed))).state


@pytest.mark.walk(4)
@pytest.mark.parametrize("key", GAMES)
def test_a_table_goes_through_the_states_that_apply_gives(key: str) -> None:
    sizes = seats_of(rules_of(key), 4)
    for seed in range(ROUNDS):
        state = _dealt(key, sizes[seed % len(sizes)], seed)
        rng, here, there = random.Random(seed), random.Random(seed), random.Random(seed)
        table = Table(state, Lots(there))
        while not state.over:
            assert legal_actions(table) == legal_actions(state)
            action = rng.choice(legal_actions(state))
            step = apply(state, action, Lots(here))
            assert play(table, action, listed=seed % 2 == 0) == step.events
            assert tuple(table.outcomes) == step.chance
            assert table.state() == step.state
            state = step.state
        assert legal_actions(table) == ()


@pytest.mark.parametrize("key", ["classic_face_down", "fours", "old_fish"])
def test_a_table_shows_each_viewer_what_its_state_shows(key: str) -> None:
    rng = random.Random(3)
    table = Table(_dealt(key, 3, 3), Lots(rng))
    while not table.over:
        for viewer in (0, 1, 2, WATCHER, TEACHER):
            assert observe(table, viewer) == observe(table.state(), viewer)
        play(table, rng.choice(legal_actions(table)))


def test_a_refused_action_leaves_the_table_as_it_was() -> None:
    table = Table(_dealt("classic", 3, 1))
    play(table, legal_actions(table)[0])
    before, events, legal = table.state(), table.events, legal_actions(table)
    for action in (Ask(table.active, "7"), Ask(9, "7"), Ask((table.active + 1) % 3, "?"), Name(1)):
        assert refusal(table, action) is not None
        with pytest.raises(IllegalAction):
            play(table, action)
    with pytest.raises(IllegalAction):
        play(table, legal[0], seat=(table.active + 1) % 3)
    assert table.state() == before
    assert (table.events, legal_actions(table)) == (events, legal)


def test_a_state_taken_from_a_table_never_changes() -> None:
    rng = random.Random(5)
    first = _dealt("classic", 2, 5)
    table = Table(first)
    taken = [(state := table.state(), repr(vars(state)))]
    while not table.over:
        play(table, rng.choice(legal_actions(table)))
        taken.append((state := table.state(), repr(vars(state))))
    assert [repr(vars(state)) for state, _ in taken] == [text for _, text in taken]
    assert taken[0][0] == first
