"""SQL statements that are compiled once for all databases of the tests.

SQLAlchemy keeps compiled statements by dialect, and each engine has a dialect of its own. So every
app of a test compiled all its statements again: half the time of a test with a few pages.
"""

from __future__ import annotations

from typing import Any, Final

from flask import Flask

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
