"""A class can be renamed, archived, restored and ended; nothing in the archive can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from classroom.database import db, write_unit
from classroom.models import School, SchoolClass, Session
from classroom.services.access import sessions, sign_in
from classroom.services.base import clock, limits
from classroom.services.base.errors import NotNow, Refused
from classroom.services.reports import overview
from classroom.services.school import class_life, classes
from tests.listed import add_list
from tests.world import World

NOON = 1_790_000_000.0  # 21 September 2026


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context(), clock.clock_at(NOON):
        yield world
        db.session.rollback()


def second_class(school: World, name: str = "Minnows") -> int:
    return classes.make_class(school.adults["lake"], 1, name)


@pytest.mark.parametrize("name", ["SUNFISHQROOM", "Sunfishqroom ", "S\u200bunfishqroom"])
def test_no_two_classes_of_a_school_have_names_that_look_alike(school: World, name: str) -> None:
    with pytest.raises(Refused, match="class_name_known"):
        second_class(school, name)
    with pytest.raises(Refused, match="class_name_known"):
        class_life.rename(second_class(school), name)


def test_a_class_can_be_renamed_and_keep_its_own_name(school: World) -> None:
    sunfish = school.classes["sunfish"]
    class_life.rename(sunfish, "  Sunfish  2B ")
    assert class_life.life(sunfish).name == "Sunfish 2B"
    class_life.rename(sunfish, "sunfish 2b")
    assert class_life.life(sunfish).name == "sunfish 2b"


def test_the_name_of_an_archived_class_is_free(school: World) -> None:
    class_life.archive(school.classes["sunfish"])
    second_class(school, "Sunfishqroom")
    with pytest.raises(Refused, match="class_name_known"):
        class_life.restore(school.classes["sunfish"])


def test_an_archived_class_has_no_lesson_and_its_reports_stay(school: World) -> None:
    sunfish = school.classes["sunfish"]
    with write_unit():
        sessions.start("d" * 32, class_id=sunfish, child_id=school.children["Miaqua"])
        code = db.session.get_one(SchoolClass, sunfish).code
    class_life.archive(sunfish)
    assert db.session.query(Session).filter_by(class_id=sunfish).count() == 0
    with pytest.raises(NotNow, match="class_not_open"):
        sign_in.open_device(code)
    for change in (
        lambda: classes.open_class(sunfish),
        lambda: classes.add_child(sunfish, "Nia"),
        lambda: add_list(sunfish, "Nia"),
    ):
        with pytest.raises(NotNow, match="class_archived"):
            change()
    assert len(overview.class_page(sunfish).children) == 2
    assert overview.classes_of(school.adults["lake"]) == ()
    (line,) = class_life.archived_of(school.adults["lake"])
    assert (line.id, line.children) == (sunfish, 2)


def test_a_restored_class_ends_in_the_future(school: World) -> None:
    sunfish = school.classes["sunfish"]
    class_life.set_end(sunfish, clock.day() + 1)
    class_life.archive(sunfish)
    with clock.clock_at(NOON + 40 * clock.SECONDS_A_DAY):
        class_life.restore(sunfish)
        assert class_life.life(sunfish).ends_day > clock.day() + class_life.SHORTEST_YEAR
        classes.open_class(sunfish)


@pytest.mark.parametrize(
    ("today", "end"),
    [
        (date(2026, 9, 21), date(2027, 7, 31)),
        (date(2027, 1, 1), date(2027, 7, 31)),
        (date(2027, 6, 20), date(2028, 7, 31)),  # made for the next year
        (date(2027, 8, 1), date(2028, 7, 31)),
    ],
)
def test_a_class_ends_with_its_school_year(today: date, end: date) -> None:
    with clock.clock_at(clock.begin_of(class_life.day_of(today))):
        assert class_life.date_of(class_life.year_end("07-31")) == end


def test_a_school_year_may_end_on_leap_day() -> None:
    with clock.clock_at(clock.begin_of(class_life.day_of(date(2026, 9, 1)))):
        assert class_life.date_of(class_life.year_end("02-29")) == date(2027, 2, 28)


def test_a_school_year_ends_on_its_own_day_however_short_the_next_one_is() -> None:
    with clock.clock_at(clock.begin_of(class_life.day_of(date(2026, 12, 10)))):
        assert class_life.date_of(class_life.year_end("01-31")) == date(2028, 1, 31)


def test_a_class_that_ended_on_leap_day_follows_the_school_year(school: World) -> None:
    class_life.set_year_end(1, 2, 29)
    minnows = second_class(school)
    assert class_life.date_of(class_life.life(minnows).ends_day) == date(2027, 2, 28)
    class_life.set_year_end(1, 6, 30)
    assert class_life.date_of(class_life.life(minnows).ends_day) == date(2027, 6, 30)


def test_a_new_class_ends_with_the_school_year_and_follows_it(school: World) -> None:
    minnows, own = second_class(school), second_class(school, "Own")
    class_life.set_end(own, clock.day() + 20)
    class_life.set_year_end(1, 6, 30)
    assert class_life.date_of(class_life.life(minnows).ends_day) == date(2027, 6, 30)
    assert class_life.life(own).days_left == 20
    for month, day in ((2, 30), (13, 1), (6, 0)):
        with pytest.raises(Refused, match="year_end"):
            class_life.set_year_end(1, month, day)


def test_a_class_says_a_month_and_a_week_before_that_it_ends(school: World) -> None:
    sunfish, told = school.classes["sunfish"], []
    for days in (31, 30, 8, 7, 0):
        class_life.set_end(sunfish, clock.day() + days)
        life = class_life.life(sunfish)
        told.append((life.ends_soon, life.ends_very_soon))
    assert told == [(False, False), (True, False), (True, False), (True, True), (True, True)]
    for days in (-1, class_life.LATEST + 1):
        with pytest.raises(Refused, match="class_end"):
            class_life.set_end(sunfish, clock.day() + days)


def test_each_period_has_bounds(school: World) -> None:
    days = limits.days_kept()
    for key, number in (("keep_moves", 29), ("keep_archived", 366), ("keep_audit", 100)):
        with pytest.raises(Refused, match="period"):
            limits.choose_days(1, {**days, key: number})
    assert limits.days_kept() == days
    limits.choose_days(1, {**days, "keep_moves": 30})
    assert db.session.get_one(School, 1).keep_moves == 30


def test_a_code_that_is_kept_says_since_when(school: World) -> None:
    sunfish = school.classes["sunfish"]
    assert class_life.life(sunfish).code_made_at is None
    classes.new_code(sunfish, keep=True)
    assert class_life.life(sunfish).code_made_at == NOON
    classes.new_code(sunfish, keep=False)
    assert class_life.life(sunfish).code_made_at is None
