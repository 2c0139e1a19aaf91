"""Ask for the password again at the routes in ASK_AGAIN, if it was typed over ten minutes ago.

What was chosen or typed in a form waits in a sealed field of the page that asks (kept.py). Once the
password is right, it is shown with a button that sends it. Adults of the demo have no passwords.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.base import clock
from classroom.web.http import kept, wanted
from classroom.web.http.pages import Page, render
from classroom.web.http.permissions import ASK_AGAIN, PROOF


@dataclass(frozen=True, kw_only=True)
class AgainPage(Page):
    template = "pages/auth/again.html"
    problem: str


def check() -> Response | None:
    """If the password was typed too long ago, ask for it before answering. The page that asks leads
    on to what was wanted or, for a file or after a form that cannot wait, back to the page that
    offered it."""
    if request.endpoint not in ASK_AGAIN or clock.now() <= g.who.since + PROOF:
        return None
    if g.who.adult_id is None or current_app.config["DEMO"]:
        return None
    if request.method == "POST":
        g.before, g.sealed = wanted.before(), kept.waiting()
        if g.sealed:
            return Response(page(), status=401, mimetype="text/html")
    came_from = urlsplit(request.headers.get("Referer", "")).path
    go_back = request.method == "POST" or request.path.endswith((".csv", ".json"))
    to = came_from if go_back else request.path
    return redirect(url_for("auth.again", wanted=to or None), code=303)


def page(problem: str = "") -> str:
    """The page that asks for the password again."""
    return render(AgainPage(problem=problem))
