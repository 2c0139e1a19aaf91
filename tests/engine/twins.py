"""Pairs of rounds that differ only in cards that a viewer has not seen.

What a viewer knows is worked out from the States and actions alone, without the events.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from classroom.engine import apply, deal, legal_actions, scores, shuffled, winners
from classroom.engine.actions import (
    Action,
    Answer,
    Ask,
    Bait,
    ChanceError,
    Claim,
    Compensate,
    IllegalAction,
    Lay,
    LayOff,
    Lots,
    Name,
    Outcome,
    Pick,
    Script,
    Show,
)
from classroom.engine.asks import wanted
from classroom.engine.observation import Viewer
from classroom.engine.rules import Rules
from classroom.engine.state import State

Move = tuple[Action, tuple[Outcome, ...]]


def _public_action(state: State, action: Action, viewer: int | Viewer) -> Any:
    if isinstance(action, Ask):
        sees_bait = viewer in (state.active, action.target)
        return action if sees_bait else replace(action, bait=None)
    if isinstance(action, Lay) and state.rules.visibility_books == "face_down":
        return action if viewer == state.active else "lay"
    return action


def _shown(before: State, action: Action, outcomes: tuple[Outcome, ...], after: State) -> Any:
    """The card that became public because it was lucky, if there is one."""
    if isinstance(action, Show):
        return before.drawn if action.show else None
    if before.rules.lucky != "again_must_show" or not isinstance(action, (Ask, Answer, Name)):
        return None
    asked = before.pending or action
    assert isinstance(asked, Ask)
    class_ = wanted(replace(before, pending=asked))
    fished = [outcome.card for outcome in outcomes if isinstance(outcome, Pick)]
    others = [seat for seat in range(before.seats) if seat != before.active]
    given = [(before.cards(s) & class_) - after.cards(s) - set(fished) for s in others]
    if any(given) or after.phase in ("answer", "name"):
        return None
    return [card for card in (*fished, *before.stock)[:1] if card in class_]


def _picture(state: State, viewer: int | Viewer) -> Any:
    """What a viewer may know of a table at this moment."""
    is_open = state.over or state.rules.visibility_books == "public"
    own = viewer if isinstance(viewer, int) else None
    return (
        [len(hand) for hand in state.hands],
        [len(boat) for boat in state.boats],
        len(state.stock),
        [b if is_open or seat == own else len(b) for seat, b in enumerate(state.books)],
        [sorted(single) for single in state.singles],
        (state.turn, state.active, state.phase, state.ended_by, sorted(state.out)),
        (scores(state), winners(state)),
        own is not None and (state.hands[own], state.boats[own]),
        state.drawn if own == state.active else None,
        (state.hands, state.boats) if state.phase == "claim" else None,
        state.lost if state.over else None,
    )


def _caught(before: State, after: State, viewer: int | Viewer) -> Any:
    """The cards that the viewer got from each seat; where all are asked, several give at once."""
    if not isinstance(viewer, int):
        return None
    own = after.cards(viewer).union(*after.books[viewer], after.singles[viewer])
    others = (seat for seat in range(before.seats) if seat != viewer)
    return [(seat, sorted(before.cards(seat) & own)) for seat in others]


def knowledge(
    states: list[State], moves: list[Move], viewer: int | Viewer
) -> Iterator[tuple[Any, ...]]:
    """What the viewer learns, state by state."""
    yield (_picture(states[0], viewer),)
    for (before, after), (action, outcomes) in zip(pairwise(states), moves, strict=True):
        exposed = (before.hands, before.boats) if action.type == "declare" else None
        public = [outcome for outcome in outcomes if isinstance(outcome, Compensate)]
        yield (
            _picture(after, viewer),
            _public_action(before, action, viewer),
            _shown(before, action, outcomes, after),
            _caught(before, after, viewer),
            exposed,
            public,
        )


def swapped(value: Any, pair: tuple[str, str]) -> Any:
    """The value with the two cards swapped."""
    one, other = pair
    if isinstance(value, str):
        return {one: other, other: one}.get(value, value)
    if isinstance(value, (tuple, list)):
        return type(value)(swapped(item, pair) for item in value)
    if isinstance(value, Ask):
        return replace(value, bait=swapped(value.bait, pair))
    if isinstance(value, (Lay, Claim, Bait)):
        return replace(value, cards=swapped(value.cards, pair))
    if isinstance(value, (LayOff, Pick, Compensate)):
        return replace(value, card=swapped(value.card, pair))
    return value


def other_round(
    first: State, deck: list[str], moves: list[Move], pair: tuple[str, str]
) -> tuple[list[State], list[Move]]:
    """A round with the same moves and two cards swapped, as far as it can be played."""
    states = [deal(first.rules, first.seats, first.dealer, swapped(deck, pair)).state]
    others: list[Move] = swapped(moves, pair)
    for action, outcomes in others:
        script = Script(outcomes)
        try:
            states.append(apply(states[-1], action, script).state)
            script.finish()
        except (IllegalAction, ChanceError):
            break
        if states[-1].over:
            break
    return states, others


def random_round(rules: Rules, seats: int, seed: int) -> tuple[list[str], list[State], list[Move]]:
    """A round of random legal play: its deck, every state and every move."""
    rng = random.Random(seed)
    deck = shuffled(rules, rng)
    states = [deal(rules, seats, seed % seats, deck).state]
    moves: list[Move] = []
    while not states[-1].over:
        action = rng.choice(legal_actions(states[-1]))
        step = apply(states[-1], action, Lots(rng))
        states.append(step.state)
        moves.append((action, step.chance))
    return deck, states, moves
