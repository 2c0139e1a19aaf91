"""Schools of earlier versions are brought up to date, and nothing is lost.

`fixtures/school_<revision>.sql` is such a school as dumped by SQLite: the people of tests/world.py,
one finished round, some unfinished ones, and at least one row in each table.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic import command, op
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError

from classroom.app import create_app
from classroom.config import load, version
from classroom.database import Base, db, write_unit
from classroom.models import Child, ChoicesRow, ClassSettings, Round, SchoolClass, TallyRow
from classroom.services.access import sessions, sign_in
from classroom.services.base import audit, secrets_
from classroom.services.operation import upkeep
from classroom.services.school import classes
from classroom.services.table import choices, evidence_log, matches, rounds
from tests import clusters, databases
from tests.conftest import finish
from tests.test_database import shape

FIXTURES = Path(__file__).parent / "fixtures"
REVISIONS = tuple(path.stem.removeprefix("school_") for path in sorted(FIXTURES.glob("*.sql")))
BEGUN = "alembic_version"
COUNTED = {"tallies", "skill_windows"}  # emptied, and counted again from the evidence
MARKED: dict[str, dict[str, Any]] = {
    "evidence": {"counted": False},
}
MOVED = {"child_settings"}  # into `choices`, as are some columns of class_settings; see below
ONE_PROCESS = "0.2.0"  # the last release that serves a school from one process only
FIRST_TEACHER = "marsh"  # of the school of the fixtures that has no administrator
Old = tuple[Flask, sqlite3.Connection]


def test_each_kept_school_is_of_an_earlier_version() -> None:
    script = ScriptDirectory(str(upkeep.MIGRATIONS))
    known = {revision.revision for revision in script.walk_revisions()}
    assert set(REVISIONS) <= known - {script.get_current_head()}
    assert "0001" in REVISIONS


@pytest.fixture(params=REVISIONS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Old]:
    """An app on a school of this version, brought up to date, and the school as it was."""
    told = (FIXTURES / f"school_{request.param}.sql").read_text(encoding="utf-8")
    with contextlib.closing(sqlite3.connect(tmp_path / "was.db")) as was:
        was.executescript(told)
        folder = tmp_path / "old"
        folder.mkdir()
        secrets_.key_in(folder)  # no server starts on a school without it
        databases.fresh(folder)
        if databases.SERVER:
            _pour(was, folder, request.param)
        else:
            with contextlib.closing(sqlite3.connect(folder / "school.db")) as file:
                file.executescript(told)
        app = create_app({"INSTANCE": str(folder), "LOOK_AROUND": False})
        yield app, was
        finish(app)


def _pour(was: sqlite3.Connection, folder: Path, revision: str) -> None:
    """Make the tables of that revision on the server, and put the rows into them."""
    engine = create_engine(load({"INSTANCE": str(folder)})["DATABASE_URI"])
    config = Config()
    config.set_main_option("script_location", str(upkeep.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        tables = MetaData()
        tables.reflect(connection)
        for table in tables.sorted_tables:
            for row in _rows(was, table.name) if table.name != BEGUN else ():
                connection.execute(insert(table), _typed(table, row))
            if "id" in table.c:
                last = f"(SELECT coalesce(max(id), 1) FROM {table.name})"
                counter = f"pg_get_serial_sequence('{table.name}', 'id')"
                connection.execute(text(f"SELECT setval({counter}, {last})"))
    engine.dispose()


def _typed(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """A row of SQLite with the types of this table, without NULLs."""
    found = {name: value for name, value in row.items() if value is not None}
    for name, value in found.items():
        kind = table.c[name].type
        if isinstance(kind, Boolean):
            found[name] = bool(value)
        elif isinstance(kind, JSON):
            found[name] = json.loads(str(value))  # JSON that is only a number comes back as one
    return found


def _rows(was: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    cursor = was.execute(f"SELECT * FROM {table} ORDER BY 1")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def _tables(was: sqlite3.Connection) -> list[str]:
    found = was.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return sorted(name for (name,) in found if name not in (BEGUN, "sqlite_sequence"))


def test_its_tables_equal_those_of_a_fresh_school(old: Old, app: Flask) -> None:
    upgraded, _ = old
    with upgraded.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []
        mine = shape(db.engine)
    with app.app_context():
        assert mine == shape(db.engine)


def test_no_row_is_lost_or_changed(old: Old) -> None:
    upgraded, was = old
    assert {"rounds", "moves", "evidence", "questions", "places", "adults"} <= set(_tables(was))
    with upgraded.app_context(), db.engine.connect() as connection:
        for name in set(_tables(was)) - COUNTED - MOVED:
            table = Base.metadata.tables[name]
            kept = [dict(row._mapping) for row in connection.execute(select(table))]
            gone = ASKED if name == "class_settings" else {}
            rows = [{k: v for k, v in row.items() if k not in gone} for row in _rows(was, name)]
            before = [_typed(table, row) for row in rows]
            assert before, f"{name} has a row to lose"
            key = [column.name for column in table.primary_key]
            found = {tuple(row[part] for part in key): row for row in kept}
            assert len(found) == len(before)
            for row in before:
                now = found[tuple(row[part] for part in key)]
                marked = MARKED.get(name, {})
                if row.get("login") == FIRST_TEACHER:
                    marked = {"role": "admin"}
                assert {column: now[column] for column in row} == row | marked


def test_what_families_chose_is_kept(old: Old) -> None:
    upgraded, was = old
    (row,) = _rows(was, "child_settings")
    with upgraded.app_context():
        (now,) = db.session.scalars(select(ChoicesRow).where(ChoicesRow.whose == "family"))
        by, at = row.pop("set_by"), row.pop("set_at")
        assert {name: getattr(now, name) for name in row} == row
        assert (now.play_by, now.play_at) == (by, at)


PLAY = {"opponents": 3, "level": "pike", "deck": "full", "board": "off", "hints": False}
PLAY |= {"pace": "calm", "voice": False}
ASKED = {"questions": "rarely", "question_skills": ["how_many"], "number_low": 0, "number_high": 5}
SIGNED = {"play_by": 1, "play_at": 7.0, "questions_by": 1, "questions_at": 8.0}


def _of_five_tables(engine: Engine) -> None:
    """A school of revision 0023 with all its choices in five tables, and some rows without any."""
    now, tables = {"created_at": 1.0}, MetaData()
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(upkeep.MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0023")
        tables.reflect(connection)

        def put(table: str, **values: Any) -> None:
            connection.execute(insert(tables.tables[table]).values(values))

        put("schools", id=1, name="Pond", **now, **PLAY, **ASKED)
        put("schools", id=2, name="Lake", **now)
        put("adults", id=1, school_id=1, role="teacher", name="Lake", login="lake",
            password_hash="-", **now)  # fmt: skip
        for number in (1, 2, 3):
            put("classes", id=number, school_id=1, name=f"Class {number}", code=f"C{number}", **now,
                changes=0, resumed_at=0.0)  # fmt: skip
            put("children", id=number, class_id=number, name=f"Kid {number}", animal="fox", pad=1,
                age_band="4-5", pictures_version=1, **now)  # fmt: skip
            put("child_groups", id=number, class_id=number, name="Owls", **now)
        put("class_settings", class_id=1, nudge_after=20, stand_in_after=40, minutes_a_day=30,
            set_by=1, set_at=9.0, standards="england", talk="often", focus=["how_many"],
            **PLAY, **ASKED, **SIGNED)  # fmt: skip
        put("class_settings", class_id=2, nudge_after=30, stand_in_after=60, set_at=9.0)
        put("class_settings", class_id=3, nudge_after=30, stand_in_after=60, set_at=9.0,
            focus=["give_n"])  # fmt: skip
        put("group_rules", group_id=1, **PLAY, **ASKED, **SIGNED)
        put("child_rules", child_id=1, **PLAY, **ASKED, **SIGNED)
        put("child_rules", child_id=2, questions="off", questions_at=8.0)
        put("child_settings", child_id=1, minutes_a_day=20, set_by=1, set_at=9.0, **PLAY, **ASKED)
        put("child_settings", child_id=2, minutes_a_day=10, set_at=9.0)


def test_the_choices_of_five_tables_are_in_one(tmp_path: Path) -> None:
    secrets_.key_in(tmp_path)
    databases.fresh(tmp_path)
    address = load({"INSTANCE": str(tmp_path)})["DATABASE_URI"]
    engine = create_engine(address or f"sqlite:///{tmp_path / 'school.db'}")
    _of_five_tables(engine)
    engine.dispose()
    app = create_app({"INSTANCE": str(tmp_path), "LOOK_AROUND": False})
    by_family = {"play_by": 1, "play_at": 9.0, "questions_by": 1, "questions_at": 9.0}
    every = PLAY | ASKED
    with app.app_context():
        rows = db.session.scalars(select(ChoicesRow).order_by(ChoicesRow.id)).all()
        found = [
            {
                name: value
                for name in ChoicesRow.__table__.c.keys()  # noqa: SIM118
                if (value := getattr(row, name)) is not None and name != "id"
            }
            for row in rows
        ]
        expected = [
            {"whose": "school", "school_id": 1, **every},
            {"whose": "class", "class_id": 1, "focus": ["how_many"], **every, **SIGNED},
            {"whose": "class", "class_id": 3, "focus": ["give_n"]},
            {"whose": "group", "group_id": 1, **every, **SIGNED},
            {"whose": "child", "child_id": 1, **every, **SIGNED},
            {"whose": "child", "child_id": 2, "questions": "off", "questions_at": 8.0},
            {"whose": "family", "child_id": 1, "minutes_a_day": 20, **every, **by_family},
            {"whose": "family", "child_id": 2, "minutes_a_day": 10, "play_at": 9.0},
        ]
        assert len(found) == len(expected)
        assert all(row in expected for row in found)
        kept = db.session.get_one(ClassSettings, 1)
        assert (kept.nudge_after, kept.stand_in_after, kept.minutes_a_day) == (20, 40, 30)
        assert (kept.set_by, kept.standards, kept.talk) == (1, "england", "often")
        assert [level.whose for level in choices.of_child(1).made].count("family") == 1
        assert {level.whose for level in choices.of_child(1).made} == {
            "school",
            "class",
            "child",
            "family",
        }
        choices.write(1, "child", 3, {"deck": "small"})
    finish(app)


@pytest.mark.skipif(bool(databases.SERVER), reason="writes a SQLite file")
def test_only_questions_that_a_teacher_chose_stay_the_choice_of_the_class(tmp_path: Path) -> None:
    told = (FIXTURES / "school_0001.sql").read_text(encoding="utf-8")
    begun, chosen = "VALUES(1,'sometimes',NULL,0,52,", "VALUES(1,'rarely',NULL,0,10,"
    assert begun in told
    with contextlib.closing(sqlite3.connect(tmp_path / "school.db")) as file:
        file.executescript(told.replace(begun, chosen))
    secrets_.key_in(tmp_path)
    app = create_app({"INSTANCE": str(tmp_path), "LOOK_AROUND": False})
    with app.app_context():
        row = db.session.get_one(ClassSettings, 1)
        (made,) = db.session.scalars(select(ChoicesRow).where(ChoicesRow.class_id == 1))
        assert (made.questions, made.number_low, made.number_high) == ("rarely", 0, 10)
        assert (made.questions_by, made.questions_at) == (row.set_by, row.set_at)
        assert row.standards is None
    finish(app)


def test_what_was_counted_is_counted_again(old: Old) -> None:
    upgraded, was = old
    with upgraded.app_context():
        for child_id in evidence_log.behind(many=1):
            evidence_log.count_new(child_id)
        assert not any(differed for _, differed in evidence_log.recount())
        kept = db.session.execute(
            select(TallyRow.child_id, func.sum(TallyRow.n)).group_by(TallyRow.child_id)
        ).all()
    before: Counter[int] = Counter()
    for row in _rows(was, "tallies"):
        before[row["child_id"]] += row["n"]
    assert dict(map(tuple, kept)) == before


def test_what_was_counted_apart_as_a_set_form_is_counted_together(old: Old) -> None:
    upgraded, _ = old
    with upgraded.app_context():
        for child_id in evidence_log.behind(many=1):
            evidence_log.count_new(child_id)
        counted = db.session.scalar(select(func.sum(TallyRow.n)))
        migration = ScriptDirectory(str(upkeep.MIGRATIONS)).get_revision("0024").module
        with write_unit():
            db.session.execute(update(TallyRow).values(form=True))
            with Operations.context(MigrationContext.configure(db.session.connection())):
                migration.upgrade()
        evidence_log.count_waiting()
        assert not db.session.scalar(select(func.count()).where(TallyRow.form))
        assert db.session.scalar(select(func.sum(TallyRow.n))) == counted
        assert not any(differed for _, differed in evidence_log.recount())


def test_the_upgraded_school_works_as_before(old: Old) -> None:
    upgraded, _ = old
    with upgraded.app_context():
        assert audit.verify().wrong is None
        done = db.session.scalars(select(Round).where(Round.ended_at.is_not(None))).first()
        assert done
        assert rounds.table(done.id, rounds.WATCHER).over
        assert not any(changed for _, changed in evidence_log.recount())
        room = db.session.scalars(select(SchoolClass).order_by(SchoolClass.id)).first()
        assert room
        assert not room.code_kept
        classes.close_class(room.id)
        classes.open_class(room.id)
        token = sign_in.open_device(db.session.get_one(SchoolClass, room.id).code, "d" * 32)
        child = db.session.scalars(select(Child).where(Child.class_id == room.id)).first()
        assert child
        four = list(sign_in.pictures_of(child))
        assert sessions.find(sign_in.pictures(sessions.find(token), child.id, four)).name
        assert matches.start_match(child.id) > done.id


# ---- while an older version still runs

EXPANDS = (
    r"CREATE (TABLE|(UNIQUE )?INDEX|SEQUENCE) .*",
    r"ALTER TABLE \w+ ADD COLUMN (?!.* NOT NULL).*",
    r"ALTER TABLE \w+ ADD COLUMN .* DEFAULT .*",
    r"(INSERT|UPDATE) .*",
)
Move = Callable[[], None]


def contracts(upgrade: Move) -> list[str]:
    """The statements of a migration with which a program that does not know it could not run."""
    written = io.StringIO()
    opts = {"as_sql": True, "output_buffer": written}
    context = MigrationContext.configure(dialect_name="postgresql", opts=opts)
    with Operations.context(context):
        upgrade()
    found = [" ".join(one.split()) for one in written.getvalue().split(";")]
    return [one for one in found if one and not any(re.fullmatch(kind, one) for kind in EXPANDS)]


def test_the_version_before_can_run_beside_the_newest_migration() -> None:
    """One that takes something away says in `UNUSED_SINCE` which release stopped using it. Nothing
    of one process runs beside a newer version."""
    script = ScriptDirectory(str(upkeep.MIGRATIONS))
    head = script.get_current_head()
    assert head
    migration = script.get_revision(head).module
    since = getattr(migration, "UNUSED_SINCE", None)
    assert since is None or _number(since) < _number(version()), "not released yet"
    assert since or version() == ONE_PROCESS or contracts(migration.upgrade) == []


def _number(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _mood(**given: Any) -> Column[Any]:
    return Column("mood", String(20), **given)


@pytest.mark.parametrize(
    "upgrade",
    [
        lambda: op.create_table("moods", Column("id", Integer(), primary_key=True)),
        lambda: op.add_column("rounds", _mood(nullable=True)),
        lambda: op.add_column("rounds", _mood(nullable=False, server_default="calm")),
        lambda: op.create_index("ix_moves_key", "moves", ["key"]),
    ],
)
def test_what_only_adds_expands(upgrade: Move) -> None:
    assert contracts(upgrade) == []


@pytest.mark.parametrize(
    "upgrade",
    [
        lambda: op.add_column("rounds", _mood(nullable=False)),
        lambda: op.drop_column("rounds", "moves"),
        lambda: op.drop_table("moves"),
        lambda: op.alter_column("rounds", "moves", new_column_name="count"),
        lambda: op.alter_column("rounds", "moves", nullable=False),
        lambda: op.create_unique_constraint("uq_mood", "rounds", ["mood"]),
    ],
)
def test_what_an_older_version_would_miss_does_not(upgrade: Move) -> None:
    assert len(contracts(upgrade)) == 1


def test_a_migration_makes_nobody_wait_long_for_a_table_in_use(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        command,
        "upgrade",
        lambda config, _: config.attributes["connection"].execute(
            text("ALTER TABLE rounds ADD COLUMN mood varchar(20)")
        ),
    )
    with clusters.database(postgres) as address, ThreadPoolExecutor(1) as pool:
        clusters.run(address, "CREATE TABLE rounds (id integer PRIMARY KEY)")
        engine, waits, end = create_engine(address), [0.0], time.monotonic() + 6
        with engine.begin() as reader:
            reader.execute(text("SELECT id FROM rounds"))
            upgrading = pool.submit(upkeep._migrate, engine)
            while time.monotonic() < end:
                began = time.monotonic()
                clusters.run(address, "SELECT id FROM rounds")
                waits.append(time.monotonic() - began)
            assert not upgrading.done()
        upgrading.result(60)
        clusters.run(address, "SELECT mood FROM rounds")
        engine.dispose()
    assert 0.5 < max(waits) < 4, "somebody waited behind it, and not until the end"


def test_a_migration_that_is_wrong_is_not_tried_again(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    monkeypatch.setattr(
        command, "upgrade", lambda config, _: tried.append("") or _cut(config.attributes)
    )
    with clusters.database(postgres) as address:
        engine = create_engine(address)
        with pytest.raises(OperationalError):
            upkeep._migrate(engine)
        engine.dispose()
    assert len(tried) == 1


def _cut(attributes: dict[str, Any]) -> None:
    attributes["connection"].execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
