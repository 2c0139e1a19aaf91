"""The values that a list is read into, the text that carries them in a form, and limits on reading.

No part of a list is stored on the server: a hidden field of the form carries the list from step to
step. At first the field has the table as it was read, so that the columns can be corrected. Later
it has only the children's names, bands and ids, and as many letters of the last name, usually one,
as are needed to tell two children apart.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Final

from classroom.services.base import names, secrets_
from classroom.services.base.errors import Refused

FILE_BYTES: Final = 900_000  # maximum size of an uploaded file in bytes; the request may be larger
UNZIPPED_BYTES: Final = 20_000_000  # maximum size in bytes of an unpacked zip or spreadsheet
ROWS: Final = 2_000
COLUMNS: Final = 60
CELL: Final = 200  # how many characters of a cell are read; names are far shorter
SIGNATURE: Final = 64  # length in characters of the signature before a list's text
MOST_LETTERS: Final = 3  # the most letters of a last name that are used to tell children apart


class UnreadableList(Refused):
    """The list cannot be read; the code says why. `facts` may have the number of the `line`."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of a table. `number`: its line in the file, counted from 1."""

    number: int
    cells: tuple[str, ...]

    def cell(self, at: int | None) -> str:
        """The text of a cell; "" if `at` is None or past the last cell."""
        return self.cells[at] if at is not None and at < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class ListTable:
    """Rows of cells, without empty rows."""

    rows: tuple[ListRow, ...]

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


@dataclass(frozen=True, slots=True)
class ListedChild:
    """A child on a list. `number`: its line, counted from 1. `last`: the last name or its first
    letters, to tell children with the same first name apart; it is never stored in full. `band`:
    None if the list gives no age. `sourced_id`: the child's id in the school's own system, "" if
    there is none. `gone`: the list says that the child has left."""

    number: int
    name: str
    last: str = ""
    band: str | None = None
    sourced_id: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line from which no child is taken. `why`: `total`, `note`, `no_name`, `unknown_child` or
    `unknown_class`. `file`: the table in the zip that contains the line, "" for a single table."""

    number: int
    why: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class ListedClass:
    """A class on a list, and its children. `name`: "" if the list does not give one. `gone`: the
    list says that the class has ended. `home`: the list says that this is the children's main class
    (a homeroom), not a class for one subject."""

    sourced_id: str
    name: str
    people: tuple[ListedChild, ...] = ()
    gone: bool = False
    home: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The classes of a whole school or of a part of it. `kind`: the format, like `OneRoster 1.1`.
    `delta`: the bundle has only changes, so a child who is not in it has not left. `loose`:
    children without a class in this bundle. `dropped`: the columns that are not kept, for the page
    to list. `aged`: the dropped columns from which age bands are worked out."""

    kind: str
    classes: tuple[ListedClass, ...]
    delta: bool = False
    loose: tuple[ListedChild, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    dropped: tuple[str, ...] = ()
    aged: tuple[str, ...] = ()

    @property
    def has_ids(self) -> bool:
        """Whether any child has an id from the school's own system."""
        people = (one for listed in self.classes for one in listed.people)
        return any(one.sourced_id for one in (*people, *self.loose))


def told_apart(
    people: Iterable[ListedChild], present: Collection[str] = ()
) -> tuple[ListedChild, ...]:
    """Give different names to people with the same first name: add the initial of the last name or,
    if they share that too, more letters ("Mia Sm.", "Mia St."). `present`: the names of the
    children in the class. A child whose name in the class has an initial keeps that name."""
    tidy = [replace(one, name=names.tidy(one.name)) for one in people]
    found = []
    for one, same, letters in zip(tidy, _namesakes(tidy), last_letters(tidy), strict=True):
        name, known = one.name, f"{one.name} {letters[:1]}."
        if letters and known in present:
            name = known
        elif letters and len(same) > 1:
            name = f"{name} {letters}."
        found.append(replace(one, name=name, last=""))
    return tuple(found)


def last_letters(people: Sequence[ListedChild]) -> tuple[str, ...]:
    """As many letters of each person's last name as are needed to tell people with the same first
    name apart: one letter, or up to MOST_LETTERS if two people share that letter."""
    return tuple(
        _beginning(one.last, _letters([people[at].last for at in same]))
        for one, same in zip(people, _namesakes(people), strict=True)
    )


def _namesakes(people: Sequence[ListedChild]) -> list[list[int]]:
    """For each person, the indexes of everyone with the same first name, the person included."""
    looks = [names.looks(one.name) for one in people]
    return [[at for at, other in enumerate(looks) if mine & other] for mine in looks]


def _letters(lasts: Sequence[str]) -> int:
    """The smallest number of letters that tells as many of these last names apart as possible."""

    def apart(letters: int) -> int:
        return len({_beginning(last, letters).casefold() for last in lasts})

    return max(range(1, MOST_LETTERS + 1), key=lambda letters: (apart(letters), -letters))


def _beginning(last: str, letters: int) -> str:
    """The first letters of a last name; for `van der Berg`, the first letters of `Berg`."""
    words = last.split()
    word = next((word for word in words if word[:1].isupper()), words[0] if words else "")
    found = [sign for sign in word if sign.isalpha()][:letters]
    return "".join([*map(str.upper, found[:1]), *map(str.lower, found[1:])])


# ---- as text for a form, with a signature, so that only what our pages sent is read


def pack_table(table: ListTable) -> str:
    return _packed("table", [[row.number, row.cells] for row in table.rows])


def unpack_table(text: str) -> ListTable:
    """The table that a form carries. Raises UnreadableList if it is not what our pages send."""
    rows = _unpacked("table", text)
    return ListTable(tuple(ListRow(number, tuple(cells)) for number, cells in rows))


def pack_bundle(bundle: Bundle) -> str:
    """The bundle as text for a form. Raises UnreadableList if the text would be too large."""
    classes = tuple(replace(one, people=_short(one.people)) for one in bundle.classes)
    left_out = bundle.left_out[:50]
    short = replace(bundle, classes=classes, loose=_short(bundle.loose), left_out=left_out)
    return _packed("bundle", astuple(short))


def unpack_bundle(text: str) -> Bundle:
    """The bundle that a form carries. Raises UnreadableList if it is not what our pages send."""
    kind, classes, delta, loose, left_out, dropped, aged = _unpacked("bundle", text)
    return Bundle(
        kind=kind,
        classes=tuple(
            ListedClass(key, name, _people(people), gone, home)
            for key, name, people, gone, home in classes
        ),
        delta=delta,
        loose=_people(loose),
        left_out=tuple(LeftOut(*line) for line in left_out),
        dropped=tuple(dropped),
        aged=tuple(aged),
    )


def pack_people(people: Sequence[ListedChild]) -> str:
    return _packed("people", [astuple(one) for one in _short(people)])


def unpack_people(text: str) -> tuple[ListedChild, ...]:
    return _people(_unpacked("people", text))


def _short(people: Sequence[ListedChild]) -> tuple[ListedChild, ...]:
    """These people with only the needed letters of their last names."""
    pairs = zip(people, last_letters(people), strict=True)
    return tuple(replace(one, last=letters) for one, letters in pairs)


def _people(found: Iterable[Sequence[Any]]) -> tuple[ListedChild, ...]:
    return tuple(ListedChild(*one) for one in found)


def _packed(what: str, value: object) -> str:
    text = json.dumps(value, separators=(",", ":"))
    signed = secrets_.sign("list", what, text).hex() + text
    if len(signed) > FILE_BYTES:
        raise UnreadableList("list_large", most=FILE_BYTES // 1000)
    return signed


def _unpacked(what: str, signed: str) -> Any:
    signature, text = signed[:SIGNATURE], signed[SIGNATURE:]
    if not secrets_.same(secrets_.sign("list", what, text).hex(), signature):
        raise UnreadableList("list_damaged")
    return json.loads(text)
