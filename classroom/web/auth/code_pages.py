"""Adults with a code on paper: an invitation to a class, or a new password."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from flask import g, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from classroom.services.access import accounts, invitations, sign_in
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.web.auth.front_door import field_of
from classroom.web.http import forms
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import Reply, render
from classroom.web.reports import charts
from classroom.web.words import sentences

# ---- A colleague uses an invitation: to make an account or, when signed in, to take on a class

LONGEST_CODE = 2_000  # the most characters of a field; shorter limits get a message beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """An invitation to print, shown once. `place`: the name of the class or the school. `ends`:
    when the code stops working. `last`: when a substitute's account ends, else None. `address`:
    where the code is typed."""

    code: str
    role: str
    place: str
    ends: float
    last: float | None
    address: str
    qr: Markup


def colleague() -> Reply:
    """Use an invitation's code. After an error the form keeps everything but the password."""
    if request.method != "POST":
        return _page({}, {})
    values = {name: forms.text(name, LONGEST_CODE) for name in ("code", "name", "login")}
    try:
        if g.who.adult_id:
            class_id = invitations.take(g.who.adult_id, values["code"], g.device)
            return redirect(url_for("teach.school_class", class_id=class_id), code=303)
        return _made(values)
    except Refused as refused:
        errors = {field_of(refused.code): sentences.sentence(refused)}
        status = sentences.status(refused)
        known = status == 429 or refused.code == "invitation_unknown"
        return _page(values, errors), status if known else 400, sentences.retry_after(refused)


def _made(values: Mapping[str, str]) -> Response:
    password = forms.text("password", LONGEST_CODE)
    adult_id = invitations.register(**values, password=password, device=g.device)
    token = sign_in.welcome(adult_id, g.device, g.who.session_id)
    return keep_token(redirect(url_for("auth.front"), code=303), token)


def _page(values: Mapping[str, str], errors: Mapping[str, str]) -> str:
    return render(
        "pages/auth/colleague.html", values=forms.blank(values), errors=forms.blank(errors)
    )


# ---- for those who invite


def slip(role: str, place: str, class_id: int | None = None) -> Slip:
    """Make an invitation from the fields of the form. Raises Refused("until") for a last day that
    is not a date, and what `invitations.make` raises."""
    last = _last_moment() if role == invitations.SUBSTITUTE else None
    ends = clock.now() + invitations.DAYS * clock.SECONDS_A_DAY
    address = url_for("auth.colleague", _external=True)
    return Slip(
        code=invitations.make(g.who.school_id, g.who.adult_id, role, class_id, last),
        role=role,
        place=place,
        ends=min(ends, last or ends),
        last=last,
        address=address.split("//", 1)[1],
        qr=charts.qr(address),
    )


def _last_moment() -> float:
    """When the chosen last day ends. Raises Refused("until") if it is not a date."""
    try:
        return clock.end_of(date.fromisoformat(forms.text("last")))
    except (ValueError, OverflowError) as error:
        raise Refused("until") from error


# ---- Setting a new password with a code on paper, and the page after an account has ended

CODE_REFUSED: Final = ("reset_unknown", "reset_used", "reset_ended", "code_wait")


def reset() -> Reply:
    """Set a new password with a code, and sign in; after an error the code stays in its field."""
    if request.method != "POST":
        return render("pages/auth/reset.html", code="", errors=forms.blank({}))
    code, new = forms.text("code", 200), forms.text("new", 1000)
    try:
        token = accounts.reset_password(code, new, g.device, g.who.session_id)
    except Refused as refused:
        field = "code" if refused.code in CODE_REFUSED else "new"
        errors = forms.blank({field: sentences.sentence(refused)})
        page = render("pages/auth/reset.html", code=code, errors=errors)
        return page, sentences.status(refused), sentences.retry_after(refused)
    return keep_token(redirect(url_for("auth.front"), code=303), token)


def ended() -> str:
    """The page that says that the account has ended."""
    return render(
        "pages/auth/ended.html",
    )
