"""The current time, days in the school's time zone, and the school's place."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary, ref
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from classroom.condition import Unavailable
from classroom.database import after_commit, db
from classroom.hub import SCHOOL_TOPIC, hub_of
from classroom.models import School
from classroom.services.base.errors import Refused
from classroom.services.base.rows import existing

# ---- The school's place: its time zone, date format, variety of English and paper size
#
# An installation has one school: `accounts.make_school` refuses a second one. So the place in the
# first row of `schools` applies to everybody. It is cached for each database, because every tap
# needs the time zone. When the place changes, all processes that serve the school are told.

DATES: Final = ("day_first", "month_first", "year_first")  # 3 Nov 2026 · Nov 3, 2026 · 2026-11-03
WORDS: Final = ("en_GB", "en_US")  # varieties of English; the texts are written in en_GB
PAPERS: Final = ("a4", "letter")
REGIONS: Final = "Africa America Antarctica Asia Atlantic Australia Europe Indian Pacific".split()


@dataclass(frozen=True, slots=True, kw_only=True)
class SchoolPlace:
    """A school's place, as in School's columns. A `time_zone` of "" means this computer's zone."""

    time_zone: str = ""
    dates: str = DATES[0]
    words: str = WORDS[0]
    paper: str = PAPERS[0]

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone, or None (this computer's time zone) if none is set or this computer does
        not know the zone that is set."""
        return ZoneInfo(self.time_zone) if self.time_zone in zones() else None


_known: WeakKeyDictionary[Engine, SchoolPlace] = WeakKeyDictionary()


def here() -> SchoolPlace:
    """The place of the current app's school; the defaults if there is no school or no app, or if
    its database cannot be read."""
    try:
        engine = db.engine
    except RuntimeError:  # there is no current app
        return SchoolPlace()
    known = _known.get(engine)
    if known is not None:
        return known
    columns = (School.time_zone, School.dates, School.words, School.paper)
    # On a separate connection, which leaves the session's transaction alone.
    with suppress(SQLAlchemyError, Unavailable), engine.connect() as connection:
        row = connection.execute(select(*columns).order_by(School.id).limit(1)).first()
        if row is not None:
            known = _known[engine] = SchoolPlace(
                time_zone=row.time_zone or "", dates=row.dates, words=row.words, paper=row.paper
            )
    return known or SchoolPlace()


def set_place(school_id: int, place: SchoolPlace) -> None:
    """Set the school's place. Call this in a write unit; the change takes effect on commit. Raises
    NotFound, and Refused("time_zone" | "dates" | "words" | "paper") for a value that is not
    offered."""
    offers = {"time_zone": {"", *zones()}, "dates": DATES, "words": WORDS, "paper": PAPERS}
    for name, offer in offers.items():
        if getattr(place, name) not in offer:
            raise Refused(name)
    row = existing(School, school_id)
    row.time_zone, row.dates = place.time_zone or None, place.dates
    row.words, row.paper = place.words, place.paper
    after_commit(forget)


def forget() -> None:
    """Forget the place in all processes, so that it is read from the database when next needed."""
    _known.pop(db.engine, None)
    hub_of(db.engine).tell(SCHOOL_TOPIC)


def follow(engine: Engine) -> None:
    """Forget the cached place when another process has changed the place in this database."""
    found = ref(engine)  # a weak reference, so that the hub does not keep the engine alive

    def changed(*_: object) -> None:
        if known := found():
            _known.pop(known, None)

    hub_of(engine).subscribe(SCHOOL_TOPIC, changed)


@cache
def zones() -> frozenset[str]:
    """The names of the time zones that a school can choose: cities in REGIONS, and UTC."""
    found = (name for name in available_timezones() if name.split("/")[0] in REGIONS)
    return frozenset(found) | {"UTC"}


# ---- the time, which tests and the program that makes the demo school can set

SECONDS_A_DAY = 86_400.0
_EPOCH: Final = date(1970, 1, 1).toordinal()

# A ContextVar, so that two threads in a test never see each other's time, nor do a running school
# and a demo school that is being made in the same process.
_clock: ContextVar[Callable[[], float]] = ContextVar("clock", default=time.time)


def now() -> float:
    """The current time, in POSIX seconds."""
    return _clock.get()()


def day(at: float | None = None) -> int:
    """The local day number: days since 1970-01-01 in the school's time zone."""
    return local(now() if at is None else at).toordinal() - _EPOCH


def midnight() -> float:
    """The time at which the current local day began, in POSIX seconds."""
    return begin_of(day())


def begin_of(day: int) -> float:
    """The time at which this local day begins, in POSIX seconds."""
    on = date.fromordinal(_EPOCH + day)
    return datetime(on.year, on.month, on.day, tzinfo=here().zone).timestamp()


def end_of(day: date) -> float:
    """The time at which this local day ends, in POSIX seconds."""
    return begin_of(day.toordinal() - _EPOCH + 1)


def local(at: float) -> datetime:
    """This moment in the school's time zone, for pages and printed sheets."""
    return datetime.fromtimestamp(at, tz=UTC).astimezone(here().zone)


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
