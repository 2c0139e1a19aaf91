"""Forms that came too late: the session had ended, or it was too long since the password was typed.

The sign-in page carries the form in a sealed field, and nothing is stored on the server. After
sign-in the form is shown with a button that sends it again; it is never sent without that tap. Only
the adult for whom this form was made can see it.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Flask, current_app, g, redirect, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from classroom.services.access import accounts, sessions
from classroom.services.base import clock, secrets_
from classroom.web.http import forms, guards, security
from classroom.web.http.pages import demo_beside, render, see_other
from classroom.web.http.permissions import ADULT_FORMS, ASK_AGAIN, NOBODY, OWNED, PERMISSIONS, PROOF
from classroom.web.words.language import N_, gettext as _

# ---- The page that an adult wanted before signing in
#
# The browser sends this URL back, so it is only a hint: it must match one of our routes and be a
# page that the person may open. The URL is then built again from the route.

LONGEST_ADDRESS: Final = 500
NO_PAGES: Final = (".csv", ".json", ".zip", ".mp3", "/events", "/now")  # files, streams, parts


def wanted_address(wanted: str) -> str | None:
    """The URL of this page, if the person who is signed in may open it."""
    if len(wanted) > LONGEST_ADDRESS:
        return None
    try:
        parts = urlsplit(wanted)
        endpoint, values = current_app.url_map.bind("").match(parts.path, "GET")
    except (ValueError, HTTPException):
        return None
    if parts.scheme or parts.netloc or parts.path.endswith(NO_PAGES):
        return None
    if NOBODY in PERMISSIONS[endpoint].who or not guards.may_open("GET", endpoint, values):
        return None
    return _built(endpoint, values, parts.query)


def _built(endpoint: str, values: Mapping[str, Any], query: str) -> str:
    """The URL of a page with a query, which comes from the browser and is encoded again."""
    tidy = urlencode(parse_qsl(query))
    return url_for(endpoint, **values) + (f"?{tidy}" if tidy else "")


def page_before() -> str:
    """The URL of the page from which this request was sent, or of the front page."""
    parts = urlsplit(wanted_before())
    try:
        endpoint, values = current_app.url_map.bind("").match(parts.path, "GET")
    except HTTPException:
        return url_for("auth.front")
    return _built(endpoint, values, parts.query)


def wanted_before() -> str:
    """The page from which this request was sent, as a hint for `wanted_address`; "" if unknown."""
    sent = request.headers.get("HX-Current-URL") or request.headers.get("Referer") or ""
    try:
        parts = urlsplit(sent)
    except ValueError:
        return ""
    if parts.netloc != request.host or len(sent) > LONGEST_ADDRESS:
        return ""
    path = parts.path.removeprefix(request.root_path.rstrip("/"))
    return f"{path}?{parts.query}" if parts.query else path


LONGEST: Final = 40_000  # the maximum length of the sealed field
LASTS: Final = 12 * 3600.0
NEVER: Final = frozenset({"token", "by", "password", "old", "new", "code"})
AGAIN: Final = N_(
    "You are no longer signed in. Sign in again: what you typed is still here, and nothing was "
    "changed."
)


@dataclass(frozen=True, slots=True)
class KeptForm:
    """A form that came too late. `token`, `by`: its hidden fields (security.author)."""

    path: str
    fields: tuple[tuple[str, str], ...]
    token: str
    by: str
    at: float

    def is_own(self) -> bool:
        """Whether the form was made in this browser for the person who is signed in."""
        mine = g.who.adult_id
        return mine is not None and secrets_.same(self.by, security.author(self.token, mine))


def init_app(app: Flask) -> None:
    app.add_template_global(carried)


# ---- the way in


def sign_in_page(problem: str = "", login: str = "") -> str:
    """The page on which adults sign in."""
    # Until the school is set up, the front page links to the demo school instead.
    return render(
        "pages/auth/sign_in.html",
        problem=problem,
        login=login,
        demo_there=demo_beside() is not None and accounts.is_set_up(),
    )


def carried() -> Markup:
    """The hidden fields that each page on the way in passes to the next: the page that was wanted,
    and the form that came too late."""
    before = g.get("before") or request.values.get("wanted", "")[:LONGEST_ADDRESS]
    sealed = g.get("sealed") or request.form.get("kept", "")[:LONGEST]
    return security.hidden(*(pair for pair in (("wanted", before), ("kept", sealed)) if pair[1]))


def lead_on(token: str) -> Response:
    """After sign-in, show the adult the late form, or redirect to the wanted page."""
    guards.signed_in(token)
    late = opened(request.form.get("kept", ""))
    if late is None:
        return guards.keep_token(to_wanted(), token)
    page = go_on_page(late, request.form.get("wanted", "")) if late.is_own() else None
    page = page or render("pages/auth/not_yours.html", home=url_for("auth.front"))
    return guards.keep_token(Response(page, mimetype="text/html"), token)


def to_wanted() -> Response:
    """Redirect an adult to the wanted page, or else to the front page."""
    to = wanted_address(request.values.get("wanted", "")) or url_for("auth.front")
    return redirect(to, code=303)


# ---- a form that came too late


def page_of(status: int) -> str:
    """The page to show instead of an error page if this form is worth keeping, else ""."""
    if status not in (401, 403) or "who" not in g or forms.by_htmx():
        return ""
    form = ADULT_FORMS.get(request.endpoint or "")
    if request.method != "POST" or form is None or current_app.config["DEMO"]:
        return ""
    if not security.is_from_here() or not form.is_worth_keeping(request.form):
        return ""
    if any(file.filename for file in request.files.values()):
        return ""  # a page cannot carry a file
    late = _of_request()
    if g.who.kind != "nobody":
        return (go_on_page(late, wanted_before()) or "") if late.is_own() else ""
    g.before, g.sealed = wanted_before(), _sealed(late) if late.by else ""
    return sign_in_page(_(AGAIN)) if g.sealed else ""


def waiting() -> str:
    """This form, sealed, to be sent once the password is typed; "" if it cannot be kept."""
    form = ADULT_FORMS.get(request.endpoint or "")
    late = _of_request(but=NEVER - {"code"})  # a code is kept, because its adult is still signed in
    return _sealed(late) if form and form.does and late.is_own() else ""


def go_on_page(late: KeptForm, before: str) -> str | None:
    """The page that shows a form before it is sent again; None if this person may not send it."""
    try:
        endpoint, values = current_app.url_map.bind("").match(late.path, "POST")
    except HTTPException:
        return None
    form = ADULT_FORMS.get(endpoint)
    if form is None or not guards.may_open("POST", endpoint, values):
        return None
    sent = dict(late.fields)
    return render(
        "pages/auth/go_on.html",
        does=_(form.does),
        whose=whose(endpoint, values),
        typed=tuple((_(label), sent[name]) for name, label in form.typed.items() if sent.get(name)),
        action=url_for(endpoint, **values),
        fields=late.fields,
        back=wanted_address(before) or url_for("auth.front"),
    )


def opened(sealed: str) -> KeptForm | None:
    """The form in a sealed field; None if the field is too old, or was not made by this server for
    this browser."""
    body, _dot, seal = sealed.partition(".")
    if len(sealed) > LONGEST or not secrets_.same(seal, _seal(body)):
        return None
    try:
        found = json.loads(zlib.decompress(base64.urlsafe_b64decode(body)))
    except (binascii.Error, zlib.error, ValueError):
        return None
    late = KeptForm(**{**found, "fields": tuple(map(tuple, found["fields"]))})
    return late if clock.now() < late.at + LASTS else None


def whose(endpoint: str, values: Mapping[str, Any]) -> str:
    """The name of the class or child in a form's URL."""
    owned = PERMISSIONS[endpoint].owns
    return sessions.name_of(OWNED[owned], values[OWNED[owned]]) if owned else ""


# ---- making and sealing


def _of_request(but: frozenset[str] = NEVER) -> KeptForm:
    sent = request.form.items(multi=True)
    fields = tuple((name, value) for name, value in sent if name not in but)
    token, by = request.form.get("token", ""), request.form.get("by", "")
    return KeptForm(request.path, fields, token, by, clock.now())


def _sealed(late: KeptForm) -> str:
    """The form as text that only this server can make; "" if it would be too long."""
    plain = json.dumps(asdict(late)).encode()
    body = base64.urlsafe_b64encode(zlib.compress(plain)).decode()
    sealed = f"{body}.{_seal(body)}"
    return sealed if len(sealed) <= LONGEST else ""


def _seal(body: str) -> str:
    return secrets_.sign("kept", g.device, body).hex()


# ---- Ask for the password again on the routes in ASK_AGAIN, if it was typed over ten minutes ago
#
# The page that asks keeps the form in a sealed field. Once the password is right, the form is shown
# with a button that sends it. Adults in the demo have no passwords.


def check_proof() -> Response | None:
    """If the password was typed too long ago, ask for it before answering. Afterwards the adult
    gets the wanted page. If a file was wanted, or a form cannot be kept, the adult goes back to the
    page from which the request was sent."""
    if request.endpoint not in ASK_AGAIN or clock.now() <= g.who.since + PROOF:
        return None
    if g.who.adult_id is None or current_app.config["DEMO"]:
        return None
    if request.method == "POST":
        g.before, g.sealed = wanted_before(), waiting()
        if g.sealed:
            return Response(proof_page(), status=401, mimetype="text/html")
    came_from = urlsplit(request.headers.get("Referer", "")).path
    go_back = request.method == "POST" or request.path.endswith((".csv", ".json"))
    to = came_from if go_back else request.path
    return see_other("auth.again", wanted=to or None)


def proof_page(problem: str = "") -> str:
    """The page that asks for the password again."""
    return render("pages/auth/again.html", problem=problem)
