"""Pages as values: each page, and each part that is sent alone, is a class with typed fields.

A template sees the fields of its page by their names, and besides them only `who` (the signed-in
person) and the environment's globals (app.py). The classes stand beside their views, and
tests/web/test_pages.py compares their fields with what the templates use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from flask import render_template
from werkzeug.wrappers import Response

from classroom.services.school.families import OwnChild

Reply = Response | str | tuple[str, int] | tuple[str, int, dict[str, str]]
"""What a view may return."""

Tab = Literal["home", "class", "skills", "live", "seats", "games", "settings"]
SchoolTab = Literal[
    "school", "people", "classes", "year", "settings", "keeping", "record", "folder", "server"
]


@dataclass(frozen=True, kw_only=True)
class Page:
    """The values of one template. Without slots, so that `vars` gives the fields by name."""

    template: ClassVar[str]


def render(page: Page) -> str:
    """The HTML of a page. This is the only place that renders a template."""
    return render_template(page.template, **vars(page))


# ---- what the layouts of adults' pages need


@dataclass(frozen=True, slots=True)
class ShownClass:
    """The class that a page belongs to."""

    class_id: int
    name: str


@dataclass(frozen=True, kw_only=True)
class TeacherPage(Page):
    """A page in layouts/teach.html. `here`: the tab that is marked as the current one.
    `school_class`: None for a page that belongs to no class, which then has no class tabs."""

    here: Tab
    school_class: ShownClass | None


@dataclass(frozen=True, kw_only=True)
class SchoolPage(Page):
    """A page in layouts/school.html. `here`: the tab that is marked as the current one."""

    here: SchoolTab


@dataclass(frozen=True, kw_only=True)
class FamilyPage(Page):
    """A page in layouts/family.html. `here`: the id of the child it is about, or "home". `own`: the
    parent's children."""

    here: int | Literal["home"]
    own: tuple[OwnChild, ...]
