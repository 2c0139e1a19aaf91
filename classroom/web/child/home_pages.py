"""A child's home page, the page for playing with friends, and the goodbye page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import sign_in
from classroom.services.base.errors import NotNow
from classroom.services.base.names import ChildFace
from classroom.services.lesson import gatherings, live_class, open_tables
from classroom.services.lesson.open_tables import Friends
from classroom.services.school import classes
from classroom.services.table import matches, offers, recording, rounds, stand_ins
from classroom.web.child.card_faces import ClassFace, named_face
from classroom.web.http import forms, pages
from classroom.web.http.pages import lead, render, see_other
from classroom.web.words.language import OTHERS

# ---- The books that a child has made, as little stacks for the child's home page

PILED: Final = 5  # a stack is drawn with at most this many books; the number on it is exact


@dataclass(frozen=True, slots=True)
class Stack:
    """All books of one kind. `asks`: the class of these books, None if it is not known."""

    asks: ClassFace | None
    number: int

    @property
    def piled(self) -> int:
        """The number of books drawn in the stack."""
        return min(self.number, PILED)


def stacks(made: Mapping[str, int]) -> tuple[Stack, ...]:
    """The stacks of the books that a child made, numbers first; all sevens are in one stack."""
    found: Counter[ClassFace | None] = Counter()
    for name, number in made.items():
        found[named_face(name) if name else None] += number
    return tuple(Stack(face, found[face]) for face in sorted(found, key=_order))


def _order(face: ClassFace | None) -> tuple[int, int, str]:
    if face is None:
        return 9, 0, ""
    kinds = ("rank", "sum", "family", "traits")
    known = face.kind in kinds
    return kinds.index(face.kind) if known else 8, face.whole if known else 0, face.key


# ---- A child's home page with the shelf of games, and the goodbye page


def home() -> Response | str:
    """Go on with a round or start one. If the child cannot play now, redirect to `rest`."""
    child_id, at_home, view = g.who.child_id, g.who.at_home, _around()
    if view.paused:
        return see_other("play.rest", why=view.paused)
    last = matches.last_game(child_id, at_home=at_home)
    games = offers.shelf(g.who.class_id)
    going_on = matches.current_round(child_id, at_home=at_home)
    friends = rounds.friends_of(going_on, child_id) if going_on else ()
    return render(
        "pages/child/home.html",
        me=_me(),
        going_on=going_on,
        playing=last if going_on else None,
        games=games,
        lit=None
        if going_on or view.moment
        else next((one for one in games if one.key == last), games[0] if games else None),
        mine=stacks(recording.books_made_by(child_id)),
        friends=friends,
        f=view,
        class_id=None if at_home else g.who.class_id,
        other=OTHERS.get(g.who.language or ""),
    )


def language() -> Response:
    """Show and speak the child's other language from now on."""
    classes.speak(g.who.child_id, forms.text("language", forms.LONGEST))
    return see_other("play.home")


def _me() -> ChildFace:
    return sign_in.at_the_pictures(g.who.class_id, g.who.child_id)[0]


def rest() -> str:
    """Say goodbye, or why the child cannot play. `why` only gives each reason its own URL."""
    class_id = None if g.who.at_home else g.who.class_id
    return render("pages/child/rest.html", f=_around(), me=_me(), class_id=class_id)


def _around() -> Friends:
    """The tables and classmates that the child sees now; at home there are none."""
    child_id = g.who.child_id
    return open_tables.alone(child_id) if g.who.at_home else open_tables.friends(child_id)


# ---- Playing with friends: tables to join, who is ready, and the actions at a table that are not
# moves


def friends() -> Response | str:
    """Tables to join and games to start. Redirect if a round has begun, or if none can begin."""
    view = open_tables.friends(g.who.child_id)
    if view.round_id is not None:
        return see_other("play.table", round_id=view.round_id)
    if view.paused:
        return see_other("play.rest", why=view.paused)
    return _page(view)


def friends_part(class_id: int) -> Response:
    """The page's changing part, for a browser without a stream: 304 if nothing has changed."""
    view = open_tables.friends(g.who.child_id)
    return pages.part(pages.mark_of(view), lambda: _wanted(view))


def friends_events(class_id: int) -> Response:
    """One message of the class's stream: a child came, sat down or is ready, or a round began."""
    view = open_tables.friends(g.who.child_id)
    return pages.stream_message(pages.mark_of(view), lambda: _wanted(view))


def _wanted(view: Friends) -> str:
    """The changing part of the page that sent the request, the home page or the friends page."""
    if request.args.get("page") == "home":
        return render("partials/child/with_friends.html", f=view)
    return _part(view)


# ---- sitting down, being ready


def make_table() -> Response:
    game = forms.choice("game", offers.offered(g.who.class_id))
    return _done(lambda: gatherings.make(g.who.child_id, game))


def sit() -> Response:
    table = forms.number("table", 1, forms.MAX_ID)
    return _done(lambda: gatherings.sit(g.who.child_id, table))


def stand_up() -> Response:
    """Leave the table. `home`: the child came from the home page, and goes back there."""
    if forms.flag("home"):
        gatherings.leave(g.who.child_id)
        return see_other("play.home")
    return _done(lambda: gatherings.leave(g.who.child_id))


def computer_friend() -> Response:
    at, there = forms.number("seat", 0, gatherings.LARGEST - 1), forms.flag("there")
    return _done(lambda: gatherings.computer_friend(g.who.child_id, at, there))


def ready() -> Response:
    yes = forms.flag("yes")
    return _done(lambda: gatherings.ready(g.who.child_id, yes))


def _done(work: Callable[[], int | None]) -> Response:
    """Do the work, then go to the round that it began, or show the tables with any refusal."""
    notice, status = None, 200
    try:
        round_id = work()
    except NotNow as error:
        round_id, notice, status = None, error.code, 409
    if round_id is not None:
        return lead(url_for("play.table", round_id=round_id))
    if forms.by_htmx() or notice:
        view = open_tables.friends(g.who.child_id)
        body = _part(view, notice) if forms.by_htmx() else _page(view, notice)
        return Response(body, status=status, mimetype="text/html")
    return see_other("play.friends")


# ---- at a table


def back(round_id: int) -> Response:
    """Let a child who is back take over again from the stand-in, if there is one."""
    stand_ins.back(round_id, g.owned)
    if forms.by_htmx():
        return Response(status=204)
    return see_other("play.table", round_id=round_id)


def hand(round_id: int) -> Response | str:
    up = forms.flag("up")
    live_class.hand(g.who.child_id, up)
    if forms.by_htmx():
        return render("partials/child/raise.html", up=up, round_id=round_id)
    return see_other("play.table", round_id=round_id)


def _part(view: Friends, notice: str | None = None) -> str:
    return render("partials/child/friends.html", f=view, notice=notice)


def _page(view: Friends, notice: str | None = None) -> str:
    return render("pages/child/friends.html", f=view, class_id=g.who.class_id, notice=notice)
