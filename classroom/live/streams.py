"""Event streams of the tables: one small async function each, no thread and no connection while
it waits.

A stream asks the page's own route (`play.events`) again whenever the table moves on, and passes on
what that answers: the same guard, the same session check and the same function that renders the
page. So a stream can show nothing that the page would not show at that moment.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from a2wsgi.wsgi import build_environ

from classroom.live.hub import Hub, Topic

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
WSGI = Callable[..., Any]

THREADS = 4
PING_SECONDS = 15.0
BYE = b"event: bye\ndata: \n\n"  # the session or the seat is gone: the page loads itself again

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


@dataclass(slots=True, eq=False)
class Waiting:
    """One open stream: woken by news, by the browser going away, by the server stopping."""

    wake: asyncio.Event
    gone: bool = False


class Streams:
    """All open streams of this process. `stop` ends them at once (call it in the loop's thread)."""

    def __init__(self, ping: float = PING_SECONDS) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="stream")
        self._ping = ping
        self._open: set[Waiting] = set()
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True
        for stream in self._open:
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
    ) -> None:
        """Answer one request for the events of a round or a class until either side goes away.

        `calm`: seconds that it waits after news for more of them, to tell all in one message.
        """
        loop = asyncio.get_running_loop()
        stream = Waiting(asyncio.Event(), gone=self._stopped)

        def wake(_topic: Topic, _seq: int) -> None:
            loop.call_soon_threadsafe(stream.wake.set)

        leave = hub.subscribe(topic, wake)
        watch = asyncio.create_task(_watch(receive, stream))
        self._open.add(stream)
        try:
            await self._run(app, scope, stream, send, calm)
        finally:
            leave()
            watch.cancel()
            self._open.discard(stream)

    async def _run(self, app: WSGI, scope: Scope, stream: Waiting, send: Send, calm: float) -> None:
        environ = _environ(scope)
        status, body = await self._ask(app, environ)
        ok = status == 200
        headers = _HEADERS if ok else [(b"cache-control", b"no-store"), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        while ok and not stream.gone:
            await _part(send, body)
            await _news(stream.wake, self._ping)
            if calm and not stream.gone:
                await asyncio.sleep(calm)
            if stream.gone:
                break
            stream.wake.clear()  # before asking: news that come meanwhile wake us again
            status, body = await self._ask(app, environ)
            if status >= 500:
                body = b": later\n\n"  # a passing trouble; the next ping asks again
            elif status != 200:
                await _part(send, BYE)
                break
        await send({"type": "http.response.body", "body": b""})

    async def _ask(self, app: WSGI, environ: dict[str, Any]) -> tuple[int, bytes]:
        """The page's answer now; remembers its number, so that the next is only asked for news."""
        loop = asyncio.get_running_loop()
        status, body = await loop.run_in_executor(self._threads, _call, app, dict(environ))
        if status == 200 and body.startswith(b"id: "):
            environ["HTTP_LAST_EVENT_ID"] = body[4 : body.index(b"\n")].decode()
        return status, body


async def _watch(receive: Receive, stream: Waiting) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.gone = True
    stream.wake.set()


async def _news(wake: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(wake.wait(), seconds)
    except TimeoutError:
        return  # a ping: a notice may have been lost, so the number is compared again


async def _part(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _environ(scope: Scope) -> dict[str, Any]:
    environ: dict[str, Any] = dict(build_environ(scope, None))  # type: ignore[arg-type]
    environ.pop("HTTP_ACCEPT_ENCODING", None)
    environ["fishschool.stream"] = True
    return environ


def _call(app: WSGI, environ: dict[str, Any]) -> tuple[int, bytes]:
    """One request to the application, without a network."""
    answered: list[int] = []
    environ["wsgi.input"] = io.BytesIO()

    def start_response(status: str, _headers: Any, _error: Any = None) -> Callable[[bytes], None]:
        answered.append(int(status[:3]))
        return lambda _chunk: None

    parts = app(environ, start_response)
    try:
        return answered[-1], b"".join(parts)
    finally:
        getattr(parts, "close", lambda: None)()
