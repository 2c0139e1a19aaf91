"""The audit log: which adult looked at or changed a child's data.

Rows are only appended, and each is sealed with the one before it.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import select, text

from classroom.database import db
from classroom.models import AuditEntry
from classroom.services.base import clock

START = "0" * 64
_AUDIT_LOCK = 7_346_001  # PostgreSQL: two processes must not seal after the same row


def record(adult_id: int | None, action: str, thing: str, thing_id: int | None) -> None:
    """Append one row. Call it inside the write unit of what is being recorded.

    Ids and fixed words only: never a name, a code or a card. `adult_id` None: the program itself.
    """
    if db.engine.dialect.name == "postgresql":
        db.session.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _AUDIT_LOCK})
    last = db.session.scalar(select(AuditEntry.seal).order_by(AuditEntry.id.desc()).limit(1))
    row = AuditEntry(
        at=clock.now(), adult_id=adult_id, action=action, thing=thing, thing_id=thing_id
    )
    row.seal = _seal(last or START, row)
    db.session.add(row)
    db.session.flush()


def verify() -> int | None:
    """The id of the first row that was edited or that follows a missing row; None if all is well.

    Old rows are deleted after a time, so the oldest row that is left cannot be checked.
    """
    before: str | None = None
    for row in db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)):
        if before is not None and row.seal != _seal(before, row):
            return row.id
        before = row.seal
    return None


def _seal(before: str, row: AuditEntry) -> str:
    parts = (before, repr(row.at), row.adult_id, row.action, row.thing, row.thing_id)
    return hashlib.sha256("|".join(str(part) for part in parts).encode()).hexdigest()
