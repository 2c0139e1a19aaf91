"""Work on many things, where one failure does not stop the rest.

What fails is skipped: the log names it once, and it is counted until it succeeds, so that whoever
looks after the server hears of it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

from classroom import measures
from classroom.condition import trouble
from classroom.database import db
from classroom.services.base import clock
from classroom.services.base.errors import traced

# By then what is done once a day has failed again, or succeeded.
COUNTED: Final = 1.5 * clock.SECONDS_A_DAY

Work = tuple[str, int | None]

_log = logging.getLogger(__name__)
_skipped: WeakKeyDictionary[Any, dict[Work, float]] = WeakKeyDictionary()  # by database: when last


@contextmanager
def guard(what: str, number: int | None = None) -> Iterator[None]:
    """Do one piece of work; if it fails, go on after the block. `number`: of the row it is about.

    Trouble with the database itself is raised, since it is about no single row.
    """
    found = _skipped.setdefault(db.engine, {})
    try:
        yield
    except Exception as error:
        db.session.rollback()
        if trouble(error):
            raise
        measures.ERRORS.labels("worker").inc()
        if (what, number) not in found:
            _log.error("skipped: %s %s: %s", what, number or "", traced(error))
        found[what, number] = time.monotonic()
    else:
        found.pop((what, number), None)


def count() -> int:
    """How many pieces of work were skipped and have not succeeded since."""
    since = time.monotonic() - COUNTED
    return sum(at > since for at in list(_skipped.get(db.engine, {}).values()))
