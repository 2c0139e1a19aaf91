"""Answers requests for pages (WSGI), each in a single thread, and compresses the responses."""

from __future__ import annotations

import gzip
import io
from collections.abc import Awaitable, Callable, Hashable, Iterable, MutableMapping
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from a2wsgi.wsgi import build_environ
from werkzeug.http import parse_accept_header
from werkzeug.sansio.http import parse_cookie  # werkzeug.http.parse_cookie fails on bad UTF-8
from werkzeug.wrappers import Response

from classroom.live.pools import Environ, Pool

# A form is read before a thread is taken, and the response is sent after the thread is free again.
# So a thread never waits for a browser: otherwise a few stalled browsers would stop every page.

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


_WORDS: Final = b"Many people are here just now. Please try again in a moment."
_BUSY: Final = RawResponse(  # asks the browser to try again, without even making an error page
    429,
    [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(_WORDS)).encode()),
        (b"retry-after", b"5"),
        (b"cache-control", b"no-store"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        (b"x-content-type-options", b"nosniff"),
    ],
    _WORDS,
)
Make = Callable[[Environ, Callable[[], RawResponse]], Awaitable[RawResponse | None]]


class Buffered:
    """The pages as an ASGI application that takes a thread only once it has the whole form, and
    frees it before the response is sent: a slow browser keeps no one else waiting.

    `longest`: the largest form that is read, in bytes. `most`: how many requests may be in
    progress; others are asked to try again. `make` does the work for a request when its turn comes.
    It returns None to refuse the request. By default, the pool does the work.
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
        """Answer one request; do nothing if the browser goes away before sending all of it."""
        said = dict(scope["headers"]).get(b"content-length", b"")
        length = int(said) if said.isdigit() else 0
        form = b"" if length > self._longest else await _form(receive, self._longest)
        if form is None:
            return
        if self._most is not None and self._in_progress >= self._most:
            await _send(send, _BUSY)
            return
        environ = environ_of(scope)
        self._in_progress += 1
        try:
            answer = await self._make(environ, partial(fetch, self._app, environ, form))
        finally:
            self._in_progress -= 1
        await _send(send, answer or _BUSY)


class AFewAtOnce:
    """Reads only a few long forms at one time, so that together they cannot fill the memory, and
    only one from each person that `whose` finds. Senders of further forms are asked to try again.
    Requests from strangers, for whom `whose` returns None, are passed on to `others`."""

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
            await _send(send, _BUSY)
        else:
            self._now.add(person)
            try:
                await self._app(scope, receive, send)
            finally:
                self._now.remove(person)


async def _send(send: Send, answer: RawResponse) -> None:
    start = {"status": answer.status, "headers": answer.headers}
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": answer.body})


def tokens_of(environ: Environ) -> frozenset[str]:
    """Return all session tokens in a browser's cookies, even from several cookies with one name."""
    return cookies_of(environ, "")


def cookies_of(environ: Environ, what: str) -> frozenset[str]:
    """Return the values of all cookies named like a session cookie followed by `what`."""
    cookies = parse_cookie(environ.get("HTTP_COOKIE"))
    return frozenset(value for name in SESSIONS for value in cookies.getlist(name + what))


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


def environ_of(scope: Scope) -> Environ:
    """Build the WSGI environ of a request, without its body."""
    return dict(build_environ(scope, None))  # type: ignore[arg-type]


def fetch(app: WSGI, environ: Environ, form: bytes = b"") -> RawResponse:
    """Call the application in this thread; returns its whole response, compressed if possible."""
    answer = Response.from_app(app, {**environ, "wsgi.input": io.BytesIO(form)}, buffered=True)
    _compress(environ, answer)
    headers = [(name.lower().encode("latin-1"), v.encode("latin-1")) for name, v in answer.headers]
    return RawResponse(answer.status_code, headers, answer.get_data())


# ---- Compresses pages, styles, scripts and drawings for the network
#
# Compression leaks no secret: the form token is masked differently in each response (BREACH),
# a hand of cards is compressed only with its owner's page, and cards hidden from a viewer do not
# change that viewer's page.

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


def _compress(environ: Environ, answer: Response) -> None:
    """Compress the body of a response, if that is worth it and the browser accepts gzip."""
    whole = environ["REQUEST_METHOD"] != "HEAD" and answer.status_code not in (204, 206, 304)
    if not whole or answer.content_encoding or answer.mimetype not in _TYPES:
        return
    body = answer.get_data()
    accepted = parse_accept_header(environ.get("HTTP_ACCEPT_ENCODING"))
    if len(body) < SMALLEST or not accepted.quality("gzip"):
        return
    tag, _ = answer.get_etag()
    lasting = tag and answer.cache_control.public
    answer.set_data(_lasting(body) if lasting else gzip.compress(body, 5, mtime=0))
    answer.content_encoding = "gzip"
    vary = answer.headers.getlist("Vary")  # `answer.vary` would keep only the first header
    answer.headers["Vary"] = ", ".join([*vary, "Accept-Encoding"])
    answer.headers.pop("Accept-Ranges", None)
    if tag:
        answer.set_etag(tag, weak=True)


@lru_cache(GZIPPED_KEPT)
def _lasting(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)
