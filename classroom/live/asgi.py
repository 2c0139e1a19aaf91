"""The ASGI front of the server. Pages, doors, moves and streams each have their own threads."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, Final
from urllib.parse import quote_from_bytes

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from classroom import measures
from classroom.hub import Topic, class_topic, live_topic, moment_topic
from classroom.live import pools
from classroom.live.answers import (
    ASGI,
    WSGI,
    AFewAtOnce,
    Buffered,
    Make,
    RawResponse,
    Receive,
    Scope,
    Send,
    cookies_of,
    environ_of,
    tokens_of,
)
from classroom.live.bounds import Pace, network_of
from classroom.live.pools import Environ, Pool
from classroom.live.streams import PING_SECONDS, Leaving, Manner, Streams
from classroom.services.access import sessions
from classroom.services.base import security_log
from classroom.services.operation import background

_NUMBER = "(?P<number>[0-9]{1,18})"
Addresses = tuple[tuple[re.Pattern[str], Callable[[int], Topic]], ...]

_EVENTS: Addresses = (
    (re.compile(f"/play/(?:rounds|shared)/{_NUMBER}/events"), int),
    (re.compile(f"/play/classes/{_NUMBER}/events"), class_topic),
    (re.compile(f"/teach/classes/{_NUMBER}/(live|board)/events"), live_topic),
    (re.compile(f"/teach/rounds/{_NUMBER}/watch/events"), int),
    (re.compile(f"/teach/moments/{_NUMBER}/events"), moment_topic),
)
"""The URL paths of streams, and the topic that each listens to."""
_MOVES: Addresses = ((re.compile(f"/play/(?:rounds|shared)/{_NUMBER}/(asks|actions)"), int),)
"""The URL paths to which a page sends moves; the response is the table after the move."""
_DOORS: Final = frozenset(
    "/join /in /in/again /in/second /reset /setup /account /account/names /colleague /family/join "
    "/family/link".split()
)
"""The doors: the URL paths to which guessable secrets are sent."""
_LISTS: Final = re.compile("/teach/classes/[0-9]{1,18}/list|/school/lists")
"""The URL paths to which class lists are sent; these forms may be long."""
LIST_BYTES: Final = 1_000_000  # maximum size in bytes of a form with a class list
LISTS: Final = 8  # maximum number of forms with a class list that are read at one time
_VOICES: Final = re.compile("/voice/(file|[0-9]{1,18}/read/[^/]{1,300})")
"""The URL paths to which recordings, and voices as files, are sent."""
VOICE_BYTES: Final = 12_000_000  # maximum size in bytes of a form with a recording or a voice
VOICES: Final = 2  # maximum number of forms with a recording or a voice that are read at one time
_BY_METHOD: dict[str, Addresses] = {"GET": _EVENTS, "POST": _MOVES}
GATHER: Final = 0.25  # seconds for which the stream of a class page waits for more news
GLANCE: Final = 4.0  # fewest seconds between two updates of a live class page: a class at play
# makes two moves a second, and an update costs as much as two moves
BY_ADDRESS: Final = (60, 1.0)  # free wrong tries at the doors, and seconds between tries after that
BY_NETWORK: Final = (300, 0.5)  # the same two numbers for the network around an IP address
KNOWN: Final = "/known"  # the suffix of the lane for devices that the school knows
GUESTS: Final = 50  # maximum number of requests in progress at a demo school beside a real one
_QUERY = "".join(map(chr, range(0x21, 0x7F)))  # characters that stay unquoted in a query


class ServedSchool:
    """A school on this server. Moves never wait for pages, nor pages for sign-ins, nor streams for
    moves that wait for the disk, nor children's tables for teachers' pages.

    `guest`: whether this is the demo school beside a real one. The demo school has one thread for
    everything, which pauses after each piece of work.
    """

    def __init__(self, app: Flask, wsgi: WSGI, ping: float, guest: bool) -> None:
        self.app = app
        self._guest = guest
        file = str(app.config["SQLALCHEMY_DATABASE_URI"]).startswith("sqlite")
        one = pools.ThrottledThread("demo") if guest else None

        def executor(name: str, number: int) -> Executor:
            return one or ThreadPoolExecutor(number, name)

        def buffered(name: str, number: int, make: Make | None = None) -> Buffered:
            longest, most = app.config["MAX_CONTENT_LENGTH"], GUESTS if guest else None
            waited = partial(measures.waited, "demo" if guest else name)
            pool = Pool(executor(name, number), number, self._whose, waited)
            return Buffered(wsgi, pool, longest, most, make)

        few = pools.ONE if file else pools.SERVER
        self.pages = buffered("pages", pools.PAGES)
        self.doors = buffered("doors", pools.DOORS, self._at_a_door)
        long = Buffered(wsgi, self.pages.pool, LIST_BYTES, GUESTS if guest else None)
        staff = partial(self._sent_by, sessions.STAFF)
        self.lists = AFewAtOnce(long, LISTS, staff, self.pages)
        voice = Buffered(wsgi, self.pages.pool, VOICE_BYTES, GUESTS if guest else None)
        readers = partial(self._sent_by, (*sessions.STAFF, "parent"))
        self.voices = AFewAtOnce(voice, VOICES, readers, self.pages)
        self.moves = buffered("moves", few)
        self.tables = Streams(executor("tables", few), ping, self.pages.pool)
        self.leaving = Leaving(app, self.pages.pool.threads)
        self.classes = Streams(executor("classes", few), ping, self.pages.pool)
        self._by_address = Pace(*BY_ADDRESS, self._slowed)
        self._by_network = Pace(*BY_NETWORK, self._slowed)

    def application(self, method: str, path: str) -> ASGI:
        """Return the application that answers a request other than a stream or a move."""
        if method == "POST" and path in _DOORS:
            return self.doors
        if method == "POST" and _VOICES.fullmatch(path):
            return self.voices
        return self.lists if method == "POST" and _LISTS.fullmatch(path) else self.pages

    def of_tables(self, round_id: int) -> Manner:
        """Return how the streams of a table get their messages: one job serves all of them. In a
        demo school beside a real one, each stream fetches its own, through the school's gate."""
        make = None if self._guest else self.app.extensions.get("news")
        return Manner(news=make and partial(make, round_id))

    def of_classes(self, topic: tuple[str, int]) -> Manner:
        """Return how streams of a class get their messages. A teacher's live page gets them less
        often, and even less often while the children's tables have to wait."""
        if topic[0] != "live":
            return Manner(gather=GATHER)
        return Manner(gather=GATHER, every=GLANCE, busy=lambda: self.tables.are_behind)

    def _whose(self, environ: Environ) -> tuple[Hashable, Hashable]:
        """Return the network and the session tokens of a request."""
        return network_of(self._client(environ)), tokens_of(environ)

    def _client(self, environ: Environ) -> str:
        return _client(environ["asgi.scope"], self.app.config["PROXIES"])

    async def _at_a_door(
        self, environ: Environ, work: Callable[[], RawResponse]
    ) -> RawResponse | None:
        """Answer a try at a door, slowly after many wrong tries from its IP address or network.
        Devices and people that the school knows have a lane of their own."""
        address, tokens = self._client(environ), tokens_of(environ)
        devices, mine = cookies_of(environ, "-device"), frozenset[str]()
        if tokens or devices:
            asked = partial(sessions.signed_in_or_seen, tokens, devices)
            mine = await self._asked(environ, asked)
        lane, answer = KNOWN if mine else "", partial(self.doors.pool.run, environ, work)
        one, around = network_of(address), network_of(address, 24, 48) + lane
        in_network = partial(self._by_network.answer, around, one, answer)
        return await self._by_address.answer(one + lane, mine or devices, in_network)

    async def _sent_by(self, kinds: Collection[str], scope: Scope) -> frozenset[str] | None:
        """Return the session of an adult of these kinds, who may send long forms, or None."""
        environ = environ_of(scope)
        asked = partial(sessions.of_kinds, tokens_of(environ), kinds)
        return await self._asked(environ, asked) or None

    async def _asked(
        self, environ: Environ, question: Callable[[], frozenset[str]]
    ) -> frozenset[str]:
        """Ask the database about a request before it is answered."""

        def ask() -> frozenset[str]:
            with self.app.app_context():
                return question()

        return await self.pages.pool.run(environ, ask)

    def _slowed(self, network: str) -> None:
        """Write to the security log that a network is slowed down after many wrong tries."""

        def note() -> None:
            with self.app.app_context():
                security_log.asked_by(network.partition("/")[0], "")
                security_log.note("lock_out", "slowed_down")
                security_log.asked_by("", "")

        self.doors.pool.threads.submit(note)


class Front:
    """Flask, its event streams and its background threads as one ASGI application, for a school
    and for its demo school below /demo if it has one."""

    def __init__(self, app: Flask, ping: float = PING_SECONDS) -> None:
        apps = {"": app}
        if "demo" in app.extensions:
            apps["/demo"] = app.extensions["demo"]
        mounts: Any = {mount: school for mount, school in apps.items() if mount}
        self._wsgi: Any = DispatcherMiddleware(app, mounts) if mounts else app
        self._schools = {
            mount: ServedSchool(one, self._wsgi, ping, guest=bool(mount))
            for mount, one in apps.items()
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
        topic = _topic(_BY_METHOD.get(scope["method"], ()), path)
        if topic is None:
            await school.application(scope["method"], path)(scope, receive, send)
            return
        about = school.app.extensions["hub"], topic, scope, receive, send
        if scope["method"] == "POST":
            await school.tables.answer(school.moves, *about)
        elif isinstance(topic, int):
            with measures.STREAMS.labels("tables").track_inprogress():
                stream = school.tables.serve(self._wsgi, *about, school.of_tables(topic))
                await school.leaving.watch(about[0], topic, tokens_of(environ_of(scope)), stream)
        else:
            with measures.STREAMS.labels("classes").track_inprogress():
                await school.classes.serve(self._wsgi, *about, school.of_classes(topic))

    def _is_there(self, mount: str, path: str) -> bool:
        """Whether this path is in the demo school below `mount`, and that school is open."""
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
        """Start the background thread of every school on this server."""
        for mount, school in self._schools.items():
            pace = float(school.app.config["COMPANION_PACE"])
            worker = background.Worker(school.app.app_context, pace).start()
            school.app.extensions["pulse"] = worker.pulse
            self._workers.append(worker)
            if not mount:
                measures.WORKER_LAG.set_function(worker.lag)

    def end_streams(self) -> None:
        """End every open stream at once; call it in the event loop's thread."""
        for school in self._schools.values():
            school.leaving.stop()
            school.tables.stop()
            school.classes.stop()

    def stop(self) -> None:
        """End the streams and the background threads."""
        self.end_streams()
        for school in self._schools.values():
            school.app.extensions.pop("pulse", None)
        measures.WORKER_LAG.set_function(lambda: 0.0)
        for worker in self._workers:
            worker.stop()
        self._workers.clear()


def _topic(addresses: Addresses, path: str) -> Topic | None:
    """Return the topic of this path; None if no pattern matches it."""
    for address, topic in addresses:
        found = address.fullmatch(path)
        if found:
            return topic(int(found["number"]))
    return None


def _client(scope: Scope, proxies: int) -> str:
    """Return the browser's IP address, as seen by the outermost of the trusted proxies."""
    if proxies:
        headers = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        told = b",".join(headers).decode("latin-1").split(",")
        hops = [hop.strip() for hop in told if hop.strip()]
        if len(hops) >= proxies:
            return hops[-proxies]
    return scope["client"][0] if scope["client"] else ""
