"""The errors that services raise, and a guard that keeps one failure from stopping other work.

The web layer turns the code of a refusal into an HTTP status and a message for the reader.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

from classroom import measures
from classroom.condition import trouble
from classroom.database import db


class CannotStart(Exception):
    """The program cannot start. The message says what is wrong and what to do."""


def traced(error: BaseException) -> str:
    """An error's type and traceback, for a log. Its message is left out because it may contain an
    SQL statement, a name or a card."""
    where = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{where}"


class Refused(Exception):
    """A request that was understood but refused. `code` is stable; `facts` go into the message."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class NotFound(Refused):
    """The row or page does not exist, or the reader may not see it, and cannot tell which."""

    def __init__(self, thing: str = "page") -> None:
        super().__init__("not_found")
        self.thing = thing


class NotNow(Refused):
    """The request is possible at another time, but not now: for instance, the class is closed."""


class EarlierRules(Refused):
    """The round can no longer be replayed or continued: an earlier version's rules allowed one of
    its moves, but the current rules refuse it. The subclasses stand for other reasons."""

    reason = "earlier_rules"

    def __init__(self, round_id: int) -> None:
        super().__init__(self.reason, round_id=round_id)
        self.round_id = round_id


class MovesGone(EarlierRules):
    """The round ended so long ago that only its results are kept, not its moves and cards."""

    reason = "moves_gone"


class LeftOff(EarlierRules):
    """The round was ended before it was finished, for instance because a child changed class."""

    reason = "left_off"


class OutOfDate(Refused):
    """The table has moved on since the page was made."""

    def __init__(self, round_id: int, seq: int) -> None:
        super().__init__("out_of_date", round_id=round_id, seq=seq)


# ---- work on many rows
#
# Work that fails is skipped. It is logged once and counted until it succeeds, so that the operator
# notices it. A failure counts for a day and a half, because by then daily work has failed again or
# succeeded.

COUNTED: Final = 1.5 * 86_400  # seconds

_log = logging.getLogger(__name__)
# For each database, the time at which each piece of work last failed.
_skipped: WeakKeyDictionary[Any, dict[tuple[str, int | None], float]] = WeakKeyDictionary()


@contextmanager
def guard(what: str, number: int | None = None) -> Iterator[None]:
    """Run the block; if it fails, log the failure and continue after the block. `number`: the id of
    the row that the work is for. Errors that concern the database as a whole are raised."""
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


def skipped(what: str) -> list[int]:
    """The ids of the rows for which this work failed and has not succeeded since. Work in batches
    takes these rows last: otherwise a whole batch of them would keep all other rows waiting."""
    found = list(_skipped.get(db.engine, ()))
    return [number for work, number in found if work == what and number is not None]


def count_skipped() -> int:
    """How many pieces of work failed in the last COUNTED seconds and have not succeeded since."""
    since = time.monotonic() - COUNTED
    return sum(at > since for at in list(_skipped.get(db.engine, {}).values()))
