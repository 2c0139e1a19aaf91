"""Limits on what strangers can do to the server's connections, with real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import pytest
import trustme
import uvicorn

from classroom.live import bounds, server
from classroom.live.answers import Buffered
from classroom.live.bounds import Bounded, Crowd, most_connections, network_of
from classroom.live.pools import Pool, ThrottledThread

LARGE = 40_000_000  # bytes; more than the kernel buffers for a browser that does not read


@dataclass
class Site:
    """A server with its connections, and the requests that reached its application."""

    crowd: Crowd
    port: int = 0
    asked: list[tuple[str, bytes]] = field(default_factory=list)

    def open(self, sent: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
        line = socket.create_connection(("127.0.0.1", self.port), 5, (address, 0))
        line.settimeout(5)
        line.sendall(sent)
        return line

    def ask(self, sent: bytes) -> bytes:
        """Everything that the server sends until it ends the connection."""
        with contextlib.closing(self.open(sent)) as line:
            return rest_of(line)


def rest_of(line: socket.socket) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := line.recv(65_536):
            found += part
    return found


GET = b"GET / HTTP/1.1\r\nHost: a\r\n"
LAST = GET + b"Connection: close\r\n\r\n"


class _NoFront:
    def end_streams(self) -> None:
        return


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with served(monkeypatch) as found:
        yield found


@contextlib.contextmanager
def served(monkeypatch: pytest.MonkeyPatch, tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    monkeypatch.setattr(bounds, "REQUEST_SECONDS", 0.4)
    monkeypatch.setattr(bounds, "READING_SECONDS", 0.4)
    monkeypatch.setattr(server, "TICKS", 1)
    found = Site(Crowd(12, 8))

    def pages(environ: dict[str, Any], start: Any) -> list[bytes]:
        found.asked.append((environ["REQUEST_METHOD"], environ["wsgi.input"].read()))
        if environ["PATH_INFO"] == "/trailers":
            body = environ.get("HTTP_X_FORWARDED_FOR", "none").encode()
        else:
            body = b"a" * LARGE if environ["PATH_INFO"] == "/large" else b"hello"
        start("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    threads = ThrottledThread("pages", pause=0.0)
    whole = Buffered(pages, Pool(threads), 1000)

    async def front(scope: Any, receive: Any, send: Any) -> None:
        await whole(scope, receive, send)

    config = uvicorn.Config(
        cast(Any, front), port=0, log_level="error", ws="none",
        http=cast(Any, partial(Bounded, crowd=found.crowd)), lifespan="off", access_log=False,
        ssl_context_factory=(lambda _config, _default: tls) if tls else None,
    )  # fmt: skip
    ready = threading.Event()

    def known(_host: str, port: int) -> None:
        found.port = port
        ready.set()

    serving = server._Server(config, cast(Any, _NoFront()), found.crowd, known)
    running = threading.Thread(target=lambda: asyncio.run(serving.serve()))
    monkeypatch.setattr(serving, "capture_signals", contextlib.nullcontext)
    running.start()
    assert ready.wait(10)
    yield found
    serving.should_exit = serving.force_exit = True
    running.join(10)
    threads.shutdown()
    assert not running.is_alive()


def test_a_request_within_the_limits_is_answered(site: Site) -> None:
    assert site.ask(LAST).endswith(b"hello")
    form = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"
    assert site.ask(form).endswith(b"hello")
    assert site.asked == [("GET", b""), ("POST", b"abc")]


@pytest.mark.walk(4)
@pytest.mark.parametrize(
    "sent",
    [
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nlogin=a",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n",
        b"DELETE / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        GET,
        b"GE",
        b"\r\n",
        LAST.replace(b"Connection: close\r\n", b"") + b"GET / HT",
    ],
)
def test_a_stalled_request_is_ended_and_has_no_effect(site: Site, sent: bytes) -> None:
    began = time.monotonic()
    answer = site.ask(sent)
    assert 0.25 < time.monotonic() - began < 4.0
    assert b"408" in answer or answer.endswith(b"hello")  # hello answers an earlier request
    assert site.asked in ([], [("GET", b"")])


def test_stalled_requests_do_not_delay_others(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "REQUEST_SECONDS", 60.0)
    stalled = [
        site.open(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na") for _ in "1234"
    ]
    began = time.monotonic()
    assert site.ask(LAST).endswith(b"hello")
    assert time.monotonic() - began < 1.0
    for line in stalled:
        line.close()


def test_a_silent_connection_is_ended(site: Site) -> None:
    assert site.ask(b"") == b""


@pytest.mark.parametrize(
    "head",
    [
        GET + b"X: " + b"a" * 40_000,
        GET + b"".join(b"X%d: 1\r\n" % number for number in range(200)) + b"\r\n",
        GET + b"X: " + b"a" * 40_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
)
def test_endless_headers_are_refused(site: Site, head: bytes) -> None:
    answer = site.ask(head)
    assert answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))
    assert not site.asked


def test_an_endless_body_is_cut_off(site: Site) -> None:
    line = site.open(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000000\r\n\r\n")
    sent, part = 0, b"a" * 65_536
    with contextlib.suppress(ConnectionError):
        for _ in range(400):
            sent += line.send(part)
    line.close()
    assert sent < 20_000_000  # not all 26 MB; what the sockets buffer counts as sent


def test_a_trailer_does_not_count_as_a_header(site: Site) -> None:
    answer = site.ask(
        b"POST /trailers HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
        b"\r\n1\r\na\r\n0\r\nX-Forwarded-For: 9.9.9.9\r\n\r\n"
    )
    assert answer.endswith(b"none")


def test_requests_sent_ahead_are_answered_in_order_up_to_a_bound(site: Site) -> None:
    two = site.ask((GET + b"\r\n") * 2 + LAST)
    assert two.count(b"hello") == 3
    three = site.ask((GET + b"\r\n") * 3 + LAST)
    assert b" 400 " in three
    assert three.count(b"hello") < 4


def test_an_unread_answer_is_given_up(site: Site) -> None:
    line = site.open(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    wait_until(lambda: len(site.asked) == 1)
    wait_until(lambda: len(site.crowd) == 0)
    line.close()


def test_a_reset_connection_leaves_nothing_behind(site: Site) -> None:
    for _ in range(20):
        line = site.open(GET + b"\r\n")
        wait_until(lambda line=line: b"hello" in line.recv(1_000, socket.MSG_PEEK))
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()  # closes with a reset
    wait_until(lambda: len(site.crowd) == 0)

    def kept() -> int:
        gc.collect()
        return sum(isinstance(one, Bounded) for one in gc.get_objects())

    wait_until(lambda: kept() < 5)


def test_the_oldest_idle_connection_makes_room_and_no_served_one_does(site: Site) -> None:
    quiet = [site.open() for _ in range(8)]
    wait_until(lambda: len(site.crowd) == 8)
    assert site.ask(LAST).endswith(b"hello")
    assert quiet[0].recv(1) == b""
    elsewhere = [site.open(address="127.0.0.2") for _ in range(8)]
    wait_until(lambda: len(site.crowd) <= 12)
    assert site.ask(LAST).endswith(b"hello")
    for line in [*quiet, *elsewhere]:
        line.close()


def test_one_connection_too_many_is_refused_while_all_are_being_answered() -> None:
    crowd = Crowd(2, None)
    assert crowd.join(cast(Any, Served()))
    assert crowd.join(cast(Any, Served()))
    assert not crowd.join(cast(Any, Served()))
    assert len(crowd) == 2


class Served:
    address, is_answering = "1.2.3.4", True


def test_a_connection_that_stalls_in_the_tls_handshake_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tls, authority = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), trustme.CA()
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    with served(monkeypatch, tls) as site:
        assert site.ask(b"") == b""
        assert site.ask(b"\x16\x03\x01") == b""
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)
        with trusting.wrap_socket(site.open(), server_hostname="127.0.0.1") as line:
            line.sendall(LAST)
            assert rest_of(line).endswith(b"hello")


@pytest.mark.whole  # every day instead: the same without https
def test_an_unread_answer_is_given_up_over_https_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tls, authority = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), trustme.CA()
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    with served(monkeypatch, tls) as site:
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)
        with trusting.wrap_socket(site.open(), server_hostname="127.0.0.1") as line:
            line.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            wait_until(lambda: len(site.asked) == 1)
            wait_until(lambda: len(site.crowd) == 0)


def test_many_addresses_of_one_network_count_together() -> None:
    crowd, dropped = Crowd(6, None), list[str]()

    class One:
        is_answering = True

        def __init__(self, address: str) -> None:
            self.address = address

        def drop(self) -> None:
            dropped.append(self.address)
            crowd.leave(cast(Any, self))

    for number in range(4):
        assert crowd.join(cast(Any, One(f"2001:db8:1:{number}::/64")))
    for _ in range(3):
        assert crowd.join(cast(Any, One("10.0.0.1/32")))
    assert dropped == ["2001:db8:1:0::/64"]


def test_unread_answers_make_room_at_once_and_not_only_at_the_next_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "UNREAD_BYTES", 1_000)
    crowd, dropped = Crowd(6, None), list[int]()

    class Reader:
        is_answering = False

        def __init__(self, unread: int) -> None:
            self.unread, self.address = unread, f"127.0.0.{unread}"

        def drop(self) -> None:
            crowd.leave(cast(Bounded, self))
            dropped.append(self.unread)

    for unread in (300, 900, 0, 400):
        assert crowd.join(cast(Bounded, Reader(unread)))
    crowd.wrote(250)
    assert not dropped
    crowd.wrote(1)
    assert dropped == [900]


def test_an_upgrade_to_another_protocol_does_not_avoid_the_bounds(site: Site) -> None:
    for protocol in (b"websocket", b"h2c"):
        answer = site.ask(
            GET + b"Connection: Upgrade, close\r\nUpgrade: " + protocol + b"\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert b" 101 " not in answer
    assert site.ask(LAST).endswith(b"hello")


def test_a_network_is_an_address_or_its_prefix() -> None:
    assert network_of("10.1.2.3") == "10.1.2.3/32"
    assert network_of("10.1.2.3", 24) == network_of("::ffff:10.1.2.99", 24) == "10.1.2.0/24"
    assert network_of("2001:db8:1:2:3::4") == "2001:db8:1:2::/64"
    assert network_of("nonsense") == "nonsense"


def test_there_are_never_more_connections_than_files() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, before[1]))
    try:
        assert most_connections(2_000) == 2_000
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= 2_200
        assert most_connections(10_000_000) < before[1]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def wait_until(true: Any, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)
