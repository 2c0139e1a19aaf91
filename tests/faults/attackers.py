"""Attackers of a served school: raw sockets in another process, from other addresses.

    python -m tests.faults.attackers '{"kind": "stalled_posts", "many": 200, "port": 8000, ...}'

The command says "standing" once all connections are made (after five seconds at the latest), goes
on until its input is closed, and prints what was sent and answered. It uses only the standard
library, to start quickly, and has a low priority, because real attackers use other machines.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import resource
import socket
import struct
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

NICE: Final = 10
LONGEST: Final = 300.0  # seconds after which a forgotten attack ends
AGAIN: Final = 0.05  # seconds until a connection that has ended is replaced
SLOWLY: Final = 0.5  # the same for attacks that hold connections
STANDS: Final = 5.0  # seconds to wait until all connections are made
HELD: Final = 2.0  # seconds after which a stream counts as held
DRIP: Final = 1.0  # seconds between the bytes of slow attackers
FORM: Final = "Content-Type: application/x-www-form-urlencoded\r\n"
_TOKEN: Final = re.compile(rb'name="token" value="([0-9a-f]+)"')
_COOKIE: Final = re.compile(rb"set-cookie: ([^;\r]+)", re.I)
_LENGTH: Final = re.compile(rb"content-length: ([0-9]+)", re.I)


@dataclass
class Plan:
    """The target, the number of connections, and what the attacker knows."""

    kind: str
    many: int
    port: int
    source: str = "127.0.0.1"
    cookie: str = ""  # the cookie of a child at the table
    table: str = "/play/rounds/1"
    asset: str = "/static/art/games.svg"  # a large file
    page: str = "/in"  # an ordinary page that the attacker requests
    logins: tuple[str, ...] = ()  # logins that exist
    spread: bool = False  # each connection comes from another network
    made: Counter[str] = field(default_factory=Counter)  # counts of what was done and answered


class Line:
    """One connection."""

    def __init__(
        self, plan: Plan, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.plan, self._reader, self._writer = plan, reader, writer

    async def send(self, text: str | bytes) -> None:
        raw = text.encode("latin-1") if isinstance(text, str) else text
        self._writer.write(raw)
        self.plan.made["bytes"] += len(raw)
        await self._writer.drain()

    async def drip(self, text: str) -> None:
        """Send this text a byte at a time, over and over without end."""
        while True:
            for letter in text:
                await self.send(letter)
                await asyncio.sleep(DRIP)

    async def gone(self) -> None:
        """Read until the server closes the connection, and note the status and that it closed."""
        first = await self._reader.read(65_536)
        if first.startswith(b"HTTP/1."):
            self.plan.made[first[9:12].decode()] += 1
        while first:
            first = await self._reader.read(65_536)
        self.plan.made["closed by the server"] += 1

    async def streamed(self) -> None:
        """Read a stream to its end, and count it as held if it lasts."""
        part = await self._reader.read(65_536)
        self.plan.made[part[9:12].decode()] += 1
        with suppress(TimeoutError):
            async with asyncio.timeout(HELD):
                return await self._ended(part)
        self.plan.made["held"] += 1
        return await self._ended(b" ")

    async def _ended(self, part: bytes) -> None:
        while part and not part.endswith(b"0\r\n\r\n"):
            part = await self._reader.read(65_536)

    async def answer(self, method: str = "GET") -> tuple[int, bytes, bytes]:
        """The status, head and body of the next answer."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        self.plan.made[str(status)] += 1
        length = _LENGTH.search(head)
        bodiless = method == "HEAD" or status in (204, 304) or length is None
        body = b"" if bodiless or length is None else await self._reader.readexactly(int(length[1]))
        return status, head, body

    async def ask(self, method: str, path: str, more: str = "", body: str = "") -> bytes:
        """Send a whole request, and return the body of its answer."""
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{more}{length}\r\n"
        await self.send(head + body)
        return (await self.answer(method))[2]

    def half_close(self) -> None:
        self._writer.write_eof()

    async def byte(self) -> bytes:
        return await self._reader.read(1)

    def drop(self) -> None:
        """Close with a reset."""
        with suppress(OSError):  # it may already be closed
            at_once = struct.pack("ii", 1, 0)
            found = self._writer.get_extra_info("socket")
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        self._writer.transport.abort()


def _source(plan: Plan, number: int) -> str:
    """The source address of the connection with this number."""
    return f"127.{2 + number // 250 % 250}.{number % 250}.1" if plan.spread else plan.source


async def connect(plan: Plan, source: str, small: bool = False) -> Line:
    """Connect to the server. `small`: the buffers and packets are small, so that neither machine
    can hold much that the attacker does not read."""
    found = socket.socket()
    found.setblocking(False)
    if small:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_304)
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1_400)
    try:
        found.bind((source, 0))
        await asyncio.get_running_loop().sock_connect(found, ("127.0.0.1", plan.port))
        limit = 2_048 if small else 2**20
        reader, writer = await asyncio.open_connection(sock=found, limit=limit)
    except BaseException:
        found.close()
        raise
    plan.made["opened"] += 1
    return Line(plan, reader, writer)


Attack = Callable[[Line, int], Awaitable[None]]
ATTACKS: dict[str, Attack] = {}
_HOLDING = {
    "stalled_posts",
    "almost_whole_posts",
    "dripped_posts",
    "slow_headers",
    "silent",
    "idle",
}
_UNREAD: Final = {"slow_readers", "unread_pipelines", "unread_streams"}


def attack(one: Attack) -> Attack:
    """Register an attack: a function that each connection, given its number, runs repeatedly."""
    ATTACKS[one.__name__] = one
    return one


def _forms(plan: Plan) -> list[tuple[str, str]]:
    """Addresses to which forms are sent, with the headers for them: some for strangers, some for
    children, one in the demo school, one that is unknown, and one that takes no form."""
    child = f"Cookie: {plan.cookie}\r\n"
    return [
        ("/in", ""),
        ("/join", ""),
        (f"{plan.table}/asks", child),
        (f"{plan.table}/hint", child),
        ("/demo/in", ""),
        ("/nowhere", ""),
        ("/health", ""),
    ]


def _head_of_form(line: Line, number: int) -> str:
    forms = _forms(line.plan)
    path, more = forms[number % len(forms)]
    how = "Transfer-Encoding: chunked" if number % 3 == 2 else "Content-Length: 5000"
    begun = "64\r\nlogin=a" if number % 3 == 2 else "login=a"
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{more}{FORM}{how}\r\n\r\n{begun}"


# ---- attacks that hold a connection


@attack
async def stalled_posts(line: Line, number: int) -> None:
    """A form whose rest never comes."""
    await line.send(_head_of_form(line, number))
    await line.gone()


@attack
async def almost_whole_posts(line: Line, number: int) -> None:
    """A form of the largest size, whose last byte never comes."""
    head = f"POST /in HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: 65536\r\n\r\n"
    await line.send(head + "a" * 65_535)
    await line.gone()


@attack
async def dripped_posts(line: Line, number: int) -> None:
    """A form that comes at one byte a second."""
    await line.send(_head_of_form(line, number))
    await line.drip("1\r\na\r\n" if number % 3 == 2 else "a")


@attack
async def slow_headers(line: Line, number: int) -> None:
    """Headers that come at one byte a second and never end."""
    await line.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
    await line.drip(f"X-{number}: {number}\r\n")


@attack
async def silent(line: Line, number: int) -> None:
    """A connection over which nothing comes at all."""
    await line.gone()


@attack
async def idle(line: Line, number: int) -> None:
    """A connection that is kept open after one answer."""
    await line.ask("GET", "/health")
    await line.gone()


@attack
async def half_closed(line: Line, number: int) -> None:
    """The sender's half is closed after a request, within its head, or within a form."""
    whole = "GET /in HTTP/1.1\r\nHost: localhost\r\n\r\n"
    await line.send((whole, whole[:20], _head_of_form(line, number))[number % 3])
    line.half_close()
    await line.gone()
    await asyncio.sleep(1.0)


# ---- attacks that do not read


@attack
async def slow_readers(line: Line, number: int) -> None:
    """A large file that is read at one byte a second."""
    for _ in range(60):  # more than the server's machine buffers
        await line.send(f"GET {line.plan.asset}?n={number} HTTP/1.1\r\nHost: localhost\r\n\r\n")
    while await line.byte():
        await asyncio.sleep(DRIP)


@attack
async def unread_pipelines(line: Line, number: int) -> None:
    """Requests sent one after the other, without reading the answers."""
    request = f"GET {line.plan.page} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    await line.send(request * 2_000)
    await asyncio.sleep(LONGEST)


@attack
async def unread_streams(line: Line, number: int) -> None:
    """Event streams of a table where children play, read at one byte a second."""
    plan = line.plan
    head = f"GET {plan.table}/events HTTP/1.1\r\nHost: localhost\r\nCookie: {plan.cookie}\r\n\r\n"
    await line.send(head)
    while await line.byte():
        await asyncio.sleep(DRIP)


@attack
async def streams_of_one_child(line: Line, number: int) -> None:
    """Streams of one child at a table where children play."""
    plan = line.plan
    head = f"GET {plan.table}/events HTTP/1.1\r\nHost: localhost\r\nCookie: {plan.cookie}\r\n\r\n"
    await line.send(head)
    await line.streamed()


@attack
async def stream_storm(line: Line, number: int) -> None:
    """The same streams, as part of several floods. A stream that ends is opened again at once."""
    await streams_of_one_child(line, number)


# ---- attacks that send much


@attack
async def endless_headers(line: Line, number: int) -> None:
    """Endless headers, as fast as possible."""
    await line.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
    some = "".join(f"X-{n}: {'y' * 100}\r\n" for n in range(600))
    while True:
        await line.send(some)


@attack
async def endless_bodies(line: Line, number: int) -> None:
    """An endless body, in chunks or with a huge length, as fast as possible."""
    forms = _forms(line.plan)
    path, more = forms[number % len(forms)]
    chunked = number % 2
    how = "Transfer-Encoding: chunked" if chunked else "Content-Length: 99999999999"
    more += f"Expect: 100-continue\r\n{FORM}{how}\r\n"
    await line.send(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n")
    some = "x" * 0x4000
    while True:
        await line.send(f"4000\r\n{some}\r\n" if chunked else some)


@attack
async def small_chunks(line: Line, number: int) -> None:
    """A form in chunks of one byte each."""
    head = f"POST /in HTTP/1.1\r\nHost: localhost\r\n{FORM}Transfer-Encoding: chunked\r\n\r\n"
    await line.send(head + "1\r\na\r\n" * 5_000 + "0\r\n\r\n")
    await line.answer()


@attack
async def many_fields(line: Line, number: int) -> None:
    """Large forms with as many fields as possible, URL-encoded or in parts."""
    if number % 2:
        await line.ask("POST", "/in", FORM, "a=&" * 21_000)
        return
    part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    kind = "Content-Type: multipart/form-data; boundary=b\r\n"
    await line.ask("POST", "/in", kind, part * 1_200 + "--b--\r\n")


@attack
async def gzip_bombs(line: Line, number: int) -> None:
    """A compressed form that is a thousand times as large when it is unpacked."""
    await line.ask("POST", "/in", FORM + "Content-Encoding: gzip\r\n", _BOMB)


_BOMB: Final = gzip.compress(b"a" * 40_000_000, 9).decode("latin-1")


@attack
async def pipelined(line: Line, number: int) -> None:
    """Many requests at once over one connection."""
    request = f"GET {line.plan.page} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    await line.send(request * 12)
    for _ in range(12):
        await line.answer()


@attack
async def page_flood(line: Line, number: int) -> None:
    """An ordinary page, again and again."""
    for _ in range(50):
        await line.ask("GET", line.plan.page)


@attack
async def taps_of_one_child(line: Line, number: int) -> None:
    """A child's browser that keeps sending moves that are out of date."""
    plan, cookie = line.plan, f"Cookie: {line.plan.cookie}\r\n"
    page = await line.ask("GET", plan.table, cookie)
    found = _TOKEN.search(page)
    token = found[1].decode() if found else ""
    for tap in range(50):
        form = f"token={token}&key=k{number}x{tap}&seen=0&class=7&target=1"
        await line.ask("POST", f"{plan.table}/asks", FORM + cookie, form)


@attack
async def odd_methods(line: Line, number: int) -> None:
    """Methods that no page uses."""
    methods = "HEAD OPTIONS TRACE PUT DELETE PATCH PROPFIND LINK".split()
    for method in methods:
        await line.ask(method, line.plan.page)


@attack
async def strange_hosts(line: Line, number: int) -> None:
    """Requests for made-up hosts, each for a different one."""
    for _ in range(20):
        host = f"{os.urandom(20).hex()}.example"
        await line.send(f"GET /in HTTP/1.1\r\nHost: {host}\r\n\r\n")
        await line.answer()


@attack
async def old_http(line: Line, number: int) -> None:
    """HTTP/1.0 with and without a host, kept alive and not."""
    more = ("", "Host: localhost\r\n", "Connection: keep-alive\r\n")[number % 3]
    await line.send(f"GET /in HTTP/1.0\r\n{more}\r\n")
    await line.answer()


@attack
async def upgrades(line: Line, number: int) -> None:
    """Upgrades to a web socket and to HTTP/2, and HTTP/2 without an upgrade."""
    if number % 3 == 0:
        await line.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        return await line.gone()
    socketed = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    second = "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"
    to, more = ("websocket", socketed) if number % 3 == 1 else ("h2c", second)
    await line.ask("GET", "/in", f"Connection: Upgrade\r\nUpgrade: {to}\r\n{more}")
    return None


@attack
async def no_http(line: Line, number: int) -> None:
    """Bytes that are not HTTP: a TLS hello, and random ones."""
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(200)
    await line.send(hello if number % 2 else os.urandom(500))
    await line.gone()


@attack
async def resets(line: Line, number: int) -> None:
    """Connections that are reset during a request or its answer."""
    whole = f"GET {line.plan.page} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    await line.send(whole if number % 2 else whole[:30])
    await asyncio.sleep(0.005)
    line.drop()


# ---- attacks that guess


@attack
async def sign_ins(line: Line, number: int) -> None:
    """Wrong passwords for made-up and real logins, each from a new browser."""
    for _ in range(20):
        cookies, token = await _browser(line, "/in")
        login = f"made.up.{os.urandom(4).hex()}"
        if line.plan.logins and number % 2:
            login = line.plan.logins[number % len(line.plan.logins)]
        form = f"token={token}&login={login}&password=seven+wrong+herons+wade"
        await line.ask("POST", "/in", FORM + cookies, form)


@attack
async def wrong_codes(line: Line, number: int) -> None:
    """Wrong class codes, ten from each throw-away browser, `many` in all."""
    cookies, token = await _browser(line, "/")
    for _ in range(10):
        if line.plan.made["codes"] >= line.plan.many:
            if not line.plan.made["tried"]:
                line.plan.made["tried"] = 1
                print("tried", flush=True)
            return await asyncio.sleep(LONGEST)
        line.plan.made["codes"] += 1
        code = f"{900_000 + line.plan.made['codes']}"
        await line.ask("POST", "/join", FORM + cookies, f"token={token}&code={code}")
    return None


async def _browser(line: Line, page: str) -> tuple[str, str]:
    """The cookies and the form token of a new browser."""
    await line.send(f"GET {page} HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _, head, body = await line.answer()
    found = _TOKEN.search(body)
    cookies = "; ".join(one.decode() for one in _COOKIE.findall(head))
    return f"Cookie: {cookies}\r\n", found[1].decode() if found else ""


# ---- all of them at once

LINES: Final = {"wrong_codes": 8}  # the connections of attacks whose `many` counts other things


async def _again_and_again(plan: Plan, number: int, lines: int) -> None:
    one = ATTACKS[plan.kind]
    for turn in count():
        line = None
        try:
            source = _source(plan, number + lines * turn)
            line = await connect(plan, source, small=plan.kind in _UNREAD)
            await one(line, number)
            plan.made["done"] += 1
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            plan.made[type(error).__name__] += 1
        finally:
            if line is not None:
                line.drop()
        await asyncio.sleep(SLOWLY if plan.kind in _HOLDING else AGAIN)


async def run(plan: Plan) -> None:
    """Attack until the input is closed."""
    lines = LINES.get(plan.kind, plan.many)
    tasks = [asyncio.create_task(_again_and_again(plan, n, lines)) for n in range(lines)]
    with suppress(TimeoutError):
        async with asyncio.timeout(STANDS):
            while plan.made["opened"] < lines:
                await asyncio.sleep(0.01)
    print("standing", flush=True)
    with suppress(TimeoutError):
        async with asyncio.timeout(LONGEST):
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(plan.made), flush=True)


def main(words: str) -> None:
    os.nice(NICE)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8_192), most))
    given: dict[str, Any] = json.loads(words)
    asyncio.run(run(Plan(**given)))


if __name__ == "__main__":
    main(sys.argv[1])
