"""Who of a class is here now, and whose hand is up."""

from __future__ import annotations

from sqlalchemy import select, update

from classroom.database import db, write_unit
from classroom.models import Child, Session
from classroom.services import clock, notices


def here(class_id: int) -> dict[int, float | None]:
    """The children of the class who are signed in, and since when their hands are up."""
    rows = db.session.execute(
        select(Session.child_id, Session.hand_at).where(
            Session.class_id == class_id,
            Session.child_id.is_not(None),
            Session.ends_at > clock.now(),
        )
    )
    return dict(rows.tuples().all())  # type: ignore[arg-type]


def hand(child_id: int, up: bool) -> None:
    """The child's hand goes up, or down again; up twice is up since the first time."""
    with write_unit():
        child = db.session.get_one(Child, child_id)
        mine = update(Session).where(Session.child_id == child_id)
        if up:
            mine = mine.where(Session.hand_at.is_(None))
        db.session.execute(mine.values(hand_at=clock.now() if up else None))
        rounds, class_id = notices.changed_for([child_id]), child.class_id
    notices.tables(class_id, rounds)
