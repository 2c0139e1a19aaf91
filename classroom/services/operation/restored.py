"""A school restored from a backup: what was removed or ended after the backup must not come back.

Tombstones say what has ended. Each names a row by its number and by the time it was made or the
hash it had, so that another row that has the same number by now is left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import delete, select

from classroom.database import db, empty_log, write_unit
from classroom.models import Adult, Child, DoorKnock, FamilyCode, SchoolClass, Session
from classroom.services.access import passwords, sessions
from classroom.services.base import audit, disk, secrets_, tombstones
from classroom.services.school import merges, removals


def mend() -> list[str]:
    """Delete the backup's sessions, knocks and unused codes, and end what the tombstones list.

    Returns the logins that need a new password, for the operator.
    """
    with write_unit():
        db.session.execute(delete(Session))
        db.session.execute(delete(DoorKnock))
        db.session.execute(delete(FamilyCode).where(FamilyCode.used_at.is_(None)))
    logins = without_password(replay())
    empty_log()
    return logins


def without_password(changed: list[tuple[str, int]]) -> list[str]:
    """The logins whose passwords `replay` has made invalid, given the lines that it returned."""
    numbers = [number for kind, number in changed if kind == "password"]
    found = db.session.scalars(select(Adult.login).where(Adult.id.in_(numbers))).all()
    db.session.rollback()
    return list(found)


def replay() -> list[tuple[str, int]]:
    """End again what the tombstones list; returns the lines that had an effect.

    Called at each start too: a file may have been put in place without `restore`.
    """
    folder = disk.folder_of(db.engine)
    with write_unit():
        found = tombstones.lines(folder) if folder else ()
        changed = [line for line in found if _ENDS[line[0]](int(line[1]), *line[2:])]
    if changed:
        empty_log()
    return [(line[0], int(line[1])) for line in changed]


def _child(child_id: int, made: str) -> bool:
    row = db.session.get(Child, child_id)
    if row is None or repr(row.created_at) != made:
        return False
    removals.take_out(child_id)
    audit.record(None, "remove", "child", child_id)
    return True


def _adult(adult_id: int, made: str) -> bool:
    row = db.session.get(Adult, adult_id)
    if row is None or repr(row.created_at) != made:
        return False
    db.session.delete(row)
    audit.record(None, "remove", "adult", adult_id)
    return True


def _class(class_id: int, made: str) -> bool:
    row = db.session.get(SchoolClass, class_id)
    if row is None or repr(row.created_at) != made:
        return False
    children = select(Child.id).where(Child.class_id == class_id)
    if db.session.scalar(children.limit(1)) is not None:
        return False  # it was restored with children who were moved away since: they stay
    removals.take_out_class(class_id)
    audit.record(None, "remove", "class", class_id)
    return True


def _merged(child_id: int, made: str, into_id: str, into_made: str) -> bool:
    row, into = db.session.get(Child, child_id), db.session.get(Child, int(into_id))
    if row is None or repr(row.created_at) != made:
        return False
    if into is None or repr(into.created_at) != into_made:
        return False
    merges.take_over(into, row)
    audit.record(None, "merge", "child", child_id)
    return True


def _pictures(child_id: int, made: str, version: str) -> bool:
    row = db.session.get(Child, child_id)
    if row is None or repr(row.created_at) != made or row.pictures_version >= int(version):
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


_ENDS: Final[dict[str, Callable[..., bool]]] = {
    "child": _child,
    "adult": _adult,
    "class": _class,
    "merged": _merged,
    "pictures": _pictures,
    "password": _password,
}
