"""A child's whole record: complete, without cards that are still hidden, and without other
children."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Float, Integer, String, Table, select, update

from classroom import privacy
from classroom.database import Base, db, write_unit
from classroom.models import (
    Child,
    EvidenceRow,
    MomentAnswer,
    Move,
    Player,
    Restriction,
    Round,
    SmallGroup,
    YearChange,
    YearMove,
)
from classroom.services.access import sessions, sign_in
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import gatherings, lessons, seating
from classroom.services.operation import background
from classroom.services.quiz import posing
from classroom.services.reports import overview
from classroom.services.school import child_moves, child_notes, exports, family_links, school_year
from classroom.services.table import choices, evidence_log, help, matches, rounds
from tests.conftest import finish, make_app
from tests.playing import family_chooses
from tests.questioning import put_question
from tests.randomness import drawn_from
from tests.world import World, count_all, play_out

Rows = dict[str, list[dict[str, Any]]]
DEVICE = "d" * 32
SHARED_GAME = "guru_hand_fishing"  # a game in which cards are also fished from other hands


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory, first_world: World, peopled: Path) -> World:
    """The school of these tests, made once; its app is closed."""
    world = first_world.at(make_app(tmp_path_factory.mktemp("busy"), peopled))
    with world.app.app_context(), drawn_from(random.Random("busy")):
        mia, round_id = world.children["Miaqua"], world.rounds["Miaqua"]
        family_chooses(world.adults["reed"], mia, 2, "perch", "short", "open", True, None)
        choices.write(world.adults["lake"], "child", mia, {"hints": True})
        family_links.make_code(mia, by=world.adults["lake"])
        background.play_now(round_id)
        help.hint(round_id, 0)
        answer_one(mia, round_id)
        play_out(mia)
        play_together(world)
        going_on = matches.start_match(mia)
        background.play_now(going_on)
        answer_one(mia, going_on)
        table = rounds.table(going_on, 0)
        rounds.play(going_on, 0, table.observation.legal[0], "g", table.seq)
        put_question(mia, going_on, rounds.seq(going_on))
        count_all()
        plan_for(world)
        come_in(world)
        move_on(world)
        db.session.rollback()
    finish(world.app)
    return world


@pytest.fixture
def school(tmp_path: Path, busy: World) -> Iterator[World]:
    """Miaqua has finished rounds, alone and with Benquill, with help and questions, and one
    unfinished round. She is signed in and waits at a table."""
    app = make_app(tmp_path / "busy", Path(busy.app.instance_path))
    with app.app_context():
        yield busy.at(app)
        db.session.rollback()
    finish(app)


def plan_for(world: World) -> None:
    """Put Miaqua in a group and a small group, plan her seat in the next lesson, write a note on
    her, and let her family object to a profile."""
    mia, room = world.children["Miaqua"], world.classes["sunfish"]
    seating.change_groups(room, {mia: seating.NEW_GROUP}, "Owls")
    lessons.save_plan(room, [lessons.TablePlan(game="classic", children=(mia,))])
    child_notes.write(mia, "Counts on her fingers.", by=world.adults["lake"])
    row = {"child_id": mia, "whose": "family", "reason": "object", "since": clock.now()}
    with write_unit():
        db.session.add(Restriction(**row, by=world.adults["reed"]))
        db.session.add(SmallGroup(child_id=mia, class_id=room, strand="adding", day=clock.day()))
        asked = {"moment_id": world.moments["sunfish"], "ask": {"type": "ask", "target": 1}}
        db.session.add(MomentAnswer(child_id=mia, at=clock.now(), **asked))


def move_on(world: World) -> None:
    """Add the row about Miaqua that beginning a new school year writes."""
    with write_unit():
        mia = db.session.get_one(Child, world.children["Miaqua"])
        change = YearChange(
            school_id=mia.school_class.school_id, at=clock.now(), made=[], archived=[], ends={}
        )
        db.session.add(change)
        db.session.flush()
        db.session.add(
            YearMove(
                change_id=change.id,
                child_id=mia.id,
                from_class=mia.class_id,
                to_class=mia.class_id,
                name=mia.name,
                animal=mia.animal,
                pad=mia.pad,
                age_band=mia.age_band,
                new_card=False,
            )
        )


def come_in(world: World) -> None:
    """Sign Miaqua in and seat her, and tap wrong pictures on a second device."""
    mia, room = world.children["Miaqua"], world.classes["sunfish"]
    right = list(sign_in.pictures_of(db.session.get_one(Child, mia)))
    for device, tapped in ((DEVICE, right), ("e" * 32, right[::-1])):
        with write_unit():
            who = sessions.find(sessions.start(device, class_id=room))
        sign_in.knock(who, mia)
        with nullcontext() if tapped is right else pytest.raises(Refused):
            sign_in.pictures(who, mia, tapped)
    gatherings.make(mia, "classic")


def play_together(world: World) -> int:
    """Play a round of Miaqua, Benquill and a computer friend, in which each child's move has a time
    of its own. Returns its id."""
    mia, ben = world.children["Miaqua"], world.children["Benquill"]
    began, lots = clock.now() - 1000, random.Random(3)
    with clock.clock_at(began), write_unit():
        round_id = matches.together(world.classes["sunfish"], "guru", [mia, None, ben])
    answered = False
    while not rounds.table(round_id, 0).over:
        with clock.clock_at(began + 1.2345 * (1 + rounds.seq(round_id))):
            background.play_now(round_id)
            seat = rounds.table(round_id, 0).observation.turn
            if seat is None:
                continue
            if seat == 0 and not answered and rounds.seq(round_id) > 8:
                answer_one(mia, round_id)
                answered = True
            table = rounds.table(round_id, seat)
            action = lots.choice(table.observation.legal)
            rounds.play(round_id, seat, action, secrets.token_hex(8), table.seq)
    return round_id


def answer_one(child_id: int, round_id: int) -> None:
    seq = rounds.seq(round_id)
    put_question(child_id, round_id, seq)
    posing.answer(round_id, child_id, seq, 1, "a")


def record(world: World, name: str = "Miaqua", reader: str = "reed") -> Rows:
    found = exports.record(world.children[name], world.adults[reader])
    read = {table: list(rows) for table, rows in found}
    db.session.rollback()
    return read


def test_every_column_that_belongs_to_a_record_is_in_it(school: World) -> None:
    marked = {
        name: {column for column, line in table.columns.items() if line.export}
        for name, table in privacy.REGISTER.items()
        if name != "adults" and any(line.export for line in table.columns.values())
    }
    found = record(school)
    assert found.pop(exports.SEEN)
    assert {name: set(rows[0]) for name, rows in found.items()} == marked


def test_no_secret_is_in_a_record(school: World) -> None:
    secret = {
        (name, column)
        for name, table in privacy.REGISTER.items()
        for column, line in table.columns.items()
        if column in ("device", "token_hash", "code_hash", "password_hash", "seal", "keys")
    }
    assert len(secret) >= 8
    assert not [(t, c) for t, c in secret if c in exports.columns().get(t, {})]
    assert DEVICE not in json.dumps(record(school))


def test_every_value_in_a_childs_rows_is_in_the_record(school: World) -> None:
    wanted: list[tuple[str, str]] = []
    for name, rows in record(school).items():
        if name == exports.SEEN:
            continue
        table = Base.metadata.tables[name]
        keys = [table.c[column.name] == rows[0][column.name] for column in table.primary_key]
        if any(column.name not in rows[0] or column.foreign_keys for column in table.primary_key):
            keys = [table.c.child_id == school.children["Miaqua"]]
        values = {
            column.name: canary(table, column, len(wanted))
            for column in table.columns
            if column.name in rows[0] and is_free(column)
        }
        if not values:  # the row only links two others
            continue
        with write_unit():
            db.session.execute(update(table).where(*keys).values(values))
        wanted += ((f"{name}.{key}", json.dumps(value)) for key, value in values.items())
    text = json.dumps(record(school))
    assert len(wanted) > 100
    assert [where for where, value in wanted if value not in text] == []


def test_uncounted_evidence_is_in_the_rows_and_the_numbers(school: World) -> None:
    mia = school.children["Miaqua"]
    windows = record(school)["skill_windows"]
    with write_unit():
        db.session.query(Restriction).delete()
        (_, first), *_ = evidence_log.rows_of(EvidenceRow.child_id == mia)
        evidence_log.append(mia, [replace(first, seq=998)])
    found = record(school)
    assert found["evidence"][-1]["counted"] is False
    assert found["skill_windows"] == windows


# Columns that say whose a row is, or that are turned into words.
TELL_WHOSE = """
    moves.seat players.seat audit.action audit.thing audit.thing_id audit.adult_id wrong_tries.what
    """.split()


def is_free(column: Column[Any]) -> bool:
    """Whether this column can hold any value."""
    return not (
        str(column) in TELL_WHOSE
        or column.primary_key
        or column.foreign_keys
        or isinstance(column.type, Boolean)
        or column.name in exports.OF_ALL_AT_THE_TABLE
    )


def canary(table: Table, column: Column[Any], number: int) -> Any:
    name = f"{table.name}.{column.name}"
    if isinstance(column.type, JSON):
        return {"canary": name}
    if isinstance(column.type, String):
        return ("canary" + name)[-(column.type.length or 99) :]
    assert isinstance(column.type, (Integer, Float)), name
    return 7_000_000 + 1000 * number + len(name) + (0.5 if isinstance(column.type, Float) else 0)


def test_a_record_has_no_card_of_an_unfinished_round(school: World) -> None:
    tried_out = school.rounds["Miaqua at home"]  # a practice round
    going_on = db.session.scalars(
        select(Round.id).join(Player, Player.match_id == Round.match_id).where(
            Round.ended_at.is_(None), Player.child_id == school.children["Miaqua"],
            Round.id != tried_out,
        )
    ).one()  # fmt: skip
    found = record(school)
    assert [row["deck"] for row in found["rounds"] if row["id"] == going_on] == [None]
    alone = {row["id"] for row in found["rounds"]} - {going_on, tried_out, *withheld_rounds(school)}
    assert alone
    assert all(row["deck"] for row in found["rounds"] if row["id"] in alone)
    for table in ("moves", "evidence", "questions"):
        assert found[table]
        assert going_on not in {row["round_id"] for row in found[table]}
    match = next(row["match_id"] for row in found["rounds"] if row["id"] == going_on)
    assert {row["seed"] for row in found["players"] if row["match_id"] == match} == {None}
    with clock.clock_at(clock.now() + clock.SECONDS_A_DAY):
        later = record(school)
    assert [row["deck"] for row in later["rounds"] if row["id"] == going_on] == [None]
    assert len(later["moves"]) == len(found["moves"])
    assert len(later["evidence"]) > len(found["evidence"])
    assert len(later["questions"]) == len(found["questions"]) + 1, "one still waits for an answer"


# ---- other children


def of_others(found: Any, own: int, at: str = "") -> Iterator[str]:
    """Every place in a record that names another child by its number."""
    if isinstance(found, list):
        for number, one in enumerate(found):
            yield from of_others(one, own, f"{at}[{number}]")
    elif isinstance(found, dict):
        for key, value in found.items():
            if key in ("child_id", "moved_id") and value not in (None, own):
                yield f"{at}.{key}"
            yield from of_others(value, own, f"{at}.{key}")


@pytest.mark.walk(2)
@pytest.mark.parametrize("name", ["Miaqua", "Benquill", "Adaquist", "Zedquorn"])
def test_no_record_holds_anything_of_another_child(school: World, name: str) -> None:
    own = school.children[name]
    times = db.session.scalars(
        select(Move.at)
        .join(Round, Round.id == Move.round_id)
        .join(Player, (Player.match_id == Round.match_id) & (Player.seat == Move.seat))
        .where(Player.child_id.is_not(None), Player.child_id != own)
    ).all()
    assert len(times) > 10
    for reader in ("lake", "reed", "rush", "sedge"):
        found = record(school, name, reader)
        text = json.dumps(found)
        assert not [other for other in school.children if other != name and other in text]
        ends = {row["ended_at"] for row in found["rounds"]}  # the last move may be another's
        assert not [at for at in times if at not in ends and repr(at) in text]
        assert list(of_others(found, own)) == []
        assert {row["thing_id"] for row in found["audit"] if row["thing"] == "child"} <= {own}
        assert {row["what"] for row in found["wrong_tries"]} <= {f"child:{own}"}
        assert {row["id"] for row in found["children"]} == {own}


def test_a_record_holds_what_the_child_saw_of_a_shared_round(school: World) -> None:
    (round_id,) = withheld_rounds(school)
    found = record(school)
    (row,) = (row for row in found["rounds"] if row["id"] == round_id)
    assert [row[name] for name in ("deck", "away", "returned_at")] == [None, None, None]
    moves = [row for row in found["moves"] if row["round_id"] == round_id]
    assert {row["seat"] for row in moves} == {0, 1}, "the child's own and the computer player's"
    assert all(row["at"] is not None for row in moves if row["seat"] == 0)
    assert {(row["at"], row["chance"]) for row in moves if row["seat"] == 1} == {(None, None)}
    (seen,) = found[exports.SEEN]
    assert seen["round_id"] == round_id
    assert seen["events"][-1]["seq"] == row["moves"], "up to the last move"
    for event in seen["events"]:
        assert "at" not in event
        assert event["audience"] == "all" or 0 in event["audience"], event
    assert {event["seat"] for event in seen["events"] if event["type"] == "Asked"} == {0, 1, 2}
    answers = [row for row in found["evidence"] + found["questions"] if row["round_id"] == round_id]
    assert answers
    assert not [row for row in answers if row.get("lag_seconds") or row["item"].get("lag_seconds")]


def withheld_rounds(school: World) -> list[int]:
    mine, other = (
        select(Player.match_id).where(Player.child_id == school.children[name])
        for name in ("Miaqua", "Benquill")
    )
    both = select(Round.id).where(Round.match_id.in_(mine), Round.match_id.in_(other))
    return list(db.session.scalars(both))


def test_the_seat_of_a_removed_child_is_still_treated_as_another_childs(school: World) -> None:
    (round_id,) = withheld_rounds(school)
    before = record(school)
    with write_unit():
        db.session.execute(
            update(Player)
            .where(Player.child_id == school.children["Benquill"])
            .values(child_id=None, name="Friend")
        )
    found = record(school)
    assert found["moves"] == before["moves"]
    assert [row["deck"] for row in found["rounds"] if row["id"] == round_id] == [None]


def test_a_record_holds_the_whole_of_a_round_with_computer_players_only(school: World) -> None:
    found, alone = record(school), school.rounds["Miaqua"]
    (row,) = (row for row in found["rounds"] if row["id"] == alone)
    assert len(row["deck"]) > 20
    moves = [one for one in found["moves"] if one["round_id"] == alone]
    assert [one["seq"] for one in moves] == list(range(1, row["moves"] + 1))
    assert all(one["at"] for one in moves)


# ---- adults


def test_a_parent_reads_who_looked_but_only_teachers_names(school: World) -> None:
    mia, room = school.children["Miaqua"], school.classes["sunfish"]
    overview.looked(school.adults["lake"], "class", room)
    overview.looked(school.adults["reed"], "child", mia)
    overview.looked(school.adults["rush"], "child", mia)  # a look by any adult counts
    overview.looked(school.adults["lake"], "round", school.rounds["Miaqua"])
    overview.looked(school.adults["lake"], "child", school.children["Benquill"])
    overview.looked(school.adults["brook"], "class", school.classes["perch"])
    looks = [
        (row["adult_id"], row["action"], row["thing"])
        for row in record(school, reader="reed")["audit"]
        if row["action"] == "read"
    ]
    assert looks == [
        ("Lakeqadult, teacher", "read", "class"),
        ("you", "read", "child"),
        ("a parent", "read", "child"),
        ("Lakeqadult, teacher", "read", "round"),
    ]


def test_a_parent_gets_their_own_link_and_a_teacher_those_of_all_parents(school: World) -> None:
    with write_unit():
        family_links._link_parent(school.adults["rush"], school.children["Miaqua"])
    assert [row["adult_id"] for row in record(school, reader="reed")["family_links"]] == ["you"]
    named = [row["adult_id"] for row in record(school, reader="lake")["family_links"]]
    assert named == ["Reedqadult, parent", "Rushqadult, parent"]
    (own,) = [row for row in record(school, reader="lake")["choices"] if row["whose"] == "family"]
    assert own["play_by"] == "Reedqadult, parent"
    assert "Rushqadult" not in json.dumps(record(school, reader="reed"))


def test_a_record_says_in_words_and_numbers_how_questions_are_chosen(school: World) -> None:
    lines = list(exports.ratings(school.children["Miaqua"]))
    assert lines
    for line in lines:
        assert line["questions"] > 0
        assert isinstance(line["rating"], float)
        assert "middling questions right" in line["in_words"]
    assert list(exports.ratings(school.children["Adaquist"])) == []


def test_an_unknown_child_has_no_record(school: World) -> None:
    with pytest.raises(NotFound):
        record_of_nobody = exports.record(10**6, school.adults["lake"])
        next(record_of_nobody)


def test_a_look_of_an_administrator_at_names_is_in_the_record(school: World) -> None:
    admin = school.adults["admin"]
    school_year.look(1, admin)
    school_year.look(2, admin)  # of the other school
    child_moves.names_in(1, school.classes["sunfish"], admin)
    looks = [
        (row["action"], row["thing"]) for row in record(school)["audit"] if row["action"] == "names"
    ]
    assert looks == [("names", "school"), ("names", "class")]
