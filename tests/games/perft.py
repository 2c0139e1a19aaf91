"""Perft, as in chess: the number of lines of play to some depth (docs/rules.md B4).

    python -m tests.games.perft             rewrites tests/games/perft.json

A line is a sequence of actions with the outcomes of chance other than draws from the stock; the
deck is fixed. The numbers are a fingerprint of the rules: any change of legal actions changes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from pathlib import Path

from classroom.engine import apply, deal, legal_actions
from classroom.engine.actions import Action, Bait, Compensate, Pick
from classroom.engine.cards import Card
from classroom.engine.state import State
from classroom.games import GAMES
from tests.games.playthrough import fixed_deck

FILE = Path(__file__).parent / "perft.json"
DEPTH = 4
MOST = 12_000
"""Depths that are likely to have more lines than this are left out."""


class Branch:
    """A Chance that takes the branches it is given and notes how many there are at each fork."""

    def __init__(self, ways: Sequence[int]) -> None:
        self.ways = list(ways)
        self.forks: list[int] = []

    def pick(self, source: int, cards: Sequence[Card]) -> Pick:
        return Pick(source, cards[self._way(len(cards))])

    def bait(self, seat: int, cards: Sequence[Card], number: int) -> Bait:
        way = self._way(comb(len(cards), number))
        return Bait(seat, list(combinations(cards, number))[way])

    def compensate(self, to: int, cards: Sequence[Card]) -> Compensate:
        return Compensate(to, cards[self._way(len(cards))])

    def _way(self, number: int) -> int:
        self.forks.append(number)
        taken = len(self.forks) - 1
        return self.ways[taken] if taken < len(self.ways) else 0


def outcomes(state: State, action: Action, ways: tuple[int, ...] = ()) -> Iterator[State]:
    """Every state that an action can lead to, one for each result of chance."""
    branch = Branch(ways)
    after = apply(state, action, branch).state
    if len(branch.forks) <= len(ways):
        yield after
        return
    for way in range(branch.forks[len(ways)]):
        yield from outcomes(state, action, (*ways, way))


def perft(state: State, depth: int) -> int:
    """The number of lines with this many actions, including those that end earlier."""
    if depth == 0 or state.over:
        return 1
    return sum(
        perft(after, depth - 1)
        for action in legal_actions(state)
        for after in outcomes(state, action)
    )


def start(key: str, seats: int) -> State:
    """The state after the fixed deal of a game."""
    rules = GAMES[key].rules
    return deal(rules, seats, 0, fixed_deck(rules, f"perft {key} {seats}")).state


def middle(key: str, seats: int, moves: int) -> State:
    """The position after this many moves of fixed play, or before the move that ends the round."""
    state = start(key, seats)
    for number in range(moves):
        legal = legal_actions(state)
        after = apply(state, legal[number * 7919 % len(legal)], Branch(())).state
        if after.over:
            break
        state = after
    return state


def counts(state: State) -> list[int]:
    """The numbers of lines for depth 1, 2, ... as long as there are not too many."""
    found: list[int] = []
    for depth in range(1, DEPTH + 1):
        if found and found[-1] * len(legal_actions(state)) > MOST:
            break
        found.append(perft(state, depth))
    return found


def main() -> None:
    """Write the numbers of lines of every game into the file."""
    table = {}
    for key, game in GAMES.items():
        seats = max(3, game.rules.seats[0]) if game.rules.seats[1] > 2 else 2
        table[key] = {
            "seats": seats,
            "start": counts(start(key, seats)),
            "after 25 moves": counts(middle(key, seats, 25)),
            "after 60 moves": counts(middle(key, seats, 60)),
        }
    FILE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
