"""Children who let their turns pass idly on their last day of play, found from existing records.

A turn ends with the child's move. It begins with the move before, or later: when the child came
back, took help or was done with a question, or when the teacher let the class go on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Subquery, and_, func, select, union_all

from classroom.database import db
from classroom.learning.alerts import IDLE_FROM, Signal, Turn, idling
from classroom.models import (
    AuditEntry,
    Child,
    ChildRound,
    ClassSettings,
    HelpTaken,
    Move,
    QuestionRow,
    Round,
)
from classroom.services.table.restrictions import HELD
from classroom.services.table.stand_ins import NUDGE_AFTER

LATELY: Final = 7  # days; older play is no reason to look at a child today

Touches = Mapping[tuple[int, int, int], float]
"""When a child last did something besides a move, by child, round and number of moves so far."""


def idle(class_id: int, today: int, child_id: int | None = None) -> dict[int, Signal]:
    """The signal of each child of the class who idled on its last day of play in lessons, without
    children about whom nothing is worked out.

    `child_id`: look only at this child.
    """
    which = Child.class_id == class_id if child_id is None else Child.id == child_id
    slow = _slow(_played(which, today), class_id)
    if not slow:
        return {}
    played = _played(Child.id.in_(slow), today)
    rows, touches, patience = _moves(played), _touches(played), _patience(class_id)
    if not _found(rows, touches, (), patience):
        return {}
    return _found(rows, touches, _went_on(class_id, min(row.started_at for row in rows)), patience)


def _found(
    rows: Iterable[Row[Any]], touches: Touches, went_on: Sequence[float], patience: float
) -> dict[int, Signal]:
    days: dict[int, int] = {}
    turns: dict[int, list[Turn]] = {}
    for child, day, round_id, seq, at, played_by, before, started_at, returned_at in rows:
        began = started_at if before is None else before
        moments = [began, returned_at, touches.get((child, round_id, seq - 1), began)]
        moments += went_on[: bisect_right(went_on, at)][-1:]
        since = max([one for one in moments if one <= at], default=at)
        days[child] = day
        turns.setdefault(child, []).append(Turn(at - since, played_by == "child"))
    found = ((child, idling(some, days[child], patience)) for child, some in turns.items())
    return {child: signal for child, signal in found if signal is not None}


def _played(which: ColumnElement[bool], today: int) -> Subquery:
    """The rounds of the last day of play of each of these children, with the child's seat."""
    last = (
        select(ChildRound.child_id, func.max(ChildRound.day).label("day"))
        .join(Child, Child.id == ChildRound.child_id)
        .where(
            which,
            ChildRound.day > today - LATELY,
            ChildRound.child_id.not_in(HELD),
            ChildRound.at_home.is_(False),
        )
        .group_by(ChildRound.child_id)
        .subquery()
    )
    return (
        select(ChildRound.child_id, ChildRound.round_id, ChildRound.seat, ChildRound.day)
        .join(last, and_(ChildRound.child_id == last.c.child_id, ChildRound.day == last.c.day))
        .where(ChildRound.at_home.is_(False))
        .subquery()
    )


def _slow(played: Subquery, class_id: int) -> Sequence[int]:
    """The children with so many long turns that they may have been idle; usually there are none.

    A turn can only be shorter than the time since the move before it, which is all that counts
    here. After a change of the clock that time says nothing.
    """
    own, before = Move.__table__.alias("own"), Move.__table__.alias("before")
    chosen = select(ClassSettings.nudge_after).where(ClassSettings.class_id == class_id)
    patience = func.coalesce(chosen.scalar_subquery(), NUDGE_AFTER)
    began = func.coalesce(before.c.at, Round.started_at)
    earlier = and_(before.c.round_id == own.c.round_id, before.c.seq == own.c.seq - 1)
    mine = and_(own.c.round_id == played.c.round_id, own.c.seat == played.c.seat)
    wanted = (
        select(played.c.child_id)
        .join(own, mine)
        .join(Round, Round.id == played.c.round_id)
        .outerjoin(before, earlier)
        .where((own.c.at - began >= patience) | (own.c.at < began))
        .group_by(played.c.child_id)
        .having(func.count() >= IDLE_FROM)
    )
    return db.session.scalars(wanted).all()


def _moves(played: Subquery) -> Sequence[Row[Any]]:
    """The moves at the children's seats, with the moments at which each turn may have begun."""
    before = func.lag(Move.at).over(
        partition_by=(played.c.child_id, Move.round_id), order_by=Move.seq
    )
    every = (
        select(played, Move.seat.label("by"), Move.seq, Move.at, Move.played_by)
        .add_columns(before.label("before"))
        .join(Move, Move.round_id == played.c.round_id)
        .subquery()
    )
    return db.session.execute(
        select(
            *(every.c[name] for name in ("child_id", "day", "round_id", "seq", "at", "played_by")),
            every.c.before,
            Round.started_at,
            Round.returned_at,
        )
        .join(Round, Round.id == every.c.round_id)
        .where(every.c.by == every.c.seat)
    ).all()


def _touches(played: Subquery) -> Touches:
    touches = union_all(
        *(
            select(table.child_id, table.round_id, table.seq, at.label("at")).join(
                played,
                and_(table.child_id == played.c.child_id, table.round_id == played.c.round_id),
            )
            for table, at in ((QuestionRow, QuestionRow.closed_at), (HelpTaken, HelpTaken.at))
        )
    ).subquery()
    place = (touches.c.child_id, touches.c.round_id, touches.c.seq)
    rows = db.session.execute(
        select(*place, func.max(touches.c.at)).where(touches.c.at.is_not(None)).group_by(*place)
    )
    return {(child, round_id, seq): at for child, round_id, seq, at in rows}


def _patience(class_id: int) -> float:
    """Seconds of silence that count as idling: the same as on the live page of the class."""
    row = db.session.get(ClassSettings, class_id)
    return NUDGE_AFTER if row is None else row.nudge_after


def _went_on(class_id: int, since: float) -> list[float]:
    """When the teacher let the class go on, oldest first."""
    return list(
        db.session.scalars(
            select(AuditEntry.at)
            .where(
                AuditEntry.action == "go_on",
                AuditEntry.thing == "class",
                AuditEntry.thing_id == class_id,
                AuditEntry.at >= since,
            )
            .order_by(AuditEntry.at)
        )
    )
