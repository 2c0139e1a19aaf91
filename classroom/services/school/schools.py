"""The school itself: its name, its size and where it is, for the administrator."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from classroom.database import write_unit
from classroom.models import Adult, Child, School, SchoolClass
from classroom.services.base import audit, clock, versions
from classroom.services.base.clock import SchoolPlace
from classroom.services.base.errors import Refused
from classroom.services.base.rows import count_rows, existing, held
from classroom.services.reports import skill_reports


@dataclass(frozen=True, slots=True, kw_only=True)
class SchoolSize:
    """The school's name, and how many classes, children and accounts of adults it has."""

    name: str
    classes: int
    children: int
    adults: int


def size(school_id: int) -> SchoolSize:
    """Count what the school has. Raises NotFound."""
    school = existing(School, school_id)
    classes = select(SchoolClass.id).where(SchoolClass.school_id == school_id)
    return SchoolSize(
        name=school.name,
        classes=count_rows(classes),
        children=count_rows(select(Child.id).where(Child.class_id.in_(classes))),
        adults=count_rows(select(Adult.id).where(Adult.school_id == school_id)),
    )


def where(school_id: int) -> tuple[SchoolPlace, str]:
    """Where the school is, and its standards. Raises NotFound."""
    row = existing(School, school_id)
    place = SchoolPlace(
        time_zone=row.time_zone or "", dates=row.dates, words=row.words, paper=row.paper
    )
    return place, skill_reports.school_standards(school_id)


def set_place(
    by: int | None, school_id: int, place: SchoolPlace, system: str, version: str = ""
) -> None:
    """Set where the school is, and the standards of classes that have not chosen.

    Raises Refused("time_zone" | "dates" | "words" | "paper" | "standards"), NotFound, Changed.
    """
    if system not in skill_reports.SYSTEMS:
        raise Refused("standards")
    with write_unit():
        school = held(School, school_id)
        versions.check(version, where(school_id))
        clock.set_place(school_id, place)
        school.standards = system
        audit.record(by, "settings", "school", school_id)


def year_end(school_id: int) -> tuple[int, int]:
    """The month and the day on which the school's year ends. Raises NotFound."""
    school = existing(School, school_id)
    month, day = map(int, school.year_end.split("-"))
    return month, day
