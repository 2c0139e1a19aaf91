"""The condition of a database: whether its data can be trusted, and whether it accepts writes.

On Linux and macOS an open file can be deleted or replaced. A process that has it open goes on
reading and writing the lost file, and a new connection creates an empty database at the path.
Therefore each transaction first checks that the files at the paths are the ones that were opened.
This check costs three calls to `os.stat` (about 5 us).
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from classroom.config import COMMAND

SIDE_FILES: Final = ("-wal", "-shm")
LONGEST_WAIT: Final = 15.0  # seconds; the longest that a write waits for earlier writes
PATIENCE: Final = 0.5  # seconds to queue, at most, while another program blocks the current write
BUSY_MILLISECONDS: Final = 5_000  # the longest that a write waits for another program's lock
BUSY_AGAIN: Final = 50  # the same, once a write has failed because of such a lock

BUSY: Final = "Another program holds the database: close it."
DAMAGED: Final = (
    "The database is damaged: put a backup in its place, with the server stopped "
    f"({COMMAND} restore FILE)."
)
FULL: Final = "The disk is full: make room on it."
NO_ANSWER: Final = "The database server does not answer: is it running?"
_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_CANTOPEN: "The database file cannot be opened: is it there, and may this user "
    "write in its folder?",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_IOERR: "The disk fails to read or write the database: look at the system's log.",
    sqlite3.SQLITE_IOERR_SHMSIZE: FULL,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_READONLY: "The database can only be read: let this user write it.",
}
# Classes of SQLSTATE for failures of the server, not of a statement.
_SERVER: Final = ("08", "53", "57", "58")

_log = logging.getLogger(__name__)


class Unavailable(Exception):
    """The database cannot be used now. The message says why in one plain line."""


def trouble(error: BaseException | None) -> str:
    """Return a sentence about the database problem behind this error; "" if there is none."""
    error = getattr(error, "orig", None) or error  # unwrap the driver's error
    if isinstance(error, Unavailable):
        return str(error)
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0)
        return _SQLITE.get(code) or _SQLITE.get(code & 0xFF, "")
    kinds = {base.__name__ for base in type(error).__mro__ if base.__module__[:7] == "psycopg"}
    if not kinds:
        return ""
    state = getattr(error, "sqlstate", None)
    if state is None:  # the connection failed or is silent
        return NO_ANSWER if "OperationalError" in kinds else ""
    if state == "53100":
        return FULL
    return NO_ANSWER if state[:2] in _SERVER else ""


class OpenFiles:
    """The files of a SQLite database that this process has open."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._paths = (path, *(path + suffix for suffix in SIDE_FILES))
        self._lock = threading.Lock()
        self._connections = 0
        self._opened: tuple[tuple[int, int] | None, ...] = (None,) * len(self._paths)
        self._mark: int | None = None
        self._state: tuple[int, int] | None = None

    def opened(self) -> None:
        """Note that a connection has opened the files."""
        with self._lock:
            now = [_identity(path) for path in self._paths]
            self._opened = tuple(old or new for old, new in zip(self._opened, now, strict=True))
            self._connections += 1

    def closed(self) -> None:
        """Note that a connection was closed. With the last one, SQLite deletes its side files."""
        with self._lock:
            self._connections -= 1
            if self._connections == 0:
                self._opened = (self._opened[0], *(None for _ in SIDE_FILES))

    def marked(self, mark: int) -> None:
        """Remember the file's mark (PRAGMA user_version). Our backups do not have this mark."""
        self._mark, self._state = mark, None

    def is_ours(self) -> bool:
        """Whether the database file is still the one that was opened."""
        with suppress(Unavailable):
            return _identity(self.path) == self._opened[0]
        return False

    def lost(self) -> str:
        """Return the name of a file that was deleted or replaced; "" if there is none."""
        for path, opened in zip(self._paths, self._opened, strict=True):
            if opened is not None and _identity(path) != opened:
                return os.path.basename(path)
        return ""

    def overwritten(self) -> bool:
        """Whether another database has been written over this file. The file is read only if it has
        changed."""
        if self._mark is None:
            return False
        with suppress(OSError):
            found = os.stat(self.path)
            state = found.st_mtime_ns, found.st_size
            if state != self._state:
                if _mark_in(self.path) not in (self._mark, None):
                    return True
                self._state = state
        return False


def _identity(path: str) -> tuple[int, int] | None:
    """Return the device and inode of the file at this path, or None if there is no file. Raises
    Unavailable if the system cannot tell; the file may still be intact."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unavailable(_UNSEEN.format(os.path.basename(path), error.strerror)) from error
    if not found.st_ino:  # on Windows, for a file that this user may not open
        raise Unavailable(_UNSEEN.format(os.path.basename(path), "it has no number"))
    return found.st_dev, found.st_ino


def _mark_in(path: str) -> int | None:
    """Read the mark in the file itself, ignoring the write-ahead log. Returns -1 if the file is not
    a database, None if it cannot be read now. Does not use `open`: closing the file would drop the
    locks that SQLite holds on the file in this process."""
    address = Path(path).absolute().as_uri() + "?immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as file:
            file.execute("PRAGMA writable_schema=ON")  # allows reading the header of a growing file
            return int(file.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error as error:
        return -1 if trouble(error) == DAMAGED else None


class Condition:
    """The condition of one database. `broken` says why nothing is read or written until the server
    restarts. `refused` says why the database last failed, until a write succeeds. Both are one
    sentence, or "" if all is well. `lost`: the open files are intact, but no longer at their paths.
    `overwritten`: the file contains another database; only the write-ahead log is ours."""

    def __init__(self, path: str | None = None) -> None:
        self.files = OpenFiles(path) if path else None
        self._writer = threading.Lock()
        self._held_up_since: float | None = None
        self.broken = self.refused = self._told = ""
        self.lost = self.overwritten = False

    def verify(self) -> None:
        """Raise Unavailable unless it is certain that the data can be trusted."""
        if not self.broken and self.files is not None:
            name = self.files.lost()
            if name:
                self.lost = True
                self.distrust(_LOST.format(name))
            elif self.files.overwritten():
                self.overwritten = True
                self.distrust(_OVERWRITTEN.format(os.path.basename(self.files.path)))
        if self.broken:
            raise Unavailable(self.broken)

    def distrust(self, why: str) -> None:
        """Refuse all reads and writes from now on, for this reason."""
        self.broken = self.broken or why

    def failed(self, error: BaseException | None) -> None:
        """Note that the database raised this error."""
        why = trouble(error)
        if why == DAMAGED:
            self.distrust(why)
        else:
            self.refused = why or self.refused

    def tell(self) -> None:
        """Log the condition if it has changed since it was last logged."""
        now = self.broken or self.refused
        if now and now != self._told:
            _log.error("%s", now)
        elif self._told and not now:
            _log.warning("The database takes writes again.")
        self._told = now

    @contextmanager
    def turn_to_write(self) -> Iterator[None]:
        """Let in one writer at a time for each process and database.

        Under load this is fairer than SQLite's own waiting: the longest wait fell from 1.1 s to
        0.2 s. It hardly slows PostgreSQL. Raises Unavailable after PATIENCE while another program
        blocks the current writer, and after LONGEST_WAIT in any case, because a disk or a server
        that hangs must not block all threads.
        """
        until = time.monotonic() + LONGEST_WAIT
        while not self._writer.acquire(timeout=PATIENCE / 4):
            if time.monotonic() > until:
                raise Unavailable(BUSY)
            since = self._held_up_since
            if since is not None and time.monotonic() - since > PATIENCE:
                raise Unavailable(BUSY)
        try:
            yield
        finally:
            self._writer.release()

    @contextmanager
    def waiting(self, connection: Any) -> Iterator[None]:
        """Let this SQLite connection wait for other programs inside the block. The wait is long at
        first, but short once a write has failed because of another program. Otherwise every tap
        would delay the taps after it."""
        again = self.refused == BUSY
        self._held_up_since = time.monotonic()
        try:
            if again:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_AGAIN}")
            yield
        finally:
            self._held_up_since = None
            if again:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")


_UNSEEN: Final = (
    "The system does not let the server look at {} ({}): see whether this user may read its folder."
)
_LOST: Final = (
    "{} was deleted or replaced while the school was open, so nothing is written any more: stop "
    "the server, and see docs/running.md, 'When something is wrong with the data'."
)
_OVERWRITTEN: Final = (
    "{} was overwritten while the school was open, so nothing is written any more: stop the server "
    f"and put a backup in its place ({COMMAND} restore FILE)."
)
