"""Find out who sent a request, and check it against the permission table before any view runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from hmac import compare_digest
from typing import Any

from flask import Flask, abort, current_app, g, redirect, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from classroom.models import PlaySettings
from classroom.services.access import second_factors, sessions
from classroom.services.access.sessions import NOBODY, AtTable, Who
from classroom.services.base import secrets_, security_log
from classroom.services.base.errors import NotNow
from classroom.services.school import class_life, voice_packs
from classroom.services.table import choices, matches, rounds
from classroom.web.http import forms, permissions
from classroom.web.http.pages import see_other
from classroom.web.http.permissions import (
    NOT_WHILE_ARCHIVED,
    OWNED,
    PERMISSIONS,
    WHILE_ARCHIVED,
    Permission,
)
from classroom.web.words import language

MONITOR = Who(kind=permissions.MONITOR)
_DEVICE = re.compile(r"[0-9a-f]{32}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,64}")
NOT_FOR_BROWSERS = (None, "static", "auth.health", "auth.metrics")
FOR_ANYBODY = ("static", "auth.health")  # answered without a query to the database
DEVICE_SECONDS = 400 * 86_400


# ---- cookies


def cookie_name(what: str = "") -> str:
    """A cookie's name: `school` or `demo`, then `what`. Over https a prefix ties it to the host."""
    name = ("demo" if current_app.config["DEMO"] else "school") + what
    return "__Host-" + name if request.is_secure else name


def _keep(response: Response, what: str, value: str | None, seconds: int | None = None) -> Response:
    """Set a cookie, or delete it for None. Without `seconds` it lasts until the browser closes."""
    how: Any = {"path": "/", "secure": request.is_secure, "httponly": True, "samesite": "Lax"}
    if value is None:
        response.delete_cookie(cookie_name(what), **how)
    else:
        response.set_cookie(cookie_name(what), value, max_age=seconds, **how)
    return response


def keep_token(response: Response, token: str | None) -> Response:
    """Set the cookie with the session's token, or delete the cookie for None."""
    return _keep(response, "", token)


def forget(response: Response, token: str | None = None) -> Response:
    """Set or delete the cookie with the token, and make the browser clear its cache and storage."""
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return keep_token(response, token)


def keep_language(response: Response, chosen: str) -> Response:
    """Keep this language in a cookie. The language of a signed-in person takes precedence."""
    return _keep(response, "-language", chosen, DEVICE_SECONDS)


def _know_who() -> None:
    device = request.cookies.get(cookie_name("-device"), "")
    g.new_device = not _DEVICE.fullmatch(device)
    g.device = secrets_.device_name() if g.new_device else device
    found = request.cookies.get(cookie_name(), "")
    g.token = found if _TOKEN.fullmatch(found) else ""
    who = _find()
    token, sent = current_app.config["METRICS_TOKEN"], request.headers.get("Authorization", "")
    if token and compare_digest(sent.encode(), f"Bearer {token}".encode()):
        who = MONITOR
    g.who = who if who is not NOBODY else replace(NOBODY, device=g.device)
    if who.language:
        language.choose(who.language)
    elif who.child_id is None and who.match_id is None:  # children use the school's language
        chosen = request.cookies.get(cookie_name("-language"), "")
        if chosen in language.OTHERS:
            language.choose(chosen)
    whose = {"adult_id": who.adult_id, "child_id": who.child_id, "class_id": who.class_id}
    security_log.asked_by(request.remote_addr or "", g.device, **whose)


def _find() -> Who:
    """Find the person with this token and, for a page of a table, also the seat at the table."""
    permission = PERMISSIONS.get(request.endpoint or "")
    if permission is not None and permission.owns == "own_round":
        round_id = int((request.view_args or {})[OWNED["own_round"]])
        here = sessions.at_table(round_id, [g.token]).get(g.token, sessions.NOT_THERE)
        g.at_table = round_id, here
        return here.who
    return NOBODY if request.endpoint in FOR_ANYBODY else sessions.find(g.token)


def _name_device(response: Response) -> Response:
    if g.get("new_device") and request.endpoint not in NOT_FOR_BROWSERS:
        _keep(response, "-device", g.device, DEVICE_SECONDS)
    return response


def _touch(response: Response) -> Response:
    if request.method == "POST" and response.status_code < 400:
        sessions.touch(g.get("who", NOBODY))
    return response


def init_app(app: Flask) -> None:
    app.before_request(_know_who)
    app.after_request(_touch)
    app.after_request(_name_device)
    app.teardown_request(lambda _error: security_log.asked_by("", ""))
    app.add_template_global(chosen_here)
    app.add_template_global(voices_here)


# ---- the guard


def check() -> Response | None:
    """Let a request through if the permission table allows it; else answer 404 or 401, or redirect
    to sign in. Raises NotNow("class_archived") if the route is refused for an archived class."""
    endpoint = request.endpoint or ""
    permission = PERMISSIONS.get(endpoint)
    method = "GET" if request.method == "HEAD" else request.method
    if permission is None or method not in permission.methods:
        abort(404)
    if g.who.kind not in permission.who:
        return _refuse(permission)
    if permission.owns:
        value = int((request.view_args or {})[OWNED[permission.owns]])
        try:
            g.owned = OWNERS[permission.owns](value)
        except NotFound:
            security_log.note("thing", "not_found", **{OWNED[permission.owns]: value})
            raise
        if _is_closed_to_archived(endpoint, method) and _is_archived_here():
            raise NotNow("class_archived")
    return _second_factor_first()


def _second_factor_first() -> Response | None:
    """Send an administrator without a second factor to the page that adds one. Over https a second
    factor is required; only the pages of the administrator's own account work without it."""
    if g.who.kind != "admin" or not request.is_secure or request.blueprint == "auth":
        return None
    if current_app.config["DEMO"] or second_factors.kinds_of(g.who.adult_id):
        return None
    return see_other("auth.second_factors", needed=1)


def may_open(method: str, endpoint: str, address: Mapping[str, Any]) -> bool:
    """Whether the person asking may use this route with the thing that the URL names."""
    permission = PERMISSIONS.get(endpoint)
    if permission is None or method not in permission.methods or g.who.kind not in permission.who:
        return False
    try:
        if permission.owns:
            OWNERS[permission.owns](int(address[OWNED[permission.owns]]))
    except NotFound:
        return False
    return True


def signed_in(token: str) -> None:
    """Treat the rest of this request as sent by the person whose session has just begun."""
    g.token, g.who = token, sessions.find(token)
    g.pop("form_token", None)


def may(endpoint: str, method: str = "GET") -> bool:
    """Whether the person asking may use this route, so that pages offer only what works. On the
    pages of an archived class, most routes that change something are refused."""
    permission = PERMISSIONS[endpoint]
    if g.who.kind not in permission.who or method not in permission.methods:
        return False
    return not (_is_closed_to_archived(endpoint, method) and _is_archived_here())


def _is_closed_to_archived(endpoint: str, method: str) -> bool:
    """Whether this route is refused for an archived class, its children and its groups."""
    owned = PERMISSIONS[endpoint].owns in ("taught_class", "taught_child", "taught_group")
    changes = method == "POST" or endpoint in NOT_WHILE_ARCHIVED
    return owned and changes and endpoint not in WHILE_ARCHIVED


_ARCHIVED = {
    "taught_class": class_life.is_archived,
    "taught_child": class_life.is_childs_archived,
    "taught_group": class_life.is_groups_archived,
    "taught_round": class_life.is_rounds_archived,
}


def _is_archived_here() -> bool:
    """Whether the thing in the URL of this request belongs to an archived class."""
    if "archived" not in g:
        owns = PERMISSIONS[str(request.endpoint)].owns or ""
        asked = _ARCHIVED.get(owns)
        g.archived = asked is not None and asked(int((request.view_args or {})[OWNED[owns]]))
    return bool(g.archived)


def _refuse(permission: Permission) -> Response:
    """Redirect to `way_in` if nobody is signed in, or if a class device or shared tablet wants a
    page for children; but answer 401 to a form or htmx. Anyone else gets 404, as for an unknown
    URL, and so does anyone who wants the monitor's page."""
    signed_in = g.who.kind not in ("nobody", "device", "tablet")
    if (
        signed_in
        or permission.who == {permissions.MONITOR}
        or (g.who.kind != "nobody" and permission.who.isdisjoint({"child", "tablet"}))
    ):
        abort(404)
    if request.method not in ("GET", "HEAD") or forms.by_htmx():
        abort(401)
    wanted = "" if str(request.endpoint).endswith(".home") else request.full_path.rstrip("?")
    return redirect(way_in(permission, wanted), code=303)


def way_in(permission: Permission | None, wanted: str = "") -> str:
    """The URL for signing in. `wanted`: the page to open afterwards, for adults with passwords;
    adults in the demo have none."""
    for_children = permission and permission.who & {"child", "device", "tablet"}
    if for_children or current_app.config["DEMO"]:
        return url_for("auth.front")
    return url_for("auth.adult_in", wanted=wanted or None)


# ---- ownership: a thing that belongs to somebody else gets 404, as if it did not exist


def own_round(round_id: int) -> int:
    """The child's seat in this round. A lesson's round is not found at home, and a round played at
    home is not found in class."""
    child_id = _mine(g.who.child_id)
    here_id, here = g.get("at_table", (None, sessions.NOT_THERE))
    if round_id == here_id and child_id == here.who.child_id:
        seat: int | None = here.seat
    else:
        seat = rounds.seat_of(round_id, child_id, at_home=g.who.at_home)
    if seat is None:
        abort(404)
    return seat


def held_round(round_id: int) -> int:
    """A round whose children all sit at this tablet."""
    return _if(matches.of_round(round_id) == _mine(g.who.match_id), round_id)


def numbers_here() -> tuple[int, int]:
    """The numbers of moves and of other changes in the round, as the guard found them."""
    here: AtTable = g.at_table[1]
    assert here.numbers is not None, "the guard lets in nobody without a seat"
    return here.numbers


def taught_class(class_id: int) -> int:
    return _if(sessions.teaches_class(_mine(g.who.adult_id), class_id), class_id)


def taught_round(round_id: int) -> int:
    return _if(sessions.teaches_round(_mine(g.who.adult_id), round_id), round_id)


def lesson_round(round_id: int) -> int:
    """A round that a teacher may watch: in a class they teach, and not played at home."""
    return _if(not choices.is_at_home(taught_round(round_id)), round_id)


def taught_moment(moment_id: int) -> int:
    """The id of the class that keeps this moment, if the adult teaches the class."""
    return taught_class(sessions.class_of_moment(moment_id) or 0)


def own_moment(moment_id: int) -> int:
    """The id of the class that keeps this moment, if the child is in the class."""
    return own_class(sessions.class_of_moment(moment_id) or 0)


def own_class(class_id: int) -> int:
    return _if(class_id == _mine(g.who.class_id), class_id)


OWNERS: Mapping[str, Callable[[int], int]] = {
    "own_round": own_round,
    "held_round": held_round,
    "taught_class": taught_class,
    "taught_child": lambda one: _if(sessions.teaches_child(_mine(g.who.adult_id), one), one),
    "taught_group": lambda one: _if(sessions.teaches_group(_mine(g.who.adult_id), one), one),
    "taught_round": taught_round,
    "lesson_round": lesson_round,
    "taught_moment": taught_moment,
    "own_moment": own_moment,
    "linked_child": lambda one: _if(sessions.is_parent_of(_mine(g.who.adult_id), one), one),
    "own_class": own_class,
    "classmate": lambda one: _if(sessions.is_in_class(one, _mine(g.who.class_id)), one),
    "class_of_school": lambda one: _if(sessions.is_class_of(one, _mine(g.who.school_id)), one),
    "colleague": lambda one: _if(sessions.works_at(one, _mine(g.who.school_id)), one),
    "own_voice": lambda one: _if(sessions.reads_pack(_mine(g.who.adult_id), one), one),
    "kept_voice": lambda one: _if(sessions.keeps_pack(_mine(g.who.adult_id), one), one),
    "heard_voice": lambda one: _if(sessions.hears_pack(one, g.who.adult_id, g.who.class_id), one),
}


def _mine(identity: int | None) -> int:
    """The id. None gives 404, so that ownership is never compared with NULL."""
    if identity is None:
        abort(404)
    return identity


def _if(theirs: bool, thing: int) -> int:
    if not theirs:
        abort(404)
    return thing


# ---- The settings of a child's pages, as adults chose them


def chosen_here() -> PlaySettings | None:
    """The settings that adults chose for the signed-in child; None if no child is signed in."""
    who = g.get("who", NOBODY)
    if who.child_id is None:
        return None
    return choices.settings_of(who.child_id, at_home=who.at_home)


def voices_here() -> tuple[str, ...]:
    """The URLs of this class's voices in the page's language, the preferred voice first."""
    class_id = g.get("who", NOBODY).class_id
    if class_id is None:
        return ()
    if "voices" not in g:
        found = voice_packs.heard(class_id, language.language()[:2])
        g.voices = tuple(
            url_for("voice.pieces", pack_id=pack_id, version=version).removesuffix("pieces.json")
            for pack_id, version in found
        )
    return tuple(g.voices)
