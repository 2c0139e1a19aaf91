"""A district in small: schools on one machine, each a cell with a process, a database and a key of
its own (docs/running.md). What happens to one, the others do not notice.

Requests come as the front passes them on: by the school's host name, with the address that all
devices of the school share.
"""

from __future__ import annotations

import contextlib
import http.client
import random
import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.models import Child as ChildRow
from classroom.models import SchoolClass
from classroom.services.access import sign_in
from classroom.services.table import matches
from tests.conftest import finish
from tests.faults.apart import until
from tests.faults.test_kills import Child
from tests.faults.versions import NEWER, TOKEN, make_newer, version_at
from tests.playing import fill
from tests.serving import ROOT, free_port, serving, surroundings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="cells are for servers")

WITHIN = 300.0  # seconds for all children of the district to sign in
AT_ONCE = 40  # devices that sign in at the same time
PLAYING = 4  # children of each school who play then
THINK = 0.5  # seconds, on average
CALM = 3.0  # seconds in which nothing happens to any school
UNAWARE = 3.0  # seconds by which the longest wait of the others may grow
_TOKEN = re.compile(r'name="token" value="([0-9a-f]+)"')


# ---- a school of the district


class Cell:
    """A school: its class, its server process, and its children at play."""

    def __init__(self, folder: Path, number: int, children: int) -> None:
        self.folder, self.port = folder / f"school{number}", free_port()
        self.host = f"school{number}.fish.example"
        self.passed_on = {"Host": self.host, "X-Forwarded-For": f"203.0.113.{number}"}
        self.folder.mkdir(mode=0o700)
        (self.folder / "settings.toml").write_text(
            f'hosts = "{self.host}"\nproxies = 1\nlook_around = "never"\nmetrics_token = "{TOKEN}"'
        )
        self.room = fill(create_app({"INSTANCE": str(self.folder)}), children)
        self._rounds = self._seat()
        with self.room.app.app_context():
            self.code = db.session.get_one(SchoolClass, self.room.class_id).code
            self._pictures = {
                child.id: sign_in.pictures_of(child) for child in db.session.query(ChildRow)
            }
        finish(self.room.app)
        self.pupils: list[Pupil] = []
        self.earlier: list[Pupil] = []  # the same children before a backup was restored
        self._ends = contextlib.ExitStack()

    def _seat(self) -> dict[int, tuple[int, int]]:
        """Seat the first children in pairs. Returns the round and the seat of each."""
        found = {}
        ids = [*self.room.children.values()][:PLAYING]
        for pair in zip(ids[::2], ids[1::2], strict=True):
            with self.room.app.app_context(), write_unit():
                round_id = matches.together(self.room.class_id, "classic", [*pair])
            found |= {child_id: (round_id, seat) for seat, child_id in enumerate(pair)}
        return found

    @property
    def version(self) -> str:
        return version_at(self.port, Host=self.host)

    # -- its process

    def open(self, program: Path = ROOT) -> None:
        self.process, _ = self._ends.enter_context(serving(self.folder, self.port, program=program))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.process.terminate()
        assert self.process.wait(60) == 0
        self._ends.close()

    def command(self, *words: str) -> None:
        """Run a command for this school, as its technician does."""
        command = [sys.executable, "-m", "classroom", *words]
        done = subprocess.run(
            command, env=surroundings(self.folder), cwd=ROOT, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr

    # -- its children

    def let_in(self, child_id: int) -> str:
        """Sign a child in at a device of its own, from the class code on. Returns the cookies."""
        device = Device(self)
        device.get("/")
        device.post("/join", code=self.code)
        device.get("/animals")
        device.post(f"/animals/{child_id}/knock")
        device.get(f"/animals/{child_id}")
        taps = {f"p{number}": tap for number, tap in enumerate(self._pictures[child_id], 1)}
        device.post(f"/animals/{child_id}", **taps)
        device.get("/play/")  # only a child is let in
        return device.cookie

    def play(self, cookies: dict[int, str]) -> None:
        """Let the seated children play from now on."""
        self._over, self._pool = threading.Event(), ThreadPoolExecutor(PLAYING)
        self.earlier += self.pupils
        self.pupils = [
            Pupil(
                id=child_id,
                seat=seat,
                rounds=[round_id],
                cookies=cookies[child_id],
                port=self.port,
                lots=random.Random(child_id),
                passed_on=self.passed_on,
            )
            for child_id, (round_id, seat) in self._rounds.items()
        ]
        self._playing = [self._pool.submit(one.play, self._over) for one in self.pupils]

    def rest(self) -> None:
        self._over.set()
        for each in self._playing:
            each.result()
        self._pool.shutdown()

    def goes_on(self) -> None:
        """Wait until every table has made another move."""
        before = self.asks()
        until(lambda: all(now > then for now, then in zip(self.asks(), before, strict=True)))

    def asks(self) -> list[int]:
        """How many asks were acknowledged at each table."""
        return [sum(len(one.acknowledged) for one in pair) for pair in self._pairs()]

    def _pairs(self) -> Iterator[Sequence[Pupil]]:
        yield from zip(self.pupils[::2], self.pupils[1::2], strict=True)

    def lost_nothing(self) -> None:
        """Check that each acknowledged ask is in the log once."""
        with contextlib.closing(sqlite3.connect(self.folder / "school.db")) as log:
            kept = Counter(log.execute("SELECT round_id, key FROM moves").fetchall())
        for one in self.pupils:
            for round_id, key in one.acknowledged:
                assert kept[round_id, f"{one.seat}:{key}"] == 1

    def moves(self, file: Path) -> int:
        """How many moves this copy of the school's database has."""
        with contextlib.closing(sqlite3.connect(file)) as log:
            return int(log.execute("SELECT count(*) FROM moves").fetchone()[0])


class Device:
    """A device of a school: what it sends, its cookies, and the token of its last page."""

    def __init__(self, cell: Cell) -> None:
        self._cell, self._cookies, self._token = cell, dict[str, str](), ""

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    def get(self, path: str) -> str:
        status, page = self.sent("GET", path)
        assert status == 200, f"{path} was answered {status}"
        self._token = (_TOKEN.search(page) or ["", ""])[1]
        return page

    def post(self, path: str, **fields: str) -> None:
        status, _ = self.sent("POST", path, urlencode(fields | {"token": self._token}))
        assert status == 303, f"{path} was answered {status}"

    def sent(self, method: str, path: str, form: str | None = None) -> tuple[int, str]:
        headers = {**self._cell.passed_on, "Cookie": self.cookie}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        line = http.client.HTTPConnection("127.0.0.1", self._cell.port, timeout=60)
        with contextlib.closing(line):
            line.request(method, path, form, headers)
            answer = line.getresponse()
            for text in answer.headers.get_all("Set-Cookie") or ():
                name, _, value = text.partition(";")[0].partition("=")
                self._cookies[name] = value
            return answer.status, answer.read().decode()


@dataclass
class Pupil(Child):
    """A child at play who takes time to think. `asked`: when each request was sent, how many
    seconds it took, and whether it was answered."""

    asked: list[tuple[float, float, bool]] = field(default_factory=list)

    def sent(self, method: str, part: str, **fields: object) -> tuple[int, str] | None:
        began = time.monotonic()
        answer = super().sent(method, part, **fields)
        well = answer is not None and answer[0] < 500
        self.asked.append((began, time.monotonic() - began, well))
        return answer if well else None

    def step(self) -> None:
        super().step()
        time.sleep(self.lots.uniform(0, 2 * THINK))


# ---- the district


@dataclass
class District:
    """All cells, and what happened to which of them, from when to when."""

    cells: Sequence[Cell]
    happened: list[tuple[str, Cell | None, float, float]] = field(default_factory=list)

    def let_all_in(self) -> tuple[float, dict[Cell, dict[int, str]]]:
        """Sign in all children of all schools. Returns the seconds it took, and the cookies."""
        doors = [(cell, number) for cell in self.cells for number in cell.room.children.values()]
        random.Random(1).shuffle(doors)
        began = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            cookies = [*pool.map(lambda door: door[0].let_in(door[1]), doors)]
        took = time.monotonic() - began
        found: dict[Cell, dict[int, str]] = {cell: {} for cell in self.cells}
        for (cell, child_id), cookie in zip(doors, cookies, strict=True):
            found[cell][child_id] = cookie
        return took, found

    @contextlib.contextmanager
    def while_it(self, what: str, cell: Cell | None = None) -> Iterator[None]:
        """Note that this happens to one cell during the block. Every table of the others must then
        go on."""
        began = time.monotonic()
        yield
        for other in self.cells:
            if other is not cell:
                other.goes_on()
        self.happened.append((what, cell, began, time.monotonic()))

    def judge(self) -> None:
        """Check that no request of another school failed or waited long, and print how long they
        took."""
        calm = 0.0
        for what, cell, began, ended in self.happened:
            asked = [
                each
                for other in self.cells
                if other is not cell
                for one in (*other.earlier, *other.pupils)
                for each in one.asked
                if began <= each[0] <= ended
            ]
            took = sorted(seconds for _, seconds, _ in asked)
            p50, p99 = took[len(took) // 2], took[len(took) * 99 // 100]
            print(
                f"{what}: the others sent {len(took)} requests in {ended - began:.1f} s, "
                f"p50 {p50 * 1000:.0f} p99 {p99 * 1000:.0f} max {took[-1] * 1000:.0f} ms",
                file=sys.__stdout__,
                flush=True,
            )
            assert all(well for _, _, well in asked), f"a request failed: {what}"
            assert took[-1] < calm + UNAWARE
            calm = max(calm, took[-1])


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_newer(tmp_path_factory.mktemp("newer"))


@pytest.fixture
def make_district(tmp_path: Path) -> Iterator[Callable[[int, int], District]]:
    """A function that makes and opens this many cells with this many children each."""
    made: list[Cell] = []

    def make(cells: int, children: int) -> District:
        for number in range(1, cells + 1):
            made.append(Cell(tmp_path, number, children))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(Cell.open, made))
        return District(made)

    yield make
    for cell in made:
        cell.close()


@pytest.mark.parametrize(
    ("cells", "children"),
    [
        pytest.param(3, 2, id="three schools"),
        pytest.param(20, 25, id="twenty schools", marks=pytest.mark.long),
    ],
)
def test_what_happens_to_one_school_the_others_do_not_notice(
    make_district: Callable[[int, int], District],
    newer: Path,
    tmp_path: Path,
    cells: int,
    children: int,
) -> None:
    district = make_district(cells, children)
    took, cookies = district.let_all_in()
    print(f"\n{cells * children} children signed in within {took:.1f} s", file=sys.__stdout__)
    assert took < WITHIN
    for cell in district.cells:
        cell.play(cookies[cell])
    killed, restored, upgraded = district.cells[:3]
    try:
        with district.while_it("nothing happened"):
            time.sleep(CALM)
        with district.while_it("one was killed", killed):
            killed.kill()
            killed.open()
            killed.goes_on()
        with district.while_it("one was restored", restored):
            copy = tmp_path / "copy.db"
            restored.command("backup", str(copy))
            restored.goes_on()
            restored.rest()
            restored.close()
            kept, lost = restored.moves(copy), restored.moves(restored.folder / "school.db")
            assert kept < lost
            restored.command("restore", str(copy))
            assert restored.moves(restored.folder / "school.db") == kept
            restored.open()
            restored.play({number: restored.let_in(number) for number in cookies[restored]})
            restored.goes_on()
        with district.while_it("one was upgraded", upgraded):
            before = upgraded.version
            upgraded.close()
            upgraded.open(newer)
            assert upgraded.version == NEWER != before
            upgraded.goes_on()
    finally:
        for cell in district.cells:
            cell.rest()
    district.judge()
    for cell in district.cells:
        cell.lost_nothing()


def test_a_school_opens_no_door_of_another(
    make_district: Callable[[int, int], District],
) -> None:
    """Not to its sessions, nor under its name."""
    here, there = make_district(2, 4).cells
    child_id = next(iter(here.room.children.values()))
    cookie = here.let_in(child_id)
    path = f"/play/rounds/{here._rounds[child_id][0]}/table"

    def status(cell: Cell, headers: dict[str, str]) -> int:
        line = http.client.HTTPConnection("127.0.0.1", cell.port, timeout=20)
        with contextlib.closing(line):
            line.request("GET", path, None, headers | {"Cookie": cookie})
            return line.getresponse().status

    assert status(here, here.passed_on) == 200
    assert status(there, there.passed_on) in (303, 401, 403, 404)
    assert status(here, there.passed_on) == 400
