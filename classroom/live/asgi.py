"""The front of the server: pages go to Flask by a2wsgi; moves and event streams have ways and
threads of their own beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final
from urllib.parse import quote_from_bytes

from a2wsgi import WSGIMiddleware
from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from classroom.live.answers import WSGI, Receive, Scope, Send, Whole
from classroom.live.gzipped import Gzipped
from classroom.live.hub import Topic, class_topic, live_topic
from classroom.live.streams import PING_SECONDS, Streams
from classroom.services import companions

PAGE_THREADS: Final = 4
TABLE_THREADS: Final = 1  # for moves, and as many for the streams of tables, and of whole classes:
# more would take turns with one interpreter, by which each move takes longer
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
GLANCE: Final = 2.0  # seconds from one picture of what a class does to the next: one at play moves
# twice a second, and a picture costs as much as two moves
_QUERY = "".join(map(chr, range(0x21, 0x7F)))  # what may stand in a query as it is


class School:
    """A school that is served here. Its moves wait for no page, its streams for no move that waits
    for the disk, its tables for no teacher's page, and nothing in it for another school."""

    def __init__(self, app: Flask, wsgi: WSGI, ping: float) -> None:
        self.app = app
        file = str(app.config["SQLALCHEMY_DATABASE_URI"]).startswith("sqlite")
        threads = partial(ThreadPoolExecutor, TABLE_THREADS if file else SERVER_THREADS)
        self.moves = Whole(Gzipped(wsgi), threads("moves"), app.config["MAX_CONTENT_LENGTH"])
        self.tables = Streams(threads("tables"), ping)
        self.classes = Streams(threads("classes"), ping)


class Front:
    """The ASGI application of a school, and of its demo school below /demo where there is one."""

    def __init__(self, app: Flask, ping: float = PING_SECONDS) -> None:
        apps = {"": app}
        if "demo" in app.extensions:
            apps["/demo"] = app.extensions["demo"]
        mounts: Any = {mount: school for mount, school in apps.items() if mount}
        self._wsgi: Any = DispatcherMiddleware(app, mounts) if mounts else app
        zipped: Any = Gzipped(self._wsgi)
        self._pages: Any = WSGIMiddleware(zipped, workers=PAGE_THREADS)
        self._schools = {mount: School(one, self._wsgi, ping) for mount, one in apps.items()}
        self._workers: list[companions.Worker] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] == "http":
            scope["query_string"] = quote_from_bytes(scope["query_string"], _QUERY).encode()
            found = _found(_AMONG.get(scope["method"], ()), scope["path"])
            if found and found[0] in self._schools and self._is_open(found[0]):
                school, topic = self._schools[found[0]], found[1]
                about = school.app.extensions["hub"], topic, scope, receive, send
                if scope["method"] == "POST":
                    await school.tables.answer(school.moves, *about)
                elif isinstance(topic, int):
                    await school.tables.serve(self._wsgi, *about)
                else:
                    every = GLANCE if topic[0] == "live" else 0.0
                    await school.classes.serve(self._wsgi, *about, calm=CALM, every=every)
                return
        await self._pages(scope, receive, send)

    def _is_open(self, mount: str) -> bool:
        """Whether anybody may come in there; asked of the demo school alone."""
        return not mount or bool(self._schools[""].app.extensions["demo_open"]())

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
            pace = float(school.app.config["COMPANION_PACE"])
            self._workers.append(companions.start(school.app.app_context, pace))

    def end_streams(self) -> None:
        """End every open stream at once; call it in the loop's thread."""
        for school in self._schools.values():
            school.tables.stop()
            school.classes.stop()

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
