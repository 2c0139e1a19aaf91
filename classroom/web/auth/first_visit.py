"""The first visit to an empty installation: look around in the demo school, or set up a school."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Flask, abort, current_app, g, redirect, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from classroom.services.access import entrance, first_setup, sign_in
from classroom.services.access.entrance import DemoDoor
from classroom.services.base import security_log
from classroom.services.base.errors import Refused
from classroom.services.operation.look_around import Demo
from classroom.web.http import forms
from classroom.web.http.demo_link import demo_beside
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import Page, Reply, render
from classroom.web.words import sentences

FIELDS = ("code", "school_name", "name", "login")


@dataclass(frozen=True, kw_only=True)
class SetupPage(Page):
    """The form that makes the school. `problems`: what is wrong, by field."""

    template = "pages/auth/setup.html"
    typed: Mapping[str, str]
    problems: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class MakingPage(Page):
    """The page that makes the demo school. `running`: it is being made now. `failed`: the last try
    failed. `share`: the progress, from 0 to 1."""

    template = "pages/auth/making.html"
    running: bool
    failed: bool
    share: float


@dataclass(frozen=True, kw_only=True)
class DemoDoorPage(Page):
    template = "pages/auth/demo.html"
    door: DemoDoor


def init_app(app: Flask) -> None:
    """Hide /look-around if there is no demo. Call this before other request checks are added."""
    app.before_request(_hide)


def setup_school() -> Reply:
    """Set up the school with the code from the console. After that, the address answers 404."""
    if first_setup.is_set_up() or current_app.config["DEMO"]:
        abort(404)
    if request.method != "POST":
        return _setup_page({})
    typed = {name: forms.text(name, forms.LONGEST) for name in FIELDS}
    password = forms.text("password", forms.LONGEST)
    try:
        adult_id = first_setup.make_school(**typed, password=password, device=g.device)
    except Refused as refused:
        status = sentences.status(refused)
        return _setup_page(typed, refused), status, sentences.retry_after(refused)
    if demo := demo_beside():
        demo.open()  # closes the demo school if it is no longer offered
    token = sign_in.welcome(adult_id, g.device, g.who.session_id)
    return keep_token(redirect(url_for("auth.front"), code=303), token)


def _setup_page(typed: dict[str, str], refused: Refused | None = None) -> str:
    problems = {field_of(refused.code): sentences.sentence(refused)} if refused else {}
    return render(SetupPage(typed=typed, problems=problems))


def field_of(code: str) -> str:
    """The field beside which the sentence for this refusal is shown."""
    fields = {"wrong_code": "code", "code_wait": "code", "adult_name": "name"}
    fields |= {"login_taken": "login", "already_set_up": "code", "slow_down": "password"}
    fields |= dict.fromkeys(("invitation_unknown", "invitation_other", "already_taught"), "code")
    return fields.get(code, "password" if code.startswith("password") else code)


# ---- the demo school


def _hide() -> None:
    """Answer 404 at /look-around unless there is a demo school."""
    if request.path == "/look-around" and not current_app.config["DEMO"] and not demo_beside():
        request.url_rule, request.view_args = None, None
        request.routing_exception = NotFound()


def look_around() -> Reply:
    """Show the front page of the demo school, or redirect to it. Until that school exists, show the
    page that makes it; a POST begins to make it."""
    if current_app.config["DEMO"]:
        return _demo_front()
    demo = demo_beside()
    if demo is None:
        abort(404)
    if demo.ready:
        return redirect(url_for("auth.front") + "demo/", code=303)
    if request.method == "POST":
        demo.begin()
        security_log.note("demo_made")
        return redirect(url_for("auth.look_around"), code=303)
    page = MakingPage(running=demo.running, failed=demo.failed, share=demo.share)
    answer = Response(render(page), mimetype="text/html")
    if page.running:
        answer.headers["Refresh"] = "1"
    return answer


def _demo_front() -> Reply:
    demo: Demo = current_app.extensions["look_around"]
    if demo.ready:
        return render(DemoDoorPage(door=entrance.demo_door()))
    # The demo school is not made yet. The page of the school beside it shows the progress.
    return redirect(request.root_path.removesuffix("/demo") + "/look-around", code=303)


def demo_in() -> Response:
    """Sign in to the demo school with one tap: as an adult, as a child, or as a class's device."""
    if not current_app.config["DEMO"]:
        abort(404)
    whose = (g.device, g.who.session_id)
    if child_id := forms.number("child", 1, 2**31 - 1, default=0):
        token = sign_in.demo_child(child_id, *whose)
    elif class_id := forms.number("class", 1, 2**31 - 1, default=0):
        token = sign_in.demo_device(class_id, *whose)
    else:
        token = sign_in.demo_adult(forms.number("adult", 1, 2**31 - 1), *whose)
    return keep_token(redirect(url_for("auth.front"), code=303), token)
