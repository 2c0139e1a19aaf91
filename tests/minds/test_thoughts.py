"""Thoughts aloud: true, recent, rare, the player's own, and independent of hidden cards."""

from __future__ import annotations

import random

import pytest

from classroom.engine import observe
from classroom.engine.observation import WATCHER
from classroom.games import GAMES
from classroom.minds.playing.forgetting import (
    LEVELS,
    RECENT,
    SHARE,
    Mind,
    Thought,
    episodes,
    thoughts,
)
from tests.web.test_table_view import played


def minds(level: str, seats: int, seed: int = 1) -> dict[int, Mind]:
    return {seat: Mind(LEVELS[level], seed + 100 * seat) for seat in range(1, seats)}


@pytest.mark.parametrize("game", GAMES)
def test_a_thought_repeats_one_of_the_last_asks_correctly(game: str) -> None:
    seats = min(3, GAMES[game].rules.seats[1])
    seen = observe(played(game, seats, 2)[-1], 0)
    asks = {one.seq: one for one in episodes(seen)}
    order = sorted(asks)
    for seed in range(8):
        for one in thoughts(seen, minds("dolphin", seats, seed)):
            about = asks[one.about]
            assert (about.asker, about.class_) == (one.asker, one.class_)
            assert one.asker != one.seat
            assert 0 < order.index(one.seq) - order.index(one.about) <= RECENT


def test_a_player_says_nothing_aloud_that_is_more_asks_ago_than_it_remembers() -> None:
    seen = observe(played("classic", 4, 5)[-1], 0)
    order = [one.seq for one in episodes(seen)]
    found = [one for seed in range(40) for one in thoughts(seen, minds("minnow", 4, seed))]
    ago = {order.index(one.seq) - order.index(one.about) for one in found}
    assert ago == {*range(1, (LEVELS["minnow"].span or 0) + 1)}


@pytest.mark.parametrize("game", GAMES)
def test_thoughts_follow_from_what_everyone_sees(game: str) -> None:
    """A watcher, who sees no card, works out the same thoughts, so they reveal none."""
    seats = min(3, GAMES[game].rules.seats[1])
    states = played(game, seats, 3)
    for state in (states[len(states) // 2], states[-2]):
        public = thoughts(observe(state, WATCHER), minds("perch", seats))
        for viewer in range(seats):
            assert thoughts(observe(state, viewer), minds("perch", seats)) == public


def test_earlier_thoughts_stay_the_same_as_the_round_goes_on() -> None:
    states = played("classic", 4, 5)
    who = minds("pike", 4)
    told: tuple[Thought, ...] = ()
    for state in states:
        now = thoughts(observe(state, 0), who)
        done = tuple(one for one in now if one.seq <= state.seq)
        assert done[: len(told)] == told
        assert [one for one in now if one.seq > state.seq] == [
            one for one in now if one.seat == state.turn and one.seq == state.seq + 1
        ]
        told = done
    assert told


def test_thoughts_are_rare_and_forgetful_players_have_fewer() -> None:
    number = {"minnow": 0, "dolphin": 0}
    asks = 0
    for seed in range(12):
        seen = observe(played("classic", 3, seed)[-1], 0)
        asks += sum(one.asker != 0 for one in episodes(seen))
        for level in number:
            number[level] += len(thoughts(seen, minds(level, 3, seed)))
    assert 0.6 * SHARE < number["dolphin"] / asks < 1.2 * SHARE
    assert 0 < number["minnow"] < number["dolphin"]


def test_no_thought_is_about_an_ask_that_ended_in_a_book() -> None:
    for seed in range(6):
        seen = observe(played("rank_pairs", 3, seed)[-1], 0)
        books = {
            (item.event.seat, item.event.class_, item.seq)
            for item in seen.history
            if type(item.event).__name__ == "LaidBook"
        }
        for one in thoughts(seen, minds("dolphin", 3, seed)):
            last = [at for seat, c, at in books if (seat, c) == (one.asker, one.class_)]
            assert not any(one.about <= at < one.seq for at in last)


def test_another_seed_gives_other_thoughts() -> None:
    seen = observe(played("classic", 3, 1)[-1], 0)
    rng = random.Random(1)
    found = {thoughts(seen, minds("pike", 3, rng.randrange(2**31))) for _ in range(20)}
    assert len(found) > 15
