"""When a table rests: the teacher has paused the class or ends the lesson, or a child's time for
today is over. Never within an ask: what was begun is finished, and nothing is lost."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Row, bindparam, func, select

from classroom.database import db
from classroom.models import Child, ChildRound, ChildSettings, ClassSettings
from classroom.services.base import clock
from classroom.services.table.states import Live

PAUSED: Final = "paused"
LESSON_OVER: Final = "lesson_over"
TIME_OVER: Final = "time_over"

_sums, _children = ChildRound.__table__.c, Child.__table__.c
_own, _class = ChildSettings.__table__.c, ClassSettings.__table__.c
_SECONDS = (
    select(func.sum(_sums.seconds))
    .where(_sums.child_id == _children.id, _sums.day == bindparam("day"))
    .scalar_subquery()
)
_TIME = (
    select(_own.minutes_a_day, _class.minutes_a_day.label("of_class"), _SECONDS.label("seconds"))
    .select_from(Child.__table__)
    .outerjoin(ChildSettings.__table__, _own.child_id == _children.id)
    .outerjoin(ClassSettings.__table__, _class.class_id == _children.class_id)
    .where(_children.id == bindparam("child"))
)


def of_table(live: Live) -> str | None:
    """Why nobody may move at this table now; None while it goes on.

    A lesson that ends lets the ask be finished that was open, or the one of the child whose turn
    it was; a seat for which the computer plays begins no new one.
    """
    lesson, state = live.facts.lesson, live.state
    if state.over:
        return None
    if lesson.paused_at is not None:
        return PAUSED
    if lesson.ending_at is None or state.phase != "ask":
        return None
    is_there = state.turn in live.facts.children and state.turn not in live.facts.away
    return None if is_there and live.fold.last_at < lesson.ending_at else LESSON_OVER


def of_seat(live: Live, seat: int) -> str | None:
    """Why this seat may not move now, besides turns and rules."""
    why = of_table(live)
    if why is None and live.state.phase == "ask" and has_no_time(live, seat):
        return None if live.state.over else TIME_OVER
    return why


def has_no_time(live: Live, seat: int) -> bool:
    """Whether the time of the child at this seat is up; looked up only where there is a limit."""
    who = live.facts.players[seat]
    limits = {who.minutes_a_day, live.facts.lesson.minutes_a_day} - {None}
    return who.child_id is not None and bool(limits) and time_is_up(who.child_id)


def time_is_up(child_id: int) -> bool:
    """Whether the child has played as many minutes today as its family or its teacher allows; the
    fewer of both hold."""
    row: Row[tuple[int | None, int | None, float | None]] | None = db.session.execute(
        _TIME, {"child": child_id, "day": clock.day()}
    ).first()
    if row is None:
        return False
    limits = [minutes for minutes in row[:2] if minutes is not None]
    return bool(limits) and (row.seconds or 0.0) >= 60 * min(limits)
