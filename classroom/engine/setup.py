"""Works out, once for a whole round, what follows from its rules, so that each ask is fast."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from classroom.engine.actions import Target
from classroom.engine.books import finder_of
from classroom.engine.cards import Card, deck_of
from classroom.engine.kinds import KINDS, PHASES
from classroom.engine.rules import Rules
from classroom.engine.scoring import OWN_ENDS
from classroom.engine.state import Choice, Setup

STALL_ASKS: Final = 40
"""The smallest value of the stall limit, in asks in a row that move no card (A11)."""


@lru_cache(maxsize=1024)
def setup_of(rules: Rules, seats: int, dealer: int) -> Setup:
    """Work out the setup of a round with these rules, seats and dealer."""
    deck = deck_of(rules)
    order = tuple(tuple((seat + i) % seats for i in range(seats)) for seat in range(seats))
    others: tuple[tuple[Target, ...], ...] = tuple(
        ("all",) if rules.ask_scope == "all" else tuple(sorted(rest)) for _, *rest in order
    )
    kinds = {action: kind for action, kind in KINDS.items() if kind.exists(rules)}
    entitling = frozenset[Card]().union(*deck.entitling.values())
    return Setup(
        rules=rules,
        deck=deck,
        finder=finder_of(rules),
        seats=seats,
        dealer=dealer,
        hand_size=rules.deal_size(seats),
        order=order,
        others=others,
        every_card_asks=rules.ask_what == "class" and len(entitling) == len(deck.cards),
        stall_limit=max(STALL_ASKS, seats * len(deck.classes)),
        kinds=kinds,
        choices={
            phase: _joined([kind.legal for kind in kinds.values() if kind.phase == phase])
            for phase in PHASES
        },
        ends=tuple((end, OWN_ENDS[end]) for end in rules.end),
    )


def _joined(choices: Sequence[Choice]) -> Choice:
    """Combine these choices into one that lists all their actions in turn."""
    if len(choices) == 1:
        return choices[0]
    return lambda p: chain.from_iterable(choice(p) for choice in choices)
