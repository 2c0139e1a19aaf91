"""The life of a class: its name, its last day and the archive; also, the school's settings.

An archived class is read-only: its reports can be read, but nobody can play in it or change it
until it is restored. It is deleted when the school's period for archived classes is over.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count
from typing import Final

from sqlalchemy import Select, delete, func, select

from classroom.database import AnyRow, db, write_unit
from classroom.models import (
    Adult,
    Child,
    ChildGroup,
    ClassTeacher,
    DoorKnock,
    Match,
    Round,
    School,
    SchoolClass,
)
from classroom.services.access import sessions
from classroom.services.base import audit, clock, limits, names, notices, security_log
from classroom.services.base.clock import SchoolPlace
from classroom.services.base.errors import NotNow, Refused
from classroom.services.base.rows import check_version, count_rows, existing, held
from classroom.services.lesson import lessons
from classroom.services.reports import skill_reports

SOON: Final = 30  # with this many days left, the class's page starts to say that it ends soon
VERY_SOON: Final = 7
SHORTEST_YEAR: Final = 60  # days; if fewer are left in a school year, a new class ends a year later
LATEST: Final = 2 * 366  # days; the last day of a class can be at most this far ahead
_DAY_ZERO: Final = date(1970, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """When a class ends. `ends_day`: its last day. `days_left`: how many days there are until then.
    `archived_at`: when it was archived. `deleted_at`: when it will be deleted. Both are None while
    it is in use. `code_made_at`: when the code on its sign-in cards was made, if they have one."""

    class_id: int
    name: str
    ends_day: int
    days_left: int
    archived_at: float | None
    deleted_at: float | None
    code_made_at: float | None

    @property
    def ends_soon(self) -> bool:
        return self.archived_at is None and self.days_left <= SOON

    @property
    def ends_very_soon(self) -> bool:
        return self.archived_at is None and self.days_left <= VERY_SOON


def archived_of(adult_id: int) -> tuple[AnyRow, ...]:
    """An adult's archived classes, sorted by name, each with its number of children."""
    count = select(func.count(Child.id)).where(Child.class_id == SchoolClass.id).scalar_subquery()
    rows = db.session.execute(
        select(
            *(SchoolClass.id, SchoolClass.name, count.label("children"), SchoolClass.archived_at)
        )
        .join(ClassTeacher, ClassTeacher.class_id == SchoolClass.id)
        .where(ClassTeacher.adult_id == adult_id, SchoolClass.archived_at.is_not(None))
    )
    return tuple(names.by_name(rows))


def life(class_id: int) -> Life:
    """When the class ends, when it was archived and when it will be deleted. Raises NotFound."""
    room = existing(SchoolClass, class_id)
    end = room.ends_day if room.ends_day is not None else year_end(room.school.year_end)
    kept = limits.days_kept()["keep_archived"] * clock.SECONDS_A_DAY
    return Life(
        class_id=class_id,
        name=room.name,
        ends_day=end,
        days_left=max(0, end - clock.day()),
        archived_at=room.archived_at,
        deleted_at=room.archived_at + kept if room.archived_at is not None else None,
        code_made_at=room.code_made_at if room.code_kept else None,
    )


def in_use(school_id: int) -> Select[SchoolClass]:
    """A SELECT of the school's classes that are not archived."""
    return select(SchoolClass).where(
        SchoolClass.school_id == school_id, SchoolClass.archived_at.is_(None)
    )


def is_archived(class_id: int) -> bool:
    found = select(SchoolClass.archived_at).where(SchoolClass.id == class_id)
    return db.session.scalar(found) is not None


def is_childs_archived(child_id: int) -> bool:
    found = select(SchoolClass.archived_at).join(Child, Child.class_id == SchoolClass.id)
    return db.session.scalar(found.where(Child.id == child_id)) is not None


def is_groups_archived(group_id: int) -> bool:
    found = select(SchoolClass.archived_at).join(ChildGroup, ChildGroup.class_id == SchoolClass.id)
    return db.session.scalar(found.where(ChildGroup.id == group_id)) is not None


def is_rounds_archived(round_id: int) -> bool:
    """Whether the class in which the round was played is archived."""
    found = select(SchoolClass.archived_at).join(Match, Match.class_id == SchoolClass.id)
    found = found.join(Round, Round.match_id == Match.id)
    return db.session.scalar(found.where(Round.id == round_id)) is not None


def rename(class_id: int, name: str, by: int | None = None, version: str = "") -> None:
    """Rename the class. Raises NotFound, Changed, and Refused as `checked_name` does."""
    with write_unit():
        room = held(SchoolClass, class_id)
        check_version(version, room.name)
        room.name = checked_name(name, room.school_id, but=class_id)
        audit.record(by, "rename", "class", class_id)
        security_log.note("class_renamed", class_id=class_id)


def checked_name(name: str, school_id: int, but: int | None = None) -> str:
    """Tidy the name of a class. Raises Refused if the name is empty, too long or odd, or looks like
    the name of another class in the school. Archived classes and `but` do not count."""
    name = names.tidy(name)
    if problem := names.trouble(name, names.CLASS_NAME, digits=True):
        raise Refused("class_name_" + problem)
    if is_known(name, school_id, but):
        raise Refused("class_name_known", name=name)
    return name


def is_known(name: str, school_id: int, but: int | None = None) -> bool:
    """Whether a class in use, other than `but`, has a name that looks like this one."""
    rooms = db.session.scalars(in_use(school_id))
    return names.is_like_one_of(name, (room.name for room in rooms if room.id != but))


# ---- the last day of a class


def year_end(month_and_day: str) -> int:
    """The last day of a class that begins today, as a local day number: the first end of a school
    year at least SHORTEST_YEAR days from now. `month_and_day`: like "07-31"."""
    begins = date_of(clock.day())
    ends = (_end_in(year, month_and_day) for year in count(begins.year))
    return next(day_of(end) for end in ends if (end - begins).days >= SHORTEST_YEAR)


def _end_in(year: int, month_and_day: str) -> date:
    """The day in this calendar year on which a school year ends. If it is 29 February and there is
    no 29th, the 28th is used."""
    month, day = map(int, month_and_day.split("-"))
    return date(year, month, min(day, monthrange(year, month)[1]))


def date_of(day: int) -> date:
    return _DAY_ZERO + timedelta(days=day)


def day_of(day: date) -> int:
    return (day - _DAY_ZERO).days


def set_end(class_id: int, day: int, by: int | None = None, version: str = "") -> None:
    """Set the last day of the class. Raises Refused("class_end") for a day in the past or more than
    LATEST days ahead, NotFound, Changed."""
    if not clock.day() <= day <= clock.day() + LATEST:
        raise Refused("class_end")
    with write_unit():
        room = held(SchoolClass, class_id)
        check_version(version, life(class_id).ends_day)
        room.ends_day = day
        audit.record(by, "end_day", "class", class_id)


def set_year_end(school_id: int, month: int, day: int, by: int | None = None) -> None:
    """Set the day on which the school's year ends. Classes that ended on the old day end on the new
    day. Raises Refused("year_end") for an impossible day, NotFound."""
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(2024, month)[1]:
        raise Refused("year_end")
    with write_unit():
        school = existing(School, school_id)
        old, school.year_end = school.year_end, f"{month:02}-{day:02}"
        for room in db.session.scalars(in_use(school_id)):
            end = None if room.ends_day is None else date_of(room.ends_day)
            if end and end == _end_in(end.year, old):
                room.ends_day = year_end(school.year_end)
        audit.record(by, "year_end", "school", school_id)


# ---- the archive


def archive(class_id: int, by: int | None = None) -> None:
    """Archive the class: nobody can play in it until it is restored. Raises NotFound."""
    with write_unit():
        put_away(existing(SchoolClass, class_id))
        audit.record(by, "archive", "class", class_id)
        security_log.note("class_archived", class_id=class_id)
    notices.tables(class_id)


def restore(class_id: int, by: int | None = None) -> None:
    """Take the class out of the archive, with a new last day if the old one is past. Raises
    NotFound, and Refused if another class now has its name."""
    with write_unit():
        room = existing(SchoolClass, class_id)
        checked_name(room.name, room.school_id, but=class_id)
        take_back(room)
        audit.record(by, "restore", "class", class_id)
        security_log.note("class_restored", class_id=class_id)


# ---- functions to call within a write unit


def put_away(room: SchoolClass) -> None:
    """Archive a class, and end its lesson, sessions and tables."""
    room.archived_at = room.archived_at or clock.now()
    close(room)


def close(room: SchoolClass) -> None:
    """End a class's lesson, sessions and tables, and delete its children's knocks."""
    room.opened_until = None
    room.changes += 1
    lessons.put_away(room.id)
    sessions.end_all(class_id=room.id)
    children = select(Child.id).where(Child.class_id == room.id)
    db.session.execute(delete(DoorKnock).where(DoorKnock.child_id.in_(children)))


def take_back(room: SchoolClass) -> None:
    room.archived_at = None
    if room.ends_day is None or room.ends_day < clock.day():
        room.ends_day = year_end(room.school.year_end)


def must_be_open_to_change(room: SchoolClass) -> None:
    """Raise NotNow("class_archived") for an archived class."""
    if room.archived_at is not None:
        raise NotNow("class_archived")


# ---- the school itself: its size and its settings, for the administrator


@dataclass(frozen=True, slots=True, kw_only=True)
class SchoolSize:
    name: str
    classes: int
    children: int
    adults: int


def size(school_id: int) -> SchoolSize:
    """Count the school's classes, children and adult accounts. Raises NotFound."""
    school = existing(School, school_id)
    classes = select(SchoolClass.id).where(SchoolClass.school_id == school_id)
    return SchoolSize(
        name=school.name,
        classes=count_rows(classes),
        children=count_rows(select(Child.id).where(Child.class_id.in_(classes))),
        adults=count_rows(select(Adult.id).where(Adult.school_id == school_id)),
    )


def where(school_id: int) -> tuple[SchoolPlace, str]:
    """The school's place (time zone and formats) and its standards. Raises NotFound."""
    row = existing(School, school_id)
    place = SchoolPlace(
        time_zone=row.time_zone or "", dates=row.dates, words=row.words, paper=row.paper
    )
    return place, skill_reports.school_standards(school_id)


def set_place(
    by: int | None, school_id: int, place: SchoolPlace, system: str, version: str = ""
) -> None:
    """Set the school's place, and the standards for its classes that have not chosen any.
    Raises Refused("time_zone" | "dates" | "words" | "paper" | "standards"), NotFound, Changed."""
    if system not in skill_reports.SYSTEMS:
        raise Refused("standards")
    with write_unit():
        school = held(School, school_id)
        check_version(version, where(school_id))
        clock.set_place(school_id, place)
        school.standards = system
        audit.record(by, "settings", "school", school_id)


def month_and_day_of_year_end(school_id: int) -> tuple[int, int]:
    """The month and the day on which the school's year ends. Raises NotFound."""
    month, day = map(int, existing(School, school_id).year_end.split("-"))
    return month, day
