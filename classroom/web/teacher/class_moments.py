"""A class's moments: the list of them, a moment's page for the projector and its sheet to print,
and the page on which a teacher builds a moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.engine.actions import Ask
from classroom.engine.cards import deck_of
from classroom.services.base.errors import Refused
from classroom.services.lesson import moments
from classroom.services.lesson.moments import Answered, Kept
from classroom.services.reports import overview
from classroom.services.table import matches, offers
from classroom.services.table.offers import Offer
from classroom.web.child.card_faces import CardFace, ClassFace, faces_of
from classroom.web.child.helping import Tag, asked_tags
from classroom.web.child.steps import StepView, steps_since
from classroom.web.http import forms, guards, pages
from classroom.web.http.pages import Reply, render, see_other, shown_class
from classroom.web.reports.replay import MOST_MOVES, ReplayView, replay_view
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
class MomentView:
    """A moment as it is drawn. `r`: its table. `told`: the steps that the children are told.
    `line`: the asks in these steps. `answers`: as in moments.Kept, each with its picture."""

    kept: Kept
    game: str
    r: ReplayView
    told: tuple[StepView, ...]
    line: tuple[Tag, ...]
    answers: tuple[tuple[Answered, ClassFace], ...]


def keep_moment(round_id: int) -> Reply:
    """Keep the moment after a move of this round, and go to its page."""
    class_id = overview.round_page(round_id, g.who.adult_id).class_id
    move = forms.number("move", 0, MOST_MOVES)
    try:
        moment_id = moments.keep(class_id, round_id, move, g.who.adult_id)
    except Refused as refused:
        return moments_page(class_id, sentences.sentence(refused)), sentences.status(refused)
    return see_other("teach.moment", moment_id=moment_id)


def moment(moment_id: int) -> str:
    """Show one moment, for the teacher and for the projector. The page names no child."""
    return render(
        "pages/teach/moment.html", class_id=g.owned, m=_view(moments.one(g.owned, moment_id))
    )


def news(moment_id: int) -> Response:
    kept = moments.one(g.owned, moment_id)
    changes = kept.open, kept.shown, kept.dealt_at, kept.plays_on
    mark = pages.mark_of((kept.answers, kept.here, *changes))
    return pages.stream_message(
        mark, lambda: render("partials/teach/moment.html", class_id=g.owned, m=_view(kept))
    )


def sheet(moment_id: int) -> str:
    return render("pages/teach/moment_sheet.html", m=_view(moments.one(g.owned, moment_id)))


def moment_act(moment_id: int) -> Reply:
    """Deal the moment, deal it for playing on, show its answers, take it back, or remove it. A
    substitute may not remove a moment."""
    class_id: int = g.owned  # the guard has set it
    allowed = DOES.keys() - (() if guards.may("teach.build_moment") else {"remove"})
    what = forms.choice("do", allowed)
    try:
        DOES[what](class_id, moment_id)
    except Refused as refused:
        return moments_page(class_id, sentences.sentence(refused)), sentences.status(refused)
    if what == "remove":
        return see_other("teach.moments", class_id=class_id)
    return see_other("teach.moment", moment_id=moment_id)


def moments_page(class_id: int, problem: str = "") -> str:
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
    """Draw a moment for adults. Raises Refused if today's rules no longer allow it."""
    table = kept.table
    if table is None:
        raise Refused("moment_gone")
    view, seat = table.observation, table.seat or 0
    faces = faces_of(view.rules, table.look)
    return MomentView(
        kept=kept,
        game=filters.game_names().get(table.game, table.game),
        r=replay_view(table, table, str(seat), seat),
        told=steps_since(view, kept.since, table.look),
        line=tuple(tag for tag in asked_tags(view) if tag.seq > kept.since),
        answers=tuple((one, faces.asks(one.class_)) for one in kept.answers),
    )


# ---- Building a moment
#
# The URL contains all choices, and each tap follows a link to the page with one choice changed. So
# the page works without scripts, and the browser's back button undoes a tap.


@dataclass(frozen=True, slots=True)
class Tap:
    """Something to tap. `href`: where it leads, "" if nowhere. `on`: whether it is chosen."""

    href: str
    words: str = ""
    on: bool = False
    face: CardFace | ClassFace | None = None


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat. `cards`: the chosen cards, which a tap removes, and the cards that fill up the hand.
    `asks`: the asks to this seat that are legal for the seat whose turn it is."""

    animal: str
    pad: int
    choose: Tap
    cards: tuple[Tap, ...]
    asks: tuple[Tap, ...]


def build_moment(class_id: int) -> Reply:
    """Show the page for building a moment; a POST keeps the moment and leads to it."""
    offer, chosen = _chosen(class_id)
    if request.method != "POST":
        return _build_page(class_id, offer, chosen)
    hands, asks = chosen["hand"], chosen["ask"]
    try:
        kept = moments.keep_built(class_id, offer.key, hands, asks, g.who.adult_id)
    except Refused as refused:
        problem = sentences.sentence(refused)
        return _build_page(class_id, offer, chosen, problem), sentences.status(refused)
    return see_other("teach.moment", moment_id=kept)


def _games(class_id: int) -> tuple[Offer, ...]:
    """Return the class's games for which a moment can be built; if there are none, Go Fish."""
    found = tuple(one for one in offers.shelf(class_id) if moments.sizes(one))
    return found or (offers.of_menu(offers.DEFAULT[0]),)


def _chosen(class_id: int) -> tuple[Offer, dict[str, list[str]]]:
    """Return the choices in the URL or the form, without values that our pages never send."""
    sent, games = request.values, _games(class_id)
    offer = next((one for one in games if one.key == sent.get("game")), games[0])
    sizes, hands = moments.sizes(offer), sent.getlist("hand") or [""] * offer.game.seats
    hands = [*hands, *[""] * sizes[0]][: min(max(len(hands), sizes[0]), sizes[-1])]
    known = deck_of(offer.rules_for(len(hands), moments.BUILT_DECK)).members
    kinds = [[kind for kind in hand.split(".") if kind in known] for hand in hands]
    return offer, {
        "game": [offer.key],
        "hand": [".".join(hand[: moments.MOST_CARDS]) for hand in kinds],
        "ask": sent.getlist("ask")[: moments.MOST_ASKS],
        "seat": [str(min(max(sent.get("seat", 0, int), 0), len(hands) - 1))],
    }


def _build_page(
    class_id: int, offer: Offer, chosen: dict[str, list[str]], problem: str = ""
) -> str:
    hands, asked, seat = chosen["hand"], chosen["ask"], int(chosen["seat"][0])
    made = moments.build(offer, hands, asked)
    view = made.view
    faces, names = faces_of(view.rules, offer.look), filters.game_names()
    may_ask = not made.problem and len(asked) < moments.MOST_ASKS
    kinds = [hand.split(".") if hand else [] for hand in hands]
    faces_here = matches.faces(class_id, [], len(hands), Random(class_id))  # as in `keep_built`

    def to(**changed: Any) -> str:
        return url_for("teach.build_moment", class_id=class_id, _anchor="build", **chosen | changed)

    def holding(who: int, mine: list[str]) -> str:
        return to(hand=[*hands[:who], ".".join(mine), *hands[who + 1 :]], seat=[str(who)])

    def asks(target: int) -> tuple[Tap, ...]:
        return tuple(
            Tap(to(ask=[*asked, f"{target}-{ask.class_}"]), face=faces.asks(ask.class_))
            for ask in view.legal
            if isinstance(ask, Ask) and ask.target == target and may_ask
        )

    def cards(who: int) -> tuple[Tap, ...]:
        mine = kinds[who]
        return tuple(
            Tap(holding(who, mine[:at] + mine[at + 1 :]) if at < len(mine) else "", face=card)
            for at, card in enumerate(faces.cards(made.hands[who]))
        )

    def kind(class_: str) -> Tap:
        dealt = sum(hand.count(class_) for hand in kinds)
        left = max(0, len(deck_of(view.rules).members[class_]) - dealt)
        can = left and len(kinds[seat]) < moments.MOST_CARDS
        held = [*kinds[seat], class_]
        return Tap(holding(seat, held) if can else "", str(left), face=faces.own(class_))

    return render(
        "pages/teach/build_moment.html",
        here="games",
        school_class=shown_class(class_id),
        games=tuple(
            Tap(to(game=one.key, ask=[]), names.get(one.key, one.name), one == offer)
            for one in _games(class_id)
        ),
        sizes=tuple(
            Tap(to(hand=[*hands, "", ""][:n]), str(n), n == len(hands))
            for n in moments.sizes(offer)
        ),
        chairs=tuple(
            Chair(animal, pad, Tap(to(seat=who), on=who == seat), cards(who), asks(who))
            for who, (animal, pad) in enumerate(faces_here)
        ),
        kinds=tuple(map(kind, deck_of(view.rules).classes)),
        asked=asked_tags(view),
        wrong=len(asked) - len(made.moves),
        turn=made.turn,
        undo=to(ask=asked[:-1]),
        fields=chosen,
        problem=problem or (sentences.sentence(made.problem) if made.problem else ""),
    )
