"""What goes on around one child's table, besides its cards: one query for all of it."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import bindparam, func, select

from classroom.database import run
from classroom.engine.observation import Viewer
from classroom.models import Gathering, Place, Round, Session
from classroom.services.table import rests, stand_ins
from classroom.services.table.states import Live
from classroom.services.table.tables import Around

_sessions, _rounds = Session.__table__.c, Round.__table__.c
_places, _gatherings = Place.__table__.c, Gathering.__table__.c
_HAND = (
    select(func.max(_sessions.hand_at))
    .where(_sessions.child_id == bindparam("child"))
    .scalar_subquery()
)
_CALLED = (
    select(func.max(_rounds.id))
    .join(Gathering.__table__, _gatherings.match_id == _rounds.match_id)
    .join(Place.__table__, _places.gathering_id == _gatherings.id)
    .where(_places.child_id == bindparam("child"), _rounds.ended_at.is_(None))
    .scalar_subquery()
)
_AROUND = select(_HAND.label("hand_at"), _CALLED.label("called"))


def of(live: Live, viewer: int | Viewer) -> Around:
    """What the page of this seat shows besides the table; a watcher sees only that it rests."""
    facts = live.facts
    around = Around(changes=facts.changes, rest=rests.of_table(live))
    child_id = None if isinstance(viewer, Viewer) else facts.children.get(viewer)
    if child_id is None or isinstance(viewer, Viewer):
        return around
    hand_at, called = run(_AROUND, {"child": child_id}).one()
    return replace(
        around,
        rest=rests.of_seat(live, viewer),
        asleep=viewer in facts.away,
        shared=len(facts.children) > 1,
        hand=hand_at is not None,
        called=called if called != facts.round_id else None,
        nudge_after=stand_ins.times(facts.lesson)[0],
    )
