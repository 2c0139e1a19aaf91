"""An answer of the pages' application, fetched whole: one step into a thread and one back.

a2wsgi hands each part of a request and of its answer over on its own, and each time one side waits
for the other: right for files and long downloads, and a sixth of a child's wait for its move while
many play. So moves and the messages of streams, which are small, come this way.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import Executor
from typing import Any, NamedTuple

from a2wsgi.wsgi import build_environ
from werkzeug.wrappers import Response

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGI = Callable[[Scope, Receive, Send], Awaitable[None]]
WSGI = Callable[..., Iterable[bytes]]


class Answer(NamedTuple):
    """Status, headers as the network wants them, and the body."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Whole:
    """The pages as an ASGI application that takes a thread only once it has all of a form: a slow
    browser keeps nobody waiting. `longest`: bytes of a form after which no more of it is read."""

    def __init__(self, app: WSGI, threads: Executor, longest: int) -> None:
        self._app = app
        self._threads = threads
        self._longest = longest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        form = b"" if _length(scope) > self._longest else await _form(receive, self._longest)
        if form is None:
            return
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(
            self._threads, fetch, self._app, environ_of(scope), form
        )
        start = {"status": answer.status, "headers": answer.headers}
        await send({"type": "http.response.start", **start})
        await send({"type": "http.response.body", "body": answer.body})


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
