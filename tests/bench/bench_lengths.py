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
perch: first of the *short* form, then of the *full* game of the source text. From six years on a
child plays the short form unless an adult sets something else; it should last 6 to 10 minutes.
Younger children play Go Fish with one friend: at four with numbers to five, about three minutes,
and at five with seven kinds of card, about four.

The seconds are those of a child's page at the usual pace: seven to choose and ask, plus the time
for which each event is shown (`SHOWN` in classroom/services/table/round_lengths.py), measured in
Chromium (`python -m tests.bench.bench_turns`) except for seven rare events. Three whole rounds took
268, 294 and 344 s there; by `SHOWN` they take 276, 272 and 325.

Two short forms change more than the number of cards. In Guru's pairs and Threes with three or four
seats small books soon empty a hand, which would end the round after three or four minutes; so an
emptied hand takes a new one, and the round ends with the pond (G17). The short forms of the Fours
end with two and with three fours (W7).

If everybody does at random what the rules allow, the median round has at least eight asks in each
game, with each deck and at each table (tests/games/test_decks.py).

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
