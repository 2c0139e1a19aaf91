"""The values that a list is read into, and the limits on what is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.services.base.errors import Refused

FILE_BYTES: Final = 900_000  # most bytes of a file as it is sent; a request may have a few more
UNZIPPED_BYTES: Final = 20_000_000  # most bytes of everything in a zip or a spreadsheet together
ROWS: Final = 2_000
COLUMNS: Final = 60
CELL: Final = 200  # characters of a cell that are read; names are far shorter


class UnreadableList(Refused):
    """The list cannot be read. The code says why; `line` names the line where that is known."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table. `number`: its line in the file, counted from 1."""

    number: int
    cells: tuple[str, ...]

    def cell(self, at: int | None) -> str:
        """The text of a cell; "" if `at` is None or past the last cell."""
        return self.cells[at] if at is not None and at < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, without empty rows."""

    rows: tuple[Row, ...]

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


@dataclass(frozen=True, slots=True)
class Person:
    """A child as a list names it: what is kept, and the last name to tell two children apart.

    `last` is used for an initial and is never stored. `band`: None if the list gives no age.
    `sourced_id`: the id of the school's own system, "" for none. `gone`: the list says that the
    child has left.
    """

    number: int
    name: str
    last: str = ""
    band: str | None = None
    sourced_id: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line from which nothing is taken. `why`: `total`, `note`, `no_name`, `unknown_child` or
    `unknown_class`. `file`: the table in a zip that has the line, "" for a single table."""

    number: int
    why: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class ListedClass:
    """A class of a list and its children. `name`: "" if the list does not give it. `gone`: the list
    says that the class has ended. `home`: the list says that this is a class for the whole day, not
    for a subject."""

    sourced_id: str
    name: str
    people: tuple[Person, ...] = ()
    gone: bool = False
    home: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The classes of a whole school or of a part of it.

    `kind`: whose files they are, like `OneRoster 1.1`. `delta`: the bundle holds changes only, so a
    child who is not in it has not left. `loose`: children without a class in this bundle.
    `dropped`: names of the columns that the page lists as not kept; `aged`: of those, the ones from
    which ages are worked out.
    """

    kind: str
    classes: tuple[ListedClass, ...]
    delta: bool = False
    loose: tuple[Person, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    dropped: tuple[str, ...] = ()
    aged: tuple[str, ...] = ()

    @property
    def has_ids(self) -> bool:
        """Whether any child has an id of the school's own system."""
        people = (one for listed in self.classes for one in listed.people)
        return any(one.sourced_id for one in (*people, *self.loose))
