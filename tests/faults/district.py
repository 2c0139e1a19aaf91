"""A district in small: schools as cells, each a process with a database and a key of its own,
behind one front that knows them by their host names (docs/running.md)."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import random
import re
import secrets
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from classroom.app import create_app
from classroom.database import db, opened, write_unit
from classroom.models import Child as ChildRow, ClassSettings, SchoolClass
from classroom.services.access import sign_in
from classroom.services.table import matches
from tests.faults.newer import TOKEN
from tests.faults.test_kills import Child, check
from tests.playing import fill
from tests.ports import free_port
from tests.serving import ROOT, serving, surroundings

SETTINGS = f'look_around = "never"\nproxies = 1\nmetrics_token = "{TOKEN}"\n'
_HOST = re.compile(rb"\r\nhost: *([^\r:]+)", re.I)
_FORM_TOKEN = re.compile(r'name="token" value="([0-9a-f]+)"')
AWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


# ---- the front


class Front:
    """Passes each request on to the cell whose name it was sent to."""

    def __init__(self) -> None:
        self.ports: dict[str, int] = {}
        self.port = 0
        self._begun = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._begun.wait(10)

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        with closing(await asyncio.start_server(self._pass_on, "127.0.0.1", 0)) as server:
            self.port = int(server.sockets[0].getsockname()[1])
            self._begun.set()
            await self._over.wait()
            await asyncio.sleep(0.1)  # asyncio loses a connection that it accepts while it closes

    async def _pass_on(self, asks: asyncio.StreamReader, hears: asyncio.StreamWriter) -> None:
        # Python 3.11 would log an error for a connection whose task was cancelled.
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            async with _ended(hears):
                await self._forward(asks, hears)

    async def _forward(self, asks: asyncio.StreamReader, hears: asyncio.StreamWriter) -> None:
        head = await asks.readuntil(b"\r\n\r\n")
        found = _HOST.search(head)
        port = self.ports.get(found[1].decode() if found else "", 0)
        try:
            answers, told = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            hears.write(AWAY)
            return
        async with _ended(told):
            told.write(head[:-2] + b"X-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n\r\n")
            request = asyncio.create_task(_copied(asks, told))
            await _copied(answers, hears)
            request.cancel()

    def close(self) -> None:
        """Stop serving; requests that are under way are dropped."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)
        assert not self._thread.is_alive()


@contextlib.asynccontextmanager
async def _ended(line: asyncio.StreamWriter) -> AsyncIterator[None]:
    """Send what is left and close this connection; drop it if the block or the sending fails."""
    try:
        yield
        line.close()
        await line.wait_closed()
    finally:
        line.transport.abort()


async def _copied(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await source.read(65_536):
            target.write(some)
            await target.drain()


# ---- the children


@dataclass
class Pupil(Child):
    """A child that signs in through the door of its school and plays; it notes how long each
    answer took, and when there was none."""

    class_code: str = ""
    pictures: tuple[str, ...] = ()
    took: list[tuple[float, float]] = field(default_factory=list)  # when it was sent, and how long
    failed: list[float] = field(default_factory=list)

    def enter(self) -> None:
        """Type the code of the class, tap the animal, tap the four pictures."""
        jar = {"school-device": secrets.token_hex(16)}
        self._visit(jar, "/join", "/", code=self.class_code)
        at = f"/animals/{self.id}"
        tapped = {f"p{number}": one for number, one in enumerate(self.pictures, 1)}
        self._visit(jar, f"{at}/knock", "/animals")
        self._visit(jar, at, at, **tapped)
        self.cookies = "; ".join(f"{name}={value}" for name, value in jar.items())

    def _visit(self, jar: dict[str, str], path: str, page: str, **fields: str) -> None:
        """Open this page and send its form."""
        status, text = self._sent_with(jar, "GET", page)
        assert status == 200, f"{page} was answered {status}"
        found = _FORM_TOKEN.search(text)
        assert found, page
        status, _ = self._sent_with(jar, "POST", path, token=found[1], **fields)
        assert status == 303, f"{path} was answered {status}"

    def _sent_with(
        self, jar: dict[str, str], method: str, path: str, **fields: str
    ) -> tuple[int, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in jar.items())
        headers = {"Host": self.host, "Cookie": cookies}
        if fields:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as line:
            line.request(method, path, urlencode(fields), headers)
            answer = line.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie") or ():
                name, _, value = cookie.partition(";")[0].partition("=")
                jar[name] = value
            return answer.status, answer.read().decode()

    def sent(self, method: str, part: str, **fields: object) -> tuple[int, str] | None:
        began = time.monotonic()
        answer = super().sent(method, part, **fields)
        if answer is None or answer[0] >= 500:
            self.failed.append(began)
            time.sleep(0.2)
            return None
        self.took.append((began, time.monotonic() - began))
        return answer

    def step(self) -> None:
        super().step()
        time.sleep(self.lots.uniform(0, 0.6))


# ---- the schools


@dataclass
class Cell:
    """A school of a district, with children in pairs at tables."""

    name: str
    folder: Path
    front: Front
    pupils: list[Pupil]
    process: subprocess.Popen[str] | None = None
    _running: ExitStack = field(default_factory=ExitStack)

    @property
    def port(self) -> int:
        return self.front.ports[self.name]

    def start(self, program: Path = ROOT) -> None:
        self.process, _ = self._running.enter_context(
            serving(self.folder, self.port, program=program)
        )

    def stop(self) -> None:
        """End the process gracefully, as systemd does."""
        assert self.process is not None
        self.process.terminate()
        self.process.wait(60)
        self._running.close()

    def kill(self) -> None:
        """Kill the process as kill -9 does."""
        self._running.close()

    def command(self, *words: str) -> str:
        """Run a command of this school; returns what it printed."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "classroom", *words],
            env=surroundings(self.folder),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def asks(self) -> int:
        """How many asks of its children were acknowledged."""
        return sum(len(pupil.acknowledged) for pupil in self.pupils)

    def nothing_lost(self) -> int:
        """Check, while the school is closed, that each acknowledged ask is in its log once; returns
        how many there were."""
        with opened(create_app({"INSTANCE": str(self.folder), "UPGRADE": False})):
            for pupil in self.pupils:
                check(pupil)
            db.session.rollback()
        return self.asks()


def made(folder: Path, like: Path, number: int, front: Front, children: int) -> Cell:
    """Make a school with a key of its own. `like`: a folder with an empty database."""
    folder.mkdir()
    name = f"school{number}.fish.test"
    (folder / "settings.toml").write_text(f'hosts = "{name}"\n{SETTINGS}')
    (folder / "key").write_text(secrets.token_hex(32))
    shutil.copy(like / "school.db", folder / "school.db")
    front.ports[name] = free_port()
    app = create_app({"INSTANCE": str(folder), "UPGRADE": False})
    room = fill(app, children)
    pupils = []
    with opened(app):
        ids = list(room.children.values())
        code = db.session.get_one(SchoolClass, room.class_id).code
        with write_unit():  # no computer friend plays for a child while its school is away
            lesson = db.session.get_one(ClassSettings, room.class_id)
            lesson.nudge_after = lesson.stand_in_after = 100_000
        for first, second in zip(ids[::2], ids[1::2], strict=True):
            with write_unit():
                round_id = matches.together(room.class_id, "classic", [first, second])
            for seat, child_id in enumerate((first, second)):
                row = db.session.get_one(ChildRow, child_id)
                pupil = Pupil(child_id, seat, [round_id], "", front.port, random.Random(child_id))
                pupil.host, pupil.class_code, pupil.pictures = name, code, sign_in.pictures_of(row)
                pupils.append(pupil)
    return Cell(name, folder, front, pupils)


@contextlib.contextmanager
def district(folder: Path, like: Path, schools: int, children: int) -> Iterator[list[Cell]]:
    """This number of schools, each with this number of children, all served."""
    front, cells = Front(), list[Cell]()
    try:
        for number in range(schools):
            cells.append(made(folder / f"school{number}", like, number, front, children))
            cells[-1].start()
        yield cells
    finally:
        for cell in cells:
            cell.kill()
        front.close()
