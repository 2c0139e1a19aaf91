"""The hub tells waiting pages that something has changed. A notice about a round has two numbers:
the id of the round, and how many moves it has. Classes and moments have topics of their own, made
by `class_topic`, `live_topic` and `moment_topic`.

Notices contain nothing else. A listener reads the table again for its own viewer, and it also
compares the numbers at its next ping, so a lost notice does no lasting harm. Each move is announced
once, with its number. The same number again means that something else has changed, so notices are
not merged. A hub reaches only its own process; if several processes serve a school, the relay in
`postgres.py` passes the notices on.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Final
from weakref import WeakKeyDictionary

Topic = int | tuple[str, int]
Callback = Callable[[Topic, int], None]

ANY: Final = 0  # a subscriber to this topic gets the notices of all topics

_log = logging.getLogger(__name__)


def _topics(kind: str) -> Callable[[int], Topic]:
    return lambda number: (kind, number)


class_topic: Final = _topics("class")  # arrivals, seats that are taken, the teacher's actions
live_topic: Final = _topics("live")  # as class_topic, plus each move at any table of the class
moment_topic: Final = _topics("moment")  # the answers to a moment that was dealt to a class
SCHOOL_TOPIC: Final[Topic] = ("school", 0)  # changes to the school's data that each process caches


class Hub:
    """Tells subscribers that something happened in a round or class. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[Topic, set[Callback]] = {}

    def subscribe(self, topic: Topic, callback: Callback) -> Callable[[], None]:
        """Call `callback(topic, seq)` on each notice, until the returned function is called. The
        callback runs in the thread that calls `tell`, so it must return quickly."""
        with self._lock:
            self._waiting.setdefault(topic, set()).add(callback)
        return lambda: self._leave(topic, callback)

    def _leave(self, topic: Topic, callback: Callback) -> None:
        with self._lock:
            callbacks = self._waiting.get(topic, set())
            callbacks.discard(callback)
            if not callbacks:
                self._waiting.pop(topic, None)

    def tell(self, topic: Topic, seq: int = 0) -> None:
        """Tell subscribers that a round now has `seq` moves, or that something happened in a class.
        Call it after the commit, never before."""
        with self._lock:
            callbacks = [*self._waiting.get(topic, ()), *self._waiting.get(ANY, ())]
        for callback in callbacks:
            _call(callback, topic, seq)

    def wake(self) -> None:
        """Send a notice to the subscribers of every topic, except those of ANY."""
        with self._lock:
            waiting = [(topic, [*found]) for topic, found in self._waiting.items() if topic != ANY]
        for topic, callbacks in waiting:
            for callback in callbacks:
                _call(callback, topic, 0)

    def topics(self) -> list[Topic]:
        with self._lock:
            return [*self._waiting]


def _call(callback: Callback, topic: Topic, seq: int) -> None:
    try:
        callback(topic, seq)
    except Exception:  # the other listeners must still get their notice
        _log.exception("a listener failed: %s at %d", topic, seq)


_hubs: WeakKeyDictionary[Any, Hub] = WeakKeyDictionary()
_hubs_lock = threading.Lock()


def hub_of(engine: Any) -> Hub:
    """Return the hub of this database in this process. Each school has a hub of its own."""
    with _hubs_lock:
        return _hubs.setdefault(engine, Hub())
