"""Old rounds: their moves and cards are deleted, and their results stay.

What children showed is in evidence, and how a round went for each child in `child_rounds`; both are
written with each move. Only looking at the round again needs the moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Select, Text, cast, delete, exists, or_, select, update

from classroom.database import db, write_unit
from classroom.models import Match, Move, Round, SchoolClass
from classroom.services.base.skipped import guard
from classroom.services.table import rounds

AT_ONCE: Final = 50  # rounds in one write unit, so that no child waits long for it
_EMPTY: Final = "[]"


def give_up(school_id: int, before: float) -> Iterator[None]:
    """End the unfinished rounds in which nobody has moved since `before`; yields after a few. Their
    moves are kept for as long after that as those of finished rounds."""
    moved = exists().where(Move.round_id == Round.id, Move.at >= before)
    left = _of(school_id).where(Round.ended_at.is_(None), Round.started_at < before, ~moved)
    for number, round_id in enumerate(db.session.scalars(left.order_by(Round.id)).all(), 1):
        with guard("give up a round", round_id):
            rounds.leave_off_old(round_id)
        if number % AT_ONCE == 0:
            yield


def forget_moves(school_id: int, before: float) -> Iterator[None]:
    """Delete the moves and the deck of the rounds that ended before this moment; yields after a few
    rounds."""
    has_moves = exists().where(Move.round_id == Round.id)
    old = _of(school_id).where(
        Round.ended_at < before, or_(has_moves, cast(Round.deck, Text) != _EMPTY)
    )
    found = db.session.scalars(old.order_by(Round.id)).all()
    for start in range(0, len(found), AT_ONCE):
        some = found[start : start + AT_ONCE]
        with guard("forget the moves of rounds from", some[0]), write_unit():
            db.session.execute(delete(Move).where(Move.round_id.in_(some)))
            db.session.execute(update(Round).where(Round.id.in_(some)).values(deck=[]))
        yield


def _of(school_id: int) -> Select[tuple[int]]:
    return (
        select(Round.id)
        .join(Match, Match.id == Round.match_id)
        .join(SchoolClass, SchoolClass.id == Match.class_id)
        .where(SchoolClass.school_id == school_id)
    )
