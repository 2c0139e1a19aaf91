"""The lesson as a whole: pausing it ("eyes on me"), resuming it, ending it once open asks are
finished; and the times that a teacher sets: how long a child may be silent, and how long it may
play."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, delete, select

from classroom.database import db, run, write_unit
from classroom.models import ClassSettings, Gathering, SchoolClass
from classroom.services.base import audit, class_settings, clock, notices, versions
from classroom.services.base.errors import NotFound, Refused
from classroom.services.table.stand_ins import NUDGE_AFTER, STAND_IN_AFTER

SILENCE = (10, 600)  # the fewest and the most seconds of silence that a teacher can set
MINUTES = (5, 240)

_settings = ClassSettings.__table__.c
_TIMES = select(_settings.nudge_after, _settings.stand_in_after, _settings.minutes_a_day).where(
    _settings.class_id == bindparam("class")
)


@dataclass(frozen=True, slots=True)
class Times:
    """The times set for a class: seconds until a child is reminded of its turn and until a computer
    friend plays for it, and the minutes a day that each child may play (None: no limit)."""

    nudge_after: int = NUDGE_AFTER
    stand_in_after: int = STAND_IN_AFTER
    minutes_a_day: int | None = None


def times(class_id: int) -> Times:
    """The times that the teacher has set, or the defaults."""
    row = run(_TIMES, {"class": class_id}).first()
    return Times() if row is None else Times(*row)


def set_times(class_id: int, chosen: Times, by: int, version: str = "") -> None:
    """Set the times, which apply at once. Raises Refused("times") for values out of range, and
    Changed."""
    low, high = SILENCE
    least, most = MINUTES
    sensible = low <= chosen.nudge_after <= chosen.stand_in_after <= high
    if not sensible or not least <= (chosen.minutes_a_day or least) <= most:
        raise Refused("times")
    with write_unit():
        row = class_settings.changed_by(by, class_id)
        versions.check(version, times(class_id))
        row.nudge_after, row.stand_in_after = chosen.nudge_after, chosen.stand_in_after
        row.minutes_a_day = chosen.minutes_a_day
        notices.changed(class_id)
        audit.record(by, "change", "class", class_id)
    notices.tables(class_id)


def pause(class_id: int, by: int | None = None) -> None:
    """Pause the lesson ("eyes on me"): no child can move, and nothing is lost."""
    _set(class_id, "pause", by, paused_at=clock.now())


def go_on(class_id: int, by: int | None = None) -> None:
    """Resume the lesson: all tables go on where they were. A lesson that was ending stays open."""
    _set(class_id, "go_on", by, paused_at=None, ending_at=None, resumed_at=clock.now())


def end(class_id: int, by: int | None = None) -> None:
    """End the lesson as soon as open asks are finished; all rounds are kept."""
    _set(class_id, "end", by, paused_at=None, ending_at=clock.now())


def _set(class_id: int, action: str, by: int | None, **values: float | None) -> None:
    with write_unit():
        row = db.session.get(SchoolClass, class_id)
        if row is None:
            raise NotFound("class")
        for name, value in values.items():
            setattr(row, name, value)
        row.changes += 1
        audit.record(by, action, "class", class_id)
    notices.tables(class_id)


# ---- within a write unit


def begin(room: SchoolClass) -> None:
    """Begin a lesson: delete the last one's tables, and count every child's silence from now."""
    room.paused_at = room.ending_at = None
    room.resumed_at = clock.now()
    room.changes += 1
    put_away(room.id)


def put_away(class_id: int) -> None:
    """Delete all tables of the class. Rounds in progress are kept as they are."""
    db.session.execute(delete(Gathering).where(Gathering.class_id == class_id))
