"""Playing with friends over HTTP: who is here, which tables fill, who is ready; and what a child
at a table does besides moving: come back, put the hand up."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import entrance
from classroom.services.base.errors import NotNow
from classroom.services.lesson import gatherings, open_tables, presence
from classroom.services.lesson.open_tables import Friends
from classroom.services.table import offers, stand_ins
from classroom.web.http import forms

PAGES = {
    "friends": "partials/child/friends.html",
    "home": "partials/child/with_friends.html",
}


# ---- looking


def friends() -> Response | str:
    """Tables to join and games to begin; the own table, while it fills; to it, once they play."""
    seen = open_tables.friends(g.who.child_id)
    if seen.round_id is not None:
        return redirect(url_for("play.table", round_id=seen.round_id), code=303)
    return _page(seen)


def friends_part(class_id: int) -> Response:
    """The changing part alone, for who gets no stream: 304 while nothing is new."""
    name, seen = _wanted(), open_tables.friends(g.who.child_id)
    answer = Response(mimetype="text/html")
    answer.set_etag(mark_of(seen))
    if request.if_none_match.contains_weak(answer.get_etag()[0] or ""):
        answer.status_code = 304
        return answer
    answer.set_data(_part(name, seen))
    return answer


def friends_events(class_id: int) -> Response:
    """One message of the stream of the class: who came, sat down, is ready; that a round began."""
    name, seen = _wanted(), open_tables.friends(g.who.child_id)
    return message(mark_of(seen), lambda: _part(name, seen))


def _wanted() -> str:
    name = request.args.get("page", "friends")
    return name if name in PAGES else "friends"


def mark_of(value: object) -> str:
    """A name of what is shown: the same for the same, another for anything else."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def message(mark: str, body: Any) -> Response:
    """One message of a stream: the part, or that nothing is new since this mark."""
    if request.headers.get("Last-Event-ID") == mark:
        return Response(": nothing new\n\n", mimetype="text/event-stream")
    lines = "".join(f"data: {line}\n" for line in body().splitlines())
    return Response(f"id: {mark}\n{lines}\n", mimetype="text/event-stream")


# ---- sitting down, being ready


def make_table() -> Response:
    game = forms.choice("game", offers.offered(g.who.class_id))
    return _done(lambda: gatherings.make(g.who.child_id, game))


def sit() -> Response:
    table = forms.number("table", 1, forms.MOST)
    return _done(lambda: gatherings.sit(g.who.child_id, table))


def stand_up() -> Response:
    return _done(lambda: gatherings.leave(g.who.child_id))


def computer_friend() -> Response:
    at, there = forms.number("seat", 0, gatherings.LARGEST - 1), forms.flag("there")
    return _done(lambda: gatherings.computer_friend(g.who.child_id, at, there))


def ready() -> Response:
    yes = forms.flag("yes")
    return _done(lambda: gatherings.ready(g.who.child_id, yes))


def _done(work: Any) -> Response:
    """Do it, and show the tables as they are then; or why not, in a picture."""
    notice, status = None, 200
    try:
        round_id = work()
    except NotNow as error:
        round_id, notice, status = None, error.code, 409
    if round_id is not None:
        return _go(round_id)
    if forms.by_htmx() or notice:
        seen = open_tables.friends(g.who.child_id)
        body = _part("friends", seen, notice) if forms.by_htmx() else _page(seen, notice)
        return Response(body, status=status, mimetype="text/html")
    return redirect(url_for("play.friends"), code=303)


def _go(round_id: int) -> Response:
    where = url_for("play.table", round_id=round_id)
    return (
        Response(headers={"HX-Redirect": where}) if forms.by_htmx() else redirect(where, code=303)
    )


# ---- at a table; the stream of the table shows what comes of it


def back(round_id: int) -> Response:
    """The child is there again: the seat is its own."""
    stand_ins.back(round_id, g.owned)
    return _at_the_table(round_id)


def hand(round_id: int) -> Response:
    """The hand goes up, for the teacher; or down."""
    presence.hand(g.who.child_id, forms.flag("up"))
    return _at_the_table(round_id)


def _at_the_table(round_id: int) -> Response:
    if forms.by_htmx():
        return Response(status=204)
    return redirect(url_for("play.table", round_id=round_id), code=303)


# ---- rendering


def _page(seen: Friends, notice: str | None = None) -> str:
    return render_template("pages/child/friends.html", **_values(seen, notice))


def _part(name: str, seen: Friends, notice: str | None = None) -> str:
    return render_template(PAGES[name], **_values(seen, notice))


def _values(seen: Friends, notice: str | None = None) -> dict[str, Any]:
    me = entrance.at_the_pictures(g.who.class_id, g.who.child_id).child
    return {"f": seen, "me": me, "class_id": g.who.class_id, "notice": notice}
