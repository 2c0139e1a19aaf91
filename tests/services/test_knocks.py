"""Devices at the door: each shows a sign, and a teacher who taps a sign lets in that device."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Child, DoorKnock, School, SchoolClass
from classroom.services.access import accounts, knocks, sessions, sign_in
from classroom.services.access.knocks import SHAPES, SIGNS, ChildAtDoor, DeviceAtDoor, Sign
from classroom.services.access.sessions import Who
from classroom.services.base import audit, clock
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.school import child_moves, classes
from tests.playing import Classroom

NOW = 1_790_000_000.0


@pytest.fixture
def teacher(room: Classroom) -> int:
    with write_unit():
        school = db.session.scalars(select(School)).one()
        return accounts.add_adult(school.id, "teacher", "Ms Lake", "lake", "-")


def tablet(room: Classroom) -> Who:
    return Who(kind="device", class_id=room.class_id, device=secrets.token_hex(16))


def door(room: Classroom) -> tuple[ChildAtDoor, ...]:
    return knocks.at_the_door(room.class_id)


def shown(room: Classroom, who: Who) -> DeviceAtDoor:
    """This tablet as the teacher sees it."""
    mine = select(DoorKnock.id).where(DoorKnock.device == who.device, DoorKnock.sign.is_not(None))
    knock_id = db.session.scalars(mine).one()
    (found,) = (d for child in door(room) for d in child.devices if d.knock_id == knock_id)
    return found


def let_in(room: Classroom, teacher: int, child_id: int, who: Who) -> None:
    seen = shown(room, who)
    knocks.let_in(teacher, child_id, seen.knock_id, seen.sign.key)


# ---- which device


@pytest.mark.parametrize("picked", [0, 1])
def test_the_tapped_sign_decides_between_two_tablets_at_one_animal(
    room: Classroom, mia: int, teacher: int, picked: int
) -> None:
    tablets = [tablet(room), tablet(room)]
    for who in tablets:
        sign_in.knock(who, mia)
    let_in(room, teacher, mia, tablets[picked])
    assert sign_in.come_in(tablets[1 - picked], mia) is None
    token = sign_in.come_in(tablets[picked], mia)
    assert sessions.find(token).child_id == mia
    assert sign_in.come_in(tablets[1 - picked], mia) is None
    assert audit.verify().wrong is None


def test_knocking_again_and_again_does_not_open_the_door(
    room: Classroom, mia: int, teacher: int
) -> None:
    mine, other = tablet(room), tablet(room)
    sign_in.knock(mine, mia)
    seen = shown(room, mine)
    for _ in range(3):
        sign_in.knock(other, mia)
    knocks.let_in(teacher, mia, seen.knock_id, seen.sign.key)
    sign_in.knock(other, mia)
    assert sign_in.come_in(other, mia) is None
    assert sign_in.come_in(mine, mia)


def test_two_tablets_at_one_animal_show_two_shapes(room: Classroom, mia: int) -> None:
    for _ in range(2):
        sign_in.knock(tablet(room), mia)
    (child,) = door(room)
    assert (child.name, len(child.devices), child.inside) == ("Mia", 2, False)
    assert len({device.sign.shape for device in child.devices}) == 2


def test_a_knock_at_another_childs_door_is_not_found(
    room: Classroom, mia: int, ben: int, teacher: int
) -> None:
    who = tablet(room)
    sign_in.knock(who, ben)
    seen = shown(room, who)
    for knock_id in (seen.knock_id, 10**6):
        with pytest.raises(NotFound):
            knocks.let_in(teacher, mia, knock_id, seen.sign.key)
    assert sign_in.come_in(who, mia) is None
    assert sign_in.come_in(who, ben) is None


def test_a_child_who_goes_to_another_class_waits_at_no_door(
    room: Classroom, mia: int, teacher: int
) -> None:
    sign_in.knock(tablet(room), mia)
    other = classes.make_class(teacher, db.session.scalars(select(School.id)).one(), "Perch")
    child_moves.move(mia, other)
    assert knocks.at_the_door(room.class_id) == knocks.at_the_door(other) == ()


def test_a_device_is_not_let_in_without_its_sign(room: Classroom, mia: int, teacher: int) -> None:
    who = tablet(room)
    sign_in.knock(who, mia)
    seen = shown(room, who)
    for key in SIGNS:
        if key != seen.sign.key:
            with pytest.raises(NotNow, match="nobody_at_the_door"):
                knocks.let_in(teacher, mia, seen.knock_id, key)
    assert sign_in.come_in(who, mia) is None


def test_a_tap_on_a_freed_sign_does_not_let_in_its_next_device(
    room: Classroom, mia: int, ben: int, teacher: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    always(monkeypatch, SIGNS["blue-star"])
    mine, other = tablet(room), tablet(room)
    sign_in.knock(mine, mia)
    seen = shown(room, mine)
    sign_in.leave(mine)
    sign_in.knock(other, mia)
    assert shown(room, other).sign == seen.sign
    with pytest.raises(NotNow, match="nobody_at_the_door"):
        knocks.let_in(teacher, mia, seen.knock_id, seen.sign.key)
    assert sign_in.come_in(other, mia) is None
    assert sign_in.come_in(mine, mia) is None


def test_a_device_with_a_new_sign_is_not_let_in_by_its_old_one(
    room: Classroom, mia: int, ben: int, teacher: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = tablet(room)
    always(monkeypatch, SIGNS["blue-star"])
    sign_in.knock(who, mia)
    old = shown(room, who)
    sign_in.knock(who, ben)
    always(monkeypatch, SIGNS["red-heart"])
    sign_in.knock(who, mia)
    assert shown(room, who).knock_id == old.knock_id
    with pytest.raises(NotNow, match="nobody_at_the_door"):
        knocks.let_in(teacher, mia, old.knock_id, old.sign.key)
    assert sign_in.come_in(who, mia) is None


def always(monkeypatch: pytest.MonkeyPatch, sign: Sign) -> None:
    monkeypatch.setattr(knocks, "draw_sign", lambda _taken, _beside: sign)


def test_a_device_that_goes_to_another_animal_loses_its_permission(
    room: Classroom, mia: int, ben: int, teacher: int
) -> None:
    who = tablet(room)
    sign_in.knock(who, mia)
    let_in(room, teacher, mia, who)
    sign_in.knock(who, ben)
    assert sign_in.come_in(who, mia) is None
    sign_in.knock(who, mia)
    assert sign_in.come_in(who, mia) is None


def test_a_permission_lasts_two_minutes_and_then_the_device_waits_again(
    room: Classroom, mia: int, teacher: int
) -> None:
    who = tablet(room)
    with clock.clock_at(clock.now()):
        sign_in.knock(who, mia)
        let_in(room, teacher, mia, who)
        assert door(room) == ()
    with clock.clock_at(clock.now() + knocks.LET_IN_SECONDS + 1):
        assert sign_in.come_in(who, mia) is None
        let_in(room, teacher, mia, who)
        assert sign_in.come_in(who, mia)


def test_a_permission_ends_after_two_minutes_although_the_child_knocks_again(
    room: Classroom, mia: int, teacher: int
) -> None:
    who = tablet(room)
    with clock.clock_at(NOW):
        classes.open_class(room.class_id)
        sign_in.knock(who, mia)
        let_in(room, teacher, mia, who)
    with clock.clock_at(NOW + knocks.LET_IN_SECONDS / 2):
        sign_in.knock(who, mia)
    with clock.clock_at(NOW + knocks.LET_IN_SECONDS + 1):
        assert sign_in.come_in(who, mia) is None


def test_of_two_devices_that_were_let_in_the_first_one_in_keeps_the_child(
    room: Classroom, mia: int, teacher: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tablet(room), tablet(room)
    for who in (first, second):
        sign_in.knock(who, mia)
        let_in(room, teacher, mia, who)
    was_let_in, tokens = knocks.may_enter, []

    def comes_in_between(row: DoorKnock) -> bool:
        answer = was_let_in(row)
        monkeypatch.undo()
        tokens.append(sign_in.come_in(first, mia))
        return answer

    monkeypatch.setattr(knocks, "may_enter", comes_in_between)
    assert sign_in.come_in(second, mia) is None
    assert sessions.find(tokens[0]).child_id == mia


# ---- who is at the door


def test_a_device_at_the_door_is_listed_until_let_in(
    room: Classroom, mia: int, teacher: int
) -> None:
    who = tablet(room)
    sign_in.knock(who, mia)
    for _ in range(2):
        with pytest.raises(Refused):
            sign_in.pictures(who, mia, ["q-sun"] * 4)
    assert shown(room, who).tries == 2
    let_in(room, teacher, mia, who)
    assert door(room) == ()


def test_a_device_that_left_long_ago_is_not_listed(room: Classroom, mia: int) -> None:
    sign_in.knock(tablet(room), mia)
    with clock.clock_at(clock.now() + knocks.KNOCK_SECONDS + 1):
        assert door(room) == ()


def test_a_device_that_keeps_polling_keeps_its_place_and_its_sign(
    room: Classroom, mia: int, ben: int
) -> None:
    first, second = tablet(room), tablet(room)
    with clock.clock_at(NOW):
        classes.open_class(room.class_id)
        sign_in.knock(first, mia)
        seen = shown(room, first)
    with clock.clock_at(NOW + 60):
        sign_in.knock(second, ben)
    for minute in range(2, 30):
        with clock.clock_at(NOW + 60 * minute):
            assert sign_in.come_in(first, mia) is None
            assert sign_in.come_in(second, ben) is None
            assert [child.name for child in door(room)] == ["Mia", "Ben"]
            assert shown(room, first) == seen


def test_a_device_is_at_one_door_only(room: Classroom, mia: int, ben: int) -> None:
    who = tablet(room)
    sign_in.knock(who, mia)
    sign_in.knock(who, ben)
    (child,) = door(room)
    assert child.name == "Ben"
    assert knocks.sign_at(who.device, mia) is None


def test_a_device_that_leaves_the_class_leaves_the_door(room: Classroom, mia: int) -> None:
    who = tablet(room)
    sign_in.knock(who, mia)
    sign_in.leave(who)
    assert door(room) == ()


@pytest.mark.parametrize("way", ["pictures", "teacher"])
def test_once_the_child_is_in_no_device_waits_at_its_door(
    room: Classroom, mia: int, teacher: int, way: str
) -> None:
    mine, other = tablet(room), tablet(room)
    for who in (mine, other):
        sign_in.knock(who, mia)
    if way == "teacher":
        let_in(room, teacher, mia, other)  # but the child is faster on its own device
    assert sign_in.pictures(mine, mia, list(sign_in.pictures_of(db.session.get_one(Child, mia))))
    assert door(room) == ()
    with clock.clock_at(clock.now() + knocks.KNOCK_AGAIN + 1):
        assert sign_in.come_in(other, mia) is None
        assert door(room) == ()
    sign_in.knock(other, mia)  # the child taps on the other device
    (child,) = door(room)
    assert child.inside


def test_a_sign_is_freed_after_ten_minutes_without_a_poll_and_a_new_one_drawn(
    room: Classroom, mia: int, ben: int, teacher: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asleep, awake = tablet(room), tablet(room)
    always(monkeypatch, SIGNS["blue-star"])
    sign_in.knock(asleep, mia)
    seen = shown(room, asleep)
    monkeypatch.undo()
    with clock.clock_at(clock.now() + knocks.KNOCK_SECONDS + 1):
        always(monkeypatch, SIGNS["blue-star"])
        sign_in.knock(awake, ben)
        monkeypatch.undo()
        with pytest.raises(NotNow, match="nobody_at_the_door"):
            knocks.let_in(teacher, mia, seen.knock_id, seen.sign.key)
        assert sign_in.come_in(asleep, mia) is None
        assert shown(room, asleep).sign != seen.sign


# ---- signs


def crowd(room: Classroom, many: int, child_id: int) -> list[Sign]:
    for _ in range(many):
        sign_in.knock(tablet(room), child_id)
    return [device.sign for child in door(room) for device in child.devices]


def test_while_shapes_last_no_two_devices_have_the_same(
    room: Classroom, mia: int, ben: int
) -> None:
    half = len(SHAPES) // 2
    crowd(room, half, mia)
    found = crowd(room, half, ben)
    assert sorted(sign.shape for sign in found) == sorted(SHAPES)


def test_in_a_crowd_the_devices_of_one_child_still_differ_in_shape(
    room: Classroom, mia: int, ben: int
) -> None:
    crowd(room, 20, ben)
    crowd(room, len(SHAPES), mia)
    (found,) = (child for child in door(room) if child.child_id == mia)
    assert len({device.sign.shape for device in found.devices}) == len(SHAPES)


def test_a_crowd_at_one_door_takes_every_shape_equally_often(room: Classroom, ben: int) -> None:
    many = Counter(sign.shape for sign in crowd(room, 20, ben))
    assert set(many.values()) == {2, 3}


def test_no_two_devices_of_a_class_share_a_sign_and_one_without_is_not_offered(
    room: Classroom, mia: int, ben: int
) -> None:
    crowd(room, len(SIGNS), ben)
    late = tablet(room)
    sign_in.knock(late, mia)
    (child,) = door(room)
    assert (child.name, {device.sign for device in child.devices}) == ("Ben", set(SIGNS.values()))
    assert knocks.sign_at(late.device, mia) is None
    assert sign_in.pictures(late, mia, list(sign_in.pictures_of(db.session.get_one(Child, mia))))


def test_a_class_next_door_does_not_use_up_our_signs(room: Classroom, mia: int) -> None:
    with write_unit():
        here = db.session.get_one(SchoolClass, room.class_id)
        next_door = SchoolClass(
            school_id=here.school_id, name="Next", code="next", opened_until=here.opened_until,
            created_at=clock.now(),
        )  # fmt: skip
        db.session.add(next_door)
        db.session.flush()
        class_id = next_door.id
    theirs = classes.add_child(class_id, "Nia")
    for _ in range(len(SIGNS)):
        who = Who(kind="device", class_id=class_id, device=secrets.token_hex(16))
        sign_in.knock(who, theirs)
    assert len(crowd(room, 1, mia)) == 1


def test_a_device_cannot_choose_its_sign() -> None:
    drawn = {knocks.draw_sign((), ()) for _ in range(1_000)}
    assert drawn == set(SIGNS.values())


@pytest.mark.parametrize("taken", [0, 5, 8, 30, 47])
def test_a_drawn_sign_is_free_and_its_shape_new_beside_the_others(taken: int) -> None:
    others: Collection[Sign] = list(SIGNS.values())[:taken]
    for _ in range(50):
        drawn = knocks.draw_sign(others, others[:3])
        assert drawn not in others
        assert drawn is not None
        assert taken == 47 or drawn.shape not in {sign.shape for sign in others[:3]}
    assert knocks.draw_sign(SIGNS.values(), ()) is None


def test_devices_that_knock_at_the_same_moment_get_different_signs(
    room: Classroom, mia: int, ben: int
) -> None:
    tablets = [tablet(room) for _ in range(24)]

    def knock(number: int) -> None:
        with room.app.app_context():
            sign_in.knock(tablets[number], (mia, ben)[number % 2])

    db.session.rollback()
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(knock, range(len(tablets))))
    found = [device.sign for child in door(room) for device in child.devices]
    assert len(found) == len(set(found)) == len(tablets)


def test_two_taps_at_the_same_moment_let_in_two_children_each_on_its_device(
    room: Classroom, mia: int, ben: int, teacher: int
) -> None:
    tablets = {mia: tablet(room), ben: tablet(room)}
    for child_id, who in tablets.items():
        sign_in.knock(who, child_id)
    seen = {child_id: shown(room, who) for child_id, who in tablets.items()}

    def tap(child_id: int) -> str | None:
        with room.app.app_context():
            one = seen[child_id]
            knocks.let_in(teacher, child_id, one.knock_id, one.sign.key)
            return sign_in.come_in(tablets[child_id], child_id)

    db.session.rollback()
    with ThreadPoolExecutor(2) as threads:
        tokens = dict(zip(tablets, threads.map(tap, tablets), strict=True))
    assert {child_id: sessions.find(token).child_id for child_id, token in tokens.items()} == {
        mia: mia,
        ben: ben,
    }
