"""How many kinds of card are in the deck: what a parent chooses, as changes of a game's rules.

Minutes are means of simulated rounds of the classic games (docs/round-length.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.engine.rules import Rules
from classroom.games.game import Game


@dataclass(frozen=True, slots=True)
class DeckSize:
    """`kinds`: ranks of a French deck, from the ace up; in `short` the fewest there are, for each
    game and table has as many as it needs (docs/round-length.md). `minutes` a round lasts."""

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
    """The rules of a game with this size of deck.

    `short` is the game's own short form; a game whose deck is not French knows only that and the
    full one.
    """
    if deck == "full":
        return game.rules
    if deck == "short" or game.rules.deck_kind != "french":
        return game.short_rules(seats)
    return game.rules.changed({"deck.ranks": game.rules.deck_ranks[: DECKS[deck].kinds]})
