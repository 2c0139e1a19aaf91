"""Forms are read whole before they take a thread, and a move at a table of friends goes through the
server's front."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask, Response, request

from classroom.database import db, write_unit
from classroom.live.answers import AFewAtOnce, Buffered, RawResponse
from classroom.live.asgi import Front
from classroom.live.pools import Pool
from classroom.services.operation import background
from classroom.services.table import matches
from tests.conftest import Rooms
from tests.live.test_streams import Browser, scope as bare_scope
from tests.loops import in_a_loop
from tests.playing import Browser as Page, Classroom, browser, shown, signed_in, teacher_of

FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    made = rooms.copy(tmp_path / "instance")
    yield made
    with made.app.app_context():
        db.session.remove()
        db.engine.dispose()


def scope(page: Page, method: str, path: str, **headers: str) -> dict[str, Any]:
    kept = [page.client.get_cookie(name) for name in ("school", "school-device")]
    cookies = "; ".join(f"{one.key}={one.value}" for one in kept if one)
    return bare_scope(cookie=cookies, **headers) | {"method": method, "path": path}


def asks_of(page: Page, address: str) -> bytes | None:
    """The form of an ask on this child's page; None if it is not the child's turn."""
    seen = shown(page.get(address).text)
    if not seen.my_turn:
        return None
    form = {"token": seen.token, "key": "k", "seen": seen.v}
    return urlencode(form | {"class": seen.classes[0], "target": seen.targets[0]}).encode()


async def post(front: Front, page: Page, address: str, body: bytes) -> list[dict[str, Any]]:
    """Send a form as htmx does, and return the answer."""
    sender, length = Sender(body), str(len(body))
    sender.go_on.set()
    await front(
        scope(page, "POST", address, content_type=FORM, content_length=length, hx_request="true"),
        sender.receive,
        sender.send,
    )
    return sender.sent


class Sender:
    """A browser that sends a form in parts and keeps the answer."""

    def __init__(self, *parts: bytes, gone: bool = False) -> None:
        self._parts, self._gone, self.sent = [*parts], gone, list[dict[str, Any]]()
        self.go_on = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        if len(self._parts) == 1:
            await self.go_on.wait()
            if self._gone:
                return {"type": "http.disconnect"}
        part = self._parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(self._parts)}

    async def send(self, message: Any) -> None:
        self.sent.append(dict(message))


def form_scope(length: int) -> dict[str, Any]:
    return bare_scope(content_type=FORM, content_length=str(length)) | {
        "method": "POST",
        "path": "/say",
    }


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def whole(heard: list[str]) -> Buffered:
    app = Flask(__name__)

    @app.post("/say")
    def say() -> Response:
        heard.append(request.form["what"])
        return Response("é" * 3, status=201, headers={"X-Heard": str(len(heard))})

    app.config["MAX_CONTENT_LENGTH"] = 100
    return Buffered(app, Pool(ThreadPoolExecutor(1)), longest=100)


def test_a_slow_form_takes_no_thread_until_it_is_complete(
    whole: Buffered, heard: list[str]
) -> None:
    async def run() -> None:
        slow, quick = Sender(b"what=sl", b"ow"), Sender(b"what=quick")
        waits = asyncio.create_task(whole(form_scope(9), slow.receive, slow.send))
        quick.go_on.set()
        await asyncio.wait_for(whole(form_scope(10), quick.receive, quick.send), 5)
        assert heard == ["quick"]
        slow.go_on.set()
        await asyncio.wait_for(waits, 5)
        assert heard == ["quick", "slow"]
        start, body = slow.sent
        assert start["status"] == 201
        assert dict(start["headers"])[b"x-heard"] == b"2"
        assert body["body"].decode() == "ééé"

    in_a_loop(run())


def test_a_form_of_a_browser_that_went_away_has_no_effect(
    whole: Buffered, heard: list[str]
) -> None:
    async def run() -> None:
        gone = Sender(b"what=half", b"", gone=True)
        gone.go_on.set()
        await whole(form_scope(30), gone.receive, gone.send)
        assert not heard
        assert not gone.sent

    in_a_loop(run())


@pytest.mark.parametrize(("said", "status"), [({"content_length": "245"}, 413), ({}, 400)])
def test_a_form_that_is_too_long_is_refused_and_not_read_to_its_end(
    whole: Buffered, heard: list[str], said: dict[str, str], status: int
) -> None:
    async def run() -> None:
        long = Sender(b"what=", *[b"a" * 60] * 4)  # the last part never comes
        scope = form_scope(0) | {"headers": bare_scope(content_type=FORM, **said)["headers"]}
        await asyncio.wait_for(whole(scope, long.receive, long.send), 5)
        assert long.sent[0]["status"] == status
        assert not heard

    in_a_loop(run())


@pytest.mark.parametrize(("length", "status"), [(100, 201), (101, 413)])
def test_a_form_may_be_as_long_as_is_allowed_and_no_longer(
    whole: Buffered, length: int, status: int
) -> None:
    async def run() -> None:
        sender = Sender(b"what=".ljust(length, b"a"))
        sender.go_on.set()
        await whole(form_scope(length), sender.receive, sender.send)
        assert sender.sent[0]["status"] == status

    in_a_loop(run())


def test_more_requests_than_may_be_in_progress_are_asked_to_come_again() -> None:
    async def run() -> None:
        done = asyncio.Event()

        async def make(_environ: object, _work: object) -> RawResponse:
            await done.wait()
            return RawResponse(201, [], b"")

        few = Buffered(Flask(__name__), Pool(ThreadPoolExecutor(1)), 100, most=1, make=make)
        first, second, third = (Sender(b"") for _ in range(3))
        for sender in (first, second, third):
            sender.go_on.set()
        waits = asyncio.create_task(few(form_scope(0), first.receive, first.send))
        await asyncio.sleep(0)
        await asyncio.wait_for(few(form_scope(0), second.receive, second.send), 5)
        done.set()
        await waits
        await few(form_scope(0), third.receive, third.send)
        assert [one.sent[0]["status"] for one in (first, second, third)] == [201, 429, 201]

    in_a_loop(run())


@pytest.mark.parametrize(("most", "answers"), [(1, [429, 429, 413]), (2, [429, 201, 413])])
def test_few_long_forms_are_read_at_one_time_one_for_each_person_and_none_for_strangers(
    whole: Buffered, heard: list[str], most: int, answers: list[int]
) -> None:
    async def run() -> None:
        names = iter(("me", "me", "other", None, "other"))

        async def whose(_scope: Any) -> str | None:
            return next(names)

        async def others(_scope: Any, _receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 413, "headers": []})

        few = AFewAtOnce(whole, most, whose, others)
        slow, *more = Sender(b"what=sl", b"ow"), *(Sender(b"what=no") for _ in range(3))
        waits = asyncio.create_task(few(form_scope(9), slow.receive, slow.send))
        await asyncio.sleep(0)
        for one in more:
            one.go_on.set()
            await few(form_scope(7), one.receive, one.send)
        assert [one.sent[0]["status"] for one in more] == answers
        slow.go_on.set()
        await asyncio.wait_for(waits, 5)
        last = Sender(b"what=yes")
        last.go_on.set()
        await few(form_scope(8), last.receive, last.send)
        assert [one for one in heard if one != "no"] == ["slow", "yes"]

    in_a_loop(run())


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/teach/classes/1/list", 403),  # read, and found to be forged
        ("/school/lists", 403),
        ("/teach/classes/1/children", 413),
        ("/teach/classes/1/list/", 413),
        ("/in", 413),
    ],
)
def test_only_forms_of_a_teacher_with_a_class_list_may_be_long(
    room: Classroom, path: str, status: int
) -> None:
    with room.app.app_context():
        teacher = signed_in(adult_id=teacher_of(room.class_id))
        child = signed_in(class_id=room.class_id, child_id=room.children["Mia"])

    async def sent(cookies: dict[str, str]) -> int:
        sender = Sender(b"what=" + b"a" * 300_000)
        sender.go_on.set()
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        asked = bare_scope(cookie=cookie, content_type=FORM, content_length="300005")
        scope = asked | {"method": "POST", "path": path}
        await Front(room.app)(scope, sender.receive, sender.send)
        return int(sender.sent[0]["status"])

    unread = 400 if status == 403 else 413

    async def run() -> None:
        assert [await sent(who) for who in (teacher, child, {})] == [status, unread, unread]

    in_a_loop(run())


def test_the_asker_gets_the_table_once_and_the_others_by_their_streams(
    room: Classroom,
) -> None:
    with room.app.app_context(), write_unit():
        round_id = matches.together(room.class_id, "classic", list(room.children.values()))
    address = f"/play/rounds/{round_id}"
    pages = [browser(room, name) for name in room.children]
    forms = [asks_of(page, address) for page in pages]
    me = next(seat for seat, form in enumerate(forms) if form)

    async def run() -> None:
        front, readers = Front(room.app), [Browser() for _ in pages]
        streams = [
            asyncio.create_task(
                front(scope(page, "GET", address + "/events"), reader.receive, reader.send)
            )
            for page, reader in zip(pages, readers, strict=True)
        ]
        mine, friend = readers[me], readers[1 - me]
        await mine.until(lambda: len(mine.tables) == len(friend.tables) == 1)
        answer = await post(front, pages[me], address + "/asks", forms[me] or b"")
        assert answer[0]["status"] == 200
        assert b'data-v="1"' in b"".join(part.get("body", b"") for part in answer)
        await mine.until(lambda: len(friend.tables) == 2)
        assert len(mine.tables) == 1
        front.end_streams()
        await asyncio.wait_for(asyncio.gather(*streams), 5)

    in_a_loop(run())
    # if the answer is lost, the page's next request and its next stream bring the table
    lost = pages[me].client.get(address + "/table?seen=0", headers={"HX-Request": "true"})
    assert shown(lost.text).v == 1
    again = pages[me].client.get(address + "/events", headers={"Last-Event-ID": "0-0"})
    assert again.text.startswith("id: 1-")


def test_incomplete_forms_delay_no_move(room: Classroom) -> None:
    mia = browser(room)
    mia.get("/play/")
    with room.app.app_context():
        round_id = matches.start_match(room.children["Mia"], "classic")
        background.play_now(round_id)
    address = f"/play/rounds/{round_id}"
    form = asks_of(mia, address)
    assert form

    async def run() -> None:
        front, half = Front(room.app), Sender(b"a", b"")
        about = scope(mia, "POST", address + "/asks", content_length="2")
        stuck = [asyncio.create_task(front(about, half.receive, half.send)) for _ in range(20)]
        await asyncio.sleep(0.1)
        answer = await asyncio.wait_for(post(front, mia, address + "/asks", form), 10)
        assert answer[0]["status"] == 200
        for one in stuck:
            assert not one.done()
            one.cancel()

    in_a_loop(run())


def test_one_thread_makes_the_moves_if_the_database_is_a_file(room: Classroom) -> None:
    school = Front(room.app)._schools[""]
    ways = school.moves.pool, school.tables, school.classes
    one_each = room.app.config["DATABASE_URI"] == ""
    assert [way.threads._max_workers for way in ways] == [1 if one_each else 4] * 3  # type: ignore[attr-defined]
    assert len({way.threads for way in ways}) == 3
