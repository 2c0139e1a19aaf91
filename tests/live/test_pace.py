"""Guessing is slowed down. A right code may have to wait behind guesses, but is not locked out."""

from __future__ import annotations

import asyncio

import pytest

from classroom.live import bounds
from classroom.live.answers import RawResponse
from classroom.live.bounds import Pace
from tests.loops import in_a_loop


def answer(status: int | None) -> RawResponse | None:
    return None if status is None else RawResponse(status, [], b"")


class Tries:
    """Tries at a way in, and when each was checked, with a clock that only sleeping moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, free: int = 3, every: float = 4.0) -> None:
        self.now = 1000.0
        self.looked: list[float] = []
        self.slowed: list[str] = []
        self.pace = Pace(free, every, self.slowed.append, clock=lambda: self.now)
        monkeypatch.setattr(bounds.asyncio, "sleep", self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.now += seconds

    async def at(self, status: int | None, network: str = "a", device: str = "") -> None:
        async def look() -> RawResponse | None:
            self.looked.append(self.now)
            return answer(status)

        await self.pace.answer(network, device, look)


def test_after_some_wrong_tries_each_wrong_one_makes_the_next_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries = Tries(monkeypatch)

    async def run() -> None:
        for _ in range(6):
            await tries.at(404)

    in_a_loop(run())
    assert tries.looked == [1000.0, 1000.0, 1000.0, 1004.0, 1008.0, 1012.0]
    assert tries.slowed == ["a"], "it is told once"


def test_a_right_try_waits_for_one_wrong_one_at_most_and_delays_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries = Tries(monkeypatch)

    async def run() -> None:
        for status in (404, 404, 404, 303, 303, 303):
            await tries.at(status)

    in_a_loop(run())
    assert tries.looked[3:] == [1004.0, 1004.0, 1004.0]


def test_sending_all_tries_at_once_does_not_help() -> None:
    looked = 0

    async def run() -> None:
        door = Pace(60, 30.0)

        async def wrong() -> RawResponse | None:
            nonlocal looked
            looked += 1
            await asyncio.sleep(0.001)
            return answer(404)

        tries = [asyncio.create_task(door.answer("a", "", wrong)) for _ in range(1000)]
        await asyncio.sleep(0.5)
        assert 60 <= looked <= 121
        for one in tries:
            one.cancel()

    in_a_loop(run())


def test_a_whole_school_that_comes_at_once_is_let_in_at_once() -> None:
    async def run() -> None:
        door = Pace(60, 30.0)

        async def right() -> RawResponse | None:
            await asyncio.sleep(0.001)
            return answer(303)

        came = await asyncio.wait_for(
            asyncio.gather(*(door.answer("a", "", right) for _ in range(400))), 5
        )
        assert None not in came

    in_a_loop(run())


def test_another_network_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch)

    async def run() -> None:
        for _ in range(9):
            await tries.at(401)
        now = tries.now
        await tries.at(303, "b")
        assert tries.looked[-1] == now

    in_a_loop(run())


def test_very_many_wrong_tries_in_a_day_make_each_wait_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "VERY_MANY", 5)
    tries = Tries(monkeypatch)

    async def run() -> None:
        for _ in range(8):
            await tries.at(404)
        assert tries.looked[4] - tries.looked[3] == 4.0
        assert tries.looked[7] - tries.looked[6] == 16.0
        tries.now += bounds.DAY
        for _ in range(5):
            await tries.at(404)
        assert tries.looked[-1] - tries.looked[-2] == 4.0

    in_a_loop(run())


def test_an_answer_without_a_check_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch)

    async def run() -> None:
        for status in (303, 200, 403, 413, 429, 503, None) * 5:
            await tries.at(status)

    in_a_loop(run())
    assert set(tries.looked) == {1000.0}


def test_wrong_tries_are_forgotten_after_ten_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = Tries(monkeypatch)

    async def run() -> None:
        for _ in range(5):
            await tries.at(404)
        tries.now += 600
        await tries.at(404)
        await tries.at(404)

    in_a_loop(run())
    assert tries.looked[-1] == tries.looked[-2]


def test_too_many_waiting_tries_are_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_WAITING", 2)

    async def run() -> None:
        slow, inside = Pace(1, 0.0), asyncio.Event()

        async def wrong() -> RawResponse | None:
            return answer(404)

        async def hold() -> RawResponse | None:
            await inside.wait()
            return answer(303)

        await slow.answer("a", "", wrong)
        waiting = [asyncio.create_task(slow.answer("a", "", hold)) for _ in range(4)]
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert [one.result() for one in done] == [None]
        inside.set()
        assert sum(one is not None for one in await asyncio.gather(*waiting)) == 3

    in_a_loop(run())


class Queue:
    """One slow network, in which tries wait until `go_on` answers the one whose turn it is."""

    def __init__(self) -> None:
        self.pace, self.looked = Pace(1, 0.0), list[str]()
        self._tries: list[asyncio.Task[RawResponse | None]] = []
        self._answers: dict[str, asyncio.Queue[int]] = {}

    async def begin(self) -> Queue:
        """Make the network slow, and let a first try be answered for as long as is wanted."""
        await self.pace.answer("a", "first", self._look("first", 404))
        self.come("holding")
        while self.looked[-1] != "holding":
            await asyncio.sleep(0)
        return self

    def come(self, *devices: str) -> None:
        for device in devices:
            self._answers.setdefault(device, asyncio.Queue())
            asked = self.pace.answer("a", device, self._look(device))
            self._tries.append(asyncio.create_task(asked))

    def _look(self, device: str, at_once: int = 0) -> bounds.Try:
        async def look() -> RawResponse | None:
            self.looked.append(device)
            return answer(at_once or await self._answers[device].get())

        return look

    async def go_on(self, status: int = 404) -> str:
        """Answer the try whose turn it is; returns the device of the next one."""
        before = len(self.looked)
        self._answers[self.looked[-1]].put_nowait(status)
        async with asyncio.timeout(5):
            while len(self.looked) == before and not all(one.done() for one in self._tries):
                await asyncio.sleep(0)
        return self.looked[-1]

    async def refused(self) -> int:
        await asyncio.sleep(0.01)
        return sum(one.done() and one.result() is None for one in self._tries)


def test_the_device_with_fewest_wrong_tries_is_next() -> None:
    async def run() -> None:
        queue = await Queue().begin()
        queue.come("a", "b", "c", "a", "b", "c")
        assert [await queue.go_on() for _ in range(3)] == ["a", "b", "c"], "in turn"
        queue.come("new")
        assert await queue.go_on() == "new"
        assert [await queue.go_on(303) for _ in range(3)] == ["a", "b", "c"]
        await queue.go_on(303)

    in_a_loop(run())


def test_a_full_queue_loses_a_try_of_the_device_that_has_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "MOST_WAITING", 5)

    async def run() -> None:
        queue = await Queue().begin()
        queue.come("a", "b", "b", "b", "c")
        assert await queue.refused() == 0
        queue.come("new", "newer")
        assert await queue.refused() == 2
        assert [await queue.go_on(303) for _ in range(5)] == ["a", "c", "new", "newer", "b"]
        await queue.go_on(303)

    in_a_loop(run())


def test_a_try_that_is_given_up_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "LONGEST_WAIT", 0.02)

    async def run() -> None:
        queue = await Queue().begin()
        queue.come("a", "b")
        await asyncio.sleep(0.2)
        assert await queue.refused() == 2, "they waited too long"
        monkeypatch.setattr(bounds, "LONGEST_WAIT", 30.0)
        queue.come("gone", "c")
        await asyncio.sleep(0)
        queue._tries[-2].cancel()
        await asyncio.sleep(0)
        queue._tries.pop(-2)
        assert await queue.go_on(303) == "c"
        await queue.go_on(303)

    in_a_loop(run())


def test_the_number_of_remembered_networks_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "NETWORKS", 10)
    tries = Tries(monkeypatch)

    async def run() -> None:
        for number in range(50):
            await tries.at(404, str(number))

    in_a_loop(run())
    assert len(tries.pace._networks) == 10
