"""Deletes expired data once a day, a little at a time, but not while the clock may be wrong.

The background thread does this between its looks at the tables: at most a second of it at each
look, so that computer players go on even on the day when all classes of a year are deleted.

A clock that is a year ahead makes everything look old. So nothing is deleted for its age if the
clock is more than a weekend ahead of the newest activity in the school, unless the clock has run
steadily in this process since it was last trusted.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Final

from sqlalchemy import func, select

from classroom.database import db
from classroom.models import AuditEntry, Move, Session
from classroom.services.access import sessions
from classroom.services.base import clock, disk, keeping, skipped
from classroom.services.base.skipped import guard
from classroom.services.operation import copies, endings

DOUBTFUL: Final = 2 * clock.SECONDS_A_DAY
AGAIN: Final = 3600.0  # seconds before a failed attempt is repeated
A_LOOK: Final = 1.0  # seconds of work at each look

_log = logging.getLogger(__name__)


class Tidying:
    """Deletes expired data from the first call on, and then once a day."""

    def __init__(self) -> None:
        self._next_at = 0.0
        self._rest: Iterator[None] | None = None  # of a day's work that is not finished
        self._offset: float | None = None  # clock minus monotonic time, when it was last trusted

    def when_due(self) -> None:
        """Go on with a day's work if it is due. If something was skipped, it begins again an hour
        later."""
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
        wait = AGAIN if skipped.count() else clock.SECONDS_A_DAY
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
    """Delete expired rows and copies, as the privacy register promises; yields after each piece of
    the work."""
    with guard("delete expired rows"):
        sessions.sweep()
    yield
    with guard("end what is due"):
        yield from endings.end_what_is_due()
    folder = disk.folder_of(db.engine)
    if folder is not None:
        with guard("delete old copies"):
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
