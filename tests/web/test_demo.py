"""The demo school beside a school: made once, replaced every night, and gone once the school is set
up."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client

from classroom import config
from classroom.app import create_app
from classroom.condition import Unavailable
from classroom.database import db, write_unit
from classroom.models import School, SchoolClass
from classroom.services.access import accounts, sessions
from classroom.services.base import clock, limits
from classroom.services.operation import look_around
from classroom.services.operation.look_around import Keeper
from tests import demos
from tests.conftest import finish
from tests.demos import ask, demo_of, make_demo, name_of_demo, signed_in, watch
from tests.web.test_first_visit import fields
from tests.world import Visitor, World

pytestmark = pytest.mark.walk(4, of="the demo school")


def local(day_and_time: str) -> float:
    """A time in November 2026 on the local clock."""
    return datetime.strptime(f"2026-11-{day_and_time}", "%Y-%m-%d %H:%M").astimezone().timestamp()


MADE = local("18 14:00")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demos.small_demo(tmp_path_factory.mktemp("small"))


@pytest.fixture
def app(tmp_path: Path, migrated: Path, small: Path) -> Iterator[Flask]:
    with demos.with_demo(tmp_path / "both", migrated, small) as made:
        yield made


@pytest.fixture
def made(app: Flask) -> Flask:
    make_demo(app)
    return app


def set_up(app: Flask) -> None:
    assert Visitor(app.test_client()).post("/setup", fields(app)).status_code == 303


# ---- the first making


def test_look_around_makes_the_demo_school_once_and_leads_there(app: Flask) -> None:
    visitor = Visitor(app.test_client())
    assert "/look-around" in visitor.get("/").text
    assert visitor.post("/look-around").status_code == 303
    assert visitor.get("/look-around").headers["Location"] == "/demo/"
    with app.app_context():
        assert not accounts.is_set_up()  # the real school is as empty as before
    assert ask(app, "GET", "/demo/look-around").status == 200


def test_two_visitors_who_ask_at_once_get_one_demo_school(app: Flask, small: Path) -> None:
    go_on, makings = threading.Event(), []

    def slowly(file: Path) -> None:
        makings.append(file)
        go_on.wait(20)
        shutil.copyfile(small, file)

    demo_of(app).make = slowly
    visitors = [Visitor(app.test_client()) for _ in range(2)]
    with ThreadPoolExecutor() as threads:
        answers = threads.map(lambda one: one.post("/look-around").status_code, visitors)
        time.sleep(0.2)
        go_on.set()
        assert list(answers) == [303, 303]
    assert len(makings) == 1
    assert demo_of(app).ready


def test_leftovers_of_an_interrupted_start_are_thrown_away(app: Flask) -> None:
    left = Path(app.instance_path) / "demo-20260101000000000000.db"
    left.write_bytes(b"half a school")
    with Keeper(demo_of(app)):
        assert not left.exists()
        assert not demo_of(app).ready


def test_making_it_can_be_tried_again_after_a_failure(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_file: Path) -> None:
        raise OSError("no room on the disk")

    works, demo_of(app).make = demo_of(app).make, fails
    visitor = Visitor(app.test_client())
    visitor.post("/look-around")
    assert "could not be set up" in visitor.get("/look-around").text
    assert "no room on the disk" in caplog.text
    demo_of(app).make = works
    visitor.post("/look-around")
    assert demo_of(app).ready


def test_the_demo_school_has_its_own_key(made: Flask) -> None:
    folder = Path(made.instance_path)
    assert (folder / "key").read_text() != (folder / "demo-key").read_text()
    for name in ("key", "demo-key", name_of_demo(made)):
        assert (folder / name).stat().st_mode & 0o077 == 0


def test_addresses_of_the_demo_school_lead_back_until_it_exists(app: Flask) -> None:
    client = Client(DispatcherMiddleware(app, {"/demo": app.extensions["demo"]}))
    answer = client.get("/demo/", follow_redirects=True)
    assert answer.request.path == "/look-around"


def test_a_later_start_finds_the_demo_school_that_was_made(made: Flask) -> None:
    again = create_app({"INSTANCE": made.instance_path})
    assert name_of_demo(again) == name_of_demo(made)
    assert demo_of(again).ready
    finish(again.extensions["demo"])
    finish(again)


def test_a_demo_school_of_another_version_is_ignored(made: Flask) -> None:
    file = demo_of(made).file
    assert file is not None
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
    assert look_around.found(file.parent) is None


@pytest.mark.walk(1)
def test_a_session_in_the_demo_school_does_not_open_the_real_one(
    world: World, tmp_path: Path
) -> None:
    demo = create_app({"INSTANCE": str(tmp_path / "demo"), "DEMO": True, "UPGRADE": True})
    visitor = world.visitor("lake")
    cookie = visitor.client.get_cookie("school")
    assert cookie is not None
    for name in ("school", "demo"):
        client = demo.test_client()
        client.set_cookie(name, cookie.value)
        assert client.get("/account").status_code == 303
    finish(demo)


def test_a_visitor_can_go_in_as_the_administrator(made: Flask) -> None:
    visitor = Visitor(made.extensions["demo"].test_client())
    door = visitor.get("/look-around").text
    one = re.search(r'value="(\d+)"[^>]*>[^/]*<svg.*?administrator of the school', door)
    assert one is not None
    assert visitor.post("/demo-in", {"adult": one[1]}).status_code == 303
    for page in ("/school/", "/school/year", "/school/folder"):
        answer = visitor.get(page)
        assert answer.status_code == 200
        assert "This is the demo school" in answer.text


# ---- once the school is set up

PLACES = (
    ("GET", "/look-around", "/look-nowhere"),
    ("HEAD", "/look-around", "/look-nowhere"),
    ("POST", "/look-around", "/look-nowhere"),
    ("PUT", "/look-around", "/look-nowhere"),
    ("GET", "/demo", "/memo"),
    ("GET", "/demo/", "/memo/"),
    ("GET", "/demo/play/", "/memo/play/"),
    ("POST", "/demo/demo-in", "/memo/demo-in"),
    ("GET", "/demo/static/css/look.css", "/memo/static/css/look.css"),
    ("GET", "/demo/play/rounds/1/events", "/memo/play/rounds/1/events"),
    ("GET", "/demo/teach/classes/1/live/events", "/memo/teach/classes/1/live/events"),
    ("POST", "/demo/play/rounds/1/asks", "/memo/play/rounds/1/asks"),
)


@pytest.mark.parametrize(("method", "path", "nowhere"), PLACES)
def test_once_the_school_is_set_up_the_demo_addresses_do_not_exist(
    made: Flask, method: str, path: str, nowhere: str
) -> None:
    cookies = signed_in(made, "Miaqua")
    if not path.endswith("/events"):  # streams never end
        assert ask(made, method, path, cookies).status != 404
    set_up(made)
    after, never = ask(made, method, path, cookies), ask(made, method, nowhere, cookies)
    assert after.status == 404
    assert after.whole == never.whole


def test_a_set_up_by_another_process_is_noticed_too(made: Flask) -> None:
    with made.app_context(), write_unit():
        db.session.add(School(name="Pond School", created_at=clock.now()))
    assert ask(made, "GET", "/demo/look-around").status == 404
    assert ask(made, "GET", "/look-around").status == 404


def test_a_stream_of_the_demo_school_ends_when_the_school_is_set_up(made: Flask) -> None:
    stream = f"/demo/play/rounds/{demos.rounds_of(made, 'Miaqua')}/events"
    exchange = watch(made, "GET", stream, signed_in(made, "Miaqua"), lambda _: set_up(made))
    assert exchange.status == 200
    assert exchange.body.endswith(b"event: bye\ndata: \n\n")


def test_the_front_page_and_the_sign_in_page_no_longer_offer_it(made: Flask) -> None:
    visitor = Visitor(made.test_client())
    assert "look-around" in visitor.get("/").text
    set_up(made)
    for page in ("/", "/in", "/family/join"):
        answer = visitor.get(page)
        assert answer.status_code == 200
        assert "look-around" not in answer.text
        assert "demo" not in answer.text.casefold()


def test_a_start_after_set_up_has_no_demo_school(made: Flask) -> None:
    set_up(made)
    again = create_app({"INSTANCE": made.instance_path})
    assert "demo" not in again.extensions
    assert ask(again, "GET", "/demo/").whole == ask(again, "GET", "/memo/").whole
    finish(again)


def test_a_setting_keeps_the_demo_school_always(
    tmp_path: Path, migrated: Path, small: Path
) -> None:
    with demos.with_demo(tmp_path / "both", migrated, small, LOOK_AROUND="always") as app:
        make_demo(app)
        set_up(app)
        assert ask(app, "GET", "/demo/look-around").status == 200
        assert "/look-around" in app.test_client().get("/in").text


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("until_set_up", "until_set_up"),
        ("always", "always"),
        ("never", "never"),
        (True, "always"),
        (False, "never"),
        ("0", "never"),
        ("yes", "always"),
        ("", "never"),
    ],
)
def test_the_setting_is_one_of_three_words_or_a_yes_or_no(said: object, understood: str) -> None:
    assert config.load({"LOOK_AROUND": said})["LOOK_AROUND"] == understood


def test_any_other_word_is_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="'sometimes': choose one of until_set_up, always, never"):
        config.load({"LOOK_AROUND": "sometimes"})


def test_a_demo_school_that_has_used_up_its_disk_space_says_so(
    app: Flask, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DEMO_BYTES", small.stat().st_size + 100_000)
    make_demo(app)
    visitor = Visitor(app.extensions["demo"].test_client())
    data = {"token": visitor.token(), "adult": 1}
    refused = 0
    with app.extensions["demo"].app_context():
        while refused < 50:  # until no page of the database has room, even a half-full one
            try:
                with write_unit():
                    sessions.start("d" * 32, adult_id=1)
            except OperationalError:
                refused += 1
    answers = []
    for _ in range(20):
        answers.append(visitor.client.post("/demo-in", data=data))
        visitor.client.delete_cookie("demo")
    assert any(a.status_code == 503 and "full for today" in a.text for a in answers)
    make_demo(app)
    assert visitor.client.post("/demo-in", data=data).status_code == 303


# ---- fresh every night


def classes_of(app: Flask) -> list[str]:
    with app.extensions["demo"].app_context():
        return [row.name for row in db.session.query(SchoolClass).order_by(SchoolClass.id)]


def a_stranger_types(app: Flask, name: str) -> None:
    with app.extensions["demo"].app_context(), write_unit():
        row = SchoolClass(school_id=1, name=name, code="999999", created_at=clock.now())
        db.session.add(row)


def test_text_that_strangers_typed_is_gone_from_a_fresh_demo_school(made: Flask) -> None:
    a_stranger_types(made, "Rude Name")
    assert "Rude Name" in classes_of(made)
    before = name_of_demo(made)
    make_demo(made)
    assert "Rude Name" not in classes_of(made)
    assert name_of_demo(made) != before
    left = [file.name for file in Path(made.instance_path).glob("demo-*.db*")]
    assert {name.split(".")[0] for name in left} == {name_of_demo(made).split(".")[0]}


def test_visitors_of_the_old_one_are_led_to_the_front_of_the_fresh_one(made: Flask) -> None:
    for who, page in (("lake", "/demo/teach/"), ("Miaqua", "/demo/play/")):
        cookies = signed_in(made, who)
        assert ask(made, "GET", page, cookies).status == 200
        make_demo(made)
        answer = ask(made, "GET", page, cookies)
        assert answer.status == 303
        assert dict(answer.headers)[b"location"] == b"/demo/"


def test_a_stream_of_the_old_one_ends_when_a_fresh_one_replaces_it(made: Flask) -> None:
    stream = f"/demo/play/rounds/{demos.rounds_of(made, 'Miaqua')}/events"
    exchange = watch(made, "GET", stream, signed_in(made, "Miaqua"), lambda _: make_demo(made))
    assert exchange.body.endswith(b"event: bye\ndata: \n\n")


def test_the_old_one_stays_if_making_a_fresh_one_fails(made: Flask) -> None:
    def dies(file: Path) -> None:
        file.write_bytes(b"half a school")
        raise RuntimeError("killed")

    a_stranger_types(made, "Still Here")
    before, demo_of(made).make = name_of_demo(made), dies
    with pytest.raises(RuntimeError):
        make_demo(made)
    assert name_of_demo(made) == before
    assert "Still Here" in classes_of(made)
    assert look_around.found(Path(made.instance_path)) == demo_of(made).file
    assert ask(made, "GET", "/demo/look-around").status == 200
    assert not demo_of(made).is_due()  # making one is not tried again at once


@pytest.mark.parametrize("step", ["switch", "name"])
def test_after_any_failure_the_mark_names_an_existing_file(
    made: Flask, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fails(*_: Path) -> None:
        raise OSError(28, "No space left on device")

    demo = demo_of(made)
    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(*{"switch": (demo, "_put"), "name": (os, "replace")}[step], fails)
        make_demo(made)
    named = look_around.mark(demo.folder)
    assert not named.exists() or look_around.found(demo.folder) == demo.file
    assert ask(made, "GET", "/demo/look-around").status == 200
    demo._failed_at = -float("inf")
    assert demo.is_due() is (step == "name")
    make_demo(made)
    assert look_around.found(demo.folder) == demo.file


def test_the_demo_asks_visitors_to_wait_while_the_schools_database_does_not_answer(
    made: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unanswered() -> bool:
        raise Unavailable("The database server does not answer: is it running?")

    demo = demo_of(made)
    with monkeypatch.context() as patch:
        patch.setattr(demo, "offered", unanswered)
        answer = ask(made, "GET", "/demo/look-around")
        assert answer.status == 503
        assert b"Please try again in a moment" in answer.body
    assert ask(made, "GET", "/demo/look-around").status == 200


def test_running_requests_end_before_the_fresh_one_replaces_the_old(
    made: Flask,
) -> None:
    before, done = name_of_demo(made), threading.Event()

    def remake() -> None:
        make_demo(made)
        done.set()

    with demo_of(made).visit():
        thread = threading.Thread(target=remake)
        thread.start()
        assert not done.wait(0.5)
        assert name_of_demo(made) == before
    assert done.wait(5)
    thread.join()
    assert name_of_demo(made) != before


@pytest.mark.parametrize(
    ("now", "visited", "due"),
    [
        ("18 23:30", None, False),
        ("19 00:30", None, False),
        ("19 01:30", None, True),
        ("19 04:59", None, True),
        ("19 05:01", None, False),
        ("19 01:30", 60.0, False),  # it is in use
        ("19 01:30", 3700.0, True),
        ("19 13:00", None, False),
        ("19 14:01", None, True),  # a machine that sleeps at night
        ("19 14:01", 60.0, False),
        ("20 14:01", 60.0, True),  # visitors cannot put it off for ever
    ],
)
def test_it_is_replaced_at_night_when_it_is_not_in_use(
    made: Flask, now: str, visited: float | None, due: bool
) -> None:
    demo = demo_of(made)
    os.utime(look_around.mark(demo.folder), (MADE, MADE))
    if visited is not None:
        demo._visited_at = time.monotonic() - visited
    with clock.clock_at(local(now)):
        assert demo.is_due() is due


def test_a_page_that_polls_is_not_a_visit(made: Flask) -> None:
    demo = demo_of(made)
    stream = f"/demo/play/rounds/{demos.rounds_of(made, 'Miaqua')}/events"
    watch(made, "GET", stream, signed_in(made, "Miaqua"), lambda _: demo.close())
    assert demo._visited_at == -float("inf")


def test_a_tap_and_a_page_are_visits(made: Flask) -> None:
    for method, path in (("GET", "/demo/look-around"), ("POST", "/demo/demo-in")):
        demo_of(made)._visited_at = 0.0
        ask(made, method, path)
        assert demo_of(made)._visited_at > 0.0


def test_the_server_replaces_it_while_it_serves(made: Flask) -> None:
    demo, before = demo_of(made), name_of_demo(made)
    os.utime(look_around.mark(demo.folder), (MADE, MADE))
    with Keeper(demo, every=0.01):
        end = time.monotonic() + 20
        while name_of_demo(made) == before:
            assert time.monotonic() < end
            time.sleep(0.01)
    assert not demo.is_due()
    assert ask(made, "GET", "/demo/look-around").status == 200


def test_a_demo_school_that_is_unwanted_or_closed_is_not_replaced(app: Flask) -> None:
    assert not demo_of(app).is_due()
    make_demo(app)
    os.utime(look_around.mark(demo_of(app).folder), (MADE, MADE))
    assert demo_of(app).is_due()
    set_up(app)
    assert not demo_of(app).is_due()
