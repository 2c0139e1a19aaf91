"""A form that replaces values knows the version that it was made from. If those values have been
changed since, nothing is saved, and a page shows both: what is stored now, and what was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, current_app, g, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from classroom.database import check_first, db
from classroom.services.base import secrets_, versions
from classroom.services.base.versions import Changed
from classroom.web.http import kept, security, wanted
from classroom.web.http.adult_forms import ADULT_FORMS
from classroom.web.http.pages import Page, render
from classroom.web.words.language import gettext as _

Fields = Mapping[str, tuple[str, ...]]  # the fields of a form by name, as a browser sends them
Address = Mapping[str, Any]

FIELD: Final = "made_from"


@dataclass(frozen=True, slots=True)
class Replaced:
    """How to read a form that replaces values. `now`: its fields as stored; a field named "" is
    part of the version and is not shown. `told`: fields in words, each with a label. Both are given
    the address and the fields in `also`, which say what the form is about."""

    now: Callable[..., Fields]
    told: Callable[[Fields, Address], Iterable[tuple[str, str]]]
    also: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BothPage(Page):
    """`does`, `whose`: what the form does, and for whom. `rows`: a label, what is stored and what
    was typed, where these differ. `fields`: what was typed; `version`: the version of the values
    stored now; `back`: the address of the page that had the form."""

    template = "pages/auth/both.html"
    does: str
    whose: str
    rows: tuple[tuple[str, str, str], ...]
    action: str
    fields: tuple[tuple[str, str], ...]
    version: str
    back: str


def init_app(app: Flask, replaced: Mapping[str, Replaced]) -> None:
    """Let `check` find the forms that replace values. `replaced`: these forms by endpoint."""
    app.extensions["replaced"] = replaced
    app.add_template_global(made_from)
    app.register_error_handler(Changed, lambda _error: _both())
    app.teardown_request(lambda _error: check_first(None))


def made_from(endpoint: str, **address: Any) -> Markup:
    """The hidden field with the version of what this form shows. In the answer to the same form it
    stays the version that was sent: the adult has not seen any newer values."""
    found = _sent_version(endpoint, address) or _version(endpoint, address)
    return security.hidden((FIELD, found))


def check() -> None:
    """Let the view's write fail if the form was made from values that have changed since."""
    form, version = _replaced().get(request.endpoint or ""), request.form.get(FIELD)
    if request.method == "POST" and form is not None and version:
        versions.demand(
            lambda: _is_current(version),
            school_id=g.who.school_id or 0,
            **(request.view_args or {}),
        )


def _replaced() -> Mapping[str, Replaced]:
    found: Mapping[str, Replaced] = current_app.extensions["replaced"]
    return found


def _version(endpoint: str, address: Address) -> str:
    return versions.of(endpoint, sorted(_replaced()[endpoint].now(**address).items()))


def _sent_version(endpoint: str, address: Address) -> str:
    """The version in the request if this is the form that was sent, else ""."""
    named = {name: str(value) for name, value in (request.view_args or {}).items()}
    given = {**request.form.to_dict(), **named} if request.method == "POST" else {}
    same = all(given.get(name) == str(value) for name, value in address.items())
    return request.form.get(FIELD, "")[:64] if same and endpoint == request.endpoint else ""


def _is_current(version: str) -> bool:
    """Whether the values are still those of this version, or already those that were typed."""
    endpoint, address = _asked()
    return secrets_.same(_version(endpoint, address), version) or not _rows(endpoint, address)


def _asked() -> tuple[str, Address]:
    """The form that was sent, and what it is about."""
    endpoint = request.endpoint or ""
    also = {name: request.form.get(name, "") for name in _replaced()[endpoint].also}
    return endpoint, {**(request.view_args or {}), **also}


def _rows(endpoint: str, address: Address) -> tuple[tuple[str, str, str], ...]:
    form = _replaced()[endpoint]
    typed = {name: tuple(values) for name, values in request.form.lists()}
    stored, mine = (dict(form.told(one, address)) for one in (form.now(**address), typed))
    found = ((label, stored.get(label, "–"), words) for label, words in mine.items())
    return tuple(row for row in found if row[1] != row[2])


def _both() -> Response:
    """The page that shows both, with 409."""
    db.session.rollback()
    endpoint, address = _asked()
    page = BothPage(
        does=_(ADULT_FORMS[endpoint].does),
        whose=kept.whose(endpoint, address),
        rows=_rows(endpoint, address),
        action=url_for(endpoint, **(request.view_args or {})),
        fields=tuple(pair for pair in kept.fields_of_request() if pair[0] != FIELD),
        version=_version(endpoint, address),
        back=wanted.address(wanted.before()) or url_for("auth.front"),
    )
    return Response(render(page), status=409, mimetype="text/html")
