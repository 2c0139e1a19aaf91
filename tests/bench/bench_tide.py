"""The dial of low tide: how often a table gets the pond full, for each deck, table and age band.

    python -m tests.bench.bench_tide [rounds] [game ...]

Whole rounds of computer players through the engine, at 99 steps: the number of steps that a round
takes shows how it would have ended with any tide, because players do not look at the tide. All
seats have the usual memory of the age band, or forget everything, or see the open board. The last
column is the tide that comes nearest to the middle of the wanted wins: what DIAL in
classroom/games/variants.py should say. It takes about an hour for 400 rounds a cell.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from statistics import mean
from typing import Final

from classroom.engine import deal, observe, play, shuffled
from classroom.engine.actions import Lots
from classroom.engine.events import Asked, TideFell
from classroom.engine.rules import Rules
from classroom.engine.state import Table
from classroom.games import GAMES
from classroom.games.variants import DIAL, MEMORY, TIDE_SEATS, low_tide
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import LEVELS, PlayerLevel

DEEP: Final = 99
LEAST, MOST = 0.60, 0.75  # the wins that tables of usual memory should have
WORTH: Final = 0.40  # what forgetting everything should cost
ASKS: Final = 25  # the most asks of a round for the youngest
YOUNGEST: Final = "4-5"


@dataclass(frozen=True)
class Round:
    """A round of endless tide: its asks, the ask at each step, and whether the pond was full."""

    asks: int
    falls: tuple[int, ...]
    full: bool

    def won(self, steps: int) -> bool:
        """Whether all books would have been made with this many steps."""
        return self.full and len(self.falls) < steps

    def length(self, steps: int) -> int:
        """How many asks the round would have had."""
        return self.falls[steps - 1] if len(self.falls) >= steps else self.asks


def forgetful(level: PlayerLevel) -> PlayerLevel:
    """A player like this one that remembers no ask."""
    return replace(level, key=f"{level.key}, forgetting", span=0)


@lru_cache(maxsize=64)
def rounds(rules: Rules, seats: int, level: PlayerLevel, number: int) -> tuple[Round, ...]:
    """The first `number` rounds of a table at which all play at this level."""
    deep = rules.changed({"end.tide": DEEP})
    return tuple(_round(deep, seats, level, seed) for seed in range(number))


def _round(rules: Rules, seats: int, level: PlayerLevel, seed: int) -> Round:
    rng = Random(seed)
    lots = Lots(rng)
    deck = shuffled(rules, rng)
    table = Table(deal(rules, seats, seed % seats, deck, lots).state, lots)
    asks, falls = 0, []
    while (turn := table.turn) is not None:
        events = play(table, choose(observe(table, turn), level, rng, seed))
        asks += sum(isinstance(event, Asked) for event in events)
        falls += [asks for event in events if isinstance(event, TideFell)]
    return Round(asks, tuple(falls), table.ended_by == "all_booked")


def wins(played: Sequence[Round], steps: int) -> float:
    """The share of rounds that would have been won with this many steps."""
    return mean(one.won(steps) for one in played)


def best(usual: Sequence[Round]) -> int:
    """The number of steps whose wins come nearest to the middle of what is wanted."""
    return min(range(1, DEEP), key=lambda steps: abs(wins(usual, steps) - (LEAST + MOST) / 2))


def lines(number: int, keys: Sequence[str]) -> Iterator[str]:
    yield (
        "game, deck               seats band   steps   usual  forgetting   cost  open board   "
        "asks: mean, nine in ten   nearest   misses"
    )
    for key, deck in DIAL:
        for seats in TIDE_SEATS:
            for band in MEMORY:
                if key in keys:
                    yield _line(key, deck, seats, band, number)


def _line(key: str, deck: str, seats: int, band: str, number: int) -> str:
    rules = low_tide(GAMES[key], seats, deck, band)
    assert rules is not None
    steps = rules.end_tide or 0
    level = LEVELS[MEMORY[band]]
    usual, none, board = (
        rounds(_endless(rules), seats, one, count)
        for one, count in (
            (level, number),
            (forgetful(level), number),
            (LEVELS["dolphin"], max(number // 4, 1)),
        )
    )
    won, cost = wins(usual, steps), wins(usual, steps) - wins(none, steps)
    lengths = sorted(one.length(steps) for one in usual)
    faults = [
        "" if LEAST <= won <= MOST else "wins",
        "" if cost >= WORTH else "cost",
        "" if band != YOUNGEST or mean(lengths) <= ASKS else "asks",
    ]
    return (
        f"{key + ', ' + deck:24} {seats:5} {band:6} {steps:5} {won:7.0%} {wins(none, steps):11.0%} "
        f"{cost:6.0%} {wins(board, steps):11.0%} {mean(lengths):8.1f}, "
        f"{lengths[number * 9 // 10]:2} {best(usual):17}  {' '.join(filter(None, faults))}"
    )


def _endless(rules: Rules) -> Rules:
    """The rules without their number of steps, so that bands share their rounds."""
    return rules.changed({"end.tide": DEEP})


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for line in lines(number, sys.argv[2:] or list(GAMES)):
        print(line, flush=True)
