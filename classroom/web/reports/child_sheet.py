"""One page about a child, for its teacher or its parents to print, on A4 or Letter paper."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g, url_for

from classroom.services.base import clock
from classroom.services.reports import overview, skill_reports
from classroom.services.reports.figures import ChildPage
from classroom.services.school import families
from classroom.services.table import restrictions
from classroom.web.http.pages import Page, render
from classroom.web.reports.progress_view import ChildView, child_view


@dataclass(frozen=True, kw_only=True)
class ChildSheetPage(Page):
    """`made_at`: when its numbers were read. `back`: the address of the page about the child."""

    template = "pages/child_sheet.html"
    page: ChildPage
    view: ChildView
    made_at: float
    back: str


def child_sheet(child_id: int) -> str:
    """What a child's answers show, on one page."""
    overview.looked(g.who.adult_id, "child", child_id)
    page, board = overview.child_page(child_id), families.settings(child_id).board
    where = "family.progress" if g.who.kind == "parent" else "teach.child"
    return render(
        ChildSheetPage(
            page=page,
            view=child_view(
                page.name, skill_reports.of_child(child_id), board, held=restrictions.of(child_id)
            ),
            made_at=clock.now(),
            back=url_for(where, child_id=child_id),
        )
    )
