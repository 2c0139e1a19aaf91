"""A device at home: a parent opens it for one child, who taps its own four pictures there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flask import g, redirect, url_for
from werkzeug.wrappers import Response

from classroom.services.access import entrance, home_door, sign_in
from classroom.services.access.entrance import Face
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.web.auth import doors
from classroom.web.auth.doors import PicturesPage
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import Page, Reply, render


@dataclass(frozen=True, kw_only=True)
class HomeDoorPage(PicturesPage):
    """The page where the child who may play here taps its pictures."""

    template = "pages/child/home_door.html"


@dataclass(frozen=True, kw_only=True)
class ClosedPage(Page):
    """Too many wrong pictures: the parent has to open the device again."""

    template = "pages/child/home_closed.html"
    child: Face


def open_home(child_id: int) -> Response:
    """Open this device for the child; the parent is signed out on it."""
    try:
        token = home_door.open_device(g.who.adult_id, child_id, g.device, g.who.session_id)
    except NotFound:
        raise
    except NotNow:
        return redirect(url_for("family.home", done="home_closed"), code=303)
    answer = keep_token(redirect(url_for("auth.home_door"), code=303), token)
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


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
