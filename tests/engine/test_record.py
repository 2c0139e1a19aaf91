"""A round as text, as in docs/record.md: its parts, its replay, and the command."""

from __future__ import annotations

import json
import random
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from classroom.engine import apply, deal, events, legal_actions, observe, shuffled
from classroom.engine.actions import (
    Action,
    Answer,
    Ask,
    Bait,
    ChanceError,
    Claim,
    Compensate,
    Declare,
    InvalidAction,
    Lamp,
    Lay,
    LayOff,
    Lots,
    Name,
    Outcome,
    Pass,
    Pick,
    Script,
    Show,
)
from classroom.engine.cards import deck_of
from classroom.engine.events import Event
from classroom.engine.observation import TEACHER, WATCHER
from classroom.engine.record import (
    action_from_json,
    action_to_json,
    chance_from_json,
    chance_to_json,
    event_to_json,
    observation_to_json,
    replayed,
)
from classroom.engine.rules import DOMAINS, Rules
from classroom.games import GAMES
from classroom.recorder import main
from tests.engine.tabletop import LONG, rules_of, seats_of, steps

ACTIONS: list[tuple[Action, dict[str, Any]]] = [
    (Ask(1, "7"), {"type": "ask", "target": 1, "class": "7"}),
    (Ask("all", "7"), {"type": "ask", "target": "all", "class": "7"}),
    (Ask(1, "RS.", "RS1"), {"type": "ask", "target": 1, "class": "RS.", "bait": "RS1"}),
    (Answer("give"), {"type": "answer", "answer": "give"}),
    (Answer("challenge"), {"type": "answer", "answer": "challenge"}),
    (Name(2), {"type": "name", "number": 2}),
    (Show(True), {"type": "show", "show": True}),
    (Lay(("a", "b")), {"type": "lay", "cards": ("a", "b")}),
    (LayOff("7H"), {"type": "layoff", "card": "7H"}),
    (Declare(), {"type": "declare"}),
    (Claim(("a", "b")), {"type": "claim", "cards": ("a", "b")}),
    (Pass(), {"type": "pass"}),
    (Lamp(), {"type": "lamp"}),
]
OUTCOMES: list[tuple[Outcome, dict[str, Any]]] = [
    (Pick(1, "7H"), {"type": "pick", "from": 1, "card": "7H"}),
    (Bait(2, ("RS1", "RS2")), {"type": "bait", "seat": 2, "cards": ("RS1", "RS2")}),
    (Compensate(3, "RS1"), {"type": "compensate", "to": 3, "card": "RS1"}),
]


@pytest.mark.parametrize(("action", "data"), ACTIONS)
def test_an_action_is_written_as_defined_and_read_back(
    action: Action, data: dict[str, Any]
) -> None:
    assert action_to_json(action) == data
    assert action_from_json(json.loads(json.dumps(data))) == action
    assert action_from_json(data | {"chance": [], "note": "unknown keys are passed over"}) == action


@pytest.mark.parametrize(("outcome", "data"), OUTCOMES)
def test_an_outcome_of_chance_is_written_as_defined_and_read_back(
    outcome: Outcome, data: dict[str, Any]
) -> None:
    assert chance_to_json(outcome) == data
    assert chance_from_json(json.loads(json.dumps(data))) == outcome


@pytest.mark.parametrize(
    "data",
    [
        None,
        "ask",
        [],
        {},
        {"type": "jump"},
        {"type": 1},
        {"type": "ask"},
        {"type": "ask", "target": 1},
        {"type": "ask", "target": "1", "class": "7"},
        {"type": "ask", "target": True, "class": "7"},
        {"type": "ask", "target": 1.0, "class": "7"},
        {"type": "ask", "target": 1, "class": 7},
        {"type": "ask", "target": 1, "class": "7", "bait": 7},
        {"type": "answer", "answer": "no"},
        {"type": "name", "number": "2"},
        {"type": "name", "number": True},
        {"type": "show", "show": 1},
        {"type": "lay", "cards": "7H"},
        {"type": "lay", "cards": [7]},
        {"type": "layoff"},
        {"type": "claim"},
    ],
)
def test_an_unknown_action_is_invalid(data: Any) -> None:
    with pytest.raises(InvalidAction):
        action_from_json(data)


@pytest.mark.parametrize("data", [{}, {"type": "pick", "from": 1}, {"type": "bait", "seat": "x"}])
def test_an_unknown_outcome_of_chance_is_invalid(data: Any) -> None:
    with pytest.raises(InvalidAction):
        chance_from_json(data)


@pytest.mark.walk(3)
@pytest.mark.parametrize("key", GAMES)
def test_a_round_is_folded_again_exactly_from_its_log(key: str) -> None:
    rules = rules_of(key)
    for seats in seats_of(rules):
        rng = random.Random(seats)
        deck, lots = shuffled(rules, rng), Lots(rng)
        state = deal(rules, seats, 1, deck).state
        moves: list[Any] = []
        while not state.over:
            action = rng.choice(legal_actions(state))
            step = apply(state, action, lots)
            moves.append((action_to_json(action), list(map(chance_to_json, step.chance))))
            state = step.state
        assert replayed(deal(rules, seats, 1, deck).state, json.loads(json.dumps(moves))) == state


def event_from_json(data: dict[str, Any]) -> Event:
    kind = getattr(events, data["type"])
    keys = {f.name: {"class_": "class", "source": "from"}.get(f.name, f.name) for f in fields(kind)}
    event: Event = kind(**{name: tuples(data[key]) for name, key in keys.items()})
    return event


def tuples(value: Any) -> Any:
    return tuple(map(tuples, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("key", GAMES)
def test_an_event_can_be_read_back_from_its_json(key: str) -> None:
    for _, step in steps(rules_of(key), seats_of(rules_of(key))[0], 2):
        for event in step.events:
            assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


def test_a_log_with_impossible_chances_is_refused() -> None:
    rules = rules_of("guru_hand_fishing")
    deck = shuffled(rules, random.Random(1))
    ask = legal_actions(deal(rules, 2, 0, deck).state)
    miss = next(a for a in ask if _misses(rules, deck, a))
    move = action_to_json(miss)
    for chance in (
        [],
        [{"type": "pick", "from": 0, "card": "no card"}],
        [{"type": "bait", "seat": 0, "cards": []}],
    ):
        with pytest.raises(ChanceError):
            replayed(deal(rules, 2, 0, deck).state, [(move, chance)])
    extra = [{"type": "pick", "from": 0, "card": "7H"}]
    with pytest.raises(ChanceError):
        replayed(deal(rules_of("classic"), 2, 0, deck).state, [(_first_ask(deck), extra)])


def _misses(rules: Rules, deck: list[str], action: Action) -> bool:
    try:
        apply(deal(rules, 2, 0, deck).state, action, Script(()))
    except ChanceError:
        return True
    return False


def _first_ask(deck: list[str]) -> dict[str, Any]:
    return action_to_json(legal_actions(deal(rules_of("classic"), 2, 0, deck).state)[0])


def test_a_game_with_chance_needs_its_outcomes() -> None:
    rules = rules_of("guru_hand_fishing")
    deck = shuffled(rules, random.Random(1))
    state = deal(rules, 2, 0, deck).state
    miss = next(a for a in legal_actions(state) if _misses(rules, deck, a))
    with pytest.raises(ValueError, match="source of chance"):
        apply(state, miss)


@pytest.mark.parametrize("viewer", [0, 1, WATCHER, TEACHER])
def test_a_view_is_written_whole(viewer: Any) -> None:
    state = deal(rules_of("classic"), 2, 0, shuffled(rules_of("classic"), random.Random(1))).state
    view = observe(state, viewer)
    data = json.loads(json.dumps(observation_to_json(view)))
    assert set(data) == set(view.__dataclass_fields__) - {"tide", "lamp"}
    assert data["hand_sizes"] == list(view.hand_sizes)
    assert len(data["history"]) == len(view.history)
    assert data["viewer"] in (0, 1, "watcher", "teacher")


# The command.


def record(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[Any], str]:
    """Run the command. Returns its status, lines and message."""
    status = main(words)
    written = capsys.readouterr()
    return status, [json.loads(line) for line in written.out.splitlines()], written.err


def file(folder: Path, name: str, data: Any) -> str:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


CLASSIC = ("--game", "classic", "--seats", "3")
Capture = pytest.CaptureFixture[str]


@pytest.mark.walk(3)
@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_recorded_to_its_end(key: str, capsys: Capture) -> None:
    seats = seats_of(rules_of(key))[0]
    status, lines, error = record(capsys, "--game", key, "--seats", str(seats), "--seed", "7")
    assert (status, error) == (0, "")
    header, table, *moves = lines
    assert header["record"] == 1
    assert header["game"] == key
    assert header["rules"] == GAMES[key].rules.to_json()
    assert (header["seats"], header["dealer"], len(header["deck"])) == (
        seats,
        0,
        len(set(header["deck"])),
    )
    assert (table["seq"], table["action"], table["chance"]) == (0, None, [])
    assert "seat" not in table
    assert [move["seq"] for move in moves] == list(range(1, len(moves) + 1))
    before = table
    for move in moves:
        assert move["seat"] == before["after"]["turn"]
        assert move["action"] in before["legal"]
        before = move
    assert moves[-1]["after"]["over"]
    assert moves[-1]["after"]["phase"] == "over"
    assert moves[-1]["after"]["turn"] is None
    assert moves[-1]["legal"] == []
    assert not any(move["after"]["over"] for move in moves[:-1])


def test_the_keys_are_as_defined(capsys: Capture) -> None:
    _, (_, table, move, *_), _ = record(capsys, *CLASSIC)
    assert set(table) == {"seq", "action", "chance", "events", "after", "legal"}
    assert set(move) == set(table) | {"seat"}
    assert set(move["after"]) == {
        "hands",
        "boats",
        "stock",
        "lost",
        "books",
        "singles",
        "turn",
        "phase",
        "over",
        "ended_by",
        "scores",
        "winners",
    }
    assert all({"type", "audience"} <= set(event) for event in move["events"])


def test_the_same_seed_gives_the_same_record(capsys: Capture) -> None:
    one = record(capsys, *CLASSIC, "--seed", "7")
    assert one == record(capsys, *CLASSIC, "--seed", "7")
    assert one != record(capsys, *CLASSIC, "--seed", "8")


def test_a_record_can_be_made_again_from_its_deck_and_actions(
    capsys: Capture, tmp_path: Path
) -> None:
    for key, seats in [("fours", "3"), ("guru_hand_fishing", "3"), ("fours_wild", "4")]:
        words = ("--game", key, "--seats", seats, "--dealer", "1")
        _, lines, _ = record(capsys, *words, "--seed", "3")
        deck = file(tmp_path, "D.json", lines[0]["deck"])
        forced = [line["action"] | {"chance": line["chance"]} for line in lines[2:]]
        actions = file(tmp_path, "A.json", forced)
        _, again, _ = record(capsys, *words, "--deck", deck, "--actions", actions)
        assert again == lines


def test_the_record_stops_when_the_actions_are_used_up(capsys: Capture, tmp_path: Path) -> None:
    _, lines, _ = record(capsys, *CLASSIC)
    deck = file(tmp_path, "D.json", lines[0]["deck"])
    actions = file(tmp_path, "A.json", [line["action"] for line in lines[2:7]])
    status, again, error = record(capsys, *CLASSIC, "--deck", deck, "--actions", actions)
    assert (status, again, error) == (0, lines[:7], "")
    more = file(tmp_path, "B.json", [line["action"] for line in lines[2:]] + [{"type": "nonsense"}])
    assert record(capsys, *CLASSIC, "--deck", deck, "--actions", more)[:2] == (0, lines)


def test_a_deck_alone_is_played_at_random(capsys: Capture, tmp_path: Path) -> None:
    _, lines, _ = record(capsys, *CLASSIC)
    deck = file(tmp_path, "D.json", lines[0]["deck"])
    status, again, _ = record(capsys, *CLASSIC, "--deck", deck, "--seed", "4")
    assert status == 0
    assert again[:2] == lines[:2]
    assert again[-1]["after"]["over"]


def test_max_steps_and_dealer_are_obeyed(capsys: Capture) -> None:
    status, lines, _ = record(capsys, *CLASSIC, "--max-steps", "5", "--dealer", "2")
    assert (status, len(lines)) == (0, 7)
    assert lines[0]["dealer"] == 2
    assert lines[2]["seat"] == 0


def test_views_show_every_seat_and_a_watcher(capsys: Capture) -> None:
    _, lines, _ = record(capsys, *CLASSIC, "--views", "--max-steps", "5")
    for line in lines[1:]:
        assert set(line["views"]) == {"0", "1", "2", "watcher"}
        for viewer, view in line["views"].items():
            mine = str(line["after"]["turn"]) == viewer
            assert view["legal"] == (line["legal"] if mine else [])
            assert view["hand_sizes"] == [len(hand) for hand in line["after"]["hands"]]


def test_refused_rules_end_with_status_2_and_one_line(capsys: Capture, tmp_path: Path) -> None:
    rules = file(tmp_path, "R.json", {"ask.scope": "all", "turn.next": "refuser"})
    status, lines, error = record(capsys, *CLASSIC, "--rules", rules)
    assert (status, lines) == (2, [])
    assert error.count("\n") == 1
    for word in ("ask.scope", "turn.next", "several players may refuse"):
        assert word in error


@pytest.mark.parametrize(
    ("rules", "words"),
    [({"x": 1}, "x: there is no such dimension"), ({"tie": "no"}, "tie"), ([1], "JSON object")],
)
def test_unknown_dimensions_are_refused_in_the_same_way(
    rules: Any, words: str, capsys: Capture, tmp_path: Path
) -> None:
    status, lines, error = record(capsys, *CLASSIC, "--rules", file(tmp_path, "R.json", rules))
    assert (status, lines, error.count("\n")) == (2, [], 1)
    assert words in error


def test_changed_rules_are_in_force(capsys: Capture, tmp_path: Path) -> None:
    rules = file(tmp_path, "R.json", {"book.size": 2, "tie": "shared"})
    status, lines, _ = record(capsys, *CLASSIC, "--rules", rules)
    assert status == 0
    assert (lines[0]["rules"]["book.size"], lines[0]["rules"]["tie"]) == (2, "shared")
    assert all(len(book) == 2 for books in lines[-1]["after"]["books"] for book in books)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"type": "ask", "target": 1, "class": "X"}, "unknown_class"),
        ({"type": "ask", "target": 9, "class": "7"}, "no_such_seat"),
        ({"type": "pass"}, "not_in_this_game"),
        ({"type": "nonsense"}, "invalid_action"),
        ({"target": 1}, "invalid_action"),
        ("ask", "invalid_action"),
        (None, "invalid_action"),
    ],
)
def test_an_illegal_action_ends_with_status_2_after_the_record_so_far(
    action: Any, reason: str, capsys: Capture, tmp_path: Path
) -> None:
    _, lines, _ = record(capsys, *CLASSIC)
    deck = file(tmp_path, "D.json", lines[0]["deck"])
    actions = file(tmp_path, "A.json", [lines[2]["action"], action])
    status, again, error = record(capsys, *CLASSIC, "--deck", deck, "--actions", actions)
    assert (status, again, error.count("\n")) == (2, lines[:3], 1)
    assert error.startswith("step 2: ")
    assert json.dumps(action) in error
    assert f": {reason}: " in error


@pytest.mark.parametrize("chance", [5, True, "pick", {"type": "pick"}, 0, "", {}])
def test_forced_chance_must_be_a_list(chance: Any, capsys: Capture, tmp_path: Path) -> None:
    action = {"type": "ask", "target": 2, "class": "A", "chance": chance}
    actions = file(tmp_path, "A.json", [action])
    status, lines, error = record(capsys, *CLASSIC, "--actions", actions)
    assert (status, len(lines), error.count("\n")) == (2, 2, 1)
    assert ": invalid_action: chance must be a list" in error


@pytest.mark.parametrize("option", ["--deck", "--actions", "--rules"])
@pytest.mark.parametrize("start", ["[", '{"a":', '[{"type":'])
@pytest.mark.parametrize("depth", [800, 900, 990, 200_000])
def test_a_deeply_nested_file_is_one_line_too(
    option: str, start: str, depth: int, capsys: Capture, tmp_path: Path
) -> None:
    ends = "".join({"[": "]", "{": "}"}.get(sign, "") for sign in reversed(start))
    (tmp_path / "N.json").write_text(start * depth + "1" + ends * depth, encoding="utf-8")
    status, lines, error = record(capsys, *CLASSIC, option, str(tmp_path / "N.json"))
    assert (status, error.count("\n")) == (2, 1)
    assert len(lines) == (2 if option == "--actions" else 0)
    if depth == 200_000:
        assert error == "N.json is nested too deeply\n"


HUGE = "x" * 1_000_000


@pytest.mark.parametrize(
    ("option", "data", "words"),
    [
        ("--rules", {"class": HUGE}, "class: 'xxx"),
        ("--rules", {"end": [HUGE, *"abcdefgh"]}, "end: ['xxx"),
        ("--rules", {HUGE: 1}, "xxx"),
        ("--rules", {"\ud800" * 300: 1}, "ud800"),
        ("--deck", [HUGE], "each of its 52 cards once"),
        ("--actions", [HUGE], "invalid_action: 'xxx"),
        ("--actions", [{"type": HUGE}], "invalid_action: 'xxx"),
        ("--actions", [{"type": "ask", "target": 2, "class": HUGE}], "unknown_class"),
        ("--actions", [{"type": "ask", "target": HUGE, "class": "A"}], "invalid_action: target"),
        ("--actions", [{"type": "pass", "note": HUGE}], "not_in_this_game"),
    ],
)
def test_a_line_shows_as_much_of_a_value_as_can_be_read(
    option: str, data: Any, words: str, capsys: Capture, tmp_path: Path
) -> None:
    status, _, error = record(capsys, *CLASSIC, option, file(tmp_path, "H.json", data))
    assert (status, error.count("\n")) == (2, 1)
    assert words in error
    assert len(error.rstrip("\n").encode("utf-8")) <= 300


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
TYPES = [data["type"] for _, data in (*ACTIONS, *OUTCOMES)]
A_WORD = st.sampled_from([*TYPES, "all", "7", "7H", "give", "pick", "RS.", "RS1", "now"])
FIELDS = ("type", "target", "class", "bait", "answer", "number", "show", "cards", "card", "chance")
AN_OUTCOME = st.dictionaries(st.sampled_from(["type", "from", "card", "to"]), A_WORD | ANYTHING)
AN_ACTION = st.dictionaries(
    st.sampled_from(FIELDS), A_WORD | st.integers(0, 2) | st.lists(AN_OUTCOME) | ANYTHING
)
SHAPES = {
    "--deck": st.permutations(deck_of(Rules()).cards) | st.lists(A_WORD | ANYTHING) | ANYTHING,
    "--actions": st.lists(AN_ACTION | ANYTHING, max_size=3) | ANYTHING,
    "--rules": st.dictionaries(st.sampled_from([*DOMAINS]), A_WORD | ANYTHING) | ANYTHING,
}


@pytest.mark.parametrize("option", SHAPES)
def test_any_file_is_recorded_or_refused_in_one_line(
    option: str, tmp_path: Path, whole: bool
) -> None:
    @settings(max_examples=150 * LONG if whole else 40, deadline=None)
    @given(data=SHAPES[option], key=st.sampled_from(["classic", "fours", "guru_hand_fishing"]))
    def try_it(data: Any, key: str) -> None:
        words = ["--game", key, "--seats", "3", option, file(tmp_path, "X.json", data)]
        with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
            status = main([*words, "--max-steps", "3"])
        error = err.getvalue()
        assert (status, error.count("\n")) in ((0, 0), (2, 1))
        assert len(error) <= 301
        for line in out.getvalue().splitlines():
            json.loads(line)

    try_it()


@pytest.mark.parametrize(
    "words",
    [
        ("--dealer", "3"),
        ("--deck", "nowhere.json"),
        ("--seats", "x"),
        ("--dealer", "1.5"),
        ("--max-steps", "many"),
        ("--seats", "9" * 5000),
        ("--game", "poker"),
        ("--surprise",),
    ],
)
def test_other_errors_are_one_line_too(words: tuple[str, ...], capsys: Capture) -> None:
    status, lines, error = record(capsys, *CLASSIC, *words)
    assert (status, lines, error.count("\n")) == (2, [], 1)
    assert len(error) <= 301


def test_a_file_without_end_is_not_read_to_its_end(capsys: Capture) -> None:
    assert main(["--game", "classic", "--seats", "2", "--deck", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "zero is larger than 4 MB\n"


def test_a_broken_file_is_one_line_too(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "D.json").write_text("[", encoding="utf-8")
    status, lines, error = record(capsys, *CLASSIC, "--deck", str(tmp_path / "D.json"))
    assert (status, lines, error.count("\n")) == (2, [], 1)
