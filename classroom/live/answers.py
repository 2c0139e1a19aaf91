"""Answers requests for pages (WSGI), each in a single thread, and compresses the answers."""

from __future__ import annotations

import gzip
import io
from collections.abc import Awaitable, Callable, Hashable, Iterable, MutableMapping
from functools import partial
from typing import Any, Final, NamedTuple

from a2wsgi.wsgi import build_environ
from werkzeug.sansio.http import parse_cookie  # Flask's parser; the other fails on bad UTF-8
from werkzeug.wrappers import Response

from classroom.live.pools import Pool

# A form is read before a thread is taken, and the answer is sent after the thread is free again. So
# a thread never waits for a browser: otherwise a handful of stalled browsers would stop every page.

SESSIONS: Final = ("school", "demo", "__Host-school", "__Host-demo")  # names of session cookies

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGI = Callable[[Scope, Receive, Send], Awaitable[object]]
WSGI = Callable[..., Iterable[bytes]]


class RawResponse(NamedTuple):
    """A response as ASGI sends it: status, headers as bytes, body."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


Make = Callable[[dict[str, Any], Callable[[], RawResponse]], Awaitable[RawResponse | None]]


class Buffered:
    """The pages as an ASGI application that takes a thread only once it has the whole form, and
    frees it before the answer is sent: a slow browser keeps no one else waiting.

    `longest`: the most bytes of a form that are read. `most`: how many requests may be in progress;
    browsers that send more are asked to come again. `make` runs the work that makes an answer, when
    its turn comes, or returns None if it refuses to; by default the pool runs it.
    """

    def __init__(
        self, app: WSGI, pool: Pool, longest: int, most: int | None = None, make: Make | None = None
    ) -> None:
        self._app = app
        self.pool = pool
        self._longest = longest
        self._most = most
        self._make: Make = make or pool.run
        self._in_progress = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; do nothing if the browser goes away before it is complete."""
        form = b"" if _length(scope) > self._longest else await _form(receive, self._longest)
        if form is None:
            return
        if self._most is not None and self._in_progress >= self._most:
            await busy(send)
            return
        environ = environ_of(scope)
        self._in_progress += 1
        try:
            answer = await self._make(environ, partial(fetch, self._app, environ, form))
        finally:
            self._in_progress -= 1
        if answer is None:
            await busy(send)
            return
        start = {"status": answer.status, "headers": answer.headers}
        await send({"type": "http.response.start", **start})
        await send({"type": "http.response.body", "body": answer.body})


class AFewAtOnce:
    """Reads only a few long forms at one time, so that together they cannot fill the memory, and
    only one for each person that `whose` finds. If a person sends more, they are asked to come
    again. Strangers, for whom `whose` returns None, are passed on to `others`."""

    def __init__(
        self, app: ASGI, most: int, whose: Callable[[Scope], Awaitable[Hashable]], others: ASGI
    ) -> None:
        self._app, self._most, self._whose, self._others = app, most, whose, others
        self._now: set[Hashable] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        person = await self._whose(scope)
        if person is None:
            await self._others(scope, receive, send)
        elif person in self._now or len(self._now) >= self._most:
            await busy(send)
        else:
            self._now.add(person)
            try:
                await self._app(scope, receive, send)
            finally:
                self._now.remove(person)


async def busy(send: Send) -> None:
    """Ask the browser to come again in a moment, without even making an error page."""
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
    """Return all session tokens in a browser's cookies, so that none can be hidden among others."""
    return cookies_of(environ, "")


def cookies_of(environ: dict[str, Any], what: str) -> frozenset[str]:
    """Return the values of all cookies whose name is that of a session cookie followed by
    `what`."""
    cookies = parse_cookie(environ.get("HTTP_COOKIE"))
    return frozenset(value for name in SESSIONS for value in cookies.getlist(name + what))


def _length(scope: Scope) -> int:
    """Return the length that a request states for its form, or 0 if it states none."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said) if said.isdigit() else 0


async def _form(receive: Receive, longest: int) -> bytes | None:
    """Read the body of a request; returns None if the browser goes away in the meantime."""
    parts, length, more = [], 0, True
    while more and length <= longest:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        length, more = length + len(parts[-1]), message.get("more_body", False)
    return b"".join(parts)


def environ_of(scope: Scope) -> dict[str, Any]:
    """Build the WSGI environ of a request, without its body."""
    return dict(build_environ(scope, None))  # type: ignore[arg-type]


def fetch(app: WSGI, environ: dict[str, Any], form: bytes = b"") -> RawResponse:
    """Call the application in this thread; returns its whole response."""
    answer = Response.from_app(app, {**environ, "wsgi.input": io.BytesIO(form)}, buffered=True)
    headers = [(name.lower().encode("latin-1"), v.encode("latin-1")) for name, v in answer.headers]
    return RawResponse(answer.status_code, headers, answer.get_data())


# ---- Compresses pages, styles, scripts and drawings for the network
#
# Compression gives no secret away: the form token is masked differently in each response (BREACH),
# a hand of cards is compressed only with its owner's page, and cards hidden from a viewer do not
# change that viewer's page.

Headers = list[tuple[str, str]]

SMALLEST = 600  # bytes; for shorter bodies the header costs more than compression saves
GZIPPED_KEPT = 64  # how many compressed static files are kept
_TYPES = (
    "text/html",
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
)


class Gzipped:
    """WSGI middleware that compresses answers for browsers that accept gzip."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self._app = app
        self._kept: dict[str, bytes] = {}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "HEAD" or not _reads_gzip(environ):
            return self._app(environ, start_response)
        answer: list[Any] = []

        def keep(status: str, headers: Headers, error: Any = None) -> Callable[[bytes], None]:
            answer[:] = [status, headers, error]
            return lambda _chunk: None

        parts = self._app(environ, keep)
        status, headers, error = answer
        if not _worth(status, headers):
            start_response(status, headers, error)
            return parts
        try:
            body = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        small, headers = self._small(body, headers)
        start_response(status, headers, error)
        return [small]

    def _small(self, body: bytes, headers: Headers) -> tuple[bytes, Headers]:
        if len(body) < SMALLEST:
            return body, headers
        named = {name.lower(): value for name, value in headers}
        etag = named.get("etag", "")
        lasting = bool(etag) and "public" in named.get("cache-control", "")
        small = self._kept.get(etag) if lasting else None
        if small is None:
            small = gzip.compress(body, 9 if lasting else 5, mtime=0)
            if lasting and len(self._kept) < GZIPPED_KEPT:
                self._kept[etag] = small
        return small, _described(headers, len(small))


def _reads_gzip(environ: dict[str, Any]) -> bool:
    for part in environ.get("HTTP_ACCEPT_ENCODING", "").lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _worth(status: str, headers: Headers) -> bool:
    named = {name.lower(): value for name, value in headers}
    kind = named.get("content-type", "").partition(";")[0].strip()
    return (
        status[:3] not in ("204", "206", "304")
        and kind in _TYPES
        and "content-encoding" not in named
    )


def _described(headers: Headers, length: int) -> Headers:
    """Return the headers of the compressed body: its length, its encoding and a weak ETag."""
    kept = [
        (name, f"W/{value}" if name.lower() == "etag" and not value.startswith("W/") else value)
        for name, value in headers
        if name.lower() not in ("content-length", "accept-ranges", "vary")
    ]
    vary = [value for name, value in headers if name.lower() == "vary"]
    return [
        *kept,
        ("Vary", ", ".join([*vary, "Accept-Encoding"])),
        ("Content-Encoding", "gzip"),
        ("Content-Length", str(length)),
    ]
