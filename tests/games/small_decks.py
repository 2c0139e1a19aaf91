"""Perft over whole small decks: every order of the deck, every ask (docs/engine.md).

    python -m tests.games.small_decks       prints the table of docs/engine.md

Where `perft.py` is a fingerprint of one deal, this is for other programs: its numbers need no
order of ours, and tests/games/test_small_decks.py counts them without the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import NamedTuple

from classroom.engine import apply, deal, legal_actions
from classroom.engine.cards import Card, deck_of
from classroom.engine.rules import Rules
from classroom.engine.state import State


class Small(NamedTuple):
    """The classic game with a small deck: seat 0 deals `cards` to each seat."""

    ranks: str
    suits: str
    seats: int
    cards: int
    depth: int

    @property
    def rules(self) -> Rules:
        return Rules().changed(
            {
                "deck.ranks": self.ranks,
                "deck.suits": self.suits,
                "book.size": len(self.suits),
                "deal": {"default": self.cards},
            }
        )


class Place(NamedTuple):
    """A position: the hands, the stock in its order, the ranks that each seat has laid, and the
    seat to ask, or None if the round is over."""

    hands: tuple[frozenset[Card], ...]
    stock: tuple[Card, ...]
    books: tuple[frozenset[str], ...]
    turn: int | None


SMALL = (
    Small("23", "CH", 2, 1, 6),
    Small("234", "CH", 2, 1, 6),
    Small("234", "CH", 3, 1, 6),
    Small("23", "CDHS", 2, 2, 6),
    Small("2345", "CH", 3, 2, 6),
)


def place(state: State) -> Place:
    """The position of a State of the classic game."""
    books = tuple(frozenset(book[0][0] for book in laid) for laid in state.books)
    return Place(state.hands, state.stock, books, state.turn)


def census(small: Small) -> Iterator[Counter[Place]]:
    """For 0, 1, 2 ... asks: every position, with the number of histories that lead to it. Histories
    with the same position go on in the same ways, so one State stands for all of them."""
    found, states = Counter[Place](), dict[Place, State]()
    for deck in permutations(deck_of(small.rules).cards):
        state = deal(small.rules, small.seats, 0, deck).state
        found[place(state)] += 1
        states[place(state)] = state
    yield found
    for _ in range(small.depth):
        before, earlier = found, states
        found, states = Counter(), {}
        for at, histories in before.items():
            for action in legal_actions(earlier[at]):
                state = apply(earlier[at], action).state
                found[place(state)] += histories
                states[place(state)] = state
        yield found


def row(small: Small, found: Iterable[Counter[Place]]) -> str:
    """The line of the table for this deck: histories and positions for each number of asks."""
    numbers = (f"{places.total():,}/{len(places):,}" for places in found)
    deck = f"`{small.ranks}` × `{small.suits}`"
    return f"| {' | '.join((deck, str(small.seats), str(small.cards), *numbers))} |"


if __name__ == "__main__":
    for one in SMALL:
        print(row(one, census(one)), flush=True)
