"""The page that an adult wanted before signing in.

An address comes back from the browser, so it is only ever a hint: it must match one of our routes
and be a page that the person may open, and it is then built again from the route.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import current_app, request, url_for
from werkzeug.exceptions import HTTPException

from classroom.web.http import guards
from classroom.web.http.permissions import NOBODY, PERMISSIONS

LONGEST: Final = 500
NO_PAGES: Final = (".csv", ".json", "/events", "/now")  # downloads, streams and parts of a page


def address(wanted: str) -> str | None:
    """The address of this page, if the person who is signed in may open it."""
    if len(wanted) > LONGEST:
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
    query = urlencode(parse_qsl(parts.query))
    return url_for(endpoint, **values) + (f"?{query}" if query else "")


def before() -> str:
    """The page from which this request was sent, as a hint for `address`; "" if unknown."""
    sent = request.headers.get("HX-Current-URL") or request.headers.get("Referer") or ""
    try:
        parts = urlsplit(sent)
    except ValueError:
        return ""
    if parts.netloc != request.host or len(sent) > LONGEST:
        return ""
    path = parts.path.removeprefix(request.root_path.rstrip("/"))
    return f"{path}?{parts.query}" if parts.query else path
