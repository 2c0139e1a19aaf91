"""The page that says who looked at a child's data, for its teachers and its parents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flask import g, request

from classroom.services.base import clock
from classroom.services.reports import looks as found_looks
from classroom.services.reports import overview
from classroom.services.school import families
from classroom.services.school.families import OwnChild
from classroom.web.http.pages import Page, ShownClass, render
from classroom.web.words import record_words


@dataclass(frozen=True, slots=True)
class ShownDay:
    """A day number, and a sentence for each thing that was done on it."""

    day: int
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LooksPage(Page):
    """The looks at a child's data, in the layout of its reader (`room`). `here`, `own` and
    `school_class`: as in FamilyPage and TeacherPage. `more`: the day to send as `before` for the
    next, older page; None on the last."""

    template = "pages/looks.html"
    room: Literal["family", "teach"]
    here: int | Literal["class"]
    own: tuple[OwnChild, ...]
    school_class: ShownClass
    child_id: int
    name: str
    days: tuple[ShownDay, ...]
    more: int | None


def looks(child_id: int) -> str:
    """The days on which adults looked at a child's data, and what they did. This is a look, too."""
    overview.looked(g.who.adult_id, "child", child_id)
    parent, class_id = g.who.kind == "parent", overview.class_of(child_id)
    name, room = overview.name_of(child_id), overview.class_name(class_id)
    before = request.args.get("before", type=int)
    if before is not None and not 0 < before <= clock.day() + 1:
        before = None
    found = found_looks.of_child(child_id, g.who.adult_id, before)
    return render(
        LooksPage(
            room="family" if parent else "teach",
            here=child_id if parent else "class",
            own=families.children_of(g.who.adult_id) if parent else (),
            school_class=ShownClass(class_id, room),
            child_id=child_id,
            name=name,
            days=tuple(
                ShownDay(one.day, tuple(record_words.look(each, name) for each in one.looks))
                for one in found.days
            ),
            more=found.more,
        )
    )
