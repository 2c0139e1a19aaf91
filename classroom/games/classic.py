"""The classic game of doc 000 and its variations."""

from __future__ import annotations

from typing import Final

from classroom.engine.rules import Rules
from classroom.games.game import Game, dealt_from

SHORT: Final = {2: dealt_from(10), 3: dealt_from(10, deal=4), 4: dealt_from(10, deal=3)}

CLASSIC: Final = Game(
    key="classic",
    name="Go Fish",
    rules=Rules(),
    sentence="Ask for a rank that you hold and collect all four cards of it.",
    seats=3,
    short=SHORT,
)

CLASSIC_FACE_DOWN: Final = Game(
    key="classic_face_down",
    name="Go Fish, books face down",
    rules=Rules().changed({"visibility.books": "face_down"}),
    sentence="Like Go Fish, but books are face down: remember which ranks are gone.",
    seats=3,
    short=SHORT,
)

COLOUR_PAIRS: Final = Game(
    key="colour_pairs",
    name="Colour pairs",
    rules=Rules().changed({"class": "colour_rank", "book.size": 2}),
    sentence="Ask for a rank and a colour, red or black, and collect pairs of the same colour.",
    seats=2,
    short=SHORT,
)

RANK_PAIRS: Final = Game(
    key="rank_pairs",
    name="Pairs",
    rules=Rules().changed({"book.size": 2}),
    sentence="Ask for a rank that you hold and collect pairs.",
    seats=2,
    short={2: dealt_from(12), 3: dealt_from(12, deal=4), 4: dealt_from(13, deal=3)},
)
