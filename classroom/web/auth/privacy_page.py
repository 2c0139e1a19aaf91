"""What the app says of itself about privacy: one page for parents and staff, a part for children.

All of it is drawn from the register, as PRIVACY.md is.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app, render_template

from classroom import privacy
from classroom.privacy import REGISTER, Column, TableEntry


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as the page tells of it. `columns`: what each is for, and what else is to be said."""

    what: str
    seen_by: str
    keep: str
    delete: str
    columns: tuple[tuple[str, str, str], ...]


def privacy_page() -> str:
    """What is kept of whom, what for, who sees it, and how long."""
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
    return Kept(table.what, first.seen_by, first.keep, first.delete, columns)
