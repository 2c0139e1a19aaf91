"""An answer of the pages' application, fetched whole: one step into a thread and one back.

A form is read before a thread is taken, and the answer is sent after the thread is free again. So
a thread never waits for a browser: a handful of browsers that stall would stop every page.
"""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import partial
from typing import Any, Final, NamedTuple

from a2wsgi.wsgi import build_environ
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response

from classroom.live.pools import Pool

SESSIONS: Final = ("school", "demo", "__Host-school", "__Host-demo")  # cookies that hold a token

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGI = Callable[[Scope, Receive, Send], Awaitable[object]]
WSGI = Callable[..., Iterable[bytes]]


class Answer(NamedTuple):
    """Status, headers as the network wants them, and the body."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


Make = Callable[[dict[str, Any], Callable[[], Answer]], Awaitable[Answer | None]]


class Whole:
    """The pages as an ASGI application that takes a thread only once it has all of a form, and
    gives it back before the answer is read: a slow browser keeps nobody else waiting.

    `longest`: bytes of a form after which no more of it is read. `most`: how many requests may be
    in hand; more are asked to come again. `make`: has an answer made when its time has come, or
    not at all, which is None; usually by the pool.
    """

    def __init__(
        self,
        app: WSGI,
        pool: Pool,
        longest: int,
        most: int | None = None,
        make: Make | None = None,
    ) -> None:
        self._app = app
        self.pool = pool
        self._longest = longest
        self._most = most
        self._make: Make = make or pool.run
        self._in_hand = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; nothing is done where the browser goes away before it is whole."""
        form = b"" if _length(scope) > self._longest else await _form(receive, self._longest)
        if form is None:
            return
        if self._most is not None and self._in_hand >= self._most:
            await busy(send)
            return
        environ = environ_of(scope)
        self._in_hand += 1
        try:
            answer = await self._make(environ, partial(fetch, self._app, environ, form))
        finally:
            self._in_hand -= 1
        if answer is None:
            await busy(send)
            return
        start = {"status": answer.status, "headers": answer.headers}
        await send({"type": "http.response.start", **start})
        await send({"type": "http.response.body", "body": answer.body})


async def busy(send: Send) -> None:
    """Ask the browser to come again in a moment. For when not even a page can be made."""
    words = b"Many people are here just now. Please try again in a moment."
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(words)).encode()),
        (b"retry-after", b"5"),
        (b"cache-control", b"no-store"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": words})


def tokens_of(environ: dict[str, Any]) -> frozenset[str]:
    """Every token of a session that a browser shows, so that none can be hidden among others."""
    cookies = parse_cookie(environ.get("HTTP_COOKIE"))
    return frozenset(token for name in SESSIONS for token in cookies.getlist(name))


def _length(scope: Scope) -> int:
    """How long the form says it is. One that is too long is refused for that alone."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said) if said.isdigit() else 0


async def _form(receive: Receive, longest: int) -> bytes | None:
    """What was sent with a request; None where the browser has gone away meanwhile."""
    parts, length, more = [], 0, True
    while more and length <= longest:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        length, more = length + len(parts[-1]), message.get("more_body", False)
    return b"".join(parts)


def environ_of(scope: Scope) -> dict[str, Any]:
    """A request without its form, as WSGI has it."""
    return dict(build_environ(scope, None))  # type: ignore[arg-type]


def fetch(app: WSGI, environ: dict[str, Any], form: bytes = b"") -> Answer:
    """Ask the application, in this thread."""
    answer = Response.from_app(app, {**environ, "wsgi.input": io.BytesIO(form)}, buffered=True)
    headers = [(name.lower().encode("latin-1"), v.encode("latin-1")) for name, v in answer.headers]
    return Answer(answer.status_code, headers, answer.get_data())
