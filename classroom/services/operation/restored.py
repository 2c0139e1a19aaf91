"""Mends a school restored from a backup: rows removed after the backup must not come back.

Tombstones list the rows that were removed or ended. Each tombstone contains a row's number and a
time or hash from the row, so that a newer row with the same number is left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from sqlalchemy import delete, select

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
from classroom.services.base.rows import is_there
from classroom.services.school import child_moves, objections, removals

Made = TypeVar(
    "Made", Adult, Child, ChildNote, FamilyLink, Invitation, SchoolClass, SecondFactor, VoicePack
)


def mend() -> list[str]:
    """Delete the backup's sessions, devices waiting to be let in, and unused codes; then apply the
    tombstones. Returns the logins that need a new password, for the operator."""
    with write_unit():
        db.session.execute(delete(Session))
        db.session.execute(delete(DoorKnock))
        for codes in (FamilyCode, PasswordReset):
            db.session.execute(delete(codes).where(codes.used_at.is_(None)))
        db.session.execute(delete(Invitation).where(Invitation.used_at.is_(None)))
    logins = without_password(replay())
    empty_log()
    return logins


def without_password(changed: list[tuple[str, int]]) -> list[str]:
    """The logins whose passwords `replay` has made invalid. `changed`: the result of `replay`."""
    numbers = [number for kind, number in changed if kind == "password"]
    found = db.session.scalars(select(Adult.login).where(Adult.id.in_(numbers))).all()
    db.session.rollback()
    return list(found)


def replay() -> list[tuple[str, int]]:
    """Apply the tombstones; returns the kind and number of each line that had an effect. This also
    runs on each start, because somebody may have put a file in place without `restore`."""
    folder, changed = disk.folder_of(db.engine), []
    with write_unit():
        for kind, number, *facts in tombstones.lines(folder) if folder else ():
            if _ENDS[kind](int(number), *facts):
                changed.append((kind, int(number)))
    if changed:
        empty_log()
    return changed


# ---- one function for each kind of line: applies the line and returns whether it had an effect


def _made_at(model: type[Made], key: int | tuple[int, int], made: str) -> Made | None:
    """The row with this key if it was made at the time `made`, otherwise None."""
    row = db.session.get(model, key)
    return row if row is not None and repr(row.created_at) == made else None


def _child(child_id: int, made: str) -> bool:
    if _made_at(Child, child_id, made) is None:
        return False
    removals.take_out(child_id)
    audit.record(None, "remove", "child", child_id)
    return True


def _deletes(model: type[Made], action: str, thing: str, whose: str) -> Callable[[int, str], bool]:
    """Return a function that deletes a row of this model. `action`, `thing`: as in the audit log.
    `whose`: the column with the id of the `thing`."""

    def end(row_id: int, made: str) -> bool:
        row = _made_at(model, row_id, made)
        if row is None:
            return False
        db.session.delete(row)
        audit.record(None, action, thing, getattr(row, whose))
        return True

    return end


def _class(class_id: int, made: str) -> bool:
    children = select(Child.id).where(Child.class_id == class_id)
    if _made_at(SchoolClass, class_id, made) is None or is_there(children):
        return False  # children who are still in this class in the backup must not be lost
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
    if _made_at(Child, child_id, made) is None or db.session.get(Restriction, (child_id, whose)):
        return False
    folder = disk.folder_of(db.engine)
    if folder and ("released", str(child_id), made, whose, since) in tombstones.lines(folder):
        return False
    found = {"child_id": child_id, "whose": whose, "reason": reason, "since": float(since)}
    db.session.add(Restriction(**found))
    audit.record(None, "restrict", "child", child_id)
    return True


def _released(child_id: int, made: str, whose: str, since: str) -> bool:
    row = db.session.get(Restriction, (child_id, whose))
    if row is None or repr(row.since) != since or _made_at(Child, child_id, made) is None:
        return False
    db.session.delete(row)
    audit.record(None, "release", "child", child_id)
    return True


def _erased(child_id: int, made: str, until: str) -> bool:
    row = _made_at(Child, child_id, made)
    if row is None or not objections.forget(child_id, float(until)):
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
    sessions.end_all(adult_id=adult_id)
    audit.record(None, "password", "adult", adult_id)
    return True


def _link(adult_id: int, made: str, child_id: str) -> bool:
    row = _made_at(FamilyLink, (adult_id, int(child_id)), made)
    if row is None:
        return False
    db.session.delete(row)
    sessions.end_all(adult_id=adult_id)
    audit.record(None, "unlink", "child", int(child_id))
    return True


def _code(row: FamilyCode | PasswordReset | None, fingerprint: str) -> bool:
    """Delete the code if it still works in the backup."""
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
