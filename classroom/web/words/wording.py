"""Choose the template below templates/games whose words fit the rules of a round.

That is the game's own, unless the class changed the rules its words describe: then the words of
another game fit, or the plain ones of Go Fish.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from classroom.engine.rules import Rules
from classroom.games import GAMES

PLAIN: Final = "classic"
_PAIRS: Final = "wish_pairs"
_DECKS: Final = {"four": "fours", "sum": "make_ten", "fish": "old_fish"}


def asking(game: str, rules: Rules) -> str:
    """The template for asking and for what happens. `game`: a key of the menu."""
    return _fitting(game, rules, _way_of_asking)


def ending(game: str, rules: Rules) -> str:
    """The template for counting up at the end."""
    return _fitting(game, rules, _way_of_counting)


def _fitting(game: str, rules: Rules, way: Callable[[Rules], str]) -> str:
    return game if way(rules) == way(GAMES[game].rules) else way(rules)


def _way_of_asking(rules: Rules) -> str:
    if rules.book_kind in _DECKS:
        return _DECKS[rules.book_kind]
    if rules.ask_scope == "all":
        return "guru_ask_all"
    if rules.ask_what == "card":
        return "guru_exact_card"
    return _PAIRS if in_pots(rules) else PLAIN


def _way_of_counting(rules: Rules) -> str:
    if rules.score_deduct:
        return "guru_deduct"
    if rules.book_kind == "fish" and rules.score_penalty:
        return "old_fish"
    if rules.book_kind == "four":
        return "fours"
    return _PAIRS if in_pots(rules) else PLAIN


def in_pots(rules: Rules) -> bool:
    """Whether pairs go into a pot, where their cards are counted (P13)."""
    return rules.score_per == "card" and rules.book_size == 2
