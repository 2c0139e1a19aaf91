"""The plan for a class's next lesson: who sits with whom, at which game, with which numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import selectinload

from classroom.database import db, write_unit
from classroom.models import Child, PlannedSeat, PlannedTable, SchoolClass
from classroom.services.base import audit, names, notices, versions
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import held
from classroom.services.lesson import gatherings, presence, seating
from classroom.services.lesson.open_tables import Friend, face_of
from classroom.services.quiz.question_settings import RANGES
from classroom.services.table import offers

MOST: Final = 12  # tables of a plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A planned table. `game`: the key of an offer; `numbers`: one of question_settings.RANGES (the
    first one means each child's own range); `children`: their ids."""

    game: str
    numbers: tuple[int, int] = RANGES[0]
    children: tuple[int, ...]


def of_class(class_id: int) -> tuple[Table, ...]:
    """The plan of a class; empty if there is none."""
    rows = db.session.scalars(
        select(PlannedTable)
        .where(PlannedTable.class_id == class_id)
        .options(selectinload(PlannedTable.seats))
        .order_by(PlannedTable.id)
    )
    return tuple(
        Table(
            game=row.game,
            numbers=_numbers(row.number_low, row.number_high),
            children=tuple(seat.child_id for seat in row.seats),
        )
        for row in rows
    )


def proposed(class_id: int, size: int, how: str) -> tuple[Table, ...]:
    """A plan for all children of a class, with the groups that `seating.split` makes."""
    game = offers.shelf(class_id)[0].key
    every = list(db.session.scalars(select(Child.id).where(Child.class_id == class_id)))
    groups = seating.split(class_id, seating.by_level(class_id, every), size, how)
    return tuple(Table(game=game, children=tuple(group)) for group in groups)


def save(class_id: int, tables: Sequence[Table], by: int | None = None, version: str = "") -> None:
    """Replace the plan. Tables without children are left out, as are children of other classes; a
    child sits where it is named first.

    Raises Refused("too_many") if a table has more children than its game allows,
    Refused("tables_full" | "numbers"), NotFound for a game that is not on the shelf, and Changed.
    """
    with write_unit():
        held(SchoolClass, class_id)
        versions.check(version, of_class(class_id))
        ours = set(db.session.scalars(select(Child.id).where(Child.class_id == class_id)))
        kept = [one for one in _tidied(tables, ours) if one.children]
        if len(kept) > MOST:
            raise Refused("tables_full", most=MOST)
        for one in kept:
            _check(class_id, one)
        db.session.execute(delete(PlannedTable).where(PlannedTable.class_id == class_id))
        for one in kept:
            low, high = (None, None) if one.numbers == RANGES[0] else one.numbers
            row = PlannedTable(class_id=class_id, game=one.game, number_low=low, number_high=high)
            row.seats = [PlannedSeat(child_id=child) for child in one.children]
            db.session.add(row)
        audit.record(by, "plan", "class", class_id)


def begin(class_id: int, by: int | None = None) -> tuple[int, ...]:
    """Set the planned tables and start those with a child who is signed in; returns their rounds.
    The others wait for the teacher. Raises Refused: no_plan, plan_game (the game is gone)."""
    tables = of_class(class_id)
    if not tables:
        raise Refused("no_plan")
    with write_unit():
        gatherings.hold_children(Child.class_id == class_id)
        seating.clear_all(class_id)
        for one in tables:
            fewest, most = _seats(class_id, one.game)
            size = min(max(fewest, len(one.children)), most)
            numbers = None if one.numbers == RANGES[0] else one.numbers
            seating.set_up(class_id, one.game, size, list(one.children), by, numbers)
        audit.record(by, "seat", "class", class_id)
    notices.friends(class_id)
    if not presence.here(class_id):
        return ()
    return seating.start_all(class_id, by, keep_empty=True)


def _tidied(tables: Sequence[Table], ours: set[int]) -> list[Table]:
    left, found = set(ours), []
    for one in tables:
        children = tuple(dict.fromkeys(child for child in one.children if child in left))
        left -= set(children)
        found.append(Table(game=one.game, numbers=one.numbers, children=children))
    return found


def _check(class_id: int, one: Table) -> None:
    if one.game not in offers.offered(class_id):
        raise NotFound("game")
    if one.numbers not in RANGES:
        raise Refused("numbers")
    if len(one.children) > min(offers.find(class_id, one.game).seats[1], gatherings.LARGEST):
        raise Refused("too_many")


def _seats(class_id: int, game: str) -> tuple[int, int]:
    try:
        return offers.find(class_id, game).seats
    except NotFound:
        raise Refused("plan_game") from None


def _numbers(low: int | None, high: int | None) -> tuple[int, int]:
    return RANGES[0] if low is None or high is None else (low, high)


def children_of(class_id: int) -> tuple[Friend, ...]:
    """The children of a class by name."""
    rows = db.session.scalars(select(Child).where(Child.class_id == class_id))
    return tuple(map(face_of, sorted(rows, key=lambda row: names.order(row.name, row.id))))


def places(tables: Sequence[Table]) -> Mapping[int, int]:
    """The number of each child's table in the plan, counted from 1."""
    return {child: number for number, one in enumerate(tables, 1) for child in one.children}
