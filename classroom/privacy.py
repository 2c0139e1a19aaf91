"""The privacy register, read from data/privacy.toml: what each column is for, who sees it, how long
it is kept and how it is deleted.

A test fails if a column is not in the register. PRIVACY.md, the school's papers and the app's
privacy page are made from the register, so none of them can differ from the tables.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from classroom.config import PACKAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """How long something is kept. `key`: the column of `schools` with the school's choice in days,
    from `least` to `most`. `days`: the default. `why`: the reason for these bounds."""

    key: str
    what: str
    days: int
    least: int
    most: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnEntry:
    """A column of a table. `export`: whether it is in the record that a child's family or an adult
    may ask for. `personal`: whether it describes a person, not the running of the program."""

    purpose: str
    seen_by: str
    keep: str
    delete: str
    export: bool
    personal: bool


@dataclass(frozen=True, slots=True)
class TableEntry:
    what: str
    columns: dict[str, ColumnEntry]

    @property
    def first(self) -> ColumnEntry:
        """The first column, whose texts apply to the table unless a column differs."""
        return next(iter(self.columns.values()))

    @property
    def about(self) -> str:
        """The purposes of the columns that describe a person, in one line; "" if none do."""
        return "; ".join(line.purpose for line in self.columns.values() if line.personal)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedOut:
    """Something that the program works out about a child from what the child did."""

    what: str
    used_for: str
    seen_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cookie:
    """A cookie. `days`: how many days it is kept; None: until the browser is closed."""

    name: str
    purpose: str
    days: int | None = None

    @property
    def life(self) -> str:
        return f"{self.days} days" if self.days else "until the browser is closed"


_DATA: Final = tomllib.loads((PACKAGE / "data" / "privacy.toml").read_text(encoding="utf-8"))

SHORT: Final = tuple((head, words) for head, words in _DATA["short"])
PROFILE: Final[str] = _DATA["profile"]
QUESTIONS: Final = tuple((question, answer) for question, answer in _DATA["questions"])
FOR_CHILDREN: Final = tuple((picture, words) for picture, words in _DATA["for_children"])
UNDO_DAYS: Final[int] = _DATA["undo_days"]
ABOUT_COOKIES: Final[str] = _DATA["about_cookies"]
COOKIES: Final = tuple(Cookie(**one) for one in _DATA["cookies"])
ABOUT_PERIODS: Final[str] = _DATA["about_periods"]
PERIODS: Final = tuple(Period(**one) for one in _DATA["periods"])
BY_ITSELF: Final[str] = _DATA["by_itself"]
ABOUT_A_PERSON: Final[str] = _DATA["about_a_person"]

_DAYS: Final = {period.key: period.days for period in PERIODS} | {"undo_days": UNDO_DAYS}
_PHRASES: Final = {word: text.format(**_DAYS) for word, text in _DATA["phrases"].items()}
SERVER: Final = _PHRASES["SERVER"]


def _worded(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part of the file with the names of phrases (in capitals) replaced by their texts."""
    return {key: _PHRASES.get(str(text), text) for key, text in table.items()}


def _table(
    *, what: str, columns: Mapping[str, Any], export: bool = False, **kept: str
) -> TableEntry:
    """Make a table's entry. `columns`: the purpose of each, marked if `personal` or `secret`."""
    marked = {name: {"plain": of} if isinstance(of, str) else of for name, of in columns.items()}
    return TableEntry(what, {name: _column(export, kept, **of) for name, of in marked.items()})


def _column(
    export: bool, kept: Mapping[str, str], *, plain: str = "", personal: str = "", secret: str = ""
) -> ColumnEntry:
    return ColumnEntry(
        purpose=plain or personal or secret,
        seen_by=SERVER if secret else kept["seen_by"],
        keep=kept["keep"],
        delete=kept["delete"],
        export=export and not secret,
        personal=bool(personal),
    )


WORKED_OUT: Final = tuple(WorkedOut(**_worded(one)) for one in _DATA["worked_out"])
REGISTER: Final = {name: _table(**_worded(table)) for name, table in _DATA["tables"].items()}


def in_record(name: str) -> bool:
    """Whether the table is part of a child's record; adults' data is not."""
    return name != "adults" and any(line.export for line in REGISTER[name].columns.values())


def note(line: ColumnEntry, table: TableEntry) -> str:
    """Return the note that follows the purpose of a column; "" if there is none."""
    if line.seen_by != table.first.seen_by:
        return f"seen by: {line.seen_by}"
    return "about a person" if line.personal else ""


def noted(table: TableEntry) -> dict[str, list[tuple[str, str]]]:
    """Return the columns and their purposes, grouped by their note."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, line in table.columns.items():
        found.setdefault(note(line, table), []).append((name, line.purpose))
    return found
