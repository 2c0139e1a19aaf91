"""The administrator's first page: the school at a glance."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g

from classroom.services.base.audit import Checked
from classroom.services.operation import seals
from classroom.services.school import people, schools
from classroom.services.school.people import Room
from classroom.services.school.schools import SchoolSize
from classroom.web.http.pages import SchoolPage, SchoolTab, render


@dataclass(frozen=True, kw_only=True)
class SchoolHomePage(SchoolPage):
    """`checked`: what the seals of the audit log show, None if they have not been checked yet.
    `alone`: the classes without a teacher."""

    template = "pages/school/home.html"
    here: SchoolTab = "school"
    size: SchoolSize
    checked: Checked | None
    alone: tuple[Room, ...]


def home() -> str:
    rooms = people.rooms(g.who.school_id)
    return render(
        SchoolHomePage(
            size=schools.size(g.who.school_id),
            alone=tuple(room for room in rooms if not room.teachers),
            checked=seals.found(),
        )
    )
