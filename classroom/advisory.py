"""Locks that PostgreSQL keeps for all processes of a school; SQLite has one process and one writer.

They lock no rows, only numbers that this program gives a meaning; each database has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.engine import Engine

Lock = tuple[int, int]

_OURS: Final = 0x46697368  # "Fish": other programs may use advisory locks in the same database
LEADER: Final[Lock] = (_OURS, 1)  # who holds it does the background work
UPGRADE: Final[Lock] = (_OURS, 2)
SET_UP: Final[Lock] = (_OURS, 3)


def wait_for(connection: Connection, lock: Lock) -> None:
    """Wait until no other process has this lock, and hold it until the transaction ends."""
    if connection.dialect.name == "postgresql":
        given = {"ours": lock[0], "number": lock[1]}
        connection.execute(text("SELECT pg_advisory_xact_lock(:ours, :number)"), given)


@contextmanager
def held(engine: Engine, lock: Lock) -> Iterator[None]:
    """Hold this lock during the block, on a connection of its own."""
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect() as connection:
        wait_for(connection, lock)
        yield
