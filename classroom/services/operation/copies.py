"""Copies the database: before an upgrade, as a backup, or to save the data of lost files; and
restores a copy, without what has ended since."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import delete, select

from classroom.condition import SIDE_FILES
from classroom.database import db, empty_log, write_unit
from classroom.models import (
    Adult,
    Child,
    ChildNote,
    ClassTeacher,
    DoorKnock,
    FamilyCode,
    FamilyLink,
    Invitation,
    PasswordReset,
    Restriction,
    SchoolClass,
    SecondFactor,
    Session,
    VoicePack,
)
from classroom.services.access import passwords, sessions
from classroom.services.base import audit, clock, disk, secrets_, tombstones
from classroom.services.base.errors import CannotStart
from classroom.services.base.rows import is_there
from classroom.services.school import child_moves, objections, removals

COPY_SECONDS: Final = 35 * clock.SECONDS_A_DAY
KEPT: Final = 2  # how many of the newest copies are kept, whatever their age
UNKNOWN: Final = 1_000  # row numbers to skip if it is not known which have been used
FOLDER: Final = "copies"
RESCUED: Final = "rescued"  # the name of a copy saved from lost files begins with this

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
    """Make a checked copy of what an open connection can still read, though its file is gone."""
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


def forget_old_copies(folder: Path, seconds: float = COPY_SECONDS) -> None:
    """Delete copies older than `seconds`, because they may hold data deleted from the school since.
    The newest two stay, whatever their age."""
    folder = folder / FOLDER
    kept = _newest_first(folder.glob("*.db"))[:KEPT]
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
    """Copy a database, even one in use, with SQLite's backup. Only a sound copy becomes `target`.

    Raises CannotStart, which says why in one sentence, if the copy cannot be made or is damaged.
    """
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
    """Raise CannotStart for a file that is damaged, or not a database of this program."""
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


def restore(source: Path, database: Path, mend: Callable[[Path], None], keep: int = 10) -> None:
    """Replace the database with a backup; the old database is kept in copies/.

    `mend` is called with the new file before it takes its place, to remove what must not come back.
    The server must not be running (`only_one`).
    """
    check(source)
    fresh = database.with_name(database.name + ".restored")
    try:
        _forget_file(fresh)
        backup(source, fresh)
        _count_on(_keep_current(database, keep), fresh)
        mend(fresh)
        _forget_file(database)
        os.replace(fresh, database)
        disk.sync_folder(database.parent)
    finally:
        _forget_file(fresh)


def _forget_file(database: Path) -> None:
    for suffix in ("", *SIDE_FILES):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def _keep_current(database: Path, keep: int) -> Path | None:
    """Keep a checked copy of the database or, if it is broken, its files as they are; returns the
    path, or None if there is no database. SQLite opens only a copy, since opening a file changes
    its log."""
    if not database.is_file():
        return None
    broken = _place(database.parent, f"{database.name}.broken-{clock.stamp()}")
    for suffix in ("", SIDE_FILES[0]):
        file = database.with_name(database.name + suffix)
        if file.exists():
            shutil.copyfile(file, broken.with_name(broken.name + suffix))
    try:
        with _reading(broken) as source:
            sound = _copy_aside(source, database, "before-restore", keep)
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
    """Make sure that no row number used since the backup is used again: a child's pictures follow
    from its number, and its card may already be printed."""
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


# ---- what was removed or ended after a backup must not come back with it
#
# Tombstones say what has ended. Each names a row by its number and by a time or hash that it had,
# so that another row that has the same number by now is left alone.

Made = TypeVar(
    "Made", Adult, Child, ChildNote, FamilyLink, Invitation, SchoolClass, SecondFactor, VoicePack
)


def mend_restored() -> list[str]:
    """Delete the backup's sessions, knocks and unused codes, and end what the tombstones list.

    Returns the logins that need a new password, for the operator.
    """
    with write_unit():
        db.session.execute(delete(Session))
        db.session.execute(delete(DoorKnock))
        for codes in (FamilyCode, PasswordReset):
            db.session.execute(delete(codes).where(codes.used_at.is_(None)))
        db.session.execute(delete(Invitation).where(Invitation.used_at.is_(None)))
    logins = without_password(replay_tombstones())
    empty_log()
    return logins


def without_password(changed: list[tuple[str, int]]) -> list[str]:
    """The logins whose passwords `replay_tombstones` has made invalid; `changed`: the lines that it
    returned."""
    numbers = [number for kind, number in changed if kind == "password"]
    found = db.session.scalars(select(Adult.login).where(Adult.id.in_(numbers))).all()
    db.session.rollback()
    return list(found)


def replay_tombstones() -> list[tuple[str, int]]:
    """End again what the tombstones list; returns the lines that had an effect.

    It is called at each start too: a file may have been put in place without `restore`.
    """
    folder = disk.folder_of(db.engine)
    with write_unit():
        found = tombstones.lines(folder) if folder else ()
        changed = [line for line in found if _ENDS[line[0]](int(line[1]), *line[2:])]
    if changed:
        empty_log()
    return [(line[0], int(line[1])) for line in changed]


def _made_at(model: type[Made], key: int | tuple[int, int], made: str) -> Made | None:
    """The row with this key, if it was made at that time."""
    row = db.session.get(model, key)
    return row if row is not None and repr(row.created_at) == made else None


def _child(child_id: int, made: str) -> bool:
    row = _made_at(Child, child_id, made)
    if row is None:
        return False
    removals.take_out(child_id)
    audit.record(None, "remove", "child", child_id)
    return True


def _deletes(model: type[Made], action: str, thing: str, whose: str) -> Callable[[int, str], bool]:
    """Returns a function that deletes a row of this model. `whose`: the column with the id of the
    `thing`, for the audit log."""

    def end(row_id: int, made: str) -> bool:
        row = _made_at(model, row_id, made)
        if row is None:
            return False
        db.session.delete(row)
        audit.record(None, action, thing, getattr(row, whose))
        return True

    return end


def _class(class_id: int, made: str) -> bool:
    row = _made_at(SchoolClass, class_id, made)
    if row is None:
        return False
    children = select(Child.id).where(Child.class_id == class_id)
    if is_there(children):
        return False  # the backup has children who were moved away later: they stay
    removals.take_out_class(class_id)
    audit.record(None, "remove", "class", class_id)
    return True


def _merged(child_id: int, made: str, into_id: str, into_made: str) -> bool:
    row, into = _made_at(Child, child_id, made), _made_at(Child, int(into_id), into_made)
    if row is None or into is None:
        return False
    child_moves.take_over(into, row)
    audit.record(None, "merge", "child", child_id)
    return True


def _restricted(child_id: int, made: str, whose: str, reason: str, since: str) -> bool:
    row = db.session.get(Child, child_id)
    if row is None or repr(row.created_at) != made:
        return False
    folder = disk.folder_of(db.engine)
    ended = ("released", str(child_id), made, whose, since)
    if db.session.get(Restriction, (child_id, whose)) is not None:
        return False
    if folder is not None and ended in tombstones.lines(folder):
        return False
    found = {"child_id": child_id, "whose": whose, "reason": reason, "since": float(since)}
    db.session.add(Restriction(**found))
    audit.record(None, "restrict", "child", child_id)
    return True


def _released(child_id: int, made: str, whose: str, since: str) -> bool:
    row, child = db.session.get(Restriction, (child_id, whose)), db.session.get(Child, child_id)
    if row is None or child is None or repr(child.created_at) != made or repr(row.since) != since:
        return False
    db.session.delete(row)
    audit.record(None, "release", "child", child_id)
    return True


def _erased(child_id: int, made: str, until: str) -> bool:
    row = db.session.get(Child, child_id)
    if row is None or repr(row.created_at) != made or not objections.forget(child_id, float(until)):
        return False
    audit.record(None, "erase", "child", child_id)
    return True


def _pictures(child_id: int, made: str, version: str) -> bool:
    row = _made_at(Child, child_id, made)
    if row is None or row.pictures_version >= int(version):
        return False
    row.pictures_version = int(version)
    audit.record(None, "pictures", "child", child_id)
    return True


def _password(adult_id: int, fingerprint: str) -> bool:
    row = db.session.get(Adult, adult_id)
    if row is None or tombstones.fingerprint(row.password_hash) != fingerprint:
        return False
    row.password_hash = passwords.hash_of(secrets_.token())  # a password that no one knows
    sessions.end_for_adult(adult_id)
    audit.record(None, "password", "adult", adult_id)
    return True


def _link(adult_id: int, made: str, child_id: str) -> bool:
    row = _made_at(FamilyLink, (adult_id, int(child_id)), made)
    if row is None:
        return False
    db.session.delete(row)
    sessions.end_for_adult(adult_id)
    audit.record(None, "unlink", "child", int(child_id))
    return True


def _code(row: FamilyCode | PasswordReset | None, fingerprint: str) -> bool:
    """Delete the code, if it is one that still works in the backup."""
    if row is None or row.used_at is not None or row.ends_at <= clock.now():
        return False
    if tombstones.fingerprint(row.code_hash) != fingerprint:
        return False
    db.session.delete(row)
    return True


def _invitation(invitation_id: int, made: str) -> bool:
    row = _made_at(Invitation, invitation_id, made)
    if row is None or row.used_at is not None:
        return False
    db.session.delete(row)
    return True


def _role(adult_id: int, since: str) -> bool:
    row = db.session.get(Adult, adult_id)
    if row is None or row.role != "admin" or repr(row.role_since) != since:
        return False
    row.role = "teacher"
    audit.record(None, "make_teacher", "adult", adult_id)
    return True


def _left(class_id: int, adult_id: str, since: str) -> bool:
    row = db.session.get(ClassTeacher, (class_id, int(adult_id)))
    if row is None or repr(row.since) != since:
        return False
    db.session.delete(row)
    audit.record(None, "leave", "class", class_id)
    return True


_ENDS: Final[dict[str, Callable[..., bool]]] = {
    "setup": lambda *_: False,
    "child": _child,
    "note": _deletes(ChildNote, "delete_note", "child", "child_id"),
    "adult": _deletes(Adult, "remove", "adult", "id"),
    "factor": _deletes(SecondFactor, "second_factor", "adult", "adult_id"),
    "voice": _deletes(VoicePack, "voice_withdrawn", "adult", "adult_id"),
    "class": _class,
    "merged": _merged,
    "restricted": _restricted,
    "released": _released,
    "erased": _erased,
    "pictures": _pictures,
    "password": _password,
    "link": _link,
    "code": lambda code_id, *facts: _code(db.session.get(FamilyCode, code_id), *facts),
    "reset": lambda code_id, *facts: _code(db.session.get(PasswordReset, code_id), *facts),
    "invitation": _invitation,
    "role": _role,
    "left": _left,
}
