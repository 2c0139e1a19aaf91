"""The cost of an ask through the whole stack, and of a bare Flask page that commits one row.

    python -m tests.bench.bench_stack [asks]

Both have the same server and settings, keep their rows in files on the same disk with the same
flushing, and are requested in turn, each over its own connection. Then the transferred bytes are
measured.
"""

from __future__ import annotations

import gzip
import http.client
import multiprocessing
import re
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import uvicorn
from a2wsgi import WSGIMiddleware
from flask import Flask, render_template_string
from flask_sqlalchemy import SQLAlchemy

from classroom.app import create_app
from classroom.database import db, prepare
from classroom.live import server
from classroom.services.operation import background
from classroom.services.table import matches, rounds
from tests.playing import Browser, Shown, browser, fill, settings, shown

ASKS: Final = 200
MOVES: Final = 40  # moves of a round before its measured ask
LIMIT: Final = 2.5  # times the cost of the bare page
ANSWER: Final = 12_000  # most bytes of a compressed answer to an ask
PAGE: Final = 150_000  # most bytes of the first load of a table
SCRIPTS: Final = 50_000  # most bytes of scripts in that load
# Computer players move just after the answer to an ask, as in a school.
SETTINGS: Final = {"LOOK_AROUND": False, "COMPANION_PACE": 0.1}
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
_ADDRESS = re.compile(r'(?:href|src)="(/static/[^"#]+)')
_IN_STYLE = re.compile(r"url\([\"']?([^)\"'#]+)")


# ---- the two servers


def serve_school(folder: str, port: Queue[int]) -> None:
    app = create_app({"INSTANCE": folder, **SETTINGS})
    server.serve(app, "127.0.0.1", 0, lambda _host, number: port.put(number))


def serve_bare(folder: str, port: Queue[int], size: int) -> None:
    serve_app(bare(Path(folder), size), port)


def serve_app(app: Flask, port: Queue[int]) -> None:
    """Serve an app as the school is served."""
    asgi = WSGIMiddleware(app, workers=8)
    config = uvicorn.Config(asgi, port=0, lifespan="off", access_log=False, log_level="warning")
    serving = uvicorn.Server(config)
    startup = serving.startup

    async def tell(**more: Any) -> None:
        await startup(**more)
        port.put(serving.servers[0].sockets[0].getsockname()[1])

    serving.startup = tell  # type: ignore[method-assign]
    serving.run()


def bare(folder: Path, size: int) -> Flask:
    """An app with a page of this size that commits one row: the least that an answer to a
    form can cost."""
    app = Flask("bare")
    app.config["SQLALCHEMY_DATABASE_URI"] = f"sqlite:///{folder / 'bare.db'}"
    rows = SQLAlchemy(app)

    class Row(rows.Model):  # type: ignore[name-defined,misc]
        id = rows.Column(rows.Integer, primary_key=True)
        text = rows.Column(rows.String(40))

    with app.app_context():
        prepare(rows.engine)
        rows.create_all()
    page = "<p>{{ text }}</p>" + "x" * (size - 23)

    @app.post("/")
    def commit() -> str:
        row = Row(text=secrets.token_hex(8))
        rows.session.add(row)
        rows.session.commit()
        return render_template_string(page, text=row.text)

    return app


@contextmanager
def served(target: Any, *given: Any) -> Iterator[http.client.HTTPConnection]:
    """Run a server process during the block. Yields a connection to it."""
    context = multiprocessing.get_context("spawn")
    port: Queue[int] = context.Queue()
    process = context.Process(target=target, args=(*given[:1], port, *given[1:]))
    process.start()
    connection = http.client.HTTPConnection("127.0.0.1", port.get(timeout=60))
    try:
        yield connection
    finally:
        connection.close()
        process.terminate()
        process.join(10)
        process.kill()  # if a stream still holds it


# ---- a class during its rounds


def lay_tables(folder: Path, number: int) -> tuple[Browser, list[int]]:
    """Play rounds with a full deck and three friends until the child's turn after MOVES moves.
    Returns the child's browser and the ids of the rounds."""
    app = create_app({"INSTANCE": str(folder), **SETTINGS})
    room = fill(app)
    mia = room.children["Mia"]
    laid: list[int] = []
    with app.app_context():
        settings(mia, opponents=3, deck="full", level="perch")
        while len(laid) < number:
            round_id = matches.start_match(mia)
            if _play_on(round_id):
                laid.append(round_id)
    reader = browser(room)
    reader.get(f"/play/rounds/{laid[0]}")
    with app.app_context():
        db.engine.dispose()
    return reader, laid


def _play_on(round_id: int) -> bool:
    while True:
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        if table.over or table.seq >= MOVES:
            return not table.over
        action = secrets.choice(table.observation.legal)
        rounds.play(round_id, 0, action, f"k{table.seq}", table.seq)


# ---- measuring


def sent(
    connection: http.client.HTTPConnection, path: str, body: str | None, headers: dict[str, str]
) -> tuple[float, int, bytes]:
    """Send one request. Returns milliseconds, status and body."""
    began = time.perf_counter()
    connection.request("GET" if body is None else "POST", path, body, headers)
    answer = connection.getresponse()
    content = answer.read()
    return (time.perf_counter() - began) * 1000, answer.status, content


@dataclass(frozen=True)
class Child:
    """A child's browser at a table of the served school."""

    school: http.client.HTTPConnection
    cookies: str
    path: str

    def page(self) -> Shown:
        body = sent(self.school, self.path + "/table", None, {"Cookie": self.cookies})[2]
        return shown(body.decode())

    def turn(self) -> Shown | None:
        """Wait for the child's turn. Returns its page, or None if the round is over."""
        page = self.page()
        while not page.my_turn:
            if page.over:
                return None
            time.sleep(0.05)
            page = self.page()
        return page

    def ask(self, page: Shown) -> tuple[float, bytes]:
        """Ask for the first class on offer. Returns milliseconds and the answer."""
        fields = {"token": page.token, "key": secrets.token_urlsafe(12), "seen": page.v}
        form = urlencode({**fields, "class": page.classes[0], "target": page.targets[0]})
        headers = FORM | {"Cookie": self.cookies}
        took, status, body = sent(self.school, self.path + "/asks", form, headers)
        if status != 200:
            raise SystemExit(f"an ask was answered {status}")
        return took, body


def measure(asks: int) -> tuple[list[float], list[float], list[bytes]]:
    """Time asks and bare pages in turn. Returns their milliseconds and the bodies of answers."""
    ours, theirs, bodies = [], [], []
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # on the project's disk
        reader, laid = lay_tables(Path(folder), asks)
        cookies = "; ".join(
            f"{name}={reader.client.get_cookie(name).value}"  # type: ignore[union-attr]
            for name in ("school", "school-device")
        )
        size = len(reader.get(f"/play/rounds/{laid[0]}/table?seen={MOVES - 3}").data)
        form = urlencode({"token": "0" * 128, "key": "0" * 16, "class": "7", "target": "1"})
        with served(serve_school, folder) as school, served(serve_bare, folder, size) as plain:
            for round_id in laid:
                child = Child(school, cookies, f"/play/rounds/{round_id}")
                page = child.turn()
                if page and child.ask(page) and (page := child.turn()):  # the server is warm now
                    took, body = child.ask(page)
                    ours.append(took)
                    bodies.append(body)
                    theirs.append(sent(plain, "/", form, FORM)[0])
            weigh(school, f"/play/rounds/{laid[-1]}", cookies)
    return ours, theirs, bodies


def weigh(school: http.client.HTTPConnection, path: str, cookies: str) -> None:
    """Print the transferred bytes of the first load of a table, with fonts."""
    gzipped = {"Cookie": cookies, "Accept-Encoding": "gzip"}
    page = sent(school, path, None, gzipped)[2]
    html = gzip.decompress(page).decode()
    weights = {"the page": len(page)}
    todo = sorted(set(_ADDRESS.findall(html)))
    while todo:
        address = todo.pop()
        body = sent(school, address, None, gzipped)[2]
        name = address.partition("?")[0]
        weights[name] = len(body)
        if name.endswith(".css"):
            base = name.rpartition("/")[0]
            for found in _IN_STYLE.findall(gzip.decompress(body).decode()):
                inner = f"{base}/{found}" if not found.startswith("/") else found
                if not found.startswith("data:") and inner.partition("?")[0] not in weights:
                    todo.append(inner)
    scripts = sum(weight for name, weight in weights.items() if name.endswith(".js"))
    for name, weight in sorted(weights.items(), key=lambda item: -item[1]):
        print(f"  {weight:7d} B  {name}")
    line("first load of the table", sum(weights.values()), PAGE, "B")
    line("scripts among it", scripts, SCRIPTS, "B")


def line(what: str, found: float, limit: float, unit: str) -> None:
    verdict = "ok" if found <= limit else "TOO MUCH"
    print(f"{what:32s} {found:10.2f} {unit:3s} at most {limit:10.2f}   {verdict}")


def main(asks: int = ASKS) -> None:
    """Print the results of one run. On a busy machine only the ratio counts."""
    ours, theirs, bodies = measure(asks)
    for name, times in (("one ask", ours), ("a bare page", theirs)):
        p50, p95 = statistics.median(times), sorted(times)[int(0.95 * len(times))]
        size = f"({len(times)} of {len(bodies[0])} B)"
        print(f"{name:14s} p50 {p50:6.2f} ms   p95 {p95:6.2f} ms   {size}")
    times = statistics.median(ours) / statistics.median(theirs)
    line("one ask, in bare pages", times, LIMIT, "x")
    largest = max(len(gzip.compress(body, 5)) for body in bodies)
    line("answer to an ask, compressed", largest, ANSWER, "B")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
