"""The deck sizes that adults can choose, as changes to a game's rules.

Minutes are rounded means of simulated rounds of Go Fish (docs/round-length.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.engine.cards import deck_of
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


LEAST_POND: Final = 8  # cards; with fewer, a round that ends with the pond is over after a few asks


def deck_rules(game: Game, seats: int, deck: str) -> Rules:
    """The rules of a game with this deck size.

    `short` is the game's own short form. A game whose deck is not French has only that and the
    full deck. `small` has as few kinds of card as make a round at this table.
    """
    if deck == "full":
        return game.rules
    if deck == "short" or game.rules.deck_kind != "french":
        return game.short_rules(seats)
    ranks = game.rules.deck_ranks
    few = (
        game.rules.changed({"deck.ranks": ranks[:kinds]})
        for kinds in range(game.fewest or DECKS[deck].kinds, len(ranks))
    )
    return next((rules for rules in few if _makes_a_round(rules, seats)), game.rules)


def _makes_a_round(rules: Rules, seats: int) -> bool:
    """Whether everybody can be dealt a hand, with enough left in the pond if the round ends with
    it."""
    if not check(rules, seats).lawful:
        return False
    pond = len(deck_of(rules).cards) - seats * rules.deal_size(seats)
    return "stock_out" not in rules.end or pond >= LEAST_POND
