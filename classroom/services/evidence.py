"""How evidence gets into the database and out again: the rows, and with them the counts that pages
are made of.

Tallies and windows follow from the rows; they are kept in the same transaction as each row and can
be made again from the rows at any time (`recount`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any, Final

from sqlalchemy import Row, TextClause, bindparam, delete, insert, select, text

from classroom.database import db, hold, run, write_unit
from classroom.learning.evidence import Evidence
from classroom.learning.tallies import Tally, merged
from classroom.learning.windows import Window
from classroom.models import Child, EvidenceRow, SkillWindow, TallyRow

FIELDS: Final = tuple(field.name for field in fields(Evidence))
_KEY: Final = tuple(column.name for column in TallyRow.__table__.primary_key)
SORT: Final = _KEY[1:]  # without the child
COUNTS: Final = ("n", "right", "mixed_up", "guess_sum", "lag_sum", "days", "sessions")

_rows, _windows = EvidenceRow.__table__.c, SkillWindow.__table__.c
_APPEND = insert(EvidenceRow.__table__)
WINDOW: Final = hold(
    select(_windows.window).where(
        _windows.child_id == bindparam("child"), _windows.skill == bindparam("skill")
    )
)
"""What `window_from` reads; as a part of another statement of the same unit it saves one."""


def _upsert(table: Any, what: str) -> TextClause:
    """Put a row in, or change the one of the same key. As text, which both databases understand
    alike: SQLAlchemy would put its own form together anew for each row."""
    names = [column.name for column in table.columns]
    into = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(f":{name}" for name in names)
    key = ", ".join(f'"{column.name}"' for column in table.primary_key)
    types = [bindparam(column.name, type_=column.type) for column in table.columns]
    return text(
        f"INSERT INTO {table.name} ({into}) VALUES ({values}) "  # noqa: S608 -- names of ours
        f"ON CONFLICT ({key}) DO UPDATE SET {what}"
    ).bindparams(*types)


_COUNT = _upsert(
    TallyRow.__table__,
    ", ".join(f'"{name}" = tallies."{name}" + excluded."{name}"' for name in COUNTS),
)
_MOVE_ON = _upsert(SkillWindow.__table__, '"window" = excluded."window"')


def append(child_id: int, rows: Sequence[Evidence], *read: Window) -> None:
    """Write what a child showed, and count it. Call it in the unit of the move or the answer.

    `read`: windows of their skills that were read in this unit already.
    """
    if not rows:
        return
    windows = {window.skill: window for window in read}
    tallies: list[Tally] = []
    for row in rows:
        known = windows.get(row.skill) or _window(child_id, row.skill)
        one, windows[row.skill] = known.after(row)
        tallies.append(one)
    _keep(child_id, tallies, windows.values())
    run(_APPEND, [_row(child_id, row) for row in rows])


def window_from(skill: str, kept: Any) -> Window:
    """What WINDOW found as the window of this skill; nothing was ever met where it found none."""
    return Window(skill) if kept is None else Window.from_json(skill, kept)


def _window(child_id: int, skill: str) -> Window:
    return window_from(skill, run(WINDOW, {"child": child_id, "skill": skill}).scalar())


def _keep(child_id: int, tallies: Iterable[Tally], windows: Iterable[Window]) -> None:
    """Add these tallies to those there are, and put these windows in the place of the old ones."""
    run(_COUNT, [_tally_row(child_id, one) for one in tallies])
    rows = [{"child_id": child_id, "skill": w.skill, "window": w.to_json()} for w in windows]
    run(_MOVE_ON, rows)


def _row(child_id: int, row: Evidence) -> dict[str, Any]:
    lists = {"options": list(row.options), "later_answers": list(row.later_answers)}
    return {name: getattr(row, name) for name in FIELDS} | lists | {"child_id": child_id}


def _tally_row(child_id: int, tally: Tally) -> dict[str, Any]:
    row = {name: getattr(tally, name) for name in (*SORT, *COUNTS)}
    return row | {"child_id": child_id, "trial": tally.trial or ""}


# ---- out again


def rows_of(*where: Any) -> Iterator[tuple[int, Evidence]]:
    """Evidence with the id of its child, in the order in which it was written."""
    wanted = select(EvidenceRow.__table__).where(*where).order_by(_rows.id)
    for row in db.session.execute(wanted.execution_options(yield_per=1000)):
        yield row.child_id, evidence_of(row)


def evidence_of(row: Row[Any]) -> Evidence:
    """A row of the table as the value it was written from."""
    values = {name: getattr(row, name) for name in FIELDS}
    lists = {"options": tuple(row.options), "later_answers": tuple(row.later_answers)}
    return Evidence(**values | lists)


def tally_of(row: Row[Any]) -> Tally:
    """A row of tallies, or a sum of some, as the value that estimates are made from."""
    values = {name: getattr(row, name) for name in (*SORT, *COUNTS)}
    return Tally(**values | {"trial": row.trial or None})


def window_of(row: Row[Any]) -> Window:
    """A row of windows as the value it was written from."""
    return Window.from_json(row.skill, row.window)


# ---- counted anew


def recount() -> Iterator[tuple[int, bool]]:
    """Make tallies and windows of every child anew from its evidence, child by child: its id, and
    whether what was kept was anything else. The server may go on meanwhile."""
    for child_id in db.session.scalars(select(Child.id).order_by(Child.id)).all():
        with write_unit():
            before = _kept(child_id)
            _count_all(child_id)
            differed = before != _kept(child_id)
        yield child_id, differed


def _count_all(child_id: int) -> None:
    """Who adds to a window reads it first, and waits here until all is counted; so a window that
    stays is changed and not made anew."""
    mine = _windows.child_id == child_id
    db.session.execute(hold(select(_windows.skill).where(mine)))
    db.session.execute(delete(TallyRow).where(TallyRow.child_id == child_id))
    windows: dict[str, Window] = {}
    tallies: list[Tally] = []
    for _, row in rows_of(_rows.child_id == child_id):
        one, windows[row.skill] = windows.get(row.skill, Window(row.skill)).after(row)
        tallies.append(one)
    db.session.execute(delete(SkillWindow).where(mine, _windows.skill.not_in(windows)))
    if tallies:
        _keep(child_id, merged(tallies), windows.values())


def _kept(child_id: int) -> list[list[tuple[Any, ...]]]:
    """What is kept of a child, in an order that does not depend on when it was written."""
    return [
        [
            tuple(row)
            for row in db.session.execute(
                select(table).where(table.c.child_id == child_id).order_by(*table.primary_key)
            )
        ]
        for table in (TallyRow.__table__, SkillWindow.__table__)
    ]
