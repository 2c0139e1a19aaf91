"""Schools of earlier releases are brought up to date, and nothing is lost.

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
    insert,
    select,
    text,
)
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError

from classroom.app import create_app
from classroom.config import load, version
from classroom.database import Base, db, write_unit
from classroom.models import Child, ChoicesRow, ClassSettings, Round, SchoolClass
from classroom.services.access import sessions, sign_in
from classroom.services.base import audit, secrets_
from classroom.services.base.errors import CannotStart
from classroom.services.operation import upkeep
from classroom.services.school import classes
from classroom.services.table import choices, evidence_log, matches, rounds
from tests import clusters, databases
from tests.conftest import finish
from tests.learning.rows import answers_on
from tests.test_database import shape

FIXTURES = Path(__file__).parent / "fixtures"
REVISIONS = tuple(path.stem.removeprefix("school_") for path in sorted(FIXTURES.glob("*.sql")))
BEGUN = "alembic_version"
COUNTED = {"skill_windows"}  # emptied, and counted again from the evidence
MARKED: dict[str, dict[str, Any]] = {
    "evidence": {"counted": False},
}
MOVED = {"child_settings"}  # into `choices`, as are some columns of class_settings; see below
GONE = {"tallies"}
ONE_PROCESS = "0003"  # of 0.2.0, the last release that serves a school from one process only
FIRST_TEACHER = "marsh"  # of the school of the fixtures that has no administrator
Old = tuple[Flask, sqlite3.Connection]


def test_each_kept_school_is_of_an_earlier_version() -> None:
    script = ScriptDirectory(str(upkeep.MIGRATIONS))
    known = {revision.revision for revision in script.walk_revisions()}
    assert set(REVISIONS) == known - {script.get_current_head()}


def test_each_release_has_one_migration_and_only_the_newest_may_be_of_none() -> None:
    listed = (Path(__file__).parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d+\.\d+\.\d+) ", listed, re.M)
    made = {
        revision.revision: ".".join(Path(revision.path).stem.split("_")[2:])
        for revision in ScriptDirectory(str(upkeep.MIGRATIONS)).walk_revisions()
    }
    assert made[ONE_PROCESS] == "0.2.0"
    assert len(set(made.values())) == len(made)
    assert {release for at, release in made.items() if at != upkeep.newest()} <= set(released)
    assert _number(made[upkeep.newest()]) >= _number(max(released, key=_number))


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
    with engine.begin() as connection:
        _upgrade(connection, revision)
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


def _upgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(upkeep.MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


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
        for name in set(_tables(was)) - COUNTED - MOVED - GONE:
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
ASKED = {"questions": "rarely", "question_skills": ["how_many"], "number_low": 0, "number_high": 5}
BEGUN_WITH = {"questions": "sometimes", "number_low": 0, "number_high": 52}


def _of_two_tables(engine: Engine) -> None:
    """A school of 0.2.0 with choices of classes and families, and a class without any."""
    now, tables = {"created_at": 1.0}, MetaData()
    with engine.begin() as connection:
        _upgrade(connection, "0003")
        tables.reflect(connection)

        def put(table: str, **values: Any) -> None:
            connection.execute(insert(tables.tables[table]).values(values))

        put("schools", id=1, name="Pond", **now)
        put("adults", id=1, school_id=1, role="teacher", name="Lake", login="lake",
            password_hash="-", **now)  # fmt: skip
        for number in (1, 2, 3):
            put("classes", id=number, school_id=1, name=f"Class {number}", code=f"C{number}", **now,
                changes=0, resumed_at=0.0)  # fmt: skip
            put("children", id=number, class_id=number, name=f"Kid {number}", animal="fox", pad=1,
                age_band="4-5", pictures_version=1, **now)  # fmt: skip
        lesson = {"nudge_after": 20, "stand_in_after": 40, "set_by": 1, "set_at": 9.0}
        put("class_settings", class_id=1, minutes_a_day=30, **lesson, **ASKED)
        put("class_settings", class_id=2, **lesson, **BEGUN_WITH)
        put("class_settings", class_id=3, **lesson, **BEGUN_WITH | {"question_skills": []})
        put("child_settings", child_id=1, minutes_a_day=20, set_by=1, set_at=9.0, **PLAY, **ASKED)
        put("child_settings", child_id=2, minutes_a_day=10, set_by=1, set_at=9.0, **PLAY)


def test_the_choices_of_two_tables_are_in_one(tmp_path: Path) -> None:
    """Of a class, only the teacher's choices about questions."""
    secrets_.key_in(tmp_path)
    databases.fresh(tmp_path)
    address = load({"INSTANCE": str(tmp_path)})["DATABASE_URI"]
    engine = create_engine(address or f"sqlite:///{tmp_path / 'school.db'}")
    _of_two_tables(engine)
    engine.dispose()
    app = create_app({"INSTANCE": str(tmp_path), "LOOK_AROUND": False})
    played, asked = {"play_by": 1, "play_at": 9.0}, {"questions_by": 1, "questions_at": 9.0}
    with app.app_context():
        rows = db.session.scalars(select(ChoicesRow)).all()
        found = [
            {
                name: value
                for name in ChoicesRow.__table__.c.keys()  # noqa: SIM118
                if (value := getattr(row, name)) is not None and name != "id"
            }
            for row in rows
        ]
        expected = [
            {"whose": "class", "class_id": 1, **ASKED, **asked},
            {"whose": "class", "class_id": 3, **BEGUN_WITH, "question_skills": [], **asked},
            {"whose": "family", "child_id": 1, "minutes_a_day": 20, **PLAY, **played, **ASKED,
             **asked},
            {"whose": "family", "child_id": 2, "minutes_a_day": 10, **PLAY, **played},
        ]  # fmt: skip
        assert len(found) == len(expected)
        assert all(row in expected for row in found)
        kept = db.session.get_one(ClassSettings, 1)
        assert (kept.nudge_after, kept.stand_in_after, kept.minutes_a_day) == (20, 40, 30)
        assert (kept.set_by, kept.standards, kept.talk) == (1, None, None)
        assert {level.whose for level in choices.of_child(1).made} == {"class", "family"}
        choices.write(1, "child", 3, {"deck": "small"})
    finish(app)


def test_no_row_number_is_used_twice(old: Old) -> None:
    upgraded, _ = old
    with upgraded.app_context():
        if db.engine.dialect.name != "sqlite":
            pytest.skip("PostgreSQL's sequences never give a number twice")
        tables = db.session.execute(text("SELECT name, sql FROM sqlite_master")).all()
    counting = {name for name, made in tables if "AUTOINCREMENT" in (made or "")}
    assert counting == {name for name, table in Base.metadata.tables.items() if "id" in table.c}


@pytest.mark.parametrize("revision", ["0001", "0017", "0026"])
def test_a_database_between_two_releases_is_refused_in_one_sentence(
    app: Flask, revision: str
) -> None:
    with app.app_context():
        with write_unit():
            db.session.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))
        with pytest.raises(CannotStart, match="made by a version between releases"):
            upkeep.upgrade(db.engine)


def test_what_was_counted_is_counted_again(old: Old) -> None:
    upgraded, was = old
    before: Counter[int] = Counter()
    for row in _rows(was, "tallies"):
        before[row["child_id"]] += row["n"]
    with upgraded.app_context():
        for child_id in evidence_log.behind(many=1):
            evidence_log.count_new(child_id)
        assert not any(differed for _, differed in evidence_log.recount())
        counted = {
            child_id: sum(answers_on(day) for one in progress.windows.values() for day in one.days)
            for child_id, progress in evidence_log.progress_of(list(before)).items()
        }
    assert counted == before


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
    """A migration that takes something away says in `UNUSED_SINCE` which release stopped using it.
    A school of one process never runs beside a newer version."""
    newest = ScriptDirectory(str(upkeep.MIGRATIONS)).get_revision(upkeep.newest())
    since = getattr(newest.module, "UNUSED_SINCE", None)
    assert since is None or _number(since) < _number(version()), "not released yet"
    one_process = newest.down_revision == ONE_PROCESS
    assert since or one_process or contracts(newest.module.upgrade) == []


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
        engine, waits, end = create_engine(address), [0.0], time.monotonic() + 5
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
