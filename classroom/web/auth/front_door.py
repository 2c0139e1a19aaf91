"""The front page, the first visit to an empty installation, and how adults sign in and out."""

from __future__ import annotations

from flask import abort, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom import measures
from classroom.services.access import accounts, sign_in
from classroom.services.access.second_factors import SecondStep
from classroom.services.base import errors, secrets_, security_log
from classroom.services.base.errors import Refused
from classroom.services.operation import health
from classroom.services.operation.look_around import Demo
from classroom.services.school import people
from classroom.services.table import matches
from classroom.web.auth import account_pages
from classroom.web.http import forms, kept
from classroom.web.http.guards import forget, keep_language, keep_token
from classroom.web.http.pages import Reply, demo_beside, refused_page, render, see_other
from classroom.web.words import sentences
from classroom.web.words.language import OTHERS

# ---- The front page, and how adults sign in and out
#
# Children's sign-in is in doors.py. Set-up and the demo school are further down.

HOMES = {
    "device": "auth.animals",
    "child": "play.home",
    "home_device": "auth.home_door",
    "home_child": "play.home",
    "teacher": "teach.home",
    "admin": "teach.home",
    "substitute": "teach.home",
    "parent": "family.home",
}


def health_of_the_data() -> Response:
    """Answer a monitor with `ok` and how many jobs were skipped, or with 503 and the problem."""
    problem = health.problem(current_app.extensions.get("pulse"))
    skips = errors.count_skipped()
    well = f"ok, but skipped: {skips} (see the log)" if skips else "ok"
    return Response(f"{problem or well}\n", 503 if problem else 200, mimetype="text/plain")


def metrics() -> Response:
    """Return the server's measurements, in the format that Prometheus reads."""
    text, kind = measures.text()
    return Response(text, content_type=kind)


def front() -> Response | str:
    """Redirect a signed-in person to their home page. Others type a class code or see a welcome."""
    if g.who.kind == "tablet":
        return see_other("play.shared", round_id=matches.latest(g.who.match_id).id)
    home = HOMES.get(g.who.kind)
    if g.who.kind == "admin" and people.only_administers(g.who.adult_id):
        home = "school.home"  # all other staff begin at their classes
    if home:
        return see_other(home)
    if current_app.config["DEMO"]:
        return see_other("auth.look_around")
    if not accounts.is_set_up():
        return render("pages/auth/first.html", demo_there=demo_beside() is not None)
    return door()


def door(problem: str | None = None, code: str = "") -> str:
    """Render the page for typing a class code. A code's first digit tells its length."""
    return render(
        "pages/child/door.html",
        digits="1234567890",
        fresh=secrets_.FRESH_DIGITS,
        kept=secrets_.KEPT_DIGITS,
        kept_first=secrets_.KEPT_FIRST,
        code=code[: secrets_.KEPT_DIGITS],
        problem=problem,
    )


def adult_in() -> Reply:
    """Sign an adult in by login and password, then return to the page or form that needed it."""
    if request.method != "POST":
        return kept.to_wanted() if g.who.adult_id else kept.sign_in_page()
    login, password = forms.text("login", forms.LONGEST), forms.text("password", forms.LONGEST)
    try:
        token = sign_in.adult(login, password, g.device, g.who.session_id)
    except SecondStep as step:
        return account_pages.ask_second(step.ticket)
    except Refused as refused:
        status = 401 if refused.code in ("wrong_login", "account_over") else None
        return refused_page(kept.sign_in_page(sentences.sentence(refused), login), refused, status)
    return kept.lead_on(token)


def language() -> Response:
    """Use this language from now on, in this browser and, for adults, wherever they sign in."""
    chosen = forms.choice("language", OTHERS)
    if g.who.adult_id:
        accounts.speak(g.who.adult_id, chosen)
    return keep_language(redirect(kept.page_before(), code=303), chosen)


def https() -> str:
    """Explain what it means that a connection is not private, and how to make it private."""
    return render("pages/auth/https.html")


def out() -> Response:
    """Sign out. The old cookie stops working."""
    sign_in.leave(g.who)
    return forget(see_other("auth.front"))


# ---- The first visit to an empty installation: look around in the demo school, or set up a school

FIELDS = ("code", "school_name", "name", "login")


def setup_school() -> Reply:
    """Set up the school with the code from the console. After that, the URL answers 404."""
    if accounts.is_set_up() or current_app.config["DEMO"]:
        abort(404)
    if request.method != "POST":
        return render("pages/auth/setup.html", typed={}, problems={})
    typed = {name: forms.text(name, forms.LONGEST) for name in FIELDS}
    password = forms.text("password", forms.LONGEST)
    try:
        adult_id = accounts.make_school(**typed, password=password, device=g.device)
    except Refused as refused:
        problems = {account_pages.field_of(refused.code): sentences.sentence(refused)}
        page = render("pages/auth/setup.html", typed=typed, problems=problems)
        return refused_page(page, refused)
    if demo := demo_beside():
        demo.open()  # closes the demo school if it is no longer offered
    token = sign_in.welcome(adult_id, g.device, g.who.session_id)
    return keep_token(see_other("auth.front"), token)


# ---- the demo school


def look_around() -> Reply:
    """Show the demo school's front page, or redirect to it. If there is none, a POST makes it."""
    if current_app.config["DEMO"]:
        own: Demo = current_app.extensions["look_around"]
        if own.ready:
            return render("pages/auth/demo.html", door=sign_in.demo_door())
        # The demo school has not been made yet: the school beside it has the page that makes it.
        return redirect(request.root_path.removesuffix("/demo") + "/look-around", code=303)
    demo = demo_beside()
    if demo is None:
        abort(404)
    if demo.ready:
        return redirect(url_for("auth.front") + "demo/", code=303)
    if request.method == "POST":
        demo.renew(first=True)
        security_log.note("demo_made")
        return see_other("auth.look_around")
    return render("pages/auth/making.html", failed=demo.failed)


def demo_in() -> Response:
    """Sign in to the demo school with one tap: as an adult, as a child, or as a class's device."""
    if not current_app.config["DEMO"]:
        abort(404)
    whose = (g.device, g.who.session_id)
    if child_id := forms.number("child", 1, forms.MAX_ID, default=0):
        token = sign_in.demo_child(child_id, *whose)
    elif class_id := forms.number("class", 1, forms.MAX_ID, default=0):
        token = sign_in.demo_device(class_id, *whose)
    else:
        token = sign_in.demo_adult(forms.number("adult", 1, forms.MAX_ID), *whose)
    return keep_token(see_other("auth.front"), token)
