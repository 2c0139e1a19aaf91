"""Weighing asks: what is certain has a chance of 1, and unknown cards are spread evenly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from classroom.engine import observe
from classroom.engine.observation import Observation
from classroom.minds.memory.known_facts import kinds_of
from classroom.minds.memory.perfect_memory import own_count, remember
from classroom.minds.playing.computer_players import by_belief, by_memory
from classroom.minds.playing.forgetting import believe
from tests.engine.tabletop import dealt, rules_of, steps


def positions(key: str) -> Iterator[Observation]:
    """Some positions of a random round of three, as the seat to ask sees them."""
    for _, step in steps(rules_of(key), 3, 3):
        state = step.state
        if state.turn is not None and state.phase == "ask" and state.seq % 4 == 0:
            yield observe(state, state.turn)


@pytest.mark.parametrize("key", ["classic", "old_fish", "fours"])
def test_an_ask_has_the_chance_1_where_a_card_is_sure_and_0_where_none_can_be(key: str) -> None:
    sure = hopeless = 0
    for observation in positions(key):
        memory = remember(observation)
        for one in by_memory(observation, memory):
            assert isinstance(one.ask.target, int)
            low, high = memory.bounds(one.ask.target, one.ask.class_)
            assert one.sure == low
            assert low <= one.expected <= high
            assert (one.chance == 1) >= (low > 0)
            assert (one.chance == 0) >= (high == 0)
            sure += 0 < low < high
            hopeless += high == 0
    assert sure > 1
    assert hopeless > 5


def test_a_player_who_remembers_nothing_spreads_the_unseen_cards_over_hands_and_stock() -> None:
    observation = observe(dealt(rules_of("classic"), 4, "", "7C 7D 8C").state, 1)
    kinds = kinds_of(observation.rules)
    others = sum(observation.hand_sizes) - observation.hand_sizes[1]
    weighed = by_belief(observation, believe(observation, ()))
    for class_ in ("7", "8"):
        left = 4 - own_count(observation, kinds, class_)
        expected = sum(one.expected for one in weighed if one.ask.class_ == class_)
        assert expected == pytest.approx(left * others / (others + observation.stock_size))
