"""The difficulty of questions, the facts they are made from, and drafts: questions that have no
options yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log2
from random import Random
from typing import Any, Final, Literal, NamedTuple

from classroom.engine import events as ev
from classroom.engine.cards import Card, Deck, deck_of, is_joker, rank_of, suit_of, value_of
from classroom.engine.observation import Observation, Seen

# ---- The difficulty of each kind of question, in logits
#
# DIFFICULTIES has each kind's difficulty with the number five. Each doubling of the number adds
# SLOPE, and the numbers 1 to 4 also add a value from SMALL. Some kinds have one more feature that
# makes them harder. 0 means even odds for a new child, luck aside.
#
# SMALL and SLOPE were checked against Numberbank (docs/learning.md). All other numbers are our own
# guesses and have not been checked against any data.


class QuestionKind(NamedTuple):
    """The difficulty with the number five, and `more` logits for each unit of a feature."""

    at_five: float
    more: float = 0.0


DIFFICULTIES: Final[dict[str, QuestionKind]] = {
    # counting
    "flash": QuestionKind(0.8),
    "count_class": QuestionKind(-0.6),
    "count_hand": QuestionKind(-0.8),
    "count_pips": QuestionKind(-0.8),
    "count_books": QuestionKind(-0.6),
    "given": QuestionKind(-0.4),
    "mixed": QuestionKind(-0.2, 0.3),  # for each card that comes or goes
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
    "more_for_book": QuestionKind(-0.4, 0.3),  # for each missing card after the first
    "left_after_draw": QuestionKind(-0.4),
    "swim_away": QuestionKind(-0.1, 0.15),  # for each fish after the first that swims away
    "books_missing": QuestionKind(-0.1, 0.15),  # for each book after the first in the smaller part
    "complement": QuestionKind(-1.0, 0.12),  # for each one in the smaller part
    "double": QuestionKind(-0.4),
    "books_of_all": QuestionKind(-0.2),
    "books_of_three": QuestionKind(0.1, 0.3),  # for each player after the second
    "points_of_two": QuestionKind(-0.2),
    "got_more": QuestionKind(-0.4, 0.15),  # for each card after the first that comes
    "cards_of_two": QuestionKind(-0.2),
    # comparing: `more` times the smaller number divided by the greater (Weber)
    "most_cards": QuestionKind(-1.3, 1.2),
    "fewest_cards": QuestionKind(-0.7, 1.2),
    "most_books": QuestionKind(-0.1, 1.2),
    "how_many_more": QuestionKind(-0.1),
    "greatest_number": QuestionKind(-2.4, 1.2),
    "smallest_number": QuestionKind(-1.9, 1.2),
    # sorting
    "belongs": QuestionKind(-1.0, 0.3),  # for each trait that is not the suit
    "count_kind": QuestionKind(0.4, 0.3),  # for each doubling of the hand
}
SLOPE: Final = 1.5  # logits for each doubling of the number
FIVE: Final = 5
SMALL: Final = {1: -0.3, 2: -0.4, 3: 0.2, 4: 0.3}
"""Additions for the first number words. Children learn these one by one, and three long after two.
The values come from 12 studies in Numberbank, in which 1,289 children aged 36 to 71 months were
asked to "give N" (27,040 trials without titration). The difficulty rises by 1.68 logits from 1 to
2, 1.87 from 2 to 3, 0.96 from 3 to 4, 0.94 from 4 to 6, 0.70 from 5 to 8, and 3.20 from 1 to 5. The
95 % ranges of these numbers are about ±0.4 to ±0.6."""


def hardness(kind: str, number: int, more: float = 0.0) -> float:
    """Estimate how hard an item is. `more`: the amount of the feature that makes its kind harder.

    >>> hardness("count_hand", 8) > hardness("count_hand", 4) > hardness("count_class", 2)
    True
    """
    size = SLOPE * log2(max(1, number) / FIVE) + SMALL.get(max(1, number), 0.0)
    return DIFFICULTIES[kind].at_five + size + DIFFICULTIES[kind].more * more


# ---- The facts that questions are made from, such as the child's hand and the asks of this round
#
# They come from the child's Observation alone, so no question can reveal a fact that the child may
# not know.

NUMBER_OF_RANK: Final = {rank: i + 1 for i, rank in enumerate("A23456789TJQK")}
MOVING: Final = (
    ev.Baited,
    ev.Fished,
    ev.FishedFromHand,
    ev.LaidBook,
    ev.LaidFaceDown,
    ev.LaidOff,
    ev.Refilled,
    ev.Replaced,
)
"""Events that change the number of cards in a hand, apart from gifts."""


class Heard(NamedTuple):
    """One ask of this round, as everyone heard it. `ago`: the lag in asks, 1 for the newest."""

    seq: int
    seat: int
    target: int | None
    class_: str
    ago: int


class Scene:
    """The facts that questions are made from. Raises ValueError for a viewer without a seat."""

    def __init__(self, observation: Observation) -> None:
        if not isinstance(observation.viewer, int):
            raise ValueError("a question is asked of a seat")
        self.observation = observation
        self.me: int = observation.viewer
        self.hand = observation.hand
        self.deck: Deck = deck_of(observation.rules)

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats, clockwise from the child."""
        seats = self.observation.seats
        return tuple((self.me + step) % seats for step in range(1, seats))

    @cached_property
    def groups(self) -> dict[str, tuple[Card, ...]]:
        """The child's cards by class, in the order of the deck, without empty classes."""
        members = self.deck.members
        return {
            class_: cards
            for class_ in self.deck.classes
            if (cards := tuple(card for card in self.hand if card in members[class_]))
        }

    @cached_property
    def heard(self) -> tuple[Heard, ...]:
        """All asks of the round, newest first."""
        o = self.observation
        asks = [(one.seq, one.event) for one in o.history if isinstance(one.event, ev.Asked)]
        return tuple(
            Heard(seq, e.seat, e.target if isinstance(e.target, int) else None, e.class_, ago)
            for ago, (seq, e) in enumerate(reversed(asks), 1)
        )

    @cached_property
    def open_classes(self) -> tuple[str, ...]:
        """The classes (or single cards) that are not yet completely in visible books."""
        o = self.observation
        laid = {card for books in o.books for book in books if book for card in book}
        if o.rules.ask_what == "card":
            return tuple(card for card in self.deck.cards if card not in laid)
        return tuple(c for c in self.deck.classes if not self.deck.members[c] <= laid)

    @property
    def books(self) -> tuple[tuple[tuple[Card, ...] | None, ...], ...]:
        """The books of each seat. There are none in a game against the pond, where all books go
        into one shell and players are not compared."""
        o = self.observation
        return o.books if o.tide is None else ((),) * o.seats

    @property
    def big_books(self) -> bool:
        """Whether a book needs four or more cards of a class, so a hand can hold three of them."""
        rules = self.observation.rules
        return rules.book_size >= 4 and rules.book_kind not in ("sum", "four")

    @cached_property
    def newest(self) -> tuple[ev.Event, ...]:
        o = self.observation
        return tuple(one.event for one in o.history if one.seq == o.seq)

    @cached_property
    def just_drawn(self) -> int:
        """How many cards the child fished in the newest move; 0 if other cards were taken too."""
        taken = [
            one for one in self.newest if isinstance(one, ev.Fished | ev.Refilled | ev.Replaced)
        ]
        mine = all(isinstance(one, ev.Fished) and one.seat == self.me for one in taken)
        # if other cards were taken too, the child cannot tell how many are left
        return len(taken) if mine else 0

    @cached_property
    def just_given(self) -> ev.Gave | None:
        """The cards that one player gave the child in the newest move; None if no player gave the
        child cards, or several did."""
        gifts = [one for one in self.newest if isinstance(one, ev.Gave) and one.taker == self.me]
        return gifts[0] if len(gifts) == 1 else None

    @cached_property
    def new_book(self) -> Seen | None:
        """The newest book in the shared shell; None if the turn has passed twice since then."""
        passed = 0
        for item in reversed(self.observation.history if self.observation.tide else ()):
            passed += isinstance(item.event, ev.TurnPassed)
            if isinstance(item.event, ev.LaidBook) or passed > 1:
                return item if passed < 2 else None
        return None

    @cached_property
    def kept_all(self) -> bool:
        """Whether the newest move changed the child's hand through gifts only, or not at all."""
        return not any(isinstance(one, MOVING) and one.seat == self.me for one in self.newest)

    def numbered(self) -> Iterator[tuple[Card, int]]:
        """Yield the child's cards that show a number, one card for each number."""
        found: set[int] = set()
        for card in self.hand:
            number = self.number(card)
            if number is not None and number not in found:
                found.add(number)
                yield card, number

    def numbers(self, low: int, high: int) -> list[int]:
        """Return the different numbers from `low` to `high` on the child's cards."""
        return [number for _, number in self.numbered() if low <= number <= high]

    def number(self, card: Card) -> int | None:
        """Return the number printed on a card; None if it has none. An ace is 1; jack, queen and
        king are 11 to 13 (children's cards show these as numerals)."""
        kind = self.observation.rules.deck_kind
        if kind == "numbers":
            return value_of(card)
        if kind == "fours":
            return int(card[2]) if card[2].isdigit() else None
        return None if is_joker(card) else NUMBER_OF_RANK[rank_of(card)]

    def traits(self, card: Card) -> dict[str, str]:
        """Return the traits by which a card can be sorted: their names and values."""
        kind = self.observation.rules.deck_kind
        if kind == "fours":
            return dict(zip(("colour", "shape", "number"), card, strict=True))
        if kind == "french":
            return {"suit": suit_of(card), "rank": rank_of(card)}
        return {"suit": suit_of(card)} if kind == "fish" and card[0] != "*" else {}


# ---- Drafts: questions with a right answer and possible wrong answers, but still without options

Face = Literal["numeral", "dots", "card", "seat", "class", "yes_no", "tapped"]
Lure = Literal["this_round", "previous_round"]
Trial = Literal["old", "new"]


@dataclass(frozen=True, slots=True)
class Stem:
    """What a question shows and says. Its kind decides which fields are used.

    `class_`: the class in question. `cards`: shown face up. `seats`: shown as faces. `numbers`:
    spoken, or drawn beside the seats as that many objects. `trait`: name and value of the trait to
    sort by. `brief`: whether the cards are shown for a moment only (subitizing).
    """

    class_: str | None = None
    cards: tuple[Card, ...] = ()
    seats: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    trait: tuple[str, str] | None = None
    brief: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The fields that a draft and the question made from it have in common.

    `face`: the form of the options. `number`: the greatest number the child must handle (the set
    counted, the sum, the whole of a bond); None if there is none. `difficulty`: in logits; 0 means
    even odds for a new child, luck aside. `lag_asks`: how many asks ago the fact was heard, from 1.
    `fact_seq`: the move that must be remembered.
    """

    kind: str
    stem: Stem
    face: Face
    difficulty: float
    number: int | None = None
    lag_asks: int | None = None
    fact_seq: int | None = None
    overlap: bool = False
    trial: Trial | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Item):
    """One question that could be asked now.

    `right`: the right answer. `wrong`: groups of wrong answers, the best group first. `keep`: wrong
    answers that must be among the options ("nobody", "the same"). `pad`: all options, in order, as
    on a number pad. `errors`: wrong numbers that children often give, such as one of the
    addends. `least`: the smallest number that may be offered. `lures`: for each tempting wrong
    answer, the round that it comes from.
    """

    right: Any
    errors: tuple[int, ...] = ()
    least: int = 1
    wrong: tuple[tuple[Any, ...], ...] = ()
    keep: tuple[Any, ...] = ()
    pad: tuple[Any, ...] = ()
    lures: dict[Any, Lure] = field(default_factory=dict)


Drafting = Callable[[Scene, int, int], Iterator[Draft]]
"""Yields all drafts of one kind that are possible now, with numbers from low to high."""

RANGE_ENDS: Final = (5, 10, 20)  # greatest numbers in the ranges 1-5, 6-10 and 11-20


def draft(
    kind: str,
    stem: Stem,
    right: Any,
    number: int,
    *,
    face: Face = "numeral",
    extra: float = 0.0,
    **more: Any,
) -> Draft:
    """Draft a question about a number. `extra`: passed to `hardness` as `more`."""
    level = hardness(kind, number, extra)
    return Draft(
        kind=kind, stem=stem, face=face, right=right, number=number, difficulty=level, **more
    )


def wrong_numbers(
    right: int, low: int, high: int, rng: Random, count: int, errors: Sequence[int] = ()
) -> tuple[int, ...]:
    """Choose wrong numbers from `low` to `high`: likely errors first, then the nearest numbers.

    How many of them are smaller than the right number is random, so that the right number is
    equally likely to be in any position when the options are sorted. Near the ends this is not
    possible: `low` can only be the smallest option. So all right numbers near an end get the same
    options, which do not give the answer away.
    """
    near = [number for away in range(1, count + 1) for number in (right - away, right + away)]
    at_ends = [right - low] if right - low <= count else []
    at_ends += [count - (high - right)] if high - right <= count else []
    smaller = rng.choice(at_ends) if at_ends else rng.randint(0, count)
    wanted = near if at_ends else [*errors, *near]
    fitting = [n for n in dict.fromkeys(wanted) if low <= n <= high and n != right]
    below = [n for n in fitting if n < right][:smaller]
    above = [n for n in fitting if n > right][: count - len(below)]
    return (*below, *above)


def spread(groups: Sequence[Sequence[Any]], count: int, rng: Random) -> list[Any]:
    """Choose up to `count` different wrong answers: better groups first, at random within each."""
    chosen: list[Any] = []
    for group in groups:
        fresh = [item for item in dict.fromkeys(group) if item not in chosen]
        rng.shuffle(fresh)
        chosen += fresh[: count - len(chosen)]
    return chosen
