"""The pages of a child's table, and of a moment that the teacher dealt. The seat (`g.owned`) comes
from the session and the database, never from a form, and services/table/rounds.py decides what that
seat may see. The messages of all streams of a table are made together, if possible with only the
parts that changed."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.engine.actions import Action, IllegalAction, InvalidAction
from classroom.engine.record import action_from_json
from classroom.services.access import sessions
from classroom.services.access.sessions import AtTable
from classroom.services.base.errors import NotFound, NotNow, OutOfDate
from classroom.services.lesson import gatherings, moments, open_tables
from classroom.services.operation import background
from classroom.services.quiz import posing, question_settings
from classroom.services.quiz.posing import Put
from classroom.services.table import help, matches, offers, rounds, stand_ins
from classroom.services.table.rounds import LATEST, ViewedTable
from classroom.web.child.choosing import NOTHING_SELECTED, Selection
from classroom.web.child.helping import Help, Tag, help_view
from classroom.web.child.play_questions import question_view
from classroom.web.child.table_view import Seat, TableView, table_view
from classroom.web.http import forms, guards, pages
from classroom.web.http.forms import InvalidForm
from classroom.web.http.pages import lead, render, see_other
from classroom.web.http.permissions import PERMISSIONS
from classroom.web.words import language

NOTICES: Final = {  # the notice that a child sees, by the engine's reason
    "round_over": "over",
    "rank_not_held": "not_held",
    "cards_not_held": "not_held",
    "ask_self": "own_seat",
    "empty_hand": "empty_target",
}
REFUSALS: Final = (OutOfDate, NotNow, IllegalAction, InvalidAction, InvalidForm)
_MOVES = re.compile("[0-9]{1,9}")


# ---- going to a table


def start() -> Response:
    game = forms.choice("game", offers.offered(g.who.class_id), "classic")
    child_id, at_home, new = g.who.child_id, g.who.at_home, forms.flag("new")
    if open_tables.pause_of(child_id, at_home=at_home):
        return see_other("play.home")
    if at_home:
        mine = matches.sit_down(child_id, game, new=new, at_home=True)
        return see_other("play.table", round_id=mine)
    try:
        round_id = gatherings.tap_game(child_id, game, new=new)
    except NotNow:  # the lesson was paused in the meantime
        return see_other("play.home")
    return see_other("play.table", round_id=round_id) if round_id else see_other("play.friends")


def how(key: str) -> str:
    """The page that shows how a game is played. `round` in the URL: the round to go back to."""
    back, who = request.args.get("round", type=int), g.who
    if back is not None and rounds.seat_of(back, who.child_id, at_home=who.at_home) is None:
        back = None
    can_play, offer = key in offers.offered(who.class_id), offers.find(who.class_id, key)
    rules = offer.rules or offer.game.rules
    if back is not None:
        rules = rounds.table(back, rounds.WATCHER).observation.rules
    tidal = rules.end_tide is not None
    return render("pages/child/how.html", offer=offer, can_play=can_play, back=back, tidal=tidal)


def practice(key: str) -> Response:
    return see_other(
        "play.table", round_id=matches.start_practice(g.who.child_id, key, at_home=g.who.at_home)
    )


def again(round_id: int) -> Response:
    """Start the next round: at once for a child alone, with friends when they are ready. After a
    round that began with a moment, go back to the lesson."""
    table, child_id = _table(round_id), g.who.child_id
    if table.begun:
        return redirect(next_page(), code=303)
    if not table.around.shared:
        return see_other(
            "play.table", round_id=matches.next_round(table.match_id, child_id, after=table.number)
        )
    try:
        next_id = gatherings.again(round_id, child_id)
    except NotNow as error:
        return _shown(round_id, 409, None, error.code)
    return see_other("play.table", round_id=next_id) if next_id else see_other("play.friends")


# ---- the table


def table(round_id: int) -> str:
    """The whole page of a table. Without scripts, its URL contains the taps so far."""
    shown = _table(round_id)
    background.remind(shown)
    # The question waiting for an answer or, without scripts, the one just answered correctly.
    answered = request.args.get("answered", type=int)
    if answered is not None:
        put = posing.found(round_id, g.who.child_id, answered)
    else:
        put = posing.open_now(round_id, g.who.child_id, g.owned)
    return _page(shown, seen=last_seen(), chosen=taps_so_far(), put=put)


def last_seen() -> int | None:
    """The number of the last move that the page has shown, None for a first look."""
    return request.args.get("seen", type=int)


def taps_so_far() -> Selection:
    """The taps so far; a second tap on the same trait or card undoes the first."""
    given = request.args
    return Selection(
        class_=given.get("class"),
        target=given.get("target"),
        fan=given.get("card"),
        traits=_toggled(given.getlist("trait")),
        cards=_toggled(given.getlist("take")),
    )


def _toggled(taps: list[str]) -> tuple[str, ...]:
    return tuple(tap for tap in dict.fromkeys(taps) if taps.count(tap) % 2)


def table_part(round_id: int) -> Response:
    """The table alone, for a browser without a stream: 304 if nothing has changed."""
    now = pages.mark(*guards.numbers_here())
    return pages.part(now, lambda: _part(_table(round_id), last_seen()))


def events(round_id: int) -> Response:
    """The first message of the table's stream, or a later one that `messages` does not make."""
    keep()
    if pages.last_mark() == pages.mark(*guards.numbers_here()):
        return pages.nothing_new()
    return message(_table(round_id))


def message(shown: ViewedTable) -> Response:
    """The stream's message with this table, for the page that sent the request."""
    moves = pages.last_mark().partition("-")[0]
    seen = int(moves) if _MOVES.fullmatch(moves) else last_seen()
    now = pages.mark(shown.seq, shown.around.changes)
    last = pages.mark(seen or 0, shown.around.changes)
    keeps = "told" in request.args and pages.last_mark() == last
    return pages.stream_message(now, lambda: _news(shown, seen) if keeps else _part(shown, seen))


# ---- moves


def ask(round_id: int) -> Response:
    return _move(round_id, {"type": "ask"})


def act(round_id: int) -> Response:
    """Make a move that is not an ask, in games that have such moves."""
    return _move(round_id, {"type": request.form.get("type", "")})


def _move(round_id: int, data: dict[str, Any]) -> Response:
    seen = None
    try:
        seen = forms.number("seen", 0, 10**6)
        action, key = action_of(data), forms.key()
        played = rounds.play(round_id, g.owned, action, key, seen)
    except REFUSALS as error:
        if isinstance(error, OutOfDate):
            stand_ins.back(round_id, g.owned)  # a tap shows that the child is back
        notice, status = why_not(error)
        return _shown(round_id, status, seen, notice)
    if forms.by_htmx():
        keeps = "HX-Told" in request.headers
        body = _news(played, seen, was_mine=True) if keeps else _part(played, seen)
        answer = Response(body, mimetype="text/html")
        answer.headers["Last-Event-ID"] = pages.mark(played.seq, played.around.changes)
        return answer  # with the table's mark, so that the stream does not send this table again

    # A page without scripts cannot ask for a question by itself.
    posing.put(round_id, g.who.child_id, g.owned, played.seq)
    return see_other("play.table", round_id=round_id, seen=seen)


def why_not(error: Exception) -> tuple[str, int]:
    """The notice that a child sees when a move is refused, and the HTTP status."""
    match error:
        case IllegalAction():
            return NOTICES.get(error.reason, error.reason), 422
        case OutOfDate() | NotNow():  # NotNow: the table is paused
            return error.code, 409
    return "invalid", 400


def action_of(data: dict[str, Any]) -> Action:
    """The action that a form sends: its type (in `data`) and its fields. Raises InvalidAction."""
    fields = request.form
    for name in ("class", "bait", "answer", "card"):
        if fields.get(name):
            data[name] = fields[name][:20]
    for name in ("target", "number"):
        if re.fullmatch(r"[0-9]{1,2}", fields.get(name, "")):
            data[name] = int(fields[name])
    if fields.get("target") == "all":
        data["target"] = "all"
    if fields.get("show") in ("yes", "no"):
        data["show"] = fields["show"] == "yes"
    if "cards" in fields:
        data["cards"] = tuple(fields["cards"][:100].split())
    return action_from_json(data)


# ---- help


def hint(round_id: int) -> Response | str:
    try:
        step = help.hint(round_id, g.owned)
    except NotNow as error:
        return _instead(round_id, error)
    shown = _table(round_id)
    said = help_view(step, shown.observation, shown.look)
    if forms.by_htmx():
        return render("partials/child/hint.html", t=table_view(shown), hint=said)
    return _page(shown, hint=said)


def board(round_id: int) -> Response | str:
    try:
        help.opened_board(round_id, g.owned)
    except NotNow as error:
        return _instead(round_id, error)
    return render(
        "partials/child/board.html" if forms.by_htmx() else "pages/child/board.html",
        t=table_view(_table(round_id), opened=True),
        few=help.plain_board(g.who.child_id),
    )


def _instead(round_id: int, error: NotNow) -> Response:
    """The whole table with a notice, in place of help that is not available now."""
    answer = _shown(round_id, 409, None, error.code)
    answer.headers["HX-Retarget"], answer.headers["HX-Reswap"] = "#table", "outerMorph"
    return answer


# ---- rendering


def _table(round_id: int) -> ViewedTable:
    return rounds.table(round_id, g.owned)


def _part(shown: ViewedTable, seen: int | None, notice: str | None = None) -> str:
    return _whole(table_view(shown, seen), notice)


def _whole(t: TableView, notice: str | None = None) -> str:
    key = secrets.token_urlsafe(12)
    return render("partials/child/table.html", hint=None, t=t, key=key, notice=notice)


def _news(shown: ViewedTable, seen: int | None, *, was_mine: bool = False) -> str:
    """The parts that have changed since move `seen`; the whole table if parts are not enough."""
    t = table_view(shown, seen)
    news = None if seen is None else told_parts(shown, t, was_mine=was_mine)
    if news is None:
        return _whole(t)
    return render("partials/child/told.html", told=news, key=secrets.token_urlsafe(12))


def _page(
    shown: ViewedTable,
    *,
    seen: int | None = None,
    notice: str | None = None,
    hint: Help | None = None,
    chosen: Selection = NOTHING_SELECTED,
    put: Put | None = None,
) -> str:
    return render(
        "pages/child/table.html",
        t=table_view(shown, seen, chosen),
        q=question_view(put, shown) if put else None,
        asks=question_settings.asks(g.who.child_id, at_home=g.who.at_home),
        key=secrets.token_urlsafe(12),
        notice=notice,
        hint=hint,
    )


def _shown(round_id: int, status: int, seen: int | None, notice: str) -> Response:
    shown = _table(round_id)
    body = _part(shown, seen, notice) if forms.by_htmx() else _page(shown, seen=seen, notice=notice)
    return Response(body, status=status, mimetype="text/html")


def next_page() -> str:
    """The URL of the moment that waits for the child, else of the round, else of the home page."""
    waiting = moments.waiting_for(g.who.child_id, g.who.class_id)
    if waiting is not None:
        return url_for("play.moment", moment_id=waiting)
    going_on = matches.current_round(g.who.child_id)
    return url_for("play.table", round_id=going_on) if going_on else url_for("play.home")


# ---- A moment that the teacher dealt to the class
#
# The child is told the earlier asks, answers with an ask, and sees the outcome.

MOMENT_PAGE: Final = "pages/child/moment.html"
MOMENT_PART: Final = "partials/child/moment.html"


def moment(moment_id: int) -> Response | str:
    """The page of a moment. It first shows the table as it was before the asks that the children
    are told about; `moment_part` then brings it up to date. Once the moment is over, redirect."""
    try:
        table, answered = moments.met_by(g.who.class_id, moment_id, g.who.child_id)
        if not (answered or request.args):
            table = moments.before(g.who.class_id, moment_id)
        return _moment(MOMENT_PAGE, moment_id, table, answered=answered, taps=taps_so_far())
    except NotFound:
        return lead(next_page())


def moment_part(moment_id: int) -> Response:
    """The moment's table as it is now: 304 if nothing has changed, 410 once the moment is over."""
    try:
        table, answered = moments.met_by(g.who.class_id, moment_id, g.who.child_id)
    except NotFound:
        return Response(status=410)
    return pages.part(
        pages.mark_of((moment_id, table.seq)),
        lambda: _moment(MOMENT_PART, moment_id, table, answered=answered, since=last_seen()),
    )


def moment_ask(moment_id: int) -> Response:
    """Answer with an ask. Go to the round if the child plays on, or show why the ask is refused."""
    notice, status, since = None, 200, None
    try:
        since = forms.number("seen", 0, 10**6)
        action = action_of({"type": "ask"})
        round_id = moments.answer(g.who.class_id, moment_id, g.who.child_id, action)
        if round_id is not None:
            return lead(url_for("play.table", round_id=round_id, seen=since))
    except (IllegalAction, InvalidAction, InvalidForm) as error:
        notice, status = why_not(error)
    except NotFound:
        return lead(next_page())
    if not forms.by_htmx() and not notice:
        return see_other("play.moment", moment_id=moment_id)
    table, answered = moments.met_by(g.who.class_id, moment_id, g.who.child_id)
    template = MOMENT_PART if forms.by_htmx() else MOMENT_PAGE
    body = _moment(template, moment_id, table, answered=answered, since=since, notice=notice)
    return Response(body, status=status, mimetype="text/html")


def _moment(
    template: str,
    moment_id: int,
    table: ViewedTable,
    *,
    answered: bool,
    since: int | None = None,
    taps: Selection = NOTHING_SELECTED,
    notice: str | None = None,
) -> str:
    return render(
        template,
        moment_id=moment_id,
        t=table_view(table, since, taps),
        key=f"moment-{moment_id}",
        onward=next_page() if answered else None,
        notice=notice,
    )


# ---- The messages of all streams of one table, made together
#
# The first request of a stream goes through every check to the page's own route, which keeps what
# later messages need (`keep`). Later messages are made together (`messages`): one statement finds
# the sessions and seats of all streams, and the table is read once. A stream still ends when its
# session has ended, and each message shows only what the session's own seat may see. If it is not
# clear that the guard would let a request in, the page's own route has to answer it.

Environ = Mapping[str, Any]
KEPT_NEWS: Final = "fishschool.kept"  # environ key for a dict that all requests of a stream share
ROUTE: Final = "play.events"  # the route of a table's stream


@dataclass(frozen=True, slots=True)
class KeptNews:
    """What later messages of a stream need from its first request. `environ`: the request as the
    route got it, after the headers of any proxy were applied."""

    environ: Environ
    token: str
    device: str


@dataclass(frozen=True, slots=True)
class Listener:
    """A stream whose session may see the table now. `last`: the mark of the last message that the
    page got; `now`: the mark of the table."""

    kept: KeptNews
    round_id: int
    at: AtTable
    seat: int
    last: str
    now: str


def keep() -> None:
    """Keep what later messages need if a stream sends this request. Nothing is kept for a browser
    that is only now getting its device name, because its forms are valid only with that name."""
    kept = request.environ.get(KEPT_NEWS)
    if kept is not None and not g.new_device:
        for_once = (KEPT_NEWS, "werkzeug.request")
        own = {name: value for name, value in request.environ.items() if name not in for_once}
        kept[ROUTE] = KeptNews(own, g.token, g.device)


def messages(app: Flask, round_id: int, asked: Sequence[Environ]) -> list[bytes | None]:
    """Answer these requests, which come from streams of one table. Returns a message for each, or
    None where the page's own route has to answer."""
    with app.app_context():
        language.choose()
        # `kept` and `listeners` also hold None for each request that the page's own route answers.
        kept = [environ.get(KEPT_NEWS, {}).get(ROUTE) for environ in asked]
        here = sessions.at_table(round_id, {one.token for one in kept if one})
        listeners = [
            _listener(round_id, one, here.get(one.token), environ) if one else None
            for one, environ in zip(kept, asked, strict=True)
        ]
        behind = {one.seat for one in listeners if one and one.last != one.now}
        shown = rounds.seen_from(round_id, behind) if behind else {}
    return [_message(app, one, shown) if one else None for one in listeners]


def _listener(
    round_id: int, kept: KeptNews, at: AtTable | None, environ: Environ
) -> Listener | None:
    if at is None or at.seat is None or at.numbers is None:
        return None
    if at.who.kind not in PERMISSIONS[ROUTE].who:
        return None
    last = environ.get("HTTP_LAST_EVENT_ID", "")
    return Listener(kept, round_id, at, at.seat, last, pages.mark(*at.numbers))


def _message(app: Flask, to: Listener, shown: Mapping[int, ViewedTable]) -> bytes:
    if to.last == to.now:
        return pages.NOTHING_NEW
    with app.request_context({**to.kept.environ, "HTTP_LAST_EVENT_ID": to.last}):
        g.token, g.device, g.new_device = to.kept.token, to.kept.device, False
        g.who, g.owned, g.at_table = to.at.who, to.seat, (to.round_id, to.at)
        language.choose(g.who.language)
        return message(shown[to.seat]).get_data()


# ---- News of a table in place of the whole table: what happened, and the parts that changed
#
# The news is made from an Observation, like the whole picture, and drawn by the same macros. The
# page puts the parts into the last picture that it was sent (scripts/child/parts.js). Then it shows
# the same picture as if the whole table had been sent (tests/browser/test_told.py). The whole
# picture is sent if parts are not enough.

TALK: Final = frozenset("asked gofish howmany named thought passed lamp tide turn".split())
"""The kinds of step in which no card moves."""
FISHING: Final = frozenset(("fished", "refilled", "replaced"))
COUNTED: Final = frozenset(("book", "claimed", "tide"))
"""The kinds of step that change the path or the shared shell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldParts:
    """What happened after move `t.since`. `turn`: whether to draw everything that belongs to a
    turn, because it is the viewer's turn or was in the page's last picture. `seats`: the other
    players to draw; `me`: whether to draw the viewer; `tags`: the asks that are new or newly
    answered, newest first. `hand`, `pond`, `path` and `lamp` (of a tide): whether to draw these."""

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
    """The parts for a page that has shown `t.since` moves; None if it needs the whole picture. `t`:
    the table to show now; `was_mine`: whether the last picture may show the viewer's turn."""
    if t.stem or t.do.extras or not _can_be_told(table, t.since):
        return None
    kinds = {step.kind for step in t.steps}
    touched = {seat for step in t.steps for seat in (step.seat, step.other)}
    touched.add(table.observation.turn)
    me = t.me.seat
    turn = was_mine or t.my_turn
    # The tags of new asks, and of an earlier ask that has just been answered.
    answers = bool(t.steps) and t.steps[0].kind not in ("asked", "thought")
    tags = t.line[: sum(tag.seq > t.since for tag in t.line) + answers]
    return ToldParts(
        t=t,
        turn=turn,
        seats=t.ring if turn else tuple(s for s in t.ring if s.seat in touched),
        me=turn or me in touched,
        tags=tags,
        hand=turn or any(me in (s.seat, s.other) for s in t.steps if s.kind not in TALK),
        pond=not kinds.isdisjoint(FISHING),
        lamp=t.tide is not None and (turn or not kinds.isdisjoint(("lamp", "turn"))),
        path=not kinds.isdisjoint(COUNTED),
    )


def _can_be_told(table: ViewedTable, since: int) -> bool:
    """Whether the round goes on, and the page has not missed more moves than it can replay."""
    seen, around = table.observation, table.around
    rests = around.paused or around.asleep or around.called
    introduces = table.number == 1 and table.seq < seen.seats  # the page introduces friends
    goes_on = not (seen.over or rests or introduces or table.practice)
    return goes_on and seen.seq - LATEST <= since < seen.seq
