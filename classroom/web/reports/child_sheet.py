"""One page about a child, for its teacher or its parents to print, on A4 or Letter paper; and the
same for each child of a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import g, url_for

from classroom.services.base import clock
from classroom.services.reports import overview, skill_reports
from classroom.services.reports.figures import ChildLine, ChildPage, Totals
from classroom.services.table import restrictions
from classroom.web.http.pages import Page, render
from classroom.web.reports.progress_view import ChildView, child_view


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page of one child. `ever`: all its play."""

    child: ChildPage | ChildLine
    ever: Totals
    view: ChildView


@dataclass(frozen=True, kw_only=True)
class ChildSheetPage(Page):
    """Sheets to print. `made_at`: when their numbers were read. `back`: the address of the page
    about the child or the class."""

    template = "pages/child_sheet.html"
    class_name: str
    sheets: tuple[Sheet, ...]
    made_at: float
    back: str


def child_sheet(child_id: int) -> str:
    """What a child's answers show, on one page."""
    overview.looked(g.who.adult_id, "child", child_id)
    page = overview.child_page(child_id)
    where = "family.progress" if g.who.kind == "parent" else "teach.child"
    return _page(page.class_name, [page], url_for(where, child_id=child_id))


def class_sheets(class_id: int) -> str:
    """The sheets of all children of a class, as for a parents' evening."""
    overview.looked(g.who.adult_id, "class", class_id)
    page = overview.class_page(class_id)
    return _page(page.name, page.children, url_for("teach.skills", class_id=class_id))


def _page(class_name: str, children: Sequence[ChildPage | ChildLine], back: str) -> str:
    ids = [one.child_id for one in children]
    reports, held = skill_reports.of_children(ids), restrictions.among(ids)
    ever = overview.ever_of(ids)
    sheets = tuple(
        Sheet(
            one,
            ever[one.child_id],
            child_view(one.name, reports[one.child_id], held=held.get(one.child_id, ())),
        )
        for one in children
        if one.child_id in reports  # it was not removed meanwhile
    )
    return render(
        ChildSheetPage(class_name=class_name, sheets=sheets, made_at=clock.now(), back=back)
    )
