"""Turns the bytes of a file, or pasted text, into a table or the tables of a zip, within limits.

Spreadsheets (XLSX, ODS, XLS) are read in a separate process with limits on memory and time. A small
file can claim to have a billion cells, and the reader would allocate memory for all of them. Such
a file can end only that process, not the school's server.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice
from pathlib import PurePosixPath
from threading import BoundedSemaphore
from typing import Any, Final

from classroom import config
from classroom.services.school.lists.tabular import (
    CELL,
    COLUMNS,
    FILE_BYTES,
    ROWS,
    UNZIPPED_BYTES,
    ListRow,
    ListTable,
    UnreadableList,
)

SEPARATORS: Final = "\t;,|"
_LOOKED_AT: Final = 60  # how many of the first lines are used to detect the separator
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))

FILES: Final = 200  # the most files that a zip may contain
LINES: Final = 200_000  # the most lines that a table in a zip may have
_SHEET: Final = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")
DAMAGED: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError,
)  # fmt: skip
"""The errors that Python can raise for a damaged zip, or for a file that is not a zip."""

SHEET_SECONDS: Final = 15.0
SHEET_MEMORY: Final = 2**29
TOP: Final = 200  # rows read beyond ROWS, because a sheet may have titles and empty rows
_AT_ONCE: Final = BoundedSemaphore(2)


def read_file(data: bytes) -> ListTable | Files:
    """Read a school's file: a table, or all tables of a school. Raises only UnreadableList."""
    if len(data) > FILE_BYTES:
        raise UnreadableList("list_large", most=FILE_BYTES // 1000)
    if data.startswith(b"PK"):
        files = _unzipped(data)
        if files is not None:
            tables = list(files.by_name.values())
            return read_text(_decoded(tables[0])) if len(tables) == 1 else files
    elif not data.startswith(_OLD_OFFICE):
        return read_text(_decoded(data))
    return ListTable(tuple(_rows(enumerate(sheet_rows(data), start=1))))


def read_text(text: str) -> ListTable:
    """Read pasted text, or the text of a file. Raises only UnreadableList."""
    if not _is_text(text):
        raise UnreadableList("list_kind")
    pupils = _people_page(text)
    if pupils is not None:
        return ListTable(pupils)
    first, _, rest = text.partition("\n")
    stated = first.strip().casefold()
    if stated.startswith("sep=") and len(stated) == 5 and stated[4] in SEPARATORS:
        separator, text = stated[4], "\n" + rest
    else:
        separator = _separator(text)
    return ListTable(tuple(_rows(separated(text, separator))))


# ---- text


def _decoded(data: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16, with or without a byte order mark, else Windows-1252."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    zeros = data[0::2].count(0), data[1::2].count(0)
    if max(zeros) * 4 > len(data) > 3:  # over half of the bytes at even or at odd indexes are 0
        return data.decode("utf-16-be" if zeros[0] > zeros[1] else "utf-16-le", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _is_text(text: str) -> bool:
    """Whether the text has so few control characters that it can be a list."""
    begin = text[:20_000]
    odd = sum(1 for sign in begin if unicodedata.category(sign) == "Cc" and not sign.isspace())
    return "\0" not in text and odd * 50 <= len(begin)


def _separator(text: str) -> str:
    """The separator that splits the most lines into the same number of cells; in a tie, the one
    that gives more cells. A comma if none splits any line."""
    best, most = ",", (0, 0)
    for separator in SEPARATORS:
        counts = Counter(
            len(cells)
            for _, cells in islice(separated(text, separator), _LOOKED_AT)
            if len(cells) > 1 and any(cell.strip() for cell in cells)
        )
        cells, lines = max(counts.items(), key=lambda item: item[::-1], default=(0, 0))
        if (lines, cells) > most:
            best, most = separator, (lines, cells)
    return best


def separated(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a text as cells, each with the number of the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    begins = 1
    try:
        for cells in reader:
            yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise UnreadableList("list_line", line=begins) from error


def _rows(lines: Iterable[tuple[int, list[str]]]) -> Iterator[ListRow]:
    found = 0
    for number, cells in lines:
        texts = [" ".join(cell[: 4 * CELL].split())[:CELL] for cell in cells]
        while texts and not texts[-1]:
            texts.pop()
        if not texts:
            continue
        found += 1
        if found > ROWS:
            raise UnreadableList("list_rows", line=number, most=ROWS)
        if len(texts) > COLUMNS:
            raise UnreadableList("list_columns", line=number, most=COLUMNS)
        yield ListRow(number, tuple(texts))


# ---- text copied from the "People" page of Google Classroom: the names are below "Students"

_TEACHERS: Final = {"teachers", "lehrkräfte", "profesores", "docentes", "enseignants", "insegnanti"}
_STUDENTS: Final = {
    "students", "classmates", "schüler", "schüler/innen", "teilnehmer", "alumnos", "alumnado",
    "estudiantes", "élèves", "étudiants", "studenti", "alunos", "compañeros", "compañeros de clase",
}  # fmt: skip

# The texts of buttons and icons between the names. An icon is copied as the icon's name.
_BUTTONS: Final = re.compile(
    r"[a-z]+(_[a-z]+)+|actions|select all( students)?|select|sort by (first|last) name|invite|"
    r"invite (students|teachers)|invite guardians?|sort|more|guardians?|\d+ \w+|"
    r"e-?mail( student| all)?|profile (photo|picture) of .*",
    re.IGNORECASE,
)
_INVITED: Final = re.compile(r"\s*\((invited|eingeladen|invitado|invité)\)$", re.IGNORECASE)


def _people_page(text: str) -> tuple[ListRow, ...] | None:
    """The children on a pasted "People" page: a row with a heading, then one row for each child.
    None if the text is not such a page."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    begins = next((at for at, line in enumerate(lines) if line.casefold() in _STUDENTS), None)
    if begins is None or not any((line.casefold() in _TEACHERS) for line in lines[:begins]):
        return None
    rows = [ListRow(begins + 1, ("Full name",))]
    for number, line in enumerate(lines[begins + 1 :], start=begins + 2):
        name = _INVITED.sub("", line)
        if name and "@" not in name and not _BUTTONS.fullmatch(name):
            rows.append(ListRow(number, (name[:200],)))
    return tuple(rows[: ROWS + 1])


# ---- zips


@dataclass(frozen=True)
class Files:
    """The tables in a zip: the bytes of each, by its file name in lower case without folders."""

    by_name: dict[str, bytes]

    def table(self, name: str) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield each row of a table: its line number, and its cells by the names of the columns."""
        lines = separated(_decoded(self.by_name.get(name, b"")), ",")
        _, headings = next(lines, (1, []))
        columns = [cell.strip().casefold().replace("_", "") for cell in headings]
        for number, cells in lines:
            if number > LINES:
                raise UnreadableList("list_rows", line=number, most=LINES)
            if any(cells):
                tidy = (cell[:CELL].strip() for cell in cells)
                yield number, dict(zip(columns, tidy, strict=False))

    def columns(self, name: str) -> list[str]:
        """The names of a table's columns, as they are written in its first line."""
        text = _decoded(self.by_name.get(name, b""))
        first = next(io.StringIO(text, newline=""), "")  # old Macs end lines with only a CR
        cells = next(csv.reader([first.strip()[: 100 * CELL]]), [])
        return [cell.strip()[:CELL] for cell in cells]


def _unzipped(data: bytes) -> Files | None:
    """The tables in a zip; None for a spreadsheet. Never unpacks more than UNZIPPED_BYTES. Raises
    UnreadableList."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entries = [entry for entry in packed.infolist() if not _is_litter(entry)]
            if len(entries) > FILES or sum(one.file_size for one in entries) > UNZIPPED_BYTES:
                raise UnreadableList("list_unzipped", most=UNZIPPED_BYTES // 1_000_000)
            if any(entry.flag_bits & 1 for entry in entries):
                raise UnreadableList("list_password")
            if any(entry.filename in _SHEET for entry in entries):
                return None
            return Files(_tables(packed, entries))
    except DAMAGED as error:
        raise UnreadableList("list_damaged") from error


def _is_litter(entry: zipfile.ZipInfo) -> bool:
    """Whether this entry is a folder, or a file that a Mac adds to a zip."""
    path = PurePosixPath(entry.filename)
    return entry.is_dir() or "__MACOSX" in path.parts or path.name.startswith(".")


def _tables(packed: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> dict[str, bytes]:
    """The bytes of each table. If a name occurs twice, the file inside fewer folders is used."""
    nearest = sorted(entries, key=lambda entry: entry.filename.replace("\\", "/").count("/"))
    found: dict[str, bytes] = {}
    for entry in nearest:
        name = PurePosixPath(entry.filename.replace("\\", "/")).name.casefold()
        if name.endswith((".csv", ".tsv", ".txt")) and name not in found:
            found[name] = packed.read(entry)
    return found


# ---- spreadsheets


def sheet_rows(data: bytes) -> list[list[str]]:
    """The rows of the first visible sheet that is not empty, as text. Raises UnreadableList."""
    if not _AT_ONCE.acquire(timeout=SHEET_SECONDS):
        raise UnreadableList("list_busy")
    try:
        done = subprocess.run(  # noqa: S603 - a command of our own
            [sys.executable, "-P", "-m", __name__],
            env={**os.environ, "PYTHONPATH": str(config.PACKAGE.parent)},
            input=data,
            capture_output=True,
            timeout=SHEET_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnreadableList("list_damaged") from error
    finally:
        _AT_ONCE.release()
    answer = done.stdout if done.returncode == 0 else b""
    found: Any = json.loads(answer) if answer else "list_damaged"
    if isinstance(found, str):
        raise UnreadableList(found)
    return [[str(cell) for cell in row] for row in found]


# ---- in the separate process


def main() -> None:
    """Read a file from standard input and print its rows, or the code of a refusal, as JSON."""
    if sys.platform != "win32":
        import resource

        seconds = int(SHEET_SECONDS)
        for kind, most in ((resource.RLIMIT_AS, SHEET_MEMORY), (resource.RLIMIT_CPU, seconds)):
            # Some systems cannot set these limits; `sheet_rows` limits the time in any case.
            with suppress(OSError, ValueError):
                resource.setrlimit(kind, (most, most))
    sys.stdout.write(json.dumps(_read(sys.stdin.buffer.read())))


def _read(data: bytes) -> str | list[list[str]]:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for number, about in enumerate(book.sheets_metadata):
            if about.visible != SheetVisibleEnum.Visible:
                continue
            sheet = book.get_sheet_by_index(number)
            rows = sheet.to_python(skip_empty_area=False, nrows=ROWS + TOP)
            found = [[_text(cell) for cell in row[: COLUMNS + 1]] for row in rows]
            if any(any(row) for row in found):
                return found
    except PasswordError:
        return "list_password"
    except (CalamineError, ValueError, OSError):
        return "list_damaged"
    return []


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()[:10]
    return str(value)[: 4 * CELL]


if __name__ == "__main__":
    main()
