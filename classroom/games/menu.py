"""All the games on the menu: rules as data, each with a name and a sentence for people. They are
grouped by family, and their sources are listed in docs/rules.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from classroom.engine.rules import RANKS, Rules


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game on the menu.

    `sentence`: tells people in one sentence how the game is played. `seats`: the number of seats
    that suits it best. `short`: for each number of seats, the dimensions to change so that a round
    lasts 6 to 10 minutes at a child's table (docs/round-length.md). `fewest`: the fewest kinds of
    card for a good round; 0 if the small deck has enough.
    """

    key: str
    name: str
    rules: Rules
    sentence: str
    seats: int
    short: Mapping[int, Mapping[str, Any]]
    fewest: int = 0

    def short_rules(self, seats: int) -> Rules:
        return self.rules.changed(self.short.get(seats, {}))


def dealt_from(kinds: int, deal: int = 0, **changes: Any) -> dict[str, Any]:
    """Return the changes that leave this number of ranks, from the ace up. `deal`: the cards dealt
    to each seat, or 0 for no change. If fewer are dealt, emptying the pond takes more asks."""
    ranks = {"deck.ranks": RANKS[:kinds]}
    return ranks | ({"deal": {"default": deal}} if deal else {}) | changes


# ---- The classic game from doc 000 and its variations

SHORT: Final = {2: dealt_from(10), 3: dealt_from(10, deal=4), 4: dealt_from(10, deal=3)}

CLASSIC: Final = Game(
    key="classic",
    name="Go Fish",
    rules=Rules(),
    sentence="Ask for a rank that you hold, and collect all four cards of that rank.",
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

LOW_TIDE: Final = Game(
    key="low_tide",
    name="Low tide",
    rules=Rules().changed({"seats": [3, 4], "end.tide": 10} | dealt_from(7, deal=5)),
    sentence="Everyone plays against the pond: make all the books together before the tide has "
    "gone out.",
    seats=4,
    short={},
)
"""Low tide uses the decks of Go Fish. Its number of steps depends on the age (variants.py)."""


# ---- The five-suit deck from doc 004: Old Fish, and the traditional game played with it

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
    sentence="Three of a suit make a book, and a Joker counts as two; do not be left with the Old "
    "Fish.",
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
    sentence="Go Fish with five suits: all five cards of a rank make a book, and Jokers are a "
    "rank.",
    seats=3,
    short={2: dealt_from(8), 3: dealt_from(8), 4: dealt_from(9)},
)


# ---- Fisherman's Fours from doc 003, with a colour, shape and number on each card, and Wild Fours


def _first_to(fours: int) -> dict[str, Any]:
    """Return the changes that end a round as soon as a seat has this number of fours (W7)."""
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
    rules=FOURS.rules.changed({"deck.wild": True, "lucky": "again_may_show"} | _first_to(4)),
    sentence="Fisherman’s Fours with wild cards: black cards, blobs and question marks. The first "
    "to make four fours wins.",
    seats=3,
    short=dict.fromkeys((3, 4), _first_to(3)),
)


# ---- The game from doc 001 and its many variants

BASE: Final = Rules().changed(
    {
        "turn.next": "refuser",
        "refill.active": ["never", "deal"],
        "refill.passive": ["never", "deal"],
        "end": ["hand_empty", "stock_out"],
        "tie": "shared",
    }
)


GURU_SHORT: Final = {2: dealt_from(11), 3: dealt_from(12, deal=4), 4: dealt_from(12, deal=3)}

NEW_HAND: Final[Mapping[str, Any]] = {
    "end": ["stock_out"],
    "refill.active": ["now", "deal"],
    "refill.passive": ["now", "deal"],
}
"""Changes that let a seat with an empty hand take a new one (G17). Two variants with small books
need them in their short forms for three or four seats. Otherwise the first empty hand would end a
round after three or four minutes, whatever the deck."""


def _variant(
    key: str,
    name: str,
    sentence: str,
    seats: int = 3,
    short: Mapping[int, Mapping[str, Any]] = GURU_SHORT,
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
    short=GURU_SHORT,
)

VARIANTS: Final = (
    _variant(
        "points",
        "Points",
        "Each book scores a point, and you play round after round until someone has twenty points.",
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
        fewest=9,  # with fewer ranks, hands have so many pairs that one is soon empty
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
        "Each book scores a point; each card left in your hand loses one.",
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
        "Ask everybody else at once: whoever has cards of that rank hands them over.",
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
        "“Go fish” means that you take a card, without looking, from the hand of the "
        "player you asked.",
        short={2: dealt_from(10), 3: dealt_from(10), 4: dealt_from(12)},
        miss="draw_asked_hand",
    ),
    _variant(
        "how_many",
        "How many?",
        "A player who has what you asked for says “How many?”. Name more cards than they have, and "
        "you get none.",
        short={2: dealt_from(9), 3: dealt_from(11), 4: dealt_from(13, deal=4)},
        response="challenge",
    ),
)


# ---- Make Ten and Make Five: a seat asks for the number that completes the sum

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
    sentence="I have 3, I need 7: two cards that add up to ten make a book.",
    seats=2,
    short={2: {"deal": {"default": 5}}, 3: {"deck.copies": 6}, 4: {"deck.copies": 6}},
)

MAKE_FIVE: Final = Game(
    key="make_five",
    name="Make Five",
    rules=MAKE_TEN.rules.changed({"deck.top": 5, "seats": [2, 4]}),
    sentence="I have 2, I need 3: two cards that add up to five make a book.",
    seats=2,
    short={2: {"deck.copies": 10}, 3: {"deck.copies": 12}, 4: {"deck.copies": 14}},
)


# ---- The pairs game for two players from doc 002

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
    sentence="Two players collect pairs; fish the card you asked for and your wish comes true.",
    seats=2,
    short={2: dealt_from(10)},
)


# ---- The menu

GAMES: Final[dict[str, Game]] = {
    game.key: game
    for game in (
        CLASSIC,
        CLASSIC_FACE_DOWN,
        COLOUR_PAIRS,
        RANK_PAIRS,
        LOW_TIDE,
        GURU,
        *VARIANTS,
        WISH_PAIRS,
        FOURS,
        FOURS_WILD,
        OLD_FISH,
        FIVE_SUIT_CLASSIC,
        MAKE_TEN,
        MAKE_FIVE,
    )
}
