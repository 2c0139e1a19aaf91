"""The health of a school's data and server: checks, reports, and the rescue of lost data."""

from __future__ import annotations

import logging
import secrets
import shutil
import sqlite3
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from classroom import config, measures
from classroom.condition import (
    DAMAGED,
    FULL,
    SIDE_FILES,
    Condition,
    OpenFiles,
    Unavailable,
    trouble,
)
from classroom.config import COMMAND
from classroom.database import checkpoint, condition_of, db, write_unit
from classroom.models import School, WrongTry
from classroom.services.base import clock, disk, errors, secrets_, security_log, tombstones
from classroom.services.base.audit import SealWatch
from classroom.services.base.errors import CannotStart, guard
from classroom.services.operation import copies, upkeep
from classroom.services.operation.retention import Tidying

# ---- watching the data while the server runs, and saving it if its files are lost

CHECKPOINT_SECONDS: Final = 300.0
STILL: Final = 60.0  # seconds without a beat before a thread counts as stopped; a write can take 15
KEEPER_MILLISECONDS: Final = 500  # how long the connection that stays open waits for a lock
AT_ONCE: Final = 50_000_000  # bytes; for a larger file, the start does not wait for the check

_log = logging.getLogger(__name__)


class Pulse:
    """Remembers when the background thread last gave a sign of life."""

    def __init__(self) -> None:
        self.beat()

    def beat(self) -> None:
        self._at = time.monotonic()

    def stopped(self) -> bool:
        """Whether the thread seems to have stopped. A working thread beats every few seconds."""
        return time.monotonic() - self._at > STILL


def problem(pulse: Pulse | None = None) -> str:
    """The school's current problem, in one plain line; "" if there is none. `pulse`: the background
    thread's pulse, if there is such a thread. With a `pulse`, PostgreSQL is not queried, because a
    frozen database would block this thread too. The relay queries PostgreSQL every second."""
    condition, why = condition_of(db.engine), ""
    if pulse is None or db.engine.dialect.name == "sqlite":
        try:
            db.session.scalar(select(School.id).limit(1))
        except (DBAPIError, Unavailable) as error:
            why = trouble(error) or "The database does not answer."
        db.session.rollback()
    still = _STILL if pulse is not None and pulse.stopped() else ""
    return condition.broken or condition.refused or why or still


def in_words(error: Exception) -> str:
    """The reason why the program cannot start, as one sentence for the operator."""
    if isinstance(error, OSError):
        if error.errno == ENOSPC:
            return FULL
        return f"{error.filename or 'A file'} cannot be used: {error.strerror}."
    said = str(getattr(error, "orig", error)).partition("\n")[0]
    return trouble(error) or f"The database cannot be used: {said}."


# ---- checking the database before the start


def examine() -> None:
    """Look for damage in the database file. A file larger than AT_ONCE is checked in another
    thread: 430 MB (two million moves) take 0.8 s from the cache, or as long as the disk needs to
    read them. Raises CannotStart if a table is missing, or if a file up to AT_ONCE is damaged."""
    condition = condition_of(db.engine)
    if table := upkeep.missing_table(db.engine):
        condition.distrust(_NO_TABLE.format(table))
        raise CannotStart(condition.broken)
    if condition.files is None:
        return
    large = Path(condition.files.path).stat().st_size > AT_ONCE
    connection = db.engine.raw_connection()
    if large:
        check = threading.Thread(
            target=_examine, args=(condition, connection), name="data-check", daemon=True
        )
        check.start()
        return
    _examine(condition, connection)
    if condition.broken:
        raise CannotStart(condition.broken)


def _examine(condition: Condition, connection: Any) -> None:
    with closing(connection):
        try:
            found = connection.cursor().execute("PRAGMA quick_check(1)").fetchall()
        except sqlite3.Error as error:
            condition.failed(error)
        else:
            if found != [("ok",)]:
                condition.distrust(DAMAGED)


# ---- looking after the data while the school is served


class Watch:
    """Looks after the data of a school. The background thread calls `look` every few seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keeper: Any = None
        self._saved = self._told = False
        self._checkpoint_at = time.monotonic() + CHECKPOINT_SECONDS
        self._tidying = Tidying()
        self._seals = SealWatch()
        self._list: bytes | None = None  # the contents of the tombstone file at the last look

    def look(self, *, leads: bool = True) -> None:
        """Check the data, log any change in its condition, and do the work that is due. `leads`:
        whether this process also does the work that only one process does, for all of them."""
        with self._lock:
            condition = condition_of(db.engine)
            folder = disk.folder_of(db.engine)
            with suppress(OSError):
                if folder is not None:
                    if done := secrets_.keep_in_place(folder):
                        _log.error("%s", done)
                    self._list = tombstones.keep(folder, self._list)
            try:
                if self._is_well(condition):
                    self._do_what_is_due(condition, leads)
            except sqlite3.Error as error:
                condition.failed(error)
            finally:
                condition.tell()

    def end(self) -> None:
        """Move the write-ahead log into the database, and close the connection kept open so far."""
        with self._lock:
            keeper, condition = self._keeper, condition_of(db.engine)
            if keeper is not None:
                with closing(keeper):
                    if self._is_well(condition):
                        with condition.turn_to_write():
                            _emptied(keeper)
                self._keeper = None

    def _is_well(self, condition: Condition) -> bool:
        try:
            condition.verify()
        except Unavailable as error:
            condition.failed(error)
            condition.tell()
            if condition.broken:
                self._save(condition)
            return False
        return True

    def _do_what_is_due(self, condition: Condition, leads: bool) -> None:
        if self._keeper is None and condition.files is not None:
            self._keeper = _keeper(condition, condition.files)
        if condition.refused:  # write a row, to find out whether writes are accepted again
            with suppress(DBAPIError, Unavailable), write_unit():
                trial = WrongTry(what="trial", at=clock.now())
                db.session.add(trial)
                db.session.flush()
                db.session.delete(trial)
        if time.monotonic() >= self._checkpoint_at:
            self._checkpoint_at = time.monotonic() + CHECKPOINT_SECONDS
            with guard("move the log into the file"):
                checkpoint()
            if not leads:
                with guard("delete old security logs"):
                    security_log.forget_old()  # each machine has its own log files
        if leads and disk.folder_of(db.engine) is not None:
            with guard("the daily tidying"):
                self._tidying.when_due()
            with guard("check the audit log"):
                self._seals.go_on()

    def leave(self) -> None:
        """Close the connection to a database that has been replaced."""
        with self._lock:
            if self._keeper is not None:
                self._keeper.close()
                self._keeper = None

    def _save(self, condition: Condition) -> None:
        """If the database files were lost, save their data through the connection that is still
        open. Each call tries again until one succeeds."""
        files, folder = condition.files, disk.folder_of(db.engine)
        if self._saved or self._keeper is None or files is None or folder is None:
            return
        try:
            if condition.lost:
                copy = copies.rescue(self._keeper.dbapi_connection, folder)
                whole = files.is_ours() and _emptied(self._keeper)  # true if only the log was lost
                _log.error("%s", (_WHOLE if whole else _SAVED).format(copy))
            if condition.lost or condition.overwritten:
                for suffix in SIDE_FILES:  # SQLite would apply an old log to any new file beside it
                    copies.put_aside(Path(files.path + suffix))
        except (CannotStart, OSError) as error:
            if not self._told:
                _log.error("%s", error)
            self._told = True
        else:
            self._saved = True


_NO_TABLE: Final = (
    "The database is damaged, its table {} is missing: put a backup in its place, with the server "
    f"stopped ({COMMAND} restore FILE)."
)
_STILL: Final = (
    "The background thread stands still, so computer players do not move: start the server again."
)
_SAVED: Final = (
    f"All of its data is saved: stop the server, run {COMMAND} restore {{0}}, and start it again."
)
_WHOLE: Final = (
    "All of its data was moved to the database file: stop the server and start it again. There is "
    "a copy as well: {0}"
)


def _keeper(condition: Condition, files: OpenFiles) -> Any:
    """Open a connection that stays open, so that the data can be saved even if its files are lost.
    Also mark the database file, so that it is noticed if another file is copied over it."""
    mark = secrets.randbelow(2**31 - 1) + 1
    with condition.turn_to_write():
        keeper = db.engine.raw_connection()
        keeper.detach()
        try:
            keeper.cursor().execute(f"PRAGMA busy_timeout={KEEPER_MILLISECONDS}")
            keeper.cursor().execute(f"PRAGMA user_version={mark}")
            if _emptied(keeper):
                files.marked(mark)
        except BaseException:
            keeper.close()
            raise
    return keeper


def _emptied(keeper: Any) -> bool:
    """Move the write-ahead log into the database file; returns whether all of it was moved."""
    busy, *_ = keeper.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


# ---- The server's state: an administrator is warned before children notice a problem

GB: Final = 1_000_000_000
LITTLE_ROOM: Final = GB  # bytes; an upgrade needs room for a copy of the whole database
SLOW: Final = 1.0  # seconds; a tap should not wait longer before the server begins to handle it
LATE: Final = 10.0  # seconds; computer players should not be later than this


@dataclass(frozen=True, slots=True)
class Checkup:
    """The state of the server at one moment.

    `problem`: the current problem, as `/health` reports it; "" if there is none. `free`: free bytes
    on the disk that holds the data. `wait`: in the last minute, one move in a hundred waited this
    many seconds or more; None if there were no moves. `lag`: by how many seconds computer players
    are late. `open_pages`: how many open pages show a table or a class. `skipped`: how many pieces
    of background work failed lately and have not succeeded since.
    """

    problem: str
    free: int
    wait: float | None
    lag: float
    open_pages: int
    skipped: int
    version: str
    database: str

    @property
    def is_full(self) -> bool:
        return self.free < LITTLE_ROOM

    @property
    def is_slow(self) -> bool:
        return self.wait is not None and self.wait > SLOW

    @property
    def is_late(self) -> bool:
        return self.lag > LATE


def checkup(folder: Path, pulse: Pulse | None) -> Checkup:
    """Examine the server now. `folder`: the folder that holds the data."""
    return Checkup(
        problem=problem(pulse),
        free=shutil.disk_usage(folder).free,
        wait=measures.RECENT.slowest(),
        lag=measures.now("fish_worker_lag_seconds"),
        open_pages=int(sum(measures.now("fish_streams", of=of) for of in ("tables", "classes"))),
        skipped=errors.count_skipped(),
        version=config.version(),
        database="SQLite" if db.engine.dialect.name == "sqlite" else "PostgreSQL",
    )
