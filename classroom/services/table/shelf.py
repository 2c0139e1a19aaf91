"""A shelf that keeps what was used most recently; several threads may use it at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Shelf(Generic[Kept]):
    """Values by their ids: those that were used most recently, of `most` weight together."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._weight = 0
        self._kept: OrderedDict[int, tuple[Kept, int]] = OrderedDict()

    def get(self, key: int) -> Kept | None:
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: int, value: Kept, weight: int = 1) -> None:
        """Keep this value, even if it is too heavy by itself; older ones make room for it."""
        with self._lock:
            _, before = self._kept.pop(key, (None, 0))
            self._kept[key] = value, weight
            self._weight += weight - before
            while self._weight > self._most and len(self._kept) > 1:
                _, (_, gone) = self._kept.popitem(last=False)
                self._weight -= gone

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self._weight = 0
