"""The first visit to an empty installation: two doors, a one-time code, and the demo school."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.models import Adult, School
from classroom.services import clock, look_around, setup
from tests.conftest import finish, make_app
from tests.world import PASSWORD, Visitor, World


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app.test_client())


def fields(app: Flask, **more: str) -> dict[str, str]:
    with app.app_context():
        code = setup.first_code()
    mine = {"school_name": "Pond School", "name": "Ms Lake", "login": "lake", "password": PASSWORD}
    return {"code": code, **mine, **more}


def test_an_empty_installation_has_no_account_at_all(app: Flask) -> None:
    with app.app_context():
        assert db.session.query(Adult).count() == 0


def test_the_front_of_an_empty_installation_leads_to_the_setting_up(visitor: Visitor) -> None:
    page = visitor.get("/")
    assert page.status_code == 200
    assert "/setup" in page.text


def test_the_code_from_the_console_makes_the_school_and_signs_its_teacher_in(
    app: Flask, visitor: Visitor
) -> None:
    answer = visitor.post("/setup", fields(app))
    assert answer.status_code == 303
    assert visitor.get("/").headers["Location"] == "/teach/"
    assert visitor.get("/teach/").status_code == 200
    with app.app_context():
        (adult,) = db.session.query(Adult).all()
        assert (adult.role, adult.login, adult.name) == ("teacher", "lake", "Ms Lake")
        assert adult.password_hash.startswith("$argon2id$")


def test_the_code_may_be_typed_in_small_letters_and_without_its_dash(
    app: Flask, visitor: Visitor
) -> None:
    code = fields(app)["code"].lower().replace("-", " ")
    assert visitor.post("/setup", fields(app, code=code)).status_code == 303


def test_a_code_is_good_once(app: Flask, visitor: Visitor) -> None:
    mine = fields(app)
    assert visitor.post("/setup", mine).status_code == 303
    other = Visitor(app.test_client())
    assert other.post("/setup", mine | {"login": "thief"}).status_code == 404
    with app.app_context():
        assert db.session.query(School).count() == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("code", "AAAA-AAAA"),
        ("code", ""),
        ("school_name", " "),
        ("name", ""),
        ("login", "x"),
        ("password", "short"),
        ("password", "aaaaaaaaaaaaaaaaaaaa"),
        ("password", "password password"),
        ("password", "qwertyuiopasdfgh"),
        ("password", "pond school lake 1"),
    ],
)
def test_what_cannot_stand_is_said_beside_its_field_and_nothing_is_made(
    app: Flask, visitor: Visitor, name: str, value: str
) -> None:
    answer = visitor.post("/setup", fields(app, **{name: value}))
    assert answer.status_code == 422
    assert f'id="n-{name}"' in answer.text
    assert PASSWORD not in answer.text
    with app.app_context():
        assert db.session.query(School).count() == 0


def test_guessing_the_code_comes_to_a_rest(app: Flask, visitor: Visitor) -> None:
    token = visitor.token()
    wrong = {"token": token, **fields(app, code="AAAA-AAAA")}
    statuses = [visitor.client.post("/setup", data=wrong).status_code for _ in range(11)]
    assert statuses == [422] * 10 + [429]


def test_two_who_set_up_at_once_make_one_school(app: Flask) -> None:
    mine, gate, done = fields(app), threading.Barrier(4), []

    def try_it(number: int) -> None:
        visitor = Visitor(app.test_client())
        token = visitor.token()
        gate.wait()
        data = {"token": token, **mine, "login": f"teacher{number}"}
        done.append(visitor.client.post("/setup", data=data).status_code)

    threads = [threading.Thread(target=try_it, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done)[0] == 303
    assert len([status for status in done if status == 303]) == 1
    with app.app_context():
        assert db.session.query(School).count() == 1


# ---- the demo school


@pytest.fixture
def with_demo(tmp_path: Path, migrated: Path) -> Iterator[Flask]:
    """An installation with a demo school beside it whose history is one empty school."""
    made = make_app(tmp_path / "both", migrated, LOOK_AROUND=True, UPGRADE=True)

    def make(progress: look_around.Progress) -> None:
        demo = made.extensions["demo"]
        with demo.app_context():
            look_around.make_now(db.engine, Path(demo.instance_path), _fill, progress)

    made.extensions["make_demo"] = make
    yield made
    finish(made.extensions["demo"])
    finish(made)


def _fill(progress: look_around.Progress) -> None:
    progress(0.5)
    with write_unit():
        db.session.add(School(name="Demo School", created_at=clock.now()))


def _until_ready(app: Flask) -> None:
    making, end = app.extensions["making"], time.monotonic() + 10
    while making.running or not (making.ready or making.failed):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_look_around_makes_the_demo_school_once_and_leads_there(with_demo: Flask) -> None:
    visitor = Visitor(with_demo.test_client())
    assert "/look-around" in visitor.get("/").text
    assert visitor.post("/look-around").status_code == 303
    _until_ready(with_demo)
    assert visitor.get("/look-around").headers["Location"] == "/demo/"
    with with_demo.app_context():
        assert not setup.is_set_up()  # the real school is as empty as before
    with with_demo.extensions["demo"].app_context():
        assert setup.is_set_up()


def test_while_it_is_made_the_page_tells_how_far_it_is(with_demo: Flask) -> None:
    go_on = threading.Event()

    def slowly(progress: look_around.Progress) -> None:
        progress(0.25)
        go_on.wait(10)

    with_demo.extensions["make_demo"] = slowly
    visitor = Visitor(with_demo.test_client())
    visitor.post("/look-around")
    while with_demo.extensions["making"].share < 0.25:
        time.sleep(0.01)
    page = visitor.get("/look-around")
    assert page.headers["Refresh"] == "1"
    assert 'value="25"' in page.text
    go_on.set()


def test_what_an_interrupted_making_left_is_thrown_away(with_demo: Flask) -> None:
    demo = with_demo.extensions["demo"]
    with demo.app_context():
        _fill(lambda _share: None)  # half a school, and no mark that it is whole
    visitor = Visitor(with_demo.test_client())
    visitor.post("/look-around")
    _until_ready(with_demo)
    with demo.app_context():
        assert [row.name for row in db.session.query(School)] == ["Demo School"]


def test_a_making_that_fails_can_be_tried_again(
    with_demo: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_progress: look_around.Progress) -> None:
        raise OSError("no room on the disk")

    works = with_demo.extensions["make_demo"]
    with_demo.extensions["make_demo"] = fails
    visitor = Visitor(with_demo.test_client())
    visitor.post("/look-around")
    _until_ready(with_demo)
    assert "could not be made" in visitor.get("/look-around").text
    assert "no room on the disk" in caplog.text
    with_demo.extensions["make_demo"] = works
    visitor.post("/look-around")
    _until_ready(with_demo)
    assert with_demo.extensions["making"].ready


def test_the_demo_school_has_a_key_of_its_own(with_demo: Flask) -> None:
    folder = Path(with_demo.instance_path)
    assert (folder / "key").read_text() != (folder / "demo-key").read_text()
    for name in ("key", "demo-key", "demo.db"):
        assert (folder / name).stat().st_mode & 0o077 == 0


def test_below_its_prefix_the_demo_school_leads_back_until_it_is_there(with_demo: Flask) -> None:
    both = DispatcherMiddleware(with_demo, {"/demo": with_demo.extensions["demo"]})
    client = Client(both)
    answer = client.get("/demo/", follow_redirects=True)
    assert answer.request.path == "/look-around"


def test_signing_in_to_the_demo_school_is_no_way_into_the_real_one(
    world: World, tmp_path: Path, peopled: Path
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
