"""What the server keeps in memory: shelves of the values used most recently, and values under
random names (tickets)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final, Generic, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy.engine import Engine

from classroom.database import db
from classroom.services.base import clock, secrets_

# ---- A shelf that keeps what was used most recently; several threads may use it at once

Kept = TypeVar("Kept")


class Shelf(Generic[Kept]):
    """The values that were used most recently, by their ids; `most`: the most that they weigh
    together."""

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
        """Keep this value, even if it alone is too heavy; older values are dropped to make room."""
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


# ---- Tickets: random names under which the server remembers something for a few minutes, in memory
#
# A restart forgets them, and the person begins the step again. Each database has its own tickets.

T = TypeVar("T")
MOST: Final = 1_000  # the most tickets of one kind; the oldest is dropped for a new one


class Tickets(Generic[T]):
    """Remembers values for `seconds` after they were given."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._schools: WeakKeyDictionary[Engine, OrderedDict[str, tuple[float, T]]] = (
            WeakKeyDictionary()
        )
        self._lock = threading.Lock()

    def give(self, value: T) -> str:
        """Remember a value; returns its ticket."""
        ticket = secrets_.token()
        with self._lock:
            here = self._here()
            here[ticket] = (clock.now() + self._seconds, value)
            while len(here) > MOST:
                here.popitem(last=False)
        return ticket

    def look(self, ticket: str) -> T | None:
        """Return the value and keep it; None if the ticket is unknown or too old."""
        with self._lock:
            until, value = self._here().get(ticket, (0.0, None))
        return value if clock.now() < until else None

    def take(self, ticket: str) -> T | None:
        """Return the value and forget it; None if the ticket is unknown or too old."""
        value = self.look(ticket)
        with self._lock:
            gone = self._here().pop(ticket, None)
        return value if gone else None

    def _here(self) -> OrderedDict[str, tuple[float, T]]:
        return self._schools.setdefault(db.engine, OrderedDict())
