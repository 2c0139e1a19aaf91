"""A school with a small demo school beside it, and the front of its server."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask

from classroom.app import create_app
from classroom.database import db, empty_log, write_unit
from classroom.live.asgi import Front
from classroom.services.access import sessions
from classroom.services.operation.look_around import Demo
from tests.conftest import finish, make_app
from tests.loops import in_a_loop
from tests.world import World, make_world

DEVICE = "d" * 32


def small_demo(folder: Path) -> Path:
    """Make a demo school with the small world of tests/world.py. Returns its database."""
    file = folder / "small.db"
    made = create_app({"INSTANCE": str(folder), "DEMO": True, "DATABASE_URI": f"sqlite:///{file}"})
    make_world(made)
    with made.app_context():
        empty_log()
    finish(made)
    return file


@contextmanager
def with_demo(folder: Path, like: Path, small: Path, **config: Any) -> Iterator[Flask]:
    """An installation that is not set up, with a copy of the small demo school."""

    def make(file: Path) -> None:
        shutil.copyfile(small, file)

    app = make_app(folder, like, **{"LOOK_AROUND": "until_set_up", "UPGRADE": True, **config})
    demo_of(app).make = make
    yield app
    finish(app.extensions["demo"])
    finish(app)


def demo_of(app: Flask) -> Demo:
    found: Demo = app.extensions["look_around"]
    return found


def make_demo(app: Flask) -> None:
    demo_of(app).make_now()


def signed_in(app: Flask, who: str) -> dict[str, str]:
    """The cookies of a person of the small world in the demo school."""
    beside: Flask = app.extensions["demo"]
    world = World.of(beside)
    with beside.app_context(), write_unit():
        token = sessions.start(DEVICE, **world._whose(who))
    return {"demo": token, "demo-device": DEVICE}


@dataclass
class Exchange:
    """One request to the front of a server, and its answer so far."""

    sent: list[dict[str, Any]] = field(default_factory=list)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        return sorted(self.sent[0]["headers"])

    @property
    def body(self) -> bytes:
        return b"".join(part.get("body", b"") for part in self.sent[1:])

    @property
    def whole(self) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        return self.status, self.headers, self.body


def ask(app: Flask, method: str, path: str, cookies: dict[str, str] | None = None) -> Exchange:
    """Send a request to the front of the server, and wait for the whole answer."""
    return watch(app, method, path, cookies or {}, lambda _exchange: None)


def watch(
    app: Flask, method: str, path: str, cookies: dict[str, str], act: Callable[[Exchange], None]
) -> Exchange:
    """Send a request whose answer comes in parts, and call `act` after the first of them."""
    exchange = Exchange()

    async def run() -> None:
        begun, messages = asyncio.Event(), [{"type": "http.request", "body": b""}]

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop()
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Any) -> None:
            exchange.sent.append(dict(message))
            if message.get("body"):
                begun.set()

        answering = asyncio.create_task(Front(app)(_scope(method, path, cookies), receive, send))
        first = asyncio.create_task(begun.wait())
        await asyncio.wait({answering, first}, timeout=20, return_when="FIRST_COMPLETED")
        await asyncio.to_thread(act, exchange)
        await asyncio.wait_for(answering, 20)
        first.cancel()

    in_a_loop(run())
    return exchange


def _scope(method: str, path: str, cookies: dict[str, str]) -> dict[str, Any]:
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": [(b"host", b"localhost"), (b"cookie", cookie.encode())],
        "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 5),
    }  # fmt: skip


def rounds_of(app: Flask, child: str) -> int:
    return World.of(app.extensions["demo"]).rounds[child]


def name_of_demo(app: Flask) -> str:
    """The name of the demo school's database file. Each new demo school has another."""
    with app.extensions["demo"].app_context():
        return Path(str(db.engine.url.database)).name
