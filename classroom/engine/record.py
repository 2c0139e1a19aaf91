"""The record of a round as JSON (docs/record.md): writing it, parsing it and replaying it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from reprlib import repr as shortened
from typing import Any, Final, get_args

from classroom.engine.actions import Action, InvalidAction, Outcome, Script
from classroom.engine.cards import Card
from classroom.engine.events import Event
from classroom.engine.observation import Observation, Viewer
from classroom.engine.round import play
from classroom.engine.scoring import scores, winners
from classroom.engine.state import State, Table

Json = dict[str, Any]

_ACTIONS: Final[dict[str, type[Any]]] = {kind.type: kind for kind in get_args(Action)}
_OUTCOMES: Final[dict[str, type[Any]]] = {kind.type: kind for kind in get_args(Outcome)}
_JSON_KEYS: Final = {"class_": "class", "source": "from"}


def action_to_json(action: Action) -> Json:
    """Write an action in the JSON form of docs/record.md.

    >>> from classroom.engine.actions import Ask
    >>> action_to_json(Ask(1, "7"))
    {'type': 'ask', 'target': 1, 'class': '7'}
    """
    data = {"type": action.type, **_fields(action)}
    if data.get("bait", "") is None:
        del data["bait"]
    return data


def action_from_json(data: Any) -> Action:
    """Parse an action, ignoring keys that its type does not have. Raises InvalidAction."""
    return _parsed(_ACTIONS, data)  # type: ignore[no-any-return]


def forced_from_json(data: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """Parse the outcomes of chance recorded with an action. Raises InvalidAction."""
    forced = data.get("chance")
    if not isinstance(forced, list | None):
        raise InvalidAction(f"chance must be a list, not {shortened(forced)}")
    return tuple(map(chance_from_json, forced or ()))


def chance_to_json(outcome: Outcome) -> Json:
    """Write an outcome of chance in the JSON form of docs/record.md."""
    return {"type": outcome.type, **_fields(outcome)}


def chance_from_json(data: Any) -> Outcome:
    """Parse an outcome of chance. Raises InvalidAction."""
    return _parsed(_OUTCOMES, data)  # type: ignore[no-any-return]


def event_to_json(event: Event) -> Json:
    """Write an event as JSON, with the name of its Python class as `type`."""
    return {"type": type(event).__name__, **_fields(event)}


def observation_to_json(observation: Observation) -> Json:
    """Write an Observation as JSON: every field, and nothing else. `tide` and `lamp` are
    left out in a game without a tide."""
    data = {f.name: getattr(observation, f.name) for f in fields(observation)}
    pending = observation.pending
    if observation.tide is None:
        del data["tide"], data["lamp"]
    return data | {
        "viewer": viewer_to_json(observation.viewer),
        "rules": observation.rules.to_json(),
        "pending": pending and {"seat": pending[0], "ask": action_to_json(pending[1])},
        "legal": [action_to_json(action) for action in observation.legal],
        "history": [
            {"seq": entry.seq, **event_to_json(entry.event)} for entry in observation.history
        ],
    }


def viewer_to_json(viewer: int | Viewer) -> int | str:
    """Write a viewer as JSON: a seat number, `watcher` or `teacher`."""
    return viewer.value if isinstance(viewer, Viewer) else viewer


def state_to_json(state: State) -> Json:
    """Write the whole state as JSON, hidden cards included. docs/record.md calls this `after`."""
    in_order = state.setup.deck.sorted
    return {
        "hands": [in_order(hand) for hand in state.hands],
        "boats": [in_order(boat) for boat in state.boats],
        "stock": state.stock,
        "lost": in_order(state.lost),
        "books": state.books,
        "singles": [in_order(cards) for cards in state.singles],
        "turn": state.turn,
        "phase": state.phase,
        "over": state.over,
        "ended_by": state.ended_by,
        "scores": scores(state),
        "winners": winners(state),
        **({} if state.tide is None else {"tide": state.tide}),
    }


def header_to_json(game: str, state: State, deck: Sequence[Card]) -> Json:
    """Write the first line of a record. `deck`: all cards, from the top down."""
    return {
        "record": 1,
        "game": game,
        "rules": state.rules.to_json(),
        "seats": state.seats,
        "dealer": state.dealer,
        "deck": list(deck),
    }


def replayed(state: State, moves: Iterable[tuple[Json, Sequence[Json]]]) -> State:
    """Play these moves, each with its outcomes of chance, from `state` on; returns the final state.
    Raises InvalidAction, IllegalAction or ChanceError if the moves cannot have happened."""
    table = Table(state)
    for action, chance in moves:
        table.chance = script = Script(map(chance_from_json, chance))
        play(table, action_from_json(action))
        script.finish()
    return table.state()


def _json_key(name: str) -> str:
    return _JSON_KEYS.get(name, name)


def _fields(value: Any) -> Json:
    return {_json_key(f.name): getattr(value, f.name) for f in fields(value)}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def _is_number(value: Any) -> bool:
    return type(value) is int


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_READABLE: Final[dict[str, Callable[[Any], bool]]] = {
    "target": lambda value: _is_number(value) or value == "all",
    "class_": _is_text,
    "bait": lambda value: value is None or _is_text(value),
    "answer": lambda value: value in ("give", "challenge"),
    "number": _is_number,
    "show": lambda value: isinstance(value, bool),
    "cards": lambda value: isinstance(value, (list, tuple)) and all(map(_is_text, value)),
    "card": _is_text,
    "source": _is_number,
    "seat": _is_number,
    "to": _is_number,
}
"""For each field of an action or outcome, a test that its JSON value must pass."""


def _parsed(kinds: Mapping[str, type[Any]], data: Any) -> Any:
    if not isinstance(data, Mapping) or not isinstance(data.get("type"), str):
        raise InvalidAction(f"{shortened(data)} is not an object with a type")
    kind = kinds.get(data["type"])
    if kind is None:
        raise InvalidAction(f"{shortened(data['type'])} is none of {', '.join(kinds)}")
    values = {f.name: data.get(_json_key(f.name)) for f in fields(kind)}
    for name, value in values.items():
        if not _READABLE[name](value):
            what = f"{_json_key(name)} of {kind.type}"
            raise InvalidAction(f"{what} cannot be {shortened(value)}")
    return kind(**{name: _tuples(value) for name, value in values.items()})
