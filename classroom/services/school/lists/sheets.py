"""Spreadsheets (XLSX, ODS, XLS), each read in a process of its own.

A small file can state that it has a thousand million cells, and the reader would make room for
them. In a process with limits on memory and time, that ends the process and not the school's
server.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from datetime import date, datetime, time
from threading import BoundedSemaphore
from typing import Any, Final

from classroom import config
from classroom.services.school.lists.tables import CELL, COLUMNS, ROWS, UnreadableList

SECONDS: Final = 15.0
MEMORY: Final = 2**29
TOP: Final = 200  # rows read beyond ROWS, since a sheet may have titles and empty rows
_AT_ONCE: Final = BoundedSemaphore(2)


def rows(data: bytes) -> list[list[str]]:
    """The cells of the first visible sheet that has any, as text."""
    if not _AT_ONCE.acquire(timeout=SECONDS):
        raise UnreadableList("list_busy")
    try:
        done = subprocess.run(  # noqa: S603 - a command of our own
            [sys.executable, "-P", "-m", __name__],
            env={**os.environ, "PYTHONPATH": str(config.PACKAGE.parent)},
            input=data,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnreadableList("list_damaged") from error
    finally:
        _AT_ONCE.release()
    return _answered(done.stdout if done.returncode == 0 else b"")


def _answered(said: bytes) -> list[list[str]]:
    found: Any = json.loads(said) if said else "list_damaged"
    if isinstance(found, str):
        raise UnreadableList(found)
    return [[str(cell) for cell in row] for row in found]


# ---- in the process


def main() -> None:
    """Read the file from the standard input and print its rows, or the code of a refusal."""
    _with_little_memory()
    data = sys.stdin.buffer.read()
    sys.stdout.write(json.dumps(_read(data)))


def _with_little_memory() -> None:
    if sys.platform != "win32":
        import resource

        seconds = int(SECONDS)
        for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, seconds)):
            try:
                resource.setrlimit(kind, (most, most))
            except (OSError, ValueError):  # some systems cannot; `rows` limits the time in any case
                continue


def _read(data: bytes) -> str | list[list[str]]:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for number, about in enumerate(book.sheets_metadata):
            if about.visible != SheetVisibleEnum.Visible:
                continue
            found = _cells(book.get_sheet_by_index(number))
            if any(any(row) for row in found):
                return found
    except PasswordError:
        return "list_password"
    except (CalamineError, ValueError, OSError):
        return "list_damaged"
    return []


def _cells(sheet: Any) -> list[list[str]]:
    found = sheet.to_python(skip_empty_area=False, nrows=ROWS + TOP)
    return [[_text(cell) for cell in row[: COLUMNS + 1]] for row in found]


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()[:10]
    return str(value)[: 4 * CELL]


if __name__ == "__main__":
    main()
