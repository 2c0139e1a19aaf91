"""The demo school: its database, its visitors, and how a new demo school regularly replaces it."""

from __future__ import annotations

import contextlib
import json
import logging
import lzma
import os
import re
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Float, Integer, create_engine, insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from classroom import config
from classroom.condition import Unavailable
from classroom.database import db, prepare
from classroom.services.base import clock, disk
from classroom.services.base.errors import traced
from classroom.services.operation import upkeep

# Each demo school is made in its own file (`load_rows`), while the old one stays in use. The
# folder's mark names the new file only once the file is complete, so a process that dies leaves the
# old demo as it was. Text that strangers typed is gone after a night or two: see `Demo.is_due`.

log = logging.getLogger("classroom")

Make = Callable[[Path], None]

EMPTY: Final = "demo.db"  # the app's database until a demo school has been made
NIGHT: Final = (1, 5)  # a new demo school is made between these hours, in local time
QUIET: Final = 3600.0  # seconds without a visit after which the demo counts as empty
TRY_AGAIN: Final = 3600.0  # seconds to wait after a failed attempt to make a demo school
PATIENCE: Final = 5.0  # seconds; how long a change of database waits for visitors, or they for it
_NAME: Final = re.compile(r"demo-\d+\.db")


def mark(folder: Path) -> Path:
    """The file that names the demo school's database; its age is the demo's age."""
    return folder / "demo.ready"


def found(folder: Path) -> Path | None:
    """The database of the demo school in this folder; None if this version has not made one."""
    name = _named(folder)
    file = folder / name
    return file if _NAME.fullmatch(name) and file.is_file() and upkeep.is_current(file) else None


def _named(folder: Path) -> str:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return mark(folder).read_text(encoding="ascii").strip()
    return ""


def forget(folder: Path, but: Path | None = None) -> None:
    """Delete all demo schools except `but`. On Windows, an open file stays until a later call."""
    if but is None or _named(folder) != but.name:  # no demo is left, or the mark was not written
        with contextlib.suppress(OSError):
            mark(folder).unlink(missing_ok=True)
    for file in folder.glob("demo*.db*"):
        if but is None or not file.name.startswith(but.name):
            with contextlib.suppress(OSError):
                file.unlink()


class Demo:
    """The demo school in one folder, while it is served. `put` connects the app to another
    database. `wake` makes every open page ask the server again. `make` makes a demo school in a new
    file. `offered`: whether there should be a demo school. `failed`: whether the last attempt to
    make a demo school failed."""

    def __init__(
        self, folder: Path, make: Make, put: Callable[[Path], None], wake: Callable[[], None]
    ) -> None:
        self.folder, self.make = folder, make
        self._put, self._wake = put, wake
        self.offered: Callable[[], bool] = lambda: True
        self.closed = False
        self.failed = False
        self.file = found(folder)
        self._failed_at = self._visited_at = -inf
        self._inside, self._moving = 0, False
        self._door = threading.Condition()
        self._making = threading.RLock()

    # ---- visitors

    @property
    def ready(self) -> bool:
        return self.file is not None

    def open(self) -> bool:
        """Whether visitors may come in. Once the demo school is closed, it stays closed."""
        if not self.closed and not self.offered():
            self.close()
        return not self.closed

    def close(self) -> None:
        """Close the demo school for good, and tell the visitors at once."""
        self.closed = True
        self._wake()

    @contextlib.contextmanager
    def visit(self, *, counts: bool = True) -> Iterator[None]:
        """Hold the demo's database for one request, so that no new demo takes its place meanwhile.
        `counts`: whether a person made the request; False if a page sent it by itself."""
        with self._door:
            self._door.wait_for(lambda: not self._moving, PATIENCE)
            self._inside += 1
            if counts:
                self._visited_at = time.monotonic()
        try:
            yield
        finally:
            with self._door:
                self._inside -= 1
                self._door.notify_all()

    # ---- making a new demo school

    def renew(self, *, first: bool = False) -> None:
        """Make a new demo school, and switch to it; log any error. `first`: only if there is no
        demo school yet, so that two callers at the same time get the same demo school."""
        with self._making:
            if first and self.ready:
                return
            try:
                self.make_now()
            except Exception as error:
                log.error("the demo school could not be made: %s", traced(error))

    def make_now(self) -> None:
        """Make a new demo school, and switch to it. Raises any error that occurs."""
        with self._making:
            file = self.folder / f"demo-{clock.stamp().replace('-', '')}.db"
            try:
                disk.private(file)
                self.make(file)
                self._take(file)
                part = mark(self.folder).with_suffix(".part")
                part.write_text(file.name + "\n", encoding="ascii")
                os.replace(part, mark(self.folder))
                self.failed = False
            except BaseException:
                self.failed, self._failed_at = True, time.monotonic()
                raise
            finally:
                forget(self.folder, but=self.file or self.folder / EMPTY)

    def _take(self, file: Path) -> None:
        with self._door:
            self._moving = True
            self._door.wait_for(lambda: not self._inside, PATIENCE)
        try:
            self._put(file)
            self.file = file
        finally:
            with self._door:
                self._moving = False
                self._door.notify_all()

    # ---- replacing the demo school every night

    def is_due(self) -> bool:
        """Whether it is time for a new demo school: at night or after a day, if there have been no
        visitors for an hour; after two days in any case."""
        if not self.ready or self.closed or time.monotonic() < self._failed_at + TRY_AGAIN:
            return False
        now = clock.now()
        try:
            made = mark(self.folder).stat().st_mtime
        except FileNotFoundError:  # the mark was never written, so after a restart no demo is found
            made = -inf
        if made < now - 2 * clock.SECONDS_A_DAY:
            return True
        quiet = time.monotonic() > self._visited_at + QUIET
        nightfall = clock.midnight() + NIGHT[0] * 3600
        tonight = NIGHT[0] <= clock.local(now).hour < NIGHT[1] and made < nightfall
        return quiet and (tonight or made < now - clock.SECONDS_A_DAY)


class Keeper:
    """Makes a new demo school whenever it is due, in its own thread, until it is stopped."""

    def __init__(self, demo: Demo, every: float = 60.0) -> None:
        self._demo, self._every = demo, every
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo-keeper", daemon=True)

    def __enter__(self) -> Keeper:
        forget(self._demo.folder, but=self._demo.file or self._demo.folder / EMPTY)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(OSError, DBAPIError, Unavailable):  # try again next time
                if self._demo.open() and self._demo.is_due():
                    self._demo.renew()
            self._stopped.wait(self._every)


# ---- The rows in the demo school. They come from games that tools/make_demo.py played once; the
# dates in them are moved to the last days before today


ROWS: Final = config.PACKAGE / "data" / "demo.json.xz"
ZONE: Final = "UTC"  # each day in the file begins at midnight in this zone
GAME_DAYS: Final = (0, 2, 4)  # Monday, Wednesday, Friday
# A greater number is a moment in POSIX seconds: no duration in the rows is that long.
A_MOMENT: Final = 1e9


def load_rows(file: Path) -> None:
    """Fill this new SQLite file with the demo school. The lessons are on the last game days before
    today, at the same hours as in the stored rows."""
    kept = json.loads(lzma.decompress(ROWS.read_bytes()))
    moved = Moved(kept["days"])
    engine = create_engine(URL.create("sqlite", database=str(file)))
    prepare(engine)
    try:
        upkeep.upgrade(engine)
        with engine.begin() as connection:
            for table in db.metadata.sorted_tables:
                if columns := kept["rows"].get(table.name):
                    values = [moved.values(table.c[name], all_) for name, all_ in columns.items()]
                    rows = [
                        dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)
                    ]
                    connection.execute(insert(table), rows)
    finally:
        engine.dispose()


def game_days(n: int) -> list[int]:
    """The last `n` game days before today, oldest first."""
    days = range(clock.day() - 7 * n, clock.day())
    return [day for day in days if (day + 3) % 7 in GAME_DAYS][-n:]  # day 0 was a Thursday


class Moved:
    """Moves the days in the stored rows: lessons to the last game days before today, and any other
    day by as many days as the lesson before it. `days`: the lessons' days, oldest first."""

    def __init__(self, days: list[int]) -> None:
        self._days = days
        self._by = [now - was for was, now in zip(days, game_days(len(days)), strict=True)]

    def values(self, column: Any, values: list[Any]) -> list[Any]:
        """The values of a column, with days and moments moved."""
        if isinstance(column.type, Float):
            return [self.moment(v) if v is not None and v > A_MOMENT else v for v in values]
        if isinstance(column.type, Integer) and column.name == "day":
            return [self.day(value) for value in values]
        if column.name == "history":
            return [self._history(value) for value in values]
        return values

    def day(self, day: int) -> int:
        return day + self._by[max(bisect_right(self._days, day) - 1, 0)]

    def moment(self, at: float) -> float:
        """A moment in the stored rows, moved to the same time on the moved day."""
        day, seconds = divmod(at, clock.SECONDS_A_DAY)
        return clock.begin_of(self.day(int(day))) + seconds

    def _history(self, history: dict[str, Any]) -> dict[str, Any]:
        """A child's history of questions (learning/history.py), with the days moved."""
        asked = {
            skill: {**one, "day": self.day(one["day"]), "due": self.day(one["due"])}
            for skill, one in history["standings"].items()
        }
        return {**history, "standings": asked}
