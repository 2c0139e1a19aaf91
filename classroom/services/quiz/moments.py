"""When a question may come to a child, and how other children's pages learn that it is thinking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

from sqlalchemy import bindparam, func, select, update

from classroom.database import db
from classroom.engine import events as ev
from classroom.engine.observation import Observation
from classroom.learning.schedule import NATURAL, NATURAL_PACE, Asking, Moment, is_due
from classroom.models import Player, QuestionRow, Round
from classroom.services.base import notices
from classroom.services.table import states

Due = Literal["chosen", "natural"]
"""Whether a question is chosen by the schedule or is one that the game itself asks."""

_rounds, _players = Round.__table__.c, Player.__table__.c
_CHANGED = (
    update(Round.__table__)
    .where(
        _rounds.id == bindparam("round"),
        select(func.count())
        .where(_players.match_id == _rounds.match_id, _players.child_id.is_not(None))
        .scalar_subquery()
        > 1,
    )
    .values(changes=_rounds.changes + 1)
    .returning(_rounds.id)
)


def own_turns(table: Observation) -> int:
    """How many turns the viewer has begun."""
    passed = [item.event for item in table.history if isinstance(item.event, ev.TurnPassed)]
    first = passed[0].seat if passed else table.turn
    return sum(event.to == table.viewer for event in passed) + (first == table.viewer)


def moment_of(table: Observation) -> Moment:
    """The kind of moment: the viewer's turn, right after its catch, a wait, or the end of the
    round."""
    if table.over or table.turn != table.viewer:
        return "end" if table.over else "waiting"
    newest = (item.event for item in reversed(table.history) if item.seq == table.seq)
    caught = any(isinstance(event, ev.Gave) and event.taker == table.viewer for event in newest)
    return "caught" if caught else "turn"


def suits(moment: Moment, table: Observation, *, shared: bool) -> bool:
    """Whether a question may come at this moment at all: not before the first ask of the round, and
    at a table with other children only while others move or after the round, so that no one waits
    for an answer."""
    began = any(isinstance(item.event, ev.Asked) for item in table.history)
    return began and (not shared or moment in ("waiting", "end"))


def due(
    moment: Moment,
    table: Observation,
    wish: Asking,
    before: Sequence[QuestionRow],
    lot: Random,
    *,
    shared: bool,
) -> Due | None:
    """Say which kind of question is due now, if any. One lot is drawn for each turn; it also
    decides whether the question comes before the child's move or while others move. Another lot is
    drawn when the child has made a catch.

    A question that the game itself asks interrupts nothing: it prevents another one in the same
    turn, but does not delay those of later turns.
    """
    turn = own_turns(table)
    put_off = (row.turn for row in before if row.turn == turn or row.item["kind"] not in NATURAL)
    since = turn - max(put_off, default=0)
    if moment == "end":
        return "chosen" if is_due(wish.frequency, max(1, since), lot, moment) else None
    if since < 1:
        return None
    place, natural = lot.choice(("turn", "waiting")), lot.random()
    chosen = moment != "caught" and (shared or place == moment)
    if chosen and is_due(wish.frequency, since, lot, moment):
        return "chosen"
    at_turn = moment == "turn"  # what the game itself asks comes after the child has moved
    return "natural" if not at_turn and natural < NATURAL_PACE[wish.frequency] else None


def nothing() -> None:
    """Do nothing: the function to call when there is nothing to tell."""


def count_change(round_id: int) -> Callable[[], None]:
    """At a table with other children, count a change, because their pages show who is thinking
    about a question. Returns the function that tells those pages; call it after the commit."""
    if db.session.execute(_CHANGED, {"round": round_id}).first() is None:
        return nothing

    def tell() -> None:
        live = states.read(round_id)
        notices.table(round_id, live.seq, live.facts.lesson.class_id)

    return tell
