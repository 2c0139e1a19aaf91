"""Messages of a page's stream: server-sent events, one in each answer.

The server's front (classroom/live) asks the page's own route for the next message when there is
news; without that front, the browser connects again for each message.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Final

from flask import request
from werkzeug.wrappers import Response

TYPE: Final = "text/event-stream"
NOTHING_NEW: Final = b": nothing new\n\n"  # a comment, which the browser ignores
_NEW_LINE = re.compile(r"\r\n|\r|\n")  # the only things that end a line of a message


def last_mark() -> str:
    """The mark of the last message that the browser received; "" before the first."""
    return request.headers.get("Last-Event-ID", "")


def mark_of(value: object) -> str:
    """A hash of what is shown, for ETags and marks: equal values have equal marks."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def message(mark: str, draw: Callable[[], str]) -> Response:
    """One message with the page's changing part, unless the browser has this mark already."""
    if last_mark() == mark:
        return nothing_new()
    lines = "".join(f"data: {line}\n" for line in _NEW_LINE.split(draw()))
    return Response(f"id: {mark}\n{lines}\n", mimetype=TYPE)


def nothing_new() -> Response:
    """A comment in place of a message."""
    return Response(NOTHING_NEW, mimetype=TYPE)
