"""Acknowledged moves are never lost. While twenty children play, the server is killed and restarted
again and again. Then every log is compared with what the children were told."""

from __future__ import annotations

import http.client
import multiprocessing
import random
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event
from pathlib import Path
from urllib.parse import urlencode

import pytest
from sqlalchemy import select, text

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.engine import observe
from classroom.live import server
from classroom.models import ChildRound, Move, Round
from classroom.services.operation import upkeep
from classroom.services.table import matches, rounds
from tests.conftest import finish, make_app
from tests.faults.tainted import history
from tests.playing import Classroom, Shown, browser, fill, same_table, settings, shown
from tests.ports import free_port
from tests.serving import lend_templates

GAMES = 20
FEW = 6  # in an everyday run
KEYS = ("classic", "classic_face_down", "colour_pairs", "rank_pairs")
LONGEST_WAIT = 30.0  # seconds for up to twenty moves, on a very busy machine
GOES_ON = 60.0  # seconds within which every child moves again, on a very busy machine


# ---- the server


def serve(folder: str, port: int, ready: Event) -> None:
    """Start a server as `run.py` does, the only one of this school."""
    with upkeep.only_one(Path(folder)):
        app = create_app({"INSTANCE": folder, "LOOK_AROUND": False, "COMPANION_PACE": 0.01})
        server.serve(app, "127.0.0.1", port, lambda _host, _port: ready.set())


class Server:
    """A server process that can be killed and replaced at the same address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        ways = multiprocessing.get_all_start_methods()
        self._context = multiprocessing.get_context("forkserver" if "forkserver" in ways else None)
        self._context.set_forkserver_preload([__name__])  # to start quickly

    def start(self) -> None:
        ready = self._context.Event()
        given = (str(self._folder), self.port, ready)
        self._process = self._context.Process(target=serve, args=given, daemon=True)  # type: ignore[attr-defined]
        self._process.start()
        assert ready.wait(60)

    def kill(self) -> None:
        """Kill the process as kill -9 does, without notice or tidying up."""
        self._process.kill()
        self._process.join()


# ---- the children


@dataclass
class Child:
    """A child that plays round after round as fast as it can, and the server's answers."""

    id: int
    seat: int
    rounds: list[int]
    cookies: str
    port: int
    lots: random.Random
    host: str = "localhost"
    acknowledged: list[tuple[int, str]] = field(default_factory=list)  # round and key
    given_up: set[tuple[int, str]] = field(default_factory=set)
    pages: list[tuple[int, Shown]] = field(default_factory=list)

    def play(self, until: threading.Event) -> None:
        while not until.is_set():
            self.step()

    def step(self) -> None:
        """Look at the table, and make an ask if it is the child's turn."""
        page = self.look()
        if page is None:
            return
        if page.over:
            self.again(page)
        elif page.my_turn:
            self.ask(page)

    def look(self) -> Shown | None:
        answer = self.sent("GET", "/table")
        return self.read(answer[1]) if answer and answer[0] == 200 else None

    def again(self, page: Shown) -> None:
        answer = self.sent("POST", "/again", token=page.token)
        where = answer[1].partition("/rounds/")[2] if answer and answer[0] == 303 else ""
        if where and int(where) != self.rounds[-1]:  # otherwise this child waits for its friend
            self.rounds.append(int(where))

    def ask(self, page: Shown) -> None:
        """Tap. While there is no answer, tap again or give up. An answered tap must be a
        move."""
        key = secrets.token_hex(8)
        form = {"token": page.token, "key": key, "seen": page.v}
        form |= {"class": self.lots.choice(page.classes), "target": self.lots.choice(page.targets)}
        while (answer := self.sent("POST", "/asks", **form)) is None:
            if self.lots.random() < 0.3:
                self.given_up.add((self.rounds[-1], key))
                return
        assert answer[0] == 200, f"an ask in turn was answered {answer[0]}"
        assert self.read(answer[1]).v > page.v
        self.acknowledged.append((self.rounds[-1], key))

    def read(self, page: str) -> Shown:
        """Read a page, and check that it is not older than the one before."""
        found = shown(page)
        if self.pages and self.pages[-1][0] == self.rounds[-1]:
            assert found.v >= self.pages[-1][1].v
        self.pages.append((self.rounds[-1], found))
        return found

    def sent(self, method: str, part: str, **fields: object) -> tuple[int, str] | None:
        """Send a request. Returns the status with the text or the redirect, or None if the server
        died before it answered."""
        path = f"/play/rounds/{self.rounds[-1]}{part}"
        headers = {"Host": self.host, "Cookie": self.cookies}
        if fields:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if part != "/again":
            headers["HX-Request"] = "true"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as line:
            try:
                line.request(method, path, urlencode(fields), headers)
                answer = line.getresponse()
                return answer.status, answer.headers["Location"] or answer.read().decode()
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
                return None


@pytest.fixture
def room(folder: Path, migrated: Path, whole: bool) -> Iterator[Classroom]:
    app = make_app(folder, migrated)
    yield fill(app, GAMES if whole else FEW)
    finish(app)


def seated(room: Classroom, port: int) -> list[Child]:
    """Seat the children: half alone with computer players, half in pairs."""
    found: list[Child] = []
    names = list(room.children)
    half = len(names) // 2 // 2 * 2
    for number, name in enumerate(names[:half]):
        with room.app.app_context():
            settings(room.children[name], opponents=1 + number % 3, deck="full")
            round_id = matches.start_match(room.children[name], KEYS[number % len(KEYS)])
        found.append(at_seat(room, name, 0, round_id, port))
    for pair in zip(names[half::2], names[half + 1 :: 2], strict=True):
        with room.app.app_context(), write_unit():
            sitters = [room.children[name] for name in pair]
            round_id = matches.together(room.class_id, "classic", sitters)
        found += [at_seat(room, name, seat, round_id, port) for seat, name in enumerate(pair)]
    return found


def at_seat(room: Classroom, name: str, seat: int, round_id: int, port: int) -> Child:
    kept = [browser(room, name).client.get_cookie(key) for key in ("school", "school-device")]
    cookies = "; ".join(f"{cookie.key}={cookie.value}" for cookie in kept if cookie)
    child_id = room.children[name]
    return Child(child_id, seat, [round_id], cookies, port, random.Random(child_id))


# ---- the promise


def play_under_fire(server: Server, children: list[Child], kills: int) -> None:
    """Kill one server after another while all play, and check that every child moves on."""
    lots, until = random.Random(len(children) + kills), threading.Event()
    server.start()
    with ThreadPoolExecutor(len(children)) as pool:
        playing = [pool.submit(child.play, until) for child in children]
        try:
            for _ in range(kills):
                during_a_move(children, lots)
                server.kill()
                server.start()
            before = [len(child.acknowledged) for child in children]
            latest = time.monotonic() + GOES_ON
            while any(len(c.acknowledged) == n for c, n in zip(children, before, strict=True)):
                assert time.monotonic() < latest
                time.sleep(0.005)
        finally:
            until.set()
        for each in playing:
            each.result()
    server.kill()


def asks(children: list[Child]) -> int:
    return sum(len(child.acknowledged) for child in children)


def during_a_move(children: list[Child], lots: random.Random) -> None:
    """Wait for a random number of moves, up to twenty, and for a moment of the next one."""
    wanted, latest = asks(children) + lots.randint(0, GAMES), time.monotonic() + LONGEST_WAIT
    while asks(children) < wanted:
        assert time.monotonic() < latest
        time.sleep(0.005)
    time.sleep(lots.uniform(0, 0.02))


def check(child: Child) -> None:
    """Check that the logs are complete, contain each acknowledged ask once, and match the pages."""
    keys: Counter[tuple[int, str]] = Counter()
    for round_id in child.rounds:
        past = history(round_id)
        log = db.session.scalars(
            select(Move).where(Move.round_id == round_id).order_by(Move.seq)
        ).all()
        assert [move.seq for move in log] == list(range(1, len(past)))
        assert db.session.get_one(Round, round_id).moves == len(log)
        assert {move.played_by for move in log} <= {"child", "computer"}
        seat = rounds.seat_of(round_id, child.id)  # another one where a friend did not come
        assert seat is not None
        mine = [move.key.removeprefix(f"{seat}:") for move in log if move.seat == seat]
        own = select(ChildRound).filter_by(round_id=round_id, child_id=child.id)
        sums = db.session.scalars(own).one()
        assert sums.asks == len(mine)
        keys.update((round_id, key) for key in mine)
        for page in (page for number, page in child.pages if number == round_id):
            same_table(page, observe(past[page.v], seat))
    assert all(keys[tap] == 1 for tap in child.acknowledged)
    assert set(keys) - set(child.acknowledged) <= child.given_up


def killed(room: Classroom, folder: Path, kills: int) -> None:
    lend_templates(folder)
    server = Server(folder)
    children = seated(room, server.port)
    play_under_fire(server, children, kills)
    with room.app.app_context():
        if db.engine.dialect.name == "sqlite":
            assert db.session.execute(text("PRAGMA integrity_check")).scalar() == "ok"
        for child in children:
            check(child)
        db.session.rollback()
    assert asks(children) > 5 * kills


def test_kills_lose_no_acknowledged_move(room: Classroom, folder: Path, whole: bool) -> None:
    killed(room, folder, 20 if whole else 2)


@pytest.mark.long
def test_two_hundred_kills_in_twenty_games_lose_no_acknowledged_move(
    room: Classroom, folder: Path
) -> None:
    killed(room, folder, 200)
