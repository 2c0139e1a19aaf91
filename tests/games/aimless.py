"""Rounds in which everybody does at random what the rules allow: the least that a round can be."""

from __future__ import annotations

from functools import cache
from random import Random
from statistics import median
from typing import Final

from classroom.engine import deal, legal_actions, play, shuffled
from classroom.engine.actions import Ask, Lots
from classroom.engine.rules import Rules
from classroom.engine.state import Table
from classroom.games import GAMES
from classroom.games.variants import deck_rules

ROUNDS: Final = 60
MOST: Final = 6  # seats at the largest table of children
LONGEST: Final = 3_000  # moves


def asks(rules: Rules, seats: int, seed: int) -> int:
    """How many asks a round has; the same seed gives the same round."""
    rng = Random(seed)
    lots = Lots(rng)
    table = Table(deal(rules, seats, seed % seats, shuffled(rules, rng), lots).state, lots)
    asked = 0
    while not table.over and table.seq < LONGEST:
        action = rng.choice(legal_actions(table.state()))
        asked += isinstance(action, Ask)
        play(table, action)
    return asked


@cache
def medians(game: str, deck: str) -> dict[int, int]:
    """The median number of asks by number of seats, for every table of children."""
    fewest, most = GAMES[game].rules.seats
    found = {}
    for seats in range(fewest, min(most, MOST) + 1):
        rules = deck_rules(GAMES[game], seats, deck)
        found[seats] = round(median(asks(rules, seats, seed) for seed in range(ROUNDS)))
    return found
