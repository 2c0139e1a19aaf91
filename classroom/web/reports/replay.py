"""Step through a finished round, as any seat saw it or with all hands open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.engine.observation import TEACHER
from classroom.services.reports import overview
from classroom.services.reports.figures import RoundPage
from classroom.services.table import help, rounds
from classroom.web.http import forms
from classroom.web.http.pages import Page, ShownClass, Tab, TeacherPage, render
from classroom.web.reports.replay_view import ALL, ReplayView, replay_view
from classroom.web.words import filters

HANDS = "all_hands"  # the audit log's word for opening all hands
MOST_MOVES = 100_000


@dataclass(frozen=True, kw_only=True)
class ReplayPart(Page):
    """One move of a finished round. `play`: whether the next move follows by itself. `home`: id and
    name of the child to go back to. `stood_in`: moves that a computer friend made for a child."""

    template = "partials/teach/replay.html"
    school_class: ShownClass
    r: ReplayView
    play: bool
    game: str
    started_at: float
    home: tuple[int, str] | None
    has_sure: bool
    has_help: bool
    stood_in: Collection[int]


@dataclass(frozen=True, kw_only=True)
class ReplayPage(ReplayPart, TeacherPage):
    template = "pages/teach/replay.html"
    here: Tab = "class"


def page(round_id: int) -> str | Response:
    """One move of the replay; htmx gets only the part that changes. A round in progress has no
    replay yet, so lead to the page on which it can be watched."""
    if not rounds.is_over(round_id):
        return redirect(url_for("teach.watch", round_id=round_id), code=303)
    played = overview.round_page(round_id, g.who.adult_id)
    overview.looked(g.who.adult_id, "round", round_id)
    view = _view(played)
    move = _wanted("move")
    if view == ALL and not overview.opened(g.who.adult_id, "round", round_id, HANDS):
        return redirect(url_for("teach.replay", round_id=round_id, move=move), code=303)
    focus = _seat_of_first(played) if view == ALL else int(view)
    viewer = TEACHER if view == ALL else focus
    end = rounds.replay(round_id, viewer, rounds.seq(round_id))
    now = rounds.replay(round_id, viewer, min(move, end.seq))
    helped = _helped(round_id, view)
    why = {
        one.seat: help.grounds(round_id, now.seq, one.seat)
        for one in helped.get(now.seq, ())
        if one.step
    }
    shown = replay_view(now, end, view, focus, overview.sure_asks(round_id), helped, why)
    kind = ReplayPart if forms.by_htmx() else ReplayPage
    found = kind(
        school_class=ShownClass(played.class_id, played.class_name),
        r=shown,
        play=request.args.get("play") == "1",
        game=filters.game_names().get(played.game, played.game),
        started_at=played.started_at,
        home=_home(played, focus),
        has_sure=any(line.sure is not None for line in shown.moves),
        has_help=any(line.help for line in shown.moves),
        stood_in=overview.stood_in(round_id),
    )
    return render(found)


def all_hands(round_id: int) -> Response:
    """Open all hands of this round for this session, and record it in the audit log."""
    overview.looked(g.who.adult_id, "round", round_id, HANDS)
    move = forms.number("move", 0, MOST_MOVES, 0)
    return redirect(url_for("teach.replay", round_id=round_id, move=move, view=ALL), code=303)


def _helped(round_id: int, view: str) -> dict[int, tuple[help.Taken, ...]]:
    """By move, the help that was taken by the seat whose view it is or, with all hands open, by any
    seat."""
    taken = help.taken(round_id).items()
    shown = {m: tuple(one for one in some if view in (ALL, str(one.seat))) for m, some in taken}
    return {move: some for move, some in shown.items() if some}


def _view(played: RoundPage) -> str:
    """The seat whose view it is, as text, or "all"; by default the first child's seat."""
    wanted = request.args.get("view", "")
    if wanted == ALL:
        return ALL
    seats = {str(seat) for seat in range(played.seats)}
    return wanted if wanted in seats else str(_seat_of_first(played))


def _wanted(field: str) -> int:
    """The number of a move in the address; 0, the deal, for anything else."""
    value = request.args.get(field, "")
    return min(int(value), MOST_MOVES) if value.isascii() and value.isdecimal() else 0


def _seat_of_first(played: RoundPage) -> int:
    return played.children[0][0] if played.children else 0


def _home(played: RoundPage, focus: int) -> tuple[int, str] | None:
    """Id and name of the child to go back to: the one whose view it is, else the first."""
    found = [child for child in played.children if child[0] == focus] or list(played.children)
    return (found[0][1], found[0][2]) if found else None
