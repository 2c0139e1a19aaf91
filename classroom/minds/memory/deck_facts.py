"""What everyone knows about a game before the deal: classes, copies, what a hand may keep."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from classroom.engine.cards import Card, Deck, deck_of
from classroom.engine.rules import Rules

FREE: Final = "*"
"""The class of cards that belong to no other class (wild Jokers). It cannot be asked for."""


@dataclass(frozen=True, eq=False, slots=True)
class Kinds:
    """The classes of one rule set, numbered.

    `of`: the class number of each card, where classes do not overlap. `copies`: how many cards each
    class has. `needs`: for each class, the one that a seat must hold to ask for it: the class
    itself or its complement. `most`: how many cards of a class a hand can keep when books are laid
    automatically. `rivals`: for each class, the other class that completes its sum (-1: none).
    """

    rules: Rules
    deck: Deck
    names: tuple[str, ...]
    number: dict[str, int]
    of: dict[Card, int]
    copies: tuple[int, ...]
    needs: tuple[int, ...]
    most: tuple[int, ...]
    rivals: tuple[int, ...]

    @property
    def book_size(self) -> int:
        """How many cards (or fish) make a book."""
        return self.rules.book_size

    @property
    def parts_rivals(self) -> bool:
        """Whether two cards of rival classes are laid at once, so that no hand keeps both."""
        return self.rules.book_kind == "sum" and self.rules.book_lay == "auto"

    @property
    def by_card(self) -> bool:
        """Whether a memory must track single cards (D15): classes overlap, or exact cards are asked
        for."""
        return self.deck.overlaps or self.rules.ask_what == "card"


@lru_cache(maxsize=256)
def kinds_of(rules: Rules) -> Kinds:
    """Work out the classes of these rules."""
    deck = deck_of(rules)
    free = [card for card in deck.cards if not deck.classes_of[card]]
    names = (*deck.classes, FREE) if free else deck.classes
    number = {name: i for i, name in enumerate(names)}
    of = {card: number[(deck.classes_of[card] or (FREE,))[0]] for card in deck.cards}
    copies = tuple(len(deck.members.get(name, free)) for name in names)
    needs = tuple(number[_needed(rules, name)] for name in names)
    return Kinds(
        rules=rules,
        deck=deck,
        names=names,
        number=number,
        of=of,
        copies=copies,
        needs=needs,
        most=tuple(_kept(rules, name, copies[i], needs[i] == i) for i, name in enumerate(names)),
        rivals=tuple(need if rules.book_kind == "sum" and need != i else -1
                     for i, need in enumerate(needs)),
    )  # fmt: skip


def _needed(rules: Rules, name: str) -> str:
    if rules.class_ == "complement" and rules.deck_top is not None:
        return str(rules.deck_top - int(name))
    return name


def _kept(rules: Rules, name: str, copies: int, own_partner: bool) -> int:
    """The most cards of a class that a hand keeps once its books are laid (D10, D14, D16)."""
    if rules.book_lay != "auto" or rules.book_kind == "four" or name == FREE:
        return copies
    if rules.book_kind == "sum":
        return 1 if own_partner else copies
    return min(copies, rules.book_size - 1)
