"""A teacher's settings for play at home: whether and when the children of a class may play there,
and whether it counts."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from classroom.database import write_unit
from classroom.models import Child, SchoolClass
from classroom.services.base import audit, versions
from classroom.services.base.errors import Refused
from classroom.services.base.rows import existing, held
from classroom.services.table import evidence_log
from classroom.services.table.home import CLOCK_TIMES, WEEKENDS, Hours, hours_of


@dataclass(frozen=True, slots=True)
class HomePlay:
    """What a teacher has set. `counts`: whether what children show at home is part of the class's
    numbers."""

    hours: Hours
    counts: bool


def of_class(class_id: int) -> HomePlay:
    """What the teacher has set. Raises NotFound."""
    room = existing(SchoolClass, class_id)
    return HomePlay(hours_of(room), room.home_counts)


def set_class(by: int | None, class_id: int, chosen: HomePlay, version: str = "") -> None:
    """Set whether and when the children of a class may play at home, and whether that counts.
    Switching play at home off closes open devices at once.

    If `counts` changes, the children's evidence is counted again in the background. Raises
    Refused("hours"), Refused("weekend_hours"), NotFound, Changed.
    """
    hours = chosen.hours
    if not _in_order(hours.first, hours.last):
        raise Refused("hours")
    other = hours.weekend == "other"
    if hours.weekend not in WEEKENDS or (
        other and not _in_order(hours.weekend_first, hours.weekend_last)
    ):
        raise Refused("weekend_hours")
    with write_unit():
        room = held(SchoolClass, class_id)
        versions.check(version, of_class(class_id))
        if room.home_counts != chosen.counts:
            evidence_log.count_later(select(Child.id).where(Child.class_id == class_id))
        room.home_on, room.home_from, room.home_until = hours.on, hours.first, hours.last
        room.home_weekend = hours.weekend
        room.home_weekend_from, room.home_weekend_until = hours.weekend_first, hours.weekend_last
        room.home_counts = chosen.counts
        audit.record(by, "home", "class", class_id)


def _in_order(first: int, last: int) -> bool:
    return {first, last} <= set(CLOCK_TIMES) and first < last
