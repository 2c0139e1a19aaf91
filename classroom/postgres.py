"""Connections to PostgreSQL that give up in time: a server may be frozen, or a network swallow what
is sent, so that no answer comes and no error either."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import Any, Final

import psycopg
from sqlalchemy import event
from sqlalchemy.engine import Engine

from classroom.condition import NO_ANSWER, Unavailable

STATEMENT: Final = 6.0  # seconds after which a statement is given up, here and by the server
ONE_TRIES: Final = 0.5  # seconds that others wait for the one who tries to reach a silent server
ALIVE: Final = {  # a connection that is dead without a word is noticed after some seconds
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 8_000,
}


class Silent(psycopg.OperationalError):
    """The server did not answer in time."""


class Line(psycopg.Connection[Any]):
    """A connection on which no answer takes longer than `patience` seconds."""

    patience = STATEMENT

    def wait(self, gen: Any, *more: Any, **named: Any) -> Any:
        return super().wait(self._in_time(gen), *more, **named)

    def _in_time(self, work: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Pass on what psycopg asks and is told, until its work is done or takes too long."""
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
    """Let the connections that this engine opens from now on give up in time.

    While the server is silent, only one thread at a time tries to reach it.
    """
    one, silent = threading.Lock(), threading.Event()

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: Any, _record: Any, words: Any, named: Any) -> Line:
        if not silent.is_set():
            return _opened(words, named)
        if not one.acquire(timeout=ONE_TRIES):
            raise Unavailable(NO_ANSWER)
        try:
            return _opened(words, named)
        finally:
            one.release()

    def _opened(words: Any, named: Any) -> Line:
        try:
            line = Line.connect(*words, **{**ALIVE, **named}, autocommit=True)
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
