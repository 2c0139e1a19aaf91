"""News of a table: messages of all its streams, made in one go, with only the parts that
changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, g, request
from werkzeug.wrappers import Response

from classroom.services.access import sessions
from classroom.services.access.sessions import AtTable
from classroom.services.table import rounds
from classroom.services.table.rounds import LATEST, ViewedTable
from classroom.web.child.table_view import Seat, TableView
from classroom.web.http import pages
from classroom.web.http.permissions import PERMISSIONS
from classroom.web.words import language

if TYPE_CHECKING:
    from classroom.web.child.helping import Tag

# ---- The messages of all streams of one table, made in one go
#
# The first message of a stream comes from the page's own route, through every check, and the route
# keeps what later messages need (`keep`). Later messages are made together (`messages`): one
# statement finds the sessions and seats of all streams, so that a session that has ended still ends
# its stream, and the table is read once. Each message is drawn for the session that asks, from what
# its own seat may see. If the guard would not plainly let a stream in, the page's own route has to
# answer.

Environ = Mapping[str, Any]
Draw = Callable[[ViewedTable], Response]
KEPT: Final = "fishschool.kept"  # key of a dict that all requests of a stream share
ROUTE: Final = "play.events"  # the route whose messages these are

_FOR_ONCE: Final = frozenset({KEPT, "werkzeug.request"})


@dataclass(frozen=True, slots=True)
class KeptNews:
    """What a stream's first request leaves for later ones. `environ`: the request as the route got
    it, behind any proxy."""

    environ: Environ
    token: str
    device: str


@dataclass(frozen=True, slots=True)
class Listener:
    """A stream whose session may see the table now. `last`: the mark of the last message that its
    page has; `now`: the mark of the table."""

    kept: KeptNews
    round_id: int
    at: AtTable
    seat: int
    last: str
    now: str


def keep() -> None:
    """Keep what later messages of the stream that sends this request need. Nothing is kept for a
    browser that gets its device's name only now, because a form is valid only with that name."""
    kept = request.environ.get(KEPT)
    if kept is not None and not g.new_device:
        own = {name: value for name, value in request.environ.items() if name not in _FOR_ONCE}
        kept[ROUTE] = KeptNews(own, g.token, g.device)


def messages(app: Flask, draw: Draw, round_id: int, asked: Sequence[Environ]) -> list[bytes | None]:
    """The messages that answer these requests of streams of one table; None for each request that
    the page's own route has to answer. `draw` makes a message in the context of its request."""
    with app.app_context():
        language.choose()
        # None stands for a stream that the guard would not plainly let in.
        kept = [environ.get(KEPT, {}).get(ROUTE) for environ in asked]
        here = sessions.at_table(round_id, {one.token for one in kept if one})
        listeners = [
            _listener(round_id, one, here.get(one.token), environ) if one else None
            for one, environ in zip(kept, asked, strict=True)
        ]
        behind = {one.seat for one in listeners if one and one.last != one.now}
        shown = rounds.seen_from(round_id, behind) if behind else {}
    return [_message(app, draw, one, shown) if one else None for one in listeners]


def _listener(
    round_id: int, kept: KeptNews, at: AtTable | None, environ: Environ
) -> Listener | None:
    if at is None or at.seat is None or at.numbers is None:
        return None
    if at.who.kind not in PERMISSIONS[ROUTE].who:
        return None
    last = environ.get("HTTP_LAST_EVENT_ID", "")
    return Listener(kept, round_id, at, at.seat, last, pages.mark(*at.numbers))


def _message(app: Flask, draw: Draw, to: Listener, shown: Mapping[int, ViewedTable]) -> bytes:
    if to.last == to.now:
        return pages.NOTHING_NEW
    with app.request_context({**to.kept.environ, "HTTP_LAST_EVENT_ID": to.last}):
        g.token, g.device, g.new_device = to.kept.token, to.kept.device, False
        g.who, g.owned, g.at_table = to.at.who, to.seat, (to.round_id, to.at)
        language.choose(g.who.language)
        return draw(shown[to.seat]).get_data()


# ---- News of a table without the whole table: what was done, and the parts that it changed
#
# It is made from an Observation, like the whole picture, and drawn by the same macros. The page
# keeps the last picture that it was sent, and puts these parts into it (scripts/child/parts.js);
# what it then shows is the picture that the server would have sent (tests/browser/test_told.py).
# What cannot be said in this way is sent as a whole picture.

TALK: Final = frozenset("asked gofish howmany named thought passed lamp tide turn".split())
"""The kinds of step in which no card moves."""
FISHING: Final = frozenset(("fished", "refilled", "replaced"))
COUNTED: Final = frozenset(("book", "claimed", "tide"))
"""The kinds of step that change the path, or what is in the shared shell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldParts:
    """What happened after move `t.since`.

    `turn`: the viewer is next, or was in the picture before, so all that belongs to a turn is
    drawn. `seats`: the others to whom something happened; `me`: whether something happened to the
    viewer; `tags`: the asks that are new or have been answered, newest first; and whether the
    viewer's `hand`, the `pond`, the `path` and the `lamp` of a tide changed.
    """

    t: TableView
    turn: bool
    seats: tuple[Seat, ...]
    me: bool
    tags: tuple[Tag, ...]
    hand: bool
    pond: bool
    path: bool
    lamp: bool


def told_parts(table: ViewedTable, t: TableView, *, was_mine: bool = False) -> ToldParts | None:
    """What to tell a page that has shown `t.since` moves; None if it needs the whole picture. `t`:
    what the page should show now; `was_mine`: its last picture may show a turn of the viewer."""
    if t.stem or t.do.extras or not _can_be_told(table, t.since):
        return None
    kinds = {step.kind for step in t.steps}
    touched = {seat for step in t.steps for seat in (step.seat, step.other)}
    touched.add(table.observation.turn)
    me = t.me.seat
    turn = was_mine or t.my_turn
    return ToldParts(
        t=t,
        turn=turn,
        seats=t.ring if turn else tuple(s for s in t.ring if s.seat in touched),
        me=turn or me in touched,
        tags=_tags(t),
        hand=turn or any(me in (s.seat, s.other) for s in t.steps if s.kind not in TALK),
        pond=not kinds.isdisjoint(FISHING),
        lamp=t.tide is not None and (turn or not kinds.isdisjoint(("lamp", "turn"))),
        path=not kinds.isdisjoint(COUNTED),
    )


def _can_be_told(table: ViewedTable, since: int) -> bool:
    """Whether the round goes on, and the page has missed no more than it can replay."""
    seen, around = table.observation, table.around
    rests = around.paused or around.asleep or around.called
    introduces = table.number == 1 and table.seq < seen.seats  # the page names the friends
    goes_on = not (seen.over or rests or introduces or table.practice)
    return goes_on and seen.seq - LATEST <= since < seen.seq


def _tags(t: TableView) -> tuple[Tag, ...]:
    """The tags of new asks, and of an earlier ask that has just been answered."""
    answers = bool(t.steps) and t.steps[0].kind not in ("asked", "thought")
    new = sum(tag.seq > t.since for tag in t.line)
    return t.line[: new + answers]
