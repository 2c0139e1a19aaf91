"""A browser that sends hundreds of requests delays only itself."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from classroom.live.pools import Pool, Turns
from tests.loops import in_a_loop


def test_waiting_browsers_take_turns() -> None:
    came: list[str] = []

    async def one(turns: Turns, browser: str) -> None:
        async with turns.turn(lambda: ("here", browser)):
            came.append(browser)
            await asyncio.sleep(0)

    async def run() -> None:
        turns = Turns(1)
        async with turns.turn(lambda: ("here", "before")):
            waiting = [asyncio.create_task(one(turns, who)) for who in "aaaaaabbc"]
            await asyncio.sleep(0.01)
        await asyncio.gather(*waiting)

    in_a_loop(run())
    assert "".join(came) == "abcabaaaa"


def test_a_place_is_free_again_whatever_happens_to_waiting_requests() -> None:
    async def run() -> None:
        turns = Turns(2)

        async def hold(event: asyncio.Event) -> None:
            async with turns.turn(lambda: ("here", "a")):
                await event.wait()

        go = asyncio.Event()
        inside = [asyncio.create_task(hold(go)) for _ in range(2)]
        await asyncio.sleep(0)
        given_up = [asyncio.create_task(hold(go)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in given_up[:3]:
            task.cancel()
        inside[0].cancel()
        go.set()
        await asyncio.gather(*inside, *given_up, return_exceptions=True)
        assert turns._free == 2
        assert not turns._waiting

    in_a_loop(run())


def test_a_place_for_a_request_that_is_just_cancelled_is_passed_on() -> None:
    async def run() -> None:
        turns = Turns(1)

        async def hold() -> None:
            async with turns.turn(lambda: ("here", "a")):
                pass

        async with turns.turn(lambda: ("here", "a")):
            leaves, stays = asyncio.create_task(hold()), asyncio.create_task(hold())
            await asyncio.sleep(0)
        leaves.cancel()  # its turn has come, but it has not run yet
        await asyncio.wait_for(stays, 1)
        assert turns._free == 1

    in_a_loop(run())


def test_one_browsers_hundreds_of_requests_do_not_delay_another() -> None:
    done: list[str] = []

    async def run() -> None:
        pool = Pool(ThreadPoolExecutor(1), whose=lambda environ: ("here", environ["who"]))
        greedy = [pool.run({"who": "a"}, partial(done.append, "a")) for _ in range(300)]
        tasks = [asyncio.create_task(one) for one in greedy]
        await asyncio.sleep(0)
        await pool.run({"who": "b"}, partial(done.append, "b"))
        assert done.index("b") < 10
        await asyncio.gather(*tasks)

    in_a_loop(run())
    assert len(done) == 301


def test_made_up_browsers_get_no_additional_turns() -> None:
    done: list[str] = []

    async def run() -> None:
        pool = Pool(ThreadPoolExecutor(1), whose=lambda environ: environ["who"])
        forged = [
            asyncio.create_task(pool.run({"who": ("there", n)}, partial(done.append, "forged")))
            for n in range(300)
        ]
        await asyncio.sleep(0)
        await pool.run({"who": ("here", "a")}, partial(done.append, "teacher"))
        assert done.index("teacher") < 10
        await asyncio.gather(*forged)

    in_a_loop(run())


def test_work_that_fails_gives_its_place_back() -> None:
    async def run() -> None:
        pool = Pool(ThreadPoolExecutor(1))
        for _ in range(5):
            with pytest.raises(ZeroDivisionError):
                await pool.run({}, lambda: 1 / 0)
        assert await asyncio.wait_for(pool.run({}, lambda: 7), 5) == 7

    in_a_loop(run())
