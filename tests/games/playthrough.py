"""Playthroughs: a round of every game as a text for readers, with what each seat sees.

    python -m tests.games.playthrough           rewrites tests/games/golden: read the diff
    python -m tests.games.playthrough FOLDER    writes the rounds there as records (docs/engine.md)

The deck and the choices come from fixed arithmetic and not from the random module, so that the
texts change only if the rules do. Below each move are its events; one in brackets is only for the
seats named there. The last line is the digest of the whole round as JSON, with the view of one
viewer after each move.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from classroom.engine import apply, deal, legal_actions, observe
from classroom.engine.actions import Action, Bait, Compensate, Pick
from classroom.engine.cards import Card, deck_of
from classroom.engine.events import ALL, Event
from classroom.engine.observation import WATCHER, Observation, Viewer
from classroom.engine.record import (
    Json,
    action_to_json,
    event_to_json,
    header_to_json,
    observation_to_json,
    state_to_json,
    viewer_to_json,
)
from classroom.engine.rules import Rules
from classroom.engine.state import State, Step
from classroom.games import GAMES
from classroom.recorder import line_of

FOLDER = Path(__file__).parent / "golden"
MOVES = 30
"""The number of moves that are written out; later ones only if they are rare, or the last."""
RARE = {"Declared", "Claimed", "ClaimPassed", "Compensated", "LeftRound", "Baited", "Retired"}
VIEWS_EVERY = 10
LOW_TIDE = "_low_tide"
ROUNDS: dict[str, Rules] = {
    **{key: game.rules for key, game in GAMES.items()},
    f"classic{LOW_TIDE}": GAMES["classic"].rules.changed({"seats": [3, 3], "end.tide": 12}),
    f"make_five{LOW_TIDE}": GAMES["make_five"].rules.changed({"seats": [4, 4], "end.tide": 30}),
}
"""The rules of each round, by its name: the key of its game, and whether it is low tide."""


def fixed_deck(rules: Rules, salt: str) -> list[Card]:
    """All cards in an order that looks random but is always the same."""

    def key(card: Card) -> str:
        return hashlib.sha256(f"{salt} {card}".encode()).hexdigest()

    return sorted(deck_of(rules).cards, key=key)


class FixedChance:
    """A Chance that chooses by fixed arithmetic, from a number that grows each time."""

    def __init__(self) -> None:
        self.number = 0

    def pick(self, source: int, cards: Sequence[Card]) -> Pick:
        return Pick(source, self._one(cards))

    def bait(self, seat: int, cards: Sequence[Card], number: int) -> Bait:
        start = self._next() % len(cards)
        return Bait(seat, tuple((*cards[start:], *cards[:start])[:number]))

    def compensate(self, to: int, cards: Sequence[Card]) -> Compensate:
        return Compensate(to, self._one(cards))

    def _one(self, cards: Sequence[Card]) -> Card:
        return cards[self._next() % len(cards)]

    def _next(self) -> int:
        self.number += 1
        return self.number * 7919


def seat_counts(rules: Rules) -> list[int]:
    """The numbers of seats that have a playthrough."""
    return [seats for seats in (2, 3, 4, 6) if rules.seats[0] <= seats <= rules.seats[1]]


def moves(key: str, seats: int) -> Iterator[tuple[State | None, Action | None, Step]]:
    """The moves of the round: the deal, then each action with the state before it."""
    chance = FixedChance()
    deck = fixed_deck(ROUNDS[key], f"{key} {seats}")
    step = deal(ROUNDS[key], seats, 0, deck, chance)
    yield None, None, step
    while not (before := step.state).over:
        legal = legal_actions(before)
        action = legal[before.seq * 7919 % len(legal)]
        step = apply(before, action, chance)
        yield before, action, step


def playthrough(key: str, seats: int) -> str:
    """The text of one round."""
    lines = [
        f"{key}, {seats} seats",
        f"deck {' '.join(fixed_deck(ROUNDS[key], f'{key} {seats}'))}",
    ]
    digest = hashlib.sha256()
    for before, action, step in moves(key, seats):
        digest.update(json.dumps(_whole(step)).encode())
        last = step.state.over
        rare = any(type(event).__name__ in RARE for event in step.events)
        if step.state.seq <= MOVES or rare or last:
            lines += _move(before, action, step)
            if step.state.seq % VIEWS_EVERY == 0 or last:
                lines += _views(step.state)
    return "\n".join([*lines, f"sha256 {digest.hexdigest()}", ""])


def golden_record(key: str, seats: int) -> Iterator[Json]:
    """The round as a record (docs/record.md)."""
    for before, action, step in moves(key, seats):
        if before is None:
            deck = fixed_deck(ROUNDS[key], f"{key} {seats}")
            yield header_to_json(key.removesuffix(LOW_TIDE), step.state, deck)
        yield line_of(step, None if before is None else before.turn, action, views=False)


def _whole(step: Step) -> Any:
    viewers: list[int | Viewer] = [*range(step.state.seats), WATCHER]
    viewer = viewers[step.state.seq % len(viewers)]
    return {
        "events": [event_to_json(event) for event in step.events],
        "after": state_to_json(step.state),
        "view": observation_to_json(observe(step.state, viewer)),
    }


def _move(before: State | None, action: Action | None, step: Step) -> Iterator[str]:
    if before is not None and action is not None:
        yield ""
        yield f"{step.state.seq}. seat {before.turn} {_words(action_to_json(action))}"
    for event in step.events:
        yield f"    {_event(event)}"


def _event(event: Event) -> str:
    shown = [
        _words(getattr(event, field.name)) for field in fields(event) if field.name != "audience"
    ]
    text = " ".join([type(event).__name__, *shown])
    return text if event.audience == ALL else f"[{_words(event.audience)}: {text}]"


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(_words(item) for item in value.values())
    if isinstance(value, (tuple, list)):
        inner = [f"({_words(i)})" if isinstance(i, (tuple, list)) else _words(i) for i in value]
        return " ".join(inner) or "-"
    return "-" if value is None else str(value)


def _views(state: State) -> Iterator[str]:
    for viewer in (*range(state.seats), WATCHER):
        yield _view(viewer, observe(state, viewer))


def _view(viewer: int | Viewer, view: Observation) -> str:
    parts = [
        f"  {viewer_to_json(viewer)} sees hand {_words(view.hand)}",
        f"boat {_words(view.boat)}" if any(view.boat_sizes) else "",
        f"hands {_words(view.hand_sizes)}",
        f"boats {_words(view.boat_sizes)}" if any(view.boat_sizes) else "",
        f"stock {view.stock_size}",
        f"lost {_words(view.lost)}" if view.lost_size else "",
        "" if view.tide is None else f"tide {view.tide}{' lamp' * view.lamp}",
        f"books {_words(view.books)}",
        f"singles {_words(view.singles)}" if any(view.singles) else "",
        f"turn {_words(view.turn)} {view.phase}",
        f"drawn {view.drawn}" if view.drawn else "",
        f"scores {_words(view.scores)}",
        f"legal {len(view.legal)}" if view.legal else "",
        f"history {len(view.history)}",
    ]
    return " | ".join(part for part in parts if part)


def main(folder: str | None = None) -> None:
    """Write every playthrough, or every record into the folder."""
    place = FOLDER if folder is None else Path(folder)
    place.mkdir(exist_ok=True)
    for key, rules in ROUNDS.items():
        for seats in seat_counts(rules):
            if folder is None:
                (place / f"{key}-{seats}.txt").write_text(playthrough(key, seats), "utf-8")
            else:
                lines = (f"{json.dumps(line)}\n" for line in golden_record(key, seats))
                (place / f"{key}-{seats}.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
