"""Children's sign-in, at school on a class's device and at home on one that a parent opened."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import knocks, sessions, sign_in
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.lesson import live_class, open_tables
from classroom.services.reports import overview
from classroom.services.school import classes, family_links
from classroom.services.table import choices
from classroom.web.auth.front_door import door
from classroom.web.http import forms
from classroom.web.http.guards import forget, keep_token
from classroom.web.http.pages import Reply, lead, refused_page, render, see_other

# ---- Children's sign-in: the class code, the animal, then four pictures or the teacher's tap

WAITING_PAGES = ("wait", "pictures")
DOOR_PROBLEMS = {"class_not_open": ("unknown_code", 404), "code_wait": ("slow_down", 429)}


def join() -> Reply:
    """Let this device into the class whose code was typed."""
    code = forms.text("code", 40)
    try:
        token = sign_in.open_device(code, g.device, g.who.session_id)
    except Refused as refused:
        problem, status = DOOR_PROBLEMS[refused.code]
        page = door(problem, "" if problem == "unknown_code" else code)
        return refused_page(page, refused, status)
    return keep_token(see_other("auth.animals"), token)


def class_link(code: str) -> str:
    """Show the page that a class's QR code opens: one button, because a GET changes nothing."""
    return render("pages/child/class_link.html", code=code[:12])


def animals() -> str:
    """Show the animals to tap. A child who is now signed in elsewhere is told so first."""
    if g.who.moved_id is not None and "all" not in request.args:
        moved, _ = sign_in.at_the_pictures(g.who.class_id, g.who.moved_id)
        return render("pages/child/elsewhere.html", child=moved)
    name, children = sign_in.classroom(g.who.class_id)
    return render("pages/child/animals.html", class_name=name, children=children)


def knock(child_id: int) -> Response:
    """Record that a child's animal was tapped. The teacher now sees this device at the door."""
    sign_in.knock(g.who, child_id)
    return see_other("auth.pictures", child_id=child_id)


def pictures(child_id: int) -> Reply:
    """Show the pictures to tap, or a page for waiting if the teacher has to let the child in."""
    if sign_in.needs_teacher(g.who, child_id):
        return waiting_page(child_id)
    return _pictures_page(child_id)


def pictures_try(child_id: int) -> Reply:
    """Try four pictures. If a browser without scripts sent fewer, ask for the next one."""
    tapped = chosen()
    if len(tapped) < sign_in.CHOSEN:
        return _pictures_page(child_id, tapped)
    try:
        token = sign_in.pictures(g.who, child_id, tapped)
    except NotNow as refused:
        if refused.code == "class_not_open":
            raise
        return waiting_page(child_id), 429
    except Refused as refused:
        return _refused(child_id, refused)
    return keep_token(redirect(_inside(child_id, token), code=303), token)


def waiting(child_id: int) -> Response:
    """Answer a page that asks every few seconds: 204 until the teacher lets the child in, then sign
    the child in. A page that shows an old sign is told to reload."""
    page, shown = forms.choice("page", WAITING_PAGES, "wait"), forms.text("sign", 20)
    token = sign_in.come_in(g.who, child_id)
    if token is not None:
        return keep_token(lead(_inside(child_id, token)), token)
    sign = knocks.sign_at(g.who.device, child_id)
    if forms.by_htmx() and sign is not None and sign.key == shown:
        return Response(status=204)
    return lead(url_for("auth." + page, child_id=child_id))


def _inside(child_id: int, token: str) -> str:
    """Return the URL for a child after sign-in: a table with friends, or else the home page."""
    if sessions.find(token).match_id is not None:
        return url_for("auth.front")  # that page redirects to the table at this tablet
    round_id = open_tables.round_of(child_id)
    return url_for("play.table", round_id=round_id) if round_id else url_for("play.home")


def bye() -> Response:
    """Sign the child out; the device stays in the class, or stays open at home. If no child is
    signed in, take the device out of the class, or end play at home on it."""
    token = sign_in.leave_at_home(g.who) if g.who.at_home else sign_in.leave(g.who)
    return forget(see_other("auth.front"), token)


def chosen() -> list[str]:
    """Return the tapped pictures, in order. Raises InvalidForm for a gap or an unknown picture."""
    names = [f"p{number}" for number in range(1, sign_in.CHOSEN + 1)]
    found = [request.form[name] for name in names if name in request.form]
    for name in names[: len(found)]:
        forms.choice(name, sign_in.PICTURES)
    return found


def _refused(child_id: int, refused: Refused) -> Reply:
    """Show the pictures again after a wrong try, or with the time left to wait. Re-raises NotFound:
    without a child there is nothing to show."""
    if isinstance(refused, NotFound):
        raise refused
    wrong = refused.code == "wrong_pictures"
    return _pictures_page(child_id, wrong=wrong), 422 if wrong else 429


def _pictures_page(child_id: int, tapped: Sequence[str] = (), *, wrong: bool = False) -> str:
    """Render the pictures to tap. At home, too many wrong tries lead to a page that says so."""
    who = g.who
    child, grid = sign_in.at_the_pictures(who.class_id, child_id)
    if who.at_home and sign_in.is_closed_at_home(who):
        return render("pages/child/home_closed.html", child=child)
    return render(
        "pages/child/home_door.html" if who.at_home else "pages/child/pictures.html",
        child=child,
        sign=None if who.at_home else knocks.sign_at(who.device, child_id),
        grid=grid,
        chosen=tuple(tapped),
        wrong=wrong,
        wait=math.ceil(sign_in.wait_of(who, child_id)),
    )


def waiting_page(child_id: int) -> str:
    """Show the sign that the child holds up. On a device without a sign, say that the child is
    signed in on another device, or offer to knock again."""
    child, _ = sign_in.at_the_pictures(g.who.class_id, child_id)
    sign = knocks.sign_at(g.who.device, child_id)
    if sign is None and child_id in live_class.here(g.who.class_id):
        return render("pages/child/elsewhere.html", child=child)
    return render("pages/child/waiting.html", child=child, sign=sign)


# ---- A device at home: a parent opens it for one child, who signs in there with four pictures


def open_home(child_id: int) -> Response | str:
    """Explain what opening this device means; a POST opens it and signs the parent out on it."""
    if request.method != "POST":
        own = family_links.children_of(g.who.adult_id)
        child = next(one for one in own if one.child_id == child_id)
        if not child.home_now:
            return see_other("family.home", done="home_closed")
        overview.looked(g.who.adult_id, "child", child_id)
        return render("pages/family/open_home.html", here=child_id, own=own, child=child)
    try:
        token = sign_in.open_at_home(g.who.adult_id, child_id, g.device, g.who.session_id)
    except NotNow:
        return see_other("family.home", done="home_closed")
    answer = keep_token(see_other("auth.home_door"), token)
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


def own_card(child_id: int) -> str:
    """Show a parent the child's pictures. Raises NotFound if the child may not play at home."""
    if not choices.hours_for(child_id).on:
        raise NotFound("child")
    own = family_links.children_of(g.who.adult_id)
    card = classes.sign_in_card(child_id, by=g.who.adult_id)
    return render("pages/family/card.html", here=child_id, own=own, card=card)


def door_at_home() -> str:
    return _pictures_page(g.who.home_id)


def home_pictures_try() -> Reply:
    """Try four pictures. If a browser without scripts sent fewer, ask for the next one."""
    tapped = chosen()
    if len(tapped) < sign_in.CHOSEN:
        return _pictures_page(g.who.home_id, tapped)
    try:
        token = sign_in.pictures_at_home(g.who, tapped)
    except Refused as refused:
        return _refused(g.who.home_id, refused)
    return keep_token(see_other("play.home"), token)
