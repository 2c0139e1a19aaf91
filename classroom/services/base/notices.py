"""Notices that tell open pages that something has happened. They are sent after the commit, never
before."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select, update

from classroom.database import db
from classroom.hub import class_topic, hub_of, live_topic, moment_topic
from classroom.models import Match, Player, Round, SchoolClass


def table(round_id: int, seq: int, class_id: int) -> None:
    """Tell pages that a table now has `seq` moves, or that something else at the table changed."""
    hub = hub_of(db.engine)
    hub.tell(round_id, seq)
    hub.tell(live_topic(class_id))


def friends(class_id: int) -> None:
    """Tell pages that a child came, left, sat down or is ready, or that the class code is new."""
    hub = hub_of(db.engine)
    hub.tell(class_topic(class_id))
    hub.tell(live_topic(class_id))


def door(class_id: int) -> None:
    """Tell the teacher's page that a device shows a child's sign-in pictures, or was let in."""
    hub_of(db.engine).tell(live_topic(class_id))


def moment(moment_id: int) -> None:
    """Tell the teacher's page about this moment: a child has answered, the answers are now shown,
    or the moment was taken back."""
    hub_of(db.engine).tell(moment_topic(moment_id))


def tables(class_id: int, of: Collection[int] | None = None) -> None:
    """Tell pages that the unfinished rounds in the class have changed. `of`: only these rounds."""
    friends(class_id)
    rows = select(Round.id, Round.moves).join(Match, Match.id == Round.match_id)
    rows = rows.where(Match.class_id == class_id, Round.ended_at.is_(None))
    if of is not None:
        rows = rows.where(Round.id.in_(of))
    for round_id, moves in db.session.execute(rows).all():
        hub_of(db.engine).tell(round_id, moves)


# ---- functions for a write unit: they count a change, so that pages notice it


def changed(class_id: int) -> None:
    """Count a change at all tables in the class."""
    room = SchoolClass.__table__.c
    db.session.execute(
        update(SchoolClass.__table__).where(room.id == class_id).values(changes=room.changes + 1)
    )


def changed_for(children: Collection[int]) -> list[int]:
    """Count a change at the tables where these children sit; returns the ids of their rounds."""
    rounds = Round.__table__.c
    theirs = select(Player.match_id).where(Player.child_id.in_(children))
    where = rounds.match_id.in_(theirs), rounds.ended_at.is_(None)
    db.session.execute(update(Round.__table__).where(*where).values(changes=rounds.changes + 1))
    return list(db.session.scalars(select(rounds.id).where(*where)))
