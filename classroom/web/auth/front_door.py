"""The front page, and how adults sign in and out.

Children's sign-in is in doors.py, set-up and the demo school in first_visit.py."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom import measures
from classroom.services.access import first_setup, sign_in
from classroom.services.access.second_step import SecondStep
from classroom.services.base import secrets_, skipped
from classroom.services.base.errors import Refused
from classroom.services.operation import health
from classroom.services.school import people
from classroom.web.auth import second
from classroom.web.http import forms, kept
from classroom.web.http.demo_link import demo_beside
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import Page, Reply, render
from classroom.web.words import sentences

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


@dataclass(frozen=True, kw_only=True)
class WelcomePage(Page):
    """The front page of an empty installation. `demo_there`: whether a demo school is offered."""

    template = "pages/auth/first.html"
    demo_there: bool


@dataclass(frozen=True, kw_only=True)
class CodePadPage(Page):
    """The digits for a class code. A code that begins with `kept_first` has `kept` digits, any
    other `fresh`."""

    template = "pages/child/door.html"
    digits: str
    fresh: int
    kept: int
    kept_first: str
    code: str
    problem: str | None


@dataclass(frozen=True, kw_only=True)
class HttpsPage(Page):
    template = "pages/auth/https.html"


def health_of_the_data() -> Response:
    """Answer `ok`, with the number of things that were skipped if there are any; or 503 and one
    line that says what is wrong. For monitoring."""
    problem = health.problem(current_app.extensions.get("pulse"))
    skips = skipped.count()
    well = f"ok, but skipped: {skips} (see the log)" if skips else "ok"
    return Response(f"{problem or well}\n", 503 if problem else 200, mimetype="text/plain")


def metrics() -> Response:
    """The server's measurements, in the format that Prometheus reads."""
    text, kind = measures.text()
    return Response(text, content_type=kind)


def front() -> Response | str:
    """Send a signed-in person home. Show others the page for the class code or, before
    set-up, a welcome."""
    if home := _home():
        return redirect(url_for(home), code=303)
    if current_app.config["DEMO"]:
        return redirect(url_for("auth.look_around"), code=303)
    if not first_setup.is_set_up():
        return render(WelcomePage(demo_there=demo_beside() is not None))
    return door()


def _home() -> str | None:
    """The page where a signed-in person begins; None for others. Administrators begin at their
    classes, or at the school if they teach none."""
    if g.who.kind == "admin" and people.only_administers(g.who.adult_id):
        return "school.home"
    return HOMES.get(g.who.kind)


def door(problem: str | None = None, code: str = "") -> str:
    """The page for typing a class code. The first digit tells the page how many must follow."""
    return render(
        CodePadPage(
            digits="1234567890",
            fresh=secrets_.FRESH_DIGITS,
            kept=secrets_.KEPT_DIGITS,
            kept_first=secrets_.KEPT_FIRST,
            code=code[: secrets_.KEPT_DIGITS],
            problem=problem,
        )
    )


def adult_in() -> Reply:
    """Sign an adult in by login and password. Then lead on to the page that was wanted, or show
    the form that was sent after the session had ended."""
    if request.method != "POST":
        return kept.to_wanted() if g.who.adult_id else kept.sign_in_page()
    login, password = forms.text("login", forms.LONGEST), forms.text("password", forms.LONGEST)
    try:
        token = sign_in.adult(login, password, g.device, g.who.session_id)
    except SecondStep as step:
        return second.ask(step.ticket)
    except Refused as refused:
        words = sentences.sentence(refused)
        code = 401 if refused.code in ("wrong_login", "account_over") else sentences.status(refused)
        return kept.sign_in_page(words, login), code, sentences.retry_after(refused)
    return kept.lead_on(token)


def https() -> str:
    """Explain what it means that a connection is not private, and how to make it private."""
    return render(HttpsPage())


def out() -> Response:
    """Sign out; the old cookie stops working."""
    sign_in.leave(g.who)
    answer = keep_token(redirect(url_for("auth.front"), code=303), None)
    answer.headers["Clear-Site-Data"] = '"cache", "storage"'
    return answer
