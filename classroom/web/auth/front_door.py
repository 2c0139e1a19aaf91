"""The front door, and the adults' way in and out.

Children's doors are in doors.py, set-up and the demo school in first_visit.py."""

from __future__ import annotations

from flask import current_app, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import first_setup, sign_in
from classroom.services.base import secrets_
from classroom.services.base.errors import Refused
from classroom.services.operation import health
from classroom.services.operation.look_around import Demo
from classroom.web.http import forms
from classroom.web.http.guards import keep_token
from classroom.web.words import sentences

Answer = Response | str | tuple[str, int] | tuple[str, int, dict[str, str]]
HOMES = {
    "device": "auth.animals",
    "child": "play.home",
    "teacher": "teach.home",
    "parent": "family.home",
    "admin": "auth.account",
}


def health_of_the_data() -> Response:
    """For whoever watches the server: all is well, or in one line what is not."""
    problem = health.problem()
    return Response(f"{problem or 'ok'}\n", 503 if problem else 200, mimetype="text/plain")


def front() -> Response | str:
    """Everybody's way on: the own home, the class code, or the two doors of the first visit."""
    home = HOMES.get(g.who.kind)
    if home:
        return redirect(url_for(home), code=303)
    if current_app.config["DEMO"]:
        return redirect(url_for("auth.look_around"), code=303)
    if not first_setup.is_set_up():
        return render_template("pages/auth/first.html", demo_there=demo_beside() is not None)
    return door()


def demo_beside() -> Demo | None:
    """The demo school beside this school, if it is offered now."""
    demo: Demo | None = None
    if not current_app.config["DEMO"]:
        demo = current_app.extensions.get("look_around")
    return demo if demo and demo.open() else None


def door(problem: str | None = None, code: str = "") -> str:
    """The page where a class code is typed. Its first digit tells the page how long it is."""
    return render_template(
        "pages/child/door.html",
        digits="1234567890",
        fresh=secrets_.FRESH_DIGITS,
        kept=secrets_.KEPT_DIGITS,
        kept_first=secrets_.KEPT_FIRST,
        code=code[: secrets_.KEPT_DIGITS],
        problem=problem,
    )


def adult_in() -> Answer:
    """Sign in by login and password."""
    if request.method != "POST":
        home = HOMES.get(g.who.kind) if g.who.adult_id else None
        return redirect(url_for(home), code=303) if home else _sign_in_page()
    login, password = forms.text("login", 200), forms.text("password", 1000)
    try:
        token = sign_in.adult(login, password, g.device, g.who.session_id)
    except Refused as refused:
        words = sentences.sentence(refused)
        code = 401 if refused.code == "wrong_login" else sentences.status(refused)
        return _sign_in_page(words, login), code, sentences.retry_after(refused)
    return keep_token(redirect(url_for("auth.front"), code=303), token)


def _sign_in_page(problem: str = "", login: str = "") -> str:
    return render_template(
        "pages/auth/sign_in.html", problem=problem, login=login, demo_there=_shows_demo()
    )


def _shows_demo() -> bool:
    """Before the school is set up its front page shows the way into the demo school."""
    return demo_beside() is not None and first_setup.is_set_up()


def https() -> str:
    """What it means that a connection is not private, and how to make it so."""
    return render_template("pages/auth/https.html")


def out() -> Response:
    """Sign out; the old cookie is worth nothing from here on."""
    sign_in.leave(g.who)
    answer = keep_token(redirect(url_for("auth.front"), code=303), None)
    answer.headers["Clear-Site-Data"] = '"cache", "storage"'
    return answer


def account() -> Answer:
    """Change the own password; every other browser is signed out by it."""
    if request.method != "POST":
        return render_template("pages/auth/account.html", problem="", done="done" in request.args)
    old, new = forms.text("old", 1000), forms.text("new", 1000)
    try:
        token = sign_in.change_password(g.who, old, new)
    except Refused as refused:
        words = sentences.sentence(refused)
        page = render_template("pages/auth/account.html", problem=words, done=False)
        return page, sentences.status(refused), sentences.retry_after(refused)
    return keep_token(redirect(url_for("auth.account", done=1), code=303), token)
