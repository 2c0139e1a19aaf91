"""A child who has closed its table's page is marked; one who loads it again is not."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from classroom.database import db, write_unit
from classroom.hub import Hub, Topic, hub_of
from classroom.live.streams import GRACE, Leaving
from classroom.services.access import sessions
from classroom.services.table import matches, rounds, states
from tests.conftest import Rooms, finish
from tests.loops import in_a_loop
from tests.playing import Classroom

SOON = 0.8  # the grace of these tests


def looped(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(test)
    def run(**given: Any) -> None:
        in_a_loop(test(**given))

    return run


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    made = rooms.copy(tmp_path / "instance", 3)
    yield made
    finish(made.app)


class Pages:
    """The pages of Mia at her table with Ben, in one process of the server."""

    def __init__(self, room: Classroom) -> None:
        self.room = room
        pair = [room.children["Mia"], room.children["Ben"]]
        self.tokens = {}
        with room.app.app_context(), write_unit():
            self.round_id = matches.together(room.class_id, "rank_pairs", pair)
            for name in ("Mia", "Ben"):
                device, child = secrets.token_hex(16), room.children[name]
                self.tokens[name] = sessions.start(device, class_id=room.class_id, child_id=child)
        with room.app.app_context():
            self.hub = hub_of(db.engine)
        self.threads = ThreadPoolExecutor(2)
        self.leaving = Leaving(room.app, self.threads, SOON)
        self.other = Leaving(room.app, self.threads, SOON)  # of another process
        self.hub_there = joined(self.hub)
        # The event loop holds tasks only weakly: without this, an open page may be collected.
        self.streams: list[asyncio.Future[None]] = []

    def open(self, *, there: bool = False, name: str = "Mia") -> Callable[[], Awaitable[None]]:
        """Open a page; returns what closes it. `there`: at the other process."""
        hub, leaving = (self.hub_there, self.other) if there else (self.hub, self.leaving)
        closed = asyncio.Event()
        mine = [self.tokens[name]]
        stream = asyncio.ensure_future(leaving.watch(hub, self.round_id, mine, closed.wait()))
        self.streams.append(stream)

        async def close() -> None:
            closed.set()
            await stream

        return close

    async def known(self, number: int) -> None:
        """Wait until the seats of this many pages are known."""
        while sum(self.leaving._open.values()) + sum(self.other._open.values()) < number:
            await asyncio.sleep(0.01)

    async def gone(self) -> bool:
        return await asyncio.to_thread(self._gone)

    def _gone(self) -> bool:
        """Whether Mia is marked for Ben."""
        with self.room.app.app_context():
            return rounds.table(self.round_id, 1).players[0].away

    def changes(self) -> int:
        with self.room.app.app_context():
            return states.facts_of(self.round_id).changes

    async def until(self, gone: bool) -> None:
        for _ in range(400):
            if await self.gone() is gone:
                return
            await asyncio.sleep(0.02)
        raise AssertionError("the mark did not change")


def joined(hub: Hub) -> Hub:
    """The hub of another process: notices go both ways, each once, as with the relay."""
    there, passing = Hub(), []

    def pass_on(to: Hub) -> Callable[[Topic, int], None]:
        def carry(topic: Topic, number: int) -> None:
            if not passing:
                passing.append(True)
                to.tell(topic, number)
                passing.clear()

        return carry

    hub.subscribe(0, pass_on(there))
    there.subscribe(0, pass_on(hub))
    return there


async def settled() -> None:
    """Longer than the grace."""
    await asyncio.sleep(1.3 * SOON)


def test_a_mark_comes_within_five_seconds() -> None:
    assert GRACE <= 4.5


@looped
async def test_a_closed_page_is_marked_and_the_mark_goes_when_it_is_open_again(
    room: Classroom,
) -> None:
    pages = Pages(room)
    close, before = pages.open(), pages.changes()
    await pages.known(1)
    assert not await pages.gone()
    assert pages.changes() == before
    await close()
    assert not await pages.gone()
    await pages.until(gone=True)
    assert pages.changes() == before + 1, "the pages of the others hear of it"
    pages.open(there=True)
    await pages.until(gone=False)


@looped
@pytest.mark.parametrize("there", [False, True])
async def test_a_page_that_is_loaded_again_is_not_marked(room: Classroom, there: bool) -> None:
    pages = Pages(room)
    close, before = pages.open(), pages.changes()
    await pages.known(1)
    await close()
    pages.open(there=there)
    await settled()
    assert not await pages.gone()
    assert pages.changes() == before


@looped
@pytest.mark.parametrize("there", [False, True])
async def test_one_of_two_pages_of_a_table_may_be_closed(room: Classroom, there: bool) -> None:
    pages = Pages(room)
    close, before = pages.open(), pages.changes()
    pages.open(there=there)
    await pages.known(2)
    await close()
    await settled()
    assert not await pages.gone()
    assert pages.changes() == before


@looped
async def test_a_page_that_closes_before_its_seat_is_known(room: Classroom) -> None:
    pages = Pages(room)
    await pages.open()()
    await pages.until(gone=True)


@looped
async def test_a_child_who_signs_out_is_marked_too(room: Classroom) -> None:
    pages = Pages(room)
    close = pages.open()
    await pages.known(1)
    with room.app.app_context(), write_unit():
        sessions.end_all(child_id=room.children["Mia"])
    await close()
    await pages.until(gone=True)


@looped
async def test_nobody_is_marked_when_the_server_stops(room: Classroom) -> None:
    pages = Pages(room)
    first, second = pages.open(), pages.open(name="Ben")
    await pages.known(2)
    await second()
    pages.leaving.stop()
    await first()
    await settled()
    assert not await pages.gone()
    assert pages.changes() == 0
