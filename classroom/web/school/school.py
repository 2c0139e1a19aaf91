"""The administrator's first page: the school at a glance."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g

from classroom.services.school import schools
from classroom.services.school.schools import Glance
from classroom.web.http.pages import SchoolPage, render


@dataclass(frozen=True, kw_only=True)
class SchoolHomePage(SchoolPage):
    template = "pages/school/home.html"
    glance: Glance


def home() -> str:
    return render(SchoolHomePage(here="school", glance=schools.glance(g.who.school_id)))
