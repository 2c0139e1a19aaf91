"""The messages of all streams of one table, made in one go.

The first message of a stream comes from the page's own route, through every check there is, and the
route keeps what the later ones need (`keep`). Those are made together (`messages`): one statement
finds the sessions and seats of all streams, so that a session that has ended still ends its stream,
and the table is read once. Each message is drawn for the session that asks, from what its own seat
may see. Where the guard would not plainly say yes, the page's own route has to answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, g, request
from werkzeug.wrappers import Response

from classroom.services.access import sessions
from classroom.services.access.sessions import AtTable
from classroom.services.table import rounds
from classroom.services.table.tables import ViewedTable
from classroom.web.http import sse
from classroom.web.http.permissions import PERMISSIONS
from classroom.web.words import language

Environ = Mapping[str, Any]
Draw = Callable[[ViewedTable], Response]
KEPT: Final = "fishschool.kept"  # in the requests of a stream: a dict that they share
ROUTE: Final = "play.events"  # the route whose messages these are

_FOR_ONCE: Final = frozenset({KEPT, "werkzeug.request"})


@dataclass(frozen=True, slots=True)
class Kept:
    """What a stream's first request leaves for later ones. `environ`: the request as the route got
    it, behind any proxy."""

    environ: Environ
    token: str
    device: str


@dataclass(frozen=True, slots=True)
class Listener:
    """A stream whose session may see the table now. `last`: the mark of the last message that its
    page has; `now`: the mark of the table."""

    kept: Kept
    round_id: int
    at: AtTable
    seat: int
    last: str
    now: str


def mark(moves: int, changes: int) -> str:
    """A mark that stands for the state of a table, for streams and ETags."""
    return f"{moves}-{changes}"


def keep() -> None:
    """Keep what later messages of the stream that sends this request need. Nothing is kept for a
    browser that is only now given its device's name: a form is valid only with that name."""
    kept = request.environ.get(KEPT)
    if kept is not None and not g.new_device:
        own = {name: value for name, value in request.environ.items() if name not in _FOR_ONCE}
        kept[ROUTE] = Kept(own, g.token, g.device)


def messages(app: Flask, draw: Draw, round_id: int, asked: Sequence[Environ]) -> list[bytes | None]:
    """The messages that answer these requests of streams of one table; None for each request that
    the page's own route has to answer. `draw` makes a message in the context of its request."""
    with app.app_context():
        language.choose()
        listeners = _listeners(round_id, asked)
        behind = {one.seat for one in listeners if one and one.last != one.now}
        shown = rounds.seen_from(round_id, behind) if behind else {}
    return [_message(app, draw, one, shown) if one else None for one in listeners]


def _listeners(round_id: int, asked: Sequence[Environ]) -> list[Listener | None]:
    """The streams that send these requests; None for each that the guard would not plainly let
    in."""
    kept = [environ.get(KEPT, {}).get(ROUTE) for environ in asked]
    here = sessions.at_table(round_id, {one.token for one in kept if one})
    return [
        _listener(round_id, one, here.get(one.token), environ) if one else None
        for one, environ in zip(kept, asked, strict=True)
    ]


def _listener(round_id: int, kept: Kept, at: AtTable | None, environ: Environ) -> Listener | None:
    if at is None or at.seat is None or at.numbers is None:
        return None
    if at.who.kind not in PERMISSIONS[ROUTE].who:
        return None
    last = environ.get("HTTP_LAST_EVENT_ID", "")
    return Listener(kept, round_id, at, at.seat, last, mark(*at.numbers))


def _message(app: Flask, draw: Draw, to: Listener, shown: Mapping[int, ViewedTable]) -> bytes:
    if to.last == to.now:
        return sse.NOTHING_NEW
    with app.request_context({**to.kept.environ, "HTTP_LAST_EVENT_ID": to.last}):
        g.token, g.device, g.new_device = to.kept.token, to.kept.device, False
        g.who, g.owned, g.at_table = to.at.who, to.seat, (to.round_id, to.at)
        return draw(shown[to.seat]).get_data()
