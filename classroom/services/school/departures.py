"""A child leaves its class for good: it has left the school, it is removed, or its second entry is
merged into its first.

For UNDO_DAYS this can be undone (undoing.py). Until then the child waits in an archived class, as
those do who leave with a new school year. One who has left stays there until that class is deleted;
one who was removed or merged is deleted after UNDO_DAYS (operation/endings.py).
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import select

from classroom.database import db, hold, write_unit
from classroom.models import Child, ClassTeacher, SchoolClass, YearChange, YearMove
from classroom.privacy import UNDO_DAYS
from classroom.services.base import audit, clock, names, notices, security_log, tombstones
from classroom.services.base.rows import existing
from classroom.services.school import changes, child_moves, class_life, classes, removals
from classroom.services.school.changes import LEFT, MERGED, REMOVED

DELETED: Final = (REMOVED, MERGED)  # those whose children are deleted once they cannot be undone


def leave(child_id: int, by: int | None = None) -> None:
    """Note that the child has left the school. Raises NotNow("class_archived")."""
    _go(child_id, LEFT, by)


def remove(child_id: int, by: int | None = None) -> None:
    """Take the child out of its class, and delete it after UNDO_DAYS. Raises
    NotNow("class_archived")."""
    _go(child_id, REMOVED, by)


def _go(child_id: int, what: str, by: int | None) -> None:
    with write_unit():
        db.session.execute(hold(select(Child.id).where(Child.id == child_id)))
        child = existing(Child, child_id)
        class_id = child.class_id
        class_life.must_be_open_to_change(child.school_class)
        child_moves.leave_class(child)
        put_away(child, what, by)
        classes.show_at_tables(child)
        audit.record(by, "leave" if what == LEFT else "take_out", "child", child_id)
        security_log.note("child_left", child_id=child_id)
    notices.tables(class_id)


def end(child_id: int) -> None:
    """Delete a child who was removed or merged, once this cannot be undone any more. A backup that
    is restored later merges it again."""
    with write_unit():
        child = existing(Child, child_id)
        room, into = child.class_id, _merged_into(child_id)
        if into is not None:
            tombstones.note_merged(child, into=into)
    removals.remove_child(child_id)
    empty = select(Child.id).where(Child.class_id == room).limit(1)
    if class_life.is_archived(room) and db.session.scalar(empty) is None:
        removals.remove_class(room)


def _merged_into(child_id: int) -> Child | None:
    change = db.session.scalar(
        select(YearChange)
        .join(YearMove, YearMove.change_id == YearChange.id)
        .where(YearMove.child_id == child_id, YearChange.what == MERGED)
        .limit(1)
    )
    return db.session.get(Child, change.given["into"]) if change and change.given else None


# ---- within a write unit


def put_away(child: Child, what: str, by: int | None, given: dict[str, Any] | None = None) -> None:
    """Move the child into an archived class, and note how to undo that. `given`: what the child
    gave to another one, for `merges.give_back`."""
    was, before = child.school_class, child.class_id
    room = _room_for(child, was)
    ways = {child.id: (before, room.id)}
    changes.note(was.school_id, what, by, ways, made=[room.id], given=given)
    child.class_id = room.id
    db.session.flush()


def _room_for(child: Child, was: SchoolClass) -> SchoolClass:
    """An archived class for a child who goes: the one in which others of its class wait who went
    lately, if the child's name and face are free there, else a new one."""
    since = clock.now() - UNDO_DAYS * clock.SECONDS_A_DAY
    waiting = (
        select(SchoolClass)
        .join(YearMove, YearMove.to_class == SchoolClass.id)
        .join(YearChange, YearChange.id == YearMove.change_id)
        .where(
            YearMove.from_class == was.id,
            YearChange.what.in_((LEFT, *DELETED)),
            SchoolClass.archived_at >= since,
            SchoolClass.ends_day.is_(None),
        )
        .order_by(SchoolClass.id.desc())
    )
    for room in db.session.scalars(waiting).unique():
        there = db.session.scalars(select(Child).where(Child.class_id == room.id)).all()
        faces = {(mate.animal, mate.pad) for mate in there}
        named = names.is_like_one_of(child.name, (mate.name for mate in there))
        if not named and (child.animal, child.pad) not in faces:
            return room
    teachers = select(ClassTeacher.adult_id).where(ClassTeacher.class_id == was.id)
    room = classes.add_class(was.school_id, was.name, db.session.scalars(teachers).all())
    room.archived_at, room.ends_day = clock.now(), None
    return room
