"""The administrator's page of all classes, and who teaches them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.school import people
from classroom.services.school.people import Colleague, Room
from classroom.web.http import forms
from classroom.web.http.pages import SchoolPage, SchoolTab, render
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

DONE: Final = {
    "add": N_("Saved. They find the class under “My classes”."),
    "remove": N_("Saved. They no longer see this class."),
}


@dataclass(frozen=True, kw_only=True)
class RoomsPage(SchoolPage):
    """`teachers`: everyone who can be given a class."""

    template = "pages/school/classes.html"
    here: SchoolTab = "classes"
    rooms: tuple[Room, ...]
    teachers: tuple[Colleague, ...]
    done: str


def classes() -> str:
    """The classes by name, those without a teacher first."""
    found = people.rooms(g.who.school_id)
    return render(
        RoomsPage(
            rooms=tuple(sorted(found, key=lambda room: bool(room.teachers))),
            teachers=people.teachers(g.who.school_id),
            done=_(DONE.get(request.args.get("done", ""), "")),
        )
    )


def teachers(class_id: int) -> Response:
    """Give the class to a teacher, or take a teacher or substitute off it."""
    what, adult_id = forms.choice("do", DONE), forms.number("adult", 1, forms.MOST)
    if what == "add":
        people.share(class_id, adult_id, by=g.who.adult_id)
    else:
        people.take_off(class_id, adult_id, by=g.who.adult_id)
    return redirect(url_for("school.classes", done=what, _anchor=f"class-{class_id}"), code=303)
