"""A shelf that keeps what was used most recently; several threads may use it at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Shelf(Generic[Kept]):
    """Up to `most` values by their ids: those that were used most recently."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._kept: OrderedDict[int, Kept] = OrderedDict()

    def get(self, key: int) -> Kept | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: int, value: Kept) -> None:
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
