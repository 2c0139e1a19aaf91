"""Labels for teachers: each knob of the rule mixer and each of its choices."""

from __future__ import annotations

from typing import Final

from classroom.games import knobs
from classroom.web.words.filters import first_upper, in_words

GROUPS: Final = {
    "cards": "The cards",
    "asking": "Asking",
    "turns": "Whose turn",
    "books": "Books",
    "end": "Empty hands and the end",
    "points": "Points",
}

LOOKS: Final = {
    "both": "Numeral and frame",
    "numeral": "Numeral",
    "frame": "Ten-frame",
    "dots": "Dots",
    "tally": "Tally marks",
    "fingers": "Fingers",
    "word": "Number word",
    "mixed": "Mixed: frames, dots, tallies and fingers",
}
"""How the numbers of Make Ten are shown; the keys are card_faces.LOOKS."""

KNOBS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "kinds": ("Kinds of card", {str(n): first_upper(in_words(n)) for n in range(4, 14)}),
    "family_kinds": (
        "Cards in each family",
        {str(n): f"{first_upper(in_words(n))} and a double fish" for n in (4, 7, 10, 13)},
    ),
    "top": ("Two cards make", {str(n): str(n) for n in (5, 6, 7, 8, 9, 10, 12, 15, 20)}),
    "copies": ("Cards of each number", {str(n): str(n) for n in (4, 6, 8, 10, 12)}),
    "wild": ("Wild cards", {"no": "None: 64 cards", "yes": "Black, blob and ?: 125 cards"}),
    "joker": (
        "Double fish",
        {"suited": "Each belongs to a family", "wild": "Go with any family"},
    ),
    "deal": ("Cards for each at the start", {str(n): str(n) for n in range(3, 10)}),
    "class": ("What is asked for", {"rank": "A number", "colour_rank": "A number and a colour"}),
    "what": ("How exactly", {"class": "All of that kind", "card": "One particular card"}),
    "bluff": ("May players ask for cards they hold?", {"no": "No", "yes": "Yes, as a bluff"}),
    "scope": ("Who is asked", {"one": "One player", "all": "Everyone at once"}),
    "bait": (
        "The card used for asking",
        {"asked": "Is shown to the player asked", "nobody": "Is not shown"},
    ),
    "empty_target": (
        "Players without cards",
        {"illegal": "Cannot be asked", "legal": "May be asked"},
    ),
    "response": (
        "A player who has some",
        {
            "all": "Gives all of them",
            "one": "Gives one",
            "challenge": "Asks “how many?”",
            "challenge_optional": "Gives all, or asks “how many?”",
        },
    ),
    "catch_to": ("Caught cards", {"boat": "Go into the boat", "hand": "Go into the hand"}),
    "catch": (
        "After a catch",
        {"again": "The same player asks again", "again_if_book": "Again only with a new book"},
    ),
    "miss": (
        "Go fish means",
        {
            "draw_stock": "A card from the pond",
            "draw_asked_hand": "A card from that player’s hand",
        },
    ),
    "lucky": (
        "Fishing the card asked for",
        {
            "again_must_show": "Show it and ask again",
            "again_may_show": "May be shown, to ask again",
            "ends": "The turn ends all the same",
        },
    ),
    "next": (
        "After a miss the turn goes",
        {"clockwise": "To the next player", "refuser": "To the player who said “go fish”"},
    ),
    "size": ("Cards in a book", {"2": "Two", "3": "Three", "4": "Four", "5": "Five"}),
    "layoff": (
        "Single cards of a finished book",
        {"none": "Stay in the hand", "auto": "Are laid beside it", "choice": "May be laid"},
    ),
    "books": ("Books are laid", {"public": "Face up", "face_down": "Face down"}),
    "refill": (
        "With no cards left",
        {
            "hand": "Draw a whole new hand at once",
            "own_turn": "Draw a new hand on the next turn",
            "one": "Draw one card on the next turn",
            "none": "Draw none",
            "retire": "Drop out",
        },
    ),
    "end": (
        "The round ends",
        {
            "all_booked": "When all books are made",
            "hand_or_pond": "When a hand or the pond is empty",
            "hand": "When a hand is empty",
            "pond": "When the pond is empty",
            **{f"books_{n}": f"When a player makes a {nth} book" for n, nth in (
                (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"),
                (7, "seventh"), (10, "tenth"),
            )},
        },
    ),
    "fours_end": (
        "The round ends",
        {
            "dead": "When no four can be made",
            **{f"books_{n}": f"When a player makes a {nth} four" for n, nth in (
                (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"),
                (7, "seventh"),
            )},
        },
    ),
    "declare": (
        "“I cannot make a four”",
        {"yes": "May be declared; all cards are then open", "no": "Is not in the game"},
    ),
    "per": ("Points are for", {"book": "Books", "card": "Cards in books"}),
    "deduct": ("Cards left at the end", {"0": "Do not count", "1": "Cost a point each"}),
    "penalty": (
        "The Old Fish",
        {"0": "Costs nothing", "1": "Costs one point", "3": "Costs three points"},
    ),
    "tie": ("A tie", {"high_book": "The highest book wins", "shared": "Is shared"}),
    "match": (
        "A match is",
        {
            "none": "One round",
            **{str(n): f"Rounds to {n} points" for n in (3, 5, 10, 20, 30, 50, 100)},
        },
    ),
}  # fmt: skip
"""For each knob its label, and the label of each choice."""

AS_THE_GAME: Final = "As in the game"


def knob_words(knob: knobs.Knob, value: str) -> str:
    """The label of a choice at a knob."""
    return KNOBS[knob.key][1].get(value, AS_THE_GAME)
