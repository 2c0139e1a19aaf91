"""All deals that agree with what a seat saw, by enumeration, as a reference for every mind.

On a tiny deck every shuffle is dealt and played. Cards of one class are alike, so nine cards of
three classes make 1,680 shuffles. Nothing is concluded from what a seat chose to ask: a deal agrees
with a view if the same actions are legal in it and look the same to the viewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any

from classroom.engine import apply, deal, legal_actions, refusal
from classroom.engine.actions import Action
from classroom.engine.cards import Card, deck_of
from classroom.engine.events import Event
from classroom.engine.observation import may_see
from classroom.engine.rules import Rules
from classroom.engine.state import State, Step
from classroom.games import GAMES
from classroom.minds.memory.known_facts import kinds_of

Agreeing = dict[State, int]


def tiny(key: str = "classic", deal: int = 2, **changes: Any) -> Rules:
    """A game with nine cards, three of each rank."""
    small = {"deck_ranks": "A23", "deck_suits": "CDH", "book_size": 3, "deal": {"default": deal}}
    return GAMES[key].rules.changed(**small | changes)


def shuffles(rules: Rules) -> Iterator[tuple[Card, ...]]:
    """One shuffle for each order of classes, with the cards of a class in the order of the deck."""
    kinds = kinds_of(rules)
    cards: list[list[Card]] = [[] for _ in kinds.names]
    for card in deck_of(rules).cards:
        cards[kinds.of[card]].append(card)
    left = list(kinds.copies)

    def orders(chosen: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        if not any(left):
            yield chosen
        for class_, number in enumerate(left):
            if number:
                left[class_] -= 1
                yield from orders((*chosen, cards[class_][-number]))
                left[class_] += 1

    return orders(())


@cache
def all_deals(rules: Rules, seats: int) -> tuple[Step, ...]:
    """Every deal with dealer 0."""
    return tuple(deal(rules, seats, 0, shuffle) for shuffle in shuffles(rules))


def plain(rules: Rules, events: tuple[Event, ...], viewer: int) -> list[Any]:
    """What the viewer saw of a move, with each card written as its class."""
    of = deck_of(rules).class_of

    def classes(value: Any) -> Any:
        if isinstance(value, tuple) and value and isinstance(value[0], str):
            return tuple(sorted(map(of, value)))
        return value

    return [
        (type(event), [
            of(getattr(event, f.name)) if f.name == "card" else classes(getattr(event, f.name))
            for f in fields(event) if f.name != "audience"
        ])
        for event in events
        if may_see(event, viewer)
    ]  # fmt: skip


def agreeing(
    rules: Rules, seats: int, viewer: int, seed: int
) -> Iterator[tuple[Action | None, State, list[State]]]:
    """Play a round of random actions. Yields each action (None: the deal), the true state after it,
    and all states that agree with the view."""
    rng = Random(seed)
    every = all_deals(rules, seats)
    first = rng.choice(every)
    seen = plain(rules, first.events, viewer)
    true = first.state
    same = [step.state for step in every if plain(rules, step.events, viewer) == seen]
    yield None, true, same
    while not true.over:
        action = rng.choice(legal_actions(true))
        step = apply(true, action)
        seen = plain(rules, step.events, viewer)
        after = [apply(s, action) for s in same if refusal(s, action) is None]
        same = [one.state for one in after if plain(rules, one.events, viewer) == seen]
        true = step.state
        yield action, true, same


def counts(state: State, seat: int) -> Counter[str]:
    """The cards of each class that a seat holds."""
    return Counter(map(state.setup.deck.class_of, state.cards(seat)))
