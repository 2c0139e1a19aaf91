"""Error pages: a picture and a button to go on for a child, a sentence for an adult.

No page says why the program failed, what exists, or to whom it belongs. The log tells the operator
why the program failed, but not what was typed.
"""

from __future__ import annotations

import logging

from flask import Flask, current_app, g, redirect, request, url_for
from markupsafe import escape
from sqlalchemy.exc import DBAPIError, OperationalError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from classroom import measures
from classroom.condition import Unavailable, trouble
from classroom.database import condition_of, db
from classroom.services.access.sessions import NOBODY
from classroom.services.base.errors import EarlierRules, Refused, traced
from classroom.services.lesson import shared_tables
from classroom.services.table import rounds
from classroom.web.http import forms, guards, kept
from classroom.web.http.forms import InvalidForm
from classroom.web.http.guards import way_in
from classroom.web.http.pages import lead, render
from classroom.web.http.permissions import CHILDREN, PERMISSIONS
from classroom.web.words import sentences
from classroom.web.words.language import N_, gettext as _

log = logging.getLogger("classroom")

ADULT_WORDS = {
    400: N_("The browser sent something that we cannot read. Please reload the page."),
    401: N_("You are no longer signed in, so nothing was changed. Please sign in again."),
    403: N_(
        "This form did not come from a page of this school, or the page was too old, so nothing "
        "was changed. Please reload the page."
    ),
    404: sentences.SENTENCES["not_found"],
    405: N_("This page cannot be opened in this way. Please go back and try again."),
    413: N_("That is too much at once, so nothing was changed. Please send it in smaller parts."),
    429: N_("Too many attempts. Please wait a little, then try again."),
    500: N_(
        "Something went wrong, and nothing was changed. The error has been logged for the person "
        "who runs this server."
    ),
    503: N_("The school is busy right now, so nothing was changed. Please try again in a moment."),
}
FULL_DEMO = N_(
    "The demo school is full for today, so nothing was saved. It is reset every night: "
    "please come back tomorrow."
)
BROKEN_WORDS = N_(
    "The school is not working: the person who runs this server has been told why and needs to "
    "act. Nothing was changed."
)
PLAIN = '<!doctype html><meta charset="utf-8"><title>Sorry</title><p>{}'
CHILD_STATUS = (400, 401, 403, 404, 409, 413, 422, 429, 500)


def init_app(app: Flask) -> None:
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(EarlierRules, _earlier_rules)
    app.register_error_handler(InvalidForm, lambda _error: page(400))
    app.register_error_handler(DBAPIError, _database)
    app.register_error_handler(Unavailable, _unavailable)
    app.register_error_handler(Exception, _last_resort)


def _http(error: HTTPException) -> Response:
    code = error.code or 500
    if code < 400:  # a redirect from the router
        return error.get_response()
    if code == 405 and request.method != "POST" and (above := _page_above()):
        return redirect(above, 303)
    answer = page(code)
    if code == 405 and error.get_response().headers.get("Allow"):
        answer.headers["Allow"] = error.get_response().headers["Allow"]
    return answer


def _page_above() -> str:
    """The nearest page above a URL that accepts only forms, for somebody who typed or reloaded it.
    Returns "" if this person may open no such page, or if a script sent the request."""
    if request.headers.get("Sec-Fetch-Mode") != "navigate":
        return ""
    adapter = current_app.url_map.bind("")
    path = request.path
    while path.count("/") > 1:
        path = path.rpartition("/")[0]
        for address in (path, f"{path}/"):
            try:
                endpoint, values = adapter.match(address, "GET")
            except HTTPException:
                continue
            if guards.may_open("GET", endpoint, values):
                return url_for(endpoint, **values)
    return ""


def _refused(error: Refused) -> Response:
    answer = page(sentences.status(error), sentences.sentence(error))
    answer.headers.update(sentences.retry_after(error))
    return answer


def _earlier_rules(error: EarlierRules) -> Response:
    """Send a child back to the games, to start a new round. Tell an adult why."""
    if not _for_child():
        return _refused(error)
    rounds.end_earlier(error.round_id)
    if request.method != "POST" and request.endpoint not in ("play.table", "play.shared"):
        return page(404)  # for a part of a page or its stream; the page then reloads
    home = url_for("play.home")
    if g.who.match_id is not None:
        shared_tables.leave(g.who.session_id, g.who.class_id)
        home = url_for("auth.front")
    return lead(home)


def _database(error: DBAPIError) -> Response:
    if not trouble(error):  # `_unavailable` logs trouble with the database, and only once
        if not isinstance(error, OperationalError):
            return _last_resort(error)
        log.error("the database did not answer: %s", traced(error))
    return _unavailable(error)


def _unavailable(error: Exception) -> Response:
    condition = condition_of(db.engine)
    condition.tell()
    measures.ERRORS.labels("busy").inc()
    origin = getattr(error, "orig", None)  # the demo's database may be full
    full = getattr(origin, "sqlite_errorname", "") == "SQLITE_FULL" and current_app.config["DEMO"]
    words = FULL_DEMO if full else BROKEN_WORDS if condition.broken else ADULT_WORDS[503]
    answer = page(503, _(words))
    answer.headers["Retry-After"] = "60" if condition.broken else "5"
    return answer


def _last_resort(error: Exception) -> Response:
    measures.ERRORS.labels("page").inc()
    log.error("%s %s failed: %s", request.method, request.endpoint, traced(error))
    return page(500)


def page(status: int, words: str | None = None) -> Response:
    """The error page for a status code, drawn for a child or worded for an adult."""
    words = words or _(ADULT_WORDS.get(status, ADULT_WORDS[400 if status < 500 else 500]))
    try:
        db.session.rollback()
        body = _body(status, words)
    except Exception as error:
        log.error("the page of an error failed: %s", traced(error))
        body = PLAIN.format(escape(words))
    answer = Response(body, status=status, mimetype="text/html")
    if forms.by_htmx():
        # Replace or leave the whole page, not only a part of it.
        if status == 401:
            answer.headers["HX-Redirect"] = _way_on(status)
        else:
            answer.headers["HX-Retarget"] = "body"
            answer.headers["HX-Reswap"] = "innerHTML"
    return answer


def plain(status: int, words: str) -> Response:
    """A page with only this sentence, without links or styles."""
    return Response(PLAIN.format(escape(words)), status=status, mimetype="text/html")


def _body(status: int, words: str) -> str:
    if again := kept.page_of(status):
        return again
    if _for_child():
        shown = status if status in CHILD_STATUS else (404 if status < 500 else 500)
        g.voices = ()  # no query for the voices, because the database may have failed
        return render("pages/child/error.html", status=shown, home=_way_on(status))
    return render("errors/adult.html", words=words, home=_way_on(status))


def _for_child() -> bool:
    who = g.get("who", NOBODY)
    if who.kind != "nobody":
        return who.kind in CHILDREN
    permission = PERMISSIONS.get(request.endpoint or "")
    return permission is not None and permission.who <= CHILDREN


def _way_on(status: int) -> str:
    if status == 401:
        return way_in(PERMISSIONS.get(request.endpoint or ""), kept.wanted_before())
    return url_for("auth.front")
