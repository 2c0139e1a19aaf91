"""One school served by several processes: the group of processes, children who go from one to
another, and watchers who note when a stream shows a move."""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from sqlalchemy import func, select

from classroom.app import create_app
from classroom.database import at_one_moment, db, write_unit
from classroom.models import ClassSettings, Move
from tests.conftest import finish
from tests.faults.test_kills import Child, check, seated
from tests.playing import Classroom, fill
from tests.ports import neighbours
from tests.serving import ROOT, lend_templates, surroundings

CHILDREN = 20
UP = 120.0  # seconds in which a process opens, on a very busy machine
GO_ON = 60.0  # seconds in which every table goes on, on a very busy machine
_PORT = re.compile(rb"--port\0(\d+)\0")
_ID = re.compile(rb"id: (\d+)")


def until(true: Callable[[], bool], seconds: float = UP) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


# ---- the school


@contextlib.contextmanager
def school(folder: Path, database: str) -> Iterator[Classroom]:
    """A class of children in this database, for servers in this folder."""
    lend_templates(folder)
    (folder / "settings.toml").write_text(
        f'database_uri = "{database}"\ncompanion_pace = 0.01\nlook_around = "never"\n'
    )
    app = create_app({"INSTANCE": str(folder)})
    room = fill(app, CHILDREN)
    with app.app_context(), write_unit():  # no computer friend plays where a process is slow
        lesson = db.session.get_one(ClassSettings, room.class_id)
        lesson.nudge_after = lesson.stand_in_after = 100_000
    yield room
    finish(app)


class Group:
    """`serve --processes N` in a folder; `program` is where its code is, if elsewhere."""

    def __init__(self, folder: Path, number: int, program: Path = ROOT) -> None:
        self.ports = neighbours(number)
        words = ["--port", str(self.ports[0]), "--processes", str(number)]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "classroom", "serve", *words],
            env=surroundings(folder) | {"PYTHONPATH": str(program)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.printed = ""
        while "It is served by" not in self.printed:
            line = self.process.stdout.readline()
            assert line, self.printed
            self.printed += line

    def parts(self) -> dict[int, int]:
        """The number of each process, by its port."""
        parent = self.process.pid
        numbers = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        found = {}
        for number in numbers:
            with contextlib.suppress(OSError):
                port = _PORT.search(Path(f"/proc/{number}/cmdline").read_bytes())
                if port:
                    found[int(port[1])] = int(number)
        return found

    def well(self) -> bool:
        return all(map(is_well, self.ports))

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(60)

    def kill(self) -> None:
        """Kill the parent after a test that failed; the parts end with it."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def is_well(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, http.client.HTTPException):
        return False


@contextlib.contextmanager
def served(folder: Path, number: int, program: Path = ROOT) -> Iterator[Group]:
    group = Group(folder, number, program)
    try:
        yield group
    finally:
        group.kill()


# ---- children who go from process to process


@dataclass
class Roamer(Child):
    """A child whose browser asks another process when one does not answer, as behind a proxy."""

    ports: Sequence[int] = ()
    think: float = 0.3

    def sent(self, method: str, part: str, **fields: object) -> tuple[int, str] | None:
        answer = super().sent(method, part, **fields)
        if answer is None or answer[0] == 503:
            self.port = self.lots.choice(self.ports)
            return None
        return answer

    def step(self) -> None:
        super().step()
        time.sleep(self.lots.uniform(0, 2 * self.think))


def roamers(room: Classroom, ports: Sequence[int], few: int = 0) -> list[Roamer]:
    """Ten children alone with computer players and ten in pairs, spread over the processes; or a
    few of them."""
    found = []
    all_of_them = seated(room, ports[0])
    middle = len(all_of_them) // 2
    chosen = all_of_them[middle - few // 2 : middle + few // 2] if few else all_of_them
    for number, child in enumerate(chosen):
        one = Roamer(**vars(child), ports=ports)
        one.port = ports[number % len(ports)]
        found.append(one)
    return found


@contextlib.contextmanager
def playing(children: Sequence[Roamer]) -> Iterator[None]:
    """Let all children play during the block."""
    over = threading.Event()
    with ThreadPoolExecutor(len(children)) as pool:
        begun = [pool.submit(child.play, over) for child in children]
        try:
            until(lambda: all(child.acknowledged for child in children))
            yield
        finally:
            over.set()
        for each in begun:
            each.result()


def tables(children: Sequence[Roamer]) -> list[list[Roamer]]:
    """The children by table."""
    by_round: dict[int, list[Roamer]] = {}
    for child in children:
        by_round.setdefault(child.rounds[0], []).append(child)
    return list(by_round.values())


def gaps(room: Classroom, children: Sequence[Roamer], since: float) -> list[float]:
    """How many seconds each table took from this time to the next move that anyone made there."""
    with room.app.app_context():
        later = select(Move.round_id, func.min(Move.at)).where(Move.at > since)
        first = dict(db.session.execute(later.group_by(Move.round_id)).all())
        db.session.rollback()
    return [
        min((first.get(number, inf) for child in table for number in [*child.rounds]), default=inf)
        - since
        for table in tables(children)
    ]


def all_moved(room: Classroom, children: Sequence[Roamer], since: float) -> float:
    """Wait until every table has gone on since then; returns the longest wait of a table."""
    until(lambda: max(gaps(room, children, since)) < inf, GO_ON)
    return max(gaps(room, children, since))


def nothing_lost(room: Classroom, children: Sequence[Roamer]) -> int:
    """Check that each acknowledged ask is in the log once; returns how many there were."""
    with room.app.app_context():
        for child in children:
            at_one_moment()  # computer players go on
            check(child)
        db.session.rollback()
    return sum(len(child.acknowledged) for child in children)


# ---- how soon a move is seen


class Watcher:
    """A stream of one child at one process: when it showed each move."""

    def __init__(self, child: Roamer, port: int) -> None:
        self.round_id, self.seat, self.port = child.rounds[-1], child.seat, port
        self.seen: list[tuple[int, float]] = []
        self._line = socket.create_connection(("127.0.0.1", port), 20)
        head = f"GET /play/rounds/{self.round_id}/events HTTP/1.1\r\nHost: localhost\r\n"
        self._line.sendall(f"{head}Cookie: {child.cookies}\r\n\r\n".encode())
        self._opened = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        assert self._opened.wait(60)

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._line.settimeout(None)
            with self._line.makefile("rb") as lines:
                for line in lines:
                    if found := _ID.match(line):
                        self.seen.append((int(found[1]), time.perf_counter()))
                        self._opened.set()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)
        self._line.close()

    def when(self, move: int) -> float | None:
        """When this move, or a later one, was shown."""
        return next((at for number, at in self.seen if number >= move), None)


@dataclass
class Seen:
    """Seconds from sending a move until another seat saw it: in the process that took the move,
    and in the others."""

    same: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)


def watch(pair: Sequence[Roamer], moves: int, found: Seen) -> None:
    """Let two children make this many moves in one process after another, with streams of both in
    every process."""
    made = 0
    while made < moves:
        watchers = [Watcher(child, port) for child in pair for port in pair[0].ports]
        sent: list[tuple[int, int, int, float]] = []
        try:
            while made + len(sent) < moves and _moved(pair, sent):
                time.sleep(pair[0].lots.uniform(0.1, 0.4))
            time.sleep(1.0)
        finally:
            for watcher in watchers:
                watcher.close()
        made += len(sent)
        _compare(sent, watchers, found)
        for child in (*pair, *pair):
            if (page := child.look()) is not None and page.over:
                child.again(page)


def _moved(pair: Sequence[Roamer], sent: list[tuple[int, int, int, float]]) -> bool:
    """Make one move; False when the round is over."""
    for child in pair:
        page = child.look()
        if page is not None and page.over:
            return False
        if page is not None and page.my_turn:
            child.port = child.lots.choice(child.ports)
            began, before = time.perf_counter(), len(child.acknowledged)
            child.ask(page)
            if len(child.acknowledged) > before:
                sent.append((child.seat, child.port, child.pages[-1][1].v, began))
    return True


def _compare(
    sent: Sequence[tuple[int, int, int, float]], watchers: Sequence[Watcher], found: Seen
) -> None:
    for seat, port, move, began in sent:
        for watcher in watchers:
            if watcher.seat != seat and (at := watcher.when(move)) is not None:
                (found.same if watcher.port == port else found.other).append(at - began)


def share(values: Sequence[float], part: float) -> float:
    """The value that this part of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]


# ---- two at once


def race(room: Classroom, pair: Sequence[Roamer], ports: Sequence[int], same_key: bool) -> bool:
    """Send one turn twice at the same moment, to two processes; returns False if the round is over.

    Checks that it was made once: with one key both are acknowledged, with two keys only one is.
    """
    child = next((one for one in pair if (page := one.look()) and page.my_turn), None)
    if child is None:
        return False
    page = child.pages[-1][1]
    ways = child.lots.sample(list(ports), 2)
    keys = [f"{child.lots.random()}"[2:14] for _ in range(2)]
    form = {"token": page.token, "seen": page.v, "class": page.classes[0]}
    form["target"] = page.targets[0]
    gate = threading.Barrier(2)

    def send(number: int) -> int:
        twin = Roamer(**{**vars(child), "port": ways[number], "ports": ways})
        gate.wait()
        answer = twin.sent("POST", "/asks", **form, key=keys[0 if same_key else number])
        return answer[0] if answer else 0

    with ThreadPoolExecutor(2) as pool:
        statuses = sorted(pool.map(send, (0, 1)))
    assert statuses == ([200, 200] if same_key else [200, 409])
    with room.app.app_context():
        rows = db.session.scalar(
            select(func.count())
            .select_from(Move)
            .where(Move.round_id == child.rounds[-1], Move.seq == page.v + 1)
        )
        # They are checked here, so a later check of this table leaves them out.
        child.given_up |= {(child.rounds[-1], key) for key in keys}
        keys = [f"{child.seat}:{key}" for key in keys]
        ours = select(func.count()).where(Move.round_id == child.rounds[-1], Move.key.in_(keys))
        assert (rows, db.session.scalar(ours)) == (1, 1)
        db.session.rollback()
    return True
