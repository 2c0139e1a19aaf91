"""The pairs game for two players from doc 002."""

from __future__ import annotations

from typing import Final

from classroom.engine.rules import Rules
from classroom.games.game import Game, dealt_from

WISH_PAIRS: Final = Game(
    key="wish_pairs",
    name="Fished my wish",
    rules=Rules().changed(
        {
            "seats": [2, 2],
            "deal": {"default": 5},
            "ask.empty_target": "legal",
            "book.size": 2,
            "refill.active": ["own_turn", 1],
            "refill.passive": ["never", "deal"],
            "score.per": "card",
            "tie": "shared",
        }
    ),
    sentence="Two players collect pairs; fish the very card you asked for and your wish came true.",
    seats=2,
    short={2: dealt_from(10)},
)
