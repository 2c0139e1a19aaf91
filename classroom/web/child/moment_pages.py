"""A moment that the teacher dealt to the class, as a child meets it: it is told what was asked
before, answers by asking, and sees what comes of that."""

from __future__ import annotations

from typing import Final

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.engine.actions import IllegalAction, InvalidAction
from classroom.services.base.errors import NotFound
from classroom.services.lesson import moments
from classroom.services.table.tables import ViewedTable
from classroom.web.child.choosing import NOTHING_SELECTED, Selection
from classroom.web.child.play import NOTICES, action_of, last_seen, next_page, taps_so_far
from classroom.web.child.table_view import table_view
from classroom.web.http import forms, pages
from classroom.web.http.pages import render

PAGE: Final = "pages/child/moment.html"
PART: Final = "partials/child/moment.html"


def moment(moment_id: int) -> Response | str:
    """The page of a moment. It begins with the table as it was, which the part then brings up to
    date. A moment that is over leads back to where the child was."""
    try:
        table, answered = moments.met_by(g.who.class_id, moment_id, g.who.child_id)
        if not (answered or request.args):
            table = moments.before(g.who.class_id, moment_id)
        return _shown(PAGE, moment_id, table, answered=answered, taps=taps_so_far())
    except NotFound:
        return _onward()


def moment_part(moment_id: int) -> Response:
    """The table as it is now, for its page: 304 while nothing is new, 410 once it is over."""
    try:
        table, answered = moments.met_by(g.who.class_id, moment_id, g.who.child_id)
    except NotFound:
        return Response(status=410)
    return pages.part(
        pages.mark_of((moment_id, table.seq)),
        lambda: _shown(PART, moment_id, table, answered=answered, since=last_seen()),
    )


def moment_ask(moment_id: int) -> Response:
    """Answer and, if play goes on from here, go to its round; or show the table with a picture of
    why it was refused."""
    notice, status, since = None, 200, None
    try:
        since = forms.number("seen", 0, 10**6)
        action = action_of({"type": "ask"})
        round_id = moments.answer(g.who.class_id, moment_id, g.who.child_id, action)
        if round_id is not None:
            return _onward(url_for("play.table", round_id=round_id, seen=since))
    except IllegalAction as error:
        notice, status = NOTICES.get(error.reason, error.reason), 422
    except (InvalidAction, forms.InvalidForm):
        notice, status = "invalid", 400
    except NotFound:
        return _onward()
    if not forms.by_htmx() and not notice:
        return redirect(url_for("play.moment", moment_id=moment_id), code=303)
    table, answered = moments.met_by(g.who.class_id, moment_id, g.who.child_id)
    template = PART if forms.by_htmx() else PAGE
    body = _shown(template, moment_id, table, answered=answered, since=since, notice=notice)
    return Response(body, status=status, mimetype="text/html")


def _shown(
    template: str,
    moment_id: int,
    table: ViewedTable,
    *,
    answered: bool,
    since: int | None = None,
    taps: Selection = NOTHING_SELECTED,
    notice: str | None = None,
) -> str:
    return render(
        template,
        moment_id=moment_id,
        t=table_view(table, since, taps),
        key=f"moment-{moment_id}",
        onward=next_page() if answered else None,
        notice=notice,
    )


def _onward(where: str = "") -> Response:
    """Go to this page, or else back to where the child was."""
    where = where or next_page()
    if forms.by_htmx():
        return Response(headers={"HX-Redirect": where})
    return redirect(where, code=303)
