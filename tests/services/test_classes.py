"""Classes: opening and closing, children and their faces, sign-in cards."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    DoorKnock,
    KnownDevice,
    Player,
    School,
    SchoolClass,
    Session,
    WrongTry,
)
from classroom.services.access import accounts, knocks, sessions, sign_in
from classroom.services.access.sessions import Who
from classroom.services.base import audit, budgets, clock, names
from classroom.services.base.errors import NotFound, Refused
from classroom.services.reports import overview
from classroom.services.school import classes, removals
from classroom.services.table import matches
from tests.listed import add_list
from tests.playing import Classroom

NOW = 1_790_000_000.0


@pytest.fixture
def teacher(room: Classroom) -> int:
    with write_unit():
        school = db.session.scalars(select(School)).one()
        return accounts.add_adult(school.id, "teacher", "Ms Lake", "lake", "-")


def on_device(room: Classroom) -> Who:
    device = secrets.token_hex(16)
    with write_unit():
        sessions.start(device, class_id=room.class_id)
    return Who(kind="device", class_id=room.class_id, device=device)


def child(child_id: int) -> Child:
    db.session.expire_all()
    return db.session.get_one(Child, child_id)


# ---- classes and their door


def test_a_new_class_is_closed_and_its_maker_teaches_it(room: Classroom, teacher: int) -> None:
    school_id = db.session.get_one(Adult, teacher).school_id
    class_id = classes.make_class(teacher, school_id, "  Sunfish   Class ")
    (line,) = overview.classes_of(teacher)
    assert (line.class_id, line.name, line.opened_until) == (class_id, "Sunfish Class", None)
    assert len(db.session.get_one(SchoolClass, class_id).code) == 6


@pytest.mark.parametrize(("name", "code"), [("", "empty"), ("x" * 61, "long"), ("…", "odd")])
def test_a_class_needs_a_name_that_can_be_read(teacher: int, name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        classes.make_class(teacher, 1, name)
    assert refused.value.code == "class_name_" + code


def test_opening_lasts_a_lesson_and_forgives_wrong_pictures(
    room: Classroom, teacher: int, mia: int
) -> None:
    with clock.clock_at(NOW), write_unit():
        db.session.add(KnownDevice(child_id=mia, device="a" * 32, last_at=NOW))
        budgets.note(f"class:{room.class_id}", "a" * 32)
    with clock.clock_at(NOW):
        until = classes.open_class(room.class_id, by=teacher)
        page = overview.class_page(room.class_id)
    assert until == NOW + 3600 == page.opened_until
    assert db.session.scalars(select(WrongTry)).all() == []
    with clock.clock_at(until):
        assert overview.class_page(room.class_id).opened_until is None


def test_no_lesson_is_longer_than_four_hours(room: Classroom) -> None:
    with clock.clock_at(NOW):
        assert classes.open_class(room.class_id, 100_000) == NOW + 240 * 60


def test_closing_ends_every_session_of_the_class(room: Classroom, mia: int, teacher: int) -> None:
    who = on_device(room)
    with write_unit():
        token = sessions.start("a" * 32, class_id=room.class_id, child_id=mia)
    sign_in.knock(who, mia)
    classes.close_class(room.class_id, by=teacher)
    assert sessions.find(token).kind == "nobody"
    assert db.session.scalars(select(Session).where(Session.class_id.is_not(None))).all() == []
    assert knocks.at_the_door(room.class_id) == ()


# ---- children


def test_a_child_gets_an_animal_that_is_new_in_the_class(room: Classroom) -> None:
    made = [child(classes.add_child(room.class_id, f"Child {'abcdefghij'[n]}")) for n in range(10)]
    mine = {made_one.animal for made_one in made}
    assert len(mine) == 10
    assert not mine & {"fox", "bear"}


def test_a_chosen_animal_gets_the_next_pad_and_is_refused_the_fifth_time(
    room: Classroom,
) -> None:
    pads = [child(classes.add_child(room.class_id, name, "fox")).pad for name in ("A", "B", "C")]
    assert pads == [2, 3, 4]
    with pytest.raises(Refused) as refused:
        classes.add_child(room.class_id, "D", "fox")
    assert refused.value.code == "animal_full"


def test_a_class_holds_as_many_children_as_there_are_faces(room: Classroom) -> None:
    letters = "abcdefghijklmnopqrstuvwxyzäöüß"
    names = [a + b for a in letters for b in letters][: classes.MOST_CHILDREN - 2]
    add_list(room.class_id, "\n".join(names))
    rows = db.session.execute(select(Child.animal, Child.pad)).all()
    assert len(set(rows)) == classes.MOST_CHILDREN
    with pytest.raises(Refused) as refused:
        classes.add_child(room.class_id, "One more")
    assert refused.value.code == "class_full"


@pytest.mark.parametrize(
    ("name", "code"),
    [("", "empty"), ("y" * 31, "long"), ("a@b.c", "odd"), (" mIA ", "known")],
)
def test_one_child_is_refused_for_the_same_reasons(room: Classroom, name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        classes.add_child(room.class_id, name)
    assert refused.value.code == "child_name_" + code


def test_the_first_offered_face_is_the_one_that_is_given(room: Classroom) -> None:
    (animal, pad), *others = classes.offered_faces(room.class_id)
    made = child(classes.add_child(room.class_id, "Ada"))
    assert (made.animal, made.pad) == (animal, pad)
    assert {animal, *(name for name, _ in others)} == set(names.ANIMALS)


def test_a_new_name_and_animal_show_at_the_tables_at_once(
    room: Classroom, mia: int, teacher: int
) -> None:
    round_id = matches.start_match(mia)
    classes.rename_child(mia, "Mia B.", "6-7", "cat", by=teacher)
    row = child(mia)
    assert (row.name, row.age_band, row.animal) == ("Mia B.", "6-7", "cat")
    seat = db.session.scalars(select(Player).where(Player.child_id == mia)).one()
    assert (seat.name, seat.animal) == ("Mia B.", "cat")
    assert matches.current_round(mia) == round_id


def test_a_child_cannot_have_a_name_that_looks_like_another(room: Classroom, mia: int) -> None:
    classes.add_child(room.class_id, "Anna")
    for name in ("\u0410nna", "An\u200dna", "anna"):
        for rename in (True, False):
            with pytest.raises(Refused) as refused:
                classes.rename_child(mia, name) if rename else classes.add_child(
                    room.class_id, name
                )
            assert refused.value.code == "child_name_known"


def test_a_childs_own_name_can_change_its_spelling(room: Classroom, mia: int) -> None:
    classes.rename_child(mia, "MIA")
    assert child(mia).name == "MIA"


def test_new_pictures_end_the_sessions_that_the_old_card_opened(
    room: Classroom, mia: int, teacher: int
) -> None:
    old = sign_in.pictures_of(child(mia))
    with write_unit():
        token = sessions.start("a" * 32, class_id=room.class_id, child_id=mia)
    classes.reset_pictures(mia, by=teacher)
    assert sign_in.pictures_of(child(mia)) != old
    assert sessions.find(token).kind == "nobody"
    who = on_device(room)
    with pytest.raises(Refused):
        sign_in.pictures(who, mia, list(old))


def test_a_printed_card_opens_the_door(room: Classroom, mia: int, teacher: int) -> None:
    both = classes.sign_in_cards(room.class_id, by=teacher)
    assert [card.name for card in both] == ["Ben", "Mia"]
    card = classes.sign_in_card(mia, by=teacher)
    assert replace(card, printed=both[1].printed) == both[1]
    who = on_device(room)
    assert sessions.find(sign_in.pictures(who, mia, list(card.pictures))).child_id == mia


# ---- on record


def test_every_change_of_a_child_is_on_record_without_a_name(
    room: Classroom, mia: int, teacher: int
) -> None:
    ada = classes.add_child(room.class_id, "Ada", by=teacher)
    classes.rename_child(ada, "Adaline", by=teacher)
    classes.reset_pictures(ada, by=teacher)
    classes.sign_in_card(ada, by=teacher)
    removals.remove_child(ada, by=teacher)
    rows = db.session.scalars(select(AuditEntry).where(AuditEntry.thing_id == ada)).all()
    actions = [row.action for row in rows if row.thing == "child" and row.adult_id == teacher]
    assert actions == ["add", "change", "pictures", "cards", "remove"]
    assert audit.verify().wrong is None


@pytest.mark.parametrize("call", ["rename_child", "reset_pictures", "remove_child", "sign_in_card"])
def test_an_unknown_child_is_not_found(room: Classroom, call: str) -> None:
    more = ("Ada",) if call == "rename_child" else ()
    module = removals if call == "remove_child" else classes
    with pytest.raises(NotFound):
        getattr(module, call)(987_654, *more)
    assert db.session.scalars(select(DoorKnock)).all() == []
