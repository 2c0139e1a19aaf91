"""Ends, once a day, what is due: archives classes past their last day, deletes archived classes and
old moves, ends abandoned rounds, and forgets changes of school year that can no longer be undone.

Everything happens in small write units, with a pause for the caller after each child, class and
batch of rounds, so that nobody who plays waits for it. What fails is skipped (base/skipped.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import ColumnElement, Select, delete, select

from classroom.database import db, write_unit
from classroom.models import Child, School, SchoolClass, YearChange, YearMove
from classroom.privacy import UNDO_DAYS
from classroom.services.base import clock, keeping
from classroom.services.base.skipped import guard
from classroom.services.school import class_life, departures, removals
from classroom.services.table import old_rounds


def end_what_is_due() -> Iterator[None]:
    """End, in each school, what is due; yields after each piece of the work."""
    schools = db.session.scalars(select(School.id).order_by(School.id)).all()
    db.session.rollback()
    for school_id in schools:
        for step in _STEPS:
            with guard(step.__name__, school_id):
                yield from step(school_id)
            yield


def _give_ends(school_id: int) -> Iterator[None]:
    """Give a last day to classes of an earlier version, which have none."""
    without = _of(school_id).where(SchoolClass.ends_day.is_(None))
    if db.session.scalar(without.limit(1)) is not None:
        with write_unit():
            end = class_life.year_end(db.session.get_one(School, school_id).year_end)
            for room in db.session.scalars(without.with_only_columns(SchoolClass)):
                room.ends_day = end
    yield


def _archive_ended(school_id: int) -> Iterator[None]:
    ended = _of(school_id).where(SchoolClass.ends_day < clock.day())
    for class_id in db.session.scalars(ended.order_by(SchoolClass.id)).all():
        with guard("archive a class", class_id):
            class_life.archive(class_id)
        yield


def _of(school_id: int) -> Select[tuple[int]]:
    """The classes of a school that are not archived."""
    return select(SchoolClass.id).where(
        SchoolClass.school_id == school_id, SchoolClass.archived_at.is_(None)
    )


def _delete_archived(school_id: int) -> Iterator[None]:
    """Delete the classes whose time in the archive is over, child by child. It looks again before
    each, because a class may be restored meanwhile."""
    due = (
        SchoolClass.school_id == school_id,
        SchoolClass.archived_at < keeping.before("keep_archived", school_id),
    )
    children = select(Child.id).join(SchoolClass, SchoolClass.id == Child.class_id).where(*due)
    rooms = select(SchoolClass.id).where(*due)
    for child_id in db.session.scalars(children.order_by(Child.id)).all():
        with guard("delete a child", child_id):
            if db.session.scalar(children.where(Child.id == child_id)) is not None:
                removals.remove_child(child_id)
        yield
    for class_id in db.session.scalars(rooms.order_by(SchoolClass.id)).all():
        with guard("delete a class", class_id):
            if db.session.scalar(rooms.where(SchoolClass.id == class_id)) is not None:
                removals.remove_class(class_id)
        yield


def _give_up_rounds(school_id: int) -> Iterator[None]:
    return old_rounds.give_up(school_id, keeping.before("keep_moves", school_id))


def _forget_moves(school_id: int) -> Iterator[None]:
    return old_rounds.forget_moves(school_id, keeping.before("keep_moves", school_id))


def _forget_changes(school_id: int) -> Iterator[None]:
    before = clock.now() - UNDO_DAYS * clock.SECONDS_A_DAY
    old = YearChange.school_id == school_id, YearChange.at < before
    yield from _delete_removed(*old)
    if db.session.scalar(select(YearChange.id).where(*old).limit(1)) is not None:
        with write_unit():
            db.session.execute(delete(YearChange).where(*old))
    yield


def _delete_removed(*old: ColumnElement[bool]) -> Iterator[None]:
    """Delete those who were removed or merged, and still are where that put them."""
    removed = (
        select(Child.id)
        .join(YearMove, (YearMove.child_id == Child.id) & (YearMove.to_class == Child.class_id))
        .join(YearChange, YearChange.id == YearMove.change_id)
        .where(*old, YearChange.what.in_(departures.DELETED))
    )
    for child_id in db.session.scalars(removed.order_by(Child.id)).all():
        with guard("delete a child", child_id):
            if db.session.scalar(removed.where(Child.id == child_id)) is not None:
                departures.end(child_id)
        yield


_STEPS: Final = (
    _give_ends,
    _archive_ended,
    _delete_archived,
    _give_up_rounds,
    _forget_moves,
    _forget_changes,
)
