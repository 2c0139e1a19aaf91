"""A move at a table of friends through the server's front: who is brought the table, and how."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from classroom.database import db, write_unit
from classroom.live.asgi import Front
from classroom.services import matches
from tests.live.test_streams import Browser, in_a_loop
from tests.live.test_streams import scope as bare_scope
from tests.playing import Browser as Page
from tests.playing import Classroom, browser, make_classroom, shown


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Classroom]:
    made = make_classroom(tmp_path)
    yield made
    with made.app.app_context():
        db.session.remove()
        db.engine.dispose()


def scope(page: Page, method: str, path: str, **headers: str) -> dict[str, Any]:
    kept = [page.client.get_cookie(name) for name in ("school", "school-device")]
    cookies = "; ".join(f"{one.key}={one.value}" for one in kept if one)
    return bare_scope(cookie=cookies, **headers) | {"method": method, "path": path}


def asks_of(page: Page, address: str) -> bytes | None:
    """The form of an ask as this child's page has it; None while it is not the child's turn."""
    seen = shown(page.get(address).text)
    if not seen.my_turn:
        return None
    form = {"token": seen.token, "key": "k", "seen": seen.v}
    return urlencode(form | {"class": seen.classes[0], "target": seen.targets[0]}).encode()


async def post(front: Front, page: Page, address: str, body: bytes) -> list[dict[str, Any]]:
    """Send a form as htmx does; what was answered."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(dict(message))

    form = "application/x-www-form-urlencoded"
    length = str(len(body))
    await front(
        scope(page, "POST", address, content_type=form, content_length=length, hx_request="true"),
        receive,
        send,
    )
    return sent


def test_who_asks_is_answered_the_table_once_and_the_others_get_it_by_their_streams(
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
        await mine.until(lambda: "nothing new" in mine.text and len(friend.tables) == 2)
        assert len(mine.tables) == 1
        front.end_streams()
        await asyncio.wait_for(asyncio.gather(*streams), 5)

    in_a_loop(run())
    # should the answer be lost: what the page asks for then, and what its next stream brings
    lost = pages[me].client.get(address + "/table?seen=0", headers={"HX-Request": "true"})
    assert shown(lost.text).v == 1
    again = pages[me].client.get(address + "/events", headers={"Last-Event-ID": "0-0"})
    assert again.text.startswith("id: 1-")
