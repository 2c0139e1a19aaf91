"""Questions on paper: those on the ring beside a game, and the three of a family's sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from classroom.engine.rules import RANKS, Rules
from classroom.web.words.filters import in_words
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

# ---- The ring: questions that fit every game, and three for each way of making a book

_ALL: Final = (
    N_("Who might have what you need?"),
    N_("What did you ask for last? What came?"),
    N_("Who asked for something that you have?"),
    N_("How do you know?"),
    N_("How many more do you need?"),
    N_("How many cards do you have now? Who has more?"),
)
_OWN: Final[Mapping[str, tuple[str, str, str]]] = {
    "class": (
        N_("Do you have\u00a0…?"),
        N_("Which number comes next after this one?"),
        N_("How many of these have you seen? How many are left?"),
    ),
    "sum": (
        N_("I have\u00a0… What do I need?"),
        N_("How many places are empty?"),
        N_("Which other two cards make the same?"),
    ),
    "four": (
        N_("What is the same about these cards?"),
        N_("What is different about them?"),
        N_("Which card would make it four?"),
    ),
    "fish": (
        N_("Do you have any frogs?"),
        N_("Which family do you have most of?"),
        N_("Who could have the last one?"),
    ),
}


def prompts(rules: Rules) -> tuple[str, ...]:
    """The nine questions on the ring of a game."""
    return tuple(map(_, (*_OWN[rules.book_kind], *_ALL)))


# ---- A family's sheet of the week. `n`: a number that suits the child

_ASK: Final[Mapping[str, tuple[str, str, str]]] = {
    "class": (
        N_("Find the number %(n)s. What comes next? What came before?"),
        N_("You have %(half)s cards here. How many more would make %(n)s?"),
        N_("Who asked for something a moment ago? Do you have it now?"),
    ),
    "sum": (
        N_("You have %(half)s. What do you need to make %(top)s? How did you see it?"),
        N_("Which other two numbers make %(top)s?"),
        N_("Which number did I ask for? So which one must I have?"),
    ),
    "four": (
        N_("What is the same about these two cards? And what is different?"),
        N_("Which card would make your three into a four? Is there another?"),
        N_("Which card did I show you? What was I looking for?"),
    ),
    "fish": (
        N_("Which family do you have most of? How many more make a book?"),
        N_("You count %(half)s fish here. How many more would make %(n)s?"),
        N_("Which family did I ask for last? What have you got of it?"),
    ),
}
_TRAINED: Final[Mapping[str, str]] = {
    "class": N_("Counting to %(n)s, and knowing which number comes next."),
    "sum": N_("Seeing which two numbers make %(top)s."),
    "four": N_("Seeing what things have in common: colour, shape and number."),
    "fish": N_("Sorting into families, and counting to %(n)s."),
}
_ALWAYS: Final = (
    N_("Remembering who asked for what."),
    N_("Asking in a whole sentence, waiting for a turn, and giving gladly."),
)


def questions(rules: Rules, n: int) -> tuple[str, ...]:
    """Three questions for a family to ask while it plays: numbers, thinking, remembering."""
    numbers = _numbers(rules, n)
    return tuple(_(line, **numbers) for line in _ASK[rules.book_kind])


def practised(rules: Rules, n: int) -> tuple[str, ...]:
    """What a child practises in the game."""
    return (_(_TRAINED[rules.book_kind], **_numbers(rules, n)), *map(_, _ALWAYS))


def needed(rules: Rules) -> str:
    """The cards that a family needs: some games can be played with cards from a shop."""
    match rules.deck_kind:
        case "french" if len(rules.deck_ranks) == len(RANKS):
            return _("A pack of cards from a shop, without the jokers, or the cards from school.")
        case "french":
            return _(
                "The ace to the %(last)s of a pack of cards from a shop, or the cards from school.",
                last=in_words(len(rules.deck_ranks)),
            )
        case "numbers":
            return _(
                "Slips of paper with the numbers 0 to %(top)s, %(copies)s of each, or the cards "
                "from school.",
                top=rules.deck_top,
                copies=in_words(rules.deck_copies),
            )
    return _("The cards from school.")


def _numbers(rules: Rules, n: int) -> dict[str, int]:
    """The numbers of a sentence: one that the cards have, and in a sum a part of the whole."""
    top = rules.deck_top or 0
    shown = max(3, min(n, len(rules.deck_ranks)))
    return {"n": shown, "top": top, "half": (top or shown) // 2}
