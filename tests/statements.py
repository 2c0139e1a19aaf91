"""The SQL statements of tests: compiled once for all databases, and noted where a test asks.

SQLAlchemy keeps compiled statements by dialect, and each engine has a dialect of its own. So the
app of every test compiled all its statements again, which took half the time of a test with a few
pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from flask import Flask
from sqlalchemy import event
from sqlalchemy.engine import Engine

from classroom.database import db

Key = tuple[Any, ...]  # as SQLAlchemy makes it: the dialect comes first


class Compiled(dict[Key, Any]):
    """A cache of compiled statements in which all dialects of one kind are the same."""

    def get(self, key: Key, default: Any = None) -> Any:
        return super().get(_shared(key), default)

    def __getitem__(self, key: Key) -> Any:
        return super().__getitem__(_shared(key))

    def __setitem__(self, key: Key, value: Any) -> None:
        super().__setitem__(_shared(key), value)


def _shared(key: Key) -> Key:
    return (key[0].name, *key[1:])


COMPILED: Final = Compiled()


def share_statements(app: Flask) -> None:
    """Let this app use what others have compiled."""
    with app.app_context():
        db.engine.update_execution_options(compiled_cache=COMPILED)


@contextmanager
def sent_to(engine: Engine, *, begins: bool = False) -> Iterator[list[str]]:
    """The statements sent to the database inside the block; with `begins`, also those that begin
    transactions."""
    sent: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if begins or not statement.startswith("BEGIN"):
            sent.append(statement)

    event.listen(engine, "before_cursor_execute", hear)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", hear)
