"""Helpers for the tests of the engine: hand-built tables, short ways to act, random rounds.

`FISH_LONG=n` in the environment multiplies the numbers of seeds and steps of the tests that play at
random (1 by default).
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from classroom.engine import apply, deal, legal_actions, shuffled
from classroom.engine.actions import Action, Ask, Chance, Lots, Outcome, Script
from classroom.engine.cards import Card, deck_of
from classroom.engine.events import Event
from classroom.engine.rules import Rules
from classroom.engine.state import State, Step
from classroom.games import GAMES
from tests.engine.positions import position

LONG = int(os.environ.get("FISH_LONG", "1"))

LOW_TIDES = {
    f"{key}_low_tide": GAMES[key].rules.changed({"seats": [3, most], "end.tide": steps})
    for key, most, steps in (
        ("classic", 4, 30),
        ("colour_pairs", 4, 25),
        ("rank_pairs", 4, 20),
        ("wish_pairs", 4, 20),
        ("five_suit_classic", 4, 60),
        ("make_ten", 4, 12),
        ("make_five", 4, 3),
    )
}
"""The games that can be played as low tide, each with a tide that random play beats at times."""


def rules_of(key: str, **changes: Any) -> Rules:
    """The rules of a preset with some dimensions changed, by attribute name."""
    return GAMES[key].rules.changed(**changes)


def table(key: str, text: str, **changes: Any) -> State:
    """The position that a text describes (positions.py), under the rules of a preset."""
    return position(rules_of(key, **changes), text)


def do(state: State, action: Action, *outcomes: Outcome) -> Step:
    """Carry out an action with these outcomes of chance."""
    script = Script(outcomes)
    step = apply(state, action, script)
    script.finish()
    return step


def ask(state: State, target: Any, class_: str, bait: Card | None = None) -> Step:
    """Let the seat to act ask, with no outcomes of chance."""
    return do(state, Ask(target, class_, bait))


def names(step: Step) -> list[str]:
    """The kinds of events of a step, in order."""
    return [type(event).__name__ for event in step.events]


def only(step: Step, kind: type[Any]) -> Any:
    """The one event of this kind."""
    (event,) = (event for event in step.events if isinstance(event, kind))
    return event


def all_of(events: Iterable[Event], kind: type[Any]) -> list[Any]:
    """The events of this kind."""
    return [event for event in events if isinstance(event, kind)]


def hands(state: State) -> list[str]:
    """Every hand as a string, in deck order."""
    return [" ".join(state.setup.deck.sorted(hand)) for hand in state.hands]


def boats(state: State) -> list[str]:
    """Every boat as a string, in deck order."""
    return [" ".join(state.setup.deck.sorted(boat)) for boat in state.boats]


def classes(state: State) -> set[str]:
    """The classes that the seat to act may ask for."""
    return {action.class_ for action in legal_actions(state) if isinstance(action, Ask)}


def targets(state: State) -> set[Any]:
    """The targets that the seat to act may ask."""
    return {action.target for action in legal_actions(state) if isinstance(action, Ask)}


def dealt(rules: Rules, seats: int, *wanted: str, dealer: int = 0, top: str = "") -> Step:
    """Deal each seat, from seat 0, the wanted cards, and others up to the deal size. `top`: the
    cards that come next in the deck, lost cards first.
    """
    rest = iter(_unnamed(rules, [*wanted, top]))
    hands = []
    for seat in range(seats):
        named = wanted[seat].split() if seat < len(wanted) else []
        hands.append([*named, *(next(rest) for _ in range(rules.deal_size(seats) - len(named)))])
    order = [(dealer + 1 + i) % seats for i in range(seats)]
    deck = [hands[seat][i] for i in range(rules.deal_size(seats)) for seat in order]
    return deal(rules, seats, dealer, [*deck, *top.split(), *rest])


def _unnamed(rules: Rules, wanted: Sequence[str]) -> Iterator[Card]:
    """The cards of the deck that are not `wanted`, shuffled."""
    named = {card for text in wanted for card in text.split()}
    rest = [card for card in deck_of(rules).cards if card not in named]
    random.Random(0).shuffle(rest)
    return iter(rest)


def seats_of(rules: Rules, most: int = 6) -> range:
    """The numbers of seats that a game allows, up to `most`."""
    return range(rules.seats[0], min(most, rules.seats[1]) + 1)


def steps(
    rules: Rules, seats: int, seed: int, chance: Chance | None = None, limit: int = 5000
) -> Iterator[tuple[Action | None, Step]]:
    """A round of random legal play: the deal, which has no action, then each action with its
    step."""
    rng = random.Random(seed)
    chance = chance or Lots(rng)
    step = deal(rules, seats, seed % seats, shuffled(rules, rng), chance)
    yield None, step
    for _ in range(limit):
        if step.state.over:
            return
        action = rng.choice(legal_actions(step.state))
        step = apply(step.state, action, chance)
        yield action, step
    raise AssertionError(f"no end after {limit} actions: seed {seed}")


def played(rules: Rules, seats: int, seed: int) -> State:
    """The last state of a round of random legal play."""
    *_, (_, last) = steps(rules, seats, seed)
    return last.state


def refused(state: State, action: Action) -> str:
    """The reason code of the refusal of an action."""
    from classroom.engine import refusal

    found = refusal(state, action)
    assert found is not None, f"{action} is allowed"
    return found.reason
