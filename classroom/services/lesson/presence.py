"""Which children of a class are here now, and whose hand is up."""

from __future__ import annotations

from sqlalchemy import Float, bindparam, select, update

from classroom.database import db, run, write_unit
from classroom.models import Child, Session
from classroom.services.base import clock, notices

_sessions = Session.__table__.c
_HERE = select(_sessions.child_id, _sessions.hand_at).where(
    _sessions.class_id == bindparam("class"),
    _sessions.child_id.is_not(None),
    _sessions.ends_at > bindparam("now", type_=Float),
)


def here(class_id: int) -> dict[int, float | None]:
    """The children of the class who are signed in, each with the time its hand went up (None: it is
    down)."""
    return dict(run(_HERE, {"class": class_id, "now": clock.now()}).tuples().all())


def hand(child_id: int, up: bool) -> None:
    """Raise or lower the child's hand; a hand that is already up keeps its time."""
    with write_unit():
        child = db.session.get_one(Child, child_id)
        mine = update(Session).where(Session.child_id == child_id)
        if up:
            mine = mine.where(Session.hand_at.is_(None))
        db.session.execute(mine.values(hand_at=clock.now() if up else None))
        rounds, class_id = notices.changed_for([child_id]), child.class_id
    notices.tables(class_id, rounds)
