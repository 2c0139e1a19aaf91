"""The database: names of constraints, connection settings, and the only way to write.

SQLite is the default (WAL, synchronous=FULL: an acknowledged move survives a power cut). The same
code runs on PostgreSQL. In SQLite, reads begin DEFERRED; in PostgreSQL, they need no transaction.
All writes go through `write_unit`, which begins IMMEDIATE, because in SQLite a read transaction
that turns into a write can fail at once, whatever the time-out.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Final, TypeAlias, TypeVar, cast
from weakref import WeakKeyDictionary

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from flask_sqlalchemy.session import Session
from sqlalchemy import CursorResult, Executable, Float, MetaData, Row, Select, event, text
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.orm import DeclarativeBase, registry

from classroom import measures
from classroom.condition import BUSY_MILLISECONDS, Condition, OpenFiles

Rows = TypeVar("Rows", bound=Select[*tuple[Any, ...]])

PRAGMAS = (
    f"busy_timeout={BUSY_MILLISECONDS}",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # deleted data is overwritten
)
SURE = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


AnyRow: TypeAlias = Row[*tuple[Any, ...]]


class Base(DeclarativeBase):
    """The base of all tables. Its naming convention gives constraints names for migrations."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    # The migrations made FLOAT columns; by default SQLAlchemy maps `float` to DOUBLE.
    registry = registry(type_annotation_map={float: Float})


READING: Final = "reading"  # the key in `db.engines` of the engine for reads, if there is one
AT_ONE_MOMENT: Final = {"isolation_level": "REPEATABLE READ"}


class ReadingSession(Session):
    """Reads without transactions in PostgreSQL, except in a write unit or after `at_one_moment`."""

    def get_bind(
        self, mapper: Any = None, clause: Any = None, bind: Any = None, **more: Any
    ) -> Engine | Connection:
        engines = _engines()
        if bind is None and READING in engines and not in_write_unit():
            return engines[READING]
        return super().get_bind(mapper, clause, bind, **more)


db = SQLAlchemy(model_class=Base, session_options={"class_": ReadingSession})

_conditions: WeakKeyDictionary[Engine, Condition] = WeakKeyDictionary()
_conditions_made = threading.Lock()
_thread = threading.local()
_log = logging.getLogger(__name__)


PAGE: Final = 4096  # bytes; SQLite's default since 3.12


def condition_of(engine: Engine) -> Condition:
    """Return the Condition of this engine's database, made on the first call and then shared."""
    with _conditions_made:
        if engine not in _conditions:
            file = engine.url.database if engine.dialect.name == "sqlite" else None
            _conditions[engine] = Condition(file)
        return _conditions[engine]


def prepare(engine: Engine, largest: int | None = None) -> None:
    """Set up this engine's connections, and report its failures to its Condition. `largest` is the
    size limit of a SQLite file in bytes; a write beyond it fails as if the disk were full."""
    condition = condition_of(engine)

    @event.listens_for(engine, "handle_error")
    def _failed(context: Any) -> None:
        condition.failed(context.original_exception)

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        condition.verify()
        if engine.dialect.name == "sqlite":
            mode = connection.get_execution_options().get("sqlite_begin", "DEFERRED")
            if mode == "IMMEDIATE":
                with condition.waiting(connection):
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.exec_driver_sql("BEGIN " + mode)

    if engine.dialect.name == "sqlite":
        _set_up_connections(engine, largest)
    else:
        _read_without_transactions(engine)
    if condition.files is not None:
        _watch_files(engine, condition, condition.files)


def _set_up_connections(engine: Engine, largest: int | None) -> None:
    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we send BEGIN ourselves
        for pragma in PRAGMAS:
            connection.execute("PRAGMA " + pragma).fetchall()
        if largest is not None:
            connection.execute(f"PRAGMA max_page_count={largest // PAGE}").fetchall()
        for pragma, value in SURE.items():  # check the durability that we promise
            found = connection.execute("PRAGMA " + pragma).fetchone()[0]
            if found != value:
                raise RuntimeError(f"SQLite keeps {pragma} at {found}, not at {value}.")


def _read_without_transactions(engine: Engine) -> None:
    """Run each reading statement in autocommit, and let PostgreSQL plan it once per connection.
    psycopg discards its prepared statements on each rollback, and with them PostgreSQL's plans.
    Planning our statements takes four times as long as running them."""
    _engines()[READING] = _for_reading(engine)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.prepare_threshold = 0  # prepare on the first execution
        connection.execute("SET plan_cache_mode = force_generic_plan")
        connection.commit()

    @event.listens_for(engine, "checkout")
    def _checkout(connection: Any, _record: Any, _proxy: Any) -> None:
        with DefaultSelector() as waits:
            waits.register(connection.fileno(), EVENT_READ)
            if waits.select(0):  # an idle connection is readable only if the server closed it
                raise DisconnectionError  # the pool then opens another one


def _for_reading(engine: Engine) -> Engine:
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _watch_files(engine: Engine, condition: Condition, files: OpenFiles) -> None:
    """Make sure that every connection opens the same files as the first one."""

    @event.listens_for(engine, "do_connect")
    def _before(*_: Any) -> None:
        condition.verify()  # before SQLite can create an empty file

    @event.listens_for(engine, "connect")
    def _opened(connection: Any, _record: Any) -> None:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # opens the WAL file too
        condition.verify()
        files.opened()

    @event.listens_for(engine, "close")
    @event.listens_for(engine, "close_detached")
    def _closed(*_: Any) -> None:
        files.closed()


def connect_to(engine: Engine) -> Engine:
    """Make the current app use this database from now on; returns the previous one."""
    engines = _engines()
    before, engines[None] = engines[None], engine
    if READING in engines:
        engines[READING] = _for_reading(engine)
    return before


def _engines() -> dict[str | None, Engine]:
    return cast("dict[str | None, Engine]", db.engines)


@contextmanager
def closed(app: Flask) -> Iterator[None]:
    """Close this app's connections to its database after the block."""
    try:
        yield
    finally:
        with app.app_context():
            if not condition_of(db.engine).broken:  # else closing could write into the wrong file
                db.engine.dispose()


@contextmanager
def opened(app: Flask) -> Iterator[None]:
    """Use this app's database during the block, and close it afterwards."""
    with closed(app), app.app_context():
        yield


@contextmanager
def write_unit() -> Iterator[None]:
    """Commit all writes in the block, or none of them. There is no other way to write. Read what
    you need inside the block: earlier reads may be stale, so an open read transaction is ended
    first. Raises RuntimeError inside another unit, because it would end that unit half-way. A flush
    or a commit outside any unit raises RuntimeError too."""
    if in_write_unit():
        raise RuntimeError("a write unit within a write unit")
    db.session.rollback()  # returns the connection to the pool: others may need it while we wait
    condition = condition_of(db.engine)
    with condition.turn_to_write():
        _thread.writes, _thread.later, _thread.undo = True, [], []
        committing = False
        try:
            db.session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
            yield
            committing = True
            with measures.COMMITS.time():
                db.session.commit()
        except BaseException as error:
            try:
                db.session.rollback()
            finally:
                # If the connection was lost during the commit, the commit may have taken effect. So
                # do not undo writes elsewhere: better to note a removal twice than never.
                lost = isinstance(error, DBAPIError) and error.connection_invalidated
                if not (committing and lost):
                    _undo_all(_thread.undo)
            raise
        finally:
            _thread.writes = False
        condition.verify()  # do not acknowledge a write to a lost file
        condition.refused = ""
    for work in _thread.later:
        work()


def _undo_all(undos: Sequence[Callable[[], None]]) -> None:
    """Call all these functions. Logs a failure: it must not hide the error that led to the undo."""
    for undo in undos:
        try:
            undo()
        except OSError as error:
            _log.error("A write outside the database was not undone: %s", error.strerror)


def after_commit(work: Callable[[], None]) -> None:
    """Call `work` after this thread's write unit has been committed, or at once if there is no
    unit; never if the unit fails. The writers' lock is free by then. `work` must not raise."""
    if in_write_unit():
        _thread.later.append(work)
    else:
        work()


def if_undone(undo: Callable[[], None]) -> None:
    """Call `undo`, which reverts a write outside the database, if the current unit fails."""
    if not in_write_unit():
        raise RuntimeError("outside of a write unit")
    _thread.undo.append(undo)


def run(
    statement: Executable, values: Mapping[str, Any] | Sequence[Mapping[str, Any]]
) -> CursorResult[*tuple[Any, ...]]:
    """Run a statement in the session's transaction, once for each row of values. Meant for
    statements that run on every tap: `session.execute` would take half as long again."""
    return db.session.connection().execute(statement, values)


def hold(rows: Rows, of: Any = None) -> Rows:
    """Make this SELECT lock its rows against other writers until the commit. New rows may still
    refer to the locked rows (FOR NO KEY UPDATE), so dealing to a child or recording an answer never
    waits for a tap. To avoid deadlocks, lock children first, then gatherings, then rounds, each by
    ascending id. SQLite has a single writer and needs no locks."""
    return rows.with_for_update(key_share=True, of=of)


def at_one_moment() -> None:
    """Make all reads of this session see the database at the same moment, until it writes. In
    SQLite they always do. Raises RuntimeError inside a write unit, which it would end half-way."""
    if in_write_unit():
        raise RuntimeError("at_one_moment within a write unit")
    if db.engine.dialect.name != "sqlite":
        db.session.rollback()
        db.session.connection(execution_options=AT_ONE_MOMENT)


def in_portions(statement: Select[*tuple[Any, ...]]) -> Iterator[AnyRow]:
    """Yield the rows of a large SELECT a thousand at a time, so that they take little memory."""
    if db.engine.dialect.name != "sqlite" and not in_write_unit():
        options = db.session.connection().get_execution_options()
        if options.get("isolation_level") != AT_ONE_MOMENT["isolation_level"]:
            at_one_moment()  # PostgreSQL keeps the remaining rows only during a transaction
    yield from db.session.execute(statement.execution_options(yield_per=1000))


def in_write_unit() -> bool:
    """Whether this thread is inside a write unit."""
    return bool(getattr(_thread, "writes", False))


@event.listens_for(db.session, "before_commit")
def _only_units_commit(_session: Any) -> None:
    if not in_write_unit():
        raise RuntimeError("a commit outside of a write unit")


@event.listens_for(db.session, "before_flush")
def _only_units_flush(_session: Any, _context: Any, _instances: Any) -> None:
    if not in_write_unit():
        raise RuntimeError("a write outside of a write unit")


def let_go(_error: BaseException | None = None) -> None:
    """Return this thread's connection to the pool. Does not raise if the connection was lost."""
    with suppress(DBAPIError):
        db.session.remove()


def empty_log() -> None:
    """Move all of SQLite's write-ahead log into the database file. After this neither contains
    deleted data, and the file alone contains the whole school. If a reader is busy for longer than
    busy_timeout, the log stays until the next checkpoint."""
    if db.engine.dialect.name != "sqlite":
        return
    db.session.rollback()
    with condition_of(db.engine).turn_to_write():
        checkpoint("TRUNCATE")


def checkpoint(how: str = "PASSIVE") -> None:
    """Move SQLite's write-ahead log into the file, as far as possible; PASSIVE does not wait."""
    if db.engine.dialect.name == "sqlite":
        with closing(db.engine.raw_connection()) as connection:
            connection.cursor().execute(f"PRAGMA wal_checkpoint({how})").fetchall()


# ---- locks for the whole school
#
# These are PostgreSQL's advisory locks, shared by all processes of a school. They lock no rows,
# only numbers to which this program gives a meaning. SQLite has one process and one writer.

Lock = tuple[int, int]

_OURS: Final = 0x46697368  # "Fish", to differ from the locks of other programs in the same database
LEADER: Final[Lock] = (_OURS, 1)  # the process that holds this lock does the background work
UPGRADE: Final[Lock] = (_OURS, 2)
SET_UP: Final[Lock] = (_OURS, 3)


def wait_for(connection: Connection, lock: Lock) -> None:
    """Wait until no other process has this lock, and hold it until the transaction ends."""
    if connection.dialect.name == "postgresql":
        given = {"ours": lock[0], "number": lock[1]}
        connection.execute(text("SELECT pg_advisory_xact_lock(:ours, :number)"), given)


@contextmanager
def locked(engine: Engine, lock: Lock) -> Iterator[None]:
    """Hold this lock during the block, on a connection of its own."""
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect() as connection:
        wait_for(connection, lock)
        yield
