"""The length of a round of every game, as the table in docs/round-length.md.

    python -m tests.bench.bench_lengths > docs/round-length.md

The rounds are simulated (services/table/round_lengths.py), so the table is the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from classroom.games import GAMES
from classroom.games.menu import Game
from classroom.games.variants import deck_rules
from classroom.services.table.round_lengths import length

SEATS: Final = (2, 3, 4)
HEAD: Final = """\
# How long a round lasts

`python -m tests.bench.bench_lengths > docs/round-length.md` writes this page. Each cell has the
mean minutes of {rounds} simulated rounds of one child and computer players with the memory of a
perch: of the *short* form, which should last 6 to 10 minutes, then of the *full* game. From six
years on a child plays the short form unless an adult sets something else. Younger children play Go
Fish with one friend: about three minutes at four (numbers to five), about four at five (seven kinds
of card).

The seconds (classroom/services/table/round_lengths.py) are those of a child's page at the usual
pace, measured in Chromium except for rare events. Three whole rounds took 268, 294 and 344 s there;
by our seconds they take 276, 272 and 325.

In Guru's pairs and Threes with three or four seats, small books would end the short form after
three or four minutes. So there an emptied hand takes a new one, and the round ends with the pond
(G17). The short forms of the Fours end with two and with three fours (W7).

| game | two | three | four |
| --- | --- | --- | --- |"""


def lines(rounds: int) -> Iterator[str]:
    yield HEAD.format(rounds=rounds)
    for game in GAMES.values():
        cells = " | ".join(_cell(game, seats, rounds) for seats in SEATS)
        yield f"| {game.name} | {cells} |"


def _cell(game: Game, seats: int, rounds: int) -> str:
    low, high = game.rules.seats
    if not low <= seats <= high:
        return "-"
    found = (length(deck_rules(game, seats, deck), seats, rounds) for deck in ("short", "full"))
    return ", ".join(f"{one.minutes:.1f}" for one in found)


if __name__ == "__main__":
    for line in lines(rounds=40):
        print(line)
