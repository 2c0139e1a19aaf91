"""How many kinds of card are in the deck: what a parent chooses, as changes of a game's rules.

Minutes are asks of simulated rounds (perch, 2 to 4 seats) at about 7 seconds an ask: 11 to 25 asks
with seven kinds, 26 to 44 with ten, 44 to 64 with thirteen, in all four classic games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.engine.rules import Rules
from classroom.games.game import Game


@dataclass(frozen=True, slots=True)
class DeckSize:
    """`kinds`: ranks of a French deck, from the ace up; `minutes` a round lasts, roughly."""

    key: str
    kinds: int
    minutes: int


DECKS: Final[dict[str, DeckSize]] = {
    size.key: size
    for size in (DeckSize("small", 7, 3), DeckSize("short", 10, 5), DeckSize("full", 13, 7))
}


def deck_rules(game: Game, seats: int, deck: str) -> Rules:
    """The rules of a game with this size of deck.

    `short` is the game's own short form where it has one for this many seats; a game whose deck is
    not French knows only that and the full one.
    """
    if deck == "full" or (deck == "short" and game.short.get(seats)):
        return game.rules if deck == "full" else game.short_rules(seats)
    if game.rules.deck_kind != "french":
        return game.short_rules(seats)
    return game.rules.changed({"deck.ranks": game.rules.deck_ranks[: DECKS[deck].kinds]})
