"""The audit log: which adult looked at or changed a child's data."""

from __future__ import annotations

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from classroom.database import db


class AuditEntry(db.Model):  # type: ignore[name-defined,misc]
    """One line of the log, with ids only: no names, codes or cards.

    No foreign keys, because the log outlives the rows it is about. Rows are never changed, only
    appended and, when old, deleted. `seal` signs the previous seal and this row with the
    installation's key.
    """

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_thing", "thing", "thing_id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float]
    adult_id: Mapped[int | None]
    action: Mapped[str] = mapped_column(String(40))
    thing: Mapped[str] = mapped_column(String(20))
    thing_id: Mapped[int | None]
    seal: Mapped[str] = mapped_column(String(64), unique=True)
