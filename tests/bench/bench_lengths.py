"""The length of a round of every game, as the table in docs/round-length.md.

    python -m tests.bench.bench_lengths > docs/round-length.md

The rounds are simulated (services/table/round_lengths.py), so the table is the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from classroom.games import GAMES
from classroom.games.variants import deck_rules
from classroom.services.table.round_lengths import Length, length
from tests.games import aimless

SEATS: Final = (2, 3, 4)
LEAST: Final = """
## The least

How many asks a round has (the median of {rounds} rounds) if everybody does at random what the rules
allow: with numbers to five / few kinds of card / the short form / all the cards, at tables of two
to six. Where a round ends with the pond, the two smallest decks leave at least eight cards in it
after the deal, so that a round of five or six children has as many asks as one of four
(`classroom/games/variants.py`).

| game | two | three | four | five | six |
| --- | --- | --- | --- | --- | --- |"""
HEAD: Final = """\
# How long a round lasts

Written by `python -m tests.bench.bench_lengths`. Each cell is {rounds} simulated rounds of one
child and computer players with the memory of a perch: mean minutes (the middle four fifths), mean
asks. *Short* is what a child plays from six years on unless an adult sets something else, and
should last 6 to 10 minutes on average; *full* is the game as its source text has it. Younger
children play with one friend: at four years with numbers to five, where a round of Go Fish lasts
about three minutes, and at five years with seven kinds of card, where it lasts about four.

The seconds are those of a child's page at the usual pace: seven to choose a card and a friend and
to ask, plus the time for which each event is shown (`SHOWN` in
classroom/services/table/round_lengths.py). They are measured in Chromium, in the page's own time
(`python -m tests.bench.bench_turns`), but for seven rare events, which are estimated by what they
resemble. What three whole rounds showed there took 268 s (by `SHOWN` 276), 294 s (272) and 344 s
(325, both without the counting of the books): Go Fish with three seats, Old Fish and Make Five with
two, played by a script that tapped at once.

Two short forms change more than the number of cards: Guru's pairs and Threes with three or four
seats. Small books soon empty a hand, and the round would be over after three or four minutes with
any deck; so an emptied hand takes a new one, and the round ends with the pond (G17). The short
forms of the Fours end with two and with three fours (W7).

| game | seats | short: minutes | asks | full: minutes | asks |
| --- | --- | --- | --- | --- | --- |"""


def lines(rounds: int) -> Iterator[str]:
    yield HEAD.format(rounds=rounds)
    for game in GAMES.values():
        low, high = game.rules.seats
        for seats in SEATS:
            if low <= seats <= high:
                short, full = (
                    length(deck_rules(game, seats, deck), seats, rounds)
                    for deck in ("short", "full")
                )
                yield f"| {game.name} | {seats} | {_cells(short)} | {_cells(full)} |"
    yield LEAST.format(rounds=aimless.ROUNDS)
    yield from map(aimless.line, GAMES)


def _cells(one: Length) -> str:
    return f"{one.minutes:.1f} ({one.minutes_low:.1f} to {one.minutes_high:.1f}) | {one.asks:.0f}"


if __name__ == "__main__":
    for line in lines(rounds=40):
        print(line)
