"""The practice form of a game, to try it out: for two, with few cards, in about two minutes.

Measured with two minnows over 40 rounds of each game: 8 to 25 asks on average, half of them the
child's, at about 7 seconds an ask.
"""

from __future__ import annotations

from typing import Any, Final

from classroom.engine.checks import check
from classroom.engine.rules import Rules
from classroom.games.game import Game

SEATS: Final = 2


def practice_rules(game: Game, rules: Rules | None = None) -> Rules:
    """The rules for trying out a game. `rules`: a school class's own form of it, if it has one.

    If two seats cannot play that form with few cards, the form of the menu is used.
    """
    if rules is not None:
        own = _shortened(rules)
        if check(own, SEATS).lawful:
            return own
    return _shortened(game.rules)


def _shortened(rules: Rules) -> Rules:
    changes: dict[str, Any] = {"seats": [SEATS, SEATS], "match.target": None}
    return rules.changed(changes | _FEW[rules.deck_kind](rules))


def _french(rules: Rules) -> dict[str, Any]:
    return {"deck.ranks": rules.deck_ranks[:6], "deal": {"default": 5}}


def _fish(rules: Rules) -> dict[str, Any]:
    """Four cards of each suit and its Joker: six fish, so that books come out even (R14)."""
    return {"deck.ranks": rules.deck_ranks[:4], "deal": {"default": 5}}


def _numbers(rules: Rules) -> dict[str, Any]:
    many = (rules.deck_top or 0) > 7
    return {"deck.copies": 2 if many else 4, "deal": {"default": 4 if many else 5}}


def _fours(rules: Rules) -> dict[str, Any]:
    """The first four ends the round; with wild cards, which make one quickly, the second."""
    return {"end": ["books_target"], "end.books_target": 2 if rules.deck_wild else 1}


_FEW: Final = {"french": _french, "fish": _fish, "numbers": _numbers, "fours": _fours}
