"""A school restored from a backup: what was removed or ended after the backup must not come back.

Tombstones say what has ended. Each names a row by its number and by the time it was made or the
hash it had, so that another row that has the same number by now is left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import delete, select

from classroom.database import db, empty_log, write_unit
from classroom.models import Adult, Child, DoorKnock, FamilyCode, SecondFactor, Session
from classroom.services.access import passwords, sessions
from classroom.services.base import audit, disk, secrets_, tombstones
from classroom.services.school import removals


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


def _factor(factor_id: int, made: str) -> bool:
    row = db.session.get(SecondFactor, factor_id)
    if row is None or repr(row.created_at) != made:
        return False
    db.session.delete(row)
    audit.record(None, "second_factor", "adult", row.adult_id)
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
    "factor": _factor,
    "pictures": _pictures,
    "password": _password,
}
