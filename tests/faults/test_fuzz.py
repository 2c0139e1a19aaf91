"""A served school answers whatever is sent, and its data stays sound.

Sixteen browsers send random requests over sockets at once, while computer players play. Every
ordinary run uses the same seed; `FISH_FUZZ=seed` sets another, and --long draws a new one, which a
failure names.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError, NoResultFound

from classroom.database import db, write_unit
from classroom.models import (
    Adult,
    Child,
    ChildRound,
    ClassTeacher,
    FamilyLink,
    Move,
    Round,
    SchoolClass,
)
from classroom.services.base import audit, clock
from classroom.services.school import classes
from classroom.services.table import matches
from tests.conftest import finish, make_app
from tests.faults.fuzzed import Known, Request, Requests, forms_of
from tests.faults.tainted import history
from tests.loops import in_a_loop
from tests.playing import signed_in
from tests.ports import free_port
from tests.serving import serving
from tests.world import CHILDREN, KIND, World

EVERYDAY, LONG = 1_000, 50_000  # requests
AT_ONCE: Final = 30.0  # seconds within which a request is answered
MANY_ADDRESSES: Final = sys.platform == "linux"
GLANCE: Final = 0.5  # seconds for which a stream is read
MORE: Final = 6  # extra children in a class, since some are removed
LOOK: Final = 12  # requests of a browser between checks that it is still signed in
PAGES: Final = {"nobody": "/in", "device": "/animals", "child": "/play/friends"}
_TOKEN: Final = re.compile(r'name="token" value="([0-9a-f]+)"')
_LENGTH: Final = re.compile(rb"content-length: ([0-9]+)", re.I)
_COOKIE: Final = re.compile(r"set-cookie: ([^=;\r]+)=([^;\r]*)", re.I)

# The owners of the browsers: strangers and devices, children, and adults by login.
BROWSERS: Final = (
    *("nobody", "nobody", "device", "device"),
    *("Miaqua", "Miaqua", "Benquill", "Adaquist", "sunfish child", "sunfish child"),
    *("lake", "lake", "brook", "reed", "rush", "admin"),
)


@dataclass(frozen=True)
class Answer:
    """An answer of the server. Its status is 0 if none came."""

    status: int
    head: str
    body: str


@dataclass
class Findings:
    """The findings of all browsers in one run."""

    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    sign_ins: int = 0
    changed: int = 0  # accepted forms with good tokens

    def judge(self, who: str, number: int, request: Request, answer: Answer) -> None:
        self.statuses[answer.status] += 1
        posted = request.raw.startswith(b"POST") and b"token=" in request.raw
        self.changed += posted and answer.status in (200, 204, 303)
        busy = answer.status == 503 and "retry-after" in answer.head.lower()
        why = ""
        if answer.status >= 500 and not busy:
            why = f"{answer.status}"
        elif not answer.status and request.sound:
            why = "no answer"
        elif "Traceback" in answer.body or "x-evil" in answer.head.lower():
            why = "tells too much"
        if why:
            self.wrong.append(f"{why} to {who}'s {number}: {request}")


# ---- the school


class School:
    """The world of tests/world.py, served. Browsers that were signed out are signed in again."""

    def __init__(self, folder: Path, peopled: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.app = make_app(folder, peopled)
        self.world = World.of(self.app)
        self._lock = threading.Lock()
        with self.app.app_context():
            for _ in range(MORE):
                matches.start_match(self._one_more(self.world.classes["sunfish"]))
        with (folder / "settings.toml").open("a") as settings:
            settings.write("companion_pace = 0.2\n")

    def _one_more(self, class_id: int) -> int:
        return classes.add_child(class_id, f"Pupil {secrets.token_hex(3)}")

    def sign_in(self, known: Known) -> None:
        """Sign this person in again, with new cookies."""
        with self._lock, self.app.app_context():
            for again in (True, True, False):
                try:
                    known.jar = self._signed_in(known)
                    break
                except (IntegrityError, NoResultFound):  # its class or child was deleted meanwhile
                    db.session.rollback()
                    if not again:
                        raise
            known.every = self._every()
            db.session.remove()

    def _signed_in(self, known: Known) -> dict[str, str]:
        if known.who == "nobody":
            return {}
        if known.kind not in ("device", "child"):
            return self._adult(known)
        class_id = self.world.classes[CHILDREN.get(known.who, "sunfish")]
        there = _ids(SchoolClass.id)
        if class_id not in there:  # it was deleted meanwhile
            class_id = there[0]
        with write_unit():
            db.session.get_one(SchoolClass, class_id).opened_until = clock.now() + 1e6
        if known.kind == "device":
            known.own = _of_children([class_id], _ids(Child.id, Child.class_id == class_id))
            return signed_in(class_id=class_id)
        child_id = self._child(known.who, class_id)
        known.own = _of_children([class_id], [child_id])
        return signed_in(class_id=class_id, child_id=child_id)

    def _adult(self, known: Known) -> dict[str, str]:
        """Cookies of this adult or, if its account is closed, of one that is still there."""
        adult_id = self.world.adults[known.who]
        there = _ids(Adult.id)
        if adult_id not in there:
            adult_id = there[0]
        rooms = _ids(ClassTeacher.class_id, ClassTeacher.adult_id == adult_id)
        linked = _ids(FamilyLink.child_id, FamilyLink.adult_id == adult_id)
        known.own = _of_children(rooms, linked or _ids(Child.id, Child.class_id.in_(rooms)))
        return signed_in(adult_id=adult_id)

    def _child(self, who: str, class_id: int) -> int:
        """The child of this name or, if it was removed, another or a new one of the class."""
        own = self.world.children.get(who)
        if own is not None and db.session.get(Child, own) is not None:
            return own
        there = _ids(Child.id, Child.class_id == class_id)
        return there[-1] if len(there) > 3 else self._one_more(class_id)

    def _every(self) -> dict[str, list[int]]:
        return {
            "class_id": _ids(SchoolClass.id),
            "child_id": _ids(Child.id),
            "round_id": _ids(Round.id),
        }

    def whole(self) -> None:
        """Check that the database is sound and that every round folds from its deck."""
        with self.app.app_context():
            if db.engine.dialect.name == "sqlite":
                assert db.session.execute(text("PRAGMA integrity_check")).scalar() == "ok"
                assert not db.session.execute(text("PRAGMA foreign_key_check")).all()
            assert audit.verify().wrong is None
            for row in db.session.scalars(select(Round)).all():
                seqs = select(Move.seq).where(Move.round_id == row.id).order_by(Move.seq)
                assert list(db.session.scalars(seqs)) == list(range(1, row.moves + 1))
                assert len(history(row.id)) == row.moves + 1
            assert db.session.scalars(select(Adult)).all()
            db.session.remove()


def _ids(column: Any, *which: Any) -> list[int]:
    return list(db.session.scalars(select(column).where(*which).order_by(column)))


def _of_children(class_ids: list[int], child_ids: list[int]) -> dict[str, list[int]]:
    """The ids of these classes and children and of the children's last rounds."""
    rounds = _ids(ChildRound.round_id, ChildRound.child_id.in_(child_ids))
    return {"class_id": class_ids, "child_id": child_ids, "round_id": rounds[-10:]}


# ---- browsers


class Browser:
    """One person's browser, which sends random requests."""

    def __init__(self, school: School, who: str, seed: str, findings: Findings) -> None:
        self._school, self._who, self._findings = school, who, findings
        self._known = Known(who, KIND.get(who, "child"))
        self._requests = Requests(school.app, self._known, Random(seed))
        self._rng = self._requests.rng
        self._sent = 0

    async def send(self, many: int) -> None:
        await self._sign_in()
        while self._sent < many:
            for _ in range(LOOK):
                await self._step()
            if not await self._is_in():
                self._findings.sign_ins += 1
                await self._sign_in()

    async def _step(self) -> None:
        lot = self._rng.random()
        if lot < 0.45:
            await self._fill_in()
        elif lot < 0.65:
            await self._answered(self._requests.known_form())
        elif lot < 0.87:
            await self._answered(self._requests.any())
        else:
            await self._answered(self._requests.broken())

    async def _fill_in(self) -> None:
        page = self._requests.page()
        answer = await self._answered(page)
        if forms := forms_of(answer.body):
            path = page.raw.split(b" ", 2)[1].decode()
            await self._answered(self._requests.filled(forms, path))

    async def _sign_in(self) -> None:
        self._known.token = ""
        await asyncio.to_thread(self._school.sign_in, self._known)
        await self._is_in()

    async def _is_in(self) -> bool:
        """Whether this browser is still signed in. It gets a new form token, too."""
        page = PAGES.get(self._known.kind, "/account")
        answer = await self._answered(self._requests.request("GET", page))
        found = _TOKEN.search(answer.body)
        self._known.token = found[1] if found else self._known.token
        return answer.status == 200

    async def _answered(self, request: Request) -> Answer:
        self._sent += 1
        try:
            async with asyncio.timeout(AT_ONCE):
                network = self._rng.randrange(50_000)
                answer = await exchange(self._school.port, request, network)
        except TimeoutError:
            answer = Answer(0, "", "")
        self._findings.judge(self._who, self._sent, request, answer)
        for name, value in _COOKIE.findall(answer.head):
            if value in ("", '""'):
                self._known.jar.pop(name, None)
            else:
                self._known.jar[name] = value
        return answer


async def exchange(port: int, request: Request, network: int = 0) -> Answer:
    """Send this over a new connection, and read the answer. If the machine has many loopback
    addresses, `network` chooses one, because guesses from a single address are slowed down."""
    here = (f"127.{1 + network // 250}.{network % 250}.1", 0) if MANY_ADDRESSES else None
    there = ("127.0.0.1", port)
    reader, writer = await asyncio.open_connection(*there, local_addr=here, limit=2**20)
    try:
        writer.write(request.raw)
        with suppress(ConnectionError):  # the server may refuse it before all of it has been sent
            await writer.drain()
        return await _read(reader, request.raw.startswith(b"HEAD"))
    except (ConnectionError, EOFError):
        return Answer(0, "", "")
    finally:
        writer.close()


async def _read(reader: asyncio.StreamReader, headless: bool) -> Answer:
    head = b"HTTP/1.1 100"
    while head[9:12] == b"100":  # 100 Continue; the body was sent anyway
        head = await reader.readuntil(b"\r\n\r\n")
    status, length, body = int(head[9:12]), _LENGTH.search(head), b""
    if b"text/event-stream" in head:
        with suppress(TimeoutError):
            async with asyncio.timeout(GLANCE):
                body = await reader.read(65_536)
    elif not headless and status not in (204, 304):
        with suppress(ConnectionError, EOFError):
            body = await (reader.readexactly(int(length[1])) if length else reader.read())
    return Answer(status, head.decode("latin-1"), body.decode("utf-8", "replace"))


# ---- the tests


@pytest.fixture
def school(tmp_path: Path, peopled: Path) -> Iterator[School]:
    found = School(tmp_path / "school", peopled)
    yield found
    finish(found.app)


async def all_at_once(school: School, seed: str, many: int) -> Findings:
    findings = Findings()
    async with asyncio.TaskGroup() as tasks:
        for number, who in enumerate(BROWSERS):
            browser = Browser(school, who, f"{seed}:{number}", findings)
            tasks.create_task(browser.send(many // len(BROWSERS)))
    return findings


def sent_at_random(school: School, seed: str, many: int) -> None:
    print(f"\nFISH_FUZZ={seed}")
    told: list[str] = []
    with serving(school.folder, school.port) as (process, _):
        listener = threading.Thread(target=lambda: told.extend(process.stdout or ()))
        listener.start()
        try:
            findings = in_a_loop(all_at_once(school, seed, many))
            alive = in_a_loop(exchange(school.port, health()))
        finally:
            process.kill()
            listener.join()
    log = "".join(told)
    print(
        f"{dict(findings.statuses)}, {findings.changed} forms taken, "
        f"{findings.sign_ins} signed in again, log {len(log)} bytes"
    )
    assert not findings.wrong, "\n".join([f"FISH_FUZZ={seed}", *findings.wrong[:10]])
    assert "Traceback" not in log, log[:5_000]
    assert alive.status == 200
    assert findings.changed > many // 50
    school.whole()


def health() -> Request:
    return Request(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")


def test_a_thousand_random_requests_are_answered_and_damage_nothing(
    school: School, whole: bool
) -> None:
    many = EVERYDAY if whole else EVERYDAY // 6
    sent_at_random(school, os.environ.get("FISH_FUZZ", "everyday"), many)


@pytest.mark.long
def test_fifty_thousand_random_requests_are_answered_and_damage_nothing(school: School) -> None:
    sent_at_random(school, os.environ.get("FISH_FUZZ") or secrets.token_hex(4), LONG)
