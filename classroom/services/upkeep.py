"""The database file: where it may lie, bringing it up to date, copies, backup and restore."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.engine import Engine

from classroom.services import clock

COPY_SECONDS: Final = 35 * clock.SECONDS_A_DAY
MIGRATIONS: Final = Path(__file__).resolve().parent.parent / "migrations"
# SQLite's write-ahead log needs memory that all its users share: no drive of another machine.
NETWORK: Final = (
    "nfs nfs4 cifs smb2 smb3 smbfs afs afpfs webdav davfs fuse.davfs fuse.davfs2 ncpfs "
    "fuse.sshfs fuse.rclone glusterfs fuse.glusterfs ceph fuse.ceph lustre"
).split()


class CannotStart(Exception):
    """One sentence that says what is wrong and what to do."""


# ---- the folder


def make_ready(folder: Path) -> None:
    """Make the folder if it is missing. Raises CannotStart where it may not be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        trial = folder / f".trial-{os.getpid()}"
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        raise CannotStart(
            f"The folder {folder} cannot be written ({error.strerror}): give this user the right "
            "to write there, or choose another folder in FISH_INSTANCE."
        ) from error
    kind = filesystem(folder)
    if kind in NETWORK:
        raise CannotStart(
            f"The folder {folder} lies on a network drive ({kind}), where the database is not "
            "safe: choose a folder on this machine's own disk in FISH_INSTANCE."
        )


def filesystem(folder: Path) -> str:
    """The kind of file system a folder lies on, "" where nobody can tell."""
    folder = folder.resolve()
    if sys.platform == "win32":
        return "cifs" if str(folder).startswith("\\\\") or _is_remote(folder) else ""
    with contextlib.suppress(OSError):
        return _kind_of(folder, Path("/proc/mounts").read_text(encoding="utf-8", errors="replace"))
    return ""


def _kind_of(folder: Path, mounts: str) -> str:
    best, kind = -1, ""
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " "))
        if folder.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), fields[2]
    return kind


def _is_remote(folder: Path) -> bool:
    import ctypes  # only there on Windows has it what is asked here

    return bool(ctypes.windll.kernel32.GetDriveTypeW(folder.anchor) == 4)  # type: ignore[attr-defined,unused-ignore]


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder for one server: two would not hear of each other's moves."""
    file = (folder / "serving").open("a+b")
    try:
        _lock(file)
    except OSError as error:
        file.close()
        raise CannotStart(
            f"Another server already uses {folder}: stop it first, or choose another folder in "
            "FISH_INSTANCE."
        ) from error
    try:
        yield
    finally:
        file.close()


def _lock(file: Any) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


# ---- the schema


def upgrade(engine: Engine, keep: int = 10) -> bool:
    """Bring the tables up to date, after a copy of the file; whether there was anything to do.

    All steps are one transaction: a process that dies in the middle leaves the old state.
    Raises CannotStart for a database that a newer version of the program has made.
    """
    script = ScriptDirectory.from_config(_alembic())
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    if found == script.get_current_head():
        return False
    _known(script, found)
    if found is not None and engine.dialect.name == "sqlite":
        copy_aside(Path(str(engine.url.database)), found, keep)
    with engine.connect().execution_options(sqlite_begin="IMMEDIATE") as connection:
        config = _alembic()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()
    return True


def is_current(database: Path) -> bool:
    """Whether a SQLite file has the tables of this very version."""
    head = ScriptDirectory.from_config(_alembic()).get_current_head()
    try:
        with contextlib.closing(sqlite3.connect(database)) as connection:
            rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    except sqlite3.Error:
        return False
    return rows == [(head,)]


def _known(script: ScriptDirectory, revision: str | None) -> None:
    if revision is None:
        return
    try:
        script.get_revision(revision)
    except CommandError as error:
        raise CannotStart(
            "The database was made by a newer version of Fish School: install that version, or "
            "restore a backup made by this one."
        ) from error


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


# ---- copies


def copy_aside(database: Path, label: str, keep: int) -> Path:
    """A sound copy beside the file, in copies/; only the newest `keep` stay."""
    folder = database.parent / "copies"
    folder.mkdir(exist_ok=True, mode=0o700)
    stamp = datetime.fromtimestamp(clock.now(), tz=UTC).strftime("%Y%m%d-%H%M%S-%f")
    target = folder / f"{database.stem}-{stamp}-{label}.db"
    backup(database, target)
    for old in sorted(folder.glob(f"{database.stem}-*.db"))[: -max(keep, 1)]:
        old.unlink()
    return target


def forget_old_copies(folder: Path) -> None:
    """No copy is kept longer than 35 days: what was deleted from the school goes from them too."""
    for old in (folder / "copies").glob("*.db*"):
        if old.stat().st_mtime < clock.now() - COPY_SECONDS:
            old.unlink(missing_ok=True)


def backup(database: Path, target: Path) -> None:
    """Copy a database, also one in use, by SQLite's own way; the copy is checked before it counts.

    Raises CannotStart with one sentence when it cannot be made or is not sound.
    """
    if not database.is_file():
        raise CannotStart(f"There is no database at {database} yet.")
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        private(part)
        with (
            contextlib.closing(sqlite3.connect(database)) as source,
            contextlib.closing(sqlite3.connect(part)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE").fetchall()
        check(part)
        os.replace(part, target)
    except (OSError, sqlite3.Error) as error:
        raise CannotStart(f"The copy {target} could not be made: {error}.") from error
    finally:
        part.unlink(missing_ok=True)


def private(path: Path) -> None:
    """Make the file, if it is missing, so that only this user can read it."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def check(database: Path) -> None:
    """Raises CannotStart for a file that is no sound database of this program."""
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


def restore(source: Path, database: Path, keep: int = 10) -> None:
    """Put a backup in the place of the database; what was there is kept in copies/.

    The server must not run (`only_one`).
    """
    check(source)
    if database.is_file():
        _put_aside(database, keep)
    fresh = database.with_name(database.name + ".restored")
    private(fresh)
    shutil.copyfile(source, fresh)
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    os.replace(fresh, database)


def _put_aside(database: Path, keep: int) -> None:
    try:
        copy_aside(database, "before-restore", keep)
    except CannotStart:  # it is broken: keep it as it is
        shutil.copyfile(database, database.parent / "copies" / f"{database.name}.broken")
