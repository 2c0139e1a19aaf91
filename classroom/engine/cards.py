"""Cards and decks. A card is a string, its code (docs/record.md): `7H`, `RS1`, `L*`, `10-d`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from classroom.engine.rules import Rules

Card = str
Hand = frozenset[Card]

JOKER: Final = "*"
RANK_ORDER: Final = "23456789TJQKA*"
"""Ranks, lowest first: aces are high (C20), and the five-suit Joker rank is highest (S24)."""

RED: Final = "HD"
COLOURS, SHAPES, NUMBERS = "RYGB", "STHC", "1234"
WILD: Final = ("K", "O", "?")
"""The wild colour (black), the wild shape (blob) and the wild number (question mark)."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Deck:
    """All cards of a game and the classes that can be asked for, in their canonical order.

    `classes_of`: the classes of a card (three in Fours, none for a wild Joker, otherwise one).
    `members`: the cards of a class. `entitling`: a seat must hold one of these cards to ask for the
    class (its members, or in Make Ten those of its complement). `named`: the cards that the code of
    a class or card stands for. `place`, `class_place`: positions in the canonical order.
    """

    cards: tuple[Card, ...]
    classes: tuple[str, ...]
    classes_of: Mapping[Card, tuple[str, ...]]
    members: Mapping[str, Hand]
    entitling: Mapping[str, Hand]
    named: Mapping[str, Hand]
    place: Mapping[Card, int]
    class_place: Mapping[str, int]

    @property
    def overlaps(self) -> bool:
        """Whether any card has more than one class."""
        return any(len(classes) > 1 for classes in self.classes_of.values())

    def sorted(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """The cards in the deck's canonical order, which reveals nothing about a round (S27)."""
        return tuple(sorted(cards, key=self.place.__getitem__))

    def class_of(self, card: Card) -> str:
        """The class of a card, in decks where each card has exactly one."""
        return self.classes_of[card][0]


def rank_of(card: Card) -> str:
    """The rank of a French or five-suit card.

    >>> rank_of("7H"), rank_of("L*"), rank_of("RT")
    ('7', '*', 'T')
    """
    return card[1] if card[0] in "RLFSW" else card[0]


def suit_of(card: Card) -> str:
    """The suit of a French or five-suit card.

    >>> suit_of("7H"), suit_of("L*")
    ('H', 'L')
    """
    return card[0] if card[0] in "RLFSW" else card[1]


def rank_height(card: Card) -> int:
    """How high a card ranks in a tie-break, with aces high (C20).

    >>> rank_height("AS") > rank_height("KH") > rank_height("2C")
    True
    """
    return RANK_ORDER.index(rank_of(card))


def value_of(card: Card) -> int:
    """The value of a number card.

    >>> value_of("10-d")
    10
    """
    return int(card.partition("-")[0])


def is_joker(card: Card) -> bool:
    """Whether the card is a Joker of the fish deck, of whatever kind."""
    return JOKER in card


def is_wild(card: Card) -> bool:
    """Whether a card or class of Fours has a wild colour, shape or number.

    >>> is_wild("RS1"), is_wild("RO1"), is_wild("K?")
    (False, True, True)
    """
    return any(letter in WILD for letter in card)


@lru_cache(maxsize=256)
def deck_of(rules: Rules) -> Deck:
    """Build the deck for a game with these rules."""
    cards = _CARDS[rules.deck_kind](rules)
    classes_of = {card: _CLASSES[rules.class_](card) for card in cards}
    members = _members(classes_of)
    classes = tuple(members)
    return Deck(
        cards=cards,
        classes=classes,
        classes_of=classes_of,
        members=members,
        entitling=_complements(members) if rules.class_ == "complement" else members,
        named=members | {card: frozenset((card,)) for card in cards},
        place={card: i for i, card in enumerate(cards)},
        class_place={class_: i for i, class_ in enumerate(classes)},
    )


def _members(classes_of: Mapping[Card, tuple[str, ...]]) -> dict[str, Hand]:
    members: dict[str, set[Card]] = {}
    for card, classes in classes_of.items():
        for class_ in classes:
            members.setdefault(class_, set()).add(card)
    return {class_: frozenset(cards) for class_, cards in members.items()}


def _complements(members: Mapping[str, Hand]) -> dict[str, Hand]:
    """For each value, the cards that bring it up to the highest value, which is the target sum."""
    return dict(zip(members, reversed(list(members.values())), strict=True))


def _french(rules: Rules) -> tuple[Card, ...]:
    return tuple(rank + suit for rank in rules.deck_ranks for suit in rules.deck_suits)


def _fish(rules: Rules) -> tuple[Card, ...]:
    natural = tuple(suit + rank for suit in rules.deck_suits for rank in rules.deck_ranks)
    if rules.deck_joker in ("suited", "rank"):
        return natural + tuple(suit + JOKER for suit in rules.deck_suits)
    if rules.deck_joker == "wild":
        return natural + tuple(f"{JOKER}{i + 1}" for i in range(len(rules.deck_suits)))
    return natural


def _fours(rules: Rules) -> tuple[Card, ...]:
    extra = WILD if rules.deck_wild else ("", "", "")
    traits = (COLOURS + extra[0], SHAPES + extra[1], NUMBERS + extra[2])
    return tuple(map("".join, product(*traits)))


def _numbers(rules: Rules) -> tuple[Card, ...]:
    values = range((rules.deck_top or 0) + 1)
    letters = "abcdefghijklmnopqrstuvwxyz"[: rules.deck_copies]
    return tuple(f"{value}-{letter}" for value in values for letter in letters)


def _by_rank(card: Card) -> tuple[str, ...]:
    return (rank_of(card),)


def _by_colour_and_rank(card: Card) -> tuple[str, ...]:
    return (rank_of(card) + ("r" if suit_of(card) in RED else "b"),)


def _by_suit(card: Card) -> tuple[str, ...]:
    return () if card[0] == JOKER else (suit_of(card),)


def _by_value(card: Card) -> tuple[str, ...]:
    return (str(value_of(card)),)


def _by_any_two(card: Card) -> tuple[str, ...]:
    """Each pair of traits, with a dot for the third.

    >>> _by_any_two("RS1")
    ('RS.', 'R.1', '.S1')
    """
    colour, shape, number = tuple(card)
    return (f"{colour}{shape}.", f"{colour}.{number}", f".{shape}{number}")


_CARDS: Final[dict[str, Callable[[Rules], tuple[Card, ...]]]] = {
    "french": _french,
    "fish": _fish,
    "fours": _fours,
    "numbers": _numbers,
}
_CLASSES: Final[dict[str, Callable[[Card], tuple[str, ...]]]] = {
    "rank": _by_rank,
    "colour_rank": _by_colour_and_rank,
    "suit": _by_suit,
    "any_two": _by_any_two,
    "complement": _by_value,
}
