"""The current time, and days in the school's time zone. Tests and the making of the demo school can
set the time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta

from classroom.services.base import places

SECONDS_A_DAY = 86_400.0

# A ContextVar, so that two threads of a test, or a running school and the demo school being made
# beside it, never see each other's time.
_clock: ContextVar[Callable[[], float]] = ContextVar("clock", default=time.time)


def now() -> float:
    """The current time, in POSIX seconds."""
    return _clock.get()()


def day(at: float | None = None) -> int:
    """The local day number: days since 1970-01-01 in the school's time zone."""
    return local(now() if at is None else at).date().toordinal() - date(1970, 1, 1).toordinal()


def midnight() -> float:
    """When the local day began, in POSIX seconds."""
    return local(now()).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()


def begin_of(day: int) -> float:
    """When this local day begins, in POSIX seconds."""
    on = date(1970, 1, 1) + timedelta(days=day)
    near = local(day * SECONDS_A_DAY).replace(hour=0, minute=0, second=0, microsecond=0)
    return near.replace(year=on.year, month=on.month, day=on.day).timestamp()


def end_of(day: date) -> float:
    """When this local day ends, in POSIX seconds.

    Found in two steps, since the offset from UTC may change during that night.
    """
    midnight_in_utc = ((day - date(1970, 1, 1)).days + 1) * SECONDS_A_DAY
    at = midnight_in_utc
    for _ in range(2):
        at = midnight_in_utc - (local(at).utcoffset() or timedelta()).total_seconds()
    return at


def local(at: float) -> datetime:
    """This moment in the school's time zone, for pages and print."""
    return datetime.fromtimestamp(at, tz=UTC).astimezone(places.here().zone)


def stamp() -> str:
    """The current moment for use in a file name; later stamps sort after earlier ones."""
    return datetime.fromtimestamp(now(), tz=UTC).strftime("%Y%m%d-%H%M%S-%f")


@contextmanager
def clock_at(clock: Callable[[], float] | float) -> Iterator[None]:
    """Take the time from `clock` inside the block; a number stops the clock at that moment."""
    fixed = clock if callable(clock) else (lambda: float(clock))
    token = _clock.set(fixed)
    try:
        yield
    finally:
        _clock.reset(token)
