"""Files that are lost, replaced or damaged under a running server: no move that would be lost is
acknowledged, and what the disk still holds is saved."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, select

from classroom import cli
from classroom.app import create_app
from classroom.condition import DAMAGED, Unavailable
from classroom.database import condition_of, db, write_unit
from classroom.models import Move, School
from classroom.services.base.errors import CannotStart
from classroom.services.operation import background, copies, health
from classroom.services.table import matches, rounds
from tests.conftest import finish
from tests.faults.test_troubles import Tap, check_friendly, turn, works_again
from tests.playing import Browser, Classroom, browser, client_with, signed_in, teacher_of

pytestmark = pytest.mark.sqlite


def deleted(folder: Path) -> None:
    (folder / "school.db").unlink()


def replaced(folder: Path) -> None:
    os.replace(another(folder), folder / "school.db")


def everything_deleted(folder: Path) -> None:
    for path in folder.glob("school.db*"):
        path.unlink()


def folder_deleted(folder: Path) -> None:
    shutil.rmtree(folder)


def log_deleted(folder: Path) -> None:
    (folder / "school.db-wal").unlink()


def log_replaced(folder: Path) -> None:
    os.replace(shutil.copy(folder / "school.db-wal", folder / "x"), folder / "school.db-wal")


def memory_deleted(folder: Path) -> None:
    (folder / "school.db-shm").unlink()


def overwritten(folder: Path) -> None:
    shutil.copyfile(another(folder), folder / "school.db")


def emptied(folder: Path) -> None:
    (folder / "school.db").write_bytes(b"")


def another(folder: Path) -> Path:
    """The backup that some tests put in place of the database file, as a person might."""
    return next(folder.glob("backup.db"))


LOSSES = {
    deleted: "school.db",
    replaced: "school.db",
    everything_deleted: "school.db",
    folder_deleted: "school.db",
    log_deleted: "school.db-wal",
    log_replaced: "school.db-wal",
    memory_deleted: "school.db-shm",
}
OVERWRITING = (overwritten, emptied)


@pytest.fixture
def mia(room: Classroom) -> Browser:
    reader = browser(room)
    reader.get("/play/")
    return reader


class Watched:
    """The part of a server's worker that looks at the files, every five seconds and at the end."""

    def __init__(self, room: Classroom) -> None:
        self._room = room
        self._watch = health.Watch()

    def look(self) -> None:
        with self._room.app.app_context():
            self._watch.look()

    def end(self) -> None:
        with self._room.app.app_context():
            self._watch.end()


@pytest.fixture
def watch(room: Classroom, folder: Path) -> Iterator[Watched]:
    copies.backup(folder / "school.db", folder / "backup.db")
    watch = Watched(room)
    watch.look()
    yield watch
    watch.end()


def acknowledged(room: Classroom, mia: Browser, many: int = 5) -> list[Tap]:
    lots, taps = Random(1), []
    for _ in range(many):
        tap = turn(room, mia, lots)
        assert tap.send().status_code == 200
        taps.append(tap)
    return taps


def kept(folder: Path) -> set[str]:
    """The keys of all moves that a server would find at its next start."""
    app = create_app({"INSTANCE": str(folder), "LOOK_AROUND": False})
    with app.app_context():
        found = set(db.session.scalars(select(Move.key)))
    finish(app)
    return found


def what_is_told(room: Classroom) -> tuple[int, str]:
    answer = room.app.test_client().get("/health")
    return answer.status_code, answer.text


@pytest.mark.walk(3)
@pytest.mark.parametrize("lose", LOSSES)
def test_lost_files_are_noticed_and_their_content_is_saved(
    room: Classroom,
    mia: Browser,
    folder: Path,
    watch: Watched,
    lose: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = acknowledged(room, mia)
    tap = turn(room, mia, Random(2))
    lose(folder)
    check_friendly(tap.send())
    check_friendly(mia.get(f"/play/rounds/{tap.round_id}"))
    assert what_is_told(room)[0] == 503
    assert LOSSES[lose] in what_is_told(room)[1]
    watch.look()
    watch.look()
    said = [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR]
    fault, saved = [line for line in said if "key" not in line and "list" not in line]
    assert LOSSES[lose] in fault
    (copy,) = (folder / "copies").glob("rescued-*.db")
    assert str(copy) in saved
    watch.end()
    finish(room.app)
    if LOSSES[lose] == "school.db":
        monkeypatch.setenv("FISH_INSTANCE", str(folder))
        assert cli.main(["restore", str(copy)]) == 0
    assert {f"0:{each.key}" for each in before} <= kept(folder)


@pytest.mark.parametrize("overwrite", OVERWRITING)
def test_an_overwritten_file_is_noticed_at_the_next_tap(
    room: Classroom,
    mia: Browser,
    folder: Path,
    watch: Watched,
    overwrite: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    acknowledged(room, mia)
    tap = turn(room, mia, Random(2))
    overwrite(folder)
    check_friendly(tap.send())
    watch.look()
    (fault,) = [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR]
    assert fault.startswith("school.db was overwritten")
    assert what_is_told(room) == (503, fault + "\n")
    assert list((folder / "copies").glob("rescued-*")) == []
    # the next start does not read this server's log into the other file
    assert not (folder / "school.db-wal").exists()


def test_a_file_that_grows_and_is_checkpointed_counts_as_the_same(
    room: Classroom, mia: Browser, folder: Path, watch: Watched
) -> None:
    acknowledged(room, mia)
    for _ in range(3):
        acknowledged(room, mia, 2)
        with closing(sqlite3.connect(folder / "school.db")) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        watch.look()
    assert what_is_told(room) == (200, "ok\n")


def test_a_new_connection_does_not_recreate_a_lost_file(
    room: Classroom, mia: Browser, folder: Path, watch: Watched
) -> None:
    finish(room.app)
    everything_deleted(folder)
    with room.app.app_context(), pytest.raises(Unavailable), db.engine.connect():
        pass
    check_friendly(mia.get("/play/"))
    assert not list(folder.glob("school.db*"))


@pytest.mark.parametrize("how", ["refused", "without a number"])
def test_a_file_that_is_briefly_inaccessible_is_not_given_up(
    room: Classroom,
    mia: Browser,
    folder: Path,
    watch: Watched,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    stat = os.stat

    def unseen(path: Any, *more: Any, **named: Any) -> os.stat_result:
        if not str(path).startswith(str(folder / "school.db")):
            return stat(path, *more, **named)
        if how == "refused":
            raise PermissionError(13, "Permission denied")
        return os.stat_result((*stat(path)[:1], 0, *stat(path)[2:]))

    with monkeypatch.context() as patch:
        patch.setattr("classroom.condition.os.stat", unseen)
        check_friendly(mia.get("/play/"))
        watch.look()
        status, words = what_is_told(room)
        assert status == 503
        assert "does not let the server look at school.db" in words
    watch.look()
    acknowledged(room, mia, 1)
    assert what_is_told(room) == (200, "ok\n")
    deleted(folder)
    watch.look()
    assert list((folder / "copies").glob("rescued-*.db"))


def test_a_write_is_not_acknowledged_if_its_file_is_lost_meanwhile(
    room: Classroom, folder: Path, watch: Watched
) -> None:
    with room.app.app_context(), pytest.raises(Unavailable), write_unit():
        db.session.add(School(name="Nowhere", created_at=0.0))
        deleted(folder)


def test_a_deleted_key_is_written_again(
    room: Classroom, folder: Path, watch: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    key = (folder / "key").read_text()
    (folder / "key").unlink()
    watch.look()
    watch.look()
    assert (folder / "key").read_text() == key
    assert [one.getMessage()[:19] for one in caplog.records] == ["The key was deleted"]


def test_a_server_that_is_stopped_before_it_noticed_saves_what_it_holds(
    room: Classroom, mia: Browser, folder: Path, watch: Watched
) -> None:
    acknowledged(room, mia)
    deleted(folder)
    watch.end()
    assert len(list((folder / "copies").glob("rescued-*.db"))) == 1


def test_saving_is_tried_again_until_there_is_room(
    room: Classroom,
    mia: Browser,
    folder: Path,
    watch: Watched,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    acknowledged(room, mia)
    deleted(folder)
    with monkeypatch.context() as patch:
        patch.setattr(copies, "check", no_room)
        for _ in range(3):
            watch.look()
    assert not list((folder / "copies").glob("rescued-*"))
    assert caplog.text.count("no room") == 1
    watch.look()
    assert len(list((folder / "copies").glob("rescued-*.db"))) == 1


def no_room(_path: Path) -> None:
    raise CannotStart("no room")


def test_an_adult_is_told_in_kind_words(room: Classroom, folder: Path, watch: Watched) -> None:
    with room.app.app_context():
        teacher = client_with(room.app, signed_in(adult_id=teacher_of(room.class_id)))
    assert teacher.get("/teach/").status_code == 200
    deleted(folder)
    answer = teacher.get("/teach/")
    assert answer.status_code == 503
    assert "The school is not working" in answer.text


# ---- damage


def damage(folder: Path, table: str) -> None:
    """Overwrite the first page of a table. No connection may be open."""
    file = folder / "school.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
    with file.open("r+b") as raw:
        raw.seek((root - 1) * size)
        raw.write(b"\xaa" * size)


def test_a_damaged_page_is_found_at_the_start(room: Classroom, mia: Browser, folder: Path) -> None:
    acknowledged(room, mia)
    with room.app.app_context():
        health.examine()
        finish(room.app)
        damage(folder, "moves")
        with pytest.raises(CannotStart, match=r"damaged.*restore FILE"):
            health.examine()


def test_a_large_file_is_checked_while_the_school_runs(
    room: Classroom, mia: Browser, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acknowledged(room, mia)
    finish(room.app)
    damage(folder, "moves")
    monkeypatch.setattr(health, "AT_ONCE", 0)
    with room.app.app_context():
        health.examine()
        for thread in threading.enumerate():
            if thread.name == "data-check":
                thread.join(20)
    assert what_is_told(room)[0] == 503


def test_damage_found_later_stops_the_school_and_logs_no_statement(
    room: Classroom, mia: Browser, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tap = acknowledged(room, mia)[-1]
    finish(room.app)
    damage(folder, "moves")
    check_friendly(mia.get(f"/play/rounds/{tap.round_id}"))
    check_friendly(tap.send())
    check_friendly(mia.get("/play/"))
    status, told = what_is_told(room)
    assert status == 503
    assert "restore FILE" in told
    assert len([one for one in caplog.records if one.levelno >= logging.ERROR]) == 1
    assert not any(word in caplog.text for word in ("SELECT", "INSERT", "parameters", tap.key))


def test_a_damaged_file_and_its_log_are_kept_together(
    room: Classroom, mia: Browser, folder: Path, watch: Watched
) -> None:
    acknowledged(room, mia)
    with room.app.app_context():
        condition_of(db.engine).distrust(DAMAGED)
    before = (folder / "school.db-wal").read_bytes()
    watch.look()
    watch.end()
    assert (folder / "school.db-wal").read_bytes() == before
    assert not (folder / "copies").exists()


def test_a_database_error_logs_neither_its_statement_nor_typed_text(
    room: Classroom, mia: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tap = turn(room, mia, Random(3))
    with room.app.app_context(), write_unit():
        db.session.connection().exec_driver_sql("ALTER TABLE rounds RENAME TO rounds_gone")
    assert tap.send().status_code in (500, 503)
    assert "OperationalError" in caplog.text
    assert not any(word in caplog.text for word in ("SELECT", "[SQL", "no such table", tap.key))


# ---- trouble that passes


@contextmanager
def full(room: Classroom) -> Iterator[None]:
    """Let every write inside the block fail, as on a full disk."""
    with room.app.app_context():
        engine = db.engine

    def refuse(_cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    event.listen(engine, "do_execute", refuse)
    try:
        yield
    finally:
        event.remove(engine, "do_execute", refuse)


def test_a_full_disk_is_reported_as_long_as_it_lasts(
    room: Classroom, mia: Browser, watch: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    tap = turn(room, mia, Random(4))
    with full(room):
        for _ in range(3):
            check_friendly(tap.send())
            watch.look()
            assert what_is_told(room) == (503, "The disk is full: make room on it.\n")
        assert mia.get("/play/").status_code == 200  # reading works
    watch.look()
    assert what_is_told(room) == (200, "ok\n")
    works_again(tap)
    assert [one.getMessage() for one in caplog.records] == [
        "The disk is full: make room on it.",
        "The database takes writes again.",
    ]


def test_only_one_tap_at_a_time_waits_for_another_program(
    room: Classroom, mia: Browser, folder: Path, watch: Watched
) -> None:
    names = ("Mia", "Ben", "Ada", "Noor")
    taps = [turn_of(room, name) for name in names]
    with closing(sqlite3.connect(folder / "school.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        with ThreadPoolExecutor(len(taps)) as pool:
            answers = list(pool.map(Tap.send, taps))
        answers += [tap.send() for tap in taps * 3]
        took = time.monotonic() - began
        assert what_is_told(room)[0] == 503
        other.execute("ROLLBACK")
    for answer in answers:
        check_friendly(answer)
    assert took < 2 * 5
    watch.look()
    assert what_is_told(room) == (200, "ok\n")
    for tap in taps:
        works_again(tap)


def turn_of(room: Classroom, name: str) -> Tap:
    reader = browser(room, name)
    reader.get("/play/")
    with room.app.app_context():
        round_id = matches.sit_down(room.children[name], "classic")
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        db.session.rollback()
    action = table.observation.legal[0]
    return Tap(room, reader, round_id, action, table.seq, secrets.token_hex(8))
