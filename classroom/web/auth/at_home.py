"""A device at home: a parent opens it for one child, who taps its own four pictures there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import entrance, home_door, sign_in
from classroom.services.access.entrance import Face
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.reports import overview
from classroom.services.school import families, sign_in_cards
from classroom.services.school.families import OwnChild
from classroom.services.school.sign_in_cards import SignInCard
from classroom.services.table import home
from classroom.web.auth import doors
from classroom.web.auth.doors import PicturesPage
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import FamilyPage, Page, Reply, render


@dataclass(frozen=True, kw_only=True)
class HomeDoorPage(PicturesPage):
    """The page where the child who may play here taps its pictures."""

    template = "pages/child/home_door.html"


@dataclass(frozen=True, kw_only=True)
class ClosedPage(Page):
    """Too many wrong pictures: the parent has to open the device again."""

    template = "pages/child/home_closed.html"
    child: Face


@dataclass(frozen=True, kw_only=True)
class OpenHomePage(FamilyPage):
    """What happens when a parent opens this device for a child, before it happens."""

    template = "pages/family/open_home.html"
    child: OwnChild


@dataclass(frozen=True, kw_only=True)
class OwnCardPage(FamilyPage):
    """The four pictures of a parent's own child."""

    template = "pages/family/card.html"
    card: SignInCard


def open_home(child_id: int) -> Response | str:
    """Say what happens; a POST opens this device for the child and signs the parent out on it."""
    if request.method != "POST":
        own = families.children_of(g.who.adult_id)
        child = next(one for one in own if one.child_id == child_id)
        if not child.home_now:
            return redirect(url_for("family.home", done="home_closed"), code=303)
        overview.looked(g.who.adult_id, "child", child_id)
        return render(OpenHomePage(here=child_id, own=own, child=child))
    try:
        token = home_door.open_device(g.who.adult_id, child_id, g.device, g.who.session_id)
    except NotFound:
        raise
    except NotNow:
        return redirect(url_for("family.home", done="home_closed"), code=303)
    answer = keep_token(redirect(url_for("auth.home_door"), code=303), token)
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


def card(child_id: int) -> str:
    """The child's pictures, for a parent whose child may play at home. Raises NotFound where it may
    not."""
    if not home.hours_for(child_id).on:
        raise NotFound("child")
    found = sign_in_cards.sign_in_card(child_id, by=g.who.adult_id)
    return render(OwnCardPage(here=child_id, own=families.children_of(g.who.adult_id), card=found))


def door() -> str:
    """The page for tapping four pictures; after too many wrong ones, the page that says so."""
    return _page(wait=home_door.wait_of(g.who))


def try_pictures() -> Reply:
    """Try four pictures. If a browser without scripts sent fewer, ask for the next one."""
    tapped = doors.chosen()
    if len(tapped) < sign_in.CHOSEN:
        return _page(tapped, wait=home_door.wait_of(g.who))
    try:
        token = home_door.pictures(g.who, tapped)
    except NotFound:
        raise
    except NotNow:
        return _page(), 429
    except Refused as refused:
        wrong = refused.code == "wrong_pictures"
        wait = float(str(refused.facts.get("wait", 0)))
        page = _page(problem="wrong_pictures" if wrong else None, wait=wait)
        return page, 422 if wrong else 429
    return keep_token(redirect(url_for("play.home"), code=303), token)


def _page(tapped: Sequence[str] = (), problem: str | None = None, wait: float = 0) -> str:
    found = entrance.at_the_pictures(g.who.class_id, g.who.home_id)
    if home_door.is_closed(g.who):
        return render(ClosedPage(child=found.child))
    return render(
        HomeDoorPage(
            child=found.child,
            sign=None,
            grid=found.grid,
            chosen=tuple(tapped),
            problem=problem,
            wait=math.ceil(wait),
        )
    )
