"""Event streams, driven as by an ASGI server, without a network."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask, Response, request

from classroom.hub import Hub
from classroom.live.answers import environ_of
from classroom.live.streams import BEHIND, Jobs, Manner, Streams
from tests.loops import in_a_loop


@dataclass
class Table:
    """Stands in for the page's route: a table at some move, and whether the session is valid."""

    seq: int = 40
    status: int = 200
    asked: list[dict[str, Any]] = field(default_factory=list)
    slow: threading.Event = field(default_factory=threading.Event)  # while set, it answers at once

    def __post_init__(self) -> None:
        self.slow.set()


class Browser:
    """One reader of a stream."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.left = asyncio.Event()
        self.came = asyncio.Event()
        self.told: Callable[[int], object] = lambda _seq: None

    async def receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(dict(message))
        self.came.set()

    @property
    def text(self) -> str:
        return b"".join(part.get("body", b"") for part in self.sent[1:]).decode()

    @property
    def tables(self) -> list[str]:
        return [line[4:] for line in self.text.splitlines() if line.startswith("id: ")]

    @property
    def ids(self) -> list[int]:
        return [int(name) for name in self.tables]

    async def until(self, true: Callable[[], bool], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, self.text
            await asyncio.sleep(0.005)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def app(table: Table) -> Flask:
    app = Flask(__name__)

    @app.get("/play/rounds/7/events")
    def events() -> Response:
        table.asked.append(
            {
                "cookie": request.headers.get("Cookie"),
                "encoding": "Accept-Encoding" in request.headers,
            }
        )
        seq = table.seq
        table.slow.wait(5)
        if table.status != 200:
            return Response(status=table.status)
        if request.headers.get("Last-Event-ID") == str(seq):
            return Response(": nothing new\n\n", mimetype="text/event-stream")
        return Response(f"id: {seq}\ndata: <main>{seq}</main>\n\n")

    return app


def scope(**headers: str) -> dict[str, Any]:
    listed = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": "/play/rounds/7/events", "query_string": b"", "root_path": "",
        "headers": [(b"host", b"localhost"), *listed], "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 5),
    }  # fmt: skip


def stream(
    app: Flask, talk: Callable[[Browser, Hub, Streams], Awaitable[None]], ping: float = 15.0,
    **headers: str,
) -> Browser:  # fmt: skip
    """Open a stream, run `talk`, and leave. The stream must then end by itself."""

    async def run() -> Browser:
        hub, streams, browser = Hub(), Streams(ThreadPoolExecutor(1), ping), Browser()
        serving = asyncio.create_task(
            streams.serve(app, hub, 7, scope(**headers), browser.receive, browser.send)
        )
        try:
            await talk(browser, hub, streams)
        finally:
            browser.left.set()
            await asyncio.wait_for(serving, 2)
            assert 7 not in hub.topics()
            assert not streams._open
        return browser

    return in_a_loop(run())


async def first(browser: Browser, _hub: Hub, _streams: Streams) -> None:
    await browser.until(lambda: len(browser.sent) > 1)


def test_the_whole_table_comes_at_once_with_its_number(app: Flask) -> None:
    browser = stream(app, first)
    assert browser.sent[0]["status"] == 200
    assert dict(browser.sent[0]["headers"])[b"content-type"].startswith(b"text/event-stream")
    assert dict(browser.sent[0]["headers"])[b"cache-control"] == b"no-store"
    assert browser.text.startswith("id: 40\ndata: <main>40</main>\n\n")


def test_a_browser_that_is_up_to_date_is_not_sent_the_table_again(app: Flask) -> None:
    assert stream(app, first, last_event_id="40").ids == []
    assert stream(app, first, last_event_id="39").ids == [40]


def test_a_page_that_was_ahead_of_a_restored_school_gets_its_table(app: Flask) -> None:
    assert stream(app, first, last_event_id="41").ids == [40]


def test_a_notice_brings_the_new_table(app: Flask, table: Table) -> None:
    async def talk(browser: Browser, hub: Hub, _streams: Streams) -> None:
        for seq in (41, 42, 43):
            await browser.until(lambda seq=seq: browser.ids[-1:] == [seq - 1])
            table.seq = seq
            hub.tell(7, seq)
        await browser.until(lambda: browser.ids == [40, 41, 42, 43])

    stream(app, talk)


def test_many_notices_at_once_can_become_one_table_but_the_last_is_shown(
    app: Flask, table: Table
) -> None:
    async def talk(browser: Browser, hub: Hub, _streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        for seq in range(41, 91):
            table.seq = seq
            hub.tell(7, seq)
        await browser.until(lambda: browser.ids[-1] == 90)
        assert len(browser.ids) < 50
        assert browser.ids == sorted(set(browser.ids))

    stream(app, talk)


def test_the_ping_makes_up_for_a_lost_notice(app: Flask, table: Table) -> None:
    async def talk(browser: Browser, _hub: Hub, _streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        table.seq = 44  # without a notice
        await browser.until(lambda: browser.ids == [40, 44])

    stream(app, talk, ping=0.05)


def test_the_session_is_checked_before_each_table(app: Flask, table: Table) -> None:
    async def talk(browser: Browser, hub: Hub, _streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        table.seq, table.status = 41, 401
        hub.tell(7, 41)
        await browser.until(lambda: browser.sent[-1].get("more_body", False) is False)
        assert browser.ids == [40]
        assert browser.text.endswith("event: bye\ndata: \n\n")

    stream(app, talk, cookie="school=abc", accept_encoding="gzip")
    assert [asked["cookie"] for asked in table.asked] == ["school=abc"] * 2
    assert not any(asked["encoding"] for asked in table.asked)


@pytest.mark.parametrize("status", [302, 401, 403, 404])
def test_a_browser_that_may_not_see_the_table_gets_no_stream(
    app: Flask, table: Table, status: int
) -> None:
    table.status = status
    browser = stream(app, first)
    assert browser.sent[0]["status"] == status
    assert browser.text == ""


def test_a_passing_error_does_not_end_the_stream(app: Flask, table: Table) -> None:
    async def talk(browser: Browser, hub: Hub, _streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        table.seq, table.status = 41, 503
        hub.tell(7, 41)
        await browser.until(lambda: ": later" in browser.text)
        table.status = 200
        await browser.until(lambda: browser.ids == [40, 41])

    stream(app, talk, ping=0.05)


def test_a_browser_that_goes_away_is_noticed_at_once(app: Flask) -> None:
    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        browser.left.set()
        await browser.until(lambda: not streams._open)  # long before the next ping
        assert 7 not in hub.topics()

    stream(app, talk)


def test_every_stream_ends_at_once_when_the_server_stops(app: Flask) -> None:
    async def talk(browser: Browser, _hub: Hub, streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        streams.stop()
        await browser.until(lambda: not streams._open)  # long before the next ping

    stream(app, talk)


def test_a_session_holds_three_streams_of_an_address_and_a_fourth_ends_the_oldest(
    app: Flask, table: Table
) -> None:
    async def run() -> None:
        hub, streams = Hub(), Streams(ThreadPoolExecutor(1))
        readers = [Browser() for _ in range(8)]
        serving = []
        for number, reader in enumerate(readers):  # other cookies change nothing
            cookie = f"x={number}; __Host-school=other{number}; school=mine"
            about = scope(cookie=cookie if number < 5 else f"school=friend{number}")
            serving.append(
                asyncio.create_task(streams.serve(app, hub, 7, about, reader.receive, reader.send))
            )
            await reader.until(lambda reader=reader: reader.ids == [40])
        table.seq = 41
        hub.tell(7, 41)
        await readers[-1].until(lambda: all(r.ids == [40, 41] for r in readers[2:]))
        for old in readers[:2]:
            assert old.text.endswith("event: enough\ndata: \n\n")
            assert old.sent[-1].get("more_body", False) is False
        streams.stop()
        await asyncio.wait_for(asyncio.gather(*serving), 2)
        assert not streams._held

    in_a_loop(run())


def test_hundreds_of_streams_of_one_session_cost_a_few_pictures(app: Flask, table: Table) -> None:
    async def run() -> None:
        hub, streams = Hub(), Streams(ThreadPoolExecutor(1))
        readers = [Browser() for _ in range(300)]
        table.slow.clear()
        about = scope(cookie="school=mine")
        serving = [
            asyncio.create_task(streams.serve(app, hub, 7, about, r.receive, r.send))
            for r in readers
        ]
        await asyncio.sleep(0.1)
        table.slow.set()
        await readers[-1].until(lambda: readers[-1].ids == [40], 10)
        assert len(table.asked) <= 5
        streams.stop()
        await asyncio.wait_for(asyncio.gather(*serving), 2)

    in_a_loop(run())


def test_one_picture_is_made_for_all_streams_that_wait_for_the_same(
    app: Flask, table: Table
) -> None:
    async def run() -> None:
        hub, threads = Hub(), ThreadPoolExecutor(1)
        streams, readers = Streams(threads), [Browser() for _ in range(3)]
        serving = [
            asyncio.create_task(
                streams.serve(app, hub, 7, scope(cookie="school=a"), r.receive, r.send)
            )
            for r in readers
        ]
        await readers[-1].until(lambda: all(r.ids == [40] for r in readers))
        asked, busy = len(table.asked), threading.Event()
        threads.submit(busy.wait, 5)  # keeps the thread until all of them wait for it
        table.seq = 41
        hub.tell(7, 41)
        await asyncio.sleep(0.05)
        busy.set()
        await readers[-1].until(lambda: all(r.ids == [40, 41] for r in readers))
        assert len(table.asked) == asked + 1
        assert not streams.jobs.queued
        streams.stop()
        await asyncio.wait_for(asyncio.gather(*serving), 2)

    in_a_loop(run())


def test_pages_of_one_browser_that_had_other_tables_get_an_answer_each(app: Flask) -> None:
    async def run() -> None:
        jobs, path = Jobs(ThreadPoolExecutor(1)), environ_of(scope(cookie="school=a"))
        asked = [jobs.ask(app, None, path | {"HTTP_LAST_EVENT_ID": had}) for had in ("40", "39")]
        up_to_date, behind = await asyncio.gather(*asked)
        assert b"nothing new" in up_to_date.body
        assert b"id: 40" in behind.body

    in_a_loop(run())


def test_a_picture_already_begun_does_not_serve_later_news(app: Flask, table: Table) -> None:
    async def run() -> None:
        hub, streams = Hub(), Streams(ThreadPoolExecutor(2))
        readers = [Browser(), Browser()]
        serving = [
            asyncio.create_task(
                streams.serve(app, hub, 7, scope(cookie="school=a"), r.receive, r.send)
            )
            for r in readers
        ]
        await readers[0].until(lambda: all(r.ids == [40] for r in readers))
        first, second = streams._open[(hub, 7, b"school=a")]
        asked = len(table.asked)
        table.slow.clear()
        table.seq = 41
        first.hear(41)
        await readers[0].until(lambda: len(table.asked) == asked + 1)  # it fetches table 41
        table.seq = 42
        second.hear(42)
        await readers[0].until(lambda: len(table.asked) == asked + 2)
        table.slow.set()
        await readers[1].until(lambda: readers[1].ids == [40, 42])
        streams.stop()
        await asyncio.wait_for(asyncio.gather(*serving), 2)

    in_a_loop(run())


def test_a_waiting_stream_holds_no_thread(app: Flask, table: Table) -> None:
    async def run() -> None:
        hub, streams = Hub(), Streams(ThreadPoolExecutor(1))
        browsers = [Browser() for _ in range(200)]
        serving = [
            asyncio.create_task(streams.serve(app, hub, 7, scope(), b.receive, b.send))
            for b in browsers
        ]
        await browsers[-1].until(lambda: all(b.ids == [40] for b in browsers), 10)
        table.seq = 41
        hub.tell(7, 41)
        await browsers[-1].until(lambda: all(b.ids == [40, 41] for b in browsers), 10)
        streams.stop()
        await asyncio.wait_for(asyncio.gather(*serving), 2)

    in_a_loop(run())


def test_an_unhurried_stream_tells_the_newest_and_ends_at_once(app: Flask, table: Table) -> None:
    async def run() -> None:
        hub, streams, browser = Hub(), Streams(ThreadPoolExecutor(1)), Browser()
        serving = asyncio.create_task(
            streams.serve(app, hub, 7, scope(), browser.receive, browser.send, Manner(every=0.4))
        )
        await browser.until(lambda: browser.ids == [40])
        began = time.monotonic()
        for table.seq in (41, 42, 43):
            hub.tell(7, table.seq)
            await asyncio.sleep(0.02)
        await browser.until(lambda: browser.ids == [40, 43])
        assert time.monotonic() - began >= 0.35
        table.seq = 44
        hub.tell(7, 44)
        await asyncio.sleep(0.05)
        streams.stop()
        await asyncio.wait_for(serving, 0.2)
        assert browser.ids == [40, 43]

    in_a_loop(run())


# ---- what an answer has already brought


def answering(browser: Browser, table: Table, mark: bool = True) -> Callable[..., Awaitable[None]]:
    """Make an app that answers a move by this browser's page. `mark`: the answer says which table
    it brings."""

    async def pages(_scope: Any, _receive: Any, send: Any) -> None:
        asked = len(table.asked)
        table.seq += 1
        seq = table.seq
        browser.told(seq)
        await asyncio.sleep(0.05)  # the answer is being made
        assert len(table.asked) == asked, "its stream does not ask meanwhile"
        headers = [(b"last-event-id", str(seq).encode())] if mark else []
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return pages


async def move(streams: Streams, hub: Hub, pages: Any, **headers: str) -> None:
    """Let the page send its move."""

    async def nothing(_message: Any) -> None:
        return

    await streams.answer(pages, hub, 7, scope(**headers), nothing, nothing)  # type: ignore[arg-type]


def test_the_stream_does_not_repeat_what_the_answer_brought(app: Flask, table: Table) -> None:
    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        browser.told = lambda seq: hub.tell(7, seq)
        await move(streams, hub, answering(browser, table), cookie="school=a")
        await asyncio.sleep(0.1)
        assert len(table.asked) == 1, "nobody asks for what is there already"
        table.seq = 42
        hub.tell(7, 42)
        await browser.until(lambda: browser.ids == [40, 42])

    stream(app, talk, cookie="school=a")


def test_news_that_arrives_during_the_answer_comes_after_it(app: Flask, table: Table) -> None:
    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        def also(seq: int) -> None:
            hub.tell(7, seq)
            table.seq = seq + 1  # a friend's move
            hub.tell(7, seq + 1)

        await browser.until(lambda: browser.ids == [40])
        browser.told = also
        await move(streams, hub, answering(browser, table), cookie="school=a")
        await browser.until(lambda: browser.ids == [40, 42])

    stream(app, talk, cookie="school=a")


@pytest.mark.parametrize(
    ("before", "notices"),
    [
        (40, 2),  # a move and a pause
        (39, 1),  # a repeated tap, whose table (move 40) the page has already, and then a pause
    ],
)
def test_another_change_with_the_number_of_the_answer_is_fetched(
    app: Flask, table: Table, before: int, notices: int
) -> None:
    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        table.seq = before
        browser.told = lambda seq: [hub.tell(7, seq) for _ in range(notices)]
        await move(streams, hub, answering(browser, table), cookie="school=a")
        await browser.until(lambda: len(table.asked) == 2)

    stream(app, talk, cookie="school=a")


async def held_up(browser: Browser, hub: Hub, table: Table) -> None:
    """Hold up the stream's second request, which asks for move 41."""
    await browser.until(lambda: browser.ids == [40])
    table.slow.clear()
    table.seq = 41
    hub.tell(7, 41)
    await browser.until(lambda: len(table.asked) == 2)


def test_a_table_overtaken_by_an_answer_is_not_shown_after_it(app: Flask, table: Table) -> None:
    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        await held_up(browser, hub, table)
        page = answering(browser, Table(seq=41))
        await move(streams, hub, page, cookie="school=a")
        table.slow.set()
        await browser.until(lambda: ": the page has it" in browser.text)
        assert browser.ids == [40]
        table.seq = 43
        hub.tell(7, 43)
        await browser.until(lambda: browser.ids == [40, 43])

    stream(app, talk, cookie="school=a")


def test_a_table_with_as_many_moves_as_the_answer_is_shown(app: Flask, table: Table) -> None:
    """No move came, but the table may still be newer: the lesson may have been paused."""

    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        await held_up(browser, hub, table)
        await move(streams, hub, answering(browser, Table(seq=40)), cookie="school=a")
        table.slow.set()
        await browser.until(lambda: browser.ids == [40, 41])

    stream(app, talk, cookie="school=a")


@pytest.mark.parametrize(("cookie", "mark"), [("school=b", True), ("school=a", False)])
def test_a_page_without_the_table_in_its_answer_gets_it_by_its_stream(
    app: Flask, table: Table, cookie: str, mark: bool
) -> None:
    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        answer = answering(browser, Table(), mark)
        await move(streams, hub, answer, cookie=cookie)
        table.seq = 41
        hub.tell(7, 41)
        await browser.until(lambda: browser.ids == [40, 41])

    stream(app, talk, cookie="school=a")


def test_two_pages_of_one_browser_both_get_everything(app: Flask, table: Table) -> None:
    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        other = Browser()
        serving = asyncio.create_task(
            streams.serve(app, hub, 7, scope(cookie="school=a"), other.receive, other.send)
        )
        await other.until(lambda: browser.ids == other.ids == [40])
        await move(streams, hub, answering(other, Table()), cookie="school=a")
        table.seq = 41
        hub.tell(7, 41)
        await other.until(lambda: browser.ids == other.ids == [40, 41])
        other.left.set()
        await asyncio.wait_for(serving, 2)

    stream(app, talk, cookie="school=a")


def test_a_failed_answer_keeps_nothing_from_its_stream(app: Flask, table: Table) -> None:
    async def fails(*_: Any) -> None:
        table.seq = 41
        raise ConnectionError

    async def talk(browser: Browser, hub: Hub, streams: Streams) -> None:
        await browser.until(lambda: browser.ids == [40])
        with pytest.raises(ConnectionError):
            await move(streams, hub, fails, cookie="school=a")
        await browser.until(lambda: browser.ids == [40, 41])

    stream(app, talk, cookie="school=a")


# ---- messages made together


@dataclass
class Together:
    """Makes messages for several streams at once. `left_out`: how many of them it leaves to the
    page's route."""

    table: Table
    left_out: int = 0
    fails: bool = False
    jobs: list[list[str]] = field(default_factory=list)

    def __call__(self, asked: Any) -> list[bytes | None]:
        self.jobs.append([environ["HTTP_COOKIE"] for environ in asked])
        if self.fails:
            raise ZeroDivisionError
        seq, own = self.table.seq, len(asked) - self.left_out
        made = [f"id: {seq}\ndata: {environ['HTTP_COOKIE']}\n\n".encode() for environ in asked]
        return [*made[:own], *(None for _ in asked[own:])]


def together(
    app: Flask, made: Together, talk: Callable[[list[Browser], Hub, Streams], Awaitable[None]]
) -> list[Browser]:
    """Open the streams of three browsers at one table, and run `talk`."""

    async def run() -> list[Browser]:
        hub, streams = Hub(), Streams(ThreadPoolExecutor(1))
        readers = [Browser() for _ in range(3)]
        serving = [
            asyncio.create_task(
                streams.serve(
                    app, hub, 7, scope(cookie=f"school={number}"), reader.receive, reader.send,
                    Manner(news=made),
                )
            )
            for number, reader in enumerate(readers)
        ]  # fmt: skip
        await readers[0].until(lambda: all(reader.ids == [40] for reader in readers))
        made.table.seq = 41
        await talk(readers, hub, streams)
        streams.stop()
        await asyncio.wait_for(asyncio.gather(*serving), 2)
        assert not streams.jobs.queued
        return readers

    return in_a_loop(run())


async def told(readers: list[Browser], hub: Hub, _streams: Streams) -> None:
    hub.tell(7, 41)
    await readers[0].until(lambda: all(reader.ids == [40, 41] for reader in readers))


def test_one_notice_is_one_job_for_all_streams_of_a_table(app: Flask, table: Table) -> None:
    made = Together(table)
    readers = together(app, made, told)
    assert [sorted(job) for job in made.jobs] == [["school=0", "school=1", "school=2"]]
    for number, reader in enumerate(readers):
        assert f"data: school={number}\n" in reader.text, "each gets its own"
        assert "data: school=" in reader.text
        assert sum(f"school={other}" in reader.text for other in range(3)) == 1
    assert len(table.asked) == 3, "the route made the first messages only"


def test_the_pages_route_answers_whoever_is_left_to_it(app: Flask, table: Table) -> None:
    made = Together(table, left_out=2)
    readers = together(app, made, told)
    assert len(table.asked) == 5
    assert sum("data: <main>41</main>" in reader.text for reader in readers) == 2


def test_a_stream_that_the_route_refuses_ends_and_the_others_go_on(
    app: Flask, table: Table
) -> None:
    async def refused(readers: list[Browser], hub: Hub, _streams: Streams) -> None:
        table.status = 401
        hub.tell(7, 41)
        await readers[0].until(lambda: sum(r.ids == [40, 41] for r in readers) == 2)
        await readers[0].until(lambda: sum("event: bye" in r.text for r in readers) == 1)

    together(app, Together(table, left_out=1), refused)


def test_the_route_answers_all_if_their_messages_cannot_be_made_together(
    app: Flask, table: Table
) -> None:
    together(app, Together(table, fails=True), told)
    assert len(table.asked) == 6


def test_a_page_that_can_wait_waits_while_jobs_for_tables_queue_up(
    app: Flask, table: Table
) -> None:
    async def run() -> None:
        hub, tables, browser = Hub(), Streams(ThreadPoolExecutor(1)), Browser()
        classes = Streams(ThreadPoolExecutor(1))
        calm = Manner(busy=lambda: tables.are_behind)
        serving = asyncio.create_task(
            classes.serve(app, hub, 7, scope(), browser.receive, browser.send, calm)
        )
        await browser.until(lambda: browser.ids == [40])
        held = threading.Event()
        tables.threads.submit(held.wait, 5)
        others = [
            asyncio.create_task(
                tables.jobs.ask(app, None, {**environ_of(scope()), "HTTP_COOKIE": f"x={number}"})
            )
            for number in range(BEHIND)
        ]
        await asyncio.sleep(0)
        table.seq = 41
        hub.tell(7, 41)
        await asyncio.sleep(0.3)
        assert browser.ids == [40]
        held.set()
        await asyncio.gather(*others)
        await browser.until(lambda: browser.ids == [40, 41], 3)
        classes.stop()
        await asyncio.wait_for(serving, 2)

    in_a_loop(run())
