"""`python -m classroom record`: write one round as JSON lines, from a seed or from given cards and
actions, or check that the engine agrees with a record that another program wrote. This needs
neither a web server nor a database."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import click

from classroom.config import COMMAND
from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import (
    Action,
    Chance,
    ChanceError,
    IllegalAction,
    InvalidAction,
    Lots,
    Script,
)
from classroom.engine.observation import WATCHER
from classroom.engine.record import (
    Json,
    action_from_json,
    action_to_json,
    chance_to_json,
    event_to_json,
    forced_from_json,
    header_to_json,
    observation_to_json,
    state_to_json,
    viewer_to_json,
)
from classroom.engine.rules import Rules
from classroom.engine.state import State, Step
from classroom.games import GAMES

DIFFERS: Final = 1  # the exit status for a record that the engine would write differently
REFUSED: Final = 2  # the exit status for refused rules, unreadable files, illegal actions
LARGEST: Final = 4_000_000  # maximum size of an input file in bytes; a few thousand are usual
LONGEST: Final = 300  # maximum length of an error message in characters


class Differs(ValueError):
    """A record differs from what the engine writes; the message says in one line where and how."""


class Stopped(ValueError):
    """An action in the list cannot be taken; the message says in one line which one and why."""


def main(words: Sequence[str]) -> int:
    """Write the record on standard output; returns the exit status."""
    try:
        with _given.make_context(f"{COMMAND} record", list(words)) as context:
            given = _given.invoke(context)
        for line in record(given):
            print(json.dumps(line, ensure_ascii=False, separators=(", ", ": ")))
    except click.exceptions.Exit as done:  # after `--help`
        return done.exit_code
    except BrokenPipeError:
        raise  # `quietly` handles this
    except (click.UsageError, ValueError, OSError) as error:
        sys.stdout.flush()
        said = error.format_message() if isinstance(error, click.UsageError) else str(error)
        print(_shortened(said, LONGEST), file=sys.stderr)
        return DIFFERS if isinstance(error, Differs) else REFUSED
    return 0


_FILE: Final = click.Path(path_type=Path)


def _check(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    if path is not None:
        number, state = check(path)
        how = "the round is over" if state.over else "the round goes on"
        print(f"the engine agrees with {number} lines; {how}")
        context.exit()


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--game", required=True, type=click.Choice(sorted(GAMES)), help="which game")
@click.option("--seats", required=True, type=int, help="how many seats")
@click.option("--dealer", default=0, help="the seat that deals (0)")
@click.option("--seed", default=0, help="for the deck and random legal play")
@click.option("--deck", type=_FILE, help="a list of all cards, top first")
@click.option("--actions", type=_FILE, help="a list of actions, instead of random play")
@click.option("--rules", type=_FILE, help="changed dimensions, over those of the game")
@click.option("--views", is_flag=True, help="add what each seat may see")
@click.option("--max-steps", default=2000, help="stop after this many (2000)")
@click.option(
    "--check",
    type=_FILE,
    is_eager=True,
    expose_value=False,
    callback=_check,
    help="play this record again, and say where the engine differs",
)
def _given(**given: Any) -> SimpleNamespace:
    return SimpleNamespace(**given)


def record(given: SimpleNamespace) -> Iterator[Json]:
    """Yield the lines of the requested record. Raises RulesError, Stopped, ValueError, OSError."""
    rules = GAMES[given.game].rules
    if given.rules:
        rules = rules.changed(_read(given.rules, dict))
    rng = random.Random(given.seed)
    deck = _read(given.deck) if given.deck else shuffled(rules, rng)
    lots = Lots(rng)
    dealt = deal(rules, given.seats, given.dealer, deck, lots)
    yield header_to_json(given.game, dealt.state, deck)
    yield line_of(dealt, None, None, given.views)
    for before, action, step in _moves(given, dealt.state, lots, rng):
        yield line_of(step, before.turn, action, given.views)


def _moves(
    given: SimpleNamespace, state: State, lots: Lots, rng: random.Random
) -> Iterator[tuple[State, Action, Step]]:
    """Yield each move, up to `--max-steps`: the state before it, its action and its step."""
    wanted = _read(given.actions) if given.actions else repeat(None)
    for number, data in zip(range(1, given.max_steps + 1), wanted, strict=False):
        if state.over:
            return
        if given.actions:
            action, step = _forced(number, state, data, lots)
        else:
            action = rng.choice(legal_actions(state))
            step = apply(state, action, lots)
        yield state, action, step
        state = step.state


def _forced(number: int, state: State, data: Any, lots: Chance) -> tuple[Action, Step]:
    """Apply one action from the list, with the chance outcomes that it names, if any."""
    try:
        action, outcomes = action_from_json(data), forced_from_json(data)
        script = Script(outcomes)
        step = apply(state, action, script if outcomes else lots)
        script.finish()
    except IllegalAction as error:
        raise _stopped(number, data, error.reason, error) from error
    except InvalidAction as error:
        raise _stopped(number, data, "invalid_action", error) from error
    except ChanceError as error:
        raise _stopped(number, data, "impossible_chance", error) from error
    return action, step


def _stopped(number: int, data: Any, reason: str, error: ValueError) -> Stopped:
    try:
        action = _shortened(json.dumps(data), LONGEST // 2)
    except RecursionError:
        action = "..."
    return Stopped(f"step {number}: {action}: {reason}: {error}")


def _shortened(text: str, longest: int) -> str:
    """Put the text on one line, cut to `longest`. Escapes characters that UTF-8 cannot encode."""
    text = text[: 2 * longest].encode("utf-8", "backslashreplace").decode("utf-8")
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 3]}..."


# ---- a record from another program


def check(path: Path) -> tuple[int, State]:
    """Play a record again; returns its number of lines and the last state. Raises Differs if the
    engine would have written something else, and the errors that `record` raises."""
    with path.open("rb") as file:
        texts = iter(lambda: file.readline(LARGEST + 1), b"")
        lines = (_parsed(text, f"line {i}", dict) for i, text in enumerate(texts, start=1))
        step = _dealt_again(next(lines, _NOTHING), next(lines, _NOTHING))
        number = 2
        for number, line in enumerate(lines, start=3):
            before = step.state
            data = _given_in(line, "action", dict) | {"chance": line.get("chance")}
            action, step = _forced(number - 2, before, data, Script(()))
            _compare(line_of(step, before.turn, action, "views" in line), line, f"line {number}")
    return number, step.state


_NOTHING: Final[Json] = {}


def _dealt_again(header: Json, first: Json) -> Step:
    rules = Rules.from_json(_given_in(header, "rules", dict))
    seats, dealer = (_given_in(header, key, int) for key in ("seats", "dealer"))
    deck = _given_in(header, "deck", list)
    step = deal(rules, seats, dealer, deck, Script(forced_from_json(first)))
    _compare(header_to_json(str(header.get("game")), step.state, deck), header, "line 1")
    _compare(line_of(step, None, None, "views" in first), first, "line 2")
    return step


def _given_in(line: Json, key: str, kind: type) -> Any:
    if type(line.get(key)) is not kind:
        raise ValueError(f"{key} must be {_KINDS[kind]}, not {_shortened(repr(line.get(key)), 40)}")
    return line[key]


_KINDS: Final = {dict: "an object", list: "a list", int: "a whole number"}


def _compare(ours: Json, theirs: Json, where: str) -> None:
    told = _difference(_settled(json.loads(json.dumps(ours))), _settled(theirs), where)
    if told is not None:
        raise Differs(told)


def _difference(ours: Any, theirs: Any, where: str) -> str | None:
    """Return where the first difference is and what the engine writes; None if there is none. Keys
    that the engine does not write are ignored."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        inner = ((ours[key], theirs.get(key, "(nothing)"), f"{where}, {key}") for key in ours)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        inner = (
            (one, other, f"{where}[{i}]")
            for i, (one, other) in enumerate(zip(ours, theirs, strict=True))
        )
    elif type(ours) is type(theirs) and ours == theirs:
        return None
    else:
        texts = [_shortened(json.dumps(value), LONGEST // 3) for value in (ours, theirs)]
        return f"{where}: the engine writes {texts[0]}, not {texts[1]}"
    return next(filter(None, (_difference(*one) for one in inner)), None)


_IN_ORDER: Final = ("stock", "deck")
_SETS: Final = ("audience", "winners")
_PARTS: Final = ("type", "target", "class", "bait", "answer", "number", "show", "cards", "card")


def _settled(value: Any, key: str = "") -> Any:
    """Sort the lists whose order has no meaning (docs/record.md); returns the new value."""
    if isinstance(value, dict):
        return {name: _settled(one, name) for name, one in value.items()}
    if not isinstance(value, list):
        return value
    items = [_settled(one, key) for one in value]
    cards = key not in _IN_ORDER and all(isinstance(one, str) for one in items)
    if key == "legal" and all(isinstance(one, dict) for one in items):
        return sorted(items, key=lambda action: [str(action.get(part)) for part in _PARTS])
    return sorted(items, key=str) if cards or key in _SETS else items


# ---- the lines


def line_of(step: Step, seat: int | None, action: Action | None, views: bool) -> Json:
    """Return the line of a record for a move, or for the deal, which has no seat and no action."""
    state = step.state
    line: Json = {"seq": state.seq}
    if action is not None:
        line["seat"] = seat
    line |= {
        "action": None if action is None else action_to_json(action),
        "chance": [chance_to_json(outcome) for outcome in step.chance],
        "events": [event_to_json(event) for event in step.events],
        "after": state_to_json(state),
        "legal": [action_to_json(legal) for legal in legal_actions(state)],
    }
    if views:
        line["views"] = {
            str(viewer_to_json(viewer)): observation_to_json(observe(state, viewer))
            for viewer in (*range(state.seats), WATCHER)
        }
    return line


def _read(path: Path, kind: type = list) -> Any:
    with path.open("rb") as file:
        return _parsed(file.read(LARGEST + 1), path.name, kind)


def _parsed(text: bytes, name: str, kind: type) -> Any:
    if len(text) > LARGEST:
        raise ValueError(f"{name} is larger than {LARGEST // 1_000_000} MB")
    try:
        data = json.loads(text.decode("utf-8"))
    except RecursionError as error:
        raise ValueError(f"{name} is nested too deeply") from error
    if not isinstance(data, kind):
        raise ValueError(f"{name} must hold a JSON {'object' if kind is dict else 'list'}")
    return data
