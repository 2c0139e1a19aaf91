"""The pages of a child's table. The seat comes from the session and the database, never from a
form; what it may see is decided elsewhere."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Any, Final

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.engine.actions import Action, IllegalAction, InvalidAction
from classroom.engine.record import action_from_json
from classroom.services.base.errors import NotNow, OutOfDate
from classroom.services.lesson import gatherings, moments, open_tables
from classroom.services.operation import background
from classroom.services.quiz import posing, question_settings
from classroom.services.quiz.posing import Put
from classroom.services.table import help, matches, offers, rounds, stand_ins
from classroom.services.table.offers import Offer
from classroom.services.table.tables import ViewedTable
from classroom.web.child import news
from classroom.web.child.choosing import NOTHING_SELECTED, Selection
from classroom.web.child.helping import Help, help_view
from classroom.web.child.news import ToldParts, mark, told_parts
from classroom.web.child.play_questions import QuestionView, question_view
from classroom.web.child.table_view import TableView, table_view
from classroom.web.http import forms, guards, pages
from classroom.web.http.forms import InvalidForm
from classroom.web.http.pages import Page, render

NOTICES: Final = {  # the notice that a child sees, by the engine's reason
    "round_over": "over",
    "rank_not_held": "not_held",
    "cards_not_held": "not_held",
    "ask_self": "own_seat",
    "empty_hand": "empty_target",
}
_MOVES = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, kw_only=True)
class HowPage(Page):
    """How a game is played. `can_play`: whether it is on the shelf. `back`: the round to go back
    to. `tidal`: whether all play against the pond."""

    template = "pages/child/how.html"
    offer: Offer
    can_play: bool
    back: int | None
    tidal: bool


@dataclass(frozen=True, kw_only=True)
class TablePart(Page):
    """The table. `key`: a fresh name for the next move. `notice`: why the last tap did nothing."""

    template = "partials/child/table.html"
    t: TableView
    key: str
    notice: str | None = None
    hint: Help | None = None


@dataclass(frozen=True, kw_only=True)
class TablePage(TablePart):
    """`q`: the open question. `asks`: whether the page may ask for one."""

    template = "pages/child/table.html"
    q: QuestionView | None
    asks: bool


@dataclass(frozen=True, kw_only=True)
class ToldPart(Page):
    """News of the table for a page that keeps its last picture. `key`: as in TablePart."""

    template = "partials/child/told.html"
    told: ToldParts
    key: str


@dataclass(frozen=True, kw_only=True)
class HintPart(Page):
    template = "partials/child/hint.html"
    t: TableView
    hint: Help


@dataclass(frozen=True, kw_only=True)
class BoardPart(Page):
    """`few`: whether to show only who asked whom for what and what came of it, for the youngest."""

    template = "partials/child/board.html"
    t: TableView
    few: bool


@dataclass(frozen=True, kw_only=True)
class BoardPage(BoardPart):
    template = "pages/child/board.html"


# ---- to a table


def start() -> Response:
    game = forms.choice("game", offers.offered(g.who.class_id), "classic")
    child_id, at_home, new = g.who.child_id, g.who.at_home, forms.flag("new")
    if open_tables.pause_for(child_id, at_home=at_home):
        return redirect(url_for("play.home"), code=303)
    if at_home:
        return _to_table(matches.sit_down(child_id, game, new=new, at_home=True))
    try:
        round_id = gatherings.tap_game(child_id, game, new=new)
    except NotNow:  # the lesson was paused meanwhile
        return redirect(url_for("play.home"), code=303)
    return _to_table(round_id) if round_id else redirect(url_for("play.friends"), code=303)


def how(key: str) -> str:
    """The page that shows in pictures how a game is played. `round` in the address: the round that
    the child came from."""
    back = request.args.get("round", type=int)
    at_home = g.who.at_home
    if back is not None and rounds.seat_of(back, g.who.child_id, at_home=at_home) is None:
        back = None
    can_play = key in offers.offered(g.who.class_id)
    offer = offers.find(g.who.class_id, key)
    rules = offer.rules or offer.game.rules
    if back is not None:
        rules = rounds.table(back, rounds.WATCHER).observation.rules
    tidal = rules.end_tide is not None
    return render(HowPage(offer=offer, can_play=can_play, back=back, tidal=tidal))


def practice(key: str) -> Response:
    return _to_table(matches.start_practice(g.who.child_id, key, at_home=g.who.at_home))


def again(round_id: int) -> Response:
    """Start the next round: at once for a child alone, with friends when they are ready. After one
    that began with a moment, go back to the lesson."""
    table, child_id = _table(round_id), g.who.child_id
    if table.begun:
        return redirect(next_page(), code=303)
    if not table.around.shared:
        return _to_table(matches.next_round(table.match_id, child_id, after=table.number))
    try:
        next_id = gatherings.again(round_id, child_id)
    except NotNow as error:
        return _shown(round_id, 409, None, error.code)
    return _to_table(next_id) if next_id else redirect(url_for("play.friends"), code=303)


# ---- the table


def table(round_id: int) -> str:
    """The whole page of a table. Without scripts, its address holds what was tapped so far."""
    shown = _table(round_id)
    background.remind(shown)
    put = _open_question(round_id)
    return _page(shown, seen=last_seen(), chosen=taps_so_far(), put=put)


def last_seen() -> int | None:
    """The number of the last move that the page has shown, None for a first look."""
    return request.args.get("seen", type=int)


def _open_question(round_id: int) -> Put | None:
    """The question waiting for an answer; without scripts, also the one just answered correctly."""
    answered = request.args.get("answered", type=int)
    if answered is not None:
        return posing.found(round_id, g.who.child_id, answered)
    return posing.open_now(round_id, g.who.child_id, _seat())


def taps_so_far() -> Selection:
    """What was tapped so far; a second tap on the same trait or card undoes the first."""
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
    """The table alone, for a browser without a stream: 304 while nothing is new."""
    answer = Response(mimetype="text/html")
    answer.set_etag(mark(*guards.numbers_here()))
    if request.if_none_match.contains_weak(answer.get_etag()[0] or ""):
        answer.status_code = 304
        return answer
    shown = _table(round_id)
    answer.set_etag(mark(shown.seq, shown.around.changes))
    answer.set_data(_part(shown, last_seen()))
    return answer


def events(round_id: int) -> Response:
    """One message of the table's stream; later ones are made for all streams at once (news.py)."""
    news.keep()
    if pages.last_mark() == mark(*guards.numbers_here()):
        return pages.nothing_new()
    return message(_table(round_id))


def message(shown: ViewedTable) -> Response:
    """The message with this table to the page that asks, which is the page of its viewer."""
    moves = pages.last_mark().partition("-")[0]
    seen = int(moves) if _MOVES.fullmatch(moves) else last_seen()
    now = mark(shown.seq, shown.around.changes)
    keeps = "told" in request.args and pages.last_mark() == mark(seen or 0, shown.around.changes)
    return pages.stream_message(now, lambda: _news(shown, seen) if keeps else _part(shown, seen))


# ---- moves


def ask(round_id: int) -> Response:
    return _move(round_id, {"type": "ask"})


def act(round_id: int) -> Response:
    """Make a move that is not an ask, in games that have such moves."""
    return _move(round_id, {"type": request.form.get("type", "")})


def _move(round_id: int, data: dict[str, Any]) -> Response:
    """Make the move, or show the table with a picture of why it was refused."""
    seen = None
    try:
        seen = forms.number("seen", 0, 10**6)
        action, key = action_of(data), forms.key()
        played = rounds.play(round_id, _seat(), action, key, seen)
    except OutOfDate:
        stand_ins.back(round_id, _seat())  # a tap shows that the child is back
        return _shown(round_id, 409, seen, "out_of_date")
    except IllegalAction as error:
        return _shown(round_id, 422, seen, NOTICES.get(error.reason, error.reason))
    except NotNow as error:  # the table is paused
        return _shown(round_id, 409, seen, error.code)
    except (InvalidAction, InvalidForm):
        return _shown(round_id, 400, seen, "invalid")
    if forms.by_htmx():
        keeps = "HX-Told" in request.headers
        body = _news(played, seen, was_mine=True) if keeps else _part(played, seen)
        answer = Response(body, mimetype="text/html")
        answer.headers["Last-Event-ID"] = mark(played.seq, played.around.changes)
        return answer  # with its mark, so that the page's stream need not send it again
    # A page without scripts cannot ask for a question by itself.
    posing.put(round_id, g.who.child_id, _seat(), played.seq)
    return _to_table(round_id, seen=seen)


def action_of(data: dict[str, Any]) -> Action:
    """The action in a form's fields. Raises InvalidAction."""
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


def hint(round_id: int) -> Response:
    try:
        step = help.hint(round_id, _seat())
    except NotNow as error:
        return _instead(round_id, error)
    shown = _table(round_id)
    said = help_view(step, shown.observation, shown.look)
    if forms.by_htmx():
        return Response(render(HintPart(t=table_view(shown), hint=said)), mimetype="text/html")
    return Response(_page(shown, hint=said), mimetype="text/html")


def board(round_id: int) -> Response:
    try:
        help.opened_board(round_id, _seat())
    except NotNow as error:
        return _instead(round_id, error)
    kind = BoardPart if forms.by_htmx() else BoardPage
    shown = table_view(_table(round_id), opened=True)
    found = kind(t=shown, few=help.plain_board(g.who.child_id))
    return Response(render(found), mimetype="text/html")


def _instead(round_id: int, error: NotNow) -> Response:
    """The whole table with a notice, in place of help that is not available now."""
    answer = _shown(round_id, 409, None, error.code)
    answer.headers["HX-Retarget"], answer.headers["HX-Reswap"] = "#table", "outerMorph"
    return answer


# ---- rendering


def _seat() -> int:
    """The child's seat in the round of this address, which the guard looked up."""
    seat: int = g.owned
    return seat


def _table(round_id: int) -> ViewedTable:
    return rounds.table(round_id, _seat())


def _part(shown: ViewedTable, seen: int | None, notice: str | None = None) -> str:
    key = secrets.token_urlsafe(12)
    return render(TablePart(t=table_view(shown, seen), key=key, notice=notice))


def _news(shown: ViewedTable, seen: int | None, *, was_mine: bool = False) -> str:
    """What has changed, for a page that keeps the picture of move `seen`; else the whole table."""
    news = told_parts(shown, seen, was_mine=was_mine)
    if news is None:
        return _part(shown, seen)
    return render(ToldPart(told=news, key=secrets.token_urlsafe(12)))


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
        TablePage(
            t=table_view(shown, seen, chosen),
            q=question_view(put, shown) if put else None,
            asks=question_settings.asks(g.who.child_id, at_home=g.who.at_home),
            key=secrets.token_urlsafe(12),
            notice=notice,
            hint=hint,
        )
    )


def _shown(round_id: int, status: int, seen: int | None, notice: str) -> Response:
    """The table as it is now with a notice: the part for htmx, else the whole page."""
    shown = _table(round_id)
    body = _part(shown, seen, notice) if forms.by_htmx() else _page(shown, seen=seen, notice=notice)
    return Response(body, status=status, mimetype="text/html")


def next_page() -> str:
    """The moment that waits for the child, else its round in progress, else its home page."""
    waiting = moments.waiting_for(g.who.child_id, g.who.class_id)
    if waiting is not None:
        return url_for("play.moment", moment_id=waiting)
    going_on = matches.current_round(g.who.child_id)
    return url_for("play.table", round_id=going_on) if going_on else url_for("play.home")


def _to_table(round_id: int, **values: Any) -> Response:
    return redirect(url_for("play.table", round_id=round_id, **values), code=303)
