"""The health of a school's data while the school is served."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, delete, make_url, select, text
from sqlalchemy.exc import OperationalError

from classroom.condition import NO_ANSWER
from classroom.database import condition_of, db, write_unit
from classroom.models import AuditEntry, School, WrongTry
from classroom.services.base import audit, clock
from classroom.services.base.errors import CannotStart
from classroom.services.operation import health, retention
from tests import databases
from tests.world import World

on_postgres = pytest.mark.skipif(not databases.SERVER, reason="needs FISH_TEST_POSTGRES")


def told(world: World) -> tuple[int, str]:
    answer = world.app.test_client().get("/health")
    return answer.status_code, answer.text


def add_school() -> None:
    with write_unit():
        db.session.add(School(name="One more", created_at=clock.now()))


def test_a_healthy_school_says_so(world: World) -> None:
    assert told(world) == (200, "ok\n")


def test_a_missing_table_is_damage(world: World) -> None:
    teacher = world.visitor("lake")
    with world.app.app_context():
        with db.engine.begin() as connection:
            connection.execute(text("DROP TABLE moves"))
        with pytest.raises(CannotStart, match="its table moves is missing"):
            health.examine()
    status, said = told(world)
    assert (status, said.count("\n")) == (503, 1)
    assert "its table moves is missing: put a backup in its place" in said
    assert teacher.get("/teach/").status_code == 503


def test_a_trial_write_leaves_nothing(world: World) -> None:
    with world.app.app_context():
        list(retention.end_what_is_due())  # the classes of this world have no last day yet
        before = world.rows()
        condition_of(db.engine).refused = "something"
        health.Watch()._do_what_is_due(condition_of(db.engine), leads=True)
        assert condition_of(db.engine).refused == ""
        assert db.session.scalars(select(WrongTry)).all() == []
        db.session.rollback()
    assert world.rows() == before


@pytest.mark.sqlite
def test_the_log_goes_into_the_file_every_few_minutes(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(health.time, "monotonic", lambda: now[0])
    file = Path(world.app.instance_path) / "school.db"
    watch = health.Watch()
    with world.app.app_context():
        watch.look()
        add_school()
        watch.look()
        assert schools_in_the_file_alone(file, tmp_path) == 2
        now[0] += 300
        watch.look()
        assert schools_in_the_file_alone(file, tmp_path) == 3
        watch.end()


@pytest.mark.sqlite
def test_at_the_end_the_log_is_empty(world: World, tmp_path: Path) -> None:
    file = Path(world.app.instance_path) / "school.db"
    watch = health.Watch()
    with world.app.app_context():
        watch.look()
        add_school()
        watch.end()
    assert file.with_name("school.db-wal").stat().st_size == 0
    assert schools_in_the_file_alone(file, tmp_path) == 3


def schools_in_the_file_alone(file: Path, folder: Path) -> int:
    """How many schools are in a copy of this file without its log."""
    copy = Path(shutil.copyfile(file, folder / "copy.db"))
    with closing(sqlite3.connect(copy.as_uri() + "?immutable=1", uri=True)) as alone:
        return int(alone.execute("SELECT count(*) FROM schools").fetchone()[0])


# ---- PostgreSQL


@contextmanager
def gone(world: World) -> Iterator[None]:
    """Make the database refuse connections."""
    with world.app.app_context():
        name = make_url(db.engine.url).database
    with closing_engine() as run:
        run(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS false')
        run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        try:
            yield
        finally:
            run(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS true')


@contextmanager
def closing_engine() -> Iterator[object]:
    engine = create_engine(databases.SERVER, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        yield lambda statement: connection.execute(text(statement))


@on_postgres
def test_the_loss_and_return_of_a_database_server_are_reported(world: World) -> None:
    lake = world.visitor("lake")
    watch = health.Watch()
    with gone(world):
        assert lake.get("/teach/").status_code == 503
        for _ in range(2):
            # A look may raise an error. The worker then goes on (background._guarded).
            with world.app.app_context(), suppress(OperationalError):
                watch.look()
            assert told(world) == (503, NO_ANSWER + "\n")
    with world.app.app_context():
        watch.look()
    assert told(world) == (200, "ok\n")
    assert lake.get("/teach/").status_code == 200


@on_postgres
def test_a_request_whose_connection_breaks_at_its_very_end_is_still_answered(world: World) -> None:
    with closing_engine() as run:
        with world.app.app_context():
            pid = db.session.scalar(text("SELECT pg_backend_pid()"))
            run(f"SELECT pg_terminate_backend({pid}, 10000)")
        with world.app.app_context():
            assert db.session.scalars(select(School.id)).all()


# ---- the seals of the audit log


def look_at(world: World, monkeypatch: pytest.MonkeyPatch, times: int) -> health.Watch:
    """Let a watch look this many times, at two rows of the audit log each time."""
    monkeypatch.setattr(audit.Check.go_on, "__defaults__", (2,))
    watch = health.Watch()
    for _ in range(times):
        watch.look()
        db.session.remove()
    return watch


def record_five() -> None:
    for number in range(5):
        with write_unit():
            audit.record(None, "remove", "child", number)


def test_the_seals_are_checked_in_pieces_while_the_school_is_served(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world.app.app_context():
        record_five()
        watch = look_at(world, monkeypatch, 2)
        assert audit.broken_seals() is None
        watch.look()
        assert audit.broken_seals() == audit.Checked(whole=5)
        watch.end()


def test_a_wrong_seal_is_a_warning_and_the_school_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with world.app.app_context():
        record_five()
        with write_unit():
            wrong = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()[3]
            wrong.thing_id = 77
            number = wrong.id
        watch = look_at(world, monkeypatch, 3)
        found = audit.broken_seals()
        assert found is not None
        assert found.wrong == number
        assert f"entry {number} was changed" in caplog.text
        assert health.problem() == ""
        record_five()
        watch.end()


def test_old_rows_that_are_deleted_meanwhile_are_no_wrong_seals(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with world.app.app_context():
        record_five()
        watch = look_at(world, monkeypatch, 1)
        with write_unit():
            first = select(AuditEntry.id).order_by(AuditEntry.id).limit(3)
            db.session.execute(delete(AuditEntry).where(AuditEntry.id.in_(first.scalar_subquery())))
        for _ in range(2):
            watch.look()
        assert audit.broken_seals() == audit.Checked(whole=2)
        watch.end()
