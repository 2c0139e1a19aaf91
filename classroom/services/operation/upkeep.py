"""Upkeep of the database: the folder, key and lock, the list of removals, and migrations."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path
from typing import Any, Final

from sqlalchemy import inspect, text
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError

from classroom.condition import FULL
from classroom.config import COMMAND, PACKAGE
from classroom.database import UPGRADE, db, locked, wait_for, write_unit
from classroom.models import Installation
from classroom.services.base import disk, secrets_, tombstones
from classroom.services.base.errors import CannotStart
from classroom.services.operation import copies

KEY: Final = "key"
MIGRATIONS: Final = PACKAGE / "migrations"
LOCK_SECONDS: Final = 1  # how long a migration waits for a table that other processes use
TRIES: Final = 30  # how many times a migration tries while other processes use its tables
BETWEEN: Final = 0.5  # seconds between two tries
IN_USE: Final = ("55P03", "40P01")  # PostgreSQL's codes for a lock timeout and a deadlock
REMOTE: Final = 4  # Windows' number for a network drive
# SQLite's write-ahead log needs memory that all processes share, so it fails on a network drive.
NETWORK: Final = (
    "nfs nfs4 cifs smb2 smb3 smbfs afs afpfs webdav davfs fuse.davfs fuse.davfs2 ncpfs "
    "fuse.sshfs fuse.rclone glusterfs fuse.glusterfs ceph fuse.ceph lustre"
).split()


# ---- the folder of the database


def make_ready(folder: Path) -> None:
    """Make the folder if it is missing. Raises CannotStart if it cannot be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        trial = folder / f".trial-{os.getpid()}"
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        if error.errno == ENOSPC:
            raise CannotStart(FULL) from error
        raise CannotStart(
            f"The folder {folder} cannot be written to ({error.strerror}): give this user write "
            "access, or set FISH_INSTANCE to another folder."
        ) from error
    kind = filesystem(folder)
    if kind in NETWORK:
        raise CannotStart(
            f"The folder {folder} is on a network drive ({kind}), where the database is not safe: "
            "set FISH_INSTANCE to a folder on a disk of this machine."
        )


def filesystem(folder: Path) -> str:
    """The kind of file system that a folder is on; "" if unknown."""
    folder = folder.resolve()
    if sys.platform == "win32":
        import ctypes  # windll exists only on Windows

        kind = ctypes.windll.kernel32.GetDriveTypeW(folder.anchor)
        return "cifs" if str(folder).startswith("\\\\") or kind == REMOTE else ""
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


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Lock the folder for one server: two servers would not know of each other's moves."""
    with (folder / "serving").open("a+b") as file:
        try:
            _lock(file)
        except OSError as error:
            raise CannotStart(
                f"Another server already uses {folder}: stop it first, or set FISH_INSTANCE to "
                "another folder."
            ) from error
        yield


def _lock(file: Any) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


# ---- the schema and its migrations


def not_lost(database: Path) -> None:
    """Raise CannotStart if this SQLite file is missing or has no tables, though there was a school
    in this folder: a new database would hide the loss."""
    folder = database.parent
    left = [folder / name for name in (KEY, tombstones.NAME, copies.FOLDER)]
    found = ", ".join(str(path) for path in left if path.exists())
    if not found or (database.exists() and not _has_no_tables(database)):
        return
    saved = sorted((folder / copies.FOLDER).glob(f"{copies.RESCUED}-*.db"))
    copy, what = saved[-1] if saved else "FILE", "is empty" if database.exists() else "is missing"
    raise CannotStart(
        f"The file {database} {what}, though a school was here: restore a copy "
        f"({COMMAND} restore {copy}), or move {found} away to begin a new school."
    )


def _has_no_tables(database: Path) -> bool:
    address = database.absolute().as_uri() + "?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as file:
            return file.execute("SELECT 1 FROM sqlite_master").fetchone() is None
    except sqlite3.Error:
        return False  # the file is not empty, and a later step reports what is wrong with it


def is_empty(engine: Engine) -> bool:
    """Whether the database has no tables yet."""
    return not set(inspect(engine).get_table_names()) - {"alembic_version"}


def has_no_school(engine: Engine) -> bool:
    """Whether the database has no school yet, so that nothing in it depends on the key."""
    with engine.connect() as connection:
        there = inspect(connection).has_table("schools")
        return not there or connection.execute(text("SELECT 1 FROM schools")).first() is None


def missing_table(engine: Engine) -> str:
    """The name of a table that this version needs but the database lacks; "" if none is missing."""
    return min(set(db.metadata.tables) - set(inspect(engine).get_table_names()), default="")


def upgrade(engine: Engine, keep: int = 10) -> bool:
    """Bring the tables up to date, after copying the file; returns whether they were out of date.
    All migrations run in one transaction, so a process that dies midway leaves the old state. The
    school's other processes wait until the upgrade has ended. Raises CannotStart if a newer or an
    unknown version of the program made the database."""
    if _revision(engine) == newest():
        return False
    with locked(engine, UPGRADE):
        found = _revision(engine)
        if found == newest():
            return False
        _check_revision(found)
        if found is None and not is_empty(engine):
            raise CannotStart(
                "The database has tables, but does not say which version of Fish School made them: "
                f"restore a backup ({COMMAND} restore FILE)."
            )
        if found is not None and engine.dialect.name == "sqlite" and keep:
            copies.copy_aside(Path(str(engine.url.database)), found, keep)
        _migrate(engine)
        return True


def _migrate(engine: Engine) -> None:
    """Run the missing migrations. Another process may be using a table, but never for long. While a
    migration waits for a table, all later queries on the table wait too. So the migration gives up
    after a short wait, and tries again."""
    from alembic import command  # slow to import, and most starts do not need it
    from alembic.config import Config

    for tries_left in reversed(range(TRIES)):
        try:
            with engine.connect().execution_options(sqlite_begin="IMMEDIATE") as connection:
                if connection.dialect.name == "postgresql":
                    connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))
                config = Config()
                config.set_main_option("script_location", str(MIGRATIONS))
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
                connection.commit()
                return
        except OperationalError as error:
            if not tries_left or getattr(error.orig, "sqlstate", "") not in IN_USE:
                raise
            time.sleep(BETWEEN)


def is_current(database: Path) -> bool:
    """Whether a SQLite file has the tables of exactly this version."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(database)) as file:
        rows = file.execute("SELECT version_num FROM alembic_version").fetchall()
        return bool(rows == [(newest(),)])
    return False


def newest() -> str:
    """The revision of the newest migration. Each migration's file name begins with its revision."""
    return max(path.name for path in (MIGRATIONS / "versions").glob("*.py")).partition("_")[0]


def _revision(engine: Engine) -> str | None:
    """The revision of a database; None if the database has no revision."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return None if revision is None else str(revision)


def _check_revision(revision: str | None) -> None:
    known = {path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("*.py")}
    if revision is None or revision in known:
        return
    if revision < newest():
        raise CannotStart(
            "This database was made by a version between releases, which no release can bring up "
            f"to date: restore a backup made by a release ({COMMAND} restore FILE), or set "
            "FISH_INSTANCE to another folder to begin a new school."
        )
    raise CannotStart(
        "The database was made by a newer version of Fish School: install that version, or "
        "restore a backup made by this one."
    )


# ---- the files that belong to a database
#
# With the wrong key, a server would refuse every form and show every child the wrong pictures.
# Without the list of removals, it could bring back removed data from a backup. So it needs both.

_KEY, _LIST = 1, 2  # the ids of the two rows of Installation
_OTHER: Final = (
    "The key in {} is not the one that this school was made with: copy the file key from the "
    "school's other server, or from where the backups are kept. Only if it is lost for good: "
    f"{COMMAND} newkey; then every child needs a new sign-in card."
)
_NO_LIST: Final = (
    f"The list {{}} is missing: copy it back from where the backups are kept. Without it, "
    "children, accounts and links to parents that were removed since the backup are there again. "
    f"Only if it is lost for good: {COMMAND} restore --without-list"
)


def check_key() -> None:
    """Raise CannotStart unless this process has the database's key. The first process to call this
    makes its own key the database's key."""
    with write_unit():
        wait_for(db.session.connection(), UPGRADE)
        row, mine = db.session.get(Installation, _KEY), _fingerprint()
        if row is None:
            db.session.add(Installation(id=_KEY, key_print=mine))
        elif row.key_print != mine:
            raise CannotStart(_OTHER.format(disk.folder_of(db.engine)))


def replace_key() -> None:
    """Make the current key the database's key, after the old key was replaced on purpose."""
    with write_unit():
        db.session.merge(Installation(id=_KEY, key_print=_fingerprint()))


def _fingerprint() -> str:
    return secrets_.sign("fingerprint of the key").hex()


def check_list(folder: Path) -> None:
    """Begin the list of removals on the first start. If it is missing later, raise CannotStart or,
    with PostgreSQL, begin it again, because each of a school's machines has its own list."""
    with write_unit():
        wait_for(db.session.connection(), UPGRADE)
        begun = db.session.get(Installation, _LIST) is not None
        if not begun:
            db.session.add(Installation(id=_LIST, key_print=_fingerprint()))
    if begun and db.engine.dialect.name == "sqlite":
        require_list(folder)
    tombstones.begin(folder)


def require_list(folder: Path) -> None:
    """Raise CannotStart if there is no list in this folder."""
    if not tombstones.is_there(folder):
        raise CannotStart(_NO_LIST.format(folder / tombstones.NAME))
