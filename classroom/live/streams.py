"""Event streams of the tables: one small async function each, no thread and no connection while
it waits.

A stream asks the page's own route (`play.events`) again whenever the table moves on, and passes on
what that answers: the same guard, the same session check and the same function that renders the
page. So a stream can show nothing that the page would not show at that moment.

What a page has just been answered it is not sent a second time: `Streams.answer`. Should the
answer be lost on its way, the page asks for its table, or sends the same again.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from classroom.live.answers import ASGI, WSGI, Message, Receive, Scope, Send, environ_of, fetch
from classroom.live.hub import Hub, Topic

Page = tuple[Hub, Topic, bytes]
"""What a browser looks at: what it is about, and the cookies of the browser."""

PING_SECONDS = 15.0
OVERTAKEN = b": the page has it\n\n"
BYE = b"event: bye\ndata: \n\n"  # the session or the seat is gone: the page loads itself again

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


@dataclass(slots=True, eq=False)
class Waiting:
    """One open stream: woken by news, by the browser going away, by the server stopping.

    `environ`: the request by which the page's route is asked. `news`: the numbers told since it was
    last asked. `answers`: how many tables are on their way to the same page, each as the answer to
    what it has sent.
    """

    wake: asyncio.Event
    environ: dict[str, Any]
    gone: bool = False
    news: list[int] = field(default_factory=list)
    answers: int = 0

    def hear(self, number: int) -> None:
        self.news.append(number)
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
    """All open streams of this process. `stop` ends them at once (call it in the loop's thread)."""

    def __init__(self, threads: Executor, ping: float = PING_SECONDS) -> None:
        self._threads = threads
        self._ping = ping
        self._open: dict[Page, list[Waiting]] = {}
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True
        for stream in chain.from_iterable(self._open.values()):
            stream.gone = True
            stream.wake.set()

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
        self._open.setdefault(page, []).append(stream)
        try:
            await self._run(app, stream, send, calm, every)
        finally:
            leave()
            watch.cancel()
            self._open[page].remove(stream)
            if not self._open[page]:
                del self._open[page]

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
        status, body = await self._ask(app, stream.environ)
        ok = status == 200
        headers = _HEADERS if ok else [(b"cache-control", b"no-store"), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        while ok and not stream.gone:
            await _part(send, body)
            next_at = time.monotonic() + every
            await _news(stream, self._ping)
            await _rest(stream, max(calm, next_at - time.monotonic()))
            if stream.gone:
                break
            stream.news.clear()  # before asking: for news that come meanwhile it is asked again
            status, body = await self._ask(app, stream.environ)
            if status >= 500:
                body = b": later\n\n"  # a passing trouble; the next ping asks again
            elif status != 200:
                await _part(send, BYE)
                break
        await send({"type": "http.response.body", "body": b""})

    async def _ask(self, app: WSGI, environ: dict[str, Any]) -> tuple[int, bytes]:
        """The page's answer now; remembers its number, so that the next is only asked for news."""
        loop, before = asyncio.get_running_loop(), environ.get("HTTP_LAST_EVENT_ID")
        status, _, body = await loop.run_in_executor(self._threads, fetch, app, environ)
        if status == 200 and body.startswith(b"id: "):
            mark, now = body[4 : body.index(b"\n")].decode(), environ.get("HTTP_LAST_EVENT_ID")
            if now != before and _moves(mark) < _moves(now):
                return status, OVERTAKEN  # by an answer, while this was on its way
            environ["HTTP_LAST_EVENT_ID"] = mark
        return status, body


def _page(hub: Hub, topic: Topic, scope: Scope) -> Page:
    return hub, topic, next((value for name, value in scope["headers"] if name == b"cookie"), b"")


def _moves(mark: str | None) -> int:
    """How many moves the table of this mark has; -1 for none."""
    number = (mark or "").partition("-")[0]
    return int(number) if number.isdecimal() else -1


async def _watch(receive: Receive, stream: Waiting) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.gone = True
    stream.wake.set()


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
