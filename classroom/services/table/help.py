"""Help at the table: steps of the hint ladder and looks at the board, both recorded."""

from __future__ import annotations

from math import inf
from typing import Any, Final

from sqlalchemy import case, func, insert, select, update

from classroom.database import db, write_unit
from classroom.engine import observe
from classroom.engine.asks import is_lit
from classroom.learning.skills import AGE_BANDS
from classroom.minds.board import OPEN, PEEK_SECONDS
from classroom.minds.hints import EVIDENCE, LAST_STEP, Hint, hint as hint_at, shown_fact
from classroom.models import ChildRound, HelpTaken
from classroom.services.base import clock
from classroom.services.base.errors import NotNow
from classroom.services.table import choices, stand_ins, states
from classroom.services.table.states import Live, Sitter

PAUSE: Final = 1.5  # seconds before another tap gives the next step, so that no child rushes


def hint(round_id: int, seat: int) -> Hint:
    """Give and record the next step of help for this seat's move; from step 2 on the move is aided.
    Two taps within PAUSE give one step. Raises NotNow("no_hints") if an adult turned hints off,
    NotNow("not_your_turn"), NotFound."""
    with write_unit():
        live = states.read(round_id, lock=True)
        player = live.facts.players[seat]
        if not player.hints:
            raise NotNow("no_hints")
        if live.state.turn != seat:
            raise NotNow("not_your_turn")
        step, taken_at = _last(live, player, "hint")
        if step < LAST_STEP and clock.now() - taken_at >= PAUSE:
            step += 1
            seen = observe(live.state, seat)
            about = shown_fact(seen, live.fold.remembered(seen)) or ()
            _record(live, player, "hint", step, list(about))
    stand_ins.touched(round_id, live.facts.children[seat])
    return hint_at(observe(live.state, seat), step)


def opened_board(round_id: int, seat: int) -> None:
    """Record and count this seat's look at the board. Another look before the same move counts only
    after the board has closed by itself. Raises NotNow("no_board") if the board is off or unlit."""
    with write_unit():
        live = states.read(round_id, lock=True)
        player = live.facts.players[seat]
        dark = live.state.tide is not None and player.board != OPEN and not is_lit(live.state)
        if player.board == "off" or dark:
            raise NotNow("no_board")
        _, looked_at = _last(live, player, "board")
        if clock.now() - looked_at >= PEEK_SECONDS:
            _record(live, player, "board", 0)
    stand_ins.touched(round_id, live.facts.children[seat])


def plain_board(child_id: int) -> bool:
    """Whether the child is so young that the board shows only asks. Raises NotFound."""
    return choices.of_child(child_id).age_band == AGE_BANDS[0]


# ---- replay


Taken = tuple[int, int, int]
"""Help that a child took before a move: the child's seat, the highest hint step (0: none), and the
number of looks at the board."""


def taken(round_id: int) -> dict[int, tuple[Taken, ...]]:
    """The help that children took before each move, by the number of the move."""
    each = HelpTaken.seq, ChildRound.seat
    looked = func.sum(case((HelpTaken.kind == "board", 1), else_=0))
    rows = (
        select(*each, func.max(HelpTaken.step), looked)
        .join(ChildRound, ChildRound.child_id == HelpTaken.child_id)
        .where(ChildRound.round_id == round_id, HelpTaken.round_id == round_id)
        .group_by(*each)
        .order_by(*each)
    )
    found: dict[int, tuple[Taken, ...]] = {}
    for seq, seat, step, looks in db.session.execute(rows):
        found[seq + 1] = (*found.get(seq + 1, ()), (seat, step, int(looks)))
    return found


def grounds(round_id: int, move: int, seat: int) -> Hint:
    """The evidence step of the hint ladder before this move, even if no child asked for it. It is
    worked out again from the moves, which never change."""
    _, state = states.folded_to(round_id, move - 1)
    return hint_at(observe(state, seat), EVIDENCE)


# ---- within a write unit


def _last(live: Live, player: Sitter, kind: str) -> tuple[int, float]:
    """The highest step at this move, and when help was last taken; (0, -inf) without help."""
    helps = select(func.max(HelpTaken.step), func.max(HelpTaken.at))
    helps = helps.filter_by(round_id=live.facts.round_id, child_id=player.child_id)
    step, at = db.session.execute(helps.filter_by(seq=live.seq, kind=kind)).one()
    return step or 0, -inf if at is None else at


def _record(
    live: Live, player: Sitter, kind: str, step: int, about: list[Any] | None = None
) -> None:
    whose = {"round_id": live.facts.round_id, "child_id": player.child_id}
    row = {"seq": live.seq, "kind": kind, "step": step, "about": about, "at": clock.now()}
    db.session.execute(insert(HelpTaken).values(whose | row))
    count = ChildRound.hints if kind == "hint" else ChildRound.peeks
    counted = update(ChildRound).filter_by(**whose).values({count.key: count + 1})
    db.session.execute(counted.execution_options(synchronize_session=False))
