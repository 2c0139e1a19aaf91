"""The threads that make pages, moves and streams."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

PAGES: Final = 4
DOORS: Final = 6  # sign-ins wait for their turn at the password hash; pages need not wait for them
ONE: Final = 1  # for moves, and for each kind of stream: more threads would share one interpreter,
# and each move would take longer
SERVER: Final = 4  # the same with a database server, for which threads have to wait
PAUSE: Final = 3.0  # the demo school's thread pauses for three times as long as it has worked


class ThrottledThread(ThreadPoolExecutor):
    """One thread that uses at most 1 / (1 + pause) of the processor over time: each piece of work
    is followed by a pause in proportion, queued behind the work that is already waiting."""

    def __init__(self, name: str, pause: float = PAUSE) -> None:
        super().__init__(1, name)
        self._pause = pause

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        return super().submit(self._work, fn, args, named)

    def _work(self, fn: Callable[..., Any], args: Any, named: Any) -> Any:
        began = time.perf_counter()
        try:
            return fn(*args, **named)
        finally:
            with suppress(RuntimeError):  # the server is shutting down
                super().submit(time.sleep, self._pause * (time.perf_counter() - began))
