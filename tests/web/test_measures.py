"""What the operator and the administrator see of the running server: numbers, never people."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections import namedtuple
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from classroom import config, measures
from classroom.database import condition_of, db
from classroom.live.asgi import Front
from classroom.live.pools import Pool
from classroom.services.operation import background, health
from tests.live.test_streams import Browser, scope as bare_scope
from tests.loops import in_a_loop
from tests.serving import open_tables
from tests.world import CHILDREN, CLASSES, MONITORS_TOKEN, PARENTS, STAFF, World, play_out

Usage = namedtuple("Usage", "total used free")
LABELS = {  # every label and what it may say
    "by": {"child", "computer", "stand_in"},
    "of": set("pages doors moves demo tables classes page busy worker sent heard".split()),
    "version": {config.version()},
    "le": None,
}


def numbers(world: World) -> str:
    answer = world.visitor("monitor").get("/metrics")
    assert answer.status_code == 200
    return answer.text


# ---- who may read the numbers


@pytest.mark.parametrize("sent", ["", "Bearer ", f"Basic {MONITORS_TOKEN}", "Bearer é"])
def test_without_the_token_the_numbers_are_not_there(world: World, sent: str) -> None:
    client = world.app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = sent.encode().decode("latin-1")
    assert client.get("/metrics").status_code == 404
    assert world.visitor("admin").get("/metrics").status_code == 404


def test_without_a_token_in_the_settings_nobody_may_read_the_numbers(world: World) -> None:
    world.app.config["METRICS_TOKEN"] = ""
    for sent in ("Bearer ", f"Bearer {MONITORS_TOKEN}"):
        client = world.app.test_client()
        client.environ_base["HTTP_AUTHORIZATION"] = sent
        assert client.get("/metrics").status_code == 404


def test_a_token_that_can_be_guessed_is_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match="METRICS_TOKEN is too short: it needs 20 characters"):
        config.load({"METRICS_TOKEN": "secret"})
    assert config.load({"METRICS_TOKEN": "s" * 20})["METRICS_TOKEN"] == "s" * 20


def test_the_numbers_set_no_cookie_and_are_not_kept_by_browsers(world: World) -> None:
    client = world.app.test_client()
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {MONITORS_TOKEN}"})
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"


# ---- what they hold


def test_the_numbers_say_nothing_about_people(world: World) -> None:
    with world.app.app_context():
        play_out(world.children["Miaqua"])
    world.visitor("Miaqua").get("/play/")
    world.visitor("lake").get("/teach/")
    text = numbers(world)
    names = {*CHILDREN, *CLASSES, *STAFF, *PARENTS}
    assert not [name for name in names if name.lower() in text.lower()]
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            for label, value in sample.labels.items():
                allowed = LABELS[label]
                assert allowed is None or value in allowed, sample


def test_a_move_counts_once_and_says_who_made_it(world: World) -> None:
    before = measures.now("fish_moves_total", by="child")
    committed = measures.now("fish_commit_seconds_count")
    with world.app.app_context():
        play_out(world.children["Miaqua"])
    moves = measures.now("fish_moves_total", by="child") - before
    assert moves > 5
    assert measures.now("fish_commit_seconds_count") - committed >= moves
    assert f'fish_moves_total{{by="child"}} {before + moves:.1f}' in numbers(world)


def test_failures_are_counted_by_where_they_happen(world: World) -> None:
    def fails() -> None:
        raise KeyError

    before = {of: measures.now("fish_errors_total", of=of) for of in ("page", "busy")}
    world.app.view_functions["auth.front"] = fails
    assert world.visitor("lake").get("/").status_code == 500
    lake = world.visitor("lake")
    with world.app.app_context():
        condition_of(db.engine).distrust("The disk is gone.")
    assert lake.get("/teach/").status_code == 503
    assert measures.now("fish_errors_total", of="page") == before["page"] + 1
    assert measures.now("fish_errors_total", of="busy") == before["busy"] + 1


def test_an_open_page_counts_as_long_as_it_is_open(world: World) -> None:
    path, (token,) = open_tables(world.app, 1)
    front = Front(world.app)

    async def run() -> None:
        browser = Browser()
        about = bare_scope(cookie=f"school={token}") | {"method": "GET", "path": path}
        about |= {"client": ("10.0.0.1", 5)}
        before = measures.now("fish_streams", of="tables")
        opened = asyncio.create_task(front(about, browser.receive, browser.send))
        await browser.until(lambda: len(browser.sent) > 1)
        assert measures.now("fish_streams", of="tables") == before + 1
        browser.left.set()
        await asyncio.wait_for(opened, 10)
        assert measures.now("fish_streams", of="tables") == before

    in_a_loop(run())


def test_a_request_that_waits_for_a_thread_is_measured(world: World) -> None:
    front = Front(world.app)
    pool = front._schools[""].moves.pool
    before = measures.now("fish_wait_seconds_sum", of="moves")

    async def run(pool: Pool) -> None:
        asked = {"asgi.scope": {"client": ("10.0.0.1", 5), "headers": []}}
        await asyncio.gather(*(pool.run(asked, lambda: time.sleep(0.3)) for _ in range(6)))

    in_a_loop(run(pool))
    waited = measures.now("fish_wait_seconds_sum", of="moves") - before
    assert waited > 0.5  # two of six at four threads, all but one at one thread


def test_the_slowest_wait_is_that_of_the_last_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now, recent = [1000.0], measures.RecentWaits()
    monkeypatch.setattr(measures.time, "monotonic", lambda: now[0])
    assert recent.slowest() is None
    for wait in range(1, 101):
        recent.add(float(wait))
    assert recent.slowest() == 99
    now[0] += 61
    assert recent.slowest() is None
    recent.add(0.5)
    assert recent.slowest() == 0.5


# ---- the background thread


def test_health_says_no_while_the_background_thread_stands_still(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulse = world.app.extensions["pulse"] = health.Pulse()
    assert world.app.test_client().get("/health").status_code == 200
    now = time.monotonic() + health.STILL + 1
    monkeypatch.setattr(health.time, "monotonic", lambda: now)
    answer = world.app.test_client().get("/health")
    assert answer.status_code == 503
    assert answer.text == (
        "The background thread stands still, so computer players do not move: start the server "
        "again.\n"
    )
    pulse.beat()
    assert world.app.test_client().get("/health").status_code == 200


def test_a_piece_of_work_that_never_ends_stops_the_pulse(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "STILL", 0.2)
    monkeypatch.setattr(background, "SCAN_SECONDS", 0.05)
    held = background.threading.Event()
    worker = background.Worker(world.app.app_context, 0.0)
    worker.start()
    try:
        until(lambda: worker._scan_at > time.monotonic())  # the worker has looked once
        assert not worker.pulse.stopped()
        monkeypatch.setattr(worker, "_scan", lambda: held.wait(20))
        until(worker.pulse.stopped)
        assert worker.lag() > 0.1
        held.set()
        until(lambda: not worker.pulse.stopped())
    finally:
        held.set()
        worker.stop()


def until(true: Any, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def test_a_served_school_is_asked_for_its_pulse_and_its_lag(world: World) -> None:
    front = Front(world.app)
    front.start()
    try:
        assert not world.app.extensions["pulse"].stopped()
        assert measures.now("fish_worker_lag_seconds") < 30
    finally:
        front.stop()
    assert "pulse" not in world.app.extensions
    assert measures.now("fish_worker_lag_seconds") == 0


# ---- the administrator's page


def test_the_administrator_reads_that_all_is_well(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(9, 9, 12_340_000_000))
    monkeypatch.setattr(measures, "RECENT", measures.RecentWaits())
    page = world.visitor("admin").get("/school/server").text
    assert "12.3 GB of disk space is free." in page
    assert "The data is sound, and changes are saved." in page
    assert "Computer players move on time." in page
    assert "said--low" not in page
    assert f"Fish School {config.version()}" in page


def test_the_administrator_reads_what_is_wrong(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = world.visitor("admin")
    with world.app.app_context():
        condition_of(db.engine).refused = "The disk is full: make room on it."
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(9, 9, 30_000_000))
    monkeypatch.setattr(measures, "RECENT", measures.RecentWaits())
    measures.RECENT.add(4.25)
    measures.WORKER_LAG.set_function(lambda: 42.0)
    try:
        page = admin.get("/school/server").text
    finally:
        measures.WORKER_LAG.set_function(lambda: 0.0)
    assert page.count("said--low") == 4
    assert "The disk is full: make room on it." in page
    assert "Only 0.0 GB of disk space is left" in page
    assert "one move in a hundred waited 4.2 seconds" in page
    assert "Computer players are 42 seconds late" in page
