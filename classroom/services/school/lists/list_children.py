"""The children on a list: the first name, age band and id of each. All other data is dropped.

A list is either a table, or a zip of tables for a whole school in the format of OneRoster 1.1,
OneRoster 1.2 or Clever. In a zip, the needed columns are found by their headings. Of the other
columns, only the headings are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from classroom.services.base.names import tidy
from classroom.services.school.lists import columns
from classroom.services.school.lists.columns import BULLET, Guess, plain
from classroom.services.school.lists.reading import Files
from classroom.services.school.lists.tabular import (
    Bundle,
    LeftOut,
    ListedChild,
    ListedClass,
    ListRow,
    ListTable,
    UnreadableList,
)

# The kinds of columns whose text is stored for a child, in full or in part. Of the other columns,
# at most an age band or a few letters of a name are stored.
KEPT_COLUMNS: Final = ("first", "preferred", "name", "age", "class", "sourced_id")
AGED: Final = ("grade", "birth")  # the kinds of columns from which an age band is worked out
_PUPILS: Final = "students|pupils|children|boys|girls|schüler|kinder|élèves|alumnos"
_TOTAL: Final = re.compile(  # the whole line must match: `Sum Yi` and `Total B.` may be children
    r"(?:grand ?)?(?:total|totals|totale|totaux|summe|gesamt|insgesamt|anzahl|count|sum|suma)\b"
    rf"(?:[\W\d]|\b(?:number|of|and|de|der|des|{_PUPILS})\b)*|\d+ (?:{_PUPILS})\b.*",
    re.IGNORECASE,
)
_AGED: Final = ("grades", "grade", "birthdate", "dob")  # columns of a zip that give the age
_BOUND: Final = ("عبد", "أبو", "ابو")  # Arabic words that begin a first name of two words


def of_table(table: ListTable, guess: Guess, today: date) -> Bundle:
    """Take the children from the rows below the headings. The class column gives the names of the
    classes; without such a column, there is one class with no name. In the bundle, `dropped` and
    `aged` contain the headings of columns or, without headings, their numbers."""
    rows, left_out = _children(table.rows[guess.begins :], guess)
    births = [row.cell(guess.at("birth")) for row in rows]
    month_first, loud = columns.month_comes_first(births), _is_loud(rows, guess)
    classes: dict[str, list[ListedChild]] = {}
    for row in rows:
        person = _person(row, guess, today, month_first)
        if person.name:
            person = replace(person, name=person.name.title()) if loud else person
            classes.setdefault(row.cell(guess.at("class")), []).append(person)
        else:
            left_out.append(LeftOut(row.number, "no_name"))
    return Bundle(
        kind="",
        classes=tuple(ListedClass("", name, tuple(people)) for name, people in classes.items()),
        left_out=tuple(sorted(left_out, key=lambda line: line.number)),
        dropped=tuple(called for kind, called in _columns(guess) if kind not in KEPT_COLUMNS),
        aged=tuple(called for kind, called in _columns(guess) if kind in AGED),
    )


def of_zip(files: Files, today: date) -> Bundle:
    """The classes in a zip and their children. Raises UnreadableList."""
    for names in (_ONEROSTER, _CLEVER):
        if names.children in files.by_name:
            if _NEEDED not in files.by_name:
                raise UnreadableList("list_no_enrollments")
            return _Reader(files, names, today).bundle()
    raise UnreadableList("list_zip")


# ---- a table


def _children(rows: Sequence[ListRow], guess: Guess) -> tuple[list[ListRow], list[LeftOut]]:
    """The rows with a child, and the lines that are left out because they are totals or notes."""
    found, left_out = [], []
    filled = sorted(sum(map(bool, row.cells)) for row in rows)
    usual = filled[len(filled) // 2] if filled else 0
    for row in rows:
        words = [cell for cell in row.cells if cell]
        if row.cells == guess.headings or set(map(plain, words)) == set(map(plain, guess.headings)):
            continue  # the headings are repeated at the top of each printed page
        if _TOTAL.fullmatch(" ".join(words)):
            left_out.append(LeftOut(row.number, "total"))
        elif usual >= 3 and len(words) == 1:
            left_out.append(LeftOut(row.number, "note"))
        elif row.cell(guess.at("role")).casefold() in ("", "student", "pupil", "learner"):
            found.append(row)
    return found, left_out


def _person(row: ListRow, guess: Guess, today: date, month_first: bool) -> ListedChild:
    first, last = _names(row, guess)
    band = (
        columns.of_age(row.cell(guess.at("age")))
        or columns.of_birth(row.cell(guess.at("birth")), today, month_first)
        or columns.of_grade(row.cell(guess.at("grade")), guess.english)
        or columns.of_grade(row.cell(guess.at("class")), guess.english)
    )
    return ListedChild(row.number, first, last, band, row.cell(guess.at("sourced_id")))


def _names(row: ListRow, guess: Guess) -> tuple[str, str]:
    first, last = row.cell(guess.at("first")), row.cell(guess.at("last"))
    if not first:
        first, other = split(row.cell(guess.at("name")))
        last = last or other
    elif not last and "," in first:
        first, last = split(first)
    return tidy(BULLET.sub("", row.cell(guess.at("preferred")) or first)), last


def split(name: str) -> tuple[str, str]:
    """Split a name like `Smith, Mia` or `Mia Smith` into the first name and the last name. An
    initial after the first name counts as part of the first name.

    >>> split("Smith, Mia Sophie"), split("Mia van der Berg"), split("Mia B.")
    (('Mia', 'Smith'), ('Mia', 'van der Berg'), ('Mia B.', ''))
    """
    name = BULLET.sub("", name)
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma and first:
        return first.split()[0], last
    words = last.split()
    if len(words) > 1 and _is_east_asian(words[0]):
        return " ".join(words[1:]), words[0]
    if len(words) > 2 and words[0] in _BOUND:
        return " ".join(words[:2]), " ".join(words[2:])
    if len(words) == 2 and len(words[1].rstrip(".")) < 2:
        return " ".join(words), ""
    return (words[0], " ".join(words[1:])) if words else ("", "")


def _is_east_asian(word: str) -> bool:
    """Whether a word is in Han, Kana or Hangul, where the family name comes first."""
    return all("\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7a3" for sign in word)


def _is_loud(rows: Sequence[ListRow], guess: Guess) -> bool:
    """Whether all names in the list are in capitals, as some programs write them."""
    found = [name for row in rows if (name := _names(row, guess)[0])]
    return len(found) > 2 and all(name.isupper() for name in found if name != name.casefold())


def _columns(guess: Guess) -> Iterator[tuple[str, str]]:
    """Yield the kind and the heading of each column; columns without a heading are left out. If the
    list has no headings at all, yield the kind and the number of each column."""
    for at, kind in enumerate(guess.kinds):
        heading = guess.headings[at] if at < len(guess.headings) else ""
        if heading or not guess.headings:
            yield kind, heading or str(at + 1)


# ---- OneRoster and Clever


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of the tables and columns in one bundle format."""

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
    about_rows: tuple[str, ...] = ()  # columns that describe the row, not the child


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
    about_rows=("status", "role", "enableduser", "datelastmodified"),
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
)
_NEEDED: Final = "enrollments.csv"


class _Reader:
    """Reads one bundle. Tables refer to each other by id; lines with unknown ids are left out."""

    def __init__(self, files: Files, names: _Names, today: date) -> None:
        self._files, self._names, self._today = files, names, today
        self._facts = {row.get("propertyname", ""): row for _, row in files.table("manifest.csv")}
        self._left_out: list[LeftOut] = []

    def bundle(self) -> Bundle:
        children, classes = self._children(), self._classes()
        found = [
            replace(classes.get(key, ListedClass(key, "")), people=tuple(people))
            for key, people in self._members(children, classes).items()
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
            if key := row.get(self._names.class_id, ""):
                name = row.get(self._names.class_name, "") or key
                home = row.get("classtype", "").casefold() == "homeroom"
                found[key] = ListedClass(key, name, gone=_is_gone(row), home=home)
        return found

    def _children(self) -> dict[str, ListedChild]:
        """The children by id. OneRoster 1.1 has the roles in users.csv, 1.2 in roles.csv."""
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
            band = births.get(key) or columns.of_grade(row.get(names.grade, "").partition(",")[0])
            last = row.get(names.last, "")
            found[key] = ListedChild(number, name, last, band, key, gone=_is_gone(row))
        return found

    def _roles(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for _, row in self._files.table("roles.csv"):
            if not _is_gone(row):
                key = row.get("usersourcedid", "")
                found[key] = found.get(key, "") + " " + row.get("role", "")
        return found

    def _births(self) -> dict[str, str]:
        """The age band of each child whose date of birth is given, by the child's id."""
        return {
            row.get("sourcedid", ""): band
            for _, row in self._files.table("demographics.csv")
            if (band := columns.of_birth(row.get("birthdate", ""), self._today))
        }

    def _members(
        self, children: dict[str, ListedChild], classes: dict[str, ListedClass]
    ) -> dict[str, list[ListedChild]]:
        """The children by class id. In a delta, children who left a class are marked as gone."""
        found: dict[str, dict[str, ListedChild]] = {key: {} for key in classes}
        for number, row in self._files.table(_NEEDED):
            if row.get("role", "student").casefold() not in ("", "student"):
                continue
            key, class_id = row.get(self._names.of_child, ""), row.get(self._names.of_class, "")
            gone = _is_gone(row)
            if class_id not in found and not self._delta:
                self._left_out.append(LeftOut(number, "unknown_class", _NEEDED))
            elif key in children or (self._delta and key and gone):
                child = children.get(key) or ListedChild(number, "", sourced_id=key)
                if gone and self._delta:
                    child = ListedChild(child.number, child.name, child.last, None, key, gone=True)
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
        """The names of the dropped columns about children, for the page to list."""
        tables = self._names.children, "demographics.csv"
        found = dict.fromkeys(c for table in tables for c in self._files.columns(table))
        used = {self._names.child_id, *self._names.first, *self._names.about_rows}
        return tuple(c for c in found if c.casefold().replace("_", "") not in used)


def _is_gone(row: dict[str, str]) -> bool:
    return row.get("status", "").casefold() in ("tobedeleted", "inactive")
