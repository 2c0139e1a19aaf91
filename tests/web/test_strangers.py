"""Strangers cannot keep other people out, and learn nothing at the doors."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select

from classroom.database import db
from classroom.models import Child, SchoolClass
from classroom.services.access import accounts, sessions, sign_in
from classroom.services.base import budgets, clock, secrets_
from classroom.services.base.errors import Refused
from classroom.services.school import classes, family_links
from tests.statements import sent_to
from tests.web.test_sign_in import Lesson, sign
from tests.world import PASSWORD, Visitor, World

GUESSES, FEW = 500, 60  # more than any budget of one device or class
NOON = clock.local(1_790_000_000.0).replace(hour=12, minute=0).timestamp()


@pytest.fixture
def lesson(world: World):
    with world.app.app_context():
        yield Lesson(world, NOON)


def statuses(app: Flask, path: str, fields: dict[str, str], whole: bool) -> set[int]:
    """The statuses of a form's answers to this many browsers, each thrown away after one try."""
    times = GUESSES if whole else FEW
    return {Visitor(app.test_client()).post(path, fields).status_code for _ in range(times)}


# ---- codes


def test_a_right_class_code_works_after_many_tries_by_strangers(world: World, whole: bool) -> None:
    before = world.rows()
    assert statuses(world.app, "/join", {"code": "222222"}, whole) == {404}
    assert world.rows() == before, "a stranger's wrong code writes nothing"
    new = Visitor(world.app.test_client())
    assert new.post("/join", {"code": "100000"}).status_code == 303
    assert "Miaqua" in new.get("/animals").text


def test_a_right_family_code_works_after_many_tries_by_strangers(world: World, whole: bool) -> None:
    with world.app.app_context():
        code = family_links.make_code(world.children["Benquill"])
    fields = {"name": "Ms Olsen", "login": "olsen", "password": PASSWORD}
    before = world.rows()
    wrong = {**fields, "code": "K7QP-4MXR-9TBD"}
    assert statuses(world.app, "/family/join", wrong, whole) == {422}
    assert world.rows() == before
    new = Visitor(world.app.test_client())
    assert new.post("/family/join", {**fields, "code": code}).status_code == 303


def test_a_right_set_up_code_works_after_many_tries_by_strangers(app: Flask, whole: bool) -> None:
    fields = {"school_name": "Pond", "name": "Ms Lake", "login": "lake", "password": PASSWORD}
    assert statuses(app, "/setup", {**fields, "code": "AAAA-AAAA"}, whole) == {422}
    with app.app_context():
        fields["code"] = accounts.first_code()
    assert Visitor(app.test_client()).post("/setup", fields).status_code == 303


def _class_code(world: World, visitor: Visitor) -> int:
    return visitor.post("/join", {"code": "222222"}).status_code


def _family_code(world: World, visitor: Visitor) -> int:
    return visitor.post("/family/join", {"code": "K7QP-4MXR-9TBD"}).status_code


def _password_code(world: World, visitor: Visitor) -> int:
    fields = {"code": "K7QP-4MXR-9TBD", "new": PASSWORD}
    return visitor.post("/reset", fields).status_code


@pytest.mark.parametrize(
    ("tries", "wrong"), [(_class_code, 404), (_family_code, 422), (_password_code, 422)]
)
def test_only_a_device_that_tried_ten_wrong_codes_waits_a_minute(
    world: World, tries: Callable[[World, Visitor], int], wrong: int
) -> None:
    mine, other = world.visitor("nobody"), world.visitor("nobody")
    with clock.clock_at(NOON):
        assert [tries(world, mine) for _ in range(12)] == [wrong] * 10 + [429] * 2
        assert tries(world, other) == wrong
    with clock.clock_at(NOON + budgets.CODE_WAIT):
        assert tries(world, mine) == wrong


def test_a_device_that_must_wait_is_told_how_long(world: World) -> None:
    visitor = world.visitor("nobody")
    with clock.clock_at(NOON):
        for _ in range(10):
            _class_code(world, visitor)
        answer = visitor.post("/join", {"code": "100000"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")


def test_a_parent_who_mistyped_codes_on_one_phone_can_link_on_another(world: World) -> None:
    with world.app.app_context():
        code = family_links.make_code(world.children["Benquill"])
    phone, tablet = world.visitor("reed"), world.visitor("reed")
    with clock.clock_at(clock.now()):
        for _ in range(10):
            phone.post("/family/link", {"code": "K7QP-4MXR-9TBD"})
        assert phone.post("/family/link", {"code": code}).status_code == 429
    assert tablet.post("/family/link", {"code": code}).status_code == 303


# ---- logins


def _fresh(world: World) -> Visitor:
    return world.visitor("nobody")


def _where_a_child_was(world: World) -> Visitor:
    visitor, child = world.visitor("device"), world.children["Miaqua"]
    with world.app.app_context():
        row = db.session.get_one(Child, child)
        four = {f"p{n}": name for n, name in enumerate(sign_in.pictures_of(row), 1)}
    assert visitor.post(f"/animals/{child}", four).status_code == 303
    visitor.post("/bye")
    return visitor


def _of(adult: str) -> Callable[[World], Visitor]:
    def signed_in(world: World) -> Visitor:
        visitor = world.visitor("nobody")
        assert sign(world, visitor, adult) == 303
        visitor.post("/out")
        return visitor

    return signed_in


DEVICES = {
    "fresh": _fresh,
    "of a child": _where_a_child_was,
    "of another adult": _of("brook"),
    "own": _of("lake"),
}


@pytest.mark.walk(2)
@pytest.mark.parametrize("device", DEVICES)
def test_known_and_unknown_logins_get_the_same_answers_on_every_device(
    world: World, device: str
) -> None:
    pages = []
    for login in ("lake", "heron"):
        visitor, seen = DEVICES[device](world), []
        for minute in (0, 1, 2, 3, 90):
            with clock.clock_at(NOON + 60 * minute):
                for _ in range(23 if minute == 0 else 2):
                    answer = visitor.post("/in", {"login": login, "password": "wrong words"})
                    text = answer.text.replace(login, "").split('name="token"')[1][150:]
                    seen.append((answer.status_code, answer.headers.get("Retry-After"), text))
        assert [status for status, _, _ in seen[:23]] == [401] * 20 + [429] * 3
        pages.append(seen)
    assert pages[0] == pages[1]


@pytest.mark.parametrize("device", ["fresh", "of a child", "of another adult"])
def test_known_and_unknown_logins_cause_the_same_queries(world: World, device: str) -> None:
    asked = {}
    for login in ("lake", "heron"):
        visitor = DEVICES[device](world)
        with world.app.app_context():
            engine = db.engine
        with sent_to(engine, begins=True) as heard:
            sign(world, visitor, login, "wrong words")
        asked[login] = heard
    assert asked["lake"] == asked["heron"]


def test_made_up_logins_leave_no_row(world: World) -> None:
    visitor = world.visitor("nobody")
    before = world.rows()
    for _ in range(30):
        sign(world, visitor, secrets.token_hex(8), "wrong words")
    assert world.rows() == before


def test_strangers_cannot_keep_an_owner_out_of_their_own_device(world: World, whole: bool) -> None:
    own = _of("lake")(world)
    with world.app.app_context():
        for number in range((72 if whole else 6) * 60):
            with clock.clock_at(NOON + 60 * number):
                try:
                    login = budgets.login("lake", f"{number:032}", world.adults["lake"])
                    budgets.may_try_login(login)
                    budgets.wrong_login(login)
                except Refused:
                    continue
    with clock.clock_at(NOON + 60 * number):
        assert sign(world, world.visitor("nobody")) == 429
        assert sign(world, own) == 303


def test_signing_in_forgives_wrong_tries_on_that_device_only(
    world: World,
) -> None:
    mine = world.visitor("nobody")
    with clock.clock_at(NOON):
        for visitor in (mine, world.visitor("nobody")):
            assert [sign(world, visitor, password="no") for _ in range(5)] == [401] * 5
        assert sign(world, mine) == 303
        tries = [sign(world, world.visitor("nobody"), password="no") for _ in range(16)]
    assert tries == [401] * 15 + [429]


# ---- new devices in a class


def test_after_thirty_wrong_tries_new_devices_need_the_teacher_until_tomorrow(
    lesson: Lesson,
) -> None:
    known, four = lesson.known("known"), lesson.right("Miaqua")
    for number in range(budgets.NEW_DEVICES):
        assert lesson.tap(lesson.device(f"fine{number}"), "Miaqua", four) == "in"
        lesson.wrong_pictures(lesson.device(f"bad{number}"), 1)
    new = lesson.device("new")
    with clock.clock_at(lesson.now):
        assert sign_in.needs_teacher(new, lesson.world.children["Miaqua"])
    assert lesson.tap(new, "Miaqua", four) == "teacher"
    assert lesson.tap(known, "Miaqua", four) == "in"
    with clock.clock_at(lesson.now):
        sign_in.knock(new, lesson.world.children["Miaqua"])  # Miaqua got in on another device
    lesson.teacher_taps(new, "Miaqua")
    assert lesson.tap(new, "Miaqua", four) == "in", "it is known from then on"
    lesson.now += 12 * 3600 + 60
    assert lesson.tap(lesson.device("tomorrow"), "Miaqua", four) == "in"


def test_tries_of_children_who_got_in_on_new_tablets_do_not_count(
    lesson: Lesson,
) -> None:
    four = lesson.right("Miaqua")
    for number in range(2 * budgets.NEW_DEVICES):
        tablet = lesson.device(f"tablet{number}")
        lesson.wrong_pictures(tablet, 1)
        assert lesson.tap(tablet, "Miaqua", four) == "in"


def test_only_the_teachers_word_forgives_tries_on_new_devices(
    lesson: Lesson,
) -> None:
    room, four = lesson.world.classes["sunfish"], lesson.right("Miaqua")
    lesson.wrong_pictures(lesson.device("bad"), budgets.NEW_DEVICES)
    with clock.clock_at(lesson.now):
        classes.open_class(room)
    assert lesson.tap(lesson.device("new"), "Miaqua", four) == "teacher"
    with clock.clock_at(lesson.now):
        classes.trust_new_devices(room)
    assert lesson.tap(lesson.device("new"), "Miaqua", four) == "in"


def test_wrong_tries_on_new_devices_do_not_stop_the_classs_devices(lesson: Lesson) -> None:
    known = lesson.known("known")
    lesson.wrong_pictures(lesson.device("bad"), 3 * budgets.CLASS_TRIES)
    assert lesson.tap(known, "Miaqua", lesson.right("Miaqua")) == "in"


def test_the_teacher_is_told_of_many_tries_and_can_trust_new_devices_again(world: World) -> None:
    teacher, room = world.visitor("lake"), world.classes["sunfish"]
    words = "let new devices in with a tap."
    pages = [f"/teach/classes/{room}", f"/teach/classes/{room}/now"]
    assert not [path for path in pages if words in teacher.get(path).text]
    with world.app.app_context():
        Lesson(world).wrong_pictures(Lesson(world).device("bad"), budgets.NEW_DEVICES)
    assert [path for path in pages if words in teacher.get(path).text] == pages
    answer = teacher.post(f"/teach/classes/{room}/new-devices")
    assert words not in teacher.get(answer.headers["Location"]).text


# ---- codes of classes


def code_of(class_id: int) -> str:
    db.session.expire_all()
    return db.session.get_one(SchoolClass, class_id).code


def joins(code: str) -> bool:
    try:
        return bool(sign_in.open_device(code))
    except Refused:
        return False


def test_each_lesson_has_its_own_code_and_earlier_codes_open_nothing(
    lesson: Lesson,
) -> None:
    room, seen = lesson.world.classes["sunfish"], list[str]()
    for day in range(20):
        with clock.clock_at(NOON + day * 86_400):
            classes.close_class(room)
            classes.open_class(room, 60)
            assert code_of(room) not in seen
            assert joins(code_of(room))
            assert not any(map(joins, seen))
            seen.append(code_of(room))
            classes.open_class(room, 60)
            assert code_of(room) == seen[-1], "opening again goes on with the lesson"
        with clock.clock_at(NOON + day * 86_400 + 3600):
            assert not joins(seen[-1])
    assert {len(code) for code in seen} == {6}
    assert not [code for code in seen if code.startswith(secrets_.KEPT_FIRST)]


def test_a_device_that_joined_with_an_earlier_code_is_not_in_the_next_lesson(
    lesson: Lesson,
) -> None:
    room = lesson.world.classes["sunfish"]
    with clock.clock_at(NOON):
        classes.close_class(room)
        classes.open_class(room, 60)
        token = sign_in.open_device(code_of(room))
    with clock.clock_at(NOON + 3600 + 60):
        classes.open_class(room, 60)
        assert sessions.find(token).kind == "device", "the lesson goes on a minute late"
    with clock.clock_at(NOON + 4 * 3600):
        classes.open_class(room, 60)
        assert sessions.find(token).kind == "nobody"


def test_a_class_that_keeps_its_code_has_eight_digits_and_the_same_at_each_opening(
    lesson: Lesson,
) -> None:
    room = lesson.world.classes["sunfish"]
    with clock.clock_at(NOON):
        classes.new_code(room, keep=True)
        kept = code_of(room)
        assert (len(kept), kept[0]) == (secrets_.KEPT_DIGITS, secrets_.KEPT_FIRST)
    for day in range(3):
        with clock.clock_at(NOON + day * 86_400):
            classes.close_class(room)
            assert not joins(kept)
            classes.open_class(room)
            assert code_of(room) == kept
            assert joins(kept)
    with clock.clock_at(NOON + 3 * 86_400):
        classes.open_class(room)
        classes.new_code(room, keep=True)
        assert not joins(kept), "a code that leaked is out"
        classes.new_code(room, keep=False)
        assert len(code_of(room)) == secrets_.FRESH_DIGITS


def test_a_new_code_signs_no_one_out(world: World) -> None:
    teacher, tablet = world.visitor("lake"), world.visitor("device")
    answer = teacher.post(f"/teach/classes/{world.classes['sunfish']}/code", {"keep": "1"})
    assert "There is a new code." in teacher.get(answer.headers["Location"]).text
    assert "Miaqua" in tablet.get("/animals").text


def test_cards_show_the_classs_code_only_if_it_is_kept(world: World) -> None:
    teacher, room = world.visitor("lake"), world.classes["sunfish"]
    paths = (f"/teach/classes/{room}/cards", f"/teach/children/{world.children['Miaqua']}/card")
    for path in paths:
        text = teacher.get(path).text
        assert "The code is on the board." in text
        assert "100000" not in text
    teacher.post(f"/teach/classes/{room}/code", {"keep": "1"})
    with world.app.app_context():
        code = code_of(room)
    for path in paths:
        text = teacher.get(path).text
        assert f"<b>{code}</b>" in text
        assert "on the board" not in text


def test_the_qr_code_of_a_card_leads_to_the_class_only_if_its_code_is_kept(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(
        "classroom.web.reports.charts.qr", lambda link, *_: drawn.append(link) or ""
    )
    teacher, room = world.visitor("lake"), world.classes["sunfish"]
    teacher.get(f"/teach/classes/{room}/cards")
    teacher.post(f"/teach/classes/{room}/code", {"keep": "1"})
    teacher.get(f"/teach/classes/{room}/cards")
    with world.app.app_context():
        code = db.session.scalar(select(SchoolClass.code).where(SchoolClass.id == room))
    assert drawn == ["http://localhost/", f"http://localhost/c/{code}"]
