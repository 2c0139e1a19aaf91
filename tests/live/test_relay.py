"""Notices from process to process. Each process has an engine, and so a hub, of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import create_engine
from sqlalchemy.engine import Engine

from classroom.hub import SCHOOL_TOPIC, Topic, class_topic, hub_of, live_topic
from tests import clusters

pytest.importorskip("psycopg")

from classroom import postgres as relays
from classroom.postgres import Relay, messages, read, written

SOON = 6.0  # seconds: twice what is promised, since the machine may be busy
Heard = list[tuple[Topic, int]]


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


# ---- as text


@pytest.mark.parametrize("topic", [17, class_topic(5), live_topic(5), SCHOOL_TOPIC])
def test_a_notice_is_read_as_it_was_written(topic: Topic) -> None:
    assert read(written(topic, 43)) == (topic, 43)


@pytest.mark.parametrize("text", ["", "17", "17:", "a b:1", "17:-1", "17:4;x"])
def test_a_notice_that_was_not_written_by_us_is_left_out(text: str) -> None:
    assert read(text) is None


def test_many_notices_are_joined_into_a_few_messages_that_the_server_takes() -> None:
    notices = [written(number, number) for number in range(2_000)]
    found = list(messages("a1b2c3d4", notices))
    assert all(len(message.encode()) < 8_000 for message in found)
    assert len(found) == 3
    parts = [message.split(" ") for message in found]
    assert {first for first, *_ in parts} == {"a1b2c3d4"}
    assert [notice for _, *rest in parts for notice in rest] == notices


# ---- from process to process


class Process:
    """What one process has of a school: an engine, its hub, and a relay between them."""

    def __init__(self, address: str) -> None:
        self.engine: Engine = create_engine(address)
        self.hub, self.led = hub_of(self.engine), list[bool]()
        self.relay = Relay(self.engine, self.hub, self.led.append).start()

    def hears(self, *topics: Topic) -> Heard:
        heard: Heard = []
        for topic in topics:
            self.hub.subscribe(topic, lambda *news: heard.append(news))
        return heard

    @property
    def leads(self) -> bool:
        return self.led[-1:] == [True]

    def stop(self) -> None:
        self.relay.stop()
        assert not self.relay._listener.is_alive()
        assert not self.relay._sender.is_alive()
        self.engine.dispose()


@pytest.fixture
def school(postgres: str) -> Iterator[str]:
    with clusters.database(postgres) as address:
        clusters.run(address, "CREATE TABLE rounds (id integer PRIMARY KEY, moves integer)")
        yield address


Begin = Callable[[], Process]


@pytest.fixture
def begin(school: str) -> Iterator[Begin]:
    begun: list[Process] = []

    def one() -> Process:
        begun.append(Process(school))
        until(lambda: begun[-1].relay._unheard < 0)  # it hears itself, so it hears others
        return begun[-1]

    yield one
    for each in begun:
        each.stop()


def listening(school: str) -> list[int]:
    """The server's processes for the connections that listen."""
    found = clusters.run(
        school,
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid IN "
        "(SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' "
        "OR query LIKE '%pg_try_advisory_lock%' OR query LIKE '%ANY(%') "
        "AND pid <> pg_backend_pid()",
    )
    return [row[0] for row in found]


@contextmanager
def said(caplog: pytest.LogCaptureFixture, words: str) -> Iterator[None]:
    with caplog.at_level(logging.WARNING):
        yield
    assert words in caplog.text


def test_what_one_process_tells_another_hears_in_order(begin: Begin) -> None:
    here, there = begin(), begin()
    heard = there.hears(17, class_topic(5))
    for number in range(40, 45):
        here.hub.tell(17, number)
    here.hub.tell(class_topic(5))
    until(lambda: len(heard) == 6)
    assert heard == [*((17, number) for number in range(40, 45)), (class_topic(5), 0)]


def test_the_same_number_again_is_news_there_too(begin: Begin) -> None:
    here, there = begin(), begin()
    heard = there.hears(17)
    here.hub.tell(17, 43)
    here.hub.tell(17, 43)
    until(lambda: len(heard) == 2)


def test_a_process_hears_what_it_told_itself_once_only(begin: Begin) -> None:
    here, there = begin(), begin()
    mine, theirs = here.hears(17), there.hears(17)
    here.hub.tell(17, 43)
    until(lambda: bool(theirs))
    there.hub.tell(17, 44)
    until(lambda: mine[-1:] == [(17, 44)])
    time.sleep(0.1)  # time enough for an echo
    assert mine == theirs == [(17, 43), (17, 44)]


def test_a_thousand_notices_of_many_threads_all_arrive(begin: Begin) -> None:
    here, there = begin(), begin()
    heard = there.hears(*range(1, 1001))

    def tell(first: int) -> None:
        for number in range(first, 1001, 4):
            here.hub.tell(number, 1)

    threads = [threading.Thread(target=tell, args=(first,)) for first in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: len(heard) == 1000)
    assert {topic for topic, _ in heard} == set(range(1, 1001))


def test_a_cut_connection_is_opened_again_and_wakes_every_page_once(
    begin: Begin, school: str, caplog: pytest.LogCaptureFixture
) -> None:
    here, there = begin(), begin()
    heard = there.hears(17, live_topic(5))
    with said(caplog, "arrive again"):
        for pid in listening(school):
            clusters.run(school, f"SELECT pg_terminate_backend({pid})")
        until(lambda: len(heard) == 2)
    assert sorted(heard, key=str) == [(live_topic(5), 0), (17, 0)]
    until(lambda: here.relay._unheard < 0 and there.relay._unheard < 0)
    here.hub.tell(17, 44)
    until(lambda: heard[-1] == (17, 44))


def test_notices_wait_while_the_sending_connection_is_away(begin: Begin, school: str) -> None:
    here, there = begin(), begin()
    heard = there.hears(17)
    here.hub.tell(17, 43)
    until(lambda: bool(heard))
    clusters.run(
        school,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND query LIKE 'SELECT pg_notify%'",
    )
    here.hub.tell(17, 44)
    until(lambda: heard[-1] == (17, 44), SOON)


def test_after_too_many_notices_everybody_asks(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = begin(), begin()
    heard = there.hears(17, class_topic(5))
    monkeypatch.setattr(relays, "MOST_NOTICES", 6)

    def away() -> None:
        raise relays.psycopg.OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(here.relay, "_connected", away)
        clusters.run(
            here.engine.url.render_as_string(hide_password=False),
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE 'SELECT pg_notify%'",
        )
        # the server ends the connection a moment later, so go on telling
        until(lambda: here.hub.tell(99, 1) or relays.EVERYBODY in here.relay._waiting)
    until(lambda: len(heard) >= 2)
    assert set(heard) == {(17, 0), (class_topic(5), 0)}


def test_a_move_whose_notice_was_lost_is_told_soon(begin: Begin, school: str) -> None:
    """As after a process that died between its commit and its notice."""
    there = begin()
    clusters.run(school, "INSERT INTO rounds VALUES (17, 43)")
    heard = there.hears(17)
    until(lambda: heard == [(17, 43)], SOON)  # it does not know what the page has seen
    clusters.run(school, "UPDATE rounds SET moves = 44 WHERE id = 17")
    until(lambda: heard == [(17, 43), (17, 44)], SOON)
    time.sleep(1.5)
    assert len(heard) == 2


def test_a_move_that_was_told_is_not_told_again(begin: Begin, school: str) -> None:
    there = begin()
    heard = there.hears(17)
    there.hub.tell(17, 43)
    clusters.run(school, "INSERT INTO rounds VALUES (17, 43)")
    time.sleep(1.5)
    assert heard == [(17, 43)]


def test_a_relay_that_does_not_hear_itself_says_so(
    begin: Begin, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As behind a pooler that gives each statement another connection."""
    here = begin()
    monkeypatch.setattr(relays, "TICK", 0.05)
    with said(caplog, "in session mode"):
        here.relay._unheard = 0
        until(lambda: here.relay._unheard == relays.UNHEARD)


# ---- who leads


def test_one_process_leads_and_another_takes_over_soon(begin: Begin) -> None:
    first = begin()
    until(lambda: first.leads)
    second, third = begin(), begin()
    time.sleep(1.5)
    assert not second.leads
    assert not third.leads
    first.stop()
    assert not first.leads
    until(lambda: second.leads or third.leads, SOON)
    assert second.leads != third.leads


def test_the_lead_is_taken_without_a_wait_for_the_next_look(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relays, "TICK", 600.0)
    first = begin()
    until(lambda: first.leads)
    second = begin()
    first.stop()
    until(lambda: second.leads, SOON)


def test_a_leader_whose_connection_is_cut_leads_no_more_until_it_has_the_lock_again(
    begin: Begin, school: str
) -> None:
    first = begin()
    until(lambda: first.leads)
    for pid in listening(school):
        clusters.run(school, f"SELECT pg_terminate_backend({pid})")
    until(lambda: first.led == [True, False, True])
