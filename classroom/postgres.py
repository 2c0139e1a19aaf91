"""What a school on PostgreSQL needs besides the database: connections that time out, and the relay
between its processes. It needs psycopg, which SQLite does without.

A server may freeze, or a network may swallow what is sent, and then neither an answer nor an error
comes. So no connection waits for longer than some seconds.

The relay carries notices between the processes that serve one school. What a process tells its hub
goes to the others by NOTIFY, after the commit and on a connection of its own. What it hears by
LISTEN goes to the hub here, and no further. A notice says which topic has news, never what the news
is. NOTIFY within the transaction of a move would make all commits of the server wait for each
other.

Notices may be lost: a process dies before it has sent one, or a connection breaks. So each relay
compares, once a second, the moves of the tables that pages here wait for, and after a break it
wakes every page. The connection that listens also holds the lock of the leader, which the server
frees when the connection ends. Both connections need the server itself, or a pooler that keeps a
connection for a whole session.
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

STATEMENT: Final = 6.0  # seconds after which a statement is given up, here and by the server
ONE_TRIES: Final = 0.5  # seconds that others wait while one thread tries to reach a silent server
ALIVE: Final = {  # a connection that has died silently is noticed after some seconds
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 8_000,
}


class Silent(psycopg.OperationalError):
    """The server did not answer in time."""


class PatientLine(psycopg.Connection[Any]):
    """A connection on which no answer takes longer than `patience` seconds."""

    patience = STATEMENT

    def wait(self, gen: Any, *more: Any, **named: Any) -> Any:
        return super().wait(self._in_time(gen), *more, **named)

    def _in_time(self, work: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Pass on psycopg's requests and their answers until its work is done or takes too long."""
        until = time.monotonic() + self.patience
        try:
            asked = next(work)
            while True:
                told = yield asked
                if not told and time.monotonic() > until:
                    self.pgconn.finish()  # so that the pool throws it away
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
LONGEST: Final = 7_900  # bytes of a message; PostgreSQL takes fewer than 8,000
MOST: Final = 5_000  # notices kept while the server is away; beyond that, one wakes every page
TICK: Final = 1.0  # seconds between two looks for moves whose notices were lost
LEADERLESS: Final = 0.2  # seconds between two tries to lead; there may be no leader for that long
AGAIN: Final = 0.25  # seconds to wait before opening a lost connection again
PATIENCE: Final = 4.0  # seconds to wait for an answer: this thread asks the server most often
UNHEARD: Final = 5  # after missing its own notices at this many looks, a relay hears none at all
EVERYBODY: Final = "*"  # sent in place of a notice: every page that waits for anything asks again
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
    """Read a notice; None for a text of another version of the program."""
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
    """Joins the hub of one database in this process with its hubs in the others, until stopped.
    `lead(yes)` is called when this process becomes the one that does the background work of the
    school, and when it may no longer do so. For a moment two processes may believe that they
    lead."""

    def __init__(self, engine: Engine, hub: Hub, lead: Callable[[bool], None]) -> None:
        self._engine, self._hub, self._lead = engine, hub, lead
        self.name = secrets.token_hex(4)
        self._news = threading.Condition()
        self._waiting: list[str] = []
        self._moves: dict[int, int] = {}  # the newest number told here, by round
        self._late: frozenset[int] = frozenset()  # rounds that were behind at the last look
        self._over = threading.Event()
        self._leads = self._lost = False
        self._unheard = 0  # looks in a row at which this relay missed its own notices
        self._leave: Callable[[], None] = lambda: None
        self._sender = threading.Thread(target=self._send, name="relay-sender", daemon=True)
        self._listener = threading.Thread(target=self._listen, name="relay", daemon=True)

    def start(self) -> Relay:
        self._leave = self._hub.subscribe(ANY, self._note)
        self._sender.start()
        self._listener.start()
        return self

    def stop(self) -> None:
        """Send what is waiting, and close both connections; another process then leads."""
        self._leave()
        self._over.set()
        self._post("")  # our own listener hears it and ends
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
                    self._waiting = kept if len(kept) <= MOST else [EVERYBODY]
                if self._over.wait(AGAIN):
                    break
        _close(line)

    def _gathered(self) -> list[str]:
        """Wait for notices, then briefly for more; none once it has stopped and sent them all."""
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
        """Give up the lead. The pages' connections were probably lost as well, and each would fail
        once, so all are closed; new ones are opened when they are needed."""
        self._led(False)
        if not self._lost and not self._over.is_set():
            self._lost = True
            _log.warning("The connection for notices of other processes was lost.")
        self._engine.dispose()

    def _follow(self, line: PatientLine) -> None:
        """Tell the hub what other processes tell, until the relay stops or the line breaks."""
        look_at = time.monotonic()
        while not self._over.is_set():
            if not self._leads:
                # To wait for the lock instead, each process would need a third connection; a try
                # takes the server less than a tenth of a millisecond.
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

    # ---- who leads

    def _led(self, leads: bool) -> None:
        if leads != self._leads:
            self._leads = leads
            measures.LEADS.set(leads)
            self._lead(leads)

    # ---- once a second

    def _look(self, line: PatientLine) -> None:
        """Find moves whose notices were lost, and log an error if no notices arrive at all."""
        # Only a table that was behind at two looks is told: at the first, its notice may be on its
        # way.
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
        """Open a connection of our own. NOTIFY need not wait for the disk: if a crash of the server
        loses a notice, the pages ask again anyway."""
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
