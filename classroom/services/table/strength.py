"""How strong the computer players at a child's next table are: as an adult chose, or "like me"."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from classroom.database import db
from classroom.learning.recall_span import Span, recall
from classroom.learning.skills import RECALL
from classroom.minds.playing.levels import LIKE_ME, Result, going_on, like_me
from classroom.models import Player, Round, TallyRow
from classroom.services.table import evidence_log


def level_for(child_id: int, chosen: str) -> str:
    """The key of the level (minds.levels) for the child's next match.

    "Like me" begins at what was measured of the child's memory. From then on it goes on from the
    last match at it by what the child won there, so a match keeps the level it began with.
    """
    if chosen != LIKE_ME:
        return chosen
    last = _last(child_id)
    if last is None:
        span = measured(child_id)
        return like_me(half=span.half, low=span.low).key
    match_id, key, seat = last
    return going_on(key, _results(match_id, seat)).key


def measured(child_id: int) -> Span:
    """How far back the child remembers: from play, or from answers where play says too little.

    What another process counts in this moment may be missing, unless the caller holds the child.
    """
    rows = db.session.scalars(
        select(TallyRow).where(TallyRow.child_id == child_id, TallyRow.skill.in_(RECALL))
    )
    known = evidence_log.known([child_id])[child_id]
    found = recall([*map(evidence_log.tally_of, rows), *known.new])
    return found.play if found.play.enough else found.questions


def _last(child_id: int) -> tuple[int, str, int] | None:
    """The child's last match at such a level, alone with computer players: its level and seat."""
    mine, friend, other = aliased(Player), aliased(Player), aliased(Player)
    shared = select(other.id).where(
        other.match_id == mine.match_id, other.level.is_(None), other.id != mine.id
    )
    row = db.session.execute(
        select(mine.match_id, friend.level, mine.seat)
        .join(friend, friend.match_id == mine.match_id)
        .where(mine.child_id == child_id, friend.level.startswith(LIKE_ME), ~shared.exists())
        .order_by(mine.match_id.desc())
        .limit(1)
    ).first()
    return None if row is None else (row.match_id, row.level or "", row.seat)


def _results(match_id: int, seat: int) -> list[Result]:
    """How the finished rounds of a match ended for a seat, oldest first."""
    seats = db.session.scalar(select(func.count()).where(Player.match_id == match_id)) or 1
    ends = db.session.scalars(
        select(Round.winners)
        .where(Round.match_id == match_id, Round.ended_at.is_not(None))
        .order_by(Round.number)
    )
    return [Result(seats, (seat in end) / len(end)) for end in ends if end]
