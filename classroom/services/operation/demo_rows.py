"""The demo school: its rows, which were played once for all (tools/make_demo.py), moved to the last
days before today."""

from __future__ import annotations

import json
import lzma
from bisect import bisect_right
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Float, Integer, create_engine, insert
from sqlalchemy.engine import URL

from classroom import config
from classroom.database import db, prepare
from classroom.services.base import clock
from classroom.services.operation import upkeep

FILE: Final = config.PACKAGE / "data" / "demo.json.xz"
ZONE: Final = "UTC"  # where the days of the file begin
GAME_DAYS: Final = (0, 2, 4)  # Monday, Wednesday, Friday
# A greater number is a moment, in POSIX seconds: no length of time is so long.
A_MOMENT: Final = 1e9


def load(file: Path) -> None:
    """Fill this new SQLite file with the demo school. Its lessons are on the last game days before
    today, at the hours at which they were played."""
    kept = json.loads(lzma.decompress(FILE.read_bytes()))
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
    """The days of the file, moved: its lessons to the last game days before today, and what is
    between or after them as far as the lesson before it. `days`: those of the lessons, rising."""

    def __init__(self, days: list[int]) -> None:
        self._days = days
        self._by = [now - was for was, now in zip(days, game_days(len(days)), strict=True)]

    def values(self, column: Any, values: list[Any]) -> list[Any]:
        """The values of a column; days and moments are moved."""
        if isinstance(column.type, Float):
            return [self.moment(v) if v is not None and v > A_MOMENT else v for v in values]
        if isinstance(column.type, Integer) and column.name == "day":
            return [self.day(value) for value in values]
        if column.name == "history":
            return [self._history(value) for value in values]
        return values

    def day(self, day: int) -> int:
        """A day of the file, moved."""
        return day + self._by[max(bisect_right(self._days, day) - 1, 0)]

    def moment(self, at: float) -> float:
        """A moment of the file, at the same hour of the moved day."""
        day, seconds = divmod(at, clock.SECONDS_A_DAY)
        return clock.begin_of(self.day(int(day))) + seconds

    def _history(self, history: dict[str, Any]) -> dict[str, Any]:
        """What chooses a child's next question (learning/history.py), with its days moved."""
        asked = {
            skill: {**one, "day": self.day(one["day"]), "due": self.day(one["due"])}
            for skill, one in history["standings"].items()
        }
        return {**history, "standings": asked}
