"""What time it is. The one place that asks; tests and the demo school's history set it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime

SECONDS_A_DAY = 86_400.0

# A ContextVar, so that two threads of a test, or the making of the demo school beside a running
# school, never see each other's time.
_clock: ContextVar[Callable[[], float]] = ContextVar("clock", default=time.time)


def now() -> float:
    """POSIX seconds (UTC)."""
    return _clock.get()()


def day(at: float | None = None) -> int:
    """Local day number at the school: days since 1970-01-01 on the wall calendar of the server."""
    moment = datetime.fromtimestamp(now() if at is None else at, tz=UTC).astimezone()
    return moment.date().toordinal() - date(1970, 1, 1).toordinal()


def midnight() -> float:
    """When the local day began, in POSIX seconds."""
    return local(now()).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()


def local(at: float) -> datetime:
    """The moment on the school's wall clock, for pages and print."""
    return datetime.fromtimestamp(at, tz=UTC).astimezone()


def stamp() -> str:
    """The moment as part of a file's name; later ones sort behind."""
    return datetime.fromtimestamp(now(), tz=UTC).strftime("%Y%m%d-%H%M%S-%f")


@contextmanager
def clock_at(clock: Callable[[], float] | float) -> Iterator[None]:
    """Inside the block the time is that of `clock`, or stands still at a number."""
    fixed = clock if callable(clock) else (lambda: float(clock))
    token = _clock.set(fixed)
    try:
        yield
    finally:
        _clock.reset(token)
