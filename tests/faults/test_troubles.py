"""Faults of the disk, the database and the clock. Nothing is half written, everyone gets a friendly
page, and the same tap works once the fault is gone."""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine, event, select
from sqlalchemy.exc import OperationalError
from werkzeug.test import TestResponse

from classroom.database import db, write_unit
from classroom.engine.actions import Action
from classroom.models import ChildRound, Move
from classroom.services.base import clock
from classroom.services.lesson import gatherings, lessons, open_tables
from classroom.services.operation import background
from classroom.services.table import matches, rounds
from tests.playing import Browser, Classroom, browser

CALM = 503
_NUMBER = re.compile(r'data-v="(\d+)"')


@dataclass
class Tap:
    """A tap on Ask that can be sent again and again with the same key."""

    room: Classroom
    reader: Browser
    round_id: int
    action: Action
    seen: int
    key: str

    def send(self) -> TestResponse:
        return self.reader.move(self.round_id, self.action, self.seen, self.key)

    def made(self) -> int:
        """The number of times that this tap is in the log."""
        with self.room.app.app_context():
            keys = db.session.scalars(
                select(Move.key).where(Move.round_id == self.round_id, Move.seq > self.seen)
            ).all()
            db.session.rollback()
        return keys.count(f"0:{self.key}")


@pytest.fixture
def mia(room: Classroom) -> Browser:
    reader = browser(room)
    reader.get("/play/")
    return reader


def turn(room: Classroom, reader: Browser, lots: Random) -> Tap:
    """A legal tap of Mia at her turn, in her unfinished round or in a new one."""
    with room.app.app_context():
        round_id = matches.sit_down(room.children["Mia"], "classic")
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        if table.over:
            matches.next_round(table.match_id, room.children["Mia"])
    if table.over:
        return turn(room, reader, lots)
    action = lots.choice(table.observation.legal)
    return Tap(room, reader, round_id, action, table.seq, secrets.token_hex(8))


def check_friendly(answer: TestResponse) -> None:
    """Check that this page shows a picture and a way on, but no details of the fault."""
    assert answer.status_code == CALM, answer.text[:200]
    assert answer.headers["Retry-After"]
    assert 'id="on"' in answer.text
    assert not re.search("Traceback|sqlite|Error|database|SELECT", answer.text)


def works_again(tap: Tap) -> None:
    answer = tap.send()
    assert answer.status_code == 200
    assert tap.made() == 1
    shown = _NUMBER.search(answer.text)
    assert shown is None or int(shown[1]) > tap.seen


def engine_of(room: Classroom) -> Engine:
    with room.app.app_context():
        return db.engine


# ---- a fault at each statement in turn


@contextmanager
def fault_at(engine: Engine, number: int) -> Iterator[list[str]]:
    """Let the statement or commit with this number fail."""
    asked: list[str] = []
    failure = engine.dialect.loaded_dbapi.OperationalError  # type: ignore[attr-defined]

    def next_one(what: str) -> None:
        asked.append(what)
        if len(asked) == number:
            raise failure("disk I/O error")

    def statement(_cursor: Any, sql: str, _parameters: Any, _context: Any) -> None:
        next_one(sql)

    def commit(_connection: Any) -> None:
        try:
            next_one("COMMIT")
        except failure as error:
            raise OperationalError("COMMIT", {}, error) from error

    event.listen(engine, "do_execute", statement)
    event.listen(engine, "commit", commit)
    try:
        yield asked
    finally:
        event.remove(engine, "do_execute", statement)
        event.remove(engine, "commit", commit)


def test_after_a_fault_at_any_statement_an_ask_is_complete_or_not_made(
    room: Classroom, mia: Browser
) -> None:
    lots, engine = Random(3), engine_of(room)
    committed, number = False, 1
    while True:
        tap = turn(room, mia, lots)
        with fault_at(engine, number) as asked:
            answer = tap.send()
        if len(asked) < number:
            assert answer.status_code == 200
            assert tap.made() == 1
            if committed:
                break
            continue  # an ask of fewer statements than the one before
        check_friendly(answer)
        # before the commit there is no move; after it the move was made and only the page failed
        assert tap.made() == int("COMMIT" in asked[:-1])
        committed |= "COMMIT" in asked
        works_again(tap)
        number += 1
    assert committed
    assert number > 8


@pytest.mark.parametrize("path", ["/play/", "/play/rounds/{}", "/play/rounds/{}/table"])
def test_a_fault_at_any_statement_of_a_page_is_a_friendly_page(
    room: Classroom, mia: Browser, path: str
) -> None:
    tap, engine = turn(room, mia, Random(4)), engine_of(room)
    for number in count(1):
        with fault_at(engine, number) as asked:
            answer = mia.get(path.format(tap.round_id))
        if len(asked) < number:
            assert answer.status_code == 200
            break
        check_friendly(answer)
    assert number > 2


def test_a_fault_at_any_statement_of_being_ready_leaves_both_at_their_open_table(
    room: Classroom, mia: Browser
) -> None:
    ben, engine = browser(room, "Ben"), engine_of(room)
    ben.get("/play/")
    for number in count(1):
        sit_down_together(room)
        with fault_at(engine, number) as asked:
            answer = ben.post("/play/friends/ready", htmx=False, yes=1)
        if len(asked) < number:
            break
        check_friendly(answer)
        assert rounds_of(room, "Mia", "Ben") == {None}
        answer = ben.post("/play/friends/ready", htmx=False, yes=1)
        assert rounds_of(room, "Mia", "Ben") == {int(answer.location.rpartition("/")[2])}
    assert answer.status_code == 303
    assert number > 8


def sit_down_together(room: Classroom) -> None:
    """Seat Mia and Ben at a new table, where only Ben is not ready yet."""
    mia, ben = (room.children[name] for name in ("Mia", "Ben"))
    with room.app.app_context():
        with write_unit():
            lessons.put_away(room.class_id)
        gatherings.make(mia, "classic")
        gatherings.sit(ben, open_tables.open_tables(room.class_id)[0].gathering_id)
        gatherings.ready(mia)
        db.session.rollback()


def rounds_of(room: Classroom, *names: str) -> set[int | None]:
    with room.app.app_context():
        found = {open_tables.round_of(room.children[name]) for name in names}
        db.session.rollback()
        return found


# ---- the whole database in trouble


@contextmanager
def pragma(engine: Engine, during: str, after: str) -> Iterator[None]:
    """Set one pragma on every connection inside the block, and another at its end."""

    def on_connect(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA {during}").fetchall()

    engine.dispose()
    event.listen(engine, "connect", on_connect)
    try:
        yield
    finally:
        event.remove(engine, "connect", on_connect)
        with closing(engine.raw_connection()) as connection:
            connection.cursor().execute(f"PRAGMA {after}").fetchall()
        engine.dispose()


@pytest.mark.sqlite
def test_a_full_disk_damages_nothing(room: Classroom, mia: Browser, folder: Path) -> None:
    lots, engine = Random(5), engine_of(room)
    with closing(engine.raw_connection()) as connection:
        pages = connection.cursor().execute("PRAGMA page_count").fetchone()[0]
    status = 200
    while status == 200:
        tap = turn(room, mia, lots)
        with pragma(engine, f"max_page_count={pages}", "max_page_count=1000000"):
            answer = tap.send()
            status = answer.status_code
            looked = mia.get(f"/play/rounds/{tap.round_id}").status_code
        assert tap.made() == (status == 200)
        assert looked == 200  # the table can still be looked at
    check_friendly(answer)
    works_again(tap)
    with closing(sqlite3.connect(folder / "school.db")) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.sqlite
def test_a_read_only_database_shows_the_table_and_takes_no_move(
    room: Classroom, mia: Browser
) -> None:
    tap = turn(room, mia, Random(6))
    with pragma(engine_of(room), "query_only=ON", "query_only=OFF"):
        check_friendly(tap.send())
        assert tap.made() == 0
        assert mia.get(f"/play/rounds/{tap.round_id}").status_code == 200
    works_again(tap)


@pytest.mark.sqlite
def test_a_locked_database_can_be_read_and_takes_the_move_later(
    room: Classroom, mia: Browser, folder: Path
) -> None:
    tap = turn(room, mia, Random(7))
    with (
        pragma(engine_of(room), "busy_timeout=100", "busy_timeout=5000"),
        closing(sqlite3.connect(folder / "school.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        for _ in range(3):
            check_friendly(tap.send())
            assert mia.get(f"/play/rounds/{tap.round_id}").status_code == 200
        other.execute("ROLLBACK")
        assert tap.made() == 0
    works_again(tap)


# ---- clocks


@pytest.mark.parametrize("shift", [-3600.0, -3 * 86_400.0, 7200.0])
def test_resetting_the_clock_loses_no_move_and_no_minute(
    room: Classroom, mia: Browser, shift: float
) -> None:
    lots = Random(8)
    works_again(turn(room, mia, lots))
    with clock.clock_at(clock.now() + shift):
        tap = turn(room, mia, lots)
        works_again(tap)
        assert mia.get(f"/play/rounds/{tap.round_id}").status_code == 200
    works_again(turn(room, mia, lots))
    with room.app.app_context():
        seconds = db.session.scalars(select(ChildRound.seconds)).all()
    assert all(0 <= each < 300 for each in seconds)
