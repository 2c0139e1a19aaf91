"""Pages for playing with friends: who is here, tables to join, who is ready; and what a child can
do at a table besides making moves: come back, raise a hand."""

from __future__ import annotations

from collections.abc import Callable

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.base.errors import NotNow
from classroom.services.lesson import gatherings, open_tables, presence
from classroom.services.lesson.open_tables import Friends
from classroom.services.table import offers, stand_ins
from classroom.web.http import forms, pages
from classroom.web.http.pages import render

# ---- looking


def friends() -> Response | str:
    """Tables to join and games to start, or the child's own table. Once a round has begun there,
    redirect to it; while none can begin, to the page that says why."""
    view = open_tables.friends(g.who.child_id)
    if view.round_id is not None:
        return redirect(url_for("play.table", round_id=view.round_id), code=303)
    if view.paused:
        return redirect(url_for("play.rest", why=view.paused), code=303)
    return _page(view)


def friends_part(class_id: int) -> Response:
    """The changing part alone, for a browser without a stream: 304 while nothing is new."""
    view = open_tables.friends(g.who.child_id)
    return pages.part(pages.mark_of(view), lambda: _wanted(view))


def friends_events(class_id: int) -> Response:
    """One message of the class's stream: someone came, sat down or is ready, or a round began."""
    view = open_tables.friends(g.who.child_id)
    return pages.stream_message(pages.mark_of(view), lambda: _wanted(view))


def _wanted(view: Friends) -> str:
    """The changing part of the page that sent the request: the home page if the request names it,
    else the friends page."""
    if request.args.get("page") == "home":
        return render("partials/child/with_friends.html", f=view)
    return _part(view)


# ---- sitting down, being ready


def make_table() -> Response:
    game = forms.choice("game", offers.offered(g.who.class_id))
    return _done(lambda: gatherings.make(g.who.child_id, game))


def sit() -> Response:
    table = forms.number("table", 1, forms.MOST)
    return _done(lambda: gatherings.sit(g.who.child_id, table))


def stand_up() -> Response:
    """Leave the table. `home`: the child came from its home page, and goes back there."""
    if forms.flag("home"):
        gatherings.leave(g.who.child_id)
        return redirect(url_for("play.home"), code=303)
    return _done(lambda: gatherings.leave(g.who.child_id))


def computer_friend() -> Response:
    at, there = forms.number("seat", 0, gatherings.LARGEST - 1), forms.flag("there")
    return _done(lambda: gatherings.computer_friend(g.who.child_id, at, there))


def ready() -> Response:
    yes = forms.flag("yes")
    return _done(lambda: gatherings.ready(g.who.child_id, yes))


def _done(work: Callable[[], int | None]) -> Response:
    """Do the work, then go to the round that it began, or show the tables; if it was refused, show
    them with a picture of the reason."""
    notice, status = None, 200
    try:
        round_id = work()
    except NotNow as error:
        round_id, notice, status = None, error.code, 409
    if round_id is not None:
        return _go(round_id)
    if forms.by_htmx() or notice:
        view = open_tables.friends(g.who.child_id)
        body = _part(view, notice) if forms.by_htmx() else _page(view, notice)
        return Response(body, status=status, mimetype="text/html")
    return redirect(url_for("play.friends"), code=303)


def _go(round_id: int) -> Response:
    where = url_for("play.table", round_id=round_id)
    return (
        Response(headers={"HX-Redirect": where}) if forms.by_htmx() else redirect(where, code=303)
    )


# ---- at a table


def back(round_id: int) -> Response:
    """Let a child who is back play its seat again, if a stand-in has been playing it."""
    stand_ins.back(round_id, g.owned)
    if forms.by_htmx():
        return Response(status=204)
    return redirect(url_for("play.table", round_id=round_id), code=303)


def hand(round_id: int) -> Response | str:
    """Raise or lower the hand."""
    up = forms.flag("up")
    presence.hand(g.who.child_id, up)
    if forms.by_htmx():
        return render("partials/child/raise.html", up=up, round_id=round_id)
    return redirect(url_for("play.table", round_id=round_id), code=303)


# ---- rendering


def _part(view: Friends, notice: str | None = None) -> str:
    return render("partials/child/friends.html", f=view, notice=notice)


def _page(view: Friends, notice: str | None = None) -> str:
    return render("pages/child/friends.html", f=view, class_id=g.who.class_id, notice=notice)
