"""What is past its time goes by itself, once a day; but not while the clock may be wrong.

A clock that is a year ahead makes everything look old. So nothing goes by its age where the clock
is further past the newest thing in the school than a weekend, unless this very process has seen the
time pass.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from sqlalchemy import func, select

from classroom.database import db
from classroom.models import AuditEntry, Move, Session
from classroom.services.access import sessions
from classroom.services.base import clock, disk
from classroom.services.operation import copies

DOUBTFUL: Final = 2 * clock.SECONDS_A_DAY
AGAIN: Final = 3600.0  # seconds until what failed is tried again

_log = logging.getLogger(__name__)


class Tidying:
    """Forgets what is past its time, at its first call and then once a day."""

    def __init__(self) -> None:
        self._next_at = 0.0
        self._ahead: float | None = None  # of the time that passes here, when it was last trusted

    def when_due(self) -> None:
        if time.monotonic() < self._next_at:
            return
        self._next_at = time.monotonic() + AGAIN
        if self._trusted():
            tidy()
        self._next_at = time.monotonic() + clock.SECONDS_A_DAY

    def _trusted(self) -> bool:
        ahead, newest = clock.now() - time.monotonic(), newest_sign()
        seen = self._ahead is not None and abs(ahead - self._ahead) < DOUBTFUL
        if newest is None:
            return False
        if not seen and clock.now() > newest + DOUBTFUL:
            _log.warning(_AHEAD, (clock.now() - newest) / clock.SECONDS_A_DAY)
            return False
        self._ahead = ahead
        return True


_AHEAD: Final = (
    "The clock is %.0f days ahead of the newest thing in the school, so nothing is deleted by its "
    "age today: if the clock is right, this passes once the school is used."
)


def tidy() -> None:
    """Forget what is past its time: the times are those of the privacy register."""
    sessions.sweep()
    folder = disk.folder_of(db.engine)
    if folder is not None:
        copies.forget_old_copies(folder)


def newest_sign() -> float | None:
    """When somebody last did something in this school; None: never."""
    last = (
        select(Move.at).order_by(Move.id.desc()).limit(1),
        select(AuditEntry.at).order_by(AuditEntry.id.desc()).limit(1),
        select(func.max(Session.seen_at)),
    )
    found = [at for at in map(db.session.scalar, last) if at is not None]
    db.session.rollback()
    return max(found, default=None)
