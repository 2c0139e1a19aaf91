"""The practice form of a game, for trying it out: two seats, few cards, about two minutes.

When two minnows played 40 rounds of each game, a round took 8 to 25 asks on average, depending on
the game. A child makes half of the asks in its round, at about 7 seconds an ask.
"""

from __future__ import annotations

from typing import Any, Final

from classroom.engine.checks import check
from classroom.engine.rules import Rules
from classroom.games.game import Game

SEATS: Final = 2


def practice_rules(game: Game, rules: Rules | None = None) -> Rules:
    """The rules for trying out a game. `rules`: a school class's own form of it, if it has one.

    If two seats cannot play that form with few cards, the menu's form is used instead.
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
    """Four cards of each suit and its Joker are six fish: two books, if none is lost (OA1)."""
    return {"deck.ranks": rules.deck_ranks[:4], "deal": {"default": 5}}


def _numbers(rules: Rules) -> dict[str, Any]:
    many = (rules.deck_top or 0) > 7
    return {"deck.copies": 2 if many else 4, "deal": {"default": 4 if many else 5}}


def _fours(rules: Rules) -> dict[str, Any]:
    """End the round at the first four, or at the second with wild cards, which make fours easy."""
    return {"end": ["books_target"], "end.books_target": 2 if rules.deck_wild else 1}


_FEW: Final = {"french": _french, "fish": _fish, "numbers": _numbers, "fours": _fours}
