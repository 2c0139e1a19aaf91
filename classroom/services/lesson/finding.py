"""Friends who tap the same game on the shelf within a few seconds find each other.

The first tap opens a table that waits for WAIT seconds, if any classmate is free to come. It begins
when it is full, when nobody else could come, or when the page of one of its children says that the
time is over (`gatherings.ready`). A child who stays alone plays with computer players, as always.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import or_, select

from classroom.database import db, hold, write_unit
from classroom.models import Child, Gathering, Match, Move, Place, Player, Round
from classroom.services.base import clock, notices
from classroom.services.base.errors import NotNow
from classroom.services.base.rows import existing
from classroom.services.lesson import gatherings, presence
from classroom.services.lesson.open_tables import pause_of
from classroom.services.table import matches, offers, time_limit
from classroom.services.table.players import settings_for

WAIT: Final = 3.0  # seconds for which a table waits for a friend
LATE: Final = 2.0  # seconds that its page may be late with the beginning
AT_PLAY: Final = 600.0  # seconds since its last move for which a round counts as being played


def tapped(child_id: int, game: str, *, new: bool = False) -> int | None:
    """Lead a child who tapped this game on the shelf to a round; returns it, or None while the
    child waits at a table for a friend. `new`: not to its unfinished round. Raises NotFound, and
    NotNow while no round may begin."""
    with write_unit():
        class_id = existing(Child, child_id).class_id
        gatherings.hold_children(Child.class_id == class_id)  # taps are handled one by one
        if why := pause_of(existing(Child, child_id)):
            raise NotNow(why)
        round_id, told = _tapped(child_id, class_id, game, new)
    if told:
        notices.friends(class_id)
    if round_id is not None:
        notices.table(round_id, 0, class_id)
    return round_id


# ---- within a write unit


def _tapped(child_id: int, class_id: int, game: str, new: bool) -> tuple[int | None, bool]:
    """The round, if any, and whether a table of friends has changed."""
    mine = gatherings.gathering_of(child_id)
    if mine is not None and mine.until is not None and mine.game == game:
        return None, False  # a second tap
    bound = _is_bound(mine)
    row = None if bound else _waiting(child_id, class_id, game)
    if row is not None:
        return _joined(child_id, row), True
    running = matches.to_go_on_with(child_id, game, new=new)
    if running is None and not bound and anybody_free(class_id, {child_id}):
        gatherings.stand_up(child_id)
        _open(child_id, class_id, game)
        return None, True
    return running or matches.alone(child_id, game), False


def _is_bound(mine: Gathering | None) -> bool:
    """Whether a teacher has seated the child for a round that is to begin or goes on."""
    if mine is None or mine.set_by is None:
        return False
    if mine.match_id is None:
        return True
    return matches.latest(mine.match_id).ended_at is None


def _waiting(child_id: int, class_id: int, game: str) -> Gathering | None:
    """The table where a friend waits for somebody to tap this game, if it has room for the child.

    It has no more seats than the settings of each of its children allow.
    """
    seats = matches.seats(offers.find(class_id, game), settings_for(child_id))
    rows = select(Gathering).where(
        Gathering.class_id == class_id,
        Gathering.game == game,
        Gathering.until > clock.now() - LATE,
        Gathering.match_id.is_(None),
    )
    for row in db.session.scalars(hold(rows.order_by(Gathering.id))):
        taken = {place.seat for place in row.places}
        if max(taken, default=0) < seats and len(taken) < min(row.seats, seats):
            row.seats = min(row.seats, seats)
            return row
    return None


def _joined(child_id: int, row: Gathering) -> int | None:
    """Seat the child there; returns the round if nobody else could come."""
    gatherings.stand_up(child_id)
    taken = {place.seat for place in row.places}
    seat = next(seat for seat in range(row.seats) if seat not in taken)
    db.session.add(Place(gathering_id=row.id, seat=seat, child_id=child_id, ready=True))
    db.session.flush()
    db.session.expire(row)
    there = {place.child_id for place in row.places if place.child_id is not None}
    if len(row.places) == row.seats or not anybody_free(row.class_id, there):
        return gatherings.start(row)
    return None


def _open(child_id: int, class_id: int, game: str) -> None:
    seats, now = matches.seats(offers.find(class_id, game), settings_for(child_id)), clock.now()
    row = Gathering(
        class_id=class_id, game=game, seats=seats, since=now, until=now + WAIT, created_at=now
    )
    db.session.add(row)
    db.session.flush()
    db.session.add(Place(gathering_id=row.id, seat=0, child_id=child_id, ready=True))
    db.session.flush()


# ---- who might come


def anybody_free(class_id: int, besides: Collection[int]) -> bool:
    """Whether another child is signed in who sits at no table and has time left today."""
    there = presence.here(class_id).keys() - set(besides)
    there -= _at_tables(class_id) | _at_play(class_id) if there else set()
    return bool(there - time_limit.without_time(there)) if there else False


def _at_tables(class_id: int) -> set[int | None]:
    """The children at tables that are still to begin."""
    rows = select(Place.child_id).join(Gathering, Gathering.id == Place.gathering_id)
    return set(
        db.session.scalars(rows.where(Gathering.class_id == class_id, Gathering.match_id.is_(None)))
    )


def _at_play(class_id: int) -> set[int | None]:
    """The children who have the page of a round open that is being played."""
    since = clock.now() - AT_PLAY
    moved = select(Move.id).where(Move.round_id == Round.id, Move.at > since).exists()
    rows = select(Player.child_id).join(Match).join(Round, Round.match_id == Match.id)
    return set(
        db.session.scalars(
            rows.where(
                Match.class_id == class_id,
                Player.child_id.is_not(None),
                Player.gone.is_(False),
                Round.ended_at.is_(None),
                or_(Round.started_at > since, moved),
            )
        )
    )
