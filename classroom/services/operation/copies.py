"""Copies the database before an upgrade, as a backup, or to rescue its data; restores a copy."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from classroom.condition import SIDE_FILES
from classroom.services.base import clock, disk
from classroom.services.base.errors import CannotStart

KEPT_COPIES: Final = 2  # how many of the newest copies are kept, whatever their age
BEFORE_RESTORE: Final = 10  # how many of the newest copies a restore keeps
UNKNOWN: Final = 1_000  # how many row numbers to skip if it is not known which have been used
FOLDER: Final = "copies"
RESCUED: Final = "rescued"  # the name of each copy that `rescue` makes begins with this

_log = logging.getLogger(__name__)


def copy_aside(database: Path, label: str, keep: int) -> Path:
    """Make a checked copy in copies/ beside the file, and keep only the newest `keep` copies."""
    with _open(database) as source:
        return _copy_aside(source, database, label, keep)


def _copy_aside(source: sqlite3.Connection, database: Path, label: str, keep: int) -> Path:
    target = _place(database.parent, f"{database.stem}-{clock.stamp()}-{label}.db")
    _copy(source, target)
    others = set(target.parent.glob(f"{database.stem}-*.db")) - {target}
    for old in _newest_first(others)[max(keep, 1) - 1 :]:
        _delete(old)
    return target


def rescue(connection: sqlite3.Connection, folder: Path) -> Path:
    """Make a checked copy, through an open connection, of a database whose file is lost."""
    target = _place(folder, f"{RESCUED}-{clock.stamp()}.db")
    _copy(connection, target)
    return target


def put_aside(file: Path) -> None:
    """Move a file to copies/, if it exists."""
    if file.exists():
        os.replace(file, _place(file.parent, f"{file.name}-{clock.stamp()}"))


def _place(folder: Path, name: str) -> Path:
    folder = folder / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder / name


def _newest_first(files: Iterable[Path]) -> list[Path]:
    return sorted(files, key=lambda file: (file.stat().st_mtime, file.name), reverse=True)


def forget_old_copies(folder: Path, seconds: float) -> None:
    """Delete copies older than `seconds`: they may hold deleted data. The two newest are kept."""
    folder = folder / FOLDER
    kept = _newest_first(folder.glob("*.db"))[:KEPT_COPIES]
    for old in folder.glob("*.db*"):
        if old not in kept and old.stat().st_mtime < clock.now() - seconds:
            _delete(old)


def _delete(old: Path) -> None:
    """Delete a copy. If it cannot be deleted (on Windows it may be open), only warn."""
    try:
        old.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("The old copy %s cannot be deleted: %s.", old.name, error.strerror)


def backup(database: Path, target: Path) -> None:
    """Copy a database, even one in use, with SQLite's backup API. Only a sound copy becomes
    `target`. Raises CannotStart, with the reason in one sentence, if no sound copy can be made."""
    with _open(database) as source:
        _copy(source, target)


@contextlib.contextmanager
def _open(database: Path) -> Iterator[sqlite3.Connection]:
    if not database.is_file():
        raise CannotStart(f"There is no database at {database} yet.")
    with contextlib.closing(sqlite3.connect(database)) as connection:
        yield connection


def _copy(source: sqlite3.Connection, target: Path) -> None:
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        disk.private(part)
        with contextlib.closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE").fetchall()
            copy.execute("PRAGMA user_version=0")  # removes the mark of the file in use
        check(part)
        os.replace(part, target)
        disk.sync_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        raise CannotStart(f"The copy {target} could not be made: {error}.") from error
    finally:
        part.unlink(missing_ok=True)


def check(database: Path) -> None:
    """Raise CannotStart if the file is damaged, or is not one of this program's databases."""
    try:
        with contextlib.closing(sqlite3.connect(database)) as connection:
            sound = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            loose = connection.execute("PRAGMA foreign_key_check").fetchall()
            ours = connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('alembic_version', 'rounds')"
            ).fetchone()[0]
    except sqlite3.Error as error:
        raise CannotStart(f"{database} is not a database: {error}.") from error
    if not sound or loose or ours != 2:
        raise CannotStart(f"{database} is not a sound database of Fish School.")


def restore(source: Path, database: Path, mend: Callable[[Path], None]) -> None:
    """Replace the database with a backup; the old database is kept in copies/. First, `mend`
    removes data that must not come back. The server must not be running (`only_one`)."""
    check(source)
    fresh = database.with_name(database.name + ".restored")
    try:
        _forget_file(fresh)
        backup(source, fresh)
        _count_on(_keep_current(database), fresh)
        mend(fresh)
        _forget_file(database)
        os.replace(fresh, database)
        disk.sync_folder(database.parent)
    finally:
        _forget_file(fresh)


def _forget_file(database: Path) -> None:
    for suffix in ("", *SIDE_FILES):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def _keep_current(database: Path) -> Path | None:
    """Keep a checked copy of the database or, if it is broken, its files as they are; returns the
    path, if any. SQLite opens only a copy of the files, because opening them changes the log."""
    if not database.is_file():
        return None
    broken = _place(database.parent, f"{database.name}.broken-{clock.stamp()}")
    for suffix in ("", SIDE_FILES[0]):
        file = database.with_name(database.name + suffix)
        if file.exists():
            shutil.copyfile(file, broken.with_name(broken.name + suffix))
    try:
        with _reading(broken) as source:
            sound = _copy_aside(source, database, "before-restore", BEFORE_RESTORE)
    except (CannotStart, sqlite3.Error):
        return broken
    _forget_file(broken)
    return sound


@contextlib.contextmanager
def _reading(copy: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a database and its log without changing them."""
    address = copy.absolute().as_uri() + "?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            yield connection
    finally:
        copy.with_name(copy.name + SIDE_FILES[1]).unlink(missing_ok=True)


def _count_on(was: Path | None, fresh: Path) -> None:
    """Make sure that no row number used since the backup is used again. A child's pictures are
    derived from the row number, and the sign-in card may already be printed."""
    given: dict[str, int] | None = None
    if was is not None:
        with contextlib.suppress(sqlite3.Error), _reading(was) as old:
            given = dict(old.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as new:
        last = dict(new.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        for (table,) in new.execute(_NUMBERED).fetchall():
            number = last.get(table, 0)
            number = number + UNKNOWN if given is None else max(number, given.get(table, 0))
            new.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))


_NUMBERED: Final = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINC%'"
