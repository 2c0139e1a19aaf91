"""Notices: who gets them, what they carry, and that a failing listener does not harm others."""

from __future__ import annotations

import logging
import threading

import pytest

from classroom.hub import ANY, Hub, hub_of


class Engine:
    """Stands in for the engine of a database."""


def test_only_listeners_of_a_round_are_told_of_it() -> None:
    hub, heard = Hub(), []
    hub.subscribe(7, lambda *news: heard.append(news))
    hub.subscribe(8, lambda *news: heard.append(("other", news)))
    hub.tell(7, 43)
    assert heard == [(7, 43)]


def test_a_listener_to_all_rounds_hears_of_each() -> None:
    hub, heard = Hub(), []
    hub.subscribe(ANY, lambda *news: heard.append(news))
    hub.tell(7, 1)
    hub.tell(9, 2)
    assert heard == [(7, 1), (9, 2)]


def test_after_leaving_nothing_is_heard_and_nothing_is_kept() -> None:
    hub, heard = Hub(), []
    leave = hub.subscribe(7, lambda *news: heard.append(news))
    assert len(hub._waiting[7]) == 1
    leave()
    leave()  # leaving twice does no harm
    hub.tell(7, 43)
    assert heard == []
    assert 7 not in hub.topics()
    assert hub._waiting == {}


def test_a_failing_listener_does_not_harm_the_others(caplog: pytest.LogCaptureFixture) -> None:
    hub, heard = Hub(), []

    def broken(_round: int, _seq: int) -> None:
        raise RuntimeError("gone")

    hub.subscribe(7, broken)
    for _ in range(5):
        hub.subscribe(7, lambda *news: heard.append(news))
    with caplog.at_level(logging.ERROR):
        hub.tell(7, 43)
        hub.wake()
    assert heard == [(7, 43)] * 5 + [(7, 0)] * 5
    assert "a listener failed: 7 at 43" in caplog.text
    assert "a listener failed: 7 at 0" in caplog.text


def test_a_listener_can_leave_while_it_is_told() -> None:
    hub, heard = Hub(), []

    def once(round_id: int, seq: int) -> None:
        heard.append((round_id, seq))
        leave()

    leave = hub.subscribe(7, once)
    hub.tell(7, 1)
    hub.tell(7, 2)
    assert heard == [(7, 1)]


def test_no_listener_is_lost_while_others_come_and_go() -> None:
    hub = Hub()
    counts = [0] * 8

    def come_and_go(who: int) -> None:
        def heard(_round: int, _seq: int) -> None:
            counts[who] += 1

        for _ in range(300):
            leave = hub.subscribe(1, heard)
            before = counts[who]
            hub.tell(1, 1)
            assert counts[who] > before  # it heard at least its own notice
            leave()

    threads = [threading.Thread(target=come_and_go, args=(who,)) for who in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(counts) >= 300
    assert hub._waiting == {}


def test_each_database_has_its_own_hub() -> None:
    one, other = Engine(), Engine()
    assert hub_of(one) is hub_of(one)
    assert hub_of(one) is not hub_of(other)
