"""The moments of a class: the list, the page of one for the projector, and its sheet to print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flask import g, redirect, url_for
from werkzeug.wrappers import Response

from classroom.services.base.errors import Refused
from classroom.services.lesson import moments
from classroom.services.lesson.moments import Kept
from classroom.services.reports import overview
from classroom.web.child.card_faces import ClassFace, faces_of
from classroom.web.child.helping import Tag, asked_tags
from classroom.web.child.steps import StepView, steps_since
from classroom.web.http import forms, guards, pages
from classroom.web.http.pages import render, shown_class
from classroom.web.reports.replay import MOST_MOVES, ReplaySeat, ReplayView, replay_view
from classroom.web.words import filters, sentences

DOES: Final[dict[str, Callable[[int, int], None]]] = {
    "deal": lambda class_id, moment_id: moments.deal(class_id, moment_id, g.who.adult_id),
    "play_on": lambda class_id, moment_id: moments.deal(
        class_id, moment_id, g.who.adult_id, plays_on=True
    ),
    "show": moments.show,
    "take_back": moments.take_back,
    "remove": lambda class_id, moment_id: moments.remove(class_id, moment_id, g.who.adult_id),
}


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What some children asked. `seat`: whom, None for everybody; `known`: it was certain."""

    seat: ReplaySeat | None
    asks: ClassFace
    number: int
    known: bool


@dataclass(frozen=True, slots=True)
class MomentView:
    """A moment as it is drawn. `r`: its table; `told`: what the children are told, step by step,
    `line` the asks in it. `answers`: see moments.Kept."""

    kept: Kept
    game: str
    r: ReplayView
    told: tuple[StepView, ...]
    line: tuple[Tag, ...]
    answers: tuple[GivenAnswer, ...]


def moments_page(class_id: int) -> str:
    return _page(class_id)


def keep_moment(round_id: int) -> Response | tuple[str, int]:
    """Keep the moment after a move of this round, and go to its page."""
    class_id = overview.round_page(round_id, g.who.adult_id).class_id
    move = forms.number("move", 0, MOST_MOVES)
    try:
        moment_id = moments.keep(class_id, round_id, move, g.who.adult_id)
    except Refused as refused:
        return _page(class_id, sentences.sentence(refused)), sentences.status(refused)
    return _to(moment_id)


def moment(moment_id: int) -> str:
    """The page of one moment, for the teacher and for the projector: no child is named on it."""
    return render(
        "pages/teach/moment.html", class_id=g.owned, m=_view(moments.one(g.owned, moment_id))
    )


def news(moment_id: int) -> Response:
    """One message of that page's stream."""
    kept = moments.one(g.owned, moment_id)
    changes = kept.open, kept.shown, kept.dealt_at, kept.plays_on
    mark = pages.mark_of((kept.answers, kept.here, *changes))
    return pages.stream_message(
        mark, lambda: render("partials/teach/moment.html", class_id=g.owned, m=_view(kept))
    )


def sheet(moment_id: int) -> str:
    return render("pages/teach/moment_sheet.html", m=_view(moments.one(g.owned, moment_id)))


def moment_act(moment_id: int) -> Response | tuple[str, int]:
    """Deal the moment, to play on from it or not, show what was answered, take it back, or (no
    substitute) remove it."""
    class_id: int = g.owned  # the guard looked it up
    allowed = DOES.keys() - (() if guards.may("teach.build_moment") else {"remove"})
    what = forms.choice("do", allowed)
    try:
        DOES[what](class_id, moment_id)
    except Refused as refused:
        return _page(class_id, sentences.sentence(refused)), sentences.status(refused)
    if what == "remove":
        return redirect(url_for("teach.moments", class_id=class_id), code=303)
    return _to(moment_id)


def _to(moment_id: int) -> Response:
    return redirect(url_for("teach.moment", moment_id=moment_id), code=303)


def _page(class_id: int, problem: str = "") -> str:
    found = moments.of_class(class_id)
    return render(
        "pages/teach/moments.html",
        here="games",
        school_class=shown_class(class_id),
        views=tuple(_view(one) for one in found if one.table),
        gone=tuple(one for one in found if not one.table),
        problem=problem,
    )


def _view(kept: Kept) -> MomentView:
    """A moment drawn for adults. Raises Refused if today's rules no longer allow it."""
    table = kept.table
    if table is None:
        raise Refused("moment_gone")
    view, seat = table.observation, table.seat or 0
    faces = faces_of(view.rules, table.look)
    drawn = replay_view(table, table, str(seat), seat, {})
    line = (tag for tag in asked_tags(view, table.look) if tag.seq > kept.since)
    return MomentView(
        kept=kept,
        game=filters.game_names().get(table.game, table.game),
        r=drawn,
        told=steps_since(view, kept.since, table.look),
        line=tuple(line),
        answers=tuple(
            GivenAnswer(
                None if one.target == "all" else drawn.seats[one.target],
                faces.asks(one.class_),
                one.number,
                one.known,
            )
            for one in kept.answers
        ),
    )
