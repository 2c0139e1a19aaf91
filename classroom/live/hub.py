"""Who waits for which table. A notice carries two numbers: the round and how many moves it has.

Nothing else ever travels here: whoever is told reads the table again, for its own viewer. So
notices may be merged or lost without harm. In one process this is a dictionary; a listener of
another process compares the numbers at its next ping.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Final
from weakref import WeakKeyDictionary

Callback = Callable[[int, int], None]

ANY: Final = 0  # subscribe to the notices of every round

_log = logging.getLogger(__name__)


class Hub:
    """Tells those who subscribed to a round that it has moved on. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[int, set[Callback]] = {}

    def subscribe(self, round_id: int, callback: Callback) -> Callable[[], None]:
        """Call `callback(round_id, seq)` at each notice, until the function returned is called.

        The callback runs in the thread of whoever tells and must only set a flag.
        """
        with self._lock:
            self._waiting.setdefault(round_id, set()).add(callback)
        return lambda: self._leave(round_id, callback)

    def _leave(self, round_id: int, callback: Callback) -> None:
        with self._lock:
            callbacks = self._waiting.get(round_id, set())
            callbacks.discard(callback)
            if not callbacks:
                self._waiting.pop(round_id, None)

    def tell(self, round_id: int, seq: int) -> None:
        """Say that `round_id` has `seq` moves now. Call it after the commit, never before."""
        with self._lock:
            callbacks = [*self._waiting.get(round_id, ()), *self._waiting.get(ANY, ())]
        for callback in callbacks:
            try:
                callback(round_id, seq)
            except Exception:  # one listener that fails must not cost the others their notice
                _log.exception("a listener failed: round %d at %d", round_id, seq)

    def listeners(self, round_id: int) -> int:
        """How many wait for this round."""
        with self._lock:
            return len(self._waiting.get(round_id, ()))


_hubs: WeakKeyDictionary[Any, Hub] = WeakKeyDictionary()
_hubs_lock = threading.Lock()


def hub_of(engine: Any) -> Hub:
    """The one hub of this database in this process. Two schools in one process never mix."""
    with _hubs_lock:
        return _hubs.setdefault(engine, Hub())
