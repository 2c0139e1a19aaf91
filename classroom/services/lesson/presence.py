"""Which children of a class are here now, whose hand is up, and who has left a table's page."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Float, bindparam, func, or_, select, update

from classroom.database import db, hold, run, write_unit
from classroom.models import Child, Player, Round, Session
from classroom.services.base import clock, notices

SILENT: Final = 600.0  # seconds without a tap after which nobody at a shared tablet counts as here

_sessions = Session.__table__.c
_players = Player.__table__.c
_child = func.coalesce(_sessions.child_id, _players.child_id)
_HERE = (
    select(_child, _sessions.hand_at)
    .select_from(Session.__table__)
    .outerjoin(Player.__table__, _players.match_id == _sessions.match_id)
    .where(
        _sessions.class_id == bindparam("class"),
        _child.is_not(None),
        _sessions.ends_at > bindparam("now", type_=Float),
        or_(
            _sessions.match_id.is_(None),
            _sessions.seen_at > bindparam("now", type_=Float) - SILENT,
        ),
    )
    .order_by(_sessions.hand_at.is_not(None))  # a child at a shared tablet may be signed in too
)


def here(class_id: int) -> dict[int, float | None]:
    """The children of the class who are signed in or sit at a shared tablet in use, each with the
    time its hand went up (None: it is down)."""
    return dict(run(_HERE, {"class": class_id, "now": clock.now()}).all())


def hand(child_id: int, up: bool) -> None:
    """Raise or lower the child's hand; the time of a hand that is already up does not change."""
    with write_unit():
        child = db.session.get_one(Child, child_id)
        mine = update(Session).where(Session.child_id == child_id)
        if up:
            mine = mine.where(Session.hand_at.is_(None))
        db.session.execute(mine.values(hand_at=clock.now() if up else None))
        rounds, class_id = notices.changed_for([child_id]), child.class_id
    notices.tables(class_id, rounds)


def at_page(round_id: int, seat: int, there: bool) -> None:
    """Note that a child has closed the page of its table, or opened it again; the others see it.
    Nothing happens if this is already known, or the round is over."""
    if _is_known(round_id, seat, there):  # usually it is known already
        return
    with write_unit():
        row = db.session.scalar(hold(select(Round).where(Round.id == round_id)))
        if row is None or row.ended_at is not None or _is_known(round_id, seat, there):
            return
        mine = update(Player).where(Player.match_id == row.match_id, Player.seat == seat)
        db.session.execute(mine.values(gone=not there))
        row.changes += 1
        moves, class_id = row.moves, row.match.class_id
    notices.table(round_id, moves, class_id)


def _is_known(round_id: int, seat: int, there: bool) -> bool:
    rows = select(Player.gone).join(Round, Round.match_id == Player.match_id)
    gone = db.session.scalar(rows.where(Round.id == round_id, Player.seat == seat))
    return gone is None or gone is not there
