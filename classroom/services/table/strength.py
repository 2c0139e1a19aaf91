"""How strong the computer players of a child's next match are: as an adult chose, or "like me"."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from classroom.database import db
from classroom.learning.remembering import ENOUGH, Memory, memory_of
from classroom.minds.playing.player_levels import LIKE_ME, Result, going_on, like_me
from classroom.models import Player, Round
from classroom.services.table import evidence_log, restrictions


def level_for(child_id: int, chosen: str) -> str:
    """The key of the level (minds/playing/player_levels.py) for the child's next match.

    "Like me" starts from the child's measured memory. After that, each match moves it up or down
    from the level of the last one, by how much the child won; it never changes within a match.
    While nothing is worked out about the child, "like me" gives the level for a child not yet
    measured.
    """
    if chosen != LIKE_ME:
        return chosen
    if restrictions.is_held(child_id):
        return like_me().key
    last = _last(child_id)
    if last is None:
        found = measured(child_id)
        return (like_me() if found is None else like_me(half=found.half, low=found.low)).key
    match_id, key, seat = last
    return going_on(key, _results(match_id, seat)).key


def measured(child_id: int) -> Memory | None:
    """How far back the child remembers; None while too little is known.

    Rows that another process is counting right now may be missing, unless the caller has locked
    the child's row.
    """
    mine = evidence_log.progress_of([child_id])[child_id].tracks.get("recall")
    found = memory_of(mine.settled().recalled if mine else ())
    return found if found.n >= ENOUGH else None


def _last(child_id: int) -> tuple[int, str, int] | None:
    """The child's last "like me" match with no other child: its id, its level, the child's seat."""
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
    """What a seat won in each finished round of a match, oldest first."""
    seats = db.session.scalar(select(func.count()).where(Player.match_id == match_id)) or 1
    ends = db.session.scalars(
        select(Round.winners)
        .where(Round.match_id == match_id, Round.ended_at.is_not(None))
        .order_by(Round.number)
    )
    return [Result(seats, (seat in end) / len(end)) for end in ends if end]
