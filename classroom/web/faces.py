"""Cards and classes as a child's page draws them: a number, a suit of the pond, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.engine.cards import Card, rank_of, suit_of

NUMBERS: Final = {rank: number for number, rank in enumerate("A23456789TJQK", 1)}
"""A rank as a number to count: the ace is 1, jack, queen and king are 11, 12 and 13."""

SUITS: Final = {"H": "shell", "D": "star", "C": "leaf", "S": "pearl"}
KINDS: Final = {"": "rank", "r": "warm", "b": "cool"}
"""Shell and star are the warm pair of suits, leaf and pearl the cool one."""


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card face up: its number, 1 to 13, and its suit by name."""

    number: int
    suit: str


@dataclass(frozen=True, slots=True)
class ClassFace:
    """What can be asked for. `kind`: rank (all four suits), warm or cool (the pairs of a colour)."""

    key: str
    number: int
    kind: str


def card_face(card: Card) -> CardFace:
    """The face of a French card.

    >>> card_face("TD")
    CardFace(number=10, suit='star')
    """
    return CardFace(NUMBERS[rank_of(card)], SUITS[suit_of(card)])


def class_face(class_: str) -> ClassFace:
    """The face of a class of French cards.

    >>> class_face("7"), class_face("7b").kind
    (ClassFace(key='7', number=7, kind='rank'), 'cool')
    """
    return ClassFace(class_, NUMBERS[class_[0]], KINDS[class_[1:]])


def card_faces(cards: tuple[Card, ...]) -> tuple[CardFace, ...]:
    return tuple(map(card_face, cards))
