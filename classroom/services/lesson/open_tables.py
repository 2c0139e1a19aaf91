"""Tables that friends fill, and classmates who are here, as a child or a teacher sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import aliased, selectinload

from classroom.database import db
from classroom.models import Child, Gathering, Place, Round, Session
from classroom.services.base import clock, names
from classroom.services.base.errors import NotFound
from classroom.services.base.rows import existing
from classroom.services.lesson import live_class, moments
from classroom.services.table import offers, stand_ins
from classroom.services.table.choices import hours_of
from classroom.services.table.rounds import INVITATION


@dataclass(frozen=True, slots=True)
class Friend:
    """A child, or a computer friend (`child_id` is None), as shown at a table. `me`: whether this
    is the viewer."""

    child_id: int | None
    name: str
    animal: str
    pad: int
    ready: bool = False
    me: bool = False


COMPUTER: Final = Friend(child_id=None, name="Computer", animal="", pad=0, ready=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """A table with no round in progress. `seats`: the child or computer friend at each seat, None
    for a free seat. `by_teacher`: whether only the teacher can start it. `shared`: whether its
    children share one tablet. `again`: whether it has already played a round. `enough`:
    whether it has enough players to start. `until`: the time at which it stops waiting for a friend
    to tap the same game, and a round begins (see Gathering); None at other tables."""

    gathering_id: int
    offer: offers.Offer
    seats: tuple[Friend | None, ...]
    by_teacher: bool
    shared: bool
    again: bool
    enough: bool
    until: float | None

    @property
    def wait(self) -> int:
        """How many more milliseconds the table waits for a friend; at least 200."""
        return max(200, round(1000 * ((self.until or 0.0) - clock.now())))

    @property
    def full(self) -> bool:
        return None not in self.seats

    @property
    def me(self) -> Friend | None:
        """The viewer, if the viewer sits at this table."""
        return next((friend for friend in self.seats if friend and friend.me), None)

    @property
    def company(self) -> tuple[Friend, ...]:
        """The other children at the table."""
        return tuple(one for one in self.seats if one and one.child_id is not None and not one.me)


@dataclass(frozen=True, slots=True, kw_only=True)
class Friends:
    """The page on which a child looks for friends to play with. `mine`: the open table where the
    child sits; `tables`: the tables that other children are filling for a first round; `here`: the
    classmates who are signed in; `games`: the games on the shelf; `round_id`: the round in progress
    at the child's table; `moment`: an open moment that the child has not answered; `host`: the
    classmate who invites the child to a shared tablet; `paused`: see `pause_of`."""

    mine: OpenTable | None
    tables: tuple[OpenTable, ...]
    here: tuple[Friend, ...]
    games: tuple[offers.Offer, ...]
    round_id: int | None
    moment: int | None
    host: Friend | None
    paused: str | None

    @property
    def waiting(self) -> tuple[OpenTable, ...]:
        """The tables of other children that have a free seat."""
        return tuple(table for table in self.tables if not table.full)

    @property
    def beside(self) -> tuple[OpenTable, ...]:
        """Tables where others wait to play the same game, if this child is alone at a table."""
        mine = self.mine
        if mine is None or mine.by_teacher or mine.again or mine.company:
            return ()
        return tuple(table for table in self.waiting if table.offer.key == mine.offer.key)


def friends(child_id: int) -> Friends:
    """The tables, classmates and games that this child sees now."""
    child = db.session.get_one(Child, child_id)
    tables = open_tables(child.class_id, child_id)
    there = live_class.here(child.class_id)
    here = (Child.class_id == child.class_id) & Child.id.in_(there)
    mates = db.session.scalars(select(Child).where(here, Child.id != child_id))
    others = (table for table in tables if not (table.me or table.by_teacher or table.again))
    return Friends(
        mine=next((table for table in tables if table.me), None),
        tables=tuple(others),
        here=tuple(map(face_of, names.by_name(mates))),
        games=offers.shelf(child.class_id),
        round_id=round_of(child_id),
        moment=moments.waiting_for(child_id, child.class_id),
        host=host_of(child_id),
        paused=pause_of(child_id),
    )


def alone(child_id: int) -> Friends:
    """The view of a child at home, without tables or classmates."""
    return Friends(
        mine=None, tables=(), here=(), games=(), round_id=None, moment=None, host=None,
        paused=pause_of(child_id, at_home=True),
    )  # fmt: skip


def host_of(child_id: int) -> Friend | None:
    """The classmate, still signed in, who has invited this child to a shared tablet."""
    theirs = aliased(Session)
    asks = select(Child).join(Session, Session.invited_by == Child.id)
    asks = asks.where(Session.child_id == child_id, Session.invited_at > clock.now() - INVITATION)
    host = db.session.scalar(asks.join(theirs, theirs.child_id == Child.id).limit(1))
    return host and face_of(host)


def open_tables(class_id: int, viewer: int | None = None) -> tuple[OpenTable, ...]:
    """The tables in the class where no round is in progress. `viewer`: the child who sees them."""
    playing = select(Round.match_id).where(Round.ended_at.is_(None))
    idle = Gathering.match_id.is_(None) | Gathering.match_id.not_in(playing)
    wanted = select(Gathering).where(Gathering.class_id == class_id, idle).order_by(Gathering.id)
    rows = db.session.scalars(wanted.options(selectinload(Gathering.places))).all()
    taken = [child for row in rows for child in row.children]
    faces = {c.id: c for c in db.session.scalars(select(Child).where(Child.id.in_(taken)))}
    found = []
    for row in rows:
        try:
            offer = offers.find(row.class_id, row.game)
        except NotFound:  # the game no longer exists
            continue
        seats: list[Friend | None] = [None] * row.seats
        for place in row.places:
            seats[place.seat] = COMPUTER
            if place.child_id is not None:
                me = place.child_id == viewer
                seats[place.seat] = face_of(faces[place.child_id], place.ready, me)
        again = row.match_id is not None
        one = OpenTable(
            gathering_id=row.id,
            offer=offer,
            seats=tuple(seats),
            by_teacher=row.by_teacher,
            shared=row.shared,
            again=again,
            enough=again or len(row.places) >= offer.seats[0],
            until=row.until,
        )
        found.append(one)
    return tuple(found)


def face_of(child: Child, ready: bool = False, me: bool = False) -> Friend:
    """A child as shown at a table."""
    return Friend(*names.face(child), ready, me)


def pause_of(child_id: int, *, at_home: bool = False) -> str | None:
    """Why this child cannot begin a round now, as a code from stand_ins; None if it can."""
    room = existing(Child, child_id).school_class
    if at_home:
        over = not hours_of(room).are_now() or stand_ins.time_is_up(child_id, at_home=True)
        return stand_ins.TIME_OVER if over else None
    if room.ending_at is not None:
        return stand_ins.LESSON_OVER
    if room.paused_at is not None:
        return stand_ins.PAUSED
    return stand_ins.TIME_OVER if stand_ins.time_is_up(child_id) else None


def round_of(child_id: int) -> int | None:
    """The round in progress at the child's table, if any."""
    rounds = select(Round.id).join(Gathering, Gathering.match_id == Round.match_id)
    rounds = rounds.join(Place).where(Place.child_id == child_id, Round.ended_at.is_(None))
    return db.session.scalar(rounds.order_by(Round.id.desc()).limit(1))
