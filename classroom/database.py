"""The database: naming of constraints, what each connection is set to, and the one way to write.

SQLite is the default (WAL, synchronous=FULL: an acknowledged move survives power loss); the same
code runs on PostgreSQL. A read begins DEFERRED; whatever writes goes through `write_unit`, which
begins IMMEDIATE: a read that turns into a write fails at once in SQLite whatever the time-out.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import MetaData, event
from sqlalchemy.engine import Engine
from sqlalchemy.orm import DeclarativeBase

PRAGMAS = (
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is deleted is overwritten, not only forgotten
)


class Base(DeclarativeBase):
    """Every table; names of constraints follow one convention, so that migrations can name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base)

# One writer at a time per process: SQLite's own waiting is unfair under load (measured: the worst
# wait falls from 1.1 s to 0.2 s). PostgreSQL does not need it and is not slowed by it noticeably.
_writer = threading.RLock()


def prepare(engine: Engine) -> None:
    """Set up every connection of this engine. Nothing to do except on SQLite."""
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we send BEGIN ourselves
        for pragma in PRAGMAS:
            connection.execute("PRAGMA " + pragma)

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        mode = connection.get_execution_options().get("sqlite_begin", "DEFERRED")
        connection.exec_driver_sql("BEGIN " + mode)


@contextmanager
def write_unit() -> Iterator[None]:
    """The one way to write: all of the block is committed, or nothing is.

    Must begin before anything is read in this session: what was read earlier may be stale, so an
    open read transaction is ended first.
    """
    with _writer:
        db.session.rollback()
        db.session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
        try:
            yield
            db.session.commit()
        except BaseException:
            db.session.rollback()
            raise


def forget_deleted() -> None:
    """Empty SQLite's write-ahead log into the file, so that deleted things are in neither.

    A reader that is busy for longer than busy_timeout leaves the log to the next checkpoint.
    """
    if db.engine.dialect.name != "sqlite":
        return
    with _writer:
        db.session.rollback()
        connection = db.engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()
