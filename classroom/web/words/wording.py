"""Choose the template in templates/games whose words fit the rules of a round.

Most games use the words of Go Fish. Only rules with another way of asking or counting have words of
their own, so the rules alone decide which words fit, even for games that a class has mixed.
"""

from __future__ import annotations

from typing import Final

from classroom.engine.rules import Rules
from classroom.games import GAMES

PLAIN: Final = "classic"
_PAIRS: Final = "wish_pairs"
_DECKS: Final = {"four": "fours", "sum": "make_ten", "fish": "old_fish"}


def asking(rules: Rules) -> str:
    """The template with the words for asking and for what happens in play."""
    if rules.book_kind in _DECKS:
        return _DECKS[rules.book_kind]
    if rules.ask_scope == "all":
        return "guru_ask_all"
    if rules.ask_what == "card":
        return "guru_exact_card"
    return _PAIRS if in_pots(rules) else PLAIN


def ending(rules: Rules) -> str:
    """The template with the words for counting up at the end."""
    if rules.score_deduct:
        return "guru_deduct"
    if rules.book_kind == "fish" and rules.score_penalty:
        return "old_fish"
    if rules.book_kind == "four":
        return "fours"
    return _PAIRS if in_pots(rules) else PLAIN


def pictured(game: str, rules: Rules) -> str:
    """The menu's game whose pictures fit these rules: `game`, unless they ask in another way."""
    return game if asking(rules) == asking(GAMES[game].rules) else asking(rules)


def in_pots(rules: Rules) -> bool:
    """Whether pairs go into a pot, where their cards are counted (P13)."""
    return rules.score_per == "card" and rules.book_size == 2
