"""A child's collection: every book that it has made, in whatever game.

A book is kept by what it is made of: its class as in docs/record.md, so that sevens are sevens in
every game, or the two numbers of Make Ten ("3+7"). Books that an earlier version only counted
appear as "". A book that was dealt complete is nobody's work, and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from sqlalchemy import bindparam, select, update

from classroom.database import run
from classroom.engine.books import Book, common_traits, finder_of
from classroom.engine.cards import value_of
from classroom.engine.rules import Rules
from classroom.engine.state import Step
from classroom.models import ChildRound
from classroom.services.table.states import Live

UNKNOWN: Final = ""  # a book of a round that an earlier version recorded
_rows = ChildRound.__table__.c
_THIS = (_rows.child_id == bindparam("child"), _rows.round_id == bindparam("round"))
_MADE = select(_rows.made).where(*_THIS)
_KEEP = update(ChildRound.__table__).where(*_THIS).values(made=bindparam("kept"))
_ALL = select(_rows.made, _rows.books).where(_rows.child_id == bindparam("child"), _rows.books > 0)


def keep(live: Live, step: Step, seat: int, child_id: int) -> None:
    """Add the books that this move laid for the seat. Call it in the move's unit."""
    laid = step.state.books[seat][len(live.state.books[seat]) :]
    if not laid:
        return
    this = {"child": child_id, "round": live.facts.round_id}
    made = run(_MADE, this).scalar() or []
    names = [name_of(step.state.rules, book) for book in laid]
    run(_KEEP, this | {"kept": [*made, *names]})


def name_of(rules: Rules, book: Book) -> str:
    """The text under which the book is kept, which says what it is made of."""
    if rules.book_kind == "sum":
        return "+".join(map(str, sorted(map(value_of, book))))
    if rules.book_kind == "four":
        return common_traits(book)
    return finder_of(rules).title(book) or UNKNOWN


def made_by(child_id: int) -> Mapping[str, int]:
    """How many of each kind of book the child has made in all its rounds."""
    found: Counter[str] = Counter()
    for made, books in run(_ALL, {"child": child_id}):
        names = made or []
        found.update(names)
        found[UNKNOWN] += max(0, books - len(names))
    return +found
