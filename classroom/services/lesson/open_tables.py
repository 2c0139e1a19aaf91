"""The tables that friends fill, as a child or a teacher sees them: who sits where, who is here."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from classroom.database import db
from classroom.models import Child, Gathering, Place, Round
from classroom.services.lesson import presence
from classroom.services.table import offers, pauses, time_limit


@dataclass(frozen=True, slots=True)
class Friend:
    """A face: of a child, or of a computer friend (`child_id` None)."""

    child_id: int | None
    name: str
    animal: str
    pad: int
    ready: bool
    me: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is not being played at. `seats`: who sits there, None for a free seat.

    `by_teacher`: the teacher starts it. `enough`: it could begin as it is.
    """

    gathering_id: int
    offer: offers.Offer
    seats: tuple[Friend | None, ...]
    by_teacher: bool
    again: bool
    enough: bool

    @property
    def full(self) -> bool:
        return None not in self.seats

    @property
    def me(self) -> Friend | None:
        """The viewer, if it sits here."""
        return next((friend for friend in self.seats if friend and friend.me), None)


@dataclass(frozen=True, slots=True)
class Friends:
    """What a child sees who looks for friends. `mine`: the open table where it sits; `tables`:
    others it could join; `here`: classmates who are signed in; `round_id`: its table is being
    played at. `rest`: why no table can begin now, a code of services.table.pauses, or None."""

    mine: OpenTable | None
    tables: tuple[OpenTable, ...]
    here: tuple[Friend, ...]
    games: tuple[offers.Offer, ...]
    round_id: int | None
    rest: str | None


def friends(child_id: int) -> Friends:
    """What this child sees now."""
    child = db.session.get_one(Child, child_id)
    tables = open_tables(child.class_id, child_id)
    there = presence.here(child.class_id)
    mates = db.session.scalars(
        select(Child)
        .where(Child.class_id == child.class_id, Child.id != child_id, Child.id.in_(there))
        .order_by(Child.name, Child.id)
    )
    return Friends(
        mine=next((table for table in tables if table.me), None),
        tables=tuple(
            table for table in tables if not (table.me or table.by_teacher or table.again)
        ),
        here=tuple(Friend(c.id, c.name, c.animal, c.pad, False, False) for c in mates),
        games=tuple(offer for offer in offers.shelf(child.class_id)),
        round_id=round_of(child_id),
        rest=rest_of(child),
    )


def open_tables(class_id: int, viewer: int | None = None) -> tuple[OpenTable, ...]:
    """The tables of the class at which nobody plays just now."""
    playing = select(Round.match_id).where(Round.ended_at.is_(None))
    rows = db.session.scalars(
        select(Gathering)
        .where(
            Gathering.class_id == class_id,
            Gathering.match_id.is_(None) | Gathering.match_id.not_in(playing),
        )
        .order_by(Gathering.id)
    ).all()
    taken = [place.child_id for row in rows for place in row.places if place.child_id]
    faces = {c.id: c for c in db.session.scalars(select(Child).where(Child.id.in_(taken)))}
    return tuple(_open_table(row, faces, viewer) for row in rows)


def _open_table(row: Gathering, faces: dict[int, Child], viewer: int | None) -> OpenTable:
    seats: list[Friend | None] = [None] * row.seats
    for place in row.places:
        if place.child_id is None:
            seats[place.seat] = Friend(None, "Computer", "", 0, True, False)
        else:
            child = faces[place.child_id]
            me = child.id == viewer
            seats[place.seat] = Friend(
                child.id, child.name, child.animal, child.pad, place.ready, me
            )
    offer = offers.find(row.class_id, row.game)
    return OpenTable(
        gathering_id=row.id,
        offer=offer,
        seats=tuple(seats),
        by_teacher=row.set_by is not None and row.match_id is None,
        again=row.match_id is not None,
        enough=row.match_id is not None or len(row.places) >= offer.seats[0],
    )


def rest_for(child_id: int) -> str | None:
    """`rest_of` the child with this id."""
    return rest_of(db.session.get_one(Child, child_id))


def rest_of(child: Child) -> str | None:
    """Why no round can begin for this child now, a code of services.table.pauses, or None."""
    room = child.school_class
    if room.ending_at is not None:
        return pauses.LESSON_OVER
    if room.paused_at is not None:
        return pauses.PAUSED
    return pauses.TIME_OVER if time_limit.time_is_up(child.id) else None


def round_of(child_id: int) -> int | None:
    """The round that goes on at the child's table, if one does."""
    return db.session.scalar(
        select(Round.id)
        .join(Gathering, Gathering.match_id == Round.match_id)
        .join(Place, Place.gathering_id == Gathering.id)
        .where(Place.child_id == child_id, Round.ended_at.is_(None))
        .order_by(Round.id.desc())
        .limit(1)
    )
