"""Printed sign-in cards, of a class or of one child."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g, request, url_for

from classroom.services.school import classes, school_year
from classroom.services.school.sign_in_cards import SignInCard
from classroom.web.http.pages import Page, render
from classroom.web.reports import charts


@dataclass(frozen=True, kw_only=True)
class CardsPage(Page):
    """Sign-in cards to print. `qr`: the QR code of the address for signing in, "" if there is no
    card. `back`: the address of the page to go back to."""

    template = "pages/teach/cards.html"
    cards: tuple[SignInCard, ...]
    back: str
    qr: str


def cards(class_id: int) -> str:
    """The class's cards; with `which=new`, only those of children whose old card became wrong with
    the new school year."""
    new = request.args.get("which") == "new"
    only = school_year.cards_needed(class_id) if new else None
    return _cards(
        classes.sign_in_cards(class_id, by=g.who.adult_id, only=only),
        url_for("teach.school_class", class_id=class_id),
    )


def card(child_id: int) -> str:
    return _cards(
        (classes.sign_in_card(child_id, by=g.who.adult_id),),
        url_for("teach.child", child_id=child_id),
    )


def _cards(found: tuple[classes.SignInCard, ...], back: str) -> str:
    return render(
        CardsPage(
            cards=found,
            back=back,
            qr=charts.qr(_way_in(found[0].code), "scard__qr") if found else "",
        )
    )


def _way_in(code: str) -> str:
    """The address for signing in; the code is part of it only if the class keeps its code."""
    if code:
        return url_for("auth.class_link", code=code, _external=True)
    return url_for("auth.front", _external=True)
