"""Checks on every request for forged forms and invalid text; security headers on every response."""

from __future__ import annotations

import secrets
from io import BytesIO
from ipaddress import ip_address
from typing import IO, Any, NoReturn
from urllib.parse import unquote_to_bytes, urlsplit

from flask import Flask, Request, abort, current_app, g, request
from markupsafe import Markup
from werkzeug.routing import IntegerConverter
from werkzeug.wrappers import Response

from classroom.services.access.sessions import NOBODY
from classroom.services.base import secrets_, security_log

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
TOKEN_BYTES = 32
CSP = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    # not "no-referrer", because browsers would then send "Origin: null" with our own forms
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
LISTENS = "voice.studio"  # the one page that may use a microphone
A_YEAR = 31_536_000
CACHEABLE = ("voice.pieces", "voice.piece")  # by a browser: their URLs name a version

# The forms that can carry a file or a recording, and the maximum size of each in bytes.
LONG = {
    "teach.class_list": 1_000_000,
    "school.lists": 1_000_000,
    "voice.take_in": 12_000_000,
    "voice.read": 500_000,
}


class RowNumber(IntegerConverter):
    """Matches an id in a URL. An id too large for the database matches no route."""

    def __init__(self, map: Any, **options: Any) -> None:
        super().__init__(map, **{"max": 2**31 - 1, **options})


class RequestInMemory(Request):
    """A request whose files stay in memory: nothing that is sent is ever written to a disk."""

    def _get_file_stream(self, *_: Any, **__: Any) -> IO[bytes]:
        return BytesIO()


def init_app(app: Flask) -> None:
    app.url_map.converters["int"] = RowNumber
    app.request_class = RequestInMemory
    app.before_request(allow_long)
    app.before_request(refuse_strangers)
    app.before_request(refuse_odd_text)
    app.before_request(refuse_forgery)
    app.after_request(add_headers)
    app.add_template_global(csrf_field)
    app.add_template_global(csrf_token)
    app.add_template_global(in_the_open)


# ---- forgery


def _form_secret() -> bytes:
    return secrets_.sign("form", g.token, g.device)


def csrf_token() -> str:
    """This browser's form token, masked differently in each response, so that compression
    does not leak it."""
    if "form_token" not in g:
        mask = secrets.token_bytes(TOKEN_BYTES)
        g.form_token = (mask + _xor(mask, _form_secret())).hex()
    return str(g.form_token)


def _xor(one: bytes, other: bytes) -> bytes:
    """XOR these bytes as whole numbers, several times as fast as byte by byte."""
    both = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    return both.to_bytes(TOKEN_BYTES, "big")


def hidden(*pairs: tuple[str, str]) -> Markup:
    """Hidden fields of a form, each with a name and a value."""
    field = Markup('<input type="hidden" name="{}" value="{}">')
    return field[:0].join(field.format(*pair) for pair in pairs)


def csrf_field() -> Markup:
    """The hidden fields of every form on a page: its token and, for an adult, the author's mark."""
    token, adult_id = csrf_token(), g.get("who", NOBODY).adult_id
    drawn: tuple[str, int | None, Markup] | None = g.get("form_fields")
    if drawn is None or drawn[:2] != (token, adult_id):
        by = () if adult_id is None else (("by", author(token, adult_id)),)
        drawn = g.form_fields = token, adult_id, hidden(("token", token), *by)
    return drawn[2]


def author(token: str, adult_id: int) -> str:
    """The mark of a form with this token, which proves for which adult it was made in this browser.
    The mark outlives the session, and is invalid with any other token. Only the server can make it.
    """
    return secrets_.sign("author", token, adult_id, g.device).hex()


def _is_token(given: str) -> bool:
    try:
        both = bytes.fromhex(given)
    except ValueError:
        return False
    if len(both) != 2 * TOKEN_BYTES:
        return False
    plain = _xor(both[:TOKEN_BYTES], both[TOKEN_BYTES:])
    return secrets.compare_digest(plain, _form_secret())


def refuse_strangers() -> None:
    """Refuse requests from other sites, except when a person follows a link."""
    if request.endpoint in (None, "static"):
        return
    site = request.headers.get("Sec-Fetch-Site", "")
    if request.method in SAFE_METHODS:
        mode, place = request.headers.get("Sec-Fetch-Mode"), request.headers.get("Sec-Fetch-Dest")
        is_a_visit = mode == "navigate" and place in ("document", "")
        if site in ("cross-site", "same-site") and not is_a_visit:
            _refuse("page", "other_site")
    elif not is_from_here():
        _refuse("form", "other_site")


def is_from_here() -> bool:
    """Whether there is no sign that another site made the browser send this request."""
    if request.headers.get("Sec-Fetch-Site", "") not in ("", "same-origin"):
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True  # an old browser sends no origin; then the token decides
    try:
        found = urlsplit(origin)
    except ValueError:
        return False
    return found.scheme == request.scheme and found.netloc == request.host


def refuse_forgery() -> None:
    if request.method in SAFE_METHODS or request.endpoint is None:
        return
    if not _is_token(request.form.get("token") or request.headers.get("X-Token", "")):
        _refuse("form", "forged")


def _refuse(event: str, why: str) -> NoReturn:
    security_log.note(event, why)
    abort(403)


# ---- connections that others can read


def in_the_open() -> bool:
    """Whether others on the network can read what this browser sends: it runs on another machine
    and does not use https, either to us or to a known proxy (PROXIES)."""
    if request.is_secure or not request.remote_addr:
        return False
    try:
        address = ip_address(request.remote_addr)
    except ValueError:
        return True
    return not (getattr(address, "ipv4_mapped", None) or address).is_loopback


# ---- class lists and voices, which can be long


def allow_long() -> None:
    """Let the forms that take a class list or a voice be longer than others."""
    if request.endpoint in LONG:
        request.max_content_length = request.max_form_memory_size = LONG[request.endpoint]


# ---- odd text


def refuse_odd_text() -> None:
    """Answer 400 to invalid UTF-8, to a NUL, or to a file that none of our forms would send."""
    texts = [request.path, _text(request.query_string)]
    if request.method not in SAFE_METHODS:
        if request.mimetype == "application/x-www-form-urlencoded":
            texts.append(_text(request.get_data()))  # Flask caches it and reads the form from it
        if request.files and request.endpoint not in LONG:
            abort(400)
        texts += [*request.form, *(one for sent in request.form.listvalues() for one in sent)]
    if any("\ufffd" in text or "\0" in text for text in texts):
        abort(400)


def _text(encoded: bytes) -> str:
    """Decode percent escapes. Invalid bytes become U+FFFD; Werkzeug would let them through."""
    return unquote_to_bytes(encoded).decode("utf-8", "replace")


# ---- headers


def add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        if request.endpoint == LISTENS and response.status_code == 200:
            value = value.replace("microphone=()", "microphone=(self)")
        response.headers.setdefault(name, value)
    if request.endpoint == "static" and response.status_code in (200, 206, 304):
        lasting = f"max-age={A_YEAR}, immutable" if "v" in request.args else "max-age=300"
        response.headers["Cache-Control"] = f"public, {lasting}"
    elif request.endpoint in CACHEABLE and response.status_code == 200:
        response.headers["Cache-Control"] = "private, max-age=3600, immutable"
    else:
        response.headers["Cache-Control"] = "no-store"
        response.vary.add("Cookie")
    if request.is_secure and not current_app.debug:
        below = "; includeSubDomains" if current_app.config["HSTS_SUBDOMAINS"] else ""
        response.headers["Strict-Transport-Security"] = f"max-age={A_YEAR}{below}"
    return response
