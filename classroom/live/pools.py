"""The threads that answer requests, and which request is next if there are too few threads."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

PAGES: Final = 4
DOORS: Final = 6  # sign-ins queue for the password hash, and pages must not wait for them
ONE: Final = 1  # for moves, and for each kind of stream: more threads would share one interpreter,
# and each move would take longer
SERVER: Final = 4  # used instead of ONE with a database server, because threads wait for it
PAUSE: Final = 3.0  # the demo school's thread pauses for three times as long as it has worked


class ThrottledThread(ThreadPoolExecutor):
    """One thread that uses at most 1 / (1 + pause) of the processor over time: each piece of work
    is followed by a proportional pause, queued behind the work that is already waiting."""

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


# ---- If there are more requests than threads, browsers take turns

T = TypeVar("T")
Environ = dict[str, Any]

Whose = tuple[Hashable, Hashable]
"""The network and the browser of a request. No other browser can pretend to be this one."""
Queue = deque[asyncio.Future[None]]


class Turns:
    """Lets `places` requests run at a time. The others take turns, by network, and within a network
    by browser. So a browser that sends hundreds of requests delays only itself. Networks come first
    because one machine can pretend to be many browsers. Works within one event loop."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OrderedDict[Hashable, OrderedDict[Hashable, Queue]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, whose: Callable[[], Whose]) -> AsyncIterator[None]:
        """Wait for a free place and hold it within the block. `whose` names the network and the
        browser; it is called only if the request has to wait."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(*whose())
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, place: Hashable, browser: Hashable) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        browsers = self._waiting.setdefault(place, OrderedDict())
        browsers.setdefault(browser, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self._pass_on()  # a place came just as the request was cancelled
            raise

    def _pass_on(self) -> None:
        """Give the place to the next request; its browser and its network go to the end."""
        while self._waiting:
            place, browsers = self._waiting.popitem(last=False)
            browser, queue = browsers.popitem(last=False)
            following = queue.popleft()
            if queue:
                browsers[browser] = queue
            if browsers:
                self._waiting[place] = browsers
            if not following.done():
                following.set_result(None)
                return
        self._free += 1


class Pool:
    """Threads that browsers take turns to use. `number`: how many threads there are. `whose` names
    the network and the browser of a request. `waited` is called with the seconds that each
    request waited for its thread."""

    def __init__(
        self,
        threads: Executor,
        number: int = 1,
        whose: Callable[[Environ], Whose] = lambda _environ: (None, None),
        waited: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        self.threads = threads
        self._turns = Turns(number + 1)  # one job is queued ahead, so that no thread is idle
        self._whose = whose
        self._waited = waited

    async def run(self, environ: Environ, work: Callable[[], T]) -> T:
        """Do this work for a request in one of the threads; returns its result."""
        began = time.perf_counter()

        def begin() -> T:
            self._waited(time.perf_counter() - began)
            return work()

        async with self._turns.turn(lambda: self._whose(environ)):
            return await asyncio.get_running_loop().run_in_executor(self.threads, begin)
