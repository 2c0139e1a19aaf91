"""Looks at a child: its teachers and parents read days and names; an administrator reads the class
but not the child."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from classroom.database import db, write_unit
from classroom.services.base import audit, clock
from classroom.services.base.errors import NotFound
from classroom.services.reports import looks, overview
from classroom.services.reports.looks import ChosenLooks
from classroom.services.school import child_moves, classes, family_links
from tests.world import World

NOW = 1_800_000_000.0  # after the children were added
DAY = 86_400.0


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context(), clock.clock_at(NOW):
        yield world
        db.session.rollback()


@pytest.fixture
def mia(school: World) -> int:
    return school.children["Miaqua"]


def told(found: looks.Looks) -> list[tuple[str, str, str, int]]:
    return [
        (look.who.name or look.who.role, look.action, look.thing, look.times)
        for _, looks_of_day in found.days
        for look in looks_of_day
    ]


def test_a_teacher_reads_names_and_a_parent_only_those_of_teachers(school: World, mia: int) -> None:
    lake, reed = school.adults["lake"], school.adults["reed"]
    family_links.link(school.adults["rush"], family_links.make_code(mia))
    overview.looked(lake, "child", mia)
    overview.looked(reed, "child", mia)
    linked = ("Rushqadult", "link", "child", 1)
    assert told(looks.of_child(mia, lake))[:3] == [
        ("Reedqadult", "read", "child", 1),
        ("Lakeqadult", "read", "child", 1),
        linked,
    ]
    mine = looks.of_child(mia, reed)
    assert told(mine)[:3] == [
        ("parent", "read", "child", 1),
        ("Lakeqadult", "read", "child", 1),
        ("parent", "link", "child", 1),
    ]
    assert [look.who.you for look in mine.days[0][1]][:3] == [True, False, False]


def test_looks_are_counted_by_day_newest_first(school: World, mia: int) -> None:
    lake = school.adults["lake"]
    overview.looked(lake, "child", mia)
    for hour in range(3):
        with clock.clock_at(NOW + DAY + hour * 3_600):
            overview.looked(lake, "child", mia, "export")
    with clock.clock_at(NOW + DAY + 3 * 3_600):
        found = looks.of_child(mia, lake)
        assert [day for day, _ in found.days] == [clock.day(NOW + DAY), clock.day(NOW)]
    assert [look.times for look in found.days[0][1]] == [3]


def test_looks_at_its_class_and_its_rounds_are_looks_at_the_child(school: World, mia: int) -> None:
    lake = school.adults["lake"]
    overview.looked(lake, "class", school.classes["sunfish"])
    overview.looked(lake, "round", school.rounds["Miaqua"])
    overview.looked(lake, "round", school.rounds["Benquill"])
    overview.looked(lake, "child", school.children["Benquill"])
    classes.close_class(school.classes["sunfish"], by=lake)  # about the class, not its children
    assert told(looks.of_child(mia, lake)) == [
        ("Lakeqadult", "read", "round", 1),
        ("Lakeqadult", "read", "class", 1),
    ]


def test_an_account_that_has_ended_is_called_so(school: World, mia: int) -> None:
    overview.looked(school.adults["reed"], "child", mia)
    family_links.unlink(mia, school.adults["reed"], by=school.adults["lake"])
    assert looks.ENDED in [
        look.who for look in looks.of_child(mia, school.adults["lake"]).days[0][1]
    ]


def test_older_days_are_on_the_next_page(school: World, mia: int) -> None:
    lake = school.adults["lake"]
    for day in (0, 20, 40, 90):
        with clock.clock_at(NOW + day * DAY):
            overview.looked(lake, "child", mia)
    with clock.clock_at(NOW + 95 * DAY):
        pages, before = [], None
        while True:
            found = looks.of_child(mia, lake, before)
            pages.append([day - clock.day(NOW) for day, _ in found.days])
            before = found.more
            if before is None:
                break
    assert pages == [[90], [40, 20], [0]]


def test_there_is_nothing_to_tell_of_a_child_who_is_not_there(school: World) -> None:
    with pytest.raises(NotFound):
        looks.of_child(999, school.adults["lake"])


# ---- for an administrator


def test_an_administrator_reads_the_class_and_no_child(school: World, mia: int) -> None:
    overview.looked(school.adults["lake"], "child", mia, "export")
    overview.looked(school.adults["lake"], "round", school.rounds["Miaqua"])
    found = looks.of_school(1, school.adults["admin"], ChosenLooks())
    assert [(one.thing, one.rooms[0][0], one.who.name) for one in found.entries] == [
        ("round", "Sunfishqroom", "Lakeqadult"),
        ("child", "Sunfishqroom", "Lakeqadult"),
    ]
    assert found.kinds == (("export", "child"), ("read", "round"))


def test_the_record_can_be_sifted_by_action_and_day_and_read_by_pages(
    school: World, mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looks, "LINES", 2)
    admin, lake = school.adults["admin"], school.adults["lake"]
    for day in range(3):
        with clock.clock_at(NOW + day * DAY):
            overview.looked(lake, "child", mia)
            overview.looked(lake, "class", school.classes["sunfish"])
    first = looks.of_school(1, admin, ChosenLooks())
    second = looks.of_school(1, admin, ChosenLooks(before=first.more))
    assert len(first.entries) == len(second.entries) == 2
    assert not {one.at for one in first.entries} & {one.at for one in second.entries}
    reads = looks.of_school(1, admin, ChosenLooks(kind=("read", "child")))
    assert {one.thing for one in reads.entries} == {"child"}
    day = looks.of_school(1, admin, ChosenLooks(day=clock.day(NOW + DAY)))
    assert [one.at for one in day.entries] == [NOW + DAY, NOW + DAY]
    assert looks.of_school(1, admin, ChosenLooks(day=clock.day(NOW) - 3)).entries == ()


def test_what_was_done_many_times_in_one_minute_is_one_line(school: World, mia: int) -> None:
    lake, admin = school.adults["lake"], school.adults["admin"]
    with clock.clock_at(NOW - NOW % 60), write_unit():
        for child in ("Miaqua", "Benquill", "Adaquist"):
            audit.record(lake, "export", "child", school.children[child])
            audit.record(admin, "read", "class", school.classes["sunfish"])
    with clock.clock_at(NOW - NOW % 60 + 60), write_unit():
        audit.record(lake, "export", "child", mia)
    found = looks.of_school(1, admin, ChosenLooks()).entries
    assert [(one.action, one.times, one.rooms) for one in found] == [
        ("export", 1, (("Sunfishqroom", 1),)),
        ("read", 3, (("Sunfishqroom", 3),)),
        ("export", 3, (("Perchqroom", 1), ("Sunfishqroom", 2))),
    ]


def test_a_great_day_fits_a_page_and_no_row_is_lost(
    school: World, mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looks, "LINES", 2)
    monkeypatch.setattr(looks, "ROWS", 50)
    admin = school.adults["admin"]
    with clock.clock_at(NOW - NOW % 60), write_unit():
        for _ in range(120):
            audit.record(admin, "move", "child", mia)
    with clock.clock_at(NOW + DAY):
        overview.looked(admin, "child", mia)
    told, before = [], None
    while True:
        page = looks.of_school(1, admin, ChosenLooks(before=before))
        told += [(one.action, one.times) for one in page.entries]
        before = page.more
        if before is None:
            break
    assert told == [("read", 1), ("move", 49), ("move", 50), ("move", 21)]


def test_the_record_can_be_sifted_by_person_and_class(school: World, mia: int) -> None:
    lake, admin = school.adults["lake"], school.adults["admin"]
    ada = school.children["Adaquist"]
    overview.looked(lake, "child", mia)
    overview.looked(admin, "child", ada)
    overview.looked(school.adults["reed"], "child", mia)
    with write_unit():
        audit.record(None, "archive", "class", school.classes["perch"])

    def told(**chosen: Any) -> list[tuple[str, str]]:
        found = looks.of_school(1, admin, ChosenLooks(**chosen)).entries
        return [(one.action, one.rooms[0][0]) for one in found]

    assert told(person=lake) == [("read", "Sunfishqroom")]
    assert told(person=looks.PARENTS) == [("read", "Sunfishqroom")]
    assert told(person=looks.BY_PROGRAM) == [("archive", "Perchqroom")]
    perch = [("archive", "Perchqroom"), ("read", "Perchqroom")]
    assert told(room=school.classes["perch"]) == perch
    assert told(room=school.classes["perch"], person=lake) == []
    assert told(room=school.classes["carp"]) == []
    page = looks.of_school(1, admin, ChosenLooks())
    assert {name for _, name in page.rooms} == {"Sunfishqroom", "Perchqroom"}
    assert school.adults["reed"] not in {key for key, _ in page.people}


def test_rows_of_another_schools_adults_are_not_shown(school: World) -> None:
    overview.looked(school.adults["marsh"], "child", school.children["Zedquorn"])
    with write_unit():
        audit.record(None, "remove", "child", 77)
    found = looks.of_school(1, school.adults["admin"], ChosenLooks())
    assert [(one.who, one.action) for one in found.entries] == [(looks.PROGRAM, "remove")]


def test_after_a_move_the_looks_at_the_class_before_are_still_told(school: World, mia: int) -> None:
    lake, sunfish, perch = (
        school.adults["lake"],
        school.classes["sunfish"],
        school.classes["perch"],
    )
    overview.looked(lake, "class", sunfish)
    overview.looked(lake, "class", perch)  # before the child came
    with clock.clock_at(NOW + DAY):
        child_moves.move(mia, perch, lake)
    with clock.clock_at(NOW + 2 * DAY):
        overview.looked(lake, "class", sunfish)  # the child is no longer there
        overview.looked(lake, "class", perch, "export")
        found = [
            (look.action, look.class_name)
            for _, done in looks.of_child(mia, lake).days
            for look in done
            if look.thing == "class"
        ]
    assert found == [("export", "Perchqroom"), ("read", "Sunfishqroom")]
