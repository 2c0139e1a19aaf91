"""Deletes expired data once a day, but not while the clock may be wrong.

A clock that is a year ahead makes everything look old. So nothing is deleted for its age if the
clock is more than a weekend ahead of the newest activity in the school, unless the clock has run
steadily in this process since it was last trusted.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from sqlalchemy import func, select

from classroom.database import db
from classroom.models import AuditEntry, Move, Session
from classroom.services.access import sessions
from classroom.services.base import clock, disk, keeping
from classroom.services.operation import copies, endings

DOUBTFUL: Final = 2 * clock.SECONDS_A_DAY
AGAIN: Final = 3600.0  # seconds before a failed attempt is repeated

_log = logging.getLogger(__name__)


class Tidying:
    """Deletes expired data at the first call, and then once a day."""

    def __init__(self) -> None:
        self._next_at = 0.0
        self._offset: float | None = None  # clock minus monotonic time, when it was last trusted

    def when_due(self) -> None:
        if time.monotonic() < self._next_at:
            return
        self._next_at = time.monotonic() + AGAIN
        if self._trusted():
            tidy()
        self._next_at = time.monotonic() + clock.SECONDS_A_DAY

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


def tidy() -> None:
    """Delete expired rows and copies, as the privacy register promises."""
    sessions.sweep()
    endings.end_what_is_due()
    folder = disk.folder_of(db.engine)
    if folder is not None:
        kept = keeping.days()["keep_copies"] * clock.SECONDS_A_DAY
        db.session.rollback()
        copies.forget_old_copies(folder, kept)


def last_activity() -> float | None:
    """When anyone last did something in this school; None if never."""
    last = (
        select(Move.at).order_by(Move.id.desc()).limit(1),
        select(AuditEntry.at).order_by(AuditEntry.id.desc()).limit(1),
        select(func.max(Session.seen_at)),
    )
    found = [at for at in map(db.session.scalar, last) if at is not None]
    db.session.rollback()
    return max(found, default=None)
