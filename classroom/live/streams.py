"""Event streams of the tables: one small async function each, no thread and no connection while
it waits.

A stream asks the page's own route (`play.events`) again whenever the table moves on, and passes on
what that answers: the same guard, the same session check and the same function that renders the
page. So a stream can show nothing that the page would not show at that moment.

What a page has just been answered it is not sent a second time: `Streams.answer`. Should the
answer be lost on its way, the page asks for its table, or sends the same again.

One session holds at most three streams of one address: a browser needs one, and each costs a
picture at every move. The first picture of a stream is made where pages are made, so that only
those who may see a table take time from its streams.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, TypeVar

from classroom.hub import Hub, Topic
from classroom.live.answers import (
    ASGI,
    WSGI,
    Answer,
    Message,
    Receive,
    Scope,
    Send,
    environ_of,
    fetch,
    tokens_of,
)
from classroom.live.pools import Pool

Page = tuple[Hub, Topic, bytes]
"""What a browser looks at: what it is about, and the cookies of the browser."""
Key = TypeVar("Key")

PING_SECONDS = 15.0
OVERTAKEN = b": the page has it\n\n"
BYE = b"event: bye\ndata: \n\n"  # the session or the seat is gone: the page loads itself again
# The session has newer streams of this, so the page asks now and then instead. Were it to load
# itself again, it would take the place of one of those.
ENOUGH = b"event: enough\ndata: \n\n"
MOST: Final = 3  # streams of one session and address
_ALIKE: Final = ("PATH_INFO", "QUERY_STRING", "HTTP_COOKIE", "HTTP_LAST_EVENT_ID")
Held = tuple[str, str]
"""An address, and a token of a session that holds streams of it."""

Headers = list[tuple[bytes, bytes]]
_OF_STREAMS: Headers = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
_OF_NONE: Headers = [(b"cache-control", b"no-store"), (b"content-length", b"0")]
_OF_PAGES: Final = {b"content-length", b"content-type", b"location"}  # that no stream passes on


@dataclass(slots=True, eq=False)
class Waiting:
    """One open stream: woken by news, by the browser going away, by the server stopping, and when
    its session has opened enough newer ones.

    `environ`: the request by which the page's route is asked. `news`: the numbers told since it was
    last asked. `answers`: how many tables are on their way to the same page, each as the answer to
    what it has sent.
    """

    wake: asyncio.Event
    environ: dict[str, Any]
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
        """The page was answered with the table of this mark; or, "", with none. Of the notices
        with its number one told of the move that was answered, if it was a new one; any other of
        another change."""
        moves = _moves(mark)
        if moves <= _moves(self.environ.get("HTTP_LAST_EVENT_ID")):
            return self.hear(moves)
        self.environ["HTTP_LAST_EVENT_ID"] = mark
        if moves in self.news:
            self.news.remove(moves)
        self.wake.set()

    async def woken(self, seconds: float) -> bool:
        """Wait to be woken, so long at most; whether it was."""
        self.wake.clear()
        with suppress(TimeoutError):
            return await asyncio.wait_for(self.wake.wait(), seconds)
        return False


class Streams:
    """All open streams of this process. `stop` ends them at once (call it in the loop's thread).

    `threads`: where their messages are made; `first`: where the first message of each is.
    """

    def __init__(
        self, threads: Executor, ping: float = PING_SECONDS, first: Pool | None = None
    ) -> None:
        self.threads = threads
        self._first = first or Pool(threads)
        self._ping = ping
        self._open: dict[Page, list[Waiting]] = {}
        self._held: dict[Held, list[Waiting]] = {}
        self._queued: dict[tuple[Any, ...], list[asyncio.Future[Answer]]] = {}
        self._stopped = False

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
        calm: float = 0.0,
        every: float = 0.0,
    ) -> None:
        """Answer one request for the events of a round or a class until either side goes away.

        `calm`: seconds that it waits after news for more of them, to tell all in one message;
        `every`: at least so many seconds lie between two messages.
        """
        loop = asyncio.get_running_loop()
        stream = Waiting(asyncio.Event(), _environ(scope), gone=self._stopped)
        page = _page(hub, topic, scope)

        def hear(_topic: Topic, seq: int) -> None:
            loop.call_soon_threadsafe(stream.hear, seq)

        leave = hub.subscribe(topic, hear)
        watch = asyncio.create_task(_watch(receive, stream))
        held = _held_by(stream.environ)
        _add(self._open, [page], stream)
        _add(self._held, held, stream)
        self._make_room(held)
        try:
            await self._run(app, stream, send, calm, every)
        finally:
            leave()
            watch.cancel()
            _take(self._open, [page], stream)
            _take(self._held, held, stream)

    def _make_room(self, held: Sequence[Held]) -> None:
        """The oldest streams of a session that has too many of this address end."""
        for one in held:
            for old in self._held[one][:-MOST]:
                old.end(enough=True)

    async def answer(
        self, moves: ASGI, hub: Hub, topic: Topic, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Have a page answered what it has sent. Its stream waits for that, and is then asked only
        for what is newer than the table that the answer says it brings, if anything is.

        With two pages of one browser at a table nobody can tell whose stream is whose: both get
        all.
        """
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

    async def _run(self, app: WSGI, stream: Waiting, send: Send, calm: float, every: float) -> None:
        status, headers, body = await _told(stream.environ, self._begin(app, stream))
        stream.environ["fishschool.again"] = True  # whatever it asks from here on is for news
        ok = status == 200
        headers = _with(headers, _OF_STREAMS if ok else _OF_NONE)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        while ok and not stream.gone:
            await _part(send, body)
            next_at = time.monotonic() + every
            await _news(stream, self._ping)
            await _rest(stream, max(calm, next_at - time.monotonic()))
            if stream.gone:
                break
            stream.news.clear()  # before asking: for news that come meanwhile it is asked again
            status, _, body = await _told(stream.environ, self._fetch(app, stream.environ))
            if status >= 500:
                body = b": later\n\n"  # a passing trouble; the next ping asks again
            elif status != 200:
                await _part(send, BYE)
                break
        if ok and stream.enough:
            await _part(send, ENOUGH)
        await send({"type": "http.response.body", "body": b""})

    async def _begin(self, app: WSGI, stream: Waiting) -> Answer:
        """The first answer of the page; none is made for a stream that has ended meanwhile."""

        def ask() -> Answer:
            return Answer(200, [], b"") if stream.gone else fetch(app, stream.environ)

        return await self._first.run(stream.environ, ask)

    def _fetch(self, app: WSGI, environ: dict[str, Any]) -> asyncio.Future[Answer]:
        """The page's answer now, made once for all streams of a browser that ask the same.

        A stream shares only in an answer that nobody has begun to make. One that is begun can lack
        the very news that this stream asks for.
        """
        key = tuple(environ.get(name) for name in _ALIKE)
        queued = self._queued.get(key)
        if queued is None:
            question = dict(environ)
            self._queued[key] = queued = []  # before a thread can begin

            def ask() -> Answer:
                self._queued.pop(key, None)
                return fetch(app, question)

            queued.append(asyncio.get_running_loop().run_in_executor(self.threads, ask))
        return asyncio.shield(queued[0])


async def _told(environ: dict[str, Any], asked: Awaitable[Answer]) -> Answer:
    """The page's answer. Its mark is remembered, so that the next is only asked for news; the body
    of one that the page's own answer has overtaken meanwhile is not shown."""
    before = environ.get("HTTP_LAST_EVENT_ID")
    answer = await asked
    if answer.status == 200 and answer.body.startswith(b"id: "):
        mark = answer.body[4 : answer.body.index(b"\n")].decode()
        now = environ.get("HTTP_LAST_EVENT_ID")
        if now != before and _moves(mark) < _moves(now):
            return answer._replace(body=OVERTAKEN)
        environ["HTTP_LAST_EVENT_ID"] = mark
    return answer


def _with(headers: Headers, own: Headers) -> Headers:
    """The headers of the page's answer, such as what the browser is to refuse, and our own."""
    taken = _OF_PAGES | {name for name, _ in own}
    return [*own, *(header for header in headers if header[0] not in taken)]


def _page(hub: Hub, topic: Topic, scope: Scope) -> Page:
    return hub, topic, next((value for name, value in scope["headers"] if name == b"cookie"), b"")


def _held_by(environ: dict[str, Any]) -> list[Held]:
    """Under what a stream is counted."""
    return [(environ["PATH_INFO"], token) for token in tokens_of(environ)]


def _add(streams: dict[Key, list[Waiting]], keys: Sequence[Key], stream: Waiting) -> None:
    for key in keys:
        streams.setdefault(key, []).append(stream)


def _take(streams: dict[Key, list[Waiting]], keys: Sequence[Key], stream: Waiting) -> None:
    for key in keys:
        streams[key].remove(stream)
        if not streams[key]:
            del streams[key]


def _moves(mark: str | None) -> int:
    """How many moves the table of this mark has; -1 for none."""
    number = (mark or "").partition("-")[0]
    return int(number) if number.isdecimal() else -1


async def _watch(receive: Receive, stream: Waiting) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def _news(stream: Waiting, seconds: float) -> None:
    """Wait until there is something to ask for. So there is after so many seconds: a notice may
    have been lost, so the number is compared again."""
    while not stream.gone and (stream.answers or not stream.news):
        if not await stream.woken(seconds) and not stream.answers:
            return


async def _rest(stream: Waiting, seconds: float) -> None:
    """Wait so long, news or no news."""
    until = time.monotonic() + seconds
    while not stream.gone and (left := until - time.monotonic()) > 0:
        await stream.woken(left)


async def _part(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _environ(scope: Scope) -> dict[str, Any]:
    environ = environ_of(scope)
    environ.pop("HTTP_ACCEPT_ENCODING", None)
    environ["fishschool.stream"] = True
    return environ
