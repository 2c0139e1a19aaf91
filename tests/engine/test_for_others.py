"""What docs/engine.md promises to other programs: the environment, the schema, the check."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from classroom import engine
from classroom.engine.observation import Observation
from classroom.engine.rules import DOMAINS, Rules
from classroom.games import GAMES
from classroom.recorder import line_of, main
from tests import sample
from tests.games import playthrough
from tests.games.playthrough import golden_record, moves
from tests.games.test_golden import NAMES

DOCS = Path(__file__).resolve().parents[2] / "docs"
DOCUMENT = (DOCS / "engine.md").read_text(encoding="utf-8")
SCHEMA = json.loads((DOCS / "record.schema.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA)
Capture = pytest.CaptureFixture[str]
Line = dict[str, Any]


@cache
def written(name: str) -> str:
    key, _, seats = name.rpartition("-")
    return json.dumps([*golden_record(key, int(seats))])


def lines(name: str) -> list[Line]:
    found: list[Line] = json.loads(written(name))
    return found


# ---- the environment


@pytest.fixture
def document() -> dict[str, Any]:
    """What the blocks of the document define, run as they are written, one after the other."""
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", DOCUMENT, re.M | re.S):
        exec(block, names)
    return names


def test_the_environment_of_the_document_plays_a_round(document: dict[str, Any]) -> None:
    assert document["over"]
    assert document["seen"].over
    assert sum(document["seen"].scores) == 13


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", GAMES)
def test_the_environment_plays_every_game_and_shows_each_seat_only_its_own(
    document: dict[str, Any], game: str
) -> None:
    seats, rng = playthrough.seat_counts(GAMES[game].rules)[-1], random.Random(1)
    table = document["Environment"](game, seats, seed=1)
    seen, over = table.reset(), False
    total = seen.scores
    while not over:
        assert type(seen) is Observation
        assert seen.viewer == seen.turn
        assert all(not table.observation(seat).legal for seat in range(seats) if seat != seen.turn)
        if seen.phase != "claim":
            assert all(
                (hand is None) == (seat != seen.viewer) for seat, hand in enumerate(seen.hands)
            )
        seen, rewards, over = table.step(rng.choice(seen.legal))
        total = tuple(map(sum, zip(total, rewards, strict=True)))
    assert total == seen.scores


def test_the_document_names_every_function_of_the_engine() -> None:
    listed = DOCUMENT.partition("## The functions")[2].partition("A `State`")[0]
    assert sorted(set(re.findall(r"`(\w+)`", listed))) == engine.__all__
    for name in engine.__all__:
        assert getattr(engine, name).__doc__
        assert f"`{name}(" in str(engine.__doc__)


# ---- the schema


def test_the_schema_is_one_and_knows_every_dimension() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    rules = SCHEMA["$defs"]["rules"]
    assert list(rules["properties"]) == list(DOMAINS)
    assert rules["required"] == list(Rules().to_json())
    view = SCHEMA["$defs"]["view"]
    assert list(view["properties"]) == list(Observation.__dataclass_fields__)
    assert view["required"] == [key for key in view["properties"] if key not in ("tide", "lamp")]


@pytest.mark.walk(12)
@pytest.mark.parametrize("name", NAMES)
def test_every_golden_record_keeps_to_the_schema(name: str, whole: bool) -> None:
    for line in sample.part(lines(name), 6, whole):
        assert [error.message for error in VALID.iter_errors(line)] == []


@pytest.mark.walk(16)
@pytest.mark.parametrize("key", playthrough.ROUNDS)
def test_the_views_of_every_game_keep_to_the_schema(key: str) -> None:
    seats = playthrough.seat_counts(playthrough.ROUNDS[key])[0]
    for before, action, step in islice(moves(key, seats), 0, None, 9):
        turn = None if before is None else before.turn
        line = json.loads(json.dumps(line_of(step, turn, action, views=True)))
        assert [error.message for error in VALID.iter_errors(line)] == []


def change(path: str, value: Any) -> Callable[[Line], None]:
    """Put the value at a path such as `after.turn`, or take away what is there, for ...."""

    def made(line: Line) -> None:
        *way, last = path.split(".") if not path.startswith("rules.") else ["rules", path[6:]]
        for name in way:
            line = line[name]
        if value is ...:
            del line[last]
        else:
            line[last] = value

    return made


def changed_answer(number: int, path: str, value: Any) -> list[Line]:
    """The record of a golden round with a change in one line."""
    answer = lines("classic-2")
    change(path, value)(answer[number])
    return answer


FAULTS = [
    *((0, key, ...) for key in ("record", "game", "rules", "seats", "dealer", "deck")),
    *((0, f"rules.{key}", ...) for key in Rules().to_json()),
    (0, "rules.end.tide", None),
    (0, "record", 2),
    (0, "seats", 1),
    (0, "dealer", -1),
    (0, "deck", ["7H", "7H"]),
    (0, "deck", [7]),
    (0, "rules.lucky", "never"),
    (0, "rules.book.size", "4"),
    (0, "rules.refill.active", ["now"]),
    *((1, key, ...) for key in ("seq", "action", "chance", "events", "after", "legal")),
    (1, "seat", 0),
    (1, "seq", 1),
    *((2, key, ...) for key in ("seq", "seat", "action", "chance", "events", "after", "legal")),
    *((2, f"after.{key}", ...) for key in SCHEMA["$defs"]["after"]["required"]),
    (2, "seq", 0),
    (2, "seat", "0"),
    (2, "action", None),
    (2, "action", {"type": "jump"}),
    (2, "action", {"type": "ask", "target": 1}),
    (2, "action", {"type": "ask", "target": "1", "class": "7"}),
    (2, "action", {"type": "lay", "cards": "7H"}),
    (2, "chance", [{"type": "pick", "from": 1}]),
    (2, "events", [{"type": "Fished"}]),
    (2, "events", [{"type": "Fished", "audience": "nobody"}]),
    (2, "after.phase", "sleep"),
    (2, "after.ended_by", "tired"),
    (2, "after.turn", "0"),
    (2, "after.over", 1),
    (2, "after.hands", ["7H"]),
    (2, "after.scores", [0.5]),
    (2, "legal", None),
    (2, "views", {"0": {}}),
]


@pytest.mark.parametrize(("number", "path", "value"), FAULTS)
def test_the_schema_refuses_a_fault(number: int, path: str, value: Any) -> None:
    line = lines("classic-2")[number]
    assert VALID.is_valid(line)
    change(path, value)(line)
    assert not VALID.is_valid(line)


def test_the_schema_passes_over_keys_that_it_does_not_know() -> None:
    for line in lines("classic-2")[:3]:
        assert VALID.is_valid(line | {"note": "mine"})


# ---- the check of another program's answers


def checked(capsys: Capture, folder: Path, answer: list[Line]) -> tuple[int, str]:
    file = folder / "answer.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in answer), encoding="utf-8")
    status = main(["--check", str(file)])
    said = capsys.readouterr()
    return status, said.out + said.err


@pytest.mark.walk(14)
@pytest.mark.parametrize("name", NAMES)
def test_the_engine_agrees_with_every_golden_record(
    name: str, capsys: Capture, tmp_path: Path
) -> None:
    answer = lines(name)
    said = f"the engine agrees with {len(answer)} lines; the round is over\n"
    assert checked(capsys, tmp_path, answer) == (0, said)


def test_the_golden_records_are_written_as_the_document_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playthrough, "ROUNDS", {"classic": GAMES["classic"].rules})
    playthrough.main(str(tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {
        f"classic-{n}.jsonl" for n in (2, 3, 4, 6)
    }
    assert main(["--check", str(tmp_path / "classic-3.jsonl")]) == 0


def test_order_and_keys_that_mean_nothing_make_no_difference(
    capsys: Capture, tmp_path: Path
) -> None:
    answer, rng = lines("fours-3"), random.Random(1)
    for line in answer[1:]:
        line["note"] = line["after"]["note"] = "mine"
        for pile in (*line["after"]["hands"], *line["after"]["boats"], line["legal"]):
            rng.shuffle(pile)
    assert checked(capsys, tmp_path, answer)[0] == 0


@pytest.mark.parametrize(
    ("number", "path", "value", "said"),
    [
        (0, "game", ..., "line 1, game: the engine writes"),
        (0, "rules.tie", ..., "line 1, rules, tie: the engine writes"),
        (1, "legal", [], "line 2, legal: the engine writes"),
        (2, "after.scores", [5, 0], "line 3, after, scores[0]: the engine writes 0, not 5"),
        (2, "after.over", 0, "line 3, after, over: the engine writes false, not 0"),
        (2, "after.turn", ..., "line 3, after, turn: the engine writes"),
        (2, "events", [], "line 3, events: the engine writes"),
        (2, "seat", 7, "line 3, seat: the engine writes"),
    ],
)
def test_the_first_difference_is_named_in_one_line(
    number: int, path: str, value: Any, said: str, capsys: Capture, tmp_path: Path
) -> None:
    answer = changed_answer(number, path, value)
    status, told = checked(capsys, tmp_path, answer)
    assert (status, told.count("\n")) == (1, 1)
    assert told.startswith(said)


def test_a_stock_in_another_order_is_a_difference(capsys: Capture, tmp_path: Path) -> None:
    answer = lines("classic-2")
    answer[1]["after"]["stock"].reverse()
    assert checked(capsys, tmp_path, answer)[0] == 1


@pytest.mark.parametrize(
    ("number", "path", "value", "said"),
    [
        (0, "seats", "2", "seats must be a whole number, not '2'"),
        (0, "deck", ["7H"], "a deck for this game has each of its 52 cards once"),
        (0, "rules.tie", "nobody", "tie"),
        (2, "action", {"type": "ask", "target": 1, "class": "7"}, "step 1: "),
        (2, "action", ..., "action must be an object, not None"),
        (2, "chance", [{"type": "pick", "from": 0, "card": "7H"}], "step 1: "),
        (2, "chance", 1, "step 1: "),
    ],
)
def test_what_cannot_be_played_again_is_refused_in_one_line(
    number: int, path: str, value: Any, said: str, capsys: Capture, tmp_path: Path
) -> None:
    answer = changed_answer(number, path, value)
    status, told = checked(capsys, tmp_path, answer)
    assert (status, told.count("\n")) == (2, 1)
    assert said in told


@pytest.mark.parametrize("text", [b"", b"[]\n", b"{\n", b"\xff\n", b"[" * 100_000])
def test_a_file_that_is_no_record_is_refused(text: bytes, capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "answer.jsonl").write_bytes(text)
    assert main(["--check", str(tmp_path / "answer.jsonl")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
