"""Questions in play: the page asks for one when it has shown what happened, and sends answers.

The panel is a separate part beside the table; without scripts the table's page includes it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.base.errors import NotNow, OutOfDate
from classroom.services.quiz import posing
from classroom.services.quiz.posing import Put
from classroom.services.table import rounds
from classroom.web.child.question_view import QuestionView, question_view
from classroom.web.http import forms
from classroom.web.http.pages import Page, render

LONGEST: Final = 10**7  # the most milliseconds that an answer may take


@dataclass(frozen=True, kw_only=True)
class QuestionPart(Page):
    """The panel. `q`: None for an empty one. `key`: a fresh name for the answer."""

    template = "partials/child/question.html"
    q: QuestionView | None
    key: str


def put(round_id: int) -> Response:
    """A question for this moment, if there is one; the page has shown every move up to `seen`."""
    found = posing.put(round_id, g.who.child_id, g.owned, forms.number("seen", 0, 10**6))
    if found is None and forms.by_htmx():
        return Response(status=204)
    return _panel(round_id, found)


def answer(round_id: int, seq: int) -> Response:
    """Take the answer. If the option can no longer be chosen, show the question again."""
    child_id = g.who.child_id
    took = forms.number("took", 0, LONGEST) if request.form.get("took") else None
    try:
        answered = posing.answer(round_id, child_id, seq, _place(), forms.key(), took)
    except OutOfDate:
        return _panel(round_id, None, 409)
    except NotNow:
        return _panel(round_id, posing.open_now(round_id, child_id, g.owned), 422)
    return _panel(round_id, answered)


def _place() -> int:
    """The place of the option tapped. For an answer in shells it is their number less one, because
    place 0 means one shell; without any shell it is -1, which is no option."""
    return forms.number("place", 0, 20, default=len(set(request.form.getlist("take"))) - 1)


def hint(round_id: int, seq: int) -> Response:
    try:
        return _panel(round_id, posing.hint(round_id, g.who.child_id, seq))
    except NotNow:
        return _panel(round_id, None, 409)


def leave(round_id: int, seq: int) -> Response:
    posing.leave(round_id, g.who.child_id, seq)
    return _panel(round_id, None)


def _panel(round_id: int, put: Put | None, status: int = 200) -> Response:
    """The panel, empty for None; without scripts, redirect to the table's page, which has it."""
    if not forms.by_htmx():
        answered = put.seq if put and put.found else None
        address = url_for("play.table", round_id=round_id, answered=answered)
        return redirect(address, code=303)
    view = question_view(put, rounds.table(round_id, g.owned)) if put else None
    body = render(QuestionPart(q=view, key=secrets.token_urlsafe(12)))
    return Response(body, status=status, mimetype="text/html")
