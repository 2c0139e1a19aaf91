"""Labels of the rule mixer's knobs, and why some rules cannot be combined."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from classroom.engine.checks import Verdict
from classroom.engine.rules import Reason, Rules
from classroom.games import variants
from classroom.web.words.language import N_, gettext as _

# ---- Labels for teachers: each knob of the rule mixer and each of its choices

GROUPS: Final = {
    "cards": N_("The cards"),
    "asking": N_("Asking"),
    "turns": N_("Whose turn"),
    "books": N_("Books"),
    "end": N_("Empty hands and the end"),
    "points": N_("Points"),
}

LOOKS: Final = {
    "both": N_("Numeral and frame"),
    "numeral": N_("Numeral"),
    "frame": N_("Ten-frame"),
    "dots": N_("Dots"),
    "tally": N_("Tally marks"),
    "fingers": N_("Fingers"),
    "word": N_("Number word"),
    "mixed": N_("Mixed: frames, dots, tallies and fingers"),
}
"""The labels for the ways to show a number in Make Ten (LOOKS in web/child/card_faces.py)."""

KNOBS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "kinds": (N_("Kinds of card"), {str(n): str(n) for n in range(4, 14)}),
    "family_kinds": (
        N_("Cards in each family"),
        {
            "4": N_("Four and a double fish"),
            "7": N_("Seven and a double fish"),
            "10": N_("Ten and a double fish"),
            "13": N_("Thirteen and a double fish"),
        },
    ),
    "top": (N_("Two cards add up to"), {str(n): str(n) for n in (5, 6, 7, 8, 9, 10, 12, 15, 20)}),
    "copies": (N_("Cards of each number"), {str(n): str(n) for n in (4, 6, 8, 10, 12)}),
    "wild": (
        N_("Wild cards"),
        {"no": N_("None: 64 cards"), "yes": N_("Black, the blob and the question mark: 125 cards")},
    ),
    "joker": (
        N_("Double fish"),
        {"suited": N_("Each belongs to a family"), "wild": N_("Go with any family")},
    ),
    "deal": (N_("Cards dealt to each player"), {str(n): str(n) for n in range(3, 10)}),
    "class": (
        N_("What is asked for"),
        {"rank": N_("A number"), "colour_rank": N_("A number and a colour")},
    ),
    "what": (
        N_("How exact an ask is"),
        {"class": N_("All of that kind"), "card": N_("One particular card")},
    ),
    "bluff": (
        N_("May players ask for cards they hold?"),
        {"no": N_("No"), "yes": N_("Yes, as a bluff")},
    ),
    "scope": (N_("Who is asked"), {"one": N_("One player"), "all": N_("Everyone at once")}),
    "bait": (
        N_("The card used for asking"),
        {"asked": N_("Is shown to the player asked"), "nobody": N_("Is not shown")},
    ),
    "empty_target": (
        N_("Players without cards"),
        {"illegal": N_("Cannot be asked"), "legal": N_("May be asked")},
    ),
    "response": (
        N_("A player who has some"),
        {
            "all": N_("Gives all of them"),
            "one": N_("Gives one"),
            "challenge": N_("Asks “how many?”"),
            "challenge_all": N_("Asks “how many?” and gives all"),
            "challenge_optional": N_("Gives all, or asks “how many?”"),
        },
    ),
    "catch_to": (
        N_("Caught cards"),
        {"boat": N_("Go into the boat"), "hand": N_("Go into the hand")},
    ),
    "catch": (
        N_("After a catch"),
        {
            "again": N_("The same player asks again"),
            "again_if_book": N_("The same player asks again only after a new book"),
        },
    ),
    "miss": (
        N_("Go fish means"),
        {
            "draw_stock": N_("A card from the pond"),
            "draw_asked_hand": N_("A card from that player’s hand"),
        },
    ),
    "lucky": (
        N_("Fishing the card asked for"),
        {
            "again_must_show": N_("Show it and ask again"),
            "again_may_show": N_("May be shown, to ask again"),
            "ends": N_("The turn still ends"),
        },
    ),
    "next": (
        N_("After a miss the turn goes"),
        {"clockwise": N_("To the next player"), "refuser": N_("To the player who said “go fish”")},
    ),
    "size": (
        N_("Cards in a book"),
        {"2": N_("Two"), "3": N_("Three"), "4": N_("Four"), "5": N_("Five")},
    ),
    "layoff": (
        N_("Single cards of a finished book"),
        {
            "none": N_("Stay in the hand"),
            "auto": N_("Are laid beside it"),
            "choice": N_("May be laid"),
        },
    ),
    "books": (N_("Books are laid"), {"public": N_("Face up"), "face_down": N_("Face down")}),
    "refill": (
        N_("With no cards left"),
        {
            "hand": N_("Draw a whole new hand at once"),
            "own_turn": N_("Draw a new hand on the next turn"),
            "one": N_("Draw one card on the next turn"),
            "none": N_("Draw none"),
            "retire": N_("Drop out"),
        },
    ),
    "end": (
        N_("The round ends"),
        {
            "all_booked": N_("When all books are made"),
            "hand_or_pond": N_("When a hand or the pond is empty"),
            "hand": N_("When a hand is empty"),
            "pond": N_("When the pond is empty"),
            "books_1": N_("When a player makes a first book"),
            "books_2": N_("When a player makes a second book"),
            "books_3": N_("When a player makes a third book"),
            "books_4": N_("When a player makes a fourth book"),
            "books_5": N_("When a player makes a fifth book"),
            "books_7": N_("When a player makes a seventh book"),
            "books_10": N_("When a player makes a tenth book"),
        },
    ),
    "fours_end": (
        N_("The round ends"),
        {
            "dead": N_("When no set of four can be made"),
            "books_1": N_("When a player makes a first set of four"),
            "books_2": N_("When a player makes a second set of four"),
            "books_3": N_("When a player makes a third set of four"),
            "books_4": N_("When a player makes a fourth set of four"),
            "books_5": N_("When a player makes a fifth set of four"),
            "books_7": N_("When a player makes a seventh set of four"),
        },
    ),
    "tide": (
        N_("All against the pond"),
        {
            "no": N_("No: everyone plays for themselves"),
            **{str(n): N_("Low tide: %(steps)s steps") for n in variants.TIDES},
        },
    ),
    "declare": (
        N_("“I cannot make a four”"),
        {"yes": N_("Players may say it; then all cards are shown"), "no": N_("Is not in the game")},
    ),
    "per": (N_("Points are given for"), {"book": N_("Books"), "card": N_("Cards in books")}),
    "deduct": (
        N_("Cards left at the end"),
        {"0": N_("Do not count"), "1": N_("Cost a point each")},
    ),
    "penalty": (
        N_("The Old Fish"),
        {"0": N_("Costs nothing"), "1": N_("Costs one point"), "3": N_("Costs three points")},
    ),
    "tie": (N_("A tie"), {"high_book": N_("The highest book wins"), "shared": N_("Is shared")}),
    "match": (
        N_("A match lasts"),
        {
            "none": N_("One round"),
            "3": N_("Until a player has 3 points"),
            "5": N_("Until a player has 5 points"),
            "10": N_("Until a player has 10 points"),
            "20": N_("Until a player has 20 points"),
            "30": N_("Until a player has 30 points"),
            "50": N_("Until a player has 50 points"),
            "100": N_("Until a player has 100 points"),
        },
    ),
}
"""The label of each knob and the labels of its choices."""

AS_THE_GAME: Final = N_("As in the game itself")


def knob_words(knob: variants.Knob, value: str) -> str:
    """The label of one choice of a knob."""
    return _(KNOBS[knob.key][1].get(value, AS_THE_GAME), steps=value)


# ---- Why some rules cannot be combined, and what else a teacher should know about the rules

REFUSED: Final[dict[str, str]] = {
    "A7": N_("These cards cannot be asked for, or made into books, in this way."),
    "R1": N_(
        "If everyone is asked at once, several players may say “go fish”, so the turn cannot "
        "go to the one who said it. Let it go to the next player."
    ),
    "R2": N_("For “how many?” and for fishing in a hand, one player must be asked, not everyone."),
    "R3": N_(
        "If an empty hand ends the round, its player cannot also draw again or drop out. Choose "
        "one."
    ),
    "R4": N_(
        "If players with no cards drop out, choose a different ending: when the pond is empty, "
        "or when all books are made."
    ),
    "R5": N_(
        "When all books have been made, no cards are left in anybody’s hand, so cards cannot cost "
        "points. Choose a different ending."
    ),
    "R6": N_(
        "With this size of book some cards are always left over, so it is never possible to make "
        "all books. Choose another size or ending, or let single cards be laid beside their book."
    ),
    "R7": N_(
        "A book takes all cards of its kind here, so there are no single cards to lay beside it."
    ),
    "R8": N_("There is only one such card, so “how many?” makes no sense."),
    "R11": N_(
        "One card can belong to several fours, so the player who holds the cards must decide."
    ),
    "R13": N_(
        "These books have no order, so the highest book cannot decide a tie. Please let tied "
        "players share the win."
    ),
    "R14": N_("With these cards nothing would be left over, so nobody would hold the Old Fish."),
    "R15": N_("There are not enough cards to deal this many to each player."),
    "R16": N_("A book of this size can never be made: there are not enough cards of one kind."),
    "R17": N_("There are not enough cards to make that many books."),
    "R18": N_(
        "In a match of several rounds a tie is decided by another round. Please let tied players "
        "share the win."
    ),
    "R19": N_("With double fish for any family, several players may be left with cards."),
    "R22": N_("Low tide is for three or four players; computer friends fill the table."),
    "R23": N_(
        "In Low tide everyone plays together: one player is asked and gives what was "
        "asked for, a fished card is shown if it was asked for, books lie face up, and "
        "the round ends when all books are made. Please choose these rules, or turn Low "
        "tide off."
    ),
    "GA9": N_("A player with no cards draws again or drops out, not both."),
    "F7": N_(
        "The card used for asking is shown only to the player asked, but with these rules "
        "everyone is asked at once."
    ),
    "GA8": N_("Players can ask for one particular card only if each card belongs to one kind."),
    "G12": N_("Single cards can be laid only beside books of one kind."),
    "FA19": N_("A four is always four cards."),
    "F17": N_("“I cannot make a four” belongs to Fisherman’s Fours."),
    "O4": N_("A double fish would be a whole book by itself."),
}
"""Why rules are refused, by the id of the reason in engine/checks.py."""

DOUBTED: Final[dict[str, str]] = {
    "R6": N_(
        "With a card set aside, some books can never be made. The round ends when no more books "
        "can be made."
    ),
    "R9": N_(
        "A card fished from a hand can never be the one asked for, because the player who was "
        "asked has none."
    ),
    "R10": N_(
        "A player who always says “one” gets all the cards, so naming a number is never a risk."
    ),
    "R12": N_("A boat changes nothing here: all cards of a kind move together anyway."),
    "R15": N_("There are not enough cards for a full table, so fewer players can sit down."),
    "R17": N_("The number of books has no effect, because it does not end the round."),
    "R20": N_(
        "With more than two players, someone may be told “go fish” when the pond is empty. When "
        "nobody can do anything, the round ends by itself."
    ),
    "R21": N_("Books are turned face up at the end to decide a tie."),
    "OA11": N_("Now and then nothing is left over, and no one has the Old Fish."),
    "GA8": N_("Asking for a card you hold has no effect when players ask for whole kinds."),
    "F16": N_("The boats stay empty, so nothing can be taken out of them."),
}
"""What a teacher should know about rules that can be played, by the id of the reason."""


def refusals(verdict: Verdict) -> tuple[str, ...]:
    """Why these rules cannot be played, without repeats."""
    return _said(verdict.reasons, REFUSED)


def doubts(verdict: Verdict) -> tuple[str, ...]:
    """What a teacher should know about rules that can be played, without repeats."""
    return _said(verdict.warnings, DOUBTED)


def _said(reasons: tuple[Reason, ...], words: dict[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_(words[reason.id]) for reason in reasons))


def tide_note(rules: Rules) -> Iterator[str]:
    """In low tide: how many steps of the tide suit these rules."""
    if rules.end_tide is None:
        return
    found = variants.steps_for(rules)
    if found is None:
        yield _("These cards have not been tried with a tide. More steps make the game easier.")
        return
    three, four = (_span(steps) for steps in found)
    yield _(
        "With these cards, %(three)s steps suit three players, and %(four)s suit four. More steps "
        "make the game easier.",
        three=three,
        four=four,
    )


def _span(steps: Collection[int]) -> str:
    low, high = min(steps), max(steps)
    return str(low) if low == high else _("%(low)s to %(high)s", low=low, high=high)
