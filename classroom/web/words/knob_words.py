"""The knobs of the mixer in the words of an adult: what is chosen at each, and what each choice is
called."""

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
"""How the numbers of Make Ten are shown; the keys are web.faces.LOOKS."""

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
    "what": ("How exactly", {"class": "All of that kind", "card": "One very card"}),
    "bluff": ("May own cards be asked for?", {"no": "No", "yes": "Yes, as a bluff"}),
    "scope": ("Who is asked", {"one": "One player", "all": "Everybody at once"}),
    "bait": (
        "The card one asks with",
        {"asked": "Is shown to who is asked", "nobody": "Is not shown"},
    ),
    "empty_target": (
        "Players without cards",
        {"illegal": "Cannot be asked", "legal": "May be asked"},
    ),
    "response": (
        "Who has some",
        {
            "all": "Gives all of them",
            "one": "Gives one",
            "challenge": "Asks “how many?”",
            "challenge_optional": "Gives all, or asks “how many?”",
        },
    ),
    "catch_to": ("What is caught", {"boat": "Goes into the boat", "hand": "Goes into the hand"}),
    "catch": (
        "After a catch",
        {"again": "One asks again", "again_if_book": "Again only with a new book"},
    ),
    "miss": (
        "Go fish means",
        {"draw_stock": "A card from the pond", "draw_asked_hand": "A card from the asked hand"},
    ),
    "lucky": (
        "Fishing what was asked for",
        {
            "again_must_show": "Is shown; one asks again",
            "again_may_show": "May be shown, to ask again",
            "ends": "Ends the turn all the same",
        },
    ),
    "next": (
        "After a miss the turn goes",
        {"clockwise": "To the next player", "refuser": "To who said go fish"},
    ),
    "size": ("Cards in a book", {"2": "Two", "3": "Three", "4": "Four", "5": "Five"}),
    "layoff": (
        "Single cards of a book that is made",
        {"none": "Stay in the hand", "auto": "Are laid beside it", "choice": "May be laid"},
    ),
    "books": ("Books lie", {"public": "Face up", "face_down": "Face down"}),
    "refill": (
        "Who has no cards",
        {
            "hand": "Takes a whole new hand at once",
            "own_turn": "Takes a new hand at the own turn",
            "one": "Takes one card at the own turn",
            "none": "Takes none",
            "retire": "Is done and rests",
        },
    ),
    "end": (
        "The round ends",
        {
            "all_booked": "When all books are made",
            "hand_or_pond": "With the first empty hand or the pond",
            "hand": "With the first empty hand",
            "pond": "When the pond is empty",
            **{f"books_{n}": f"With the {nth} book of one player" for n, nth in (
                (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"),
                (7, "seventh"), (10, "tenth"),
            )},
        },
    ),
    "fours_end": (
        "The round ends",
        {
            "dead": "When no four can be made",
            **{f"books_{n}": f"With the {nth} four of one player" for n, nth in (
                (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"),
                (7, "seventh"),
            )},
        },
    ),
    "declare": (
        "“I can make no four”",
        {"yes": "May be declared; all cards lie open", "no": "Is not in the game"},
    ),
    "per": ("Counted are", {"book": "Books", "card": "Cards in books"}),
    "deduct": ("Cards left at the end", {"0": "Do not count", "1": "Take a point each"}),
    "penalty": (
        "The Old Fish",
        {"0": "Costs nothing", "1": "Takes one point", "3": "Takes three points"},
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
"""For each knob what is chosen there, and what each choice is called."""

AS_THE_GAME: Final = "As in the game"


def knob_words(knob: knobs.Knob, value: str) -> str:
    """What a choice at a knob is called."""
    return KNOBS[knob.key][1].get(value, AS_THE_GAME)
