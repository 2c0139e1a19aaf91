"""How the server is doing: what an administrator needs to know before the children do."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from classroom import config, measures
from classroom.database import db
from classroom.services.base import skipped
from classroom.services.operation import health
from classroom.services.operation.health import Pulse

GB: Final = 1_000_000_000
LITTLE_ROOM: Final = GB  # bytes; an upgrade first copies the whole database
SLOW: Final = 1.0  # seconds that a child may wait before the answer to a tap is begun
LATE: Final = 10.0  # seconds that computer players may be late


@dataclass(frozen=True, slots=True)
class Checkup:
    """The state of the server at one moment.

    `problem`: what is wrong in one line, as `/health` says it; "" if nothing is. `free`: bytes on
    the disk of the data. `wait`: the seconds that one move in a hundred waited or more, in the last
    minute; None if nobody moved. `lag`: seconds that computer players are late. `open_pages`: pages
    that follow a table or a class. `skipped`: how many pieces of work in the background fail again
    and again.
    """

    problem: str
    free: int
    wait: float | None
    lag: float
    open_pages: int
    skipped: int
    version: str
    database: str

    @property
    def is_full(self) -> bool:
        return self.free < LITTLE_ROOM

    @property
    def is_slow(self) -> bool:
        return self.wait is not None and self.wait > SLOW

    @property
    def is_late(self) -> bool:
        return self.lag > LATE


def checkup(folder: Path, pulse: Pulse | None) -> Checkup:
    """Look at the server now. `folder`: where its data is."""
    pages = (measures.now("fish_streams", of=of) for of in ("tables", "classes"))
    return Checkup(
        problem=health.problem(pulse),
        free=shutil.disk_usage(folder).free,
        wait=measures.RECENT.slowest(),
        lag=measures.now("fish_worker_lag_seconds"),
        open_pages=int(sum(pages)),
        skipped=skipped.count(),
        version=config.version(),
        database="SQLite" if db.engine.dialect.name == "sqlite" else "PostgreSQL",
    )
