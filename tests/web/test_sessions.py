"""Sessions can be ended: after each of these actions the old cookie fails on the next request."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import delete, select, update

from classroom.database import db, write_unit
from classroom.models import Adult, Session
from classroom.services.access import sessions, sign_in
from classroom.services.base import clock, secrets_
from classroom.services.school import classes, removals
from tests.world import PASSWORD, Visitor, World

NEW_PASSWORD = "nine small otters dive"
HOMES = {"device": "/animals", "Miaqua": "/play/", "lake": "/teach/", "reed": "/family/"}


def is_in(visitor: Visitor, who: str) -> bool:
    return visitor.get(HOMES[who]).status_code == 200


def _out(world: World, _visitor: Visitor, who: str) -> None:
    cookie = _visitor.client.get_cookie("school")
    assert cookie is not None
    _visitor.post("/bye" if who in ("device", "Miaqua") else "/out")
    _visitor.client.set_cookie("school", cookie.value)  # a thief kept the old one


def _close(world: World, _visitor: Visitor, _who: str) -> None:
    classes.close_class(world.classes["sunfish"])


def _pictures(world: World, _visitor: Visitor, _who: str) -> None:
    classes.reset_pictures(world.children["Miaqua"])


def _remove_child(world: World, _visitor: Visitor, _who: str) -> None:
    removals.remove_child(world.children["Miaqua"])


def _password(world: World, _visitor: Visitor, who: str) -> None:
    elsewhere = world.visitor(who)
    fields = {"old": PASSWORD, "new": NEW_PASSWORD}
    assert elsewhere.post("/account", fields).status_code == 303
    assert is_in(elsewhere, who)  # the browser that changed it stays signed in


def _operator(_world: World, _visitor: Visitor, who: str) -> None:
    sign_in.reset_password(who, NEW_PASSWORD)


def _delete_adult(_world: World, _visitor: Visitor, who: str) -> None:
    with write_unit():
        db.session.execute(delete(Adult).where(Adult.login == who))


def _change_role(_world: World, _visitor: Visitor, who: str) -> None:
    role = {"lake": "parent", "reed": "teacher"}[who]
    with write_unit():
        db.session.execute(update(Adult).where(Adult.login == who).values(role=role))


def _end_of_lesson(world: World, _visitor: Visitor, _who: str) -> None:
    with write_unit():
        school_class = db.session.get_one(classes.SchoolClass, world.classes["sunfish"])
        school_class.opened_until = clock.now() - sessions.CLASS_GRACE


def _grown_old(_world: World, _visitor: Visitor, _who: str) -> None:
    with write_unit():
        db.session.execute(update(Session).values(ends_at=clock.now()))


def _idle(_world: World, _visitor: Visitor, _who: str) -> None:
    with write_unit():
        db.session.execute(update(Session).values(seen_at=clock.now() - sessions.ADULT_IDLE))


ENDS: list[tuple[str, Callable[[World, Visitor, str], None]]] = [
    *[(who, _out) for who in HOMES],
    *[(who, _close) for who in ("device", "Miaqua")],
    *[(who, _end_of_lesson) for who in ("device", "Miaqua")],
    ("Miaqua", _pictures),
    ("Miaqua", _remove_child),
    *[(who, how) for how in (_password, _operator) for who in ("lake", "reed")],
    *[(who, how) for how in (_delete_adult, _change_role, _idle) for who in ("lake", "reed")],
    *[(who, _grown_old) for who in HOMES],
]


@pytest.mark.walk(4)
@pytest.mark.parametrize(("who", "how"), ENDS, ids=lambda part: getattr(part, "__name__", part))
def test_the_old_cookie_fails_at_once(
    world: World, who: str, how: Callable[[World, Visitor, str], None]
) -> None:
    visitor = world.visitor(who)
    assert is_in(visitor, who)
    with world.app.app_context():
        how(world, visitor, who)
    assert not is_in(visitor, who)


def test_signing_in_makes_a_new_cookie_and_ends_the_old_session(world: World) -> None:
    visitor = world.visitor("device")
    before = visitor.client.get_cookie("school")
    assert before is not None
    card = _card(world, "Miaqua")
    answer = visitor.post(
        f"/animals/{world.children['Miaqua']}", {f"p{n}": p for n, p in enumerate(card, 1)}
    )
    assert answer.status_code == 303
    after = visitor.client.get_cookie("school")
    assert after is not None
    assert after.value != before.value
    thief = world.app.test_client()
    thief.set_cookie("school", before.value)
    assert thief.get("/animals").status_code == 303


def _card(world: World, name: str) -> tuple[str, ...]:
    with world.app.app_context():
        return sign_in.pictures_of(db.session.get_one(classes.Child, world.children[name]))


def test_a_child_who_signs_out_leaves_the_device_in_the_class(world: World) -> None:
    visitor = world.visitor("Miaqua")
    assert visitor.post("/bye").headers["Location"] == "/"
    assert visitor.get("/").headers["Location"] == "/animals"
    assert visitor.get("/play/").status_code == 303


def test_the_table_of_sessions_holds_no_token(world: World) -> None:
    visitor = world.visitor("lake")
    cookie = visitor.client.get_cookie("school")
    assert cookie is not None
    assert len(cookie.value) >= 43
    with world.app.app_context():
        kept = list(db.session.scalars(select(Session.token_hash)))
    assert cookie.value not in kept
    assert secrets_.hashed(cookie.value) in kept


def test_actions_keep_an_adult_signed_in_and_reading_does_not(world: World) -> None:
    visitor = world.visitor("lake")
    start = clock.now()
    with clock.clock_at(start + sessions.ADULT_IDLE - 60):
        assert visitor.get("/teach/").status_code == 200
        room = world.classes["sunfish"]
        assert visitor.post(f"/teach/classes/{room}/open", {"minutes": "45"}).status_code == 303
    with clock.clock_at(start + sessions.ADULT_IDLE + 3_600):
        assert visitor.get("/teach/").status_code == 200


def test_a_session_in_use_ends_after_twelve_hours(world: World) -> None:
    visitors = {who: world.visitor(who) for who in ("lake", "device")}
    start, opening = clock.now(), f"/teach/classes/{world.classes['sunfish']}/open"
    for hours in range(2, 12, 2):
        with clock.clock_at(start + hours * 3_600):
            assert visitors["lake"].post(opening, {"minutes": "180"}).status_code == 303
    for at, inside in ((start + 12 * 3_600 - 60, True), (start + 12 * 3_600, False)):
        with clock.clock_at(at):
            assert all(is_in(visitor, who) is inside for who, visitor in visitors.items())


def test_a_class_that_opens_again_after_a_moment_keeps_its_devices(world: World) -> None:
    tablet, room, start = world.visitor("device"), world.classes["sunfish"], clock.now()
    with world.app.app_context():
        classes.open_class(room, 1)
        for seconds, inside in ((120, True), (120 + 60 + sessions.CLASS_GRACE, False)):
            with clock.clock_at(start + seconds):
                classes.open_class(room, 1)
                assert is_in(tablet, "device") is inside


def test_the_sweep_deletes_only_ended_sessions(world: World) -> None:
    alive, old = world.visitor("lake"), world.visitor("reed")
    with world.app.app_context():
        with write_unit():
            db.session.execute(
                update(Session)
                .where(Session.adult_id == world.adults["reed"])
                .values(ends_at=clock.now() - 1)
            )
        sessions.sweep()
        assert [row.adult_id for row in db.session.scalars(select(Session))] == [
            world.adults["lake"]
        ]
    assert is_in(alive, "lake")
    assert not is_in(old, "reed")
