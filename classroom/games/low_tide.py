"""Low tide: a game played by all against the pond (rules T1 to T9), and its dial.

The dial was set with `python -m tests.bench.bench_tide`. Set it again when a deck changes.
"""

from __future__ import annotations

from typing import Any, Final

from classroom.engine.rules import Rules
from classroom.games import GAMES
from classroom.games.game import Game, dealt_from

SEATS: Final = (3, 4)
MEMORY: Final = {"4-5": "minnow", "5-6": "minnow", "6-7": "perch", "7-9": "pike"}
"""The usual memory of each age band, as a level of computer players."""

DECKS: Final[dict[str, dict[str, Any]]] = {
    "five": dealt_from(5, deal=3),
    "small": dealt_from(7, deal=5),
    "short": dealt_from(10, deal=4),
    "numbers": {},
}
"""The decks of low tide, as changes to a game. French decks have the sizes that an adult can choose
(variants.DECKS); `numbers` is all cards of Make Ten."""

Steps = tuple[int, int, int]
DIAL: Final[dict[tuple[str, str], tuple[Steps, Steps]]] = {
    ("classic", "five"): ((9, 8, 8), (8, 7, 6)),
    ("classic", "small"): ((11, 10, 10), (10, 8, 7)),
    ("classic", "short"): ((26, 25, 25), (26, 23, 22)),
    ("colour_pairs", "five"): ((9, 9, 9), (9, 8, 7)),
    ("colour_pairs", "small"): ((12, 11, 11), (11, 9, 8)),
    ("colour_pairs", "short"): ((27, 26, 26), (27, 25, 23)),
    ("rank_pairs", "short"): ((19, 19, 18), (18, 16, 15)),
    ("wish_pairs", "short"): ((23, 23, 22), (21, 20, 19)),
    ("make_ten", "numbers"): ((19, 18, 18), (15, 13, 12)),
}
"""For each game and deck, the steps of the tide with three and with four seats, each for tables
with the memory of a minnow, a perch and a pike.

There are three aims: tables with the usual memory win 60 to 75 %, forgetting everything costs 40
points or more, and ages 4 to 5 ask at most 25 times. Results of 200 rounds for each cell (give or
take 7 points):

- Wins: all cells but one meet the aim (59 %: colour_pairs, small, four seats, pike).
- Cost with four seats: 40 to 68 points, but less for a minnow in colour_pairs five (25),
  rank_pairs (36), wish_pairs (39) and make_ten (26). With three seats it is high enough only in
  classic short, for perch and pike in classic small, and for a pike in classic five and
  colour_pairs short; elsewhere it is 22 to 37 points, and 12 to 22 in make_ten. So four seats are
  better.
- Asks: 13 to 22 with five and small; too many for ages 4 to 5 in make_ten (26 to 28), rank_pairs
  (29), wish_pairs (35), colour_pairs short (39) and classic short (44).

The menu's Low tide, with the deck of each age and the seats of a child who plays alone (four, or
three from the age of six), meets all aims: forgetting costs 46, 57, 50 and 50 points, and a round
takes 17 asks at the age of four. With three seats forgetting would cost only 28 (five) and 30
(small), and less than 40 with every deck of few cards. So at those ages three children get a
computer friend (fewest_seats).

Pairs and Fished my wish with fewer kinds of card, and Make Five, are left out: forgetting costs 6
to 42 points there, mostly less than 30. Five-suit Go Fish is left out too: its 45 cards would take
longer than any of these games.
"""


USUAL_AGE: Final = "5-6"
"""The age band that sets the steps where no child is known."""

BASE: Final = {"low_tide": "classic"}
"""For a low tide in the menu, the game whose steps it uses."""


def low_tide(game: Game, seats: int, deck: str, band: str) -> Rules | None:
    """The rules of this game as low tide, with this deck size, for children of this age band; None
    if it has no such form. All the cards would take too long, so `full` gives the short deck."""
    size = "numbers" if game.rules.deck_kind == "numbers" else "short" if deck == "full" else deck
    dial = DIAL.get((BASE.get(game.key, game.key), size))
    if dial is None or seats not in SEATS:
        return None
    steps = dial[SEATS.index(seats)][("minnow", "perch", "pike").index(MEMORY[band])]
    return game.rules.changed({"seats": list(SEATS), **DECKS[size], "end.tide": steps})


def fewest_seats(game: Game, band: str) -> int:
    """The fewest seats at which children of this age band play this game of the menu. With three
    seats and few cards there is too little to remember."""
    young = MEMORY[band] == "minnow"
    return max(SEATS) if young and game.rules.end_tide is not None else game.rules.seats[0]


def steps_for(rules: Rules) -> tuple[Steps, Steps] | None:
    """The steps on the dial for these rules, with three and with four seats. The tide that the
    rules have now does not matter. None if these rules were not tried."""
    asked = rules.changed({"deal": {"default": rules.deal_size(max(SEATS))}})
    for (key, size), steps in DIAL.items():
        tried = GAMES[key].rules.changed({"seats": list(SEATS), **DECKS[size]})
        deal = {"deal": {"default": tried.deal_size(max(SEATS))}, "end.tide": rules.end_tide}
        if tried.changed(deal) == asked:
            return steps
    return None
