"""A served school where a class plays, measured from outside while it is attacked.

Children, a teacher's page and the probes are clients in one loop; the attackers (`attackers.py`)
and the server are other processes. The measurements are how long a page, a move and the news of a
move take, what memory and files the server uses, and what is left afterwards.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from argon2 import PasswordHasher
from flask import Flask
from sqlalchemy import select, update

from classroom.database import db, write_unit
from classroom.models import Adult, Move, SchoolClass
from classroom.services.access import passwords
from classroom.services.table import matches
from tests.bench.load_clients import Notes, SchoolChild, SchoolTeacher
from tests.conftest import finish, make_app
from tests.playing import fill, signed_in, teacher_of
from tests.ports import free_port
from tests.serving import ROOT, serving

CHILDREN: Final = 30
AT_A_TABLE: Final = 2  # children; each table also has a computer player
OUTSIDE: Final = "127.0.0.1"  # the address of the attackers
INSIDE: Final = "127.0.0.2"  # the address of the class and the probes
EVERY: Final = 0.05  # seconds between probes
LATE: Final = 6.0  # seconds to wait for an answer
FILES: Final = 1_024  # open files of the server, the default of Linux
SOME: Final = 40  # how many more files may be open, since browsers open connections
RETURN: Final = 15.0  # seconds within which the server frees what an attack held
MEMORY: Final = 100.0  # megabytes that an attack may take
# 32 MB of answers may wait for browsers that do not read, and the allocator keeps some more.
UNREAD_MEMORY: Final = 200.0
LOG: Final = 50_000  # bytes that an attack may add to the log
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # as in a school
_PASSWORD: Final = "seven quiet herons wade"
_LENGTH: Final = re.compile(rb"content-length: ([0-9]+)", re.I)
_ASSET: Final = "/static/css/tokens.css"
Answer = TypeVar("Answer")


# ---- what was measured


@dataclass
class Figures:
    """The results of one attack. Times are in seconds, memory in megabytes."""

    name: str
    pages: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    news: list[float] = field(default_factory=list)  # from a tap to the page of the other child
    refused: Counter[str] = field(default_factory=Counter)  # failed requests, by reason
    memory: list[float] = field(default_factory=list)
    left: int = 0  # connections of attackers that the server still holds
    files: tuple[int, int] = (0, 0)  # open files of the server, before and after
    logged: int = 0  # bytes
    lost: int = 0  # acknowledged asks that the log lacks
    doubled: int = 0  # acknowledged asks that the log has twice
    made: dict[str, dict[str, int]] = field(default_factory=dict)

    def worst(self) -> float:
        return max(percentile(times, 0.99) for times in (self.pages, self.moves, self.news))

    def __str__(self) -> str:
        rows = [self.name]
        for name in ("pages", "moves", "news"):
            times = getattr(self, name)
            p50, p99 = percentile(times, 0.5) * 1_000, percentile(times, 0.99) * 1_000
            rows.append(f"{name} {p50:.0f}/{p99:.0f} ms ({len(times)})")
        rows.append(f"memory {self.memory[0]:.0f}/{max(self.memory):.0f}/{self.memory[-1]:.0f} MB")
        rows.append(f"files {self.files[0]}/{self.files[1]}, lines left {self.left}")
        rows.append(f"log {self.logged} bytes")
        rows.append(f"refused {dict(self.refused) or 0}, lost {self.lost}, doubled {self.doubled}")
        return "; ".join(rows + [f"{kind}: {made}" for kind, made in self.made.items()])

    def hold(self, seconds: float) -> None:
        """Check that 99 of 100 answers took no longer than this, that memory, files and log stayed
        within bounds, and that no move was lost or made twice."""
        assert self.pages, self
        assert self.moves, self
        assert not self.refused, self
        assert self.worst() <= seconds, self
        most = UNREAD_MEMORY if "slow_readers" in self.made else MEMORY
        assert max(self.memory) - self.memory[0] <= most, self
        assert self.left == 0, self
        assert self.files[1] <= self.files[0] + SOME, self
        assert self.logged <= LOG, self
        assert (self.lost, self.doubled) == (0, 0), self


def percentile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else 0.0


# ---- the school


@dataclass
class Seats:
    """The people in the school, with their cookies."""

    children: list[tuple[str, int, dict[str, str]]]  # round, seat, cookies
    teacher: tuple[int, dict[str, str]]  # class, cookies
    probe: tuple[str, str]  # address of a table and the cookie of the child there
    attacker: tuple[str, str]  # the same for a second browser of a child in the class
    logins: list[str]
    code: str


def _school(app: Flask) -> Seats:
    room = fill(app, CHILDREN + 1)
    names = list(room.children.values())
    with app.app_context():
        teacher = teacher_of(room.class_id)
        seats = Seats(
            children=[one for ids in _groups(names[:CHILDREN]) for one in _table(room, ids)],
            teacher=(room.class_id, signed_in(adult_id=teacher)),
            probe=_own_table(room, names[CHILDREN]),
            attacker=("", ""),
            logins=[_with_password(teacher)],
            code=db.session.get_one(SchoolClass, room.class_id).code,
        )
        second = signed_in(class_id=room.class_id, child_id=names[0])
        seats.attacker = (f"/play/rounds/{seats.children[0][0]}", _header(second))
        db.session.rollback()
    return seats


def _groups(names: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(names), AT_A_TABLE):
        yield names[first : first + AT_A_TABLE]


def _table(room: Any, ids: Sequence[int]) -> Iterator[tuple[str, int, dict[str, str]]]:
    with write_unit():
        round_id = matches.together(room.class_id, "classic", [*ids, None])
    for seat, child_id in enumerate(ids):
        yield str(round_id), seat, signed_in(class_id=room.class_id, child_id=child_id)


def _own_table(room: Any, child_id: int) -> tuple[str, str]:
    round_id = matches.start_match(child_id)
    cookies = signed_in(class_id=room.class_id, child_id=child_id)
    return f"/play/rounds/{round_id}", _header(cookies)


def _with_password(adult_id: int) -> str:
    with write_unit():
        hashed = _HASHER.hash(passwords.tidy(_PASSWORD))
        db.session.execute(update(Adult).where(Adult.id == adult_id).values(password_hash=hashed))
        return db.session.get_one(Adult, adult_id).login


def _header(cookies: dict[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


# ---- a page as a stranger loads it


async def get(line: tuple[asyncio.StreamReader, asyncio.StreamWriter], path: str, more: str) -> int:
    """Request a page over this connection. Returns the status."""
    reader, writer = line
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())
    await writer.drain()
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    await reader.readexactly(int(length[1]) if length else 0)
    return int(head[9:12])


class Probes:
    """Constant requests for pages: over a connection that is kept, and over new ones."""

    def __init__(self, port: int, table: tuple[str, str], address: str, figures: Figures) -> None:
        self._port, self._address, self._figures = port, address, figures
        self._strangers = cycle(("/in", "/health", _ASSET, "/"))
        self._known = cycle(("/health", f"{table[0]}/table", "/play/"))
        self._cookie = f"Cookie: {table[1]}\r\n"

    async def for_seconds(self, seconds: float) -> None:
        until = time.perf_counter() + seconds
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._over_one(until))
            while time.perf_counter() < until:
                tasks.create_task(self._alone())
                await asyncio.sleep(EVERY)

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        here = (self._address, 0)
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=here, limit=2**20)

    async def _alone(self) -> None:
        await self._timed(self._once())

    async def _once(self) -> int:
        line = await self._open()
        try:
            return await get(line, next(self._strangers), "Connection: close\r\n")
        finally:
            line[1].close()

    async def _over_one(self, until: float) -> None:
        line = None
        while (began := time.perf_counter()) < until:
            if line is None:
                with suppress(OSError, TimeoutError):
                    async with asyncio.timeout(LATE):
                        line = await self._open()
            if line is not None and not await self._timed(
                get(line, next(self._known), self._cookie)
            ):
                line[1].close()
                line = None
            await asyncio.sleep(max(0.0, began + EVERY - time.perf_counter()))
        if line is not None:
            line[1].close()

    async def _timed(self, asked: Coroutine[Any, Any, int]) -> bool:
        """Record how long this takes. Returns whether it was answered."""
        began, status = time.perf_counter(), 0
        try:
            async with asyncio.timeout(LATE):
                status = await asked
        except (OSError, EOFError) as error:  # TimeoutError is an OSError
            self._figures.refused[f"page {type(error).__name__}"] += 1
        self._figures.pages.append(time.perf_counter() - began)
        if status not in (0, 200):
            self._figures.refused[f"page {status}"] += 1
        return status != 0


# ---- the class


class Siege:
    """A served school whose class plays until `end`."""

    def __init__(self, app: Flask, process: Any, port: int, seats: Seats, address: str) -> None:
        self.app, self.port, self.seats, self.address = app, port, seats, address
        self.process = process
        self.log: list[str] = []
        self.notes = Notes()
        self._loop = asyncio.new_event_loop()
        self._threads = [
            threading.Thread(target=self._loop.run_forever, daemon=True),
            threading.Thread(target=lambda: self.log.extend(process.stdout), daemon=True),
        ]
        self._playing: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()
        self._in_loop(self._come())

    async def _come(self) -> None:
        rng, base = Random(1), f"http://127.0.0.1:{self.port}"
        everybody: list[Any] = [
            SchoolChild(base, *who, Random(rng.random()), self.notes, address=self.address)
            for who in self.seats.children
        ]
        teacher = (*self.seats.teacher, Random(2), self.notes)
        everybody.append(SchoolTeacher(base, *teacher, address=self.address))
        self._playing = [asyncio.create_task(one.live()) for one in everybody]
        async with asyncio.timeout(60):
            while len(self.notes.seen) < len(self.seats.children) or not self.notes.sent:
                await asyncio.sleep(0.05)

    def end(self) -> None:
        self._in_loop(self._go())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._threads[0].join()
        self._loop.close()

    def ended(self) -> None:
        """Once the server has ended, wait until the rest of what it printed is read."""
        self._threads[1].join()

    async def _go(self) -> None:
        for task in self._playing:
            task.cancel()
        found = await asyncio.gather(*self._playing, return_exceptions=True)
        await asyncio.sleep(0.1)  # until connections are closed
        for error in found:
            if isinstance(error, Exception):
                raise error

    def _in_loop(self, what: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(120)

    # ---- an attack

    def under(
        self,
        name: str,
        plans: Sequence[dict[str, Any]],
        seconds: float,
        address: str = "",
        until: str = "",
    ) -> Figures:
        """Measure for this many seconds while these attackers are at work. `address`: where the
        probes come from; `until`: what the first attacker prints when it is done."""
        figures = Figures(name, files=(self.files(), 0), memory=[self.memory()])
        logged = sum(map(len, self.log))
        with attacking([{**self._aim(), **plan} for plan in plans]) as attackers:
            self._in_loop(self._watch(figures, seconds, address or self.address))
            if until:
                attackers[0].heard(until)
        figures.made = {one.plan["kind"]: one.made for one in attackers}
        self._after(figures, {one.plan["source"] for one in attackers} - {self.address, address})
        figures.logged = sum(map(len, self.log)) - logged
        figures.lost, figures.doubled = self._looked_up()
        return figures

    def _aim(self) -> dict[str, Any]:
        table, cookie = self.seats.attacker
        return {
            "port": self.port,
            "source": OUTSIDE,
            "cookie": cookie,
            "table": table,
            "logins": self.seats.logins,
        }

    async def _watch(self, figures: Figures, seconds: float, address: str) -> None:
        began, errors = time.perf_counter(), self.notes.errors.copy()
        probes = Probes(self.port, self.seats.probe, address, figures)
        gauge = asyncio.create_task(self._gauge(figures))
        await probes.for_seconds(seconds)
        ended = time.perf_counter()
        await self._all_told(ended)
        gauge.cancel()
        self._play(figures, began, ended)
        figures.refused += self.notes.errors - errors

    async def _gauge(self, figures: Figures) -> None:
        while True:
            figures.memory.append(self.memory())
            await asyncio.sleep(0.1)

    async def _all_told(self, ended: float) -> None:
        """Wait until asks made before this time are answered and shown to the others, for at most
        LATE seconds."""
        while time.perf_counter() < ended + LATE:
            asked = [at for at in self.notes.asking.values() if at < ended]
            sent = [one for one in self.notes.sent if one.at < ended]
            if not asked and all(self._seen(one) is not None for one in sent):
                return
            await asyncio.sleep(0.02)

    def _play(self, figures: Figures, began: float, ended: float) -> None:
        """Record how long each ask took that was made or still unanswered between these moments."""
        now = time.perf_counter()
        for one in self.notes.sent:
            answered, since = one.at + one.took, max(one.at, began)
            if answered >= began and one.at < ended:
                figures.moves.append(answered - since)
                figures.news.append((self._seen(one) or now) - since)
        waiting = [at for at in self.notes.asking.values() if at < ended]
        figures.moves += [now - max(at, began) for at in waiting]

    def _seen(self, one: Any) -> float | None:
        """The time when the other child saw this move or, failing that, a later one."""
        found = self.notes.seen[one.table, 1 - one.seat]
        return next((at for move, at in reversed(found) if move == one.move), None) or next(
            (at for move, at in found if move > one.move), None
        )

    def _after(self, figures: Figures, strangers: set[str]) -> None:
        """Record what is left of the attack once the attackers have gone."""
        gone, before = time.perf_counter(), figures.files[0]
        while True:
            figures.left = sum(map(self.lines_from, strangers))
            figures.files = (before, self.files())
            waiting = any(at < gone for at in list(self.notes.asking.values()))
            settled = not figures.left and figures.files[1] <= before + SOME and not waiting
            if settled or time.perf_counter() > gone + RETURN:
                break
            time.sleep(0.05)
        figures.refused["asks without answer"] += waiting
        figures.refused = +figures.refused
        figures.memory.append(self.memory())

    # ---- the server from outside

    def memory(self) -> float:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", text)[0]) / 1_024

    def files(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def lines_from(self, address: str) -> int:
        """The number of connections that the server holds with this address."""
        there = "".join(f"{int(part):02X}" for part in reversed(address.split(".")))
        here, found = f":{self.port:04X}", 0
        for row in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            _, local, remote, *_, inode = row.split()[:10]
            found += local.endswith(here) and remote.startswith(there) and inode != "0"
        return found

    def healthy(self) -> bool:
        async def ask() -> int:
            line = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                return await get(line, "/health", "Connection: close\r\n")
            finally:
                line[1].close()

        return self.process.poll() is None and self._in_loop(ask()) == 200

    def _looked_up(self) -> tuple[int, int]:
        """How many acknowledged asks are missing from the log, and how many are there twice."""
        with self.app.app_context():
            rows = db.session.execute(select(Move.round_id, Move.key, Move.seq)).all()
            db.session.rollback()
        found: dict[tuple[str, str], list[int]] = {}
        for round_id, key, seq in rows:
            found.setdefault((str(round_id), key), []).append(seq)
        sent = list(self.notes.sent)
        counts = [found.get((one.table, f"{one.seat}:{one.key}"), []) for one in sent]
        lost = sum(one.move not in seqs for one, seqs in zip(sent, counts, strict=True))
        return lost, sum(len(seqs) > 1 for seqs in counts)


@contextmanager
def _files(most: int) -> Iterator[None]:
    """Let processes that are started inside the block open at most this many files."""
    mine = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, mine[0]), mine[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, mine)


@contextmanager
def siege(folder: Path, like: Path, address: str = INSIDE) -> Iterator[Siege]:
    """A served school in this folder, whose class plays from this address."""
    app = make_app(folder, like)
    seats, port = _school(app), free_port()
    with ExitStack() as ends:
        with _files(FILES):
            process, _ = ends.enter_context(serving(folder, port))
        found = Siege(app, process, port, seats, address)
        try:
            found.begin()
            yield found
        finally:
            found.end()
            process.kill()
            found.ended()
    finish(app)


# ---- the attackers


class Attacker:
    """A process of attackers."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan, self.made = plan, dict[str, int]()
        words = [sys.executable, "-m", "tests.faults.attackers", json.dumps(plan)]
        self._process = subprocess.Popen(
            words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def heard(self, word: str) -> None:
        """Wait until the process prints this word."""
        assert self._process.stdout is not None
        while (line := self._process.stdout.readline().strip()) != word:
            assert line, "the attackers fell"

    def stop(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.made = json.loads(self._process.communicate("", timeout=20)[0].splitlines()[-1])
        self._process.kill()
        self._process.wait()


@contextmanager
def attacking(plans: Sequence[dict[str, Any]]) -> Iterator[list[Attacker]]:
    """Run all these attacks during the block."""
    attackers = [Attacker(plan) for plan in plans]
    try:
        for one in attackers:
            one.heard("standing")
        yield attackers
    finally:
        for one in attackers:
            one.stop()
