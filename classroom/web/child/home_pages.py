"""A child's home page with its shelf of games and its books, and the page on which it says
goodbye.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import g, redirect, url_for
from werkzeug.wrappers import Response

from classroom.services.access import entrance
from classroom.services.base.names import ChildFace
from classroom.services.lesson import open_tables
from classroom.services.school import classes
from classroom.services.table import matches, offers, recording, rounds
from classroom.services.table.offers import Offer
from classroom.web.child.card_faces import ClassFace, named_face
from classroom.web.http import forms
from classroom.web.http.pages import render
from classroom.web.words.language import OTHERS

# ---- The books that a child has made, as little stacks for its home page

PILED: Final = 5  # a stack is drawn with at most this many books; the number on it is exact


@dataclass(frozen=True, slots=True)
class Stack:
    """All books of one kind. `asks`: what they are made of, None if that is not known."""

    asks: ClassFace | None
    number: int

    @property
    def piled(self) -> int:
        """The number of books drawn in the stack."""
        return min(self.number, PILED)


def stacks(made: Mapping[str, int]) -> tuple[Stack, ...]:
    """The stacks of a collection (services/table/recording.py): numbers first, in order. Sevens
    are one stack, whatever their colours."""
    found: Counter[ClassFace | None] = Counter()
    for name, number in made.items():
        found[named_face(name) if name else None] += number
    return tuple(Stack(face, found[face]) for face in sorted(found, key=_order))


def _order(face: ClassFace | None) -> tuple[int, int, str]:
    if face is None:
        return 9, 0, ""
    kinds = ("rank", "sum", "family", "traits")
    return (*((kinds.index(face.kind), face.whole) if face.kind in kinds else (8, 0)), face.key)


# ---- A child's home page with its shelf of games, and the page on which it says goodbye


def home() -> Response | str:
    """The home page: go on with a round, or start a new one. While no round can begin, redirect to
    the page that says why."""
    child_id, at_home, view = g.who.child_id, g.who.at_home, _around()
    if view.paused:
        return redirect(url_for("play.rest", why=view.paused), code=303)
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
        lit=None if going_on or view.moment else _lit(games, last),
        mine=stacks(recording.books_made_by(child_id)),
        friends=friends,
        f=view,
        class_id=None if at_home else g.who.class_id,
        other=OTHERS.get(g.who.language or ""),
    )


def language() -> Response:
    """Speak the child's other language from now on."""
    classes.speak(g.who.child_id, forms.text("language", forms.LONGEST))
    return redirect(url_for("play.home"), code=303)


def _me() -> ChildFace:
    return entrance.at_the_pictures(g.who.class_id, g.who.child_id).child


def rest() -> str:
    """Say goodbye, or why there is no play now. `why` in the address is not read: it only gives
    the page of each reason its own address."""
    class_id = None if g.who.at_home else g.who.class_id
    return render("pages/child/rest.html", f=_around(), me=_me(), class_id=class_id)


def _around() -> open_tables.Friends:
    """The tables and classmates that the child sees now; at home there are none."""
    child_id = g.who.child_id
    return open_tables.alone(child_id) if g.who.at_home else open_tables.friends(child_id)


def _lit(games: tuple[Offer, ...], last: str | None) -> Offer | None:
    """The game on the shelf that was played last, or the first one; None on an empty shelf."""
    return next((game for game in games if game.key == last), games[0] if games else None)
