"""The five-suit deck of doc 004: Old Fish, and the traditional game played with it."""

from __future__ import annotations

from typing import Final

from classroom.engine.rules import Rules
from classroom.games.game import Game, dealt_from

OLD_FISH: Final = Game(
    key="old_fish",
    name="Old Fish",
    rules=Rules().changed(
        {
            "deck.kind": "fish",
            "deck.suits": "RLFSW",
            "deck.joker": "suited",
            "deck.copies": 5,
            "deck.lost": 1,
            "seats": [2, 6],
            "deal": {"default": 5},
            "class": "suit",
            "turn.catch": "again_if_book",
            "lucky": "ends",
            "book.kind": "fish",
            "book.size": 3,
            "refill.active": ["now", 5],
            "refill.passive": ["now", 5],
            "end": ["single_holder"],
            "score.penalty": 3,
            "score.floor": 0,
            "tie": "shared",
            "match.target": 100,
        }
    ),
    sentence="Three of a suit make a book, a Joker counts two; do not be left with the Old Fish.",
    seats=3,
    short={2: dealt_from(10)},
)

FIVE_SUIT_CLASSIC: Final = Game(
    key="five_suit_classic",
    name="Five-suit Go Fish",
    rules=Rules().changed(
        {
            "deck.kind": "fish",
            "deck.suits": "RLFSW",
            "deck.joker": "rank",
            "deck.copies": 5,
            "book.size": 5,
        }
    ),
    sentence="Go Fish with five suits: all five cards of a rank make a book, Jokers are a rank.",
    seats=3,
    short={2: dealt_from(8), 3: dealt_from(8), 4: dealt_from(9)},
)
