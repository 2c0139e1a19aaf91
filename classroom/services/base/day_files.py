"""A log with one file for each day (UTC), deleted after seven days.

The file is opened and closed for each line, and never renamed. So a command can write to it while
the server runs, on Windows too, and a full disk costs only the lines that do not fit.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from classroom.services.base import clock

DAYS: Final = 7
# Bytes that a day's file may hold. Warnings stop at half of it, so that a flood of them leaves
# room for the rest.
MOST_A_DAY: Final = 16_000_000

_log = logging.getLogger("classroom")


def moment(at: float) -> str:
    """A point in time in ISO 8601 format, in UTC."""
    text = datetime.fromtimestamp(at, tz=UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


class DayFiles(logging.Handler):
    """Writes each record into today's file. Never raises; a failure is logged once a day."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._swept = ""  # the day on which old files were last deleted
        self._said = ("", "")

    def emit(self, record: logging.LogRecord) -> None:
        today = moment(clock.now())[:10]
        most = MOST_A_DAY // 2 if record.levelno >= logging.WARNING else MOST_A_DAY
        try:
            if today != self._swept:
                self.forget_old()
            self._folder.mkdir(exist_ok=True, mode=0o700)
            with open(
                self._of(today), "a", encoding="ascii", newline="\n", opener=_private
            ) as file:
                if file.tell() >= most:
                    return self._say(today, "it is full for today")
                file.write(self.format(record) + "\n")
        except OSError as error:
            self._say(today, error.strerror or type(error).__name__)

    def forget_old(self) -> None:
        """Delete each file that may hold a line that is more than seven days old."""
        now = clock.now()
        self._swept = moment(now)[:10]
        oldest = self._of(moment(now - (DAYS - 1) * clock.SECONDS_A_DAY)[:10]).name
        for old in self._folder.glob("????-??-??.log"):
            if old.name < oldest:
                with suppress(OSError):
                    old.unlink()

    def _of(self, day: str) -> Path:
        return self._folder / f"{day}.log"

    def _say(self, today: str, trouble: str) -> None:
        if self._said != (today, trouble):
            self._said = today, trouble
            _log.warning("%s cannot be written: %s", self._of(today), trouble)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
