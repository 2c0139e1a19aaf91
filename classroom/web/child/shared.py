"""The pages of a tablet that children share: the choice of who sits at it, and their table.

The table shows what a watcher sees. A hand is sent only to the request that raises it."""

from __future__ import annotations

import secrets
from typing import Any, Final

from flask import g, redirect, request
from werkzeug.wrappers import Response

from classroom.engine.actions import Ask, InvalidAction
from classroom.learning import recall_questions
from classroom.services.base.errors import NotNow
from classroom.services.lesson import open_tables, shared_tables
from classroom.services.table import offers, rounds
from classroom.services.table.rounds import WATCHER
from classroom.web.child.helping import asked_tags
from classroom.web.child.play import REFUSALS, action_of, next_page, why_not
from classroom.web.child.table_view import TableView, table_view
from classroom.web.http import forms, pages
from classroom.web.http.pages import render, see_other

SIDES: Final = {2: "sn", 3: "swe", 4: "swne"}
"""The edges of the tablet at which the children sit, by the number of seats; clockwise from the
south."""
HUNG: Final = 4  # how many of the last asks are shown beside the pond


# ---- who sits at the tablet


def together() -> Response | str:
    """Choose who shares this tablet. A POST invites a child, seats children or resumes a table."""
    try:
        if "invite" in request.form:
            shared_tables.invite(g.who.child_id, forms.number("invite", 1, forms.MAX_ID))
        elif request.method == "POST":
            return see_other("play.shared", round_id=_sit_down())
    except NotNow as error:
        return Response(_choose(error.code), status=409, mimetype="text/html")
    return _choose()


def _choose(notice: str | None = None) -> str:
    view = shared_tables.together(g.who.child_id)
    picked = view.came | set(forms.ids(request.values.getlist("mate")))
    if forms.by_htmx() and not notice:
        return render("partials/child/mates.html", f=view, picked=picked)
    return render("pages/child/together.html", f=view, picked=picked, notice=notice)


def invited() -> Response | str:
    """Ask whether the child will come to a classmate's tablet. A POST says yes or no."""
    host = open_tables.host_of(g.who.child_id)
    if request.method == "POST" and shared_tables.answer(g.who.child_id, forms.flag("yes")):
        return see_other("auth.animals")
    if request.method == "POST" or host is None:
        return redirect(next_page(), code=303)
    return render("pages/child/invited.html", host=host)


def _sit_down() -> int:
    who = g.who
    if "round" in request.form:
        unfinished = forms.number("round", 1, forms.MAX_ID)
        return shared_tables.go_on(who.session_id, who.child_id, unfinished)
    game = forms.choice("game", offers.offered(who.class_id))
    mates = forms.ids(request.form.getlist("mate"))
    return shared_tables.begin(who.session_id, who.child_id, game, mates)


# ---- the table


def table_part(round_id: int) -> Response:
    """The table alone, for a browser without a stream: 304 if nothing has changed."""
    return pages.part(pages.mark(*rounds.version(round_id)), lambda: _part(round_id))


def events(round_id: int) -> Response:
    """One message of the table's stream, the same for all children at the tablet."""
    now = pages.mark(*rounds.version(round_id))
    return pages.stream_message(now, lambda: _part(round_id))


def hand(round_id: int) -> Response | str:
    """Raise the hand of a seat. Only the response to this request shows the cards."""
    seat = _seat()
    try:
        mine = table_view(shared_tables.raise_hand(g.who.session_id, round_id, seat))
    except NotNow as error:
        return _shown(round_id, error.code)
    if not forms.by_htmx():
        return table(round_id, hand=mine)
    sides, key = SIDES[len(mine.seats)], secrets.token_urlsafe(12)
    return render("partials/child/shared_hand.html", hand=mine, sides=sides, key=key)


def ask(round_id: int) -> Response:
    """Make an ask for the seat whose hand is up."""
    seen = None
    try:
        seen = forms.number("seen", 0, 10**6)
        asked, key = action_of({"type": "ask"}), forms.key()
        if not isinstance(asked, Ask):
            raise InvalidAction("type", "only asks are made here")
        shared_tables.ask(g.who.session_id, round_id, _seat(), asked, key, seen)
    except REFUSALS as error:
        return _shown(round_id, *why_not(error))
    if not forms.by_htmx():
        return see_other("play.shared", round_id=round_id)
    answer = Response(_part(round_id, seen), mimetype="text/html")
    answer.headers["Last-Event-ID"] = pages.mark(*rounds.version(round_id))
    return answer  # with the table's mark, so that the stream does not send this table again


def again(round_id: int) -> Response:
    """Deal the next round to the same children."""
    next_id = shared_tables.again(g.who.match_id, g.who.session_id, round_id)
    return see_other("play.shared", round_id=next_id)


def bell(round_id: int) -> Response:
    """Stop for today: the device is free for others, and the table can go on another day."""
    shared_tables.leave(g.who.session_id, g.who.class_id)
    return see_other("auth.animals")


# ---- rendering


def _seat() -> int:
    return forms.number("seat", 0, shared_tables.MOST_AT_TABLET - 1)


def _fields(round_id: int, seen: int | None, notice: str | None) -> dict[str, Any]:
    """The values for every page of this table, made only from what a watcher may see."""
    shown = rounds.table(round_id, WATCHER)
    asks = asked_tags(shown.observation)
    about = recall_questions.for_all(shown.observation, HUNG)
    return {
        "t": table_view(shown, seen),
        "sides": SIDES[len(shown.players)],
        "line": asks[-HUNG:],
        "recall": next((one for one in asks if about and one.seq == about.seq), None),
        "notice": notice,
    }


def _part(round_id: int, seen: int | None = None, notice: str | None = None) -> str:
    return render("partials/child/shared.html", **_fields(round_id, seen, notice))


def table(round_id: int, *, hand: TableView | None = None, notice: str | None = None) -> str:
    return render(
        "pages/child/shared.html",
        **_fields(round_id, None, notice),
        hand=hand,
        voice=shared_tables.has_voice(g.who.match_id),
        key=secrets.token_urlsafe(12),
    )


def _shown(round_id: int, notice: str, status: int = 409) -> Response:
    body = _part(round_id, None, notice) if forms.by_htmx() else table(round_id, notice=notice)
    return Response(body, status=status, mimetype="text/html")
