"""The demo school: which database it is, how a new one takes its place, and who may come in.

Each is made by a process of its own (`apart.py`), into a file of its own, while the one before goes
on. Only when all of it is there does the folder's mark name it, so a making that dies leaves the
old demo as it was. What strangers typed into it is gone after a night: `Keeper`.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError

from classroom.database import Unavailable
from classroom.services.base import clock, disk
from classroom.services.base.errors import traced
from classroom.services.operation import upkeep

log = logging.getLogger("classroom")

Progress = Callable[[float], None]
Make = Callable[[Path, Progress], None]

EMPTY: Final = "demo.db"  # what the app of a demo that was never made is connected to
NIGHT: Final = (1, 5)  # o'clock, local time
QUIET: Final = 3600.0  # seconds without a visit, after which nobody is in it
TRY_AGAIN: Final = 3600.0  # seconds after a making that failed
PATIENCE: Final = 5.0  # seconds that the new one and the visits of the old one wait for each other
_NAME: Final = re.compile(r"demo-\d+\.db")


def mark(folder: Path) -> Path:
    """The file that names the database of the demo school. As old as the demo is."""
    return folder / "demo.ready"


def found(folder: Path) -> Path | None:
    """The database of the folder's demo school; None where none was made, or by another version."""
    name = _named(folder)
    file = folder / name
    is_there = _NAME.fullmatch(name) and file.is_file()
    return file if is_there and upkeep.is_current(file) else None


def _named(folder: Path) -> str:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return mark(folder).read_text(encoding="ascii").strip()
    return ""


def forget(folder: Path, but: Path | None = None) -> None:
    """Delete every demo school of the folder but this one. One that is still open on Windows stays
    until the next time."""
    if but is None or _named(folder) != but.name:  # as where the new one could not be named
        with contextlib.suppress(OSError):
            mark(folder).unlink(missing_ok=True)
    for file in folder.glob("demo*.db*"):
        if but is None or not file.name.startswith(but.name):
            with contextlib.suppress(OSError):
                file.unlink()


class Demo:
    """The demo school of one folder, as its server sees it.

    `put`: connects the app to another database. `wake`: has every open page look again. `make`:
    makes a demo school in a new file, and is heard from. `offered`: whether there is to be one.
    `share`: how much of the next one is made, from 0 to 1; `running`, `failed`: how that goes.
    """

    def __init__(
        self, folder: Path, make: Make, put: Callable[[Path], None], wake: Callable[[], None]
    ) -> None:
        self.folder, self.make = folder, make
        self._put, self._wake = put, wake
        self.offered: Callable[[], bool] = lambda: True
        self.closed = False
        self.share, self.running, self.failed = 0.0, False, False
        self.file = found(folder)
        self._failed_at = self._visited_at = -inf
        self._inside, self._moving = 0, False
        self._door = threading.Condition()

    # ---- who may come in

    @property
    def ready(self) -> bool:
        return self.file is not None

    def open(self) -> bool:
        """Whether anybody may come in now. A no is for good."""
        if not self.closed and not self.offered():
            self.close()
        return not self.closed

    def close(self) -> None:
        """Let nobody in any more; who is in it is told at once."""
        self.closed = True
        self._wake()

    @contextlib.contextmanager
    def visit(self, *, counts: bool = True) -> Iterator[None]:
        """One request of somebody in it. Another demo takes its place before or after, not
        meanwhile. `counts`: a person did this, and not a page by itself."""
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

    # ---- a new one

    def begin(self) -> None:
        """Start to make one, unless one is on its way."""
        if self._claim():
            threading.Thread(target=self._run, name="demo-school", daemon=True).start()

    def make_now(self, heard: Progress) -> None:
        """Make one while the caller waits, and put it in place. Raises whatever went wrong."""
        if self._claim():
            self._fresh(heard)

    def _claim(self) -> bool:
        with self._door:
            if self.running:
                return False
            self.running, self.failed, self.share = True, False, 0.0
            return True

    def _run(self) -> None:
        try:
            self._fresh(self._heard)
        except Exception as error:
            if not self.closed:
                log.error("the demo school could not be made: %s", traced(error))

    def _heard(self, share: float) -> None:
        self.share = min(max(share, 0.0), 1.0)

    def _fresh(self, heard: Progress) -> None:
        stamp = datetime.fromtimestamp(time.time(), tz=UTC).strftime("%Y%m%d%H%M%S%f")
        file = self.folder / f"demo-{stamp}.db"
        try:
            disk.private(file)
            self.make(file, heard)
            self._take(file)
            self._name(file)
        except BaseException:
            self.failed, self._failed_at = True, time.monotonic()
            raise
        finally:
            forget(self.folder, but=self.file or self.folder / EMPTY)
            self.running = False

    def _name(self, file: Path) -> None:
        part = mark(self.folder).with_suffix(".part")
        part.write_text(file.name + "\n", encoding="ascii")
        os.replace(part, mark(self.folder))

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

    # ---- every night

    def is_due(self) -> bool:
        """Whether it is time for a fresh one: in the night, or after a day, when nobody is in it;
        after two days even then."""
        if not self.ready or self.closed or time.monotonic() < self._failed_at + TRY_AGAIN:
            return False
        made, now = self._made_at(), clock.now()
        if made < now - 2 * clock.SECONDS_A_DAY:
            return True
        quiet = time.monotonic() > self._visited_at + QUIET
        nightfall = clock.midnight() + NIGHT[0] * 3600
        tonight = NIGHT[0] <= clock.local(now).hour < NIGHT[1] and made < nightfall
        return quiet and (tonight or made < now - clock.SECONDS_A_DAY)

    def _made_at(self) -> float:
        try:
            return mark(self.folder).stat().st_mtime
        except FileNotFoundError:  # it could not be named: a later start would not find it
            return -inf


class Keeper:
    """Has a demo school made fresh when it is due, in a thread of its own, until it is stopped."""

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
            with contextlib.suppress(OSError, DBAPIError, Unavailable):  # until the next time
                if self._demo.open() and self._demo.is_due():
                    self._demo.begin()
            self._stopped.wait(self._every)
