"""Views of random rounds, from which questions are made."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import Lots
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.games import GAMES

SEATS = {"fours": 3, "fours_wild": 3, "wish_pairs": 2, "guru_ask_all": 3}


def seats_of(game: str, rng: Random) -> int:
    """An allowed number of seats, from two to four where possible."""
    low, high = GAMES[game].rules.seats
    return rng.randint(max(2, low), min(4, high))


def random_views(
    game: str | Rules, seed: int, seats: int | None = None, moves: int = 400
) -> Iterator[Observation]:
    """The views of a random round: that of a random seat before every move, and at the end."""
    rng = Random(seed)
    rules = GAMES[game].rules if isinstance(game, str) else game
    number = seats or seats_of(game, rng) if isinstance(game, str) else rules.seats[1]
    lots = Lots(rng)
    state = deal(rules, number, rng.randrange(number), shuffled(rules, rng), lots).state
    for _ in range(moves):
        yield observe(state, rng.randrange(number))
        if state.over:
            return
        state = apply(state, rng.choice(legal_actions(state)), lots).state
