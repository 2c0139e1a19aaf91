"""The first visit to an empty installation: look around in the demo school, or set up one's own."""

from __future__ import annotations

from pathlib import Path

from flask import abort, current_app, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from classroom.services import look_around as showing
from classroom.services import schools, setup, sign_in
from classroom.services.errors import Refused
from classroom.web import forms, sentences
from classroom.web.auth import Answer, bp
from classroom.web.guards import keep_token

FIELDS = ("code", "school_name", "name", "login")


@bp.route("/setup", methods=["GET", "POST"])
def setup_school() -> Answer:
    """Set up my school: guarded by the code on the console, and gone once it is done."""
    if setup.is_set_up() or current_app.config["DEMO"]:
        abort(404)
    if request.method == "GET":
        return _setup_page({})
    typed = {name: forms.text(name, 200) for name in FIELDS}
    password = forms.text("password", 1000)
    try:
        adult_id = setup.make_school(**typed, password=password, device=g.device)
    except Refused as refused:
        status = sentences.status(refused)
        return _setup_page(typed, refused), status, sentences.retry_after(refused)
    token = sign_in.welcome(adult_id, g.device, g.who.session_id)
    return keep_token(redirect(url_for("auth.front"), code=303), token)


def _setup_page(typed: dict[str, str], refused: Refused | None = None) -> str:
    problems = {_field_of(refused.code): sentences.sentence(refused)} if refused else {}
    return render_template("pages/auth/setup.html", typed=typed, problems=problems)


def _field_of(code: str) -> str:
    """Beside which field the sentence stands."""
    fields = {"wrong_code": "code", "code_wait": "code", "adult_name": "name"}
    fields |= {"login_taken": "login", "already_set_up": "code", "slow_down": "password"}
    return fields.get(code, "password" if code.startswith("password") else code)


# ---- the demo school


@bp.route("/look-around", methods=["GET", "POST"])
def look_around() -> Answer:
    """In the demo school: its front page. Before it: make it, and see how far it is."""
    if current_app.config["DEMO"]:
        return _demo_front()
    making: showing.Making | None = current_app.extensions.get("making")
    if making is None or (setup.is_set_up() and not making.ready):
        abort(404)
    if making.ready:
        return redirect(url_for("auth.front") + "demo/", code=303)
    if request.method == "POST":
        showing.begin(making, current_app.extensions["make_demo"])
        return redirect(url_for("auth.look_around"), code=303)
    answer = Response(
        render_template("pages/auth/making.html", making=making), mimetype="text/html"
    )
    if making.running:
        answer.headers["Refresh"] = "1"
    return answer


def _demo_front() -> Answer:
    if showing.mark(Path(current_app.instance_path)).exists():
        return render_template("pages/auth/demo.html", door=schools.demo_door())
    # it is being made, or nobody asked for it yet: the school's own front page tells
    return redirect(request.root_path.removesuffix("/demo") + "/look-around", code=303)


@bp.post("/demo-in")
def demo_in() -> Response:
    """One tap into the demo school, as one of its adults or children."""
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
