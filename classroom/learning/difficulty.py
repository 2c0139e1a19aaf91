"""How hard each kind of question is, in logits: the one table from which all difficulties are made.

The table says how hard each kind is with the number five. Each doubling of the number adds SLOPE,
and the numbers 1 to 4 add what SMALL says. Some kinds have one more thing that makes them harder. 0
is even odds for a new child, luck aside.

SMALL and SLOPE were checked against Numberbank (docs/learning.md). All other numbers are our own
guesses from before any child had answered, and were checked against nothing.
"""

from __future__ import annotations

from math import log2
from typing import Final, NamedTuple


class QuestionKind(NamedTuple):
    """How hard a kind is with the number five; `more`: what is added, and `of`: for what."""

    at_five: float
    more: float = 0.0
    of: str = ""


CLOSE: Final = "times the smaller number divided by the greater (Weber)"

KINDS: Final[dict[str, QuestionKind]] = {
    # how many
    "flash": QuestionKind(0.8),
    "count_class": QuestionKind(-0.6),
    "count_hand": QuestionKind(-0.8),
    "count_pips": QuestionKind(-0.8),
    "count_books": QuestionKind(-0.6),
    "given": QuestionKind(-0.4),
    "mixed": QuestionKind(-0.2, 0.3, "for each card that comes or goes"),
    "give": QuestionKind(-0.2),
    # numerals and their order
    "dots_to_numeral": QuestionKind(-0.8),
    "numeral_to_dots": QuestionKind(-0.6),
    "hear_numeral": QuestionKind(-1.0),
    "next": QuestionKind(-0.6),
    "before": QuestionKind(0.0),
    "between": QuestionKind(-0.2),
    "count_on": QuestionKind(-0.2),
    "count_back": QuestionKind(0.3),
    "ten_and": QuestionKind(-1.8),
    "ones_of": QuestionKind(-1.4),
    # adding and taking away
    "more_for_book": QuestionKind(-0.4, 0.3, "for each missing card after the first"),
    "left_after_draw": QuestionKind(-0.4),
    "swim_away": QuestionKind(-0.1, 0.15, "for each fish after the first that swims away"),
    "books_missing": QuestionKind(-0.1, 0.15, "for each book after the first in the smaller part"),
    "complement": QuestionKind(-1.0, 0.12, "for each one in the smaller part"),
    "double": QuestionKind(-0.4),
    "books_of_all": QuestionKind(-0.2),
    "books_of_three": QuestionKind(0.1, 0.3, "for each player after the second"),
    "points_of_two": QuestionKind(-0.2),
    "got_more": QuestionKind(-0.4, 0.15, "for each card after the first that comes"),
    "cards_of_two": QuestionKind(-0.2),
    # more and fewer
    "most_cards": QuestionKind(-1.3, 1.2, CLOSE),
    "fewest_cards": QuestionKind(-0.7, 1.2, CLOSE),
    "most_books": QuestionKind(-0.1, 1.2, CLOSE),
    "how_many_more": QuestionKind(-0.1),
    "greatest_number": QuestionKind(-2.4, 1.2, CLOSE),
    "smallest_number": QuestionKind(-1.9, 1.2, CLOSE),
    # what belongs together
    "belongs": QuestionKind(-1.0, 0.3, "for each trait that is not the suit"),
    "count_kind": QuestionKind(0.4, 0.3, "for each doubling of the hand"),
}
SLOPE: Final = 1.5  # what doubling the number adds
FIVE: Final = 5
SMALL: Final = {1: -0.3, 2: -0.4, 3: 0.2, 4: 0.3}
"""What is added for the first number words. Children learn them one by one, and three long after
two. The values come from 12 studies of Numberbank, in which 1,289 children of 36 to 71 months were
asked to "give N" (27,040 trials without titration). There the numbers differ by these logits: 1 to
2: 1.68, 2 to 3: 1.87, 3 to 4: 0.96, 4 to 6: 0.94, 5 to 8: 0.70, 1 to 5: 3.20, each with a 95 %
range of about 0.4 to 0.6 either way."""


def hardness(kind: str, number: int, more: float = 0.0) -> float:
    """Estimate how hard an item is. `more`: how much it has of what makes its kind harder.

    >>> hardness("count_hand", 8) > hardness("count_hand", 4) > hardness("count_class", 2)
    True
    """
    size = SLOPE * log2(max(1, number) / FIVE) + SMALL.get(max(1, number), 0.0)
    return KINDS[kind].at_five + size + KINDS[kind].more * more
