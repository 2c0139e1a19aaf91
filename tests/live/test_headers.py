"""The security headers of every answer of a served school: streams, files and errors too."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from classroom.live.asgi import Front
from classroom.web.http.security import HEADERS
from tests import sample
from tests.conftest import finish, make_app
from tests.live.test_streams import Browser, scope as bare_scope
from tests.loops import in_a_loop
from tests.web.routes import addresses, rules
from tests.world import World

Head = tuple[int, dict[str, str]]
STREAMS = 6
ODD = ("/nothing", "/in?%ff", "/static/none.css", "/static/css/look.css?v=1", "/teach", "/demo/in")


@pytest.fixture
def secure(tmp_path: Path, peopled: Path) -> Iterator[World]:
    """A school behind a proxy that speaks https."""
    app = make_app(tmp_path / "secure", peopled, PROXIES=1, HSTS_SUBDOMAINS=True)
    yield World.of(app)
    finish(app)


def cookies(world: World, who: str) -> str:
    client = world.visitor(who).client
    kept = [client.get_cookie(name) for name in ("school", "school-device")]
    return "; ".join(
        f"{lock}{one.key}={one.value}" for one in kept if one for lock in ("", "__Host-")
    )


class Sending(Browser):
    """A browser that sends an empty form before it listens."""

    sent_form = False

    async def receive(self) -> dict[str, object]:
        if not self.sent_form:
            self.sent_form = True
            return {"type": "http.request", "body": b"", "more_body": False}
        return await super().receive()


async def head(front: Front, method: str, address: str, **headers: str) -> Head:
    """The status and the headers of an answer. A stream is left as soon as it begins."""
    path, _, query = address.partition("?")
    browser = Sending()
    about = bare_scope(**headers) | {"method": method, "path": path, "query_string": query.encode()}
    serving = asyncio.create_task(front(about, browser.receive, browser.send))
    await browser.until(lambda: bool(browser.sent) or serving.done(), 10)
    browser.left.set()
    await asyncio.wait_for(serving, 10)
    start = browser.sent[0]
    return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}


def everything(
    world: World, people: tuple[str, ...], whole: bool
) -> Iterator[tuple[str, str, str]]:
    """Each person with a method and an address: first the addresses in ODD, then every stream and
    a sample of the other routes, with a thing that exists and with one that does not."""
    streams = [rule for rule in rules(world.app) if rule.rule.endswith("/events")]
    others = [rule for rule in rules(world.app) if rule not in streams]
    for who in people:
        yield from ((who, "GET", address) for address in ODD)
        for rule in (*streams, *sample.part(others, 10, whole)):
            found = list(addresses(world, rule))
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield from ((who, method, one.path) for one in (found[0], found[-1]))


def heads(world: World, whole: bool, *people: str, **headers: str) -> list[tuple[str, Head]]:
    front, kept = Front(world.app), {}

    async def ask() -> list[tuple[str, Head]]:
        found = []
        for who, method, address in everything(world, people, whole):
            cookie = kept.get(who) or kept.setdefault(who, cookies(world, who))
            answer = await head(front, method, address, cookie=cookie, **headers)
            found.append((f"{who} {method} {address}", answer))
        front.end_streams()
        return found

    return in_a_loop(ask())


def test_every_answer_of_a_served_school_has_the_security_headers(
    world: World, whole: bool
) -> None:
    statuses, streams = set(), 0
    for where, (status, headers) in heads(
        world, whole, "nobody", "device", "Miaqua", "lake", "reed"
    ):
        for name, value in HEADERS.items():
            if status == 200 and re.search("GET /voice/[0-9]+/read$", where):
                value = value.replace("microphone=()", "microphone=(self)")
            assert headers.get(name.lower()) == value, (where, status, name)
        assert "strict-transport-security" not in headers, where
        statuses.add(status)
        if status == 200 and where.endswith("/events"):
            assert headers["content-type"] == "text/event-stream; charset=utf-8"
            assert (headers["cache-control"], headers["x-accel-buffering"]) == ("no-store", "no")
            assert "content-length" not in headers
            streams += 1
    assert streams == STREAMS
    assert {200, 303, 308, 400, 403, 404} <= statuses


def test_every_answer_over_https_demands_https_from_now_on(secure: World, whole: bool) -> None:
    kept = "max-age=31536000; includeSubDomains"
    for where, (_, headers) in heads(secure, whole, "nobody", "lake", x_forwarded_proto="https"):
        assert headers.get("strict-transport-security") == kept, where


def test_subdomains_are_left_alone_by_default(app: Flask) -> None:
    page = app.test_client().get("/in", base_url="https://localhost")
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
