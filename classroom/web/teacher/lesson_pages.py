"""A teacher's pages during a lesson: the live class, the seating plan, the projector, one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.engine.observation import TEACHER, WATCHER
from classroom.services.access import knocks
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.names import ShownClass
from classroom.services.lesson import gatherings, lessons, live_class, seating
from classroom.services.lesson.live_class import LiveClass, SeatNow, TideNow
from classroom.services.reports import overview
from classroom.services.table import offers, rounds
from classroom.web.http import forms, hosts, pages
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.reports import charts
from classroom.web.reports.replay import ALL, replay_view
from classroom.web.teacher.teach import DONE, board_address
from classroom.web.words import filters, sentences

LIVE_HANDS = "live_hands"  # the audit log's word for opening all hands during play
FRESH = 20  # seconds between refreshes of texts such as "for 2 min"
LESSON: dict[str, Callable[[int, int | None], None]] = {
    "pause": lessons.pause,
    "go_on": lessons.go_on,
    "end": lessons.end,
}

RoomTable = tuple[int, str, int, TideNow | None, tuple[SeatNow, ...]]
"""A table: its number, its game, how many cards are in its pond, its tide and its seats."""


# ---- the class live


def live(class_id: int) -> str:
    overview.looked(g.who.adult_id, "class", class_id)
    room, door = live_class.live_class(class_id), knocks.at_the_door(class_id)
    return render(
        "pages/teach/live.html",
        here="live",
        school_class=ShownClass(room.class_id, room.name),
        c=room,
        door=door,
        games=filters.game_names(),
        times=lessons.times(class_id),
        done=forms.done(DONE),
    )


def live_events(class_id: int) -> Response:
    _opened("class", class_id)
    room, door = live_class.live_class(class_id), knocks.at_the_door(class_id)
    mark = pages.mark_of((room, door, int(clock.now()) // FRESH))
    return pages.stream_message(
        mark,
        lambda: render(
            "partials/teach/live.html",
            c=room,
            door=door,
            games=filters.game_names(),
            times=lessons.times(class_id),
        ),
    )


def lesson(class_id: int) -> Response:
    """Pause all tables, let them go on, or end the lesson after the asks in progress."""
    LESSON[forms.choice("what", LESSON)](class_id, g.who.adult_id)
    return see_other("teach.live", class_id=class_id)


def lower_hand(child_id: int) -> Response:
    live_class.hand(child_id, False)
    return see_other("teach.live", class_id=overview.class_of(child_id))


# ---- the seating plan


def seats(class_id: int) -> Reply:
    """Show the seating plan; a POST seats everyone who is signed in."""
    if request.method != "POST":
        overview.looked(g.who.adult_id, "class", class_id)
        return _seats(class_id, request.args.get("child", type=int))
    errors: forms.Errors = {}
    how = forms.chosen("how", seating.WAYS, errors)
    game = forms.chosen("game", offers.offered(class_id), errors)
    size = forms.whole("size", 2, gatherings.LARGEST, errors)
    if errors:
        return _seats(class_id, errors=errors), 400
    try:
        seating.seat_class(class_id, game, size, how, g.who.adult_id)
    except Refused as refused:
        return _seats(class_id, problem=sentences.sentence(refused)), sentences.status(refused)
    return see_other("teach.seats", class_id=class_id, how=how)


def move_child(class_id: int) -> Response:
    """Move a child to a seat or, with table 0, away from the table."""
    table = forms.number("table", 0, forms.MAX_ID) or None
    seat = forms.number("seat", 0, gatherings.LARGEST - 1, 0)
    child_id = forms.number("child", 1, forms.MAX_ID)
    seating.move(class_id, child_id, table, seat)
    return see_other("teach.seats", class_id=class_id, _anchor=f"child-{child_id}")


def seat_friend(class_id: int) -> Response:
    """Put a computer friend on a free seat, or remove it from its seat."""
    seat = forms.number("seat", 0, gatherings.LARGEST - 1)
    seating.friend(class_id, forms.number("table", 1, forms.MAX_ID), seat)
    return see_other("teach.seats", class_id=class_id)


def seat_tablet(class_id: int) -> Reply:
    """Mark a table as one that shares a single tablet, or remove the mark."""
    table = forms.number("table", 1, forms.MAX_ID)
    try:
        seating.at_one_tablet(class_id, table, forms.flag("shared"))
    except Refused as refused:
        return _seats(class_id, problem=sentences.sentence(refused)), sentences.status(refused)
    return see_other("teach.seats", class_id=class_id, _anchor=f"plan-{table}")


def start_tables(class_id: int) -> Response:
    seating.start_all(class_id, g.who.adult_id)
    return see_other("teach.live", class_id=class_id)


def seat_and_start(class_id: int) -> Response:
    """Seat everybody who has no seat yet, and start all tables."""
    lessons.seat_and_start(class_id, g.who.adult_id)
    return see_other("teach.live", class_id=class_id)


def clear_seats(class_id: int) -> Response:
    seating.clear(class_id)
    return see_other("teach.seats", class_id=class_id)


def _seats(
    class_id: int,
    child_id: int | None = None,
    problem: str = "",
    errors: Mapping[str, str] = MappingProxyType({}),
) -> str:
    page, plan = overview.class_page(class_id), seating.plan(class_id)
    everybody = [*plan.loose, *(f for t in plan.tables for f in t.seats if f and f.child_id)]
    return render(
        "pages/teach/seats.html",
        here="seats",
        school_class=ShownClass(class_id, page.name),
        page=page,
        plan=plan,
        how=request.values.get("how", seating.MIXED),
        groups=bool(seating.groups_of(class_id)),
        planned=bool(lessons.plan_of(class_id)),
        chosen=next((f for f in everybody if f.child_id == child_id), None),
        typed=request.form.to_dict() if errors else {},
        errors=forms.blank(errors),
        done=forms.done(DONE),
        problem=problem,
    )


# ---- the projector page


def board(class_id: int) -> str:
    """Show the class code, and the tables as anyone in the room may see them."""
    overview.looked(g.who.adult_id, "class", class_id)
    return _projector("pages/teach/board.html", live_class.live_class(class_id))


def board_events(class_id: int) -> Response:
    _opened("class", class_id)
    room = live_class.live_class(class_id)
    shown = (room.code, room.paused, _room_tables(room))
    return pages.stream_message(
        pages.mark_of(shown), lambda: _projector("partials/teach/board.html", room)
    )


def _room_tables(room: LiveClass) -> tuple[RoomTable, ...]:
    return tuple((t.number, t.game, t.pond, t.tide, t.seats) for t in room.tables)


def _projector(template: str, room: LiveClass) -> str:
    link = url_for("auth.class_link", code=room.code, _external=True) if room.code else ""
    return render(
        template,
        class_id=room.class_id,
        name=room.name,
        code=room.code,
        pause=room.paused,
        tables=_room_tables(room),
        games=filters.game_names(),
        qr=charts.qr(hosts.for_tablets(link)) if link else "",
        address=board_address(),
    )


# ---- one table


def watch(round_id: int) -> Response | str:
    """Show one table during play, as a watcher sees it or with all hands open."""
    overview.looked(g.who.adult_id, "round", round_id)
    if _wants_all() and not _may_all(round_id):
        return see_other("teach.watch", round_id=round_id)
    return _watch("pages/teach/watch.html", round_id)


def watch_events(round_id: int) -> Response:
    if _wants_all() and not _may_all(round_id):
        raise NotFound("round")
    _opened("round", round_id)
    mark = "-".join(map(str, rounds.version(round_id)))
    return pages.stream_message(mark, lambda: _watch("partials/teach/watch.html", round_id))


def watch_hands(round_id: int) -> Response:
    """Open all hands of this table for one sitting of the adult, and record it in the audit log."""
    overview.looked(g.who.adult_id, "round", round_id, LIVE_HANDS)
    return see_other("teach.watch", round_id=round_id, view=ALL)


def _opened(thing: str, thing_id: int) -> None:
    """Record a look when a stream is opened, but not at the stream's later requests."""
    if "fishschool.again" not in request.environ:
        overview.looked(g.who.adult_id, thing, thing_id)


def _wants_all() -> bool:
    return request.args.get("view") == ALL


def _may_all(round_id: int) -> bool:
    return overview.opened(g.who.adult_id, "round", round_id, LIVE_HANDS)


def _watch(template: str, round_id: int) -> str:
    played = overview.round_page(round_id, g.who.adult_id)
    view = ALL if _wants_all() else "watch"
    table = rounds.table(round_id, TEACHER if view == ALL else WATCHER)
    return render(
        template,
        here="live",
        school_class=ShownClass(played.class_id, played.class_name),
        r=replay_view(table, table, view, 0),
        game=filters.table_game(table),
        over=table.over,
    )
