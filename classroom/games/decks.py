"""The deck sizes that adults can choose, as changes to a game's rules.

Minutes are rounded means of simulated rounds of Go Fish (docs/round-length.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.engine.checks import check
from classroom.engine.rules import Rules
from classroom.games.game import Game


@dataclass(frozen=True, slots=True)
class DeckSize:
    """A deck size. `kinds`: the number of ranks in a French deck, from the ace up; for `short`, the
    number in Go Fish, since each game and table has its own (docs/round-length.md). `minutes`: how
    long a round lasts."""

    key: str
    name: str
    kinds: int
    minutes: int


DECKS: Final[dict[str, DeckSize]] = {
    size.key: size
    for size in (
        DeckSize("small", "Few kinds of card", 7, 4),
        DeckSize("short", "A short round", 10, 7),
        DeckSize("full", "All the cards", 13, 9),
    )
}


def deck_rules(game: Game, seats: int, deck: str) -> Rules:
    """The rules of a game with this deck size.

    `short` is the game's own short form. A game whose deck is not French has only that and the
    full deck. `small` has more kinds of card at a table for whose hands seven are too few.
    """
    if deck == "full":
        return game.rules
    if deck == "short" or game.rules.deck_kind != "french":
        return game.short_rules(seats)
    ranks = game.rules.deck_ranks
    few = (
        game.rules.changed({"deck.ranks": ranks[:kinds]})
        for kinds in range(DECKS[deck].kinds, len(ranks))
    )
    return next((rules for rules in few if check(rules, seats).lawful), game.rules)
