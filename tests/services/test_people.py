"""Classes that are shared and left, the role of administrator, the end of an account."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Adult, AuditEntry, ClassTeacher, School
from classroom.services.access import sessions, sign_in
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.school import people
from tests import databases
from tests.world import PASSWORD, World
from tools import make_demo


@dataclass(frozen=True)
class Scene:
    world: World

    def id(self, login: str) -> int:
        return self.world.adults[login]

    def teaches(self, login: str, room: str) -> bool:
        return sessions.teaches_class(self.id(login), self.world.classes[room])

    def role(self, login: str) -> str:
        return str(db.session.scalar(select(Adult.role).where(Adult.login == login)))

    def room(self, name: str) -> people.Room:
        return people.room(self.world.classes[name])


@pytest.fixture
def scene(world: World) -> Iterator[Scene]:
    with world.app.app_context():
        yield Scene(world)
        db.session.rollback()


def names(found: tuple[people.Colleague, ...]) -> list[str]:
    return [one.name.removesuffix("qadult") for one in found]


# ---- the lists


def test_the_people_of_a_school_are_those_who_work_there_and_no_parents(scene: Scene) -> None:
    assert names(people.staff(1)) == ["Admin", "Brook", "Eddy", "Head", "Lake", "Mere", "Past"]
    assert [one.ended for one in people.staff(1)] == [False] * 6 + [True]
    assert names(people.teachers(1)) == ["Admin", "Brook", "Head", "Lake", "Mere"]
    assert names(people.staff(2)) == ["Marsh"]


def test_a_colleague_was_last_seen_when_they_last_did_something(scene: Scene) -> None:
    assert people.colleague(scene.id("lake")).seen_day is None
    token = sign_in.adult("lake", PASSWORD, "d" * 32)
    assert people.colleague(scene.id("lake")).seen_day == clock.day()
    later = clock.now() + 3600
    with clock.clock_at(later):
        sessions.touch(sessions.find(token))
        assert people.colleague(scene.id("lake")).seen_day == clock.day(later)


def test_a_class_shows_its_teachers_and_its_substitutes_apart(scene: Scene) -> None:
    room = scene.room("sunfish")
    assert (room.name, room.children) == ("Sunfishqroom", 2)
    assert names(room.teachers) == ["Admin", "Lake", "Mere"]
    assert names(room.substitutes) == ["Eddy"]  # the other one's account is closed
    assert [room.name for room in people.rooms(1)] == ["Perchqroom", "Sunfishqroom"]


# ---- sharing, leaving


def test_a_class_is_shared_with_a_colleague(scene: Scene) -> None:
    people.share(scene.world.classes["sunfish"], scene.id("brook"), by=scene.id("lake"))
    people.share(scene.world.classes["sunfish"], scene.id("brook"), by=scene.id("lake"))
    assert scene.teaches("brook", "sunfish")
    assert scene.teaches("lake", "sunfish")


@pytest.mark.parametrize("who", ["reed", "eddy", "past", "marsh"])
def test_a_class_is_not_shared_with_anyone_else(scene: Scene, who: str) -> None:
    with pytest.raises(NotFound):
        people.share(scene.world.classes["perch"], scene.id(who), by=scene.id("brook"))
    assert not scene.teaches(who, "perch")


def test_a_class_is_handed_over(scene: Scene) -> None:
    people.leave(scene.world.classes["perch"], scene.id("brook"), to=scene.id("lake"))
    assert names(scene.room("perch").teachers) == ["Lake"]


@pytest.mark.parametrize("to", [None, "brook"])
def test_the_last_teacher_does_not_leave(scene: Scene, to: str | None) -> None:
    with pytest.raises(Refused, match="last_teacher"):
        people.leave(scene.world.classes["perch"], scene.id("brook"), to and scene.id(to))
    assert scene.teaches("brook", "perch")


def test_a_substitute_is_no_teacher_to_leave_a_class_to(scene: Scene) -> None:
    for login in ("mere", "admin"):
        people.leave(scene.world.classes["sunfish"], scene.id(login))
    with pytest.raises(Refused, match="last_teacher"):
        people.leave(scene.world.classes["sunfish"], scene.id("lake"))


def test_the_administrator_may_take_off_even_the_last_teacher(scene: Scene) -> None:
    people.take_off(scene.world.classes["perch"], scene.id("brook"), by=scene.id("head"))
    assert scene.room("perch").teachers == ()
    people.share(scene.world.classes["perch"], scene.id("head"), by=scene.id("head"))
    assert scene.teaches("head", "perch")
    assert not people.only_administers(scene.id("head"))


def test_who_teaches_no_class_administers_only_once_their_own_school_has_classes(
    scene: Scene,
) -> None:
    with write_unit():
        school = School(name="Reef", created_at=clock.now())
        db.session.add(school)
        db.session.flush()
        db.session.get_one(Adult, scene.id("head")).school_id = school.id
    assert not people.only_administers(scene.id("head")), "the classes are of another school"


def test_a_substitute_who_is_sent_home_has_no_account_left(scene: Scene) -> None:
    with write_unit():
        token = sessions.start("d" * 32, adult_id=scene.id("eddy"))
    people.dismiss(scene.world.classes["sunfish"], scene.id("eddy"), by=scene.id("lake"))
    assert sessions.find(token) is sessions.NOBODY
    assert db.session.get(Adult, scene.id("eddy")) is None


def test_no_teacher_is_dismissed_as_a_substitute(scene: Scene) -> None:
    with pytest.raises(NotFound):
        people.dismiss(scene.world.classes["sunfish"], scene.id("mere"), by=scene.id("lake"))
    assert scene.teaches("mere", "sunfish")


# ---- roles and ends


def test_a_teacher_becomes_an_administrator_and_a_teacher_again(scene: Scene) -> None:
    people.set_role(scene.id("lake"), "admin", by=scene.id("head"))
    assert scene.role("lake") == "admin"
    assert scene.teaches("lake", "sunfish")
    people.set_role(scene.id("lake"), "teacher", by=scene.id("head"))
    assert scene.role("lake") == "teacher"


def test_the_last_administrator_stays(scene: Scene) -> None:
    people.set_role(scene.id("admin"), "teacher", by=scene.id("head"))
    for act in (
        lambda: people.set_role(scene.id("head"), "teacher", by=scene.id("head")),
        lambda: people.end_account(scene.id("head"), by=scene.id("head")),
    ):
        with pytest.raises(Refused, match="last_admin"):
            act()
    assert scene.role("head") == "admin"
    assert people.has_administrator()


@pytest.mark.parametrize("who", ["lake", "admin", "eddy", "past"])
def test_an_account_ends_at_once_with_all_its_sessions(scene: Scene, who: str) -> None:
    with write_unit():
        tokens = [sessions.start("d" * 32, adult_id=scene.id(who)) for _ in range(2)]
    people.end_account(scene.id(who), by=scene.id("head"))
    assert [sessions.find(token) for token in tokens] == [sessions.NOBODY] * 2
    with pytest.raises(Refused, match="wrong_login"):
        sign_in.adult(who, PASSWORD, "d" * 32)


def test_the_account_of_a_parent_is_no_colleagues_to_end(scene: Scene) -> None:
    with pytest.raises(NotFound):
        people.end_account(scene.id("reed"), by=scene.id("head"))
    assert sign_in.adult("reed", PASSWORD, "d" * 32)


def test_the_class_of_an_ended_teacher_stays_without_one(scene: Scene) -> None:
    people.end_account(scene.id("brook"), by=scene.id("head"))
    room = scene.room("perch")
    assert (room.children, room.teachers) == (1, ())


@pytest.mark.skipif(bool(databases.SERVER), reason="a server overwrites deleted data later")
def test_no_byte_of_an_ended_account_is_left(scene: Scene) -> None:
    people.end_account(scene.id("brook"), by=scene.id("head"))
    for path in Path(scene.world.app.instance_path).rglob("*"):
        assert not path.is_file() or b"Brookqadult" not in path.read_bytes(), path


def test_the_operator_makes_a_teacher_an_administrator(scene: Scene) -> None:
    people.make_administrator(" LAKE ")
    assert scene.role("lake") == "admin"
    last = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert last
    assert (last.adult_id, last.action, last.thing_id) == (None, "make_admin", scene.id("lake"))
    for login in ("reed", "eddy", "nobodyknown"):
        with pytest.raises(NotFound):
            people.make_administrator(login)


def test_the_administrator_of_the_demo_school_teaches_no_class(app: Flask) -> None:
    with app.app_context():
        make_demo._people()
        assert set(db.session.scalars(select(Adult.role))) == {"admin", "teacher", "parent"}
        teaching = select(Adult.role).join(ClassTeacher, ClassTeacher.adult_id == Adult.id)
        assert set(db.session.scalars(teaching)) == {"teacher"}
