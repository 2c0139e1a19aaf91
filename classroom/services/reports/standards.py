"""Which standards the pages of a class name for each skill: the Common Core's or England's."""

from __future__ import annotations

from typing import Final, Literal

from classroom.database import db, write_unit
from classroom.models import ClassSettings, School, SchoolClass
from classroom.services.base import audit, class_settings, versions
from classroom.services.base.errors import Refused
from classroom.services.base.rows import existing

System = Literal["common_core", "england"]

SYSTEMS: Final[tuple[System, ...]] = ("common_core", "england")


def of_class(class_id: int) -> System:
    """The standards that this class sees: its own choice, else the school's."""
    room = db.session.get(SchoolClass, class_id)
    return own_choice(class_id) or (_known(room.school.standards) if room else None) or SYSTEMS[0]


def own_choice(class_id: int) -> System | None:
    """The standards chosen for this class; None if it uses the school's."""
    row = db.session.get(ClassSettings, class_id)
    return _known(row.standards) if row else None


def of_school(school_id: int) -> System:
    """The standards of classes that have not chosen. Raises NotFound."""
    return _known(existing(School, school_id).standards) or SYSTEMS[0]


def choose(class_id: int, system: str | None, by: int | None = None, version: str = "") -> None:
    """Set the standards that this class sees; None: use the school's. Raises Refused("standards"),
    NotFound, Changed."""
    if system not in (None, *SYSTEMS):
        raise Refused("standards")
    with write_unit():
        row = class_settings.changed_by(by, class_id)
        versions.check(version, own_choice(class_id))
        row.standards = system
        audit.record(by, "settings", "class", class_id)


def _known(key: str | None) -> System | None:
    return next((one for one in SYSTEMS if one == key), None)
