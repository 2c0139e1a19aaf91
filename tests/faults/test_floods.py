"""A guesser at the same address as everybody else: right passwords and codes still get in, and
class lists are still read."""

from __future__ import annotations

import http.client
import re
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import pytest

from tests import databases
from tests.conftest import finish, make_app
from tests.ports import free_port
from tests.serving import serving
from tests.world import PASSWORD, Visitor, World

pytestmark = [
    pytest.mark.skipif(bool(databases.SERVER), reason="a guesser needs no database"),
    pytest.mark.walk(2, of="a flood"),  # tests/live/test_pools.py tries the places every day
]
GUESSERS: Final = 45  # browsers that guess at the same time, without a pause
AT_ONCE: Final = 5  # browsers that try a right secret together
SOON: Final = 5.0  # seconds within which a right secret is answered
LATE: Final = 40.0  # seconds that a browser waits for an answer
_TOKEN: Final = re.compile(r'name="token" value="([0-9a-f]+)"')


@dataclass
class Browser:
    """A browser at 127.0.0.1, which keeps its cookies and fills in our forms."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""

    def get(self, path: str) -> Browser:
        found = _TOKEN.search(self._asked("GET", path)[1])
        self.token = found[1] if found else self.token
        return self

    def post(self, path: str, **fields: str) -> int:
        """Send the form; returns the status of the answer."""
        return self._asked("POST", path, urlencode({"token": self.token, **fields}))[0]

    def _asked(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        head = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            head["Content-Type"] = "application/x-www-form-urlencoded"
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LATE)
        try:
            line.request(method, path, body, head)
            answer = line.getresponse()
            for one in answer.headers.get_all("Set-Cookie", ()):
                name, _, value = one.partition(";")[0].partition("=")
                self.cookies[name] = value
            return answer.status, answer.read().decode()
        finally:
            line.close()


@dataclass
class School:
    port: int
    code: str
    class_id: int
    sessions: dict[str, dict[str, str]]  # the cookies of teachers, by login

    def browser(self, page: str = "/in") -> Browser:
        return Browser(self.port).get(page)

    def guess(self, browser: Browser) -> int:
        return browser.post("/join", code="123456")


@pytest.fixture
def school(tmp_path: Path, peopled: Path) -> Iterator[School]:
    """A school of its own for each test: a flood uses up the tries that an address has for new
    devices, and a right code from another new device then has to wait."""
    folder, port = tmp_path / "school", free_port()
    app = make_app(folder, peopled)
    world = World.of(app)
    teachers = {login: cookies_of(world.visitor(login)) for login in ("lake", "mere")}
    finish(app)
    with serving(folder, port):
        yield School(port, "100000", world.classes["sunfish"], teachers)


def cookies_of(visitor: Visitor) -> dict[str, str]:
    found = {name: visitor.client.get_cookie(name) for name in ("school", "school-device")}
    return {name: cookie.value for name, cookie in found.items() if cookie is not None}


@contextmanager
def flood(school: School, *, new_each_time: bool = False) -> Iterator[Counter[int]]:
    """Guess at class codes all the time during the block; each guesser is a browser of its own, or
    takes a new one for each try. Yields the answers counted by their status."""
    over, found = threading.Event(), Counter[int]()

    def go_on() -> None:
        browser = school.browser("/")
        while not over.is_set():
            with suppress(OSError, http.client.HTTPException):
                found[school.guess(browser)] += 1
                if new_each_time:
                    browser = school.browser("/")
            over.wait(0.05)  # a guesser who waits for nothing would only slow this test down

    guessers = [threading.Thread(target=go_on, daemon=True) for _ in range(GUESSERS)]
    for one in guessers:
        one.start()
    try:
        until = time.monotonic() + LATE
        while found[429] < GUESSERS:  # as soon as the address is slowed
            assert time.monotonic() < until, found
            time.sleep(0.05)
        yield found
    finally:
        over.set()


def timed(browser: Browser, path: str, fields: dict[str, str]) -> tuple[int, float]:
    began = time.monotonic()
    return browser.post(path, **fields), time.monotonic() - began


def check(tries: list[tuple[Browser, str, dict[str, str]]], found: Counter[int]) -> None:
    """Check that each of these tries gets in, and soon."""
    with ThreadPoolExecutor(AT_ONCE) as browsers:
        answers = list(browsers.map(lambda one: timed(*one), tries))
    longest = max(took for _, took in answers)
    print(len(answers), f"right tries, the longest {longest:.1f} s; the flood:", dict(found))
    assert [status for status, _ in answers] == [303] * len(tries)
    assert longest <= SOON


def test_a_flood_of_wrong_codes_refuses_no_right_secret_at_the_same_address(
    school: School,
) -> None:
    own = {"login": "lake", "password": PASSWORD}
    known = school.browser()
    assert known.post("/in", **own) == 303
    with flood(school) as found:
        new: list[tuple[Browser, str, dict[str, str]]] = []
        for login in ("mere", "brook", "marsh", "reed", "rush"):
            new.append((school.browser(), "/in", {"login": login, "password": PASSWORD}))
            new.append((school.browser("/"), "/join", {"code": school.code}))
        check(new, found)
        check([(known.get("/in/again"), "/in/again", {"password": PASSWORD})], found)


def test_new_devices_by_the_hundred_delay_nobody_whom_the_school_knows(school: School) -> None:
    own = {"login": "head", "password": PASSWORD}
    known = school.browser()
    assert known.post("/in", **own) == 303
    device = {name: value for name, value in known.cookies.items() if name.endswith("-device")}
    with flood(school, new_each_time=True) as found:
        again = [(known.get("/in/again"), "/in/again", {"password": PASSWORD})]
        once_known = [Browser(school.port, dict(device)).get("/in") for _ in range(9)]
        check(again + [(one, "/in", own) for one in once_known], found)


def unfinished(lines: ExitStack, port: int, many: int, path: str, **cookies: str) -> list[bytes]:
    """Begin this many forms with a class list, and send no byte of them. Returns the statuses of
    those that are answered all the same."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n"
    head += "Cookie: " + "; ".join(f"{name}={value}" for name, value in cookies.items())
    waiting, statuses = [], []
    for _ in range(many):
        line = lines.enter_context(socket.create_connection(("127.0.0.1", port), LATE))
        line.sendall(f"{head}\r\n\r\n".encode())
        waiting.append(line)
    while found := select.select(waiting, (), (), 2.0)[0]:
        waiting = [line for line in waiting if line not in found]
        statuses += [line.recv(65_536)[9:12] for line in found]
    return statuses


def check_list(school: School) -> None:
    """Check that the list of a teacher is read."""
    page, teacher = f"/teach/classes/{school.class_id}/list", school.sessions["mere"]
    sent = {"step": "read", "list": "First name\nIda\nOle\n"}
    assert Browser(school.port, dict(teacher)).get(page).post(page, **sent) == 200


def test_uploads_of_strangers_take_no_place_from_a_class_list(school: School) -> None:
    with ExitStack() as lines:
        made_up = {"school": "a" * 43, "school-device": "0" * 32}
        refused = unfinished(lines, school.port, 8, "/school/lists", **made_up)
        assert len(refused) == 8
        assert b"429" not in refused
        check_list(school)


def test_uploads_of_one_teacher_take_one_place(school: School) -> None:
    page = f"/teach/classes/{school.class_id}/list"
    with ExitStack() as lines:
        refused = unfinished(lines, school.port, 9, page, **school.sessions["lake"])
        assert refused == [b"429"] * 8
        check_list(school)
