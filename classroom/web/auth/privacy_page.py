"""The privacy page for parents and staff, with a part for children.

Like PRIVACY.md, it is made from the register (classroom/privacy.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app, render_template

from classroom import privacy
from classroom.privacy import REGISTER, Column, TableEntry


@dataclass(frozen=True, slots=True)
class Kept:
    """A table of the database on the page. `columns`: name, purpose and note of each."""

    what: str
    seen_by: str
    keep: str
    delete: str
    columns: tuple[tuple[str, str, str], ...]


def privacy_page() -> str:
    """The page that says what is kept about whom, what for, who sees it, and for how long."""
    of_children = [name for name in REGISTER if privacy.in_record(name)]
    others = [name for name in REGISTER if name not in of_children]
    return render_template(
        "pages/auth/privacy.html",
        told=privacy,
        contact=current_app.config["CONTACT"],
        of_children=[_kept(REGISTER[name]) for name in of_children],
        others=[_kept(REGISTER[name]) for name in others],
    )


def _kept(table: TableEntry) -> Kept:
    first: Column = table.first
    columns = tuple(
        (name, line.purpose, privacy.note(line, table)) for name, line in table.columns.items()
    )
    return Kept(
        what=table.what,
        seen_by=first.seen_by,
        keep=first.keep,
        delete=first.delete,
        columns=columns,
    )
