"""The row that holds what a teacher has set for a class."""

from __future__ import annotations

from classroom.database import db
from classroom.models import ClassSettings, SchoolClass
from classroom.services.base import clock
from classroom.services.base.rows import held


def changed_by(adult_id: int | None, class_id: int) -> ClassSettings:
    """The settings of a class, for this adult to change within a write unit; made if the class has
    none yet. The class is locked. Raises NotFound."""
    held(SchoolClass, class_id)
    row = db.session.get(ClassSettings, class_id) or ClassSettings(class_id=class_id)
    row.set_by, row.set_at = adult_id, clock.now()
    db.session.add(row)
    return row
