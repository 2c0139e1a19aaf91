"""Limits on connections, and on how fast one network can guess passwords and codes."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict, defaultdict, deque
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from classroom.live.answers import RawResponse

# ---- Limits on connections: their number, and the bytes, headers and seconds of a request
#
# Uvicorn has none of these limits, so `Bounded` adds them. A connection that stays within them is
# not affected. Once a second, `Crowd.sweep` ends connections that are too slow.

HEAD_BYTES: Final = 32_768  # maximum size in bytes of the request line and the headers
HEADERS: Final = 100
REQUEST_BYTES: Final = 1_048_576  # maximum size of a whole request in bytes; no form needs as much
PIPELINED: Final = 2  # requests that may be sent ahead on one connection; browsers no longer do so
REQUEST_SECONDS: Final = 10.0  # seconds that a request may take to arrive, from its first byte on
UNREAD_BYTES: Final = 32_000_000  # maximum response bytes that browsers may leave unread, in total
READING_SECONDS: Final = 30.0  # seconds a browser may take to read a response or stream message
SPARE_FILES: Final = 200  # open files reserved for the database, threads and logs


@lru_cache(4_096)
def network_of(address: str, ipv4: int = 32, ipv6: int = 64) -> str:
    """Return the network of an IP address, by prefix length. A home or a school gets a whole /64 of
    IPv6, so that is the smallest useful unit. Text that is not an address is returned unchanged."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    length = ipv4 if found.version == 4 else ipv6
    return str(ipaddress.ip_network((found, length), strict=False))


class Crowd:
    """The open connections, all together and by IP address. Works in one event loop's thread.

    If one address has too many connections, the oldest one that is not being answered is closed. If
    there are too many in all, the network with the most connections loses one. If none can be
    closed, the new connection is refused.
    """

    def __init__(self, most: int, per_address: int | None) -> None:
        self._most = most
        self._per_address = per_address
        self._written = 0  # bytes written since unread bytes were last added up
        self._all: dict[Bounded, None] = {}
        self._at: defaultdict[str, dict[Bounded, None]] = defaultdict(dict)

    def __len__(self) -> int:
        return len(self._all)

    def join(self, connection: Bounded) -> bool:
        """Add a connection, closing another if necessary; returns whether there was room."""
        there = self._at[connection.address]
        crowd: dict[Bounded, None] = {}  # if not empty, one of these must be closed
        if self._per_address is not None and len(there) >= self._per_address:
            crowd = there
        elif len(self._all) >= self._most:
            crowd = self._largest_network()
        if crowd:
            own = next(iter(there), None) in crowd
            idle = next((one for one in crowd if not one.is_answering), None)
            other = idle or (None if own else next(iter(crowd)))
            if other is None:
                return False
            other.drop()
        self._all[connection] = self._at[connection.address][connection] = None
        return True

    def _largest_network(self) -> dict[Bounded, None]:
        """The largest network's connections, because one machine can have many addresses."""
        networks: defaultdict[str, dict[Bounded, None]] = defaultdict(dict)
        for address, there in self._at.items():
            networks[network_of(address.partition("/")[0], 24, 48)].update(there)
        return max(networks.values(), key=len)

    def leave(self, connection: Bounded) -> None:
        self._all.pop(connection, None)
        there = self._at.get(connection.address, {})
        there.pop(connection, None)
        if not there:
            self._at.pop(connection.address, None)

    def sweep(self, now: float) -> None:
        """End every connection that has been too slow. `now`: the loop's time."""
        for connection in [*self._all]:
            connection.look(now)
        self._make_room()

    def wrote(self, many: int) -> None:
        """Count bytes just written. If there are many, make room now, before the next sweep."""
        self._written += many
        if self._written > UNREAD_BYTES // 4:
            self._make_room()

    def _make_room(self) -> None:
        """End the connections with the most unread bytes until the total is small enough."""
        self._written = 0
        unread = sorted(self._all, key=lambda one: one.unread)
        total = sum(one.unread for one in unread)
        while total > UNREAD_BYTES:
            total -= unread[-1].unread
            unread.pop().drop()


class Bounded(HttpToolsProtocol):
    """A connection that is ended when it costs too much."""

    def __init__(self, *args: Any, crowd: Crowd, **named: Any) -> None:
        super().__init__(*args, **named)
        self._crowd = crowd
        self.address = ""
        self._waiting_since: float | None = None  # when we began to wait for a request
        self._writing_since: float | None = None  # when we began to wait for the browser to read
        self._served: RequestResponseCycle | None = None  # the request being answered
        self._written = 0  # bytes written since the browser last kept up
        self._in_head = True
        self._head = 0  # bytes of the headers so far
        self._bytes = 0  # bytes of the request so far

    @property
    def is_answering(self) -> bool:
        """Whether a whole request has arrived and has not been answered yet."""
        return (
            self._waiting_since is None
            and self.cycle is not None
            and not self.cycle.response_complete
        )

    @property
    def unread(self) -> int:
        """Bytes of responses that the browser has not taken yet. Over https the transport does not
        count encrypted bytes, so everything written since the browser last kept up is counted."""
        waiting = self._written if self.flow is not None and self.flow.write_paused else 0
        return max(waiting, self.transport.get_write_buffer_size())

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = network_of(self.client[0] if self.client else "")
        self._waiting_since = self.loop.time()
        if not self._crowd.join(self):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        self._crowd.leave(self)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # else its timer keeps a reset connection in memory
        if self._served is not None:  # uvicorn notifies only the last of several pipelined requests
            self._served.disconnected = True
            self._served.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Answer a request; write nothing once the connection is gone."""

        async def while_open(scope: Any, receive: Any, send: Any) -> None:
            async def send_if_open(message: Any) -> None:
                cycle.disconnected = cycle.disconnected or self.transport.is_closing()
                paused = self.flow.write_paused
                self._written = len(message.get("body", b"")) + (self._written if paused else 0)
                await send(message)
                self._crowd.wrote(len(message.get("body", b"")))

            await app(scope, receive, send_if_open)

        self._served = cycle
        super()._start_asgi_task(cycle, while_open)

    def drop(self) -> None:
        """End the connection without a response."""
        self._crowd.leave(self)
        self.transport.abort()

    def look(self, now: float) -> None:
        """End the connection if the browser takes too long to send or to read."""
        if self._waiting_since is not None and now - self._waiting_since > REQUEST_SECONDS:
            if self._bytes:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            else:  # a browser that opened the connection just in case
                self.drop()
        elif not self.unread:
            self._writing_since = None
        elif self._writing_since is None:
            self._writing_since = now
        elif now - self._writing_since > READING_SECONDS:
            self.drop()

    def _refuse(self, status: HTTPStatus) -> None:
        """Send only this status, unless another response has begun, and end the connection."""
        one = self._served
        begun = one is not None and one.response_started and not one.response_complete
        if self.transport.is_closing() or begun:
            self.drop()
            return
        self.transport.write(_BARE.format(status, status.phrase).encode("ascii"))
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self._refuse(HTTPStatus.BAD_REQUEST)

    # ---- while a request comes in

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._waiting_since is None:
            self._waiting_since = self.loop.time()
        self._bytes += len(data)
        super().data_received(data)
        if self._in_head and self._bytes > HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._bytes > REQUEST_BYTES:
            self.drop()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head = True, 0
        self._waiting_since = self.loop.time()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer: proxies do not check trailers, and we need none
        super().on_header(name, value)
        self._head += len(name) + len(value)
        if len(self.headers) > HEADERS or self._head > HEAD_BYTES:
            raise httptools.HttpParserError("the headers are too long")

    def on_headers_complete(self) -> None:
        if len(self.url) > HEAD_BYTES or len(self.pipeline) >= PIPELINED:
            raise httptools.HttpParserError("the address is too long, or too many requests at once")
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head, self._bytes, self._waiting_since = True, 0, None

    def timeout_keep_alive_handler(self) -> None:
        """End an idle connection, even if its last response was never read."""
        if self.unread:
            self.drop()
        else:
            super().timeout_keep_alive_handler()

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: strangers could fill the log by asking for other protocols."""


_BARE = "HTTP/1.1 {:d} {}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def most_connections(most: int) -> int:
    """Raise the limit on open files if possible; returns how many connections fit, up to `most`."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return most
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited, wanted = resource.RLIM_INFINITY, most + SPARE_FILES
    if soft != unlimited and soft < wanted:
        soft = wanted if hard == unlimited else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return most if soft == unlimited else max(1, min(most, soft - SPARE_FILES))


# ---- How soon the next try from a network is answered: guessers are slowed down, not locked out
#
# A try is a request to a door, a URL that takes a password or a code. After many wrong tries from
# one network, its tries are answered one at a time. After each wrong try the next one has to wait,
# longer if there were very many that day. After a right try the next is answered at once.
#
# The tries that wait are queued by device. The device with the fewest wrong tries is next. If too
# many tries wait, the device with the most waiting tries loses one. So a guesser with a hundred
# devices waits behind somebody with a right code. Known devices and people who are signed in have a
# lane of their own (`asgi`), where strangers cannot delay them. A guesser who uses a new device for
# every try fills the strangers' lane: a device that the school does not know may then be asked to
# try again, even with a right code.

WINDOW: Final = 600.0  # seconds for which a wrong try counts
DAY: Final = 86_400.0  # seconds
VERY_MANY: Final = 1_000  # wrong tries from one network in a day, after which each wait is longer
LONGER: Final = 4  # how many times as long each wait is after VERY_MANY tries
MOST_WAITING: Final = 30  # maximum number of tries waiting in a lane; others are asked to try again
LONGEST_WAIT: Final = 30.0  # the longest that a try may wait for its turn, in seconds
NETWORKS: Final = 10_000  # how many networks are remembered; the least recently seen is dropped
DEVICES: Final = 10_000  # how many devices' wrong tries are remembered; the oldest are dropped
WRONG: Final = frozenset({401, 404, 422})  # the statuses that answer a wrong secret

Try = Callable[[], Awaitable[RawResponse | None]]
"""Answers one try; returns None if the try was not checked."""


@dataclass(slots=True)
class _NetworkTries:
    wrong: deque[float] = field(default_factory=deque)
    today: int = 0
    since: float = 0.0  # when `today` was last set to 0
    next_at: float = 0.0
    is_busy: bool = False  # whether a try is being answered
    waiting: OrderedDict[Hashable, deque[asyncio.Future[bool]]] = field(default_factory=OrderedDict)
    room: asyncio.Semaphore | None = None  # limits how many tries are answered at a time


class Pace:
    """The pace of tries from networks of one size: `free` wrong tries in ten minutes, then one try
    in `every` seconds. `slows` is called whenever a network begins to be slowed down. Works within
    one event loop. A lane is a separate name for a network; its tries are counted separately."""

    def __init__(
        self,
        free: int,
        every: float,
        slows: Callable[[str], None] = lambda _network: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._free = free
        self._every = every
        self._slows = slows
        self._clock = clock
        self._networks: OrderedDict[str, _NetworkTries] = OrderedDict()
        self._wrong_by: OrderedDict[Hashable, int] = OrderedDict()  # wrong tries of each device

    async def answer(self, network: str, device: Hashable, at: Try) -> RawResponse | None:
        """Answer a try in its turn; returns None if too many wait, or this try waits too long.
        Only as many tries are answered at once as may be wrong before the network is slowed down.
        The others wait for the results, so sending all guesses at once gains nothing."""
        found = self._networks.setdefault(network, _NetworkTries())
        self._networks.move_to_end(network)
        if len(self._networks) > NETWORKS:
            self._networks.popitem(last=False)
        if not self._is_slow(found):
            found.room = found.room or asyncio.Semaphore(self._free)
            async with found.room:
                if not self._is_slow(found):
                    return self._noted(network, device, found, await at())
        if found.is_busy and not await self._turn(found, device):
            return None
        found.is_busy = True
        try:
            await asyncio.sleep(max(0.0, found.next_at - self._clock()))
            return self._noted(network, device, found, await at())
        finally:
            self._pass_on(found)

    async def _turn(self, network: _NetworkTries, device: Hashable) -> bool:
        """Wait for a turn; returns whether it came."""
        mine: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        network.waiting.setdefault(device, deque()).append(mine)
        if sum(map(len, network.waiting.values())) > MOST_WAITING:
            crowd = max(network.waiting, key=lambda one: (len(network.waiting[one]), self._by(one)))
            self._take(network, crowd).set_result(False)
        came = False
        try:
            await asyncio.wait((mine,), timeout=LONGEST_WAIT)
            came = mine.done() and mine.result()
            return came
        finally:
            if not mine.done():
                network.waiting[device].remove(mine)
                network.waiting = OrderedDict(kept for kept in network.waiting.items() if kept[1])
            elif mine.result() and not came:
                self._pass_on(network)  # the turn came just as the request was cancelled

    def _pass_on(self, network: _NetworkTries) -> None:
        network.is_busy = bool(network.waiting)
        if network.waiting:
            self._take(network, min(network.waiting, key=self._by)).set_result(True)

    def _take(self, network: _NetworkTries, device: Hashable) -> asyncio.Future[bool]:
        """Take the device's oldest try out of the queue; the device goes to the end."""
        queue = network.waiting.pop(device)
        found = queue.popleft()
        if queue:
            network.waiting[device] = queue
        return found

    def _by(self, device: Hashable) -> int:
        return self._wrong_by.get(device, 0)

    def _is_slow(self, network: _NetworkTries) -> bool:
        while network.wrong and network.wrong[0] <= self._clock() - WINDOW:
            network.wrong.popleft()
        return len(network.wrong) >= self._free

    def _noted(
        self, name: str, device: Hashable, network: _NetworkTries, answer: RawResponse | None
    ) -> RawResponse | None:
        if answer is not None and answer.status < 400:
            self._wrong_by.pop(device, None)
        if answer is None or answer.status not in WRONG:
            return answer
        self._wrong_by[device] = self._wrong_by.pop(device, 0) + 1
        if len(self._wrong_by) > DEVICES:
            self._wrong_by.popitem(last=False)
        now = self._clock()
        if now > network.since + DAY:
            network.since, network.today = now, 0
        network.today += 1
        network.wrong.append(now)
        network.next_at = now + self._every * (LONGER if network.today > VERY_MANY else 1)
        if len(network.wrong) == self._free:
            self._slows(name)
        while len(network.wrong) > self._free:
            network.wrong.popleft()
        return answer
