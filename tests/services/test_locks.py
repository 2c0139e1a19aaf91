"""The row locks on PostgreSQL and their order; SQLite has only one writer.

Children come first, then tables, then rounds, and no lock blocks new rows that refer to locked
ones. So two processes never wait for each other.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Select, event
from sqlalchemy.dialects import postgresql

from classroom.database import db, write_unit
from classroom.services.access import sessions
from classroom.services.lesson import gatherings, open_tables, own_games, seating
from classroom.services.table import matches, rounds
from tests.playing import Classroom
from tests.services.test_lessons import a_teacher
from tests.services.test_own_games import save

ORDER = ["children", "gatherings", "rounds"]


@contextmanager
def heard() -> Iterator[list[Any]]:
    """Every SELECT in the block that locks its rows. A commit is noted as None."""
    found: list[Any] = []

    def select(_connection: Any, statement: Any, *_more: Any) -> None:
        if isinstance(statement, Select) and statement._for_update_arg is not None:
            found.append(statement)

    def commit(_connection: Any) -> None:
        found.append(None)

    event.listen(db.engine, "before_execute", select)
    event.listen(db.engine, "commit", commit)
    try:
        yield found
    finally:
        event.remove(db.engine, "before_execute", select)
        event.remove(db.engine, "commit", commit)


def place(statement: Any) -> int:
    """The place in ORDER of the table whose rows this statement locks."""
    held = statement._for_update_arg.of or statement.get_final_froms()
    return ORDER.index(held[0].name)


def at_one_table(mia: int, ben: int) -> int:
    gatherings.make(mia, "classic")
    gatherings.sit(ben, open_tables.friends(ben).tables[0].gathering_id)
    gatherings.ready(mia)
    round_id = gatherings.ready(ben)
    assert round_id is not None
    return round_id


def seated(room: Classroom, mia: int) -> None:
    seating.seat_class(room.class_id, "classic", 2, "mixed", by=a_teacher())
    table = seating.plan(room.class_id).tables[0].gathering_id
    seating.move(room.class_id, mia, table, 1)
    seating.start_all(room.class_id)


def removed(room: Classroom, mia: int) -> None:
    own = save(room)
    gatherings.make(mia, f"own-{own}")
    own_games.remove(room.class_id, own, by=None)


def played_again(mia: int, ben: int) -> None:
    round_id = at_one_table(mia, ben)
    while (turn := rounds.table(round_id, 0).observation.turn) is not None:
        table = rounds.table(round_id, turn)
        rounds.play(round_id, turn, table.observation.legal[0], f"k{table.seq}", table.seq)
    gatherings.again(round_id, mia)
    gatherings.again(round_id, ben)


ACTS: dict[str, Callable[[Classroom, int, int], object]] = {
    "friends": lambda _room, mia, ben: played_again(mia, ben),
    "seated": lambda room, mia, _ben: seated(room, mia),
    "alone": lambda _room, mia, _ben: matches.sit_down(mia, "classic"),
    "removed": lambda room, mia, _ben: removed(room, mia),
}


@pytest.mark.parametrize("act", ACTS)
def test_several_rows_are_always_locked_in_one_order(
    room: Classroom, mia: int, ben: int, act: str
) -> None:
    with write_unit():
        for child_id in (mia, ben):
            sessions.start(secrets.token_hex(16), class_id=room.class_id, child_id=child_id)
    with heard() as found:
        ACTS[act](room, mia, ben)
    units: list[list[int]] = [[]]
    for statement in found:
        if statement is None:
            units.append([])
        else:
            units[-1].append(place(statement))
            assert "FOR NO KEY UPDATE" in str(statement.compile(dialect=postgresql.dialect()))
    assert any(units)
    assert all(unit == sorted(unit) for unit in units)
