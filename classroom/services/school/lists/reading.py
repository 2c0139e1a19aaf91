"""Turns bytes or pasted text into a table or a bundle, within limits, and finds the separator."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from typing import Final

from classroom.services.school.lists import bundles, columns, google, sheets
from classroom.services.school.lists.encodings import decode
from classroom.services.school.lists.tables import (
    CELL,
    COLUMNS,
    FILE_BYTES,
    ROWS,
    Bundle,
    Row,
    Table,
    UnreadableList,
)

SEPARATORS: Final = "\t;,|"
_LOOKED_AT: Final = 60  # lines at the beginning that decide about the separator
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"


def read_file(data: bytes, today: date) -> Table | Bundle:
    """Read a file as a school's program writes it. Raises UnreadableList, and nothing else.

    `today`: the day on which ages are counted.
    """
    if len(data) > FILE_BYTES:
        raise UnreadableList("list_large", most=FILE_BYTES // 1000)
    if data.startswith(b"PK"):
        return _read_zip(data, today)
    if data.startswith(_OLD_OFFICE):
        return table(sheets.rows(data))
    return read_text(decode(data))


def _read_zip(data: bytes, today: date) -> Table | Bundle:
    files = bundles.contents(data)
    if files.is_sheet:
        return table(sheets.rows(data))
    alone = files.only_table()
    return read_text(decode(alone)) if alone is not None else bundles.read(files, today)


def read_text(text: str) -> Table:
    """Read pasted text, or the text of a file. Raises UnreadableList, and nothing else."""
    if not _is_text(text):
        raise UnreadableList("list_kind")
    pupils = google.people_page(text)
    if pupils is not None:
        return Table(pupils)
    given, text = _given_separator(text)
    separator = given or _separator(text)
    return Table(tuple(_rows(separated(text, separator))))


def has_columns(text: str, more: Collection[int]) -> bool:
    """Whether pasted text is a table, not a list of names. `more`: the numbers of its lines that
    hold more than a name and an age."""
    if not more:
        return False
    try:
        found = columns.guess(read_text(text))
    except UnreadableList:
        return False
    lines = sum(bool(line.strip()) for line in text.splitlines())
    return "heading" in found.why or len(more) * 2 > lines


def table(rows: Iterable[list[str]]) -> Table:
    """The rows of a spreadsheet as a table."""
    return Table(tuple(_rows(enumerate(rows, start=1))))


# ---- text


def _is_text(text: str) -> bool:
    """Whether this can be a list that somebody typed: control characters are rare in one."""
    begin = text[:20_000]
    odd = sum(1 for sign in begin if unicodedata.category(sign) == "Cc" and not sign.isspace())
    return "\0" not in text and odd * 50 <= len(begin)


def _given_separator(text: str) -> tuple[str, str]:
    """The separator that a first line like `sep=;` states, and the text with that line empty."""
    first, _, rest = text.partition("\n")
    stated = first.strip().casefold()
    if stated.startswith("sep=") and len(stated) == 5 and stated[4] in SEPARATORS:
        return stated[4], "\n" + rest
    return "", text


def _separator(text: str) -> str:
    """The separator that divides the most lines into the same number of cells, in a tie into more
    cells; a comma if none divides any."""
    best, most = ",", (0, 0)
    for separator in SEPARATORS:
        counts = Counter(
            len(cells)
            for _, cells in _beginning(separated(text, separator))
            if len(cells) > 1 and any(cell.strip() for cell in cells)
        )
        cells, lines = max(counts.items(), key=lambda item: item[::-1], default=(0, 0))
        if (lines, cells) > most:
            best, most = separator, (lines, cells)
    return best


def _beginning(lines: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    for count, line in enumerate(lines):
        if count == _LOOKED_AT:
            return
        yield line


def separated(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a text as cells, each with the number of the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    begins = 1
    try:
        for cells in reader:
            yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise UnreadableList("list_line", line=begins) from error


# ---- rows


def _rows(lines: Iterable[tuple[int, list[str]]]) -> Iterator[Row]:
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
        yield Row(number, tuple(texts))
