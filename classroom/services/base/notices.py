"""Telling open pages that something happened; always after the commit, never before."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select, update

from classroom.database import db
from classroom.hub import class_topic, hub_of, live_topic
from classroom.models import Match, Player, Round, SchoolClass


def table(round_id: int, seq: int, class_id: int) -> None:
    """A table has so many moves now, or something else changed there."""
    hub = hub_of(db.engine)
    hub.tell(round_id, seq)
    hub.tell(live_topic(class_id))


def friends(class_id: int) -> None:
    """Somebody came or went, sat down, or is ready; or the class has another code."""
    hub = hub_of(db.engine)
    hub.tell(class_topic(class_id))
    hub.tell(live_topic(class_id))


def door(class_id: int) -> None:
    """A device came to a child's door, or may go in."""
    hub_of(db.engine).tell(live_topic(class_id))


def tables(class_id: int, of: Collection[int] | None = None) -> None:
    """Something changed at these tables of the class, or at all that are being played."""
    friends(class_id)
    rows = select(Round.id, Round.moves).join(Match, Match.id == Round.match_id)
    rows = rows.where(Match.class_id == class_id, Round.ended_at.is_(None))
    if of is not None:
        rows = rows.where(Round.id.in_(of))
    for round_id, moves in db.session.execute(rows).all():
        hub_of(db.engine).tell(round_id, moves)


# ---- within a write unit: so that pages know that there is something new to show


def changed(class_id: int) -> None:
    """All tables of the class look different now."""
    room = SchoolClass.__table__.c
    db.session.execute(
        update(SchoolClass.__table__).where(room.id == class_id).values(changes=room.changes + 1)
    )


def changed_for(children: Collection[int]) -> list[int]:
    """The tables at which these children sit look different now; which they are."""
    rounds = Round.__table__.c
    theirs = select(Player.match_id).where(Player.child_id.in_(children))
    where = rounds.match_id.in_(theirs), rounds.ended_at.is_(None)
    db.session.execute(update(Round.__table__).where(*where).values(changes=rounds.changes + 1))
    return list(db.session.scalars(select(rounds.id).where(*where)))
