"""Levels play against each other, and the shares of wins with likely ranges become a document.

    python -m tests.minds.tournament [rounds] [file]

Four seats, classic. One player against three random ones sits at every seat in turn. Pairs sit in
all six arrangements in turn, and a pair wins if one of the two does. A tied win is divided among
the winners. The seeds are fixed, so the numbers are always the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Final

from classroom.games import GAMES
from classroom.learning.beliefs import wilson
from classroom.minds.playing.forgetting import LEVELS
from tests.minds.arena import played, won

ROUNDS: Final = 1_000
ALONE: Final = ("abbb", "babb", "bbab", "bbba")
IN_PAIRS: Final = ("aabb", "abab", "abba", "bbaa", "baba", "baab")
RANDOM: Final = "random"


@dataclass(frozen=True, slots=True)
class Contest:
    """`a` against `b`. `tables`: which of the two sits at each seat, round after round."""

    a: str
    b: str
    tables: Sequence[str]

    def won(self, number: int) -> float:
        """The share of round `number` that `a` wins."""
        sides = self.tables[number % len(self.tables)]
        levels = {"a": LEVELS.get(self.a), "b": LEVELS.get(self.b)}
        last = played(GAMES["classic"].rules, [levels[side] for side in sides], number)
        return sum(won(last, seat) for seat, side in enumerate(sides) if side == "a")


CONTESTS: Final = (
    *(Contest(key, RANDOM, ALONE) for key in LEVELS),
    *(Contest(better, worse, IN_PAIRS) for worse, better in pairwise(LEVELS)),
)


def share(contest: Contest, rounds: int, pool: Pool) -> tuple[float, float, float]:
    """The share of rounds won by `a`, with its 95 % range."""
    parts = pool.map(contest.won, range(rounds), chunksize=5)
    return (sum(parts) / rounds, *wilson(sum(parts), rounds))


def page(rounds: int) -> Iterator[str]:
    """The lines of docs/levels.md."""
    yield "# How well the levels play\n"
    yield (
        f"The classic game with four seats, {rounds:,} rounds each, with 95 % ranges (Wilson).\n"
        "Printed by `python -m tests.minds.tournament`. "
        "A fair share is 25 % alone and 50 % in pairs.\n"
    )
    with get_context("spawn").Pool(2) as pool:
        yield "| player | against | wins | likely range |\n| --- | --- | --- | --- |"
        for contest in CONTESTS:
            middle, low, high = share(contest, rounds, pool)
            against = f"three {contest.b}" if contest.tables is ALONE else f"two {contest.b}"
            who = contest.a if contest.tables is ALONE else f"two {contest.a}"
            yield f"| {who} | {against} | {middle:.1%} | {low:.1%} to {high:.1%} |"


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    lines = []
    for line in page(rounds):
        print(line, flush=True)
        lines.append(line)
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text("\n".join(lines) + "\n", encoding="utf-8")
