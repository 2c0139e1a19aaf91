"""Checks the seals of the audit log while the server runs: after the start, then once a day.

A hundred thousand rows take a second of processor time, too long to spend before the start or in
one go, so the background thread checks a few thousand whenever it looks after the data.
"""

from __future__ import annotations

import logging
import time
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy.engine import Engine

from classroom.database import db
from classroom.services.base import clock
from classroom.services.base.audit import Check, Checked

CHANGED: Final = (
    "The audit log was tampered with: entry %s was changed, or one before it is missing. Compare "
    "it with a backup."
)

_log = logging.getLogger(__name__)
_found: WeakKeyDictionary[Engine, Checked] = WeakKeyDictionary()


def found() -> Checked | None:
    """What the newest whole check showed; None before the first one is over."""
    return _found.get(db.engine)


def in_words(seen: Checked) -> str:
    """What a check showed, for the operator."""
    if seen.wrong is not None:
        return CHANGED % seen.wrong
    older = f" Too old to check with this key: {seen.older}." if seen.older else ""
    return f"The audit log is whole. Checked: {seen.whole}.{older}"


class Seals:
    """Checks all seals, a piece at each call, and begins again after a day."""

    def __init__(self) -> None:
        self._check: Check | None = None
        self._next_at = 0.0

    def go_on(self) -> None:
        """Check the next piece, if there is one to check. A wrong row is only logged: the school
        goes on."""
        if self._check is None:
            if time.monotonic() < self._next_at:
                return
            self._check = Check()
        over = self._check.go_on()
        db.session.rollback()
        if over:
            seen, self._check = self._check.found, None
            self._next_at = time.monotonic() + clock.SECONDS_A_DAY
            _found[db.engine] = seen
            if seen.wrong is not None:
                _log.warning(CHANGED, seen.wrong)
