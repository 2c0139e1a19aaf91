"""The threads in which pages, moves and streams are made."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

PAGES: Final = 4
DOORS: Final = 6  # sign-in waits for its turn at the password hash, and no page waits for it
ONE: Final = 1  # for moves, and for each kind of stream: more would take turns with one
# interpreter, by which each move takes longer
SERVER: Final = 4  # the same where a database server is waited for at each statement
REST: Final = 3.0  # the demo school's thread rests three times as long as it has worked


class Unhurried(ThreadPoolExecutor):
    """One thread that rests after each piece of work, so that it takes at most a known share of
    the processor: 1 / (1 + rest)."""

    def __init__(self, name: str, rest: float = REST) -> None:
        super().__init__(1, name)
        self._rest = rest

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        return super().submit(self._work, fn, args, named)

    def _work(self, fn: Callable[..., Any], args: Any, named: Any) -> Any:
        began = time.perf_counter()
        try:
            return fn(*args, **named)
        finally:
            with suppress(RuntimeError):  # the server is about to end
                super().submit(time.sleep, self._rest * (time.perf_counter() - began))
