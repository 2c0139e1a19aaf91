"""Why some rules cannot be combined, and what else a teacher should know about rules."""

from __future__ import annotations

from typing import Final

from classroom.engine.checks import Verdict
from classroom.engine.rules import Reason
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

REFUSED: Final[dict[str, str]] = {
    "A7": N_("These cards cannot be asked for, or made into books, in this way."),
    "R1": N_(
        "If everyone is asked at once, several players may say “go fish”, so the turn cannot "
        "go to the one who said it. Let it go to the next player."
    ),
    "R2": N_("For “how many?” and for fishing in a hand, one player must be asked, not everyone."),
    "R3": N_(
        "A player with no cards cannot both end the round and draw again or drop out. Choose one."
    ),
    "R4": N_(
        "If players with no cards drop out, choose a different ending: when the pond is empty, "
        "or when all books are made."
    ),
    "R5": N_(
        "When all books are made no cards are left in hands, so they cannot cost points. Choose "
        "a different ending."
    ),
    "R6": N_(
        "With this size of book some cards are always left over, so all books can never be made. "
        "Choose another size or ending, or let single cards be laid beside their book."
    ),
    "R7": N_(
        "A book takes all cards of its kind here, so there are no single cards to lay beside it."
    ),
    "R8": N_("There is only one such card, so “how many?” makes no sense."),
    "R11": N_("One card can belong to several fours, so their owner must decide."),
    "R13": N_("These books have no order, so no highest one can decide a tie. Let it be shared."),
    "R14": N_("With these cards nothing would be left over, so nobody would hold the Old Fish."),
    "R15": N_("There are not enough cards to deal this many to each player."),
    "R16": N_("A book of this size can never be made: there are not enough cards of one kind."),
    "R17": N_("There are not enough cards to make that many books."),
    "R18": N_("In a match of several rounds a tie is decided by another round. Let it be shared."),
    "R19": N_("With double fish for any family, several players may be left with cards."),
    "GA9": N_("A player with no cards draws again or drops out, not both."),
    "F7": N_("The card used for asking is shown to one player, but here no player is asked alone."),
    "GA8": N_("One particular card can be asked for only where every card belongs to one kind."),
    "G12": N_("Single cards can be laid only beside books of one kind."),
    "FA19": N_("A four is always four cards."),
    "F17": N_("“I cannot make a four” belongs to Fisherman’s Fours."),
    "O4": N_("A double fish would be a whole book by itself."),
}
"""Why rules are refused, by the id of the reason in engine/checks.py."""

DOUBTED: Final[dict[str, str]] = {
    "R6": N_(
        "With a card set aside some books can never be made; the round ends when no more can be."
    ),
    "R9": N_("A fished card can never be the one asked for: the player asked has none."),
    "R10": N_("Naming one always works, so it is never a risk."),
    "R12": N_("A boat changes nothing here: all cards of a kind move together anyway."),
    "R15": N_("There are not enough cards for a full table; fewer players can sit down."),
    "R17": N_("The number of books has no effect, because it does not end the round."),
    "R20": N_(
        "With more than two players someone may be told “go fish” when the pond is empty; a "
        "round in which nothing can move ends by itself."
    ),
    "R21": N_("Books are turned face up at the end to decide a tie."),
    "OA11": N_("Now and then nothing is left over, and no one has the Old Fish."),
    "GA8": N_("Asking for a card one holds has no effect where whole kinds are asked for."),
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
