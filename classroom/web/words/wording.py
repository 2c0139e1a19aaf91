"""Choose the template below templates/games whose words fit the rules of a round.

Most games speak as Go Fish does. Only rules that are asked or counted in another way have words of
their own, so the rules alone choose them, also those that a class has mixed.
"""

from __future__ import annotations

from typing import Final

from classroom.engine.rules import Rules
from classroom.games import GAMES

PLAIN: Final = "classic"
_PAIRS: Final = "wish_pairs"
_DECKS: Final = {"four": "fours", "sum": "make_ten", "fish": "old_fish"}


def asking(rules: Rules) -> str:
    """The template for asking and for what happens."""
    if rules.book_kind in _DECKS:
        return _DECKS[rules.book_kind]
    if rules.ask_scope == "all":
        return "guru_ask_all"
    if rules.ask_what == "card":
        return "guru_exact_card"
    return _PAIRS if in_pots(rules) else PLAIN


def ending(rules: Rules) -> str:
    """The template for counting up at the end."""
    if rules.score_deduct:
        return "guru_deduct"
    if rules.book_kind == "fish" and rules.score_penalty:
        return "old_fish"
    if rules.book_kind == "four":
        return "fours"
    return _PAIRS if in_pots(rules) else PLAIN


def pictured(game: str, rules: Rules) -> str:
    """The game of the menu whose pictures tell these rules: `game`, unless it asks differently."""
    return game if asking(rules) == asking(GAMES[game].rules) else asking(rules)


def in_pots(rules: Rules) -> bool:
    """Whether pairs go into a pot, where their cards are counted (P13)."""
    return rules.score_per == "card" and rules.book_size == 2
