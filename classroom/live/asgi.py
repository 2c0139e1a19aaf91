"""The front of the server: pages go to Flask by a2wsgi, event streams are answered beside it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote_from_bytes

from a2wsgi import WSGIMiddleware
from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from classroom.live.gzipped import Gzipped
from classroom.live.streams import PING_SECONDS, Receive, Scope, Send, Streams
from classroom.services import companions

PAGE_THREADS = 8
_EVENTS = re.compile(r"^(?P<mount>/demo)?/play/rounds/(?P<round>[0-9]{1,18})/events$")
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
        self._streams = Streams(ping)
        self._workers: list[companions.Worker] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] == "http":
            scope["query_string"] = quote_from_bytes(scope["query_string"], _QUERY).encode()
            events = _EVENTS.match(scope["path"]) if scope["method"] == "GET" else None
            if events and (events["mount"] or "") in self._schools:
                hub = self._schools[events["mount"] or ""].extensions["hub"]
                number = int(events["round"])
                await self._streams.serve(self._wsgi, hub, number, scope, receive, send)
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


def build(app: Flask, **settings: Any) -> Front:
    """Join Flask, its event streams and its computer players into one ASGI application."""
    return Front(app, **settings)
