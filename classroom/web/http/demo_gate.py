"""The entrance to the demo school that is mounted beside a school, at /demo."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy.exc import DBAPIError

from classroom.condition import Unavailable
from classroom.services.operation.look_around import Demo
from classroom.web.http import error_pages
from classroom.web.words.language import gettext as _

WSGI = Callable[..., Iterable[bytes]]
READING = ("GET", "HEAD")


class Gate:
    """The demo school as a WSGI app. While it is closed, the school beside it answers instead, as
    it does for an unknown address."""

    def __init__(self, pages: WSGI, demo: Demo) -> None:
        self._pages = pages
        self._demo = demo
        self.school: WSGI | None = None

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        try:
            is_open = self.school is None or self._demo.open()
        except (DBAPIError, Unavailable):  # the school's database does not answer
            busy = error_pages.plain(503, _(error_pages.ADULT_WORDS[503]))
            busy.headers["Retry-After"] = "5"
            return busy(environ, start_response)
        if self.school is not None and not is_open:
            return self.school(_unmounted(environ), start_response)
        with self._demo.visit(counts=_by_somebody(environ)):
            return self._pages(environ, start_response)


def _unmounted(environ: dict[str, Any]) -> dict[str, Any]:
    mount, _, below = environ["SCRIPT_NAME"].rpartition("/")
    path = f"/{below}{environ['PATH_INFO']}"
    return {**environ, "SCRIPT_NAME": mount, "PATH_INFO": path}


def _by_somebody(environ: dict[str, Any]) -> bool:
    """Whether a person made the request, not a page that refreshes itself."""
    by_itself = "HTTP_HX_REQUEST" in environ or environ.get("fishschool.stream")
    return environ["REQUEST_METHOD"] not in READING or not by_itself
