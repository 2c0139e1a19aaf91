"""Rounds of computer players and random players, for tests of how well they play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from classroom.engine import apply, deal, legal_actions, observe, shuffled, winners
from classroom.engine.actions import Lots
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.minds.memory.perfect_memory import Memory, remember
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import PlayerLevel

RANDOM = None
"""A player that chooses legal actions at random."""


def played(rules: Rules, table: Sequence[PlayerLevel | None], seed: int) -> State:
    """The last state of a round in which seats 0, 1, ... play at these levels."""
    *_, last = states(rules, table, seed)
    return last


def states(rules: Rules, table: Sequence[PlayerLevel | None], seed: int) -> Iterator[State]:
    """All states of such a round, in order."""
    rng = Random(seed)
    chance = Lots(rng)
    state = deal(rules, len(table), seed % len(table), shuffled(rules, rng), chance).state
    memories: dict[int, Memory] = {}
    yield state
    while (turn := state.turn) is not None:
        level = table[turn]
        if level is RANDOM:
            action = rng.choice(legal_actions(state))
        else:
            observation = observe(state, turn)
            if level.perfect:
                memories[turn] = remember(observation, memories.get(turn))
            action = choose(observation, level, rng, seed, memories.get(turn))
        state = apply(state, action, chance).state
        yield state


def views(
    rules: Rules, table: Sequence[PlayerLevel | None], seed: int
) -> Iterator[tuple[State, Observation]]:
    """Each state of a round until it is over, with the view of the seat to act."""
    for state in states(rules, table, seed):
        if state.turn is not None:
            yield state, observe(state, state.turn)


def won(state: State, seat: int) -> float:
    """A seat's share of the win: 0, or 1 divided by the number of winners."""
    best = winners(state)
    return (seat in best) / len(best)
