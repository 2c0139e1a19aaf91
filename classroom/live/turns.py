"""Whose request is next when more come than there are threads: each browser in its turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

T = TypeVar("T")
Environ = dict[str, Any]


class Turns:
    """So many at a time. Those who wait go in by turns: one of each browser, then the next of
    each, so a browser that sends hundreds of requests waits for itself. For one event loop."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, whose: Callable[[], Hashable]) -> AsyncIterator[None]:
        """Wait for a place, and hold it within the block. `whose` names the browser; it is asked
        only where there is a wait."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(whose())
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, browser: Hashable) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(browser, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self._pass_on()  # the place came at the moment when it was not wanted any more
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            browser, queue = self._waiting.popitem(last=False)
            following = queue.popleft()
            if queue:
                self._waiting[browser] = queue  # behind all others
            if not following.done():
                following.set_result(None)
                return
        self._free += 1


class Pool:
    """Threads for which browsers wait by turns. `number`: how many threads there are. `whose`:
    names the browser of a request."""

    def __init__(
        self,
        threads: Executor,
        number: int = 1,
        whose: Callable[[Environ], Hashable] = lambda _environ: None,
    ) -> None:
        self.threads = threads
        self._turns = Turns(number + 1)  # one is handed over ahead, so that no thread is idle
        self._whose = whose

    async def run(self, environ: Environ, work: Callable[[], T]) -> T:
        """Do this work for a request in one of the threads."""
        async with self._turns.turn(lambda: self._whose(environ)):
            return await asyncio.get_running_loop().run_in_executor(self.threads, work)
