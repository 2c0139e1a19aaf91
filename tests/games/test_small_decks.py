"""The table of docs/engine.md is what the engine counts, and what is counted here without it.

`_Round` is the classic game written once more from docs/rules.md (C2 to C18, CA3 to CA6, CA12). It
shares nothing with the engine but the codes of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

import pytest

from tests.games.small_decks import SMALL, Place, Small, census, row

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "engine.md"


class _Round:
    """One round on a table, from a position."""

    def __init__(self, small: Small, at: Place) -> None:
        self.small = small
        self.hands = [set(hand) for hand in at.hands]
        self.stock = list(at.stock)
        self.books = [set(ranks) for ranks in at.books]
        self.seat = 0 if at.turn is None else at.turn

    def ask(self, target: int, rank: str) -> None:
        caught = {card for card in self.hands[target] if card[0] == rank}
        self.hands[target] -= caught
        self.hands[self.seat] |= caught
        goes_on = bool(caught)  # C7
        if not caught and self.stock:  # C8
            goes_on = self.stock[0][0] == rank  # C9, C10
            self.hands[self.seat].add(self.stock.pop(0))
        self.tidy()
        self.pass_on(goes_on)

    def tidy(self) -> None:
        """Lay books (C11); fill empty hands, the active one first (C16, CA3, CA5, CA6)."""
        round_ = [(self.seat + i) % len(self.hands) for i in range(len(self.hands))]
        while True:
            for hand, laid in zip(self.hands, self.books, strict=True):
                held = Counter(card[0] for card in hand)
                laid |= (full := {rank for rank in held if held[rank] == len(self.small.suits)})
                hand -= {card for card in hand if card[0] in full}
            empty = [seat for seat in round_ if not self.hands[seat]]
            if not (empty and self.stock):
                return
            self.hands[empty[0]] |= set(self.stock[: self.small.cards])
            del self.stock[: self.small.cards]

    def pass_on(self, goes_on: bool) -> None:
        """The same seat, or the next one with cards (C14, C17, CA12)."""
        while any(self.hands) and not (goes_on and self.hands[self.seat]):
            self.seat, goes_on = (self.seat + 1) % len(self.hands), True

    def place(self) -> Place:
        over = sum(map(len, self.books)) == len(self.small.ranks)  # C15
        hands = tuple(map(frozenset, self.hands))
        books = tuple(map(frozenset, self.books))
        return Place(hands, tuple(self.stock), books, None if over else self.seat)


def _dealt(small: Small, deck: tuple[str, ...]) -> Place:
    """One card at a time, from the dealer's left, who is seat 1 (C2, C3, C4)."""
    number, seats = small.cards * small.seats, range(small.seats)
    hands = tuple(
        frozenset(deck[(seat - 1) % small.seats : number : small.seats]) for seat in seats
    )
    books = tuple(frozenset[str]() for _ in seats)
    round_ = _Round(small, Place(hands, deck[number:], books, 1))
    round_.tidy()
    round_.pass_on(goes_on=True)
    return round_.place()


def _after_each_ask(small: Small, at: Place) -> Iterator[Place]:
    """The position after each ask: another seat with cards, a rank that is held (C5, C17)."""
    if at.turn is None:
        return
    others = [seat for seat in range(small.seats) if seat != at.turn and at.hands[seat]]
    for target, rank in product(others, {card[0] for card in at.hands[at.turn]}):
        round_ = _Round(small, at)
        round_.ask(target, rank)
        yield round_.place()


def _counted(small: Small) -> Iterator[Counter[Place]]:
    cards = [rank + suit for rank in small.ranks for suit in small.suits]
    found = Counter(_dealt(small, deck) for deck in permutations(cards))
    yield found
    for _ in range(small.depth):
        before, found = found, Counter()
        for at, histories in before.items():
            for after in _after_each_ask(small, at):
                found[after] += histories
        yield found


LARGER = pytest.mark.whole  # every day the same is tried with the smallest decks
DECKS = [*SMALL[:3], *(pytest.param(small, marks=LARGER) for small in SMALL[3:])]


@pytest.mark.parametrize("small", DECKS, ids=str)
def test_the_engine_the_rules_and_the_table_agree_on_a_small_deck(small: Small) -> None:
    found = list(census(small))
    assert found == list(_counted(small))
    assert row(small, found) in DOCUMENT.read_text(encoding="utf-8").splitlines()
