"""Marked cards: every card that is drawn into a page has a random mark.

What a viewer may know is worked out from whole states, without `observe` and the audiences of
events, so that a fault in them is found and not repeated.
"""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

import pytest

from classroom.engine import deal
from classroom.engine.cards import Card, deck_of
from classroom.engine.events import (
    BaitedCards,
    Claimed,
    Compensated,
    Declared,
    Drew,
    Event,
    GaveCards,
    Lucky,
    Picked,
    RefilledCards,
    ReplacedCard,
    SawBait,
)
from classroom.engine.record import replayed
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.services.table import states
from classroom.web.child.card_faces import CardFace, Faces, faces_of
from classroom.web.words.phrases import SentenceTable

MARK = re.compile(r"zq[0-9a-f]{12}")
BY_LOT = re.compile(r'(?:name="(?:token|key)" value|[?&]v)="?=?[0-9A-Za-z_-]*')


class Marks:
    """The mark of each card, to find the cards that a text shows."""

    def __init__(self) -> None:
        self.of: dict[Card, str] = {}
        self.card: dict[str, Card] = {}

    def mark(self, card: Card) -> str:
        if card not in self.of:
            self.of[card] = "zq" + secrets.token_hex(6)
            self.card[self.of[card]] = card
        return self.of[card]

    def shown(self, text: str, rules: Rules) -> set[Card]:
        """Every card that the text draws, or names by its code."""
        drawn = {self.card[mark] for mark in MARK.findall(text)}
        return drawn | set(_codes(rules).findall(BY_LOT.sub("", text)))


@lru_cache(maxsize=64)
def _codes(rules: Rules) -> re.Pattern[str]:
    """A pattern for the codes of a deck as whole words. A rank such as `7` is not a card."""
    codes = "|".join(map(re.escape, deck_of(rules).cards))
    return re.compile(rf"(?<![A-Za-z0-9_*?-])(?:{codes})(?![A-Za-z0-9_*?-])")


@contextmanager
def marked_cards() -> Iterator[Marks]:
    """During the block, draw every card with its mark in place of its suit."""
    marks = Marks()

    def marked(faces: Faces, card: Card) -> CardFace:
        return CardFace(7, marks.mark(card), "pips", code=card)

    def called(table: SentenceTable, slot: str, value: object) -> dict[str, str]:
        """The forms of a word; a mark belongs to no language, so each of its forms is the mark
        itself."""
        try:
            return forms(table, slot, value)
        except KeyError:
            return defaultdict(lambda: str(value))

    forms = SentenceTable._forms
    faces_of.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Faces, "_card", marked)
        patch.setattr(SentenceTable, "_forms", called)
        yield marks
    faces_of.cache_clear()


def history(round_id: int) -> list[State]:
    """The states of the round after each move, folded from the log again."""
    facts = states.facts_of(round_id)
    found = [deal(facts.rules, len(facts.players), facts.dealer, facts.deck).state]
    for row in states._moves(round_id, 0, None):
        found.append(replayed(found[-1], [(row.action, row.chance)]))
    return found


def knowable(past: Iterable[State], seat: int | None) -> set[Card]:
    """The cards that a seat (None: a viewer without one) may have seen by the last state."""
    known: set[Card] = set()
    for state in past:
        if seat is not None:
            known |= state.hands[seat] | state.boats[seat]
            known |= {card for book in state.books[seat] for card in book}
        if state.rules.visibility_books == "public" or state.over:
            known |= {card for books in state.books for book in books for card in book}
        if state.over:
            known |= set(state.lost)
        known |= {card for singles in state.singles for card in singles}
        for event in state.log[-1].events:
            known |= _shown_to_all(event)
            known |= _through_hands(event, seat)
    return known


def _shown_to_all(event: Event) -> set[Card]:
    """The cards that this event shows to everyone: lucky, claimed, given in return, or declared."""
    match event:
        case Lucky(card=card) | Compensated(card=card):
            return {card}
        case Claimed(cards=cards):
            return set(cards)
        case Declared(hands=hands, boats=boats):
            return {card for pile in (*hands, *boats) for card in pile}
    return set()


def _through_hands(event: Event, seat: int | None) -> set[Card]:
    """The cards that a seat saw within a move, even if they were laid at once: those it drew, gave,
    caught or picked, and bait."""
    match event:
        case Drew(seat=owner, card=card) | ReplacedCard(seat=owner, card=card) if owner == seat:
            return {card}
        case RefilledCards(seat=owner, cards=cards) | BaitedCards(seat=owner, cards=cards):
            return set(cards) if owner == seat else set()
        case GaveCards(giver=one, taker=other, cards=cards) if seat in (one, other):
            return set(cards)
        case Picked(seat=one, source=other, card=card) if seat in (one, other):
            return {card}
        case SawBait(seat=one, target=other, card=card) if seat in (one, other):
            return {card}
    return set()
