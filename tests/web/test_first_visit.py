"""The first visit to an empty installation: set it up, with a one-time code, or look around."""

from __future__ import annotations

import threading

import pytest
from flask import Flask

from classroom.database import db
from classroom.models import Adult, School
from classroom.services.access import accounts
from tests.world import PASSWORD, Visitor


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app.test_client())


def fields(app: Flask, **more: str) -> dict[str, str]:
    with app.app_context():
        code = accounts.first_code()
    mine = {"school_name": "Pond School", "name": "Ms Lake", "login": "lake", "password": PASSWORD}
    return {"code": code, **mine, **more}


def test_an_empty_installation_has_no_account_at_all(app: Flask) -> None:
    with app.app_context():
        assert db.session.query(Adult).count() == 0


def test_the_front_of_an_empty_installation_leads_to_set_up(visitor: Visitor) -> None:
    page = visitor.get("/")
    assert page.status_code == 200
    assert "/setup" in page.text


def test_the_code_from_the_console_makes_the_school_and_signs_in_its_administrator(
    app: Flask, visitor: Visitor
) -> None:
    answer = visitor.post("/setup", fields(app))
    assert answer.status_code == 303
    assert visitor.get("/").headers["Location"] == "/teach/"
    assert visitor.get("/teach/").status_code == 200
    with app.app_context():
        (adult,) = db.session.query(Adult).all()
        assert (adult.role, adult.login, adult.name) == ("admin", "lake", "Ms Lake")
        assert adult.password_hash.startswith("$argon2id$")


def test_the_code_can_be_typed_in_small_letters_and_without_its_dash(
    app: Flask, visitor: Visitor
) -> None:
    code = fields(app)["code"].lower().replace("-", " ")
    assert visitor.post("/setup", fields(app, code=code)).status_code == 303


def test_a_code_works_once(app: Flask, visitor: Visitor) -> None:
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
def test_a_mistake_is_shown_beside_its_field_and_nothing_is_made(
    app: Flask, visitor: Visitor, name: str, value: str
) -> None:
    answer = visitor.post("/setup", fields(app, **{name: value}))
    assert answer.status_code == 422
    assert f'id="n-{name}"' in answer.text
    assert PASSWORD not in answer.text
    with app.app_context():
        assert db.session.query(School).count() == 0


def test_guessing_the_code_is_stopped(app: Flask, visitor: Visitor) -> None:
    token = visitor.token()
    wrong = {"token": token, **fields(app, code="AAAA-AAAA")}
    statuses = [visitor.client.post("/setup", data=wrong).status_code for _ in range(11)]
    assert statuses == [422] * 10 + [429]


def test_two_people_who_set_up_at_once_make_one_school(app: Flask) -> None:
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
