"""The front of the server: pages go to Flask by a2wsgi, event streams are answered beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from urllib.parse import quote_from_bytes

from a2wsgi import WSGIMiddleware
from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from classroom.live.answers import Receive, Scope, Send, Whole
from classroom.live.gzipped import Gzipped
from classroom.live.hub import Topic, class_topic, live_topic
from classroom.live.streams import PING_SECONDS, Streams
from classroom.services import companions

PAGE_THREADS: Final = 4  # for all but moves and streams: no page keeps a child's move waiting
TABLE_THREADS: Final = 1  # for moves and streams: more would take turns with one interpreter, by
# which each move takes twice as long; what waits is the flush of a commit, one at a time anyway
SERVER_THREADS: Final = 4  # the same where a database server is waited for at each statement
_NUMBER = "(?P<number>[0-9]{1,18})"
Addresses = tuple[tuple[re.Pattern[str], Callable[[int], Topic]], ...]

_EVENTS: Addresses = (
    (re.compile(f"(?P<mount>/demo)?/play/rounds/{_NUMBER}/events"), int),
    (re.compile(f"(?P<mount>/demo)?/play/classes/{_NUMBER}/events"), class_topic),
    (re.compile(f"(?P<mount>/demo)?/teach/classes/{_NUMBER}/(live|board)/events"), live_topic),
    (re.compile(f"(?P<mount>/demo)?/teach/rounds/{_NUMBER}/watch/events"), int),
)
"""The addresses of streams, and what each hears of."""
_MOVES: Addresses = ((re.compile(f"(?P<mount>/demo)?/play/rounds/{_NUMBER}/(asks|actions)"), int),)
"""The addresses to which a page sends what it is answered with its table."""
_AMONG: dict[str, Addresses] = {"GET": _EVENTS, "POST": _MOVES}
CALM: Final = 0.25  # seconds that the page of a whole class waits for more news of its tables
_QUERY = "".join(map(chr, range(0x21, 0x7F)))  # what may stand in a query as it is


class Front:
    """The ASGI application of a school, and of its demo school below /demo where there is one."""

    def __init__(self, app: Flask, ping: float = PING_SECONDS) -> None:
        self._schools: dict[str, Flask] = {"": app}
        demo = app.extensions.get("demo")
        if demo is not None:
            self._schools["/demo"] = demo
        mounts: dict[str, Any] = {mount: school for mount, school in self._schools.items() if mount}
        self._wsgi = DispatcherMiddleware(app, mounts) if mounts else app
        zipped: Any = Gzipped(self._wsgi)
        self._pages: Any = WSGIMiddleware(zipped, workers=PAGE_THREADS)
        file = str(app.config["SQLALCHEMY_DATABASE_URI"]).startswith("sqlite")
        tables = ThreadPoolExecutor(TABLE_THREADS if file else SERVER_THREADS, "tables")
        self._moves = Whole(zipped, tables, app.config["MAX_CONTENT_LENGTH"])
        self._streams = Streams(tables, ping)
        self._workers: list[companions.Worker] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] == "http":
            scope["query_string"] = quote_from_bytes(scope["query_string"], _QUERY).encode()
            found = _found(_AMONG.get(scope["method"], ()), scope["path"])
            if found and found[0] in self._schools:
                mount, topic = found
                hub = self._schools[mount].extensions["hub"]
                if scope["method"] == "POST":
                    await self._streams.answer(self._moves, hub, topic, scope, receive, send)
                    return
                calm = 0.0 if isinstance(topic, int) else CALM
                await self._streams.serve(self._wsgi, hub, topic, scope, receive, send, calm)
                return
        await self._pages(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    def start(self) -> None:
        """Begin to play for the computer players of every school here."""
        for school in self._schools.values():
            pace = float(school.config["COMPANION_PACE"])
            self._workers.append(companions.start(school.app_context, pace))

    def end_streams(self) -> None:
        """End every open stream at once; call it in the loop's thread."""
        self._streams.stop()

    def stop(self) -> None:
        """End the streams and the computer players' thread."""
        self.end_streams()
        for worker in self._workers:
            worker.stop()
        self._workers.clear()


def _found(addresses: Addresses, path: str) -> tuple[str, Topic] | None:
    """Which school and what of it this address is about; None for one that is not among them."""
    for address, topic in addresses:
        found = address.fullmatch(path)
        if found:
            return found["mount"] or "", topic(int(found["number"]))
    return None


def build(app: Flask, **settings: Any) -> Front:
    """Join Flask, its event streams and its computer players into one ASGI application."""
    return Front(app, **settings)
