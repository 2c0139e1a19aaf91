"""Make Ten and Make Five: a seat asks for the number that completes the sum."""

from __future__ import annotations

from typing import Final

from classroom.engine.rules import Rules
from classroom.games.game import Game

MAKE_TEN: Final = Game(
    key="make_ten",
    name="Make Ten",
    rules=Rules().changed(
        {
            "deck.kind": "numbers",
            "deck.top": 10,
            "seats": [2, 8],
            "class": "complement",
            "response": "one",
            "book.kind": "sum",
            "book.size": 2,
            "tie": "shared",
        }
    ),
    sentence="I have 3, I need 7: two cards that make ten together are a book.",
    seats=2,
    short={2: {"deal": {"default": 5}}, 3: {"deck.copies": 6}, 4: {"deck.copies": 6}},
)

MAKE_FIVE: Final = Game(
    key="make_five",
    name="Make Five",
    rules=MAKE_TEN.rules.changed({"deck.top": 5, "seats": [2, 4]}),
    sentence="I have 2, I need 3: two cards that make five together are a book.",
    seats=2,
    short={2: {"deck.copies": 10}, 3: {"deck.copies": 12}, 4: {"deck.copies": 14}},
)
