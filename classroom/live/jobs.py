"""The jobs that make the messages of streams, each in one of their threads.

Streams that ask for the same share an answer, and streams of one table share a job. They join it
only before it is begun: one in progress could lack the news that they ask for.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Final

from classroom.live.answers import WSGI, RawResponse, fetch
from classroom.live.pools import Environ

News = Callable[[Sequence[Environ]], Sequence[bytes | None]]
"""Makes the messages that answer these requests of streams of one table; None for each request that
the page's own route has to answer."""

TOGETHER: Final = 0.005  # seconds for which a job waits for the other streams of its table
_ALIKE: Final = ("PATH_INFO", "QUERY_STRING", "HTTP_COOKIE", "HTTP_LAST_EVENT_ID")
Alike = tuple[str | None, ...]

_log = logging.getLogger(__name__)


class Job:
    """Requests that are answered in one go; those that ask alike get one answer."""

    def __init__(self) -> None:
        self.asked: dict[Alike, Environ] = {}
        self.answers: asyncio.Task[dict[Alike, RawResponse]] | None = None


class Jobs:
    """The jobs of some streams. `queued`: those that are not begun yet."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._lock = threading.Lock()  # jobs are joined in the loop and begun in threads
        self.queued: dict[str | Alike, Job] = {}

    async def ask(self, app: WSGI, news: News | None, environ: Environ) -> RawResponse:
        """Get the page's answer to this request now; with `news`, in one job with the other
        requests of its address."""
        alike = tuple(environ.get(name) for name in _ALIKE)
        key = environ["PATH_INFO"] if news else alike
        with self._lock:
            job = self.queued.get(key)
            if job is None:
                job = self.queued[key] = Job()
                job.answers = asyncio.create_task(self._do(key, job, app, news))
            job.asked.setdefault(alike, dict(environ))
        assert job.answers is not None
        return (await asyncio.shield(job.answers))[alike]

    async def _do(
        self, key: str | Alike, job: Job, app: WSGI, news: News | None
    ) -> dict[Alike, RawResponse]:
        if news:
            await asyncio.sleep(TOGETHER)

        def work() -> dict[Alike, RawResponse]:
            with self._lock:
                del self.queued[key]
            return _answers(app, news, job.asked)

        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _answers(app: WSGI, news: News | None, asked: dict[Alike, Environ]) -> dict[Alike, RawResponse]:
    """Answer these requests; the page's own route answers those that `news` leaves to it."""
    bodies: Sequence[bytes | None] = [None] * len(asked)
    if news:
        try:
            bodies = news(list(asked.values()))
        except Exception as error:  # the route meets the same trouble, and knows what to answer
            _log.warning("messages were not made together: %s", type(error).__name__)
    return {
        alike: fetch(app, environ) if body is None else RawResponse(200, [], body)
        for (alike, environ), body in zip(asked.items(), bodies, strict=True)
    }
