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
STILL: Final = 60.0  # seconds without a beat until a thread counts as stopped; a write can take 15
KEEPER_MILLISECONDS: Final = 500  # how long the connection that stays open waits for a lock
AT_ONCE: Final = 50_000_000  # bytes; for a larger file, the start does not wait for the check

_log = logging.getLogger(__name__)


class Pulse:
    """The time of the background thread's last sign of life."""

    def __init__(self) -> None:
        self.beat()

    def beat(self) -> None:
        self._at = time.monotonic()

    def stopped(self) -> bool:
        """Whether the thread seems to have stopped. A working thread beats every few seconds."""
        return time.monotonic() - self._at > STILL


def problem(pulse: Pulse | None = None) -> str:
    """The current problem of the school, in one plain line; "" if there is none. `pulse`: the pulse
    of the background thread, if there is one. With a `pulse`, PostgreSQL is not queried,
    because a frozen server would block this thread too. The relay queries it every second."""
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


# ---- the check of the database before the start


def examine() -> None:
    """Look for damage in the database file. A file larger than AT_ONCE is checked in another
    thread: 430 MB (two million moves) take 0.8 s if they are cached, else as long as the disk needs
    to read them. Raises CannotStart if a table is missing or a smaller file is damaged."""
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
        """Check the data, log any change of its condition, and do the work that is due. `leads`:
        whether this process also does the work that one process does for all processes."""
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
        """Move the write-ahead log into the database; close the connection that was kept open."""
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
        if condition.refused:  # by writing a row, find out whether writes are accepted again
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
        open. Each call tries again until a call succeeds."""
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
    Also mark the database file, so that another file copied over it is noticed."""
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
    """Move the write-ahead log into the file; returns whether all of it was moved."""
    busy, *_ = keeper.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


# ---- The state of the server: warnings for an administrator, before children notice a problem

GB: Final = 1_000_000_000
LITTLE_ROOM: Final = GB  # bytes; an upgrade needs room for a copy of the whole database
SLOW: Final = 1.0  # the most seconds that a tap should wait before the server begins to answer it
LATE: Final = 10.0  # the most seconds that computer players should be late


@dataclass(frozen=True, slots=True)
class Checkup:
    """The state of the server at one moment.

    `problem`: the current problem, as `/health` reports it; "" if there is none. `free`: free bytes
    on the disk that holds the data. `wait`: in the last minute, one move in a hundred waited this
    many seconds or more; None if there were no moves. `lag`: how many seconds computer players are
    late. `open_pages`: the number of open pages that show a table or a class. `skipped`: the number
    of pieces of background work that keep failing.
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
    """Examine the server now. `folder`: the folder with its data."""
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
