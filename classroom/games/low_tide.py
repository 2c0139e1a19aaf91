"""Low tide: a game played by all against the pond (rules T1 to T9), and its dial.

The dial was set with `python -m tests.bench.bench_tide`. Draw it again when a deck changes.
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
"""The decks of low tide, as changes to a game: those of French cards by the size that an adult
chooses (variants.DECKS), and all cards of Make Ten."""

Steps = tuple[int, int, int]
DIAL: Final[dict[tuple[str, str], tuple[Steps, Steps]]] = {
    ("classic", "five"): ((9, 8, 8), (8, 7, 6)),
    ("classic", "small"): ((11, 10, 10), (10, 8, 7)),
    ("classic", "short"): ((26, 25, 25), (26, 23, 22)),
    ("colour_pairs", "five"): ((9, 9, 9), (9, 8, 7)),
    ("colour_pairs", "small"): ((12, 11, 11), (11, 9, 8)),
    ("rank_pairs", "short"): ((19, 19, 18), (18, 16, 15)),
    ("make_ten", "numbers"): ((19, 18, 18), (15, 13, 12)),
}
"""For each game and deck the steps of the tide with three and with four seats, each for tables with
the memory of a minnow, a perch and a pike.
"""


def low_tide(game: Game, seats: int, deck: str, band: str) -> Rules | None:
    """The rules of this game as low tide, with this deck size, for children of this age band; None
    if it is not played so. All the cards would take too long, so the full deck is the short one."""
    size = "numbers" if game.rules.deck_kind == "numbers" else "short" if deck == "full" else deck
    dial = DIAL.get((game.key, size))
    if dial is None or seats not in SEATS:
        return None
    steps = dial[SEATS.index(seats)][("minnow", "perch", "pike").index(MEMORY[band])]
    return game.rules.changed({"seats": list(SEATS), **DECKS[size], "end.tide": steps})


def steps_for(rules: Rules) -> tuple[Steps, Steps] | None:
    """The steps that the dial has for these rules with three and with four seats, whatever tide
    they have; None for rules that were not tried."""
    asked = rules.changed({"deal": {"default": rules.deal_size(max(SEATS))}})
    for (key, size), steps in DIAL.items():
        tried = GAMES[key].rules.changed({"seats": list(SEATS), **DECKS[size]})
        deal = {"deal": {"default": tried.deal_size(max(SEATS))}, "end.tide": rules.end_tide}
        if tried.changed(deal) == asked:
            return steps
    return None
