"""Tests of the write unit, of connections, and of the migrated schema."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask
from sqlalchemy import create_engine, inspect, select, text
from sqlalchemy.exc import OperationalError

from classroom.database import Base, db, if_undone, in_write_unit, prepare, write_unit
from classroom.models import Child, School
from classroom.services.base import clock
from tests import databases
from tests.conftest import finish, make_app
from tests.world import World


def school(name: str = "Pond School") -> School:
    return School(name=name, created_at=clock.now())


def names() -> list[str]:
    found = list(db.session.scalars(select(School.name).order_by(School.id)))
    db.session.rollback()
    return found


# ---- reading


@pytest.mark.skipif(not databases.SERVER, reason="needs FISH_TEST_POSTGRES")
def test_a_read_has_no_transaction_so_that_the_server_keeps_its_plan(app: Flask) -> None:
    with app.app_context():
        assert names() == []
        connection = db.session.connection().connection.dbapi_connection
        assert connection is not None
        assert connection.info.transaction_status.name == "IDLE"
        plans = db.session.scalars(text("SELECT statement FROM pg_prepared_statements")).all()
        assert any("FROM schools" in plan for plan in plans)


# ---- the write unit


def test_all_of_a_unit_is_kept_or_nothing(app: Flask) -> None:
    with app.app_context():
        with write_unit():
            db.session.add(school("one"))
        with pytest.raises(KeyError), write_unit():
            db.session.add(school("two"))
            db.session.flush()
            raise KeyError
        assert names() == ["one"]
        assert not in_write_unit()


def test_a_nested_unit_is_refused_and_undoes_the_outer_one(app: Flask) -> None:
    with app.app_context():
        with pytest.raises(RuntimeError, match="within a write unit"), write_unit():
            db.session.add(school())
            with write_unit():
                db.session.add(school())
        assert names() == []
        with write_unit():  # and nothing is left locked
            db.session.add(school("after"))
        assert names() == ["after"]


def test_nothing_else_can_write(app: Flask) -> None:
    with app.app_context():
        db.session.add(school())
        with pytest.raises(RuntimeError, match="outside of a write unit"):
            db.session.flush()
        db.session.rollback()
        with pytest.raises(RuntimeError, match="outside of a write unit"):
            db.session.commit()
        db.session.rollback()
        db.session.add(school())
        with pytest.raises(RuntimeError, match="outside of a write unit"):
            names()  # a query flushes first
        db.session.rollback()
        assert names() == []


def test_a_unit_sees_what_was_written_until_it_began(app: Flask) -> None:
    with app.app_context():
        assert names() == []
        db.session.scalars(select(School)).all()  # an old snapshot is still open

        def other() -> None:
            with app.app_context(), write_unit():
                db.session.add(school("other"))

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        with write_unit():
            found = list(db.session.scalars(select(School.name)))
        assert found == ["other"]


def test_many_threads_write_in_turn_and_none_is_refused(app: Flask) -> None:
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            with app.app_context():
                for again in range(10):
                    with write_unit():
                        found = len(list(db.session.scalars(select(School.id))))
                        db.session.add(school(f"{number}-{again}-{found}"))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with app.app_context():
        counted = [int(name.rsplit("-", 1)[1]) for name in names()]
    assert counted == list(range(80))


# ---- connections


@pytest.mark.sqlite
def test_every_connection_flushes_each_commit_and_enforces_foreign_keys(app: Flask) -> None:
    with app.app_context(), db.engine.connect() as connection:
        found = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 5_000,
    }


@pytest.mark.sqlite
def test_a_database_that_cannot_promise_this_is_refused() -> None:
    engine = create_engine("sqlite://")  # in memory, which has no write-ahead log
    prepare(engine)
    with pytest.raises(RuntimeError, match="journal_mode"):
        engine.connect()
    engine.dispose()


@pytest.mark.sqlite
def test_deleted_data_is_gone_from_the_file(world: World) -> None:
    folder = Path(world.app.instance_path)
    with world.app.app_context():
        with write_unit():
            db.session.delete(db.session.get_one(Child, world.children["Zedquorn"]))
            for row in db.session.scalars(select(School).where(School.name == "Southpond")):
                row.name = "renamed"
        db.session.remove()
        db.engine.dispose()
    with sqlite3.connect(folder / "school.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    assert b"Southpond" not in (folder / "school.db").read_bytes()


def test_an_id_is_never_used_twice(world: World) -> None:
    with world.app.app_context():
        last = max(world.children.values())
        with write_unit():
            db.session.delete(db.session.get_one(Child, last))
        with write_unit():
            row = Child(
                class_id=world.classes["carp"],
                name="New",
                animal="cat",
                pad=1,
                created_at=clock.now(),
            )
            db.session.add(row)
        assert row.id > last
        db.session.rollback()


# ---- migrations


def test_migrations_make_the_tables_of_the_models(app: Flask) -> None:
    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []


@pytest.mark.sqlite
def test_a_migrated_database_has_every_constraint_of_a_fresh_one(
    app: Flask, tmp_path: Path
) -> None:
    fresh = create_engine(f"sqlite:///{tmp_path / 'fresh.db'}")
    Base.metadata.create_all(fresh)
    with app.app_context():
        migrated = shape(db.engine)
    assert migrated == shape(fresh)
    fresh.dispose()


def shape(engine: object) -> dict[str, object]:
    """The columns, constraints and indexes of each table, sorted, as their order means nothing."""
    looked = inspect(engine)
    found = {}
    for table in sorted(set(looked.get_table_names()) - {"alembic_version"}):  # type: ignore[attr-defined]
        found[table] = (
            sorted((c["name"], str(c["type"]), c["nullable"]) for c in looked.get_columns(table)),  # type: ignore[attr-defined]
            sorted(map(str, looked.get_foreign_keys(table))),  # type: ignore[attr-defined]
            sorted(map(str, looked.get_unique_constraints(table))),  # type: ignore[attr-defined]
            sorted(map(_index, looked.get_indexes(table))),  # type: ignore[attr-defined]
            looked.get_pk_constraint(table)["constrained_columns"],  # type: ignore[attr-defined]
        )
    return found


def _index(index: dict[str, Any]) -> str:
    options = {name: str(value) for name, value in index["dialect_options"].items()}
    return str(index | {"dialect_options": options})


def test_the_demo_school_and_the_school_write_without_waiting_for_each_other(
    app: Flask, tmp_path: Path, migrated: Path
) -> None:
    other = make_app(tmp_path / "other", migrated)
    done = threading.Event()

    def write() -> None:
        with other.app_context(), write_unit():
            db.session.add(school("other"))
        done.set()

    with app.app_context(), write_unit():
        db.session.add(school("one"))
        thread = threading.Thread(target=write)
        thread.start()
        assert done.wait(5)
    thread.join()
    finish(other)


def test_a_failing_undo_outside_the_database_stops_no_other_undo_and_hides_no_error(
    app: Flask,
) -> None:
    undone = []

    def fails() -> None:
        raise OSError(28, "No space left on device")

    with app.app_context():
        with pytest.raises(KeyError), write_unit():
            if_undone(fails)
            if_undone(lambda: undone.append("the next"))
            raise KeyError
        assert undone == ["the next"]
        assert not in_write_unit()


@pytest.mark.parametrize("invalidated", [True, False])
def test_when_it_is_unknown_whether_a_commit_took_effect_what_was_written_elsewhere_stays(
    app: Flask, monkeypatch: pytest.MonkeyPatch, invalidated: bool
) -> None:
    undone = []

    def lost() -> None:
        raise OperationalError("COMMIT", {}, OSError(), connection_invalidated=invalidated)

    with app.app_context():
        monkeypatch.setattr(db.session(), "commit", lost)
        with pytest.raises(OperationalError), write_unit():
            if_undone(lambda: undone.append("a note"))
        assert undone == ([] if invalidated else ["a note"])
        with pytest.raises(OperationalError), write_unit():
            if_undone(lambda: undone.append("another note"))
            raise OperationalError("SELECT", {}, OSError(), connection_invalidated=True)
        assert undone[-1:] == ["another note"], "a lost connection before the commit is no doubt"
