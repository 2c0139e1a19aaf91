"""Marked cards: every card that is drawn into a page carries a random mark of its own.

What a viewer may know is worked out here from whole states, without `observe` and without the
audiences of events, so that a fault there is found and not repeated.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from classroom.engine.cards import Card
from classroom.engine.events import Drew, GaveCards, Lucky, RefilledCards
from classroom.engine.record import replayed
from classroom.engine.round import deal
from classroom.engine.state import State
from classroom.services import states
from classroom.web import faces

MARK = re.compile(r"zq[0-9a-f]{12}")
CODE = re.compile(r"(?<![A-Za-z0-9_-])(?:10|[A2-9TJQK])[CDHS](?![A-Za-z0-9_-])")
BY_LOT = re.compile(r'(?:name="(?:token|key)" value|[?&]v)="?=?[0-9A-Za-z_-]*')


class Marks:
    """The mark of each card, and which cards a text shows."""

    def __init__(self) -> None:
        self.of: dict[Card, str] = {}
        self.card: dict[str, Card] = {}
        for rank in "A23456789TJQK":
            for suit in "CDHS":
                mark = "zq" + secrets.token_hex(6)
                self.of[rank + suit] = mark
                self.card[mark] = rank + suit

    def shown(self, text: str) -> set[Card]:
        """Every card that is drawn in the text, or named in it by its code."""
        drawn = {self.card[mark] for mark in MARK.findall(text)}
        return drawn | set(CODE.findall(BY_LOT.sub("", text)))


@contextmanager
def marked_cards() -> Iterator[Marks]:
    """Inside the block no two cards are drawn alike, and each is drawn with its mark."""
    marks = Marks()

    def face(card: Card) -> faces.CardFace:
        return faces.CardFace(faces.NUMBERS[card[0]], marks.of[card])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faces, "card_face", face)
        yield marks


def history(round_id: int) -> list[State]:
    """The round after each of its moves, folded from the log anew."""
    facts = states.facts_of(round_id)
    found = [deal(facts.rules, len(facts.players), facts.dealer, facts.deck).state]
    for row in states._moves(round_id, 0, None):
        found.append(replayed(found[-1], row.action, row.chance))
    return found


def knowable(past: Iterable[State], seat: int | None) -> set[Card]:
    """The cards that a seat (None: somebody without one) has rightly seen by the last state."""
    known: set[Card] = set()
    for state in past:
        if seat is not None:
            known |= state.hands[seat] | _through_hands(state, seat)
            known |= {card for book in state.books[seat] for card in book}
        if state.rules.visibility_books == "public" or state.over:
            known |= {card for books in state.books for book in books for card in book}
        known |= {e.card for e in state.log[-1].events if isinstance(e, Lucky)}
    return known


def _through_hands(state: State, seat: int) -> set[Card]:
    """Cards that came and went within the last move: caught and laid, fished and laid."""
    found: set[Card] = set()
    for event in state.log[-1].events:
        match event:
            case Drew(seat=owner, card=card) if owner == seat:
                found.add(card)
            case RefilledCards(seat=owner, cards=cards) if owner == seat:
                found |= set(cards)
            case GaveCards(giver=giver, taker=taker, cards=cards) if seat in (giver, taker):
                found |= set(cards)
    return found
