"""The database: naming of constraints, what each connection is set to, and the one way to write.

SQLite is the default (WAL, synchronous=FULL: an acknowledged move survives power loss); the same
code runs on PostgreSQL. A read begins DEFERRED; whatever writes goes through `write_unit`, which
begins IMMEDIATE: a read that turns into a write fails at once in SQLite whatever the time-out.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final, TypeVar, cast
from weakref import WeakKeyDictionary

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import CursorResult, Executable, MetaData, Select, event
from sqlalchemy.engine import Engine
from sqlalchemy.orm import DeclarativeBase

from classroom.condition import BUSY_MILLISECONDS, Condition, OpenFiles, Unavailable, trouble

__all__ = ["Unavailable", "trouble"]

Rows = TypeVar("Rows", bound=Select[Any])

PRAGMAS = (
    f"busy_timeout={BUSY_MILLISECONDS}",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is deleted is overwritten, not only forgotten
)
SURE = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


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

_conditions: WeakKeyDictionary[Engine, Condition] = WeakKeyDictionary()
_conditions_made = threading.Lock()
_thread = threading.local()
_log = logging.getLogger(__name__)


PAGE: Final = 4096  # bytes; SQLite's own choice since 3.12


def condition_of(engine: Engine) -> Condition:
    """What is known of the condition of this engine's database."""
    with _conditions_made:
        found = _conditions.get(engine)
        if found is None:
            file = engine.url.database if engine.dialect.name == "sqlite" else None
            found = _conditions[engine] = Condition(file)
        return found


def prepare(engine: Engine, largest: int | None = None) -> None:
    """Set up every connection of this engine, and have its failures told to its condition.
    `largest`: bytes beyond which a SQLite file does not grow; what would need more fails as on a
    full disk."""
    condition = condition_of(engine)

    @event.listens_for(engine, "handle_error")
    def _failed(context: Any) -> None:
        condition.failed(context.original_exception)

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        condition.verify()
        if engine.dialect.name == "sqlite":
            _begin_sqlite(condition, connection)

    if engine.dialect.name == "sqlite":
        _set_up_connections(engine, largest)
    if condition.files is not None:
        _watch_files(engine, condition, condition.files)


def _begin_sqlite(condition: Condition, connection: Any) -> None:
    mode = connection.get_execution_options().get("sqlite_begin", "DEFERRED")
    if mode == "IMMEDIATE":
        with condition.waiting(connection):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql("BEGIN " + mode)


def _set_up_connections(engine: Engine, largest: int | None) -> None:
    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we send BEGIN ourselves
        for pragma in PRAGMAS:
            connection.execute("PRAGMA " + pragma).fetchall()
        if largest is not None:
            connection.execute(f"PRAGMA max_page_count={largest // PAGE}").fetchall()
        _sure(connection)


def _watch_files(engine: Engine, condition: Condition, files: OpenFiles) -> None:
    """Every connection must be to the files that were opened first."""

    @event.listens_for(engine, "do_connect")
    def _before(*_: Any) -> None:
        condition.verify()  # SQLite would make an empty file where there is none

    @event.listens_for(engine, "connect")
    def _opened(connection: Any, _record: Any) -> None:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # opens the log as well
        condition.verify()
        files.opened()

    @event.listens_for(engine, "close")
    @event.listens_for(engine, "close_detached")
    def _closed(*_: Any) -> None:
        files.closed()


def _sure(connection: Any) -> None:
    """Durability is a promise: a connection that does not hold it is not used."""
    for pragma, value in SURE.items():
        found = connection.execute("PRAGMA " + pragma).fetchone()[0]
        if found != value:
            raise RuntimeError(f"SQLite keeps {pragma} at {found}, and not at {value}.")


def do_not_sync(engine: Engine) -> None:
    """Let the system write this database when it likes: for one that counts only when it is whole
    and closed. Call it before the first connection, and flush the file at the end."""

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA synchronous=OFF").fetchall()


def connect_to(engine: Engine) -> Engine:
    """From here on the current app uses this database; returns the one that it used."""
    engines = cast("dict[str | None, Engine]", db.engines)
    before, engines[None] = engines[None], engine
    return before


@contextmanager
def write_unit() -> Iterator[None]:
    """The one way to write: all of the block is committed, or nothing is.

    Must begin before anything is read in this session: what was read earlier may be stale, so an
    open read transaction is ended first. A unit within a unit would end the outer one half way,
    so it is refused (RuntimeError); so is a flush or a commit outside of any unit.
    """
    if in_write_unit():
        raise RuntimeError("a write unit within a write unit")
    db.session.rollback()  # gives its connection back: whoever waits must not hold what is needed
    condition = condition_of(db.engine)
    with condition.turn_to_write():
        _thread.writes, _thread.later, _thread.undo = True, [], []
        try:
            db.session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
            yield
            db.session.commit()
        except BaseException:
            try:
                db.session.rollback()
            finally:
                _undo_all(_thread.undo)
            raise
        finally:
            _thread.writes = False
        condition.verify()  # a write that nobody will find again is not acknowledged
        condition.worked()
    for work in _thread.later:
        work()


def _undo_all(undos: Sequence[Callable[[], None]]) -> None:
    """One that fails keeps no other from being done, and hides no error that led here."""
    for undo in undos:
        try:
            undo()
        except OSError as error:
            _log.error("What was noted outside of the database stays noted: %s", error.strerror)


def after_commit(work: Callable[[], None]) -> None:
    """Do this once the unit of this thread is committed, and never if it fails; at once where there
    is no unit. The lock of writers is free again by then, and `work` must not raise."""
    if in_write_unit():
        _thread.later.append(work)
    else:
        work()


def if_undone(undo: Callable[[], None]) -> None:
    """Call this if the write unit around is undone: for what was noted outside of the database."""
    if not in_write_unit():
        raise RuntimeError("outside of a write unit")
    _thread.undo.append(undo)


def run(
    statement: Executable, values: Mapping[str, Any] | Sequence[Mapping[str, Any]]
) -> CursorResult[Any]:
    """Run a fixed statement of every tap in the session's transaction, once for each row of values.

    Not by way of the session, by which each costs half as much again: a child waits for these.
    """
    return db.session.connection().execute(statement, values)


def hold(rows: Rows, of: Any = None) -> Rows:
    """The rows of a SELECT, held until the commit against all who would change them too.

    Not against new rows that refer to them (FOR NO KEY UPDATE): who deals to a child, or notes an
    answer of a round, waits for no tap. Who holds several takes children first, then tables, then
    rounds, and of one kind the lowest id first, so that no two wait for each other. SQLite has one
    writer and needs none of this.
    """
    return rows.with_for_update(key_share=True, of=of)


def at_one_moment() -> None:
    """What this session reads from here on, until it writes, is of one moment. SQLite reads so
    anyway. RuntimeError within a write unit, which it would end half way."""
    if in_write_unit():
        raise RuntimeError("at one moment within a write unit")
    if db.engine.dialect.name != "sqlite":
        db.session.rollback()
        db.session.connection(execution_options={"isolation_level": "REPEATABLE READ"})


def in_write_unit() -> bool:
    """Whether this thread is within a write unit."""
    return bool(getattr(_thread, "writes", False))


@event.listens_for(db.session, "before_commit")
def _only_units_commit(_session: Any) -> None:
    if not in_write_unit():
        raise RuntimeError("a commit outside of a write unit")


@event.listens_for(db.session, "before_flush")
def _only_units_flush(_session: Any, _context: Any, _instances: Any) -> None:
    if not in_write_unit():
        raise RuntimeError("a write outside of a write unit")


def empty_log() -> None:
    """Move all of SQLite's write-ahead log into the file: what was deleted is then in neither, and
    the file alone is the whole school.

    A reader that is busy for longer than busy_timeout leaves the log to the next checkpoint.
    """
    if db.engine.dialect.name != "sqlite":
        return
    db.session.rollback()
    with condition_of(db.engine).turn_to_write():
        checkpoint("TRUNCATE")


def checkpoint(how: str = "PASSIVE") -> None:
    """Move what can be moved of SQLite's write-ahead log to the file; PASSIVE waits for nobody."""
    if db.engine.dialect.name == "sqlite":
        with closing(db.engine.raw_connection()) as connection:
            connection.cursor().execute(f"PRAGMA wal_checkpoint({how})").fetchall()
