"""News of a table without the whole table: what was done, and the parts that it changed.

It is made from an Observation, like the whole picture, and drawn by the same macros. The page keeps
the last picture that it was sent, and puts these parts into it (scripts/child/parts.js); what it
then shows is the picture that the server would have sent (tests/browser/test_told.py). What cannot
be said in this way is sent as a whole picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from classroom.services.table.tables import LATEST
from classroom.web.child.table_view import Seat, TableView, table_view

if TYPE_CHECKING:
    from classroom.services.table.tables import ViewedTable
    from classroom.web.child.asked import Tag

TALK: Final = frozenset("asked gofish howmany named thought passed turn".split())
"""The kinds of step in which no card moves."""
FISHING: Final = frozenset(("fished", "refilled", "replaced"))
BOOKS: Final = frozenset(("book", "claimed"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What happened after move `since`, for a viewer who is not next.

    `was_mine`: the picture before may be that of the viewer's own turn, so all that belongs to a
    turn is drawn again. `seats`: the others to whom something happened, and `me`: whether anything
    did to the viewer; `tags`: the asks that are new or have been answered, newest first; and
    whether the viewer's `hand`, the `pond` and the `books` changed.
    """

    t: TableView
    since: int
    was_mine: bool
    seats: tuple[Seat, ...]
    me: bool
    tags: tuple[Tag, ...]
    hand: bool
    pond: bool
    books: bool


def told(table: ViewedTable, since: int | None, *, was_mine: bool = False) -> Told | None:
    """What to tell a page that has shown `since` moves; None where it needs the whole picture."""
    if since is None or not _can_be_told(table, since):
        return None
    t = table_view(table, since)
    kinds = {step.kind for step in t.steps}
    touched = {seat for step in t.steps for seat in (step.seat, step.other)}
    touched.add(table.observation.turn)
    me = t.me.seat
    return Told(
        t=t,
        since=since,
        was_mine=was_mine,
        seats=t.ring if was_mine else tuple(s for s in t.ring if s.seat in touched),
        me=was_mine or me in touched,
        tags=_tags(t, since),
        hand=was_mine or any(me in (s.seat, s.other) for s in t.steps if s.kind not in TALK),
        pond=not kinds.isdisjoint(FISHING),
        books=not kinds.isdisjoint(BOOKS),
    )


def _can_be_told(table: ViewedTable, since: int) -> bool:
    """Whether the viewer only looks on, and has missed no more than a page can replay."""
    seen, around = table.observation, table.around
    rests = around.paused or around.asleep or around.called
    introduces = table.number == 1 and table.seq < seen.seats  # it names the friends
    looks_on = not (seen.over or seen.legal or rests or introduces or table.practice)
    return looks_on and seen.seq - LATEST <= since < seen.seq


def _tags(t: TableView, since: int) -> tuple[Tag, ...]:
    """The tags of new asks, and that of an earlier ask which has just been answered."""
    answers = bool(t.steps) and t.steps[0].kind not in ("asked", "thought")
    new = sum(tag.seq > since for tag in t.line)
    return t.line[: new + answers]
