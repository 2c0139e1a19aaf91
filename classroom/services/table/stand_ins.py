"""Stand-ins: while a child is away a computer player plays for its seat.

It does so only if another child is waiting; a child alone with computer players may take as long as
it likes. Its moves are marked `stand_in` in the log and never count as the child's. Everything it
needs is in the database, so it goes on after a restart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sqlalchemy import update

from classroom.database import db, write_unit
from classroom.models import Round
from classroom.services.base import clock, notices
from classroom.services.base.errors import EarlierRules
from classroom.services.table import states, time_limit
from classroom.services.table.sitters import Sitter
from classroom.services.table.states import Facts, Lesson, Live

STAND_IN: Final = "stand_in"  # the `played_by` of a stand-in's moves in the log
NUDGE_AFTER: Final = 30  # seconds into a child's turn before its device reminds it
STAND_IN_AFTER: Final = 60  # seconds into a child's turn before a stand-in plays


def times(lesson: Lesson) -> tuple[int, int]:
    """Seconds until the nudge and until the stand-in, as the teacher has set them."""
    return lesson.nudge_after or NUDGE_AFTER, lesson.stand_in_after or STAND_IN_AFTER


def wait_for(live: Live, seat: int, at: float) -> float | None:
    """Seconds until the computer plays for this seat if it stays silent; None if the computer will
    not, since nobody is waiting.

    Counted from the last move, the child's last other action or the end of the class's last pause,
    whichever was latest.
    """
    facts = live.facts
    if not _is_waited_for(live, seat):
        return None
    if not is_there(live, seat) or time_limit.has_no_time(live, seat):
        return 0.0
    return max(0.0, silent_since(live) + times(facts.lesson)[1] - at)


def patience(live: Live) -> float:
    """For how many seconds after each move the worker can leave this table alone.

    If all players are children who are present and have no time limit: as long as it takes until a
    stand-in might play. Otherwise 0.
    """
    facts = live.facts
    limits = facts.lesson.minutes_a_day, *(p.minutes_a_day for p in facts.players)
    all_there = all(is_there(live, player.seat) for player in facts.players)
    return float(times(facts.lesson)[1]) if all_there and not any(limits) else 0.0


def silent_since(live: Live) -> float:
    """The time since which the table has been waiting for the seat whose turn it is."""
    return max(live.fold.last_at, live.facts.lesson.resumed_at, live.facts.returned_at)


def _is_waited_for(live: Live, seat: int) -> bool:
    """Whether another child at the table is waiting for this seat."""
    return any(other != seat and is_there(live, other) for other in live.facts.children)


def is_there(live: Live, seat: int) -> bool:
    """Whether a child is playing this seat itself."""
    return seat in live.facts.children and seat not in live.facts.away | live.state.out


def sitter(facts: Facts, seat: int) -> Sitter:
    """The stand-in for this seat, at the level of the table's computer players or the weakest."""
    levels = [player.level for player in facts.players if player.level is not None]
    return replace(facts.players[seat], level=levels[0] if levels else "minnow")


def touched(round_id: int, child_id: int) -> None:
    """Note that a child did something besides a move: answered a question, took help, moved to
    another device.

    It gets its seat back from a stand-in; if it is its turn, the wait for its move starts again.
    """
    try:
        live = states.read(round_id)
    except EarlierRules:
        return  # there is no turn to wait for
    seat = next((at for at, child in live.facts.children.items() if child == child_id), None)
    if seat in live.facts.away:
        back(round_id, seat)
    elif seat is not None and seat == live.state.turn and _is_waited_for(live, seat):
        with write_unit():
            mine = update(Round.__table__).where(Round.__table__.c.id == round_id)
            db.session.execute(mine.values(returned_at=clock.now()))


def back(round_id: int, seat: int) -> None:
    """Give a child that has touched its device its seat back at once."""
    with write_unit():
        facts = states.facts_of(round_id, lock=True)
        if seat not in facts.away:
            return
        _come_back(facts, seat, clock.now())
    notices.tables(facts.lesson.class_id, [round_id])


# ---- within a write unit


def note(facts: Facts, seat: int, played_by: str, at: float) -> Facts:
    """Note who made this seat's move, the child or a stand-in; returns the updated facts."""
    if played_by == "child" and seat in facts.away:
        return _come_back(facts, seat, at)
    if played_by == STAND_IN and seat not in facts.away:
        return _written(facts, facts.away | {seat})
    return facts


def _come_back(facts: Facts, seat: int, at: float) -> Facts:
    return replace(_written(facts, facts.away - {seat}, returned_at=at), returned_at=at)


def _written(facts: Facts, away: frozenset[int], **values: float) -> Facts:
    changes = Round.__table__.c.changes + 1
    db.session.execute(
        update(Round.__table__)
        .where(Round.__table__.c.id == facts.round_id)
        .values(away=sorted(away), changes=changes, **values)
    )
    return replace(facts, away=away, changes=facts.changes + 1)
