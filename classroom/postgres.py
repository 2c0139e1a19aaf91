"""Support for PostgreSQL: connections that time out, and the relay between the processes of a
school. It needs psycopg, which is not installed for SQLite.

If the server freezes or the network drops packets, neither an answer nor an error arrives. So no
connection waits for longer than a few seconds.

The relay passes notices between the processes that serve one school. It sends the notices of its
own hub to the other processes by NOTIFY, after the commit and on a separate connection: NOTIFY
within the transaction of a move would make all commits on the server wait for each other. It passes
the notices that it receives by LISTEN only to its own hub. A notice says which topic has news,
never what the news is.

Notices can be lost if a process dies before it has sent them, or if a connection drops. So once a
second each relay looks up the moves of the rounds that pages of this process wait for. After a
connection has broken, the relay wakes every page. The connection that listens also holds the
leader's lock, which the server releases when the connection ends. Both connections must reach the
server itself, or a pooler in session mode.
"""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, LiteralString

import psycopg
from sqlalchemy import event
from sqlalchemy.engine import Engine

from classroom import measures
from classroom.condition import NO_ANSWER, Unavailable
from classroom.database import LEADER, condition_of
from classroom.hub import ANY, Hub, Topic

# ---- connections

STATEMENT: Final = 6.0  # seconds after which this program and the server give up on a statement
ONE_TRIES: Final = 0.5  # seconds that other threads wait while one tries to reach a silent server
ALIVE: Final = {  # a connection that dies silently is noticed after some seconds
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 8_000,
}


class Silent(psycopg.OperationalError):
    """The server did not answer in time."""


class PatientLine(psycopg.Connection[Any]):
    """A connection that waits at most `patience` seconds for an answer."""

    patience = STATEMENT

    def wait(self, gen: Any, *more: Any, **named: Any) -> Any:
        return super().wait(self._in_time(gen), *more, **named)

    def _in_time(self, work: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Run psycopg's generator to its end. Raises Silent if it takes longer than `patience`."""
        until = time.monotonic() + self.patience
        try:
            asked = next(work)
            while True:
                told = yield asked
                if not told and time.monotonic() > until:
                    self.pgconn.finish()  # so that the pool discards it
                    raise Silent(NO_ANSWER)
                asked = work.send(told)
        except StopIteration as done:
            return done.value


def give_up_in_time(engine: Engine) -> None:
    """Give the connections that this engine opens from now on a time limit. While the server is
    silent, only one thread at a time tries to reach it."""
    one, silent = threading.Lock(), threading.Event()

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: Any, _record: Any, words: Any, named: Any) -> PatientLine:
        if not silent.is_set():
            return _opened(words, named)
        if not one.acquire(timeout=ONE_TRIES):
            raise Unavailable(NO_ANSWER)
        try:
            return _opened(words, named)
        finally:
            one.release()

    def _opened(words: Any, named: Any) -> PatientLine:
        try:
            line = PatientLine.connect(*words, **{**ALIVE, **named}, autocommit=True)
            line.execute(f"SET statement_timeout = {STATEMENT * 1000:.0f}")
            line.autocommit = False
        except psycopg.Error:
            silent.set()
            raise
        silent.clear()
        return line

    @event.listens_for(engine, "handle_error")
    def _failed(context: Any) -> None:
        if isinstance(context.original_exception, Silent):
            silent.set()


# ---- the relay

CHANNEL: Final = "fish_school"
GATHER: Final = 0.003  # seconds for which notices are gathered into one message
LONGEST: Final = 7_900  # maximum size of a message in bytes; PostgreSQL allows fewer than 8,000
MOST_NOTICES: Final = 5_000  # kept while the server is away; then EVERYBODY replaces them
TICK: Final = 1.0  # seconds between two checks for moves whose notices were lost
LEADERLESS: Final = 0.2  # seconds between two tries to become the leader
AGAIN: Final = 0.25  # seconds to wait before opening a lost connection again
PATIENCE: Final = 4.0  # seconds to wait for an answer; short, because the relay asks often
UNHEARD: Final = 5  # after this many checks without its own notices, a relay logs an error
EVERYBODY: Final = "*"  # sent in place of notices: every page that waits for news asks again
_NOTICE: Final = re.compile(r"([a-z]*)([0-9]+):([0-9]+)")
_DEAF: Final = (
    "Notices of other processes do not arrive, so pages are late and computer players may stand "
    "still: let the school connect to PostgreSQL itself, or through a pooler in session mode."
)
_log = logging.getLogger(__name__)


def written(topic: Topic, number: int) -> str:
    """Write a notice as text: `17:43` for a round, `live5:0` for a class."""
    kind, key = ("", topic) if isinstance(topic, int) else topic
    return f"{kind}{key}:{number}"


def read(text: str) -> tuple[Topic, int] | None:
    """Read a notice; None for a text that another version of the program wrote."""
    found = _NOTICE.fullmatch(text)
    if found is None:
        return None
    kind, key, number = found[1], int(found[2]), int(found[3])
    return ((kind, key) if kind else key), number


def messages(sender: str, notices: Sequence[str]) -> Iterator[str]:
    """Join notices into as few messages as their length allows, each with the sender's name."""
    message = sender
    for notice in notices:
        if len(message) + 1 + len(notice) > LONGEST:
            yield message
            message = sender
        message += " " + notice
    yield message


class Relay:
    """Connects this process's hub for one database with that database's hubs in other processes.
    `lead(True)` is called when this process becomes the leader, which does the school's background
    work, and `lead(False)` when it may no longer lead. For a moment two processes may believe that
    they lead."""

    def __init__(self, engine: Engine, hub: Hub, lead: Callable[[bool], None]) -> None:
        self._engine, self._hub, self._lead = engine, hub, lead
        self.name = secrets.token_hex(4)
        self._news = threading.Condition()
        self._waiting: list[str] = []
        self._moves: dict[int, int] = {}  # for each round, the moves that our hub last announced
        self._late: frozenset[int] = frozenset()  # rounds that were behind at the last check
        self._over = threading.Event()
        self._leads = self._lost = False
        self._unheard = 0  # checks in a row at which this relay missed its own notices
        self._leave: Callable[[], None] = lambda: None
        self._sender = threading.Thread(target=self._send, name="relay-sender", daemon=True)
        self._listener = threading.Thread(target=self._listen, name="relay", daemon=True)

    def start(self) -> Relay:
        self._leave = self._hub.subscribe(ANY, self._note)
        self._sender.start()
        self._listener.start()
        return self

    def stop(self) -> None:
        """Send the waiting notices, and close both connections. Another process can then lead."""
        self._leave()
        self._over.set()
        self._post("")  # wakes our own listener, which then ends
        self._sender.join(2.0)
        self._listener.join(2.0)

    # ---- sending

    def _note(self, topic: Topic, number: int) -> None:
        """Pass a notice on to the other processes, unless it came from one of them."""
        if isinstance(topic, int):
            self._moves[topic] = number
        if threading.current_thread() is not self._listener:
            self._post(written(topic, number))

    def _post(self, notice: str) -> None:
        with self._news:
            self._waiting.append(notice)
            self._news.notify()

    def _send(self) -> None:
        line: PatientLine | None = None
        while notices := self._gathered():
            try:
                line = line or self._connected()
                for message in messages(self.name, notices):
                    line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, message))
                measures.NOTICES.labels("sent").inc(len(notices))
            except psycopg.Error:
                _close(line)
                line = None
                with self._news:
                    kept = [*notices, *self._waiting]
                    self._waiting = kept if len(kept) <= MOST_NOTICES else [EVERYBODY]
                if self._over.wait(AGAIN):
                    break
        _close(line)

    def _gathered(self) -> list[str]:
        """Wait for notices, then briefly for more. After a stop, return the rest at once."""
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._over.is_set())
        if not self._over.is_set():
            time.sleep(GATHER)
        with self._news:
            found, self._waiting = self._waiting, []
            return found

    # ---- listening

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                with self._connected() as line:
                    line.execute(f"LISTEN {CHANNEL}")
                    self._unheard = 0
                    self._post("")
                    if self._lost:  # anything may have happened meanwhile: every page asks again
                        self._lost = False
                        _log.warning("Notices of other processes arrive again.")
                        self._hub.wake()
                    self._follow(line)
            except psycopg.Error as error:
                if isinstance(error, Silent):
                    condition_of(self._engine).failed(error)
                self._break()
                self._over.wait(AGAIN)
        self._led(False)

    def _break(self) -> None:
        """Give up the lead, and close the pages' connections. They were probably lost as well, and
        each would fail once. New connections are opened when they are needed."""
        self._led(False)
        if not self._lost and not self._over.is_set():
            self._lost = True
            _log.warning("The connection for notices of other processes was lost.")
        self._engine.dispose()

    def _follow(self, line: PatientLine) -> None:
        """Pass notices from other processes to the hub until the relay stops or the connection
        drops."""
        look_at = time.monotonic()
        while not self._over.is_set():
            if not self._leads:
                # Waiting for the lock would need a third connection in each process. A try costs
                # the server less than a tenth of a millisecond.
                self._led(_asked(line, "SELECT pg_try_advisory_lock(%s, %s)", LEADER)[0][0])
            if time.monotonic() >= look_at:
                self._look(line)
                look_at = time.monotonic() + TICK
            rest = max(0.0, look_at - time.monotonic())
            for notice in line.notifies(timeout=rest if self._leads else min(rest, LEADERLESS)):
                self._hear(notice.payload)
                if self._over.is_set():
                    return

    def _hear(self, message: str) -> None:
        sender, *notices = message.split(" ")
        if sender == self.name:
            self._unheard = -1
            return
        for text in filter(None, notices):
            if text == EVERYBODY:
                self._hub.wake()
            elif found := read(text):
                measures.NOTICES.labels("heard").inc()
                self._hub.tell(*found)

    # ---- the leader

    def _led(self, leads: bool) -> None:
        if leads != self._leads:
            self._leads = leads
            measures.LEADS.set(leads)
            self._lead(leads)

    # ---- once a second

    def _look(self, line: PatientLine) -> None:
        """Find moves whose notices were lost, and log an error if no notices arrive at all."""
        # A round is announced only if it was behind at two checks in a row: at the first check its
        # notice may still be on its way.
        rounds = [t for t in self._hub.topics() if isinstance(t, int) and t != ANY]
        rows = _asked(line, "SELECT id, moves FROM rounds WHERE id = ANY(%s)", (rounds,))
        self._moves = {key: self._moves[key] for key in rounds if key in self._moves}
        late = {key: moves for key, moves in rows if moves > self._moves.get(key, -1)}
        for key in self._late & late.keys():
            self._hub.tell(key, late.pop(key))
        self._late = frozenset(late)
        if self._unheard >= 0:
            self._unheard += 1
            if self._unheard == UNHEARD:
                _log.error(_DEAF)

    # ---- connections

    def _connected(self) -> PatientLine:
        """Open a connection outside the pool. NOTIFY need not wait for the disk: if a crash of the
        server loses a notice, the pages ask again anyway."""
        words, named = self._engine.dialect.create_connect_args(self._engine.url)
        given: dict[str, Any] = {**ALIVE, **named}
        try:
            line = PatientLine.connect(*words, **given, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            condition_of(self._engine).failed(error)
            raise
        line.patience = PATIENCE
        line.execute("SET synchronous_commit TO off")
        return line


def _asked(line: PatientLine, statement: LiteralString, values: Sequence[Any]) -> list[Any]:
    return line.execute(statement, values).fetchall()


def _close(line: PatientLine | None) -> None:
    if line is not None:
        with suppress(psycopg.Error):
            line.close()
