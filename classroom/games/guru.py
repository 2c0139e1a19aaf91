"""The game of doc 001 and its many variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from classroom.engine.rules import Rules
from classroom.games.game import Game, dealt_from

BASE: Final = Rules().changed(
    {
        "turn.next": "refuser",
        "refill.active": ["never", "deal"],
        "refill.passive": ["never", "deal"],
        "end": ["hand_empty", "stock_out"],
        "tie": "shared",
    }
)


SHORT: Final = {2: dealt_from(11), 3: dealt_from(12, deal=4), 4: dealt_from(12, deal=3)}

NEW_HAND: Final[Mapping[str, Any]] = {
    "end": ["stock_out"],
    "refill.active": ["now", "deal"],
    "refill.passive": ["now", "deal"],
}
"""An emptied hand takes a new one (G17). Two variants with small books need this in their short
forms for three or four seats: otherwise the first empty hand would end a round after three or four
minutes, whatever the deck."""

Short = Mapping[int, Mapping[str, Any]]


def _variant(
    key: str,
    name: str,
    sentence: str,
    seats: int = 3,
    short: Short = SHORT,
    fewest: int = 0,
    **changes: Any,
) -> Game:
    return Game(
        key=f"guru_{key}",
        name=name,
        rules=BASE.changed(**changes),
        sentence=sentence,
        seats=seats,
        short=short,
        fewest=fewest,
    )


GURU: Final = Game(
    key="guru",
    name="Guru's Go Fish",
    rules=BASE,
    sentence="The player who says go fish has the next turn; an empty hand ends the round.",
    seats=2,
    short=SHORT,
)

VARIANTS: Final = (
    _variant(
        "points",
        "Points",
        "Every book is a point, and rounds go on until a player has twenty.",
        match_target=20,
    ),
    _variant(
        "pairs",
        "Guru's pairs",
        "Two of a kind make a book.",
        short={
            2: dealt_from(13),
            3: dealt_from(12, deal=3, **NEW_HAND),
            4: dealt_from(13, deal=3, **NEW_HAND),
        },
        fewest=9,  # with fewer, so many pairs are dealt that a hand is soon empty
        book_size=2,
    ),
    _variant(
        "threes",
        "Threes",
        "Three of a kind make a book, and the fourth card is laid beside it.",
        short={
            2: dealt_from(13),
            3: dealt_from(13, deal=4, **NEW_HAND),
            4: dealt_from(13, deal=4, **NEW_HAND),
        },
        book_size=3,
        book_layoff="auto",
    ),
    _variant(
        "deduct",
        "Empty your hand",
        "Books are points, and every card left in the hand takes one away.",
        score_deduct=1,
    ),
    _variant(
        "play_on",
        "Play on",
        "When the pond is empty, asking goes on until a hand is empty.",
        seats=4,
        end=["hand_empty"],
    ),
    _variant(
        "exact_card",
        "Exact cards",
        "Ask for one exact card of a rank you hold.",
        short={2: dealt_from(10), 3: dealt_from(12, deal=4), 4: dealt_from(13, deal=3)},
        ask_what="card",
    ),
    _variant(
        "ask_all",
        "Ask everybody",
        "Ask all the others at once: everyone who has the rank gives it.",
        ask_scope="all",
        turn_next="clockwise",
    ),
    _variant(
        "new_hand",
        "A new hand",
        "A player with an empty hand takes a new one; the round ends when the pond is empty.",
        **NEW_HAND,
    ),
    _variant(
        "retire",
        "Done is done",
        "A player with an empty hand is done; the others play until the pond is empty.",
        refill_retire=True,
        end=["stock_out"],
    ),
    _variant(
        "hand_fishing",
        "Fishing in hands",
        "Go fish means: take a card from that hand without looking.",
        short={2: dealt_from(10), 3: dealt_from(10), 4: dealt_from(12)},
        miss="draw_asked_hand",
    ),
    _variant(
        "how_many",
        "How many?",
        'A player who has the rank asks "how many?", and you must not name too many.',
        short={2: dealt_from(9), 3: dealt_from(11), 4: dealt_from(13, deal=4)},
        response="challenge",
    ),
)
