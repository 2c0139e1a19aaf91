"""A comparison with OpenSpiel's go_fish, move by move (docs/rules.md B2).

It is left out where there is no wheel of OpenSpiel; elsewhere tests/test_packaging.py fails if it
is not installed. It covers transitions and legal moves but not views, because OpenSpiel's
observation leaks the cards that others draw. OpenSpiel knows quartets and colour pairs, with
`own_turn, 1` refills.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from classroom.engine import apply, deal, legal_actions, shuffled
from classroom.engine.actions import Ask
from classroom.engine.cards import Card, deck_of
from classroom.engine.events import Drew, RefilledCards
from classroom.engine.state import State, Step
from tests.engine.tabletop import LONG, rules_of

pyspiel = pytest.importorskip("pyspiel", reason="no wheel of OpenSpiel for this machine")

ROUNDS = 40 * LONG
OWN_TURN = {"refill_active": ["own_turn", 1], "refill_passive": ["own_turn", 1]}


def _letters(cards: Iterable[Card], state: State) -> str:
    """A hand as OpenSpiel writes it, with the number of cards of each class: `a2c1`."""
    deck = state.setup.deck
    held = frozenset(cards)
    counts = [len(deck.members[class_] & held) for class_ in deck.classes]
    return "".join(f"{chr(97 + i)}{number}" for i, number in enumerate(counts) if number)


def _text(state: State) -> str:
    """The position in OpenSpiel's notation."""
    rows = [
        f"{_letters(hand, state)}:{len(books)}"
        for hand, books in zip(state.hands, state.books, strict=True)
    ]
    return "\n".join(["Ask", str(state.turn), *rows, _letters(state.stock, state)])


def _numbers(state: State) -> list[int]:
    """The legal actions by OpenSpiel's numbers: seat times classes plus class."""
    place, classes = state.setup.deck.class_place, len(state.setup.deck.classes)
    asks = [action for action in legal_actions(state) if isinstance(action, Ask)]
    return sorted(int(ask.target) * classes + place[ask.class_] for ask in asks)


def _drawn(step: Step) -> list[int]:
    """The classes of the cards that came off the stock, in order."""
    deck = step.state.setup.deck
    cards = []
    for event in step.events:
        if isinstance(event, Drew):
            cards.append(event.card)
        elif isinstance(event, RefilledCards):
            cards.extend(event.cards)
    return [deck.class_place[deck.class_of(card)] for card in cards]


def _follow(other: Any, state: State, ask: Ask, step: Step) -> None:
    """Make the same move in OpenSpiel, with the same cards off the stock."""
    place, classes = state.setup.deck.class_place, len(state.setup.deck.classes)
    other.apply_action(int(ask.target) * classes + place[ask.class_])
    for class_ in _drawn(step):
        assert other.is_chance_node()
        other.apply_action(class_)


@pytest.mark.walk(4)
@pytest.mark.parametrize("key", ["classic", "colour_pairs"])
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_every_ask_leads_both_to_the_same_table(key: str, seats: int) -> None:
    rules = rules_of(key, **OWN_TURN)
    classes = len(deck_of(rules).classes)
    shape = {"players": seats, "ranks": classes, "suits": 52 // classes}
    game = pyspiel.load_game("go_fish", shape)
    asks = 0
    for seed in range(ROUNDS):
        rng = random.Random(seed)
        state = deal(rules, seats, seed % seats, shuffled(rules, rng)).state
        other = game.new_specific_state(_text(state))
        while not state.over:
            assert str(other) == _text(state)
            assert sorted(other.legal_actions()) == _numbers(state)
            ask = rng.choice(legal_actions(state))
            assert isinstance(ask, Ask)
            step = apply(state, ask)
            _follow(other, state, ask, step)
            state, asks = step.state, asks + 1
        assert other.is_terminal() or state.ended_by == "stall"
    assert asks > 30 * ROUNDS
