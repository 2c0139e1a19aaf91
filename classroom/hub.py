"""Who waits for which table. A notice carries two numbers: the round and how many moves it has.
What concerns a class as a whole has a topic of its own, made by `class_topic` and `live_topic`.

Nothing else ever travels here: whoever is told reads the table again, for its own viewer. So a
notice that is lost does no lasting harm. A move is told once, with its number; the same number
again tells that something else is different there, so notices are not merged. In one process this
is a dictionary; a listener of another process compares the numbers at its next ping.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Final
from weakref import WeakKeyDictionary

Topic = int | tuple[str, int]
Callback = Callable[[Topic, int], None]

ANY: Final = 0  # subscribe to the notices of every round and every class

_log = logging.getLogger(__name__)


def class_topic(class_id: int) -> Topic:
    """Who is there, which tables fill, what the teacher does with the class."""
    return "class", class_id


def live_topic(class_id: int) -> Topic:
    """All that, and each move at any of its tables."""
    return "live", class_id


class Hub:
    """Tells those who subscribed to a round that it has moved on. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[Topic, set[Callback]] = {}

    def subscribe(self, topic: Topic, callback: Callback) -> Callable[[], None]:
        """Call `callback(topic, seq)` at each notice, until the function returned is called.

        The callback runs in the thread of whoever tells and must only note it.
        """
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
        """Say that a round has `seq` moves now, or that something happened in a class. Call it
        after the commit, never before."""
        with self._lock:
            callbacks = [*self._waiting.get(topic, ()), *self._waiting.get(ANY, ())]
        for callback in callbacks:
            try:
                callback(topic, seq)
            except Exception:  # one listener that fails must not cost the others their notice
                _log.exception("a listener failed: %s at %d", topic, seq)

    def wake(self) -> None:
        """Have everybody look again at what they wait for. Not those who wait for any notice."""
        with self._lock:
            waiting = [
                (topic, callback)
                for topic, callbacks in self._waiting.items()
                for callback in callbacks
                if topic != ANY
            ]
        for topic, callback in waiting:
            callback(topic, 0)

    def listeners(self, topic: Topic) -> int:
        """How many wait for this round or class."""
        with self._lock:
            return len(self._waiting.get(topic, ()))


_hubs: WeakKeyDictionary[Any, Hub] = WeakKeyDictionary()
_hubs_lock = threading.Lock()


def hub_of(engine: Any) -> Hub:
    """The one hub of this database in this process. Two schools in one process never mix."""
    with _hubs_lock:
        return _hubs.setdefault(engine, Hub())
