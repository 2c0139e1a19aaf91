"""A child's whole record: complete, nothing that is hidden still, nothing of another child."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Float, Integer, String, Table, select, update

from classroom import privacy
from classroom.database import Base, db, write_unit
from classroom.models import EvidenceRow, Player, Round
from classroom.services import (
    clock,
    companions,
    evidence,
    exports,
    families,
    help,
    matches,
    questions,
    rounds,
)
from classroom.services.errors import NotFound
from tests.playing import settings
from tests.questioning import put_question
from tests.world import World, count_all, play_out

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def school(world: World) -> Iterator[World]:
    """Miaqua has a round that is over, with help and a question in it, and one that goes on."""
    with world.app.app_context():
        mia, round_id = world.children["Miaqua"], world.rounds["Miaqua"]
        families.change_settings(world.adults["reed"], mia, 2, "perch", "short", "open", True, None)
        companions.play_now(round_id)
        help.hint(round_id, 0)
        answer_one(mia, round_id)
        play_out(mia)
        going_on = matches.start_match(mia)
        companions.play_now(going_on)
        answer_one(mia, going_on)
        table = rounds.table(going_on, 0)
        rounds.play(going_on, 0, table.observation.legal[0], "g", table.seq)
        put_question(mia, going_on, rounds.seq(going_on))
        count_all()
        yield world
        db.session.rollback()


def answer_one(child_id: int, round_id: int) -> None:
    seq = rounds.seq(round_id)
    put_question(child_id, round_id, seq)
    questions.answer(round_id, child_id, seq, 1, "a")


def record(world: World, name: str = "Miaqua") -> Rows:
    found = {table: list(rows) for table, rows in exports.record(world.children[name])}
    db.session.rollback()
    return found


def test_every_column_that_belongs_to_a_record_is_in_it(school: World) -> None:
    marked = {
        name: {column for column, line in table.columns.items() if line.export}
        for name, table in privacy.REGISTER.items()
        if name != "adults" and any(line.export for line in table.columns.values())
    }
    found = record(school)
    assert {name: set(rows[0]) for name, rows in found.items()} == marked


def test_whatever_is_written_into_a_childs_rows_comes_out(school: World) -> None:
    wanted: list[str] = []
    for name, rows in record(school).items():
        table = Base.metadata.tables[name]
        keys = [table.c[column.name] == rows[0][column.name] for column in table.primary_key]
        values = {
            column.name: canary(table, column, len(wanted))
            for column in table.columns
            if column.name in rows[0] and is_free(column)
        }
        with write_unit():
            db.session.execute(update(table).where(*keys).values(values))
        wanted += (json.dumps(value) for value in values.values())
    text = json.dumps(record(school))
    assert len(wanted) > 80
    assert [one for one in wanted if one not in text] == []


def test_what_is_not_counted_yet_is_in_the_rows_and_the_numbers(school: World) -> None:
    mia = school.children["Miaqua"]
    tallies = record(school)["tallies"]
    with write_unit():
        (_, first), *_ = evidence.rows_of(EvidenceRow.child_id == mia)
        evidence.append(mia, [replace(first, seq=998)])
    found = record(school)
    assert found["evidence"][-1]["counted"] is False
    assert found["tallies"] == tallies


def is_free(column: Column[Any]) -> bool:
    """Whether any value may stand there."""
    return not (column.primary_key or column.foreign_keys or isinstance(column.type, Boolean))


def canary(table: Table, column: Column[Any], number: int) -> Any:
    name = f"{table.name}.{column.name}"
    if isinstance(column.type, JSON):
        return {"canary": name}
    if isinstance(column.type, String):
        return ("canary" + name)[-(column.type.length or 99) :]
    assert isinstance(column.type, (Integer, Float)), name
    return 7_000_000 + 1000 * number + len(name) + (0.5 if isinstance(column.type, Float) else 0)


def test_of_a_round_that_goes_on_no_card_is_in_it(school: World) -> None:
    going_on = db.session.scalars(
        select(Round.id).join(Player, Player.match_id == Round.match_id).where(
            Round.ended_at.is_(None), Player.child_id == school.children["Miaqua"]
        )
    ).one()  # fmt: skip
    found = record(school)
    assert [row["deck"] for row in found["rounds"] if row["id"] == going_on] == [None]
    assert all(row["deck"] for row in found["rounds"] if row["id"] != going_on)
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


def test_no_other_child_is_in_it(school: World) -> None:
    with write_unit():
        db.session.execute(
            update(Player)
            .where(Player.match_id == select(Round.match_id).where(
                Round.id == school.rounds["Miaqua"]
            ).scalar_subquery(), Player.seat == 1)
            .values(child_id=school.children["Benquill"], name="Benquill", level=None)
        )  # fmt: skip
    settings(school.children["Benquill"], level="whale")
    found = record(school)
    assert "Benquill" not in json.dumps(found)
    (other,) = (row for row in found["players"] if not row["level"] and row["name"] is None)
    assert [other[column] for column in exports.OTHERS_SEAT] == [None] * len(exports.OTHERS_SEAT)
    assert other["seat"] == 1
    for table in ("children", "child_settings", "family_links"):
        assert len(found[table]) == 1


def test_a_child_that_is_not_there_has_no_record(school: World) -> None:
    with pytest.raises(NotFound):
        exports.record(10**6)
