"""The school's time zone, dates and paper: its day, its midnight, and who may set them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.hub import SCHOOL_TOPIC, hub_of
from classroom.models import ChildRound, School
from classroom.services.access import accounts
from classroom.services.base import clock
from classroom.services.base.clock import SchoolPlace
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.lesson import lessons
from classroom.services.lesson.lessons import Times
from classroom.services.school import class_life
from classroom.services.table import stand_ins
from classroom.web.words import filters
from tests.world import World

# 22 November 2026, 14:30 in London, 23:30 in Tokyo, 06:30 in Los Angeles
NOW = datetime(2026, 11, 22, 14, 30, tzinfo=UTC).timestamp()
HOUR = 3600.0


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context(), clock.clock_at(NOW):
        yield world
        db.session.rollback()


def move(zone: str, dates: str = "day_first") -> None:
    class_life.set_place(None, 1, SchoolPlace(time_zone=zone, dates=dates), "common_core")


def test_the_day_and_its_beginning_are_those_of_the_school(school: World) -> None:
    move("Asia/Tokyo")
    assert f"{clock.local(NOW):%d %H:%M}" == "22 23:30"
    today = clock.day()
    assert clock.day(NOW + HOUR) == today + 1
    assert NOW - clock.midnight() == 23.5 * HOUR
    move("America/Los_Angeles")
    assert clock.day(NOW + HOUR) == today
    assert NOW - clock.midnight() == 6.5 * HOUR


def test_everybody_has_the_place_of_the_first_school(school: World) -> None:
    """Nobody can make a second one, but a database could have it."""
    with pytest.raises(NotNow, match="already_set_up"):
        accounts.make_school("", "Pond School", "Ann", "ann", "a long password")
    other = max(db.session.scalars(select(School.id)))
    assert other != 1
    move("Asia/Tokyo")
    class_life.set_place(None, other, SchoolPlace(time_zone="America/Los_Angeles"), "england")
    assert clock.here().time_zone == "Asia/Tokyo"


def test_the_day_begins_at_midnight_although_the_clocks_are_put_back(school: World) -> None:
    move("Europe/London")
    with clock.clock_at(datetime(2026, 10, 25, 12, 0, tzinfo=UTC).timestamp()):
        assert clock.now() - clock.midnight() == 13 * HOUR  # that day has 25 hours


# Days on which the clocks are changed: at midnight or, in Auckland, at two or three.
@pytest.mark.parametrize("of_computer", [False, True])
@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("America/Havana", "2026-03-08"), ("America/Havana", "2026-11-01"),
        ("America/Santiago", "2026-04-05"), ("America/Santiago", "2026-09-06"),
        ("Atlantic/Azores", "2026-03-29"), ("Atlantic/Azores", "2026-10-25"),
        ("Africa/Cairo", "2026-04-24"), ("Africa/Cairo", "2026-10-30"),
        ("Pacific/Auckland", "2026-04-05"), ("Pacific/Auckland", "2026-09-27"),
    ],
)  # fmt: skip
def test_a_day_begins_when_the_one_before_ends(
    school: World, zone: str, day: str, of_computer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if of_computer and not hasattr(time, "tzset"):
        pytest.skip("the time zone cannot be set here")
    if of_computer:
        monkeypatch.setenv("TZ", zone)
        time.tzset()
    else:
        move(zone)
    first = date(1970, 1, 1)
    number = (date.fromisoformat(day) - first).days
    for on in (number - 1, number, number + 1):
        begin = clock.begin_of(on)
        assert (clock.day(begin - 1), clock.day(begin)) == (on - 1, on)
        assert clock.end_of(first + timedelta(days=on - 1)) == begin
        with clock.clock_at(begin + 15 * HOUR):
            assert clock.midnight() == begin
    if of_computer:
        monkeypatch.undo()
        time.tzset()


def test_the_minutes_of_a_day_begin_again_at_the_schools_midnight(school: World) -> None:
    mia, room = school.children["Miaqua"], school.classes["sunfish"]
    lessons.set_times(room, Times(minutes_a_day=10), school.adults["lake"])
    move("Asia/Tokyo")
    with write_unit():
        row = db.session.scalars(select(ChildRound).where(ChildRound.child_id == mia)).one()
        row.day, row.seconds = clock.day(), 660.0
    assert stand_ins.time_is_up(mia)
    with clock.clock_at(NOW + 0.75 * HOUR):  # past midnight in Tokyo, and not in London
        assert not stand_ins.time_is_up(mia)
        move("Europe/London")
        assert stand_ins.time_is_up(mia)


@pytest.mark.parametrize(
    ("dates", "shown"),
    [
        ("day_first", ("today 14:30", "Tue 3 Nov 14:30", "22 November 2026", "22 Nov")),
        ("month_first", ("today 2:30 PM", "Tue, Nov 3 2:30 PM", "November 22, 2026", "Nov 22")),
        ("year_first", ("today 14:30", "Tue 2026-11-03 14:30", "2026-11-22", "11-22")),
    ],
)
def test_dates_and_times_are_written_as_the_school_writes_them(
    school: World, dates: str, shown: tuple[str, ...]
) -> None:
    move("Europe/London", dates)
    earlier = NOW - 19 * clock.SECONDS_A_DAY
    found = (
        filters.when(NOW), filters.when(earlier), filters.date_of(NOW),
        filters.short_date(clock.day()),
    )  # fmt: skip
    assert tuple(one.replace("\u00a0", " ") for one in found) == shown


@pytest.mark.parametrize(
    ("hour", "shown"), [(0, "12:05 AM"), (11, "11:05 AM"), (12, "12:05 PM"), (23, "11:05 PM")]
)
def test_noon_and_midnight_are_twelve(school: World, hour: int, shown: str) -> None:
    move("UTC", "month_first")
    at = datetime(2026, 11, 22, hour, 5, tzinfo=UTC).timestamp()
    assert filters.at_time(at).replace("\u00a0", " ") == shown


@pytest.mark.parametrize(
    ("place", "code"),
    [
        (SchoolPlace(time_zone="Mars/Olympus"), "time_zone"),
        (SchoolPlace(time_zone="../../etc/passwd"), "time_zone"),
        (SchoolPlace(dates="stardate"), "dates"),
        (SchoolPlace(words="tlh"), "words"),
        (SchoolPlace(paper="a5"), "paper"),
    ],
)
def test_only_what_is_offered_can_be_set(school: World, place: SchoolPlace, code: str) -> None:
    with pytest.raises(Refused) as refused:
        class_life.set_place(None, 1, place, "common_core")
    assert refused.value.code == code
    with pytest.raises(Refused):
        class_life.set_place(None, 1, SchoolPlace(), "mars")
    with pytest.raises(NotFound):
        class_life.set_place(None, 99, SchoolPlace(), "england")
    assert clock.here() == SchoolPlace()


def test_a_zone_that_is_no_longer_known_is_that_of_the_computer(school: World) -> None:
    with write_unit():
        db.session.get_one(School, 1).time_zone = "Europe/Atlantis"
    clock.forget()
    assert clock.here().zone is None
    assert clock.local(NOW).tzinfo is not None


def test_without_an_app_the_defaults_apply() -> None:
    assert clock.here() == SchoolPlace()
    assert f"{clock.local(NOW):%Y}" == "2026"


def test_a_page_that_is_drawn_during_a_change_does_not_keep_the_old_place(school: World) -> None:
    with write_unit():
        clock.set_place(1, SchoolPlace(words="en_US"))
        clock.here()
    assert clock.here().words == "en_US"


def test_a_change_in_another_process_is_heard(school: World) -> None:
    assert clock.here().words == "en_GB"
    with write_unit():
        db.session.get_one(School, 1).words = "en_US"
    assert clock.here().words == "en_GB"  # as this process remembers it
    hub_of(db.engine).tell(SCHOOL_TOPIC)
    assert clock.here().words == "en_US"
