"""The front of the server: what is asked goes to Flask, and pages, doors, moves and event streams
each have threads of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, Final
from urllib.parse import quote_from_bytes

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from classroom.hub import Topic, class_topic, live_topic
from classroom.live import threads
from classroom.live.answers import WSGI, Answer, Make, Receive, Scope, Send, Whole, tokens_of
from classroom.live.bounds import network_of
from classroom.live.gzipped import Gzipped
from classroom.live.pace import Pace
from classroom.live.pools import Environ, Pool
from classroom.live.streams import PING_SECONDS, Streams
from classroom.services.base import security_log
from classroom.services.operation import background

_NUMBER = "(?P<number>[0-9]{1,18})"
Addresses = tuple[tuple[re.Pattern[str], Callable[[int], Topic]], ...]

_EVENTS: Addresses = (
    (re.compile(f"/play/rounds/{_NUMBER}/events"), int),
    (re.compile(f"/play/classes/{_NUMBER}/events"), class_topic),
    (re.compile(f"/teach/classes/{_NUMBER}/(live|board)/events"), live_topic),
    (re.compile(f"/teach/rounds/{_NUMBER}/watch/events"), int),
)
"""The addresses of streams, and what each hears of."""
_MOVES: Addresses = ((re.compile(f"/play/rounds/{_NUMBER}/(asks|actions)"), int),)
"""The addresses to which a page sends what it is answered with its table."""
_DOORS: Final = frozenset(("/join", "/in", "/setup", "/account", "/family/join", "/family/link"))
"""The addresses to which a secret is sent that can be guessed."""
_AMONG: dict[str, Addresses] = {"GET": _EVENTS, "POST": _MOVES}
CALM: Final = 0.25  # seconds that the page of a whole class waits for more news of its tables
GLANCE: Final = 2.0  # seconds from one picture of what a class does to the next: one at play moves
# twice a second, and a picture costs as much as two moves
BY_ADDRESS: Final = (60, 1.0)  # wrong tries at the doors that are free, and seconds between more
BY_NETWORK: Final = (300, 0.5)  # the same for the network around an address
GUESTS: Final = 50  # requests that may wait for the demo school beside a real one
_QUERY = "".join(map(chr, range(0x21, 0x7F)))  # what may stand in a query as it is


class School:
    """A school that is served here. Its moves wait for no page, its pages for nobody who signs in,
    its streams for no move that waits for the disk, its tables for no teacher's page.

    `guest`: the demo school beside it, which gets one thread for all, and a share of that.
    """

    def __init__(self, app: Flask, wsgi: WSGI, ping: float, guest: bool) -> None:
        self.app = app
        file = str(app.config["SQLALCHEMY_DATABASE_URI"]).startswith("sqlite")
        one = threads.Unhurried("demo") if guest else None

        def executor(name: str, number: int) -> Executor:
            return one or ThreadPoolExecutor(number, name)

        def whole(name: str, number: int, make: Make | None = None) -> Whole:
            longest, most = app.config["MAX_CONTENT_LENGTH"], GUESTS if guest else None
            pool = Pool(executor(name, number), number, self._whose)
            return Whole(wsgi, pool, longest, most, make)

        few = threads.ONE if file else threads.SERVER
        self.pages = whole("pages", threads.PAGES)
        self.doors = whole("doors", threads.DOORS, self._at_a_door)
        self.moves = whole("moves", few)
        self.tables = Streams(executor("tables", few), ping, self.pages.pool)
        self.classes = Streams(executor("classes", few), ping, self.pages.pool)
        self._by_address = Pace(*BY_ADDRESS, self._slowed)
        self._by_network = Pace(*BY_NETWORK, self._slowed)

    def _whose(self, environ: Environ) -> tuple[Hashable, Hashable]:
        """Where a request comes from, and which session there it shows."""
        return network_of(self._client(environ)), tokens_of(environ)

    def _client(self, environ: Environ) -> str:
        return _client(environ["asgi.scope"], self.app.config["PROXIES"])

    async def _at_a_door(
        self, environ: dict[str, Any], work: Callable[[], Answer]
    ) -> Answer | None:
        """Have a try at one of the doors looked at, at the pace of where it comes from."""
        address = self._client(environ)
        look = partial(self.doors.pool.run, environ, work)
        in_network = partial(self._by_network.look, network_of(address, 24, 48), look)
        return await self._by_address.look(network_of(address), in_network)

    def _slowed(self, network: str) -> None:
        self.doors.pool.threads.submit(self._note_slowed, network)

    def _note_slowed(self, network: str) -> None:
        """Write down that a network has guessed so often that it is slowed down."""
        with self.app.app_context():
            security_log.asked_by(network.partition("/")[0], "")
            security_log.note("lock_out", "slowed_down")
            security_log.asked_by("", "")


class Front:
    """The ASGI application of a school, and of its demo school below /demo where there is one."""

    def __init__(self, app: Flask, ping: float = PING_SECONDS) -> None:
        apps = {"": app}
        if "demo" in app.extensions:
            apps["/demo"] = app.extensions["demo"]
        mounts: Any = {mount: school for mount, school in apps.items() if mount}
        self._wsgi: Any = DispatcherMiddleware(app, mounts) if mounts else app
        zipped: Any = Gzipped(self._wsgi)
        self._schools = {
            mount: School(one, zipped, ping, guest=bool(mount)) for mount, one in apps.items()
        }
        self._workers: list[background.Worker] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            scope["query_string"] = quote_from_bytes(scope["query_string"], _QUERY).encode()
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        mount = next((m for m in self._schools if self._is_there(m, scope["path"])), "")
        school, path = self._schools[mount], scope["path"].removeprefix(mount)
        topic = _topic(_AMONG.get(scope["method"], ()), path)
        if topic is None:
            is_door = scope["method"] == "POST" and path in _DOORS
            await (school.doors if is_door else school.pages)(scope, receive, send)
            return
        about = school.app.extensions["hub"], topic, scope, receive, send
        if scope["method"] == "POST":
            await school.tables.answer(school.moves, *about)
        elif isinstance(topic, int):
            await school.tables.serve(self._wsgi, *about)
        else:
            every = GLANCE if topic[0] == "live" else 0.0
            await school.classes.serve(self._wsgi, *about, calm=CALM, every=every)

    def _is_there(self, mount: str, path: str) -> bool:
        """Whether this address is in the demo school, and the demo school is open."""
        below = bool(mount) and (path == mount or path.startswith(mount + "/"))
        return below and bool(self._schools[""].app.extensions["demo_open"]())

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
            self._workers.append(background.start(school.app.app_context, pace))

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


def _topic(addresses: Addresses, path: str) -> Topic | None:
    """What this address is about; None for one that is not among them."""
    for address, topic in addresses:
        found = address.fullmatch(path)
        if found:
            return topic(int(found["number"]))
    return None


def _client(scope: Scope, proxies: int) -> str:
    """The address of the browser, as the nearest proxy that is believed has seen it."""
    if proxies:
        headers = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        told = b",".join(headers).decode("latin-1").split(",")
        hops = [hop.strip() for hop in told if hop.strip()]
        if len(hops) >= proxies:
            return hops[-proxies]
    return scope["client"][0] if scope["client"] else ""


def build(app: Flask, **settings: Any) -> Front:
    """Join Flask, its event streams and its computer players into one ASGI application."""
    return Front(app, **settings)
