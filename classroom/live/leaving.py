"""The stream notices when a child closes its table's page, and the child is marked for the others.

A page that is only reloaded opens its stream again within GRACE seconds, so nothing is marked. It
may do so in another process. So each process tells the others through the hub when a seat has a
stream, and asks them when a stream has ended.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from typing import Any, Final

from flask import Flask

from classroom.hub import Hub, Topic
from classroom.services.access import sessions
from classroom.services.base.errors import guard
from classroom.services.lesson import live_class

GRACE: Final = 4.0  # seconds within which a reloaded page has to come back
Seat = tuple[Hub, int, int]
"""A seat of a round: the hub of its school, the round, and the number of the seat."""


class Leaving:
    """Watches the streams of tables of one school in this process. Everything but the database is
    done in the event loop's thread. `threads` read and write."""

    def __init__(self, app: Flask, threads: Executor, grace: float = GRACE) -> None:
        self._app, self._threads, self._grace = app, threads, grace
        self._open: Counter[Seat] = Counter()
        self._left: dict[Seat, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    def stop(self) -> None:
        """Mark nobody from now on: the server ends the streams itself."""
        self._stopped = True
        for timer in self._left.values():
            timer.cancel()

    async def watch(
        self, hub: Hub, round_id: int, tokens: Collection[str], stream: Awaitable[object]
    ) -> None:
        """Wait for the stream of a table, opened by a browser with these session tokens."""
        seat = asyncio.ensure_future(self._work(partial(_seat_of, round_id, tokens)))
        came = asyncio.ensure_future(self._came(hub, round_id, seat))
        try:
            await stream
        finally:
            self._keep(asyncio.ensure_future(self._went(came)))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _came(
        self, hub: Hub, round_id: int, found: Awaitable[Any]
    ) -> tuple[Seat, Callable[[], None]] | None:
        """Note that this seat has a stream. Returns the seat, and a function that stops answering
        other processes about it; None if the browser has no seat in the round."""
        number = await found
        if number is None:
            return None
        seat = hub, round_id, number
        self._open[seat] += 1
        self._back(seat)
        loop = asyncio.get_running_loop()

        def asked(_topic: Topic, number: int) -> None:
            loop.call_soon_threadsafe(self._asked, (hub, round_id, number))

        leave = hub.subscribe(_left(round_id), asked)
        hub.tell(_here(round_id), number)
        await self._work(partial(live_class.at_page, round_id, number, there=True))
        return seat, leave

    def _asked(self, seat: Seat) -> None:
        """A stream of this seat has ended elsewhere: tell the other processes if the seat has one
        in this process."""
        if self._open[seat]:
            seat[0].tell(_here(seat[1]), seat[2])

    def _back(self, seat: Seat) -> None:
        timer = self._left.pop(seat, None)
        if timer is not None:
            timer.cancel()

    async def _went(self, came: Awaitable[tuple[Seat, Callable[[], None]] | None]) -> None:
        found = await came
        if found is None:
            return
        seat, leave = found
        leave()
        self._open[seat] -= 1
        if self._open[seat] > 0 or self._stopped:
            return
        del self._open[seat]
        hub, round_id, number = seat
        loop = asyncio.get_running_loop()

        def back(_topic: Topic, number: int) -> None:
            loop.call_soon_threadsafe(self._back, (hub, round_id, number))

        leave = hub.subscribe(_here(round_id), back)
        self._back(seat)
        self._left[seat] = loop.call_later(self._grace, self._gone, seat)
        loop.call_later(self._grace, leave)
        hub.tell(_left(round_id), number)

    def _gone(self, seat: Seat) -> None:
        del self._left[seat]
        _, round_id, number = seat
        work = self._work(partial(live_class.at_page, round_id, number, there=False))
        self._keep(asyncio.ensure_future(work))

    async def _work(self, work: Callable[[], Any]) -> Any:
        """Do this in a thread with a database session. If it fails, only the mark is missing."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._done, work)

    def _done(self, work: Callable[[], Any]) -> Any:
        with suppress(Exception), self._app.app_context(), guard("note who is at a table's page"):
            return work()
        return None


def _seat_of(round_id: int, tokens: Collection[str]) -> int | None:
    found = sessions.at_table(round_id, tokens).values()
    return next((one.seat for one in found if one.seat is not None), None)


def _here(round_id: int) -> Topic:
    return "here", round_id


def _left(round_id: int) -> Topic:
    return "left", round_id
