"""A zip of tables for a whole school: OneRoster 1.1 and 1.2, and the files of Clever.

The tables may be in a folder inside the zip. A few columns are found by name and read; of the
others, only the names are used.
"""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath
from typing import Final

from classroom.services.school.lists import ages
from classroom.services.school.lists.encodings import decode
from classroom.services.school.lists.tables import (
    CELL,
    UNZIPPED_BYTES,
    Bundle,
    LeftOut,
    ListedClass,
    Person,
    UnreadableList,
)

FILES: Final = 200  # most files in a zip
LINES: Final = 200_000  # most lines of a table in a zip
_SHEET: Final = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")
_AGED: Final = ("grades", "grade", "birthdate", "dob")  # columns that give the age
_DAMAGED: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError,
)  # fmt: skip


@dataclass(frozen=True)
class Files:
    """The files of a zip: the name of each without folders, in small letters, and its bytes."""

    by_name: dict[str, bytes]
    is_sheet: bool = False

    def only_table(self) -> bytes | None:
        """The only table in this zip; None if it holds none or several."""
        tables = [n for n in self.by_name if n.endswith((".csv", ".tsv", ".txt"))]
        return self.by_name[tables[0]] if len(tables) == 1 else None

    def table(self, name: str) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the number of each line of a table, and its cells by the names of their columns."""
        text = decode(self.by_name.get(name, b""))
        reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
        begins = 1
        try:
            columns = [cell.strip().casefold().replace("_", "") for cell in next(reader, [])]
            begins = reader.line_num + 1
            for cells in reader:
                if any(cells):
                    tidy = (cell[:CELL].strip() for cell in cells)
                    yield begins, dict(zip(columns, tidy, strict=False))
                begins = reader.line_num + 1
                if begins > LINES:
                    raise UnreadableList("list_rows", line=begins, most=LINES)
        except csv.Error as error:
            raise UnreadableList("list_line", line=begins) from error

    def columns(self, name: str) -> list[str]:
        """The names of a table's columns, as they stand in its first line."""
        text = decode(self.by_name.get(name, b""))
        first = next(io.StringIO(text, newline=""), "")  # an old Mac ends its lines with CR alone
        cells = next(csv.reader([first.strip()[: 100 * CELL]]), [])
        return [cell.strip()[:CELL] for cell in cells]


def contents(data: bytes) -> Files:
    """The tables of a zip; never reads more than is allowed. Raises UnreadableList."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entries = [entry for entry in packed.infolist() if not _is_litter(entry)]
            if len(entries) > FILES or sum(one.file_size for one in entries) > UNZIPPED_BYTES:
                raise UnreadableList("list_unzipped", most=UNZIPPED_BYTES // 1_000_000)
            if any(entry.flag_bits & 1 for entry in entries):
                raise UnreadableList("list_password")
            if any(entry.filename in _SHEET for entry in entries):
                return Files({}, is_sheet=True)
            return Files(_tables(packed, entries))
    except _DAMAGED as error:
        raise UnreadableList("list_damaged") from error


def _is_litter(entry: zipfile.ZipInfo) -> bool:
    """Whether this is a folder, or what a Mac adds to a zip."""
    path = PurePosixPath(entry.filename)
    return entry.is_dir() or "__MACOSX" in path.parts or path.name.startswith(".")


def _tables(packed: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> dict[str, bytes]:
    """The bytes of each table. If a name occurs twice, the file inside fewer folders counts."""
    nearest = sorted(entries, key=lambda entry: entry.filename.replace("\\", "/").count("/"))
    found: dict[str, bytes] = {}
    for entry in nearest:
        name = PurePosixPath(entry.filename.replace("\\", "/")).name.casefold()
        if name.endswith((".csv", ".tsv", ".txt")) and name not in found:
            found[name] = packed.read(entry)
    return found


# ---- OneRoster and Clever


@dataclass(frozen=True, slots=True)
class _Names:
    """How a kind of bundle names its tables and columns."""

    kind: str
    children: str
    classes: str
    child_id: str
    class_id: str
    class_name: str
    first: tuple[str, ...]
    last: str
    grade: str
    of_child: str
    of_class: str
    used: frozenset[str] = frozenset()


_ONEROSTER: Final = _Names(
    kind="OneRoster",
    children="users.csv",
    classes="classes.csv",
    child_id="sourcedid",
    class_id="sourcedid",
    class_name="title",
    first=("preferredgivenname", "preferredfirstname", "givenname"),
    last="familyname",
    grade="grades",
    of_child="usersourcedid",
    of_class="classsourcedid",
    used=frozenset(
        "sourcedid status preferredgivenname preferredfirstname givenname role enableduser "
        "datelastmodified".split()
    ),
)
_CLEVER: Final = _Names(
    kind="Clever",
    children="students.csv",
    classes="sections.csv",
    child_id="studentid",
    class_id="sectionid",
    class_name="name",
    first=("preferredfirstname", "preferredname", "firstname"),
    last="lastname",
    grade="grade",
    of_child="studentid",
    of_class="sectionid",
    used=frozenset("studentid preferredfirstname preferredname firstname".split()),
)
_NEEDED: Final = "enrollments.csv"


def read(files: Files, today: date) -> Bundle:
    """The classes of a bundle and their children. Raises UnreadableList."""
    for names in (_ONEROSTER, _CLEVER):
        if names.children in files.by_name:
            if _NEEDED not in files.by_name:
                raise UnreadableList("list_no_enrollments")
            return _Reader(files, names, today).bundle()
    raise UnreadableList("list_zip")


class _Reader:
    """Reads one bundle. Tables refer to each other by ids; a line whose id leads nowhere is left
    out."""

    def __init__(self, files: Files, names: _Names, today: date) -> None:
        self._files, self._names, self._today = files, names, today
        self._facts = {row.get("propertyname", ""): row for _, row in files.table("manifest.csv")}
        self._left_out: list[LeftOut] = []

    def bundle(self) -> Bundle:
        children, classes = self._children(), self._classes()
        members = self._members(children, classes)
        found = [
            replace(classes.get(key, ListedClass(key, "")), people=tuple(people))
            for key, people in members.items()
        ]
        found = [listed for listed in found if self._delta or not listed.gone]
        placed = {one.sourced_id for listed in found for one in listed.people}
        return Bundle(
            kind=self._kind,
            classes=tuple(sorted(found, key=lambda one: (one.name.casefold(), one.sourced_id))),
            delta=self._delta,
            loose=tuple(one for key, one in children.items() if key not in placed),
            left_out=tuple(self._left_out),
            dropped=self._dropped(),
            aged=tuple(one for one in self._dropped() if one.casefold() in _AGED),
        )

    def _classes(self) -> dict[str, ListedClass]:
        found = {}
        for _, row in self._files.table(self._names.classes):
            key = row.get(self._names.class_id, "")
            if key:
                name, home = row.get(self._names.class_name, ""), row.get("classtype", "")
                found[key] = ListedClass(
                    key, name or key, gone=_is_gone(row), home=home.casefold() == "homeroom"
                )
        return found

    def _children(self) -> dict[str, Person]:
        """The children by their ids. The role is in users.csv (1.1) or in roles.csv (1.2)."""
        names, births, roles = self._names, self._births(), self._roles()
        found = {}
        for number, row in self._files.table(names.children):
            key = row.get(names.child_id, "")
            role = row.get("role", "") or roles.get(key, "" if roles else "student")
            if not key or "student" not in role.casefold().split():
                continue
            name = next((row[field] for field in names.first if row.get(field)), "")
            if not name and not _is_gone(row):
                self._left_out.append(LeftOut(number, "no_name", names.children))
                continue
            band = births.get(key) or ages.of_grade(row.get(names.grade, "").partition(",")[0])
            last = row.get(names.last, "")
            found[key] = Person(number, name, last, band, key, gone=_is_gone(row))
        return found

    def _roles(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for _, row in self._files.table("roles.csv"):
            if not _is_gone(row):
                key = row.get("usersourcedid", "")
                found[key] = found.get(key, "") + " " + row.get("role", "")
        return found

    def _births(self) -> dict[str, str]:
        """The age band of each child whose date of birth is given."""
        found = {}
        for _, row in self._files.table("demographics.csv"):
            band = ages.of_birth(row.get("birthdate", ""), self._today)
            if band:
                found[row.get("sourcedid", "")] = band
        return found

    def _members(
        self, children: dict[str, Person], classes: dict[str, ListedClass]
    ) -> dict[str, list[Person]]:
        """The children of each class. In a delta, those who have left it are marked as gone."""
        found: dict[str, dict[str, Person]] = {key: {} for key in classes}
        for number, row in self._files.table(_NEEDED):
            if row.get("role", "student").casefold() not in ("", "student"):
                continue
            key, class_id = row.get(self._names.of_child, ""), row.get(self._names.of_class, "")
            gone = _is_gone(row)
            if class_id not in found and not self._delta:
                self._left_out.append(LeftOut(number, "unknown_class", _NEEDED))
            elif key in children or (self._delta and key and gone):
                child = children.get(key) or Person(number, "", sourced_id=key)
                if gone and self._delta:
                    child = Person(child.number, child.name, child.last, None, key, gone=True)
                if not child.gone or self._delta:
                    found.setdefault(class_id, {}).setdefault(key, child)
            elif not self._delta and not gone:
                self._left_out.append(LeftOut(number, "unknown_child", _NEEDED))
        return {class_id: list(people.values()) for class_id, people in found.items()}

    @property
    def _delta(self) -> bool:
        about = ("file.users", "file.enrollments")
        return any(self._facts.get(key, {}).get("value", "").casefold() == "delta" for key in about)

    @property
    def _kind(self) -> str:
        version = self._facts.get("oneroster.version", {}).get("value", "")
        if not version and self._names is _ONEROSTER:
            version = "1.2" if "roles.csv" in self._files.by_name else "1.1"
        return f"{self._names.kind} {version}".strip()

    def _dropped(self) -> tuple[str, ...]:
        """The names of the columns about children that the page lists as not kept."""
        columns = [*self._files.columns(self._names.children)]
        columns += [c for c in self._files.columns("demographics.csv") if c not in columns]
        return tuple(c for c in columns if c.casefold().replace("_", "") not in self._names.used)


def _is_gone(row: dict[str, str]) -> bool:
    return row.get("status", "").casefold() in ("tobedeleted", "inactive")
