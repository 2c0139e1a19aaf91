"""Deletes expired data, archives classes that have ended and ends abandoned rounds, once a day.

The background thread does this between its other work, for about a second at a time, so that
computer players keep playing even on the day when all of a year's classes are deleted.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final

from sqlalchemy import Select, delete, func, select

from classroom.database import db, write_unit
from classroom.models import (
    AuditEntry,
    Child,
    Move,
    School,
    SchoolClass,
    Session,
    YearChange,
    YearMove,
)
from classroom.services.access import sessions
from classroom.services.base import clock, disk, errors, limits
from classroom.services.base.errors import guard
from classroom.services.base.rows import is_there
from classroom.services.operation import copies
from classroom.services.school import child_moves, class_life, removals
from classroom.services.table import rounds

# ---- the daily work in each school
#
# The work is done in small write units. The functions yield to their caller after each child, class
# and batch of rounds, so that no player has to wait for this work. Work that fails is skipped
# (base/errors.py).


def end_what_is_due() -> Iterator[None]:
    """Do the daily work in each school; yields after each piece of work."""
    schools = db.session.scalars(select(School.id).order_by(School.id)).all()
    db.session.rollback()
    for school_id in schools:
        for step in _STEPS:
            with guard(step.__name__, school_id):
                yield from step(school_id)
            yield


def _give_ends(school_id: int) -> Iterator[None]:
    """Give a last day to classes that an earlier version made without a last day."""
    without = class_life.in_use(school_id).where(SchoolClass.ends_day.is_(None))
    if is_there(without.with_only_columns(SchoolClass.id)):
        with write_unit():
            end = class_life.year_end(db.session.get_one(School, school_id).year_end)
            for room in db.session.scalars(without):
                room.ends_day = end
    yield


def _archive_ended(school_id: int) -> Iterator[None]:
    ended = class_life.in_use(school_id).where(SchoolClass.ends_day < clock.day())
    ids = ended.with_only_columns(SchoolClass.id)
    yield from _each("archive a class", ids, class_life.archive)


def _each(what: str, ids: Select[int], work: Callable[[int], object]) -> Iterator[None]:
    """Do this work for each id that the SELECT finds. Just before working on an id, check that the
    SELECT still finds it: a class, for instance, may have been restored in the meantime."""
    column = ids.selected_columns.id
    for one in db.session.scalars(ids.order_by(column)).all():
        with guard(what, one):
            if is_there(ids.where(column == one)):
                work(one)
        yield


def _delete_archived(school_id: int) -> Iterator[None]:
    """Delete classes that have been in the archive long enough, child by child."""
    since = limits.kept_since("keep_archived")
    due = SchoolClass.school_id == school_id, SchoolClass.archived_at < since
    children = select(Child.id).join(SchoolClass, SchoolClass.id == Child.class_id).where(*due)
    yield from _each("delete a child", children, removals.remove_child)
    yield from _each("delete a class", select(SchoolClass.id).where(*due), removals.remove_class)


def _give_up_rounds(school_id: int) -> Iterator[None]:
    return rounds.give_up(school_id, limits.kept_since("keep_moves"))


def _forget_moves(school_id: int) -> Iterator[None]:
    return rounds.forget_moves(school_id, limits.kept_since("keep_moves"))


def _forget_changes(school_id: int) -> Iterator[None]:
    """Delete the records of changes that can no longer be undone (YearChange), and the children who
    were removed or merged by these changes and have not been moved back since."""
    old = YearChange.school_id == school_id, YearChange.at < child_moves.undoable_since()
    removed = (
        select(Child.id)
        .join(YearMove, (YearMove.child_id == Child.id) & (YearMove.to_class == Child.class_id))
        .join(YearChange, YearChange.id == YearMove.change_id)
        .where(*old, YearChange.what.in_(child_moves.DELETED))
    )
    yield from _each("delete a child", removed, child_moves.end_entry)
    if is_there(select(YearChange.id).where(*old)):
        with write_unit():
            db.session.execute(delete(YearChange).where(*old))
    yield


_STEPS: Final = (
    _give_ends,
    _archive_ended,
    _delete_archived,
    _give_up_rounds,
    _forget_moves,
    _forget_changes,
)


# ---- nothing is deleted while the clock may be wrong
#
# A clock that is a year ahead makes everything look old. So nothing is deleted for its age if the
# clock is more than two days (a weekend) ahead of the newest activity in the school. The clock is
# trusted even then if it has run steadily in this process since it was last trusted.

DOUBTFUL: Final = 2 * clock.SECONDS_A_DAY
AGAIN: Final = 3600.0  # seconds until work that failed is tried again
A_LOOK: Final = 1.0  # seconds of work on each call

_log = logging.getLogger(__name__)


class Tidying:
    """Deletes expired data on the first call, then once a day."""

    def __init__(self) -> None:
        self._next_at = 0.0
        self._rest: Iterator[None] | None = None  # the rest of the day's work
        self._offset: float | None = None  # clock minus monotonic time when last trusted

    def when_due(self) -> None:
        """Continue the day's work if it is due; start again after an hour if some work failed."""
        if self._rest is None:
            if time.monotonic() < self._next_at:
                return
            self._next_at = time.monotonic() + AGAIN
            self._rest = tidy() if self._trusted() else iter(())
        rest, self._rest = self._rest, None
        until = time.monotonic() + A_LOOK
        for _ in rest:
            if time.monotonic() >= until:
                self._rest = rest
                return
        wait = AGAIN if errors.count_skipped() else clock.SECONDS_A_DAY
        self._next_at = time.monotonic() + wait

    def _trusted(self) -> bool:
        offset, newest = clock.now() - time.monotonic(), last_activity()
        steady = self._offset is not None and abs(offset - self._offset) < DOUBTFUL
        if newest is None:
            return False
        if not steady and clock.now() > newest + DOUBTFUL:
            _log.warning(_AHEAD, (clock.now() - newest) / clock.SECONDS_A_DAY)
            return False
        self._offset = offset
        return True


_AHEAD: Final = (
    "The clock is %.0f days ahead of the newest thing in the school, so nothing is deleted for its "
    "age today; if the clock is right, this ends as soon as the school is used."
)


def tidy() -> Iterator[None]:
    """Delete expired rows and copies, as the privacy register promises; yields after each piece."""
    with guard("delete expired rows"):
        sessions.sweep()
    yield
    with guard("end what is due"):
        yield from end_what_is_due()
    folder = disk.folder_of(db.engine)
    if folder is not None:
        with guard("delete old copies"):
            days = limits.days_kept()["keep_copies"]
            db.session.rollback()
            copies.forget_old_copies(folder, days * clock.SECONDS_A_DAY)


def last_activity() -> float | None:
    """When anyone last did something in this school; None if nobody has ever done anything."""
    last = (
        select(Move.at).order_by(Move.id.desc()).limit(1),
        select(AuditEntry.at).order_by(AuditEntry.id.desc()).limit(1),
        select(func.max(Session.seen_at)),
    )
    found = [at for at in map(db.session.scalar, last) if at is not None]
    db.session.rollback()
    return max(found, default=None)
