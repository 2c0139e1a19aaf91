"""Time limits, pauses of a table or a seat, and stand-ins that play for children who are away."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from sqlalchemy import Boolean, bindparam, func, or_, select, update

from classroom.database import db, write_unit
from classroom.models import Child, ChildRound, ChoicesRow, ClassSettings, Round
from classroom.models.school_rows import NUDGE_AFTER, STAND_IN_AFTER
from classroom.services.base import clock, notices
from classroom.services.base.errors import EarlierRules
from classroom.services.table import states
from classroom.services.table.choices import by_switch, minutes
from classroom.services.table.states import Facts, Lesson, Live, Sitter

# ---- The daily time limit: how long the family and the teacher let a child play
#
# In a lesson only the time in lessons counts, so that playing at home never costs a child time in a
# lesson. At home the whole day counts.

_sums, _children = ChildRound.__table__.c, Child.__table__.c
_own, _class = ChoicesRow.__table__.c, ClassSettings.__table__.c
_SECONDS = (
    select(func.sum(_sums.seconds))
    .where(_sums.child_id == _children.id, _sums.day == bindparam("day"))
    .where(or_(bindparam("home", type_=Boolean), _sums.at_home.is_(False)))
    .scalar_subquery()
)
_TIME = (
    select(_children.id, _own.minutes_a_day, _class.minutes_a_day.label("of_class"), _SECONDS)
    .select_from(Child.__table__)
    .outerjoin(ChoicesRow.__table__, (_own.child_id == _children.id) & (_own.whose == "family"))
    .outerjoin(ClassSettings.__table__, _class.class_id == _children.class_id)
    .where(_children.id.in_(bindparam("children", expanding=True)))
)


def has_no_time(live: Live, seat: int) -> bool:
    """Whether this seat's child has used up today's time; makes no query if there is no limit."""
    player = live.facts.players[seat]
    limit = minutes(player.minutes_a_day, live.facts.lesson.minutes_a_day)
    if player.child_id is None or limit is None:
        return False
    return time_is_up(player.child_id, at_home=live.facts.at_home)


def time_is_up(child_id: int, *, at_home: bool = False) -> bool:
    """Whether the child has used up the day's minutes, under the family's or the class's limit."""
    return child_id in without_time([child_id], at_home=at_home)


def without_time(children: Collection[int], *, at_home: bool = False) -> frozenset[int]:
    """The ids of those children who have used up today's minutes."""
    sent = {"children": list(children), "day": clock.day(), "home": at_home}
    return frozenset(
        child_id
        for child_id, own, of_class, seconds in db.session.execute(_TIME, sent)
        if (limit := minutes(own, of_class)) is not None and (seconds or 0.0) >= 60 * limit
    )


# ---- Stand-ins: while a child is away, a computer player plays instead
#
# A stand-in plays only if another child is waiting; a child alone with computer players may take as
# long as it likes. A stand-in's moves are marked `stand_in` in the log and never count as the
# child's. Everything that a stand-in needs is in the database, so it goes on after a restart.

STAND_IN: Final = "stand_in"  # the `played_by` of a stand-in's moves in the log
BY_SWITCH: Final = 3  # a child who plays by one switch gets this many times the usual wait


def times(lesson: Lesson) -> tuple[int, int]:
    """The seconds after which a child is reminded, and after which a stand-in plays instead."""
    return lesson.nudge_after or NUDGE_AFTER, lesson.stand_in_after or STAND_IN_AFTER


def wait_for(live: Live, seat: int, at: float) -> float | None:
    """Seconds until a stand-in plays for this seat if the child does nothing. None if no stand-in
    will play, because nobody is waiting or the children share one tablet. The wait starts at the
    last move, the child's last other action or the end of the last pause, whichever is latest."""
    facts = live.facts
    if not _is_waited_for(live, seat):
        return None
    if not is_there(live, seat) or has_no_time(live, seat):
        return 0.0
    if facts.shared:  # the children sit together and can remind each other
        return None
    after = times(facts.lesson)[1]
    left = silent_since(live) + after - at
    if left <= 0 and by_switch(facts.children[seat]):
        left += (BY_SWITCH - 1) * after
    return max(0.0, left)


def patience(live: Live) -> float:
    """The seconds after a move during which the worker can ignore this table. If all players are
    children who are present and have no time limit, this is the wait for a stand-in; else 0."""
    facts = live.facts
    limits = facts.lesson.minutes_a_day, *(p.minutes_a_day for p in facts.players)
    all_there = all(is_there(live, player.seat) for player in facts.players)
    return float(times(facts.lesson)[1]) if all_there and not any(limits) else 0.0


def silent_since(live: Live) -> float:
    """When the table began to wait for the seat whose turn it is."""
    return max(live.fold.last_at, live.facts.lesson.resumed_at, live.facts.returned_at)


def _is_waited_for(live: Live, seat: int) -> bool:
    """Whether another child at the table has the page open and is waiting for this seat."""
    at_it = (other for other in live.facts.children if not live.facts.players[other].gone)
    return any(other != seat and is_there(live, other) for other in at_it)


def is_there(live: Live, seat: int) -> bool:
    """Whether a child, and not a stand-in, is playing this seat."""
    return seat in live.facts.children and seat not in live.facts.away | live.state.out


def stand_in_at(facts: Facts, seat: int) -> Sitter:
    """This seat's stand-in, with the level of the table's computer players or else the weakest."""
    levels = [player.level for player in facts.players if player.level is not None]
    return replace(facts.players[seat], level=levels[0] if levels else "minnow")


def touched(round_id: int, child_id: int) -> None:
    """Note that a child did something besides a move: answered a question, took help, moved to
    another device. The child gets the seat back from a stand-in. If it is the child's turn, the
    wait for the move starts again."""
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
    """Give the seat back at once to its child, who has touched the device."""
    with write_unit():
        facts = states.facts_of(round_id, lock=True)
        if seat not in facts.away:
            return
        _written(facts, facts.away - {seat}, clock.now())
    notices.tables(facts.lesson.class_id, [round_id])


# ---- within a write unit


def note(facts: Facts, seat: int, played_by: str, at: float) -> Facts:
    """Note who made this seat's move, the child or a stand-in; returns the updated facts."""
    if played_by == "child" and seat in facts.away:
        return _written(facts, facts.away - {seat}, at)
    if played_by == STAND_IN and seat not in facts.away:
        return _written(facts, facts.away | {seat}, facts.returned_at)
    return facts


def _written(facts: Facts, away: frozenset[int], returned_at: float) -> Facts:
    rows = Round.__table__.c
    this = update(Round.__table__).where(rows.id == facts.round_id)
    changed = {"away": sorted(away), "changes": rows.changes + 1, "returned_at": returned_at}
    db.session.execute(this.values(changed))
    return replace(facts, away=away, changes=facts.changes + 1, returned_at=returned_at)


# ---- Pauses: why a table, or one seat of it, may not move now
#
# There are three reasons: the teacher has paused the class ("eyes on me"), the teacher is ending
# the lesson, or the child's time for today is up. A pause stops play at once, and an open ask
# continues after it. In the other two cases an open ask is still finished. At home only the child's
# time matters: it is also up when the class's hours for play at home have ended.

PAUSED: Final = "paused"
LESSON_OVER: Final = "lesson_over"
TIME_OVER: Final = "time_over"


def pause_of_table(live: Live) -> str | None:
    """Why no seat of this table may move now; None if play goes on. When a lesson ends, an ask that
    is already open is finished, and a child whose turn had begun may still ask. Computer players
    and stand-ins make no new ask."""
    lesson, state = live.facts.lesson, live.state
    if state.over or live.facts.at_home:
        return None
    if lesson.paused_at is not None:
        return PAUSED
    if lesson.ending_at is None or state.phase != "ask":
        return None
    is_there = state.turn in live.facts.children and state.turn not in live.facts.away
    return None if is_there and live.fold.last_at < lesson.ending_at else LESSON_OVER


def pause_of_seat(live: Live, seat: int, spent: Collection[int] | None = None) -> str | None:
    """Why this seat may not move now, apart from turns and rules; None if it may. `spent`: the
    children who have no time left today, if the caller already knows them."""
    why, facts = pause_of_table(live), live.facts
    if why is not None or live.state.phase != "ask":
        return why
    if facts.at_home and seat in facts.children and not facts.lesson.home.are_now():
        return TIME_OVER
    over = has_no_time(live, seat) if spent is None else facts.children.get(seat) in spent
    return TIME_OVER if over else None
