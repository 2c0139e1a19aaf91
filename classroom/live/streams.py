"""Event streams of the tables: each is one small async function, which uses no thread and no
database connection while it waits.

Whenever the table changes, a stream asks the page's own route (`play.events`) and passes on the
response. The route has the same guard, session check and rendering as the page, so a stream never
shows more than the page would show at that moment. Streams of one table that ask at about the same
time are answered in one job (`News`), which reads the players and the moves once for all of them.

A stream does not repeat what the page has just received as a response (see `Streams.answer`). If
that response is lost on its way, the page asks for its table, or sends its move again.

One session has at most three streams of one URL: a browser needs one, and each costs one rendering
at every move. A stream's first rendering runs on a page thread, so the streams' own threads only
ever work for viewers who may see the table. When a stream ends, `Leaving` notes that its child has
left the page.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar

from flask import Flask

from classroom.hub import Hub, Topic
from classroom.live.answers import (
    ASGI,
    WSGI,
    Message,
    RawResponse,
    Receive,
    Scope,
    Send,
    environ_of,
    fetch,
    tokens_of,
)
from classroom.live.pools import Environ, Pool
from classroom.services.access import sessions
from classroom.services.base.errors import guard
from classroom.services.lesson import live_class

# ---- The jobs that make the messages of streams; each runs in one of the streams' threads
#
# Streams with equal requests share a response, and streams of one table share a job. They join a
# job only before it begins: a job in progress could lack the news that they ask for.

News = Callable[[Sequence[Environ]], Sequence[bytes | None]]
"""Answers requests that come from the streams of one table: with one message for each, or None if
the page's own route has to answer."""

TOGETHER: Final = 0.005  # seconds for which a job waits for the other streams of its table
_ALIKE: Final = ("PATH_INFO", "QUERY_STRING", "HTTP_COOKIE", "HTTP_LAST_EVENT_ID")
Alike = tuple[str | None, ...]

_log = logging.getLogger(__name__)


class Job:
    """Requests that are answered together; equal requests get the same response."""

    def __init__(self) -> None:
        self.asked: dict[Alike, Environ] = {}
        self.answers: asyncio.Task[dict[Alike, RawResponse]] | None = None


class Jobs:
    """The jobs of some streams. `queued`: the jobs that have not begun yet."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._lock = threading.Lock()  # jobs are joined in the loop and begun in threads
        self.queued: dict[str | Alike, Job] = {}

    async def ask(self, app: WSGI, news: News | None, environ: Environ) -> RawResponse:
        """Get the page's response to this request now. With `news`, one job answers all requests
        for one URL together."""
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
    """Answer these requests. If `news` gives None, the page's own route answers."""
    bodies: Sequence[bytes | None] = [None] * len(asked)
    if news:
        try:
            bodies = news(list(asked.values()))
        except Exception as error:  # the route raises it again, and can turn it into a response
            _log.warning("messages were not made together: %s", type(error).__name__)
    return {
        alike: fetch(app, environ) if body is None else RawResponse(200, [], body)
        for (alike, environ), body in zip(asked.items(), bodies, strict=True)
    }


Page = tuple[Hub, Topic, bytes]
"""A page that is open in a browser: its hub and topic, and the browser's cookies."""
Key = TypeVar("Key")

PING_SECONDS = 15.0
BEHIND: Final = 3  # if at least this many jobs wait for a thread, the threads are behind
LONGER: Final = 8.0  # seconds; the longest that a page lets others go first
_GLIMPSE: Final = 0.1  # seconds between two checks of whether the page still has to wait
OVERTAKEN = b": the page has it\n\n"
BYE = b"event: bye\ndata: \n\n"  # the session or the seat is gone: the page reloads itself
# The session has newer streams of this page, so this copy of the page polls instead: if it reloaded
# itself, its new stream would replace one of them.
ENOUGH = b"event: enough\ndata: \n\n"
MOST_STREAMS: Final = 3  # maximum number of streams that one session may have open for one URL

Headers = list[tuple[bytes, bytes]]
_OF_STREAMS: Headers = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
_OF_NONE: Headers = [(b"cache-control", b"no-store"), (b"content-length", b"0")]
# Headers of a page's response that streams do not pass on.
_OF_PAGES: Final = {b"content-length", b"content-type", b"location"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How all messages of a stream except its first one are made.

    `news`: makes the messages of all streams of the table together. `gather`: seconds to wait for
    more news, so that one message contains all of it. `every`: the fewest seconds between two
    messages. `busy`: whether others should go first; a message then waits, for LONGER at most.
    """

    news: News | None = None
    gather: float = 0.0
    every: float = 0.0
    busy: Callable[[], bool] = lambda: False


_USUAL: Final = Manner()


@dataclass(slots=True, eq=False, kw_only=True)
class Stream:
    """One open stream. It is woken by news, when the browser goes away, when the server stops, and
    when its session has opened enough newer streams.

    `environ`: the request for the page's route. `news`: the numbers of the notices since its last
    request. `answers`: how many responses to the page's own requests are on their way to the page.
    """

    wake: asyncio.Event
    environ: Environ
    gone: bool = False
    enough: bool = False
    news: list[int] = field(default_factory=list)
    answers: int = 0

    def hear(self, number: int) -> None:
        self.news.append(number)
        self.wake.set()

    def end(self, enough: bool = False) -> None:
        self.gone, self.enough = True, enough
        self.wake.set()

    def had(self, mark: str) -> None:
        """Note the mark of the table that the page got in response to a move, or "" if it got none.
        If this table is newer than the page's last one, drop one notice with its number: the notice
        of that move. Any other notice with that number is about something else."""
        moves = _moves(mark)
        if moves <= _moves(self.environ.get("HTTP_LAST_EVENT_ID")):
            return self.hear(moves)
        self.environ["HTTP_LAST_EVENT_ID"] = mark
        if moves in self.news:
            self.news.remove(moves)
        self.wake.set()

    async def woken(self, seconds: float) -> bool:
        """Wait to be woken, for this many seconds at most; returns whether it was woken."""
        self.wake.clear()
        with suppress(TimeoutError):
            return await asyncio.wait_for(self.wake.wait(), seconds)
        return False


class Streams:
    """All open streams of this process. `stop` ends them at once (call it in the loop's thread).
    `threads` make the messages; `first` makes the first message of each stream."""

    def __init__(
        self, threads: Executor, ping: float = PING_SECONDS, first: Pool | None = None
    ) -> None:
        self.threads = threads
        self._first = first or Pool(threads)
        self._ping = ping
        self._open: dict[Page, list[Stream]] = {}
        self._held: dict[tuple[str, str], list[Stream]] = {}  # by URL path and session token
        self.jobs = Jobs(threads)
        self._stopped = False

    @property
    def are_behind(self) -> bool:
        """Whether several messages of the streams wait for a thread."""
        return len(self.jobs.queued) >= BEHIND

    def stop(self) -> None:
        self._stopped = True
        for stream in chain.from_iterable(self._open.values()):
            stream.end()

    async def serve(
        self,
        app: WSGI,
        hub: Hub,
        topic: Topic,
        scope: Scope,
        receive: Receive,
        send: Send,
        manner: Manner = _USUAL,
    ) -> None:
        """Serve one request for the events of a round or a class, until either side ends it."""
        loop = asyncio.get_running_loop()
        stream = Stream(wake=asyncio.Event(), environ=_environ(scope), gone=self._stopped)
        page = _page(hub, topic, scope)

        def hear(_topic: Topic, seq: int) -> None:
            loop.call_soon_threadsafe(stream.hear, seq)

        leave = hub.subscribe(topic, hear)
        watch = asyncio.create_task(_watch(receive, stream))
        held = [(stream.environ["PATH_INFO"], token) for token in tokens_of(stream.environ)]
        _add(self._open, [page], stream)
        _add(self._held, held, stream)
        for one in held:
            for old in self._held[one][:-MOST_STREAMS]:
                old.end(enough=True)
        try:
            await self._run(app, stream, send, manner)
        finally:
            leave()
            watch.cancel()
            _remove(self._open, [page], stream)
            _remove(self._held, held, stream)

    async def answer(
        self, moves: ASGI, hub: Hub, topic: Topic, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Pass on a move that a page sends. The page's stream waits for the response, and then
        sends only tables that are newer than the table in the response. If one browser has two
        pages at a table, their streams cannot be told apart: both get everything."""
        streams = self._open.get(_page(hub, topic, scope), [])
        if len(streams) != 1:
            await moves(scope, receive, send)
            return
        stream, brought, mark = streams[0], b"", ""

        async def note(message: Message) -> None:
            nonlocal brought
            if message["type"] == "http.response.start":
                brought = dict(message["headers"]).get(b"last-event-id", b"")
            await send(message)

        stream.answers += 1
        try:
            await moves(scope, receive, note)
            mark = brought.decode()
        finally:
            stream.answers -= 1
            stream.had(mark)

    async def _run(self, app: WSGI, stream: Stream, send: Send, manner: Manner) -> None:
        status, headers, body = await _told(stream.environ, self._begin(app, stream))
        stream.environ["fishschool.again"] = True  # all later requests are only for news
        ok = status == 200
        own = _OF_STREAMS if ok else _OF_NONE
        taken = _OF_PAGES | {name for name, _ in own}
        headers = [*own, *(header for header in headers if header[0] not in taken)]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        while ok and not stream.gone:
            await _part(send, body)
            next_at = time.monotonic() + manner.every
            await _news(stream, self._ping)
            await _pause(stream, max(manner.gather, next_at - time.monotonic()))
            await _let_others(stream, manner.busy)
            if stream.gone:
                break
            stream.news.clear()  # cleared before asking: later news needs another request
            asked = self.jobs.ask(app, manner.news, stream.environ)
            status, _, body = await _told(stream.environ, asked)
            if status >= 500:
                body = b": later\n\n"  # a temporary failure; the next ping asks again
            elif status != 200:
                await _part(send, BYE)
                break
        if ok and stream.enough:
            await _part(send, ENOUGH)
        await send({"type": "http.response.body", "body": b""})

    async def _begin(self, app: WSGI, stream: Stream) -> RawResponse:
        """Get the page's first response; an empty one if the stream has ended in the meantime."""

        def ask() -> RawResponse:
            return RawResponse(200, [], b"") if stream.gone else fetch(app, stream.environ)

        return await self._first.run(stream.environ, ask)


async def _told(environ: Environ, asked: Awaitable[RawResponse]) -> RawResponse:
    """Wait for the page's response, and keep its mark, so that the next request is only for news.
    If the page got a newer table in the meantime, the body is replaced with a comment."""
    before = environ.get("HTTP_LAST_EVENT_ID")
    answer = await asked
    if answer.status == 200 and answer.body.startswith(b"id: "):
        mark = answer.body[4 : answer.body.index(b"\n")].decode()
        now = environ.get("HTTP_LAST_EVENT_ID")
        if now != before and _moves(mark) < _moves(now):
            return answer._replace(body=OVERTAKEN)
        environ["HTTP_LAST_EVENT_ID"] = mark
    return answer


def _page(hub: Hub, topic: Topic, scope: Scope) -> Page:
    return hub, topic, next((value for name, value in scope["headers"] if name == b"cookie"), b"")


def _add(streams: dict[Key, list[Stream]], keys: Sequence[Key], stream: Stream) -> None:
    for key in keys:
        streams.setdefault(key, []).append(stream)


def _remove(streams: dict[Key, list[Stream]], keys: Sequence[Key], stream: Stream) -> None:
    for key in keys:
        streams[key].remove(stream)
        if not streams[key]:
            del streams[key]


def _moves(mark: str | None) -> int:
    """Return how many moves the table with this mark has; -1 without a mark."""
    number = (mark or "").partition("-")[0]
    return int(number) if number.isdecimal() else -1


async def _watch(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def _news(stream: Stream, seconds: float) -> None:
    """Wait for news, but no longer than `seconds`: a notice may have been lost, so the page's route
    is then asked anyway."""
    while not stream.gone and (stream.answers or not stream.news):
        if not await stream.woken(seconds) and not stream.answers:
            return


async def _pause(stream: Stream, seconds: float) -> None:
    """Wait for this long, even if news arrives."""
    until = time.monotonic() + seconds
    while not stream.gone and (left := until - time.monotonic()) > 0:
        await stream.woken(left)


async def _let_others(stream: Stream, busy: Callable[[], bool]) -> None:
    """Wait while other work should go first, for LONGER at most."""
    until = time.monotonic() + LONGER
    while not stream.gone and busy() and time.monotonic() < until:
        await _pause(stream, _GLIMPSE)


async def _part(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _environ(scope: Scope) -> Environ:
    environ = environ_of(scope)
    environ.pop("HTTP_ACCEPT_ENCODING", None)  # otherwise `fetch` would compress a response
    environ["fishschool.stream"] = True
    environ["fishschool.kept"] = {}  # the page's route caches data here for later messages
    return environ


# ---- Shows the other players that a child has closed the page of their table
#
# A page that is only reloaded opens a new stream within GRACE seconds, and nothing is shown. That
# stream may be in another process. So each process tells the others through the hub when a seat has
# a stream, and asks them when a stream has ended.

GRACE: Final = 4.0  # seconds within which a reloaded page has to come back
HERE, LEFT = "here", "left"  # with the id of a round: topics between the processes
Seat = tuple[Hub, int, int]
"""A seat of a round: the hub of its school, the round, and the number of the seat."""


class Leaving:
    """Watches the streams of one school's tables in this process, and marks the children who have
    closed their page. It works in the event loop's thread; `threads` use the database."""

    def __init__(self, app: Flask, threads: Executor, grace: float = GRACE) -> None:
        self._app, self._threads, self._grace = app, threads, grace
        self._open: Counter[Seat] = Counter()
        self._left: dict[Seat, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    def stop(self) -> None:
        """Mark no child from now on, because the server itself is ending the streams."""
        self._stopped = True
        for timer in self._left.values():
            timer.cancel()

    async def watch(
        self, hub: Hub, round_id: int, tokens: Collection[str], stream: Awaitable[object]
    ) -> None:
        """Wait until a table's stream ends. `tokens`: the session tokens of its browser."""
        seat = asyncio.ensure_future(self._work(partial(_seat_of, round_id, tokens)))
        came = asyncio.ensure_future(self._came(hub, round_id, seat))
        try:
            await stream
        finally:
            self._keep(asyncio.ensure_future(self._went(came)))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _came(
        self, hub: Hub, round_id: int, found: Awaitable[Any]
    ) -> tuple[Seat, Callable[[], None]] | None:
        """Note that this seat has a stream. Returns the seat, and a function that stops answering
        other processes about it; None if the browser has no seat in the round."""
        number = await found
        if number is None:
            return None
        seat = hub, round_id, number
        self._open[seat] += 1
        self._back(seat)
        loop = asyncio.get_running_loop()

        def asked(_topic: Topic, number: int) -> None:
            loop.call_soon_threadsafe(self._asked, (hub, round_id, number))

        leave = hub.subscribe((LEFT, round_id), asked)
        hub.tell((HERE, round_id), number)
        await self._work(partial(live_class.at_page, round_id, number, there=True))
        return seat, leave

    def _asked(self, seat: Seat) -> None:
        """Tell the other processes if this seat has a stream in this process. Called when a stream
        of the seat has ended in another process."""
        if self._open[seat]:
            seat[0].tell((HERE, seat[1]), seat[2])

    def _back(self, seat: Seat) -> None:
        timer = self._left.pop(seat, None)
        if timer is not None:
            timer.cancel()

    async def _went(self, came: Awaitable[tuple[Seat, Callable[[], None]] | None]) -> None:
        found = await came
        if found is None:
            return
        seat, leave = found
        leave()
        self._open[seat] -= 1
        if self._open[seat] > 0 or self._stopped:
            return
        del self._open[seat]
        hub, round_id, number = seat
        loop = asyncio.get_running_loop()

        def back(_topic: Topic, number: int) -> None:
            loop.call_soon_threadsafe(self._back, (hub, round_id, number))

        leave = hub.subscribe((HERE, round_id), back)
        self._back(seat)
        self._left[seat] = loop.call_later(self._grace, self._gone, seat)
        loop.call_later(self._grace, leave)
        hub.tell((LEFT, round_id), number)

    def _gone(self, seat: Seat) -> None:
        del self._left[seat]
        _, round_id, number = seat
        work = self._work(partial(live_class.at_page, round_id, number, there=False))
        self._keep(asyncio.ensure_future(work))

    async def _work(self, work: Callable[[], Any]) -> Any:
        """Run `work` in a thread with a database session. If it fails, only the mark is missing."""

        def done() -> Any:
            with suppress(Exception), self._app.app_context(), guard("note who is at a page"):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._threads, done)


def _seat_of(round_id: int, tokens: Collection[str]) -> int | None:
    found = sessions.at_table(round_id, tokens).values()
    return next((one.seat for one in found if one.seat is not None), None)
