"""The front of the server: the threads that answer, and how it slows down guessing."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask

from classroom.live import asgi
from classroom.live.asgi import Front, _client
from classroom.live.pools import ThrottledThread
from tests.live.test_answers import FORM, Sender
from tests.live.test_streams import scope as bare_scope
from tests.loops import in_a_loop
from tests.world import World


async def ask(
    front: Front,
    method: str,
    path: str,
    body: bytes = b"",
    address: str = "10.0.0.1",
    **headers: str,
) -> int:
    """Ask the front, and return the status."""
    about = bare_scope(content_type=FORM, content_length=str(len(body)), **headers)
    about |= {"method": method, "path": path, "client": (address, 5)}
    sender = Sender(body)
    sender.go_on.set()
    await front(about, sender.receive, sender.send)
    return int(sender.sent[0]["status"])


def a_try(world: World, code: str) -> tuple[bytes, str]:
    """A form with a class code from a new browser, and that browser's cookies."""
    visitor = world.visitor("stranger")
    form = urlencode({"token": visitor.token(), "code": code}).encode()
    kept = visitor.client.get_cookie("school-device")
    assert kept
    return form, f"school-device={kept.value}"


def test_only_a_guesser_is_slowed_down(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BY_ADDRESS", (3, 0.2))
    noted: list[tuple[str, ...]] = []
    monkeypatch.setattr(asgi.security_log, "note", lambda *event, **_: noted.append(event))
    front = Front(world.app)

    async def guess(address: str) -> float:
        form, cookie = a_try(world, "000000")
        began = time.monotonic()
        assert await ask(front, "POST", "/join", form, address, cookie=cookie) == 404
        return time.monotonic() - began

    async def run() -> None:
        for _ in range(3):
            await guess("10.0.0.1")
        await guess("10.0.0.1")
        assert await guess("10.0.0.1") > 0.15
        assert await guess("10.0.0.2") < 0.15

    in_a_loop(run())
    assert noted.count(("lock_out", "slowed_down")) == 1


def test_a_page_does_not_wait_for_sign_ins(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    front = Front(app)
    doors = front._schools[""].doors.pool.threads
    on = threading.Event()
    for _ in range(20):
        doors.submit(on.wait, 10)

    async def run() -> None:
        stuck = asyncio.create_task(ask(front, "POST", "/in", b"login=a"))
        assert await asyncio.wait_for(ask(front, "GET", "/in"), 5) == 200
        assert not stuck.done()
        on.set()
        assert await stuck == 403

    in_a_loop(run())


def test_requests_of_every_method_are_read_before_a_thread_is_taken(app: Flask) -> None:
    front = Front(app)

    async def run() -> None:
        stuck = []
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"):
            for path in ("/in", "/join", "/", "/static/css/look.css", "/teach/classes/1"):
                half = Sender(b"a", b"")
                about = bare_scope(content_length="5000") | {"method": method, "path": path}
                stuck.append(asyncio.create_task(front(about, half.receive, half.send)))
        await asyncio.sleep(0.05)
        assert await asyncio.wait_for(ask(front, "GET", "/health"), 5) == 200
        for one in stuck:
            assert not one.done()
            one.cancel()

    in_a_loop(run())


def test_an_unhurried_thread_leaves_most_of_the_time_to_others() -> None:
    pool = ThrottledThread("demo", pause=3.0)
    began = time.monotonic()
    first = pool.submit(time.sleep, 0.05)
    first.result(5)
    assert time.monotonic() - began < 0.15, "an answer does not wait for the rest after it"
    for _ in range(3):
        pool.submit(time.sleep, 0.05).result(5)
    assert time.monotonic() - began >= 0.05 * 4 + 0.15 * 3
    pool.shutdown()


@pytest.mark.parametrize(
    ("proxies", "told", "client"),
    [
        (0, "9.9.9.9", "10.0.0.1"),
        (1, "9.9.9.9", "9.9.9.9"),
        (1, "6.6.6.6, 9.9.9.9", "9.9.9.9"),
        (2, "6.6.6.6, 9.9.9.9, 8.8.8.8", "9.9.9.9"),
        (2, "9.9.9.9", "10.0.0.1"),
        (1, "", "10.0.0.1"),
    ],
)
def test_a_browsers_address_is_the_one_that_the_nearest_trusted_proxy_saw(
    proxies: int, told: str, client: str
) -> None:
    about: dict[str, Any] = bare_scope(x_forwarded_for=told) if told else bare_scope()
    assert _client(about | {"client": ("10.0.0.1", 5)}, proxies) == client
