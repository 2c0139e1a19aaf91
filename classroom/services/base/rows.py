"""Looking up a row that must be there, counting rows, and what a teacher has set for a class."""

from __future__ import annotations

from typing import TypeVar

from sqlalchemy import Select, func, select

from classroom.database import Base, db
from classroom.models import ClassSettings, SchoolClass
from classroom.services.base import clock
from classroom.services.base.errors import NotFound

Row = TypeVar("Row", bound=Base)


def existing(model: type[Row], row_id: int) -> Row:
    """The row with this id. Raises NotFound."""
    row = db.session.get(model, row_id)
    if row is None:
        raise NotFound(model.__tablename__)
    return row


def held(model: type[Row], row_id: int) -> Row:
    """The row with this id as it is now, locked against other writers until the commit; within a
    write unit. Raises NotFound."""
    row = db.session.get(model, row_id, with_for_update={"key_share": True})
    if row is None:
        raise NotFound(model.__tablename__)
    return row


def count_rows(found: Select[int]) -> int:
    """How many rows this SELECT finds."""
    return db.session.scalar(select(func.count()).select_from(found.subquery())) or 0


def settings_to_change(adult_id: int | None, class_id: int) -> ClassSettings:
    """The settings of a class, for this adult to change within a write unit; made if the class has
    none yet. The class is locked. Raises NotFound."""
    held(SchoolClass, class_id)
    row = db.session.get(ClassSettings, class_id) or ClassSettings(class_id=class_id)
    row.set_by, row.set_at = adult_id, clock.now()
    db.session.add(row)
    return row
