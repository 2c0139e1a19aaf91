"""Which standards the pages of a class name: the Common Core's or England's, one for each skill."""

from __future__ import annotations

from typing import Final, Literal

from classroom.database import db, write_unit
from classroom.models import ClassSettings, SchoolClass
from classroom.services.base import audit, clock
from classroom.services.base.errors import NotFound, Refused

System = Literal["common_core", "england"]

SYSTEMS: Final[tuple[System, ...]] = ("common_core", "england")


def of_class(class_id: int) -> System:
    """The standards that this class sees: its own choice, else the school's."""
    row = db.session.get(ClassSettings, class_id)
    room = db.session.get(SchoolClass, class_id)
    chosen = (row and row.standards) or (room and room.school.standards)
    return next((one for one in SYSTEMS if one == chosen), SYSTEMS[0])


def choose(class_id: int, system: str, by: int | None = None) -> None:
    """Set the standards that this class sees. Raises Refused("standards"), NotFound."""
    if system not in SYSTEMS:
        raise Refused("standards")
    with write_unit():
        if db.session.get(SchoolClass, class_id) is None:
            raise NotFound("class")
        row = db.session.get(ClassSettings, class_id) or ClassSettings(class_id=class_id)
        row.standards = system
        row.set_by, row.set_at = by, clock.now()
        db.session.add(row)
        audit.record(by, "settings", "class", class_id)
