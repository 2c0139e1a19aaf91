"""The administrator's first page: the school at a glance."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g

from classroom.services.base.audit import Checked
from classroom.services.operation import seals
from classroom.services.school import schools
from classroom.services.school.schools import Glance
from classroom.web.http.pages import SchoolPage, render


@dataclass(frozen=True, kw_only=True)
class SchoolHomePage(SchoolPage):
    """`checked`: what the seals of the audit log show, None if they have not been checked yet."""

    template = "pages/school/home.html"
    glance: Glance
    checked: Checked | None


def home() -> str:
    glance = schools.glance(g.who.school_id)
    return render(SchoolHomePage(here="school", glance=glance, checked=seals.found()))
