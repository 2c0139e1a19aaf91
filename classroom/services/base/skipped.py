"""Work on many things, where one failure does not stop the rest.

Work that fails is skipped. It is logged once and counted until it succeeds, so that whoever looks
after the server hears of it.
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

# A failure counts for this many seconds: by then, daily work has failed again or has succeeded.
COUNTED: Final = 1.5 * clock.SECONDS_A_DAY

Work = tuple[str, int | None]

_log = logging.getLogger(__name__)
# When each piece of work last failed, for each database.
_skipped: WeakKeyDictionary[Any, dict[Work, float]] = WeakKeyDictionary()


@contextmanager
def guard(what: str, number: int | None = None) -> Iterator[None]:
    """Do one piece of work; if it fails, go on after the block. `number`: the id of the row that it
    is about.

    Trouble with the database itself is raised, since it does not concern a single row.
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
