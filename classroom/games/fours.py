"""Fisherman's Fours of doc 003, with a colour, shape and number on each card, and Wild Fours."""

from __future__ import annotations

from typing import Any, Final

from classroom.engine.rules import Rules
from classroom.games.game import Game


def _first_to(fours: int) -> dict[str, Any]:
    """Changes that end the round as soon as a seat has this number of fours (W7)."""
    return {"end": ["books_target"], "end.books_target": fours}


FOURS: Final = Game(
    key="fours",
    name="Fisherman's Fours",
    rules=Rules().changed(
        {
            "deck.kind": "fours",
            "seats": [3, 6],
            "deal": {"default": 5},
            "class": "any_two",
            "ask.bait": "asked",
            "catch_to": "boat",
            "book.kind": "four",
            "book.lay": "choice",
            "refill.active": ["now", 5],
            "refill.passive": ["own_turn", 5],
            "refill.boat": True,
            "end": [],
            "end.declare": True,
            "score.per": "card",
            "tie": "shared",
        }
    ),
    sentence="Collect four cards that are alike in two ways: colour, shape or number.",
    seats=3,
    short=dict.fromkeys((3, 4), _first_to(2)),
)

FOURS_WILD: Final = Game(
    key="fours_wild",
    name="Wild Fours",
    rules=FOURS.rules.changed(
        {
            "deck.wild": True,
            "lucky": "again_may_show",
            "end": ["books_target"],
            "end.books_target": 4,
        }
    ),
    sentence="Fours with black cards, blobs and question marks that are wild; four fours win.",
    seats=3,
    short=dict.fromkeys((3, 4), _first_to(3)),
)
