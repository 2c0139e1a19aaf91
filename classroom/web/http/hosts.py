"""The names this server answers to, and the entrance to the demo school beside a school.

Another site can point a name of its own at this machine, and its visitors' browsers then let that
site read our responses (DNS rebinding). This cannot be done with an IP address, or with this
computer's name in a domain that nobody can register, such as .local.
"""

from __future__ import annotations

import logging
import re
import socket
import threading
from collections.abc import Callable, Collection, Iterable
from functools import cache
from ipaddress import ip_address
from math import inf
from time import monotonic
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, current_app, request
from flask.globals import request_ctx
from sqlalchemy.exc import DBAPIError
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from classroom.condition import Unavailable
from classroom.services.operation.look_around import Demo
from classroom.web.http import error_pages
from classroom.web.http.pages import demo_beside
from classroom.web.words.language import N_, gettext as _

WORDS = N_("This server does not answer to that name. Please use the address you were given.")
LONGEST: Final = 80  # how many characters of an unknown name are logged at most
EVERY: Final = 60.0  # seconds between two log lines about refused names

# Domains that nobody can register. In any other, somebody could register this computer's name.
_NOT_FOR_SALE = re.compile(
    r"\.(local|lan|home|internal|intranet|private|corp|test|localhost|home\.arpa)$"
)
_PORT = re.compile(r":[0-9]+$")
_log = logging.getLogger("classroom")


def init_app(app: Flask) -> None:
    """Check the host name before anything else, then hide the demo's page if there is no demo."""
    app.extensions["names"] = names(app.config["HOSTS"])
    app.extensions["refused_names"] = _Refused()
    app.before_request(refuse_other_names)
    app.before_request(_hide)


def names(setting: str) -> frozenset[str]:
    """The names in the setting HOSTS as browsers send them. Raises ValueError for a bad name."""
    try:
        return frozenset(map(_as_sent, setting.replace(",", " ").split()))
    except UnicodeError as error:
        raise ValueError(f"The setting HOSTS cannot be {setting!r}: {error}.") from error


def refuse_other_names() -> Response | None:
    allowed: Collection[str] = current_app.extensions["names"]
    any_name = bool(current_app.config["PROXIES"])  # the proxy checks names
    if request_ctx.url_adapter is not None and answers_to(request.host, allowed, any_name):
        return None
    current_app.extensions["refused_names"].tell(request.headers.get("Host", ""))
    return error_pages.plain(400, _(WORDS))


class _Refused:
    """Logs refused names, at most one line a minute, so that strangers cannot fill the disk."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = -inf
        self._more = 0

    def tell(self, name: str) -> None:
        with self._lock:
            if monotonic() < self._last + EVERY:
                self._more += 1
                return
            self._last, more, self._more = monotonic(), self._more, 0
        _log.warning(
            "a browser asked for %.*r, a name this server does not answer to%s: if it is a name "
            "of yours, add it to hosts in instance/settings.toml",
            LONGEST,
            name,
            f" ({more} more were refused since the last such line)" if more else "",
        )


def answers_to(host: str, allowed: Collection[str], any_name: bool) -> bool:
    """Whether the host is an allowed name (`.school.lan` allows all names below it). If the list is
    empty, `any_name` allows every name. Without it, IP addresses, localhost and this computer's own
    name are allowed. That name may stand alone, or be followed by this computer's domain or by a
    domain that nobody can register."""
    name = _plain(host)
    if allowed:
        return any(name == one or (one[0] == "." and name.endswith(one)) for one in allowed)
    return bool(name) and (any_name or _is_address(name) or _is_this_computer(name))


def _as_sent(name: str) -> str:
    dot = "." if name.startswith(".") else ""
    return dot + _plain(name.removeprefix(".")).encode("idna").decode()


def _plain(host: str) -> str:
    return _PORT.sub("", host.lower()).rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _is_this_computer(name: str) -> bool:
    own = _own_name()
    if name == "localhost" or (own and name == own):
        return True
    if own and name.startswith(f"{own}.") and _NOT_FOR_SALE.search(name):
        return True
    return name in _full_names()


def for_tablets(link: str) -> str:
    """The URL of a page for other devices. This computer's IP address replaces localhost and its
    own name, which many tablets do not find. The URL stays as it is if the server listens only to
    this computer, or if its host was chosen: by `hosts`, a proxy or a certificate."""
    parts, number = urlsplit(link), current_app.extensions.get("number", str)()
    chosen = current_app.config["HOSTS"] or current_app.config["PROXIES"]
    if not number or chosen or parts.scheme == "https":
        return link
    name = _plain(parts.netloc)
    if is_loopback(name) or _is_this_computer(name):
        port = f":{parts.port}" if parts.port else ""
        return parts._replace(netloc=number + port).geturl()
    return link


def is_loopback(name: str) -> bool:
    """Whether the name always means the computer it is used on."""
    return name == "localhost" or (_is_address(name) and ip_address(name.strip("[]")).is_loopback)


@cache
def _own_name() -> str:
    """This computer's name without a domain; "" if it has no name."""
    return _plain(socket.gethostname()).partition(".")[0]


@cache
def _full_names() -> frozenset[str]:
    """This computer's full name, both as configured and as the network knows it."""
    return frozenset(map(_plain, (socket.gethostname(), socket.getfqdn()))) - {""}


# ---- The entrance to the demo school that is mounted beside a school, at /demo

WSGI = Callable[..., Iterable[bytes]]


class Gate:
    """The demo school as a WSGI app. While it is closed, the school beside it answers as it does
    for an unknown URL."""

    def __init__(self, pages: WSGI, demo: Demo) -> None:
        self._pages = pages
        self._demo = demo
        self.school: WSGI | None = None

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        try:
            is_open = self.school is None or self._demo.open()
        except (DBAPIError, Unavailable):  # the school's own database does not answer
            busy = error_pages.plain(503, _(error_pages.ADULT_WORDS[503]))
            busy.headers["Retry-After"] = "5"
            return busy(environ, start_response)
        if self.school is not None and not is_open:
            mount, _slash, below = environ["SCRIPT_NAME"].rpartition("/")
            there = {"SCRIPT_NAME": mount, "PATH_INFO": f"/{below}{environ['PATH_INFO']}"}
            return self.school({**environ, **there}, start_response)
        # A request that a page sends by itself does not count as a visit.
        refreshes = "HTTP_HX_REQUEST" in environ or environ.get("fishschool.stream")
        by_somebody = environ["REQUEST_METHOD"] not in ("GET", "HEAD") or not refreshes
        with self._demo.visit(counts=by_somebody):
            return self._pages(environ, start_response)


def _hide() -> None:
    """Answer 404 at /look-around unless there is a demo school."""
    if request.path == "/look-around" and not current_app.config["DEMO"] and not demo_beside():
        request.url_rule, request.view_args = None, None
        request.routing_exception = NotFound()
