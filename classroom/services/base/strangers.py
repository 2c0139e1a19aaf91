"""Counts wrong passwords from devices that are new to the account, and wrong codes from any device.
The counts are in memory, so that a stranger's guess writes nothing to disk.

A restart forgets them, which gives strangers their free tries once more. Each database has its own
counts, so that tries at the demo school never count at the real one.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy.engine import Engine

from classroom.database import db
from classroom.services.base import clock

TRIES: Final = 100  # latest tries kept for one login or device; no rule needs more
THINGS: Final = 5_000  # the most things tried (see Memory) that are remembered for one school
SECONDS: Final = clock.SECONDS_A_DAY  # seconds for which a try is kept

Tries = deque[tuple[float, str]]
"""When and on which device each try was made, latest last."""


class Memory:
    """Wrong tries, by what was tried: a login's signed name, or a kind of code on one device.

    A flood of made-up names pushes out only itself, since what was tried least is dropped first.
    """

    def __init__(self, things: int = THINGS) -> None:
        self._things = things
        self._schools: WeakKeyDictionary[Engine, dict[str, Tries]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def note(self, what: str, device: str) -> None:
        """Count one more wrong try at `what` now."""
        with self._lock:
            here = self._here()
            here.setdefault(what, deque(maxlen=TRIES)).append((clock.now(), device))
            if len(here) > self._things:
                self._make_room(here)

    def times(self, what: str, seconds: float) -> list[float]:
        """The times of the tries at `what` within the last `seconds`, latest last."""
        since = clock.now() - seconds
        with self._lock:
            return [at for at, _ in self._here().get(what, ()) if at > since]

    def forgive(self, what: str, device: str) -> None:
        """Forget this device's tries at `what`; those of other devices stay."""
        with self._lock:
            here = self._here()
            kept = [one for one in here.pop(what, ()) if one[1] != device]
            if kept:
                here[what] = deque(kept, maxlen=TRIES)

    def _here(self) -> dict[str, Tries]:
        return self._schools.setdefault(db.engine, {})

    def _make_room(self, here: dict[str, Tries]) -> None:
        """Drop what was last tried more than a day ago, then keep only the half that was tried
        most."""
        since = clock.now() - SECONDS
        fresh = [what for what, tries in here.items() if tries[-1][0] > since]
        fresh.sort(key=lambda what: (len(here[what]), here[what][-1][0]))
        kept = {what: here[what] for what in fresh[-(self._things // 2) :]}
        here.clear()
        here.update(kept)
