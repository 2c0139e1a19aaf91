"""Who is signed in where: rows on the server that can be ended at once; the cookie is only random.

An adult's session ends after three idle hours or twelve in all. A class device's and a child's
live as long as the class is open, and a little longer, so that a turn can be finished. What only
reads never writes here: an idle time counts from the last thing that was done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, select, update

from classroom.database import db, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    DoorKnock,
    FamilyCode,
    KnownDevice,
    SchoolClass,
    Session,
    WrongTry,
)
from classroom.services import clock, secrets_

ADULT_IDLE: Final = 3 * 3600.0
ADULT_LONGEST: Final = 12 * 3600.0
CLASS_LONGEST: Final = 12 * 3600.0
CLASS_GRACE: Final = 15 * 60.0
TOUCH_EVERY: Final = 300.0


@dataclass(frozen=True, slots=True)
class Who:
    """Who asks. `kind`: nobody, device, child, teacher, parent or admin."""

    kind: str = "nobody"
    session_id: int | None = None
    adult_id: int | None = None
    role: str | None = None
    child_id: int | None = None
    class_id: int | None = None
    device: str = ""
    school_id: int | None = None
    name: str = ""
    seen_at: float = 0.0


NOBODY: Final = Who()


def find(token: str | None) -> Who:
    """Whose token this is right now; NOBODY for one that is unknown, ended or too old."""
    if not token:
        return NOBODY
    row = db.session.execute(
        select(Session, Adult, SchoolClass.opened_until, SchoolClass.school_id, Child.name)
        .outerjoin(Adult, Session.adult_id == Adult.id)
        .outerjoin(SchoolClass, Session.class_id == SchoolClass.id)
        .outerjoin(Child, Session.child_id == Child.id)
        .where(Session.token_hash == secrets_.hashed(token))
    ).first()
    if row is None:
        return NOBODY
    session, adult, opened_until, school_id, child_name = row
    now = clock.now()
    if now >= session.ends_at:
        return NOBODY
    if adult is not None:
        return _adult(session, adult) if now < session.seen_at + ADULT_IDLE else NOBODY
    if opened_until is None or now >= opened_until + CLASS_GRACE:
        return NOBODY
    return Who(
        kind="child" if session.child_id else "device",
        session_id=session.id,
        child_id=session.child_id,
        class_id=session.class_id,
        device=session.device,
        school_id=school_id,
        name=child_name or "",
        seen_at=session.seen_at,
    )


def _adult(session: Session, adult: Adult) -> Who:
    return Who(
        kind=adult.role,
        session_id=session.id,
        adult_id=adult.id,
        role=adult.role,
        device=session.device,
        school_id=adult.school_id,
        name=adult.name,
        seen_at=session.seen_at,
    )


# ---- within a write unit


def start(
    device: str,
    *,
    adult_id: int | None = None,
    class_id: int | None = None,
    child_id: int | None = None,
) -> str:
    """A new session; returns the token for the cookie. Call it inside a write unit."""
    token = secrets_.token()
    now = clock.now()
    db.session.add(
        Session(
            token_hash=secrets_.hashed(token),
            adult_id=adult_id,
            class_id=class_id,
            child_id=child_id,
            device=device,
            created_at=now,
            seen_at=now,
            ends_at=now + (ADULT_LONGEST if adult_id else CLASS_LONGEST),
        )
    )
    db.session.flush()
    return token


def rotate(session_id: int | None, device: str, **whose: Any) -> str:
    """A new token at every sign-in; the one before it is worth nothing from here on."""
    end(session_id)
    return start(device, **whose)


def end(session_id: int | None) -> None:
    if session_id is not None:
        db.session.execute(delete(Session).where(Session.id == session_id))


def end_for_child(child_id: int) -> None:
    db.session.execute(delete(Session).where(Session.child_id == child_id))


def end_for_class(class_id: int) -> None:
    """Every device of the class, and every child on it."""
    db.session.execute(delete(Session).where(Session.class_id == class_id))


def end_for_adult(adult_id: int) -> None:
    db.session.execute(delete(Session).where(Session.adult_id == adult_id))


# ---- their own write unit


def touch(who: Who) -> None:
    """Something was done in this session just now; written at most every five minutes."""
    if who.session_id is None or clock.now() < who.seen_at + TOUCH_EVERY:
        return
    with write_unit():
        db.session.execute(
            update(Session).where(Session.id == who.session_id).values(seen_at=clock.now())
        )


def sweep() -> None:
    """Forget what has ended: the times are those of the privacy register."""
    now = clock.now()
    idle = Session.adult_id.is_not(None) & (Session.seen_at < now - ADULT_IDLE)
    over = (
        (Session, (Session.ends_at < now) | idle),
        (WrongTry, WrongTry.at < now - 2 * clock.SECONDS_A_DAY),
        (DoorKnock, DoorKnock.knocked_at < now - clock.SECONDS_A_DAY),
        (KnownDevice, KnownDevice.last_at < now - 400 * clock.SECONDS_A_DAY),
        (FamilyCode, FamilyCode.ends_at < now - 30 * clock.SECONDS_A_DAY),
        (AuditEntry, AuditEntry.at < now - 365 * clock.SECONDS_A_DAY),
    )
    with write_unit():
        for table, condition in over:
            db.session.execute(delete(table).where(condition))
