"""The teacher seats the class: groups in one tap, changed child by child, started together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Integer, cast, delete, func, select

from classroom.database import db, hold, write_unit
from classroom.models import Child, EvidenceRow, Gathering, Place
from classroom.services.base import audit, clock, notices
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import gatherings, presence
from classroom.services.lesson.open_tables import Friend, OpenTable, open_tables
from classroom.services.table import offers

MIXED: Final = "mixed"
SIMILAR: Final = "similar"
WEEKS: Final = 28  # days of answers by which children are compared
FEWEST: Final = 5  # answers below which nothing is said of a child


@dataclass(frozen=True, slots=True)
class Plan:
    """Who is to sit where. `tables`: those that wait for the teacher's start; `loose`: children
    who are here and sit at none; `here`: how many are signed in."""

    tables: tuple[OpenTable, ...]
    loose: tuple[Friend, ...]
    here: int
    games: tuple[offers.Offer, ...]


def plan(class_id: int) -> Plan:
    """The seating as it stands."""
    tables = tuple(t for t in open_tables(class_id) if t.by_teacher)
    seated = {f.child_id for table in tables for f in table.seats if f is not None}
    there = presence.here(class_id)
    rows = db.session.scalars(
        select(Child)
        .where(Child.class_id == class_id, Child.id.in_(set(there) - seated))
        .order_by(Child.name, Child.id)
    )
    loose = tuple(Friend(c.id, c.name, c.animal, c.pad, False, False) for c in rows)
    return Plan(tables, loose, len(there), offers.shelf(class_id))


def seat_class(class_id: int, game: str, size: int, how: str, by: int | None = None) -> int:
    """Groups of `size` of all who are here, or nearly so; how many tables that makes.

    `how`: mixed, strong and weak together, or similar. A seat that is left over is for a computer
    friend. Raises NotFound for a game that is not on the shelf, Refused("nobody_here").
    """
    if game not in offers.offered(class_id):
        raise NotFound("game")
    fewest, most = offers.find(class_id, game).seats
    size = min(max(size, fewest, 2), most, gatherings.LARGEST)
    with write_unit():
        gatherings.hold_children(Child.class_id == class_id)
        children = by_level(class_id, list(presence.here(class_id)))
        if not children:
            raise Refused("nobody_here")
        _clear(class_id)
        groups = grouped(children, size, how)
        for group in groups:
            _lay(class_id, game, size, group, by)
        audit.record(by, "seat", "class", class_id)
    notices.friends(class_id)
    return len(groups)


def grouped(children: Sequence[int], size: int, how: str) -> list[list[int]]:
    """Children, weakest first, in as few groups of at most `size` as there can be, their numbers
    as near to each other as can be.

    >>> grouped([1, 2, 3, 4, 5, 6, 7], 4, "similar")
    [[1, 2, 3, 4], [5, 6, 7]]
    >>> grouped([1, 2, 3, 4, 5, 6, 7], 4, "mixed")
    [[1, 3, 5, 7], [2, 4, 6]]
    """
    number = -(-len(children) // size)
    if how == MIXED:
        return [list(children[first::number]) for first in range(number)]
    least, more = divmod(len(children), number)
    found, at = [], 0
    for group in range(number):
        end = at + least + (group < more)
        found.append(list(children[at:end]))
        at = end
    return found


def by_level(class_id: int, children: Sequence[int]) -> list[int]:
    """These children, the one first who has most to practise: by the share of right first answers
    without help, age where there are too few of them."""
    right = func.avg(cast(EvidenceRow.right, Integer))
    rows = db.session.execute(
        select(EvidenceRow.child_id, right)
        .where(
            EvidenceRow.child_id.in_(children),
            EvidenceRow.aided.is_(False),
            EvidenceRow.day > clock.day() - WEEKS,
        )
        .group_by(EvidenceRow.child_id)
        .having(func.count() >= FEWEST)
    )
    shares = dict(rows.tuples().all())
    bands = dict(
        db.session.execute(
            select(Child.id, Child.age_band).where(Child.class_id == class_id)
        ).tuples().all()
    )  # fmt: skip
    return sorted(
        (child for child in children if child in bands),
        key=lambda child: (bands[child], float(shares.get(child, 0.5)), child),
    )


def move(class_id: int, child_id: int, gathering_id: int | None, seat: int) -> None:
    """Put a child on a seat of a table that waits for the teacher, or, with None, on none. Who
    sat there takes the child's old seat. Raises NotFound."""
    with write_unit():
        gatherings.hold_children(Child.id == child_id)
        gatherings.hold_tables(Gathering.id == gathering_id, gatherings.where_sits(child_id))
        child = db.session.get(Child, child_id)
        row = None if gathering_id is None else gatherings.held(gathering_id)
        if child is None or child.class_id != class_id:
            raise NotFound("child")
        if gathering_id is not None and not _is_ours(row, class_id, seat):
            raise NotFound("table")
        _swap(child_id, row, seat)
    notices.friends(class_id)


def friend(class_id: int, gathering_id: int, seat: int) -> None:
    """A computer friend on a free seat; none where one sits. Raises NotFound."""
    with write_unit():
        row = gatherings.held(gathering_id)
        if row is None or not _is_ours(row, class_id, seat):
            raise NotFound("table")
        place = next((p for p in row.places if p.seat == seat), None)
        if place is None:
            db.session.add(Place(gathering_id=row.id, seat=seat, ready=True))
        elif place.child_id is None:
            db.session.delete(place)
    notices.friends(class_id)


def start_all(class_id: int, by: int | None = None) -> tuple[int, ...]:
    """Deal at every table that waits for the teacher, to the children who are here."""
    with write_unit():
        there = presence.here(class_id)
        rounds, called = [], []
        for row in _waiting(class_id):
            for place in row.places:
                place.ready = place.child_id is None or place.child_id in there
            here = [p.child_id for p in row.places if p.child_id in there]
            if here:
                called += here
                rounds.append(gatherings.start(row))
            else:
                db.session.delete(row)
        if rounds:
            notices.changed_for(called)  # who plays elsewhere is called to the new table
            audit.record(by, "start", "class", class_id)
    notices.tables(class_id)
    return tuple(rounds)


def clear(class_id: int) -> None:
    """Nobody is seated by the teacher any more."""
    with write_unit():
        for row in _waiting(class_id):
            db.session.delete(row)
    notices.friends(class_id)


# ---- within a write unit


def _waiting(class_id: int) -> list[Gathering]:
    return list(
        db.session.scalars(
            hold(
                select(Gathering)
                .where(
                    Gathering.class_id == class_id,
                    Gathering.set_by.is_not(None),
                    Gathering.match_id.is_(None),
                )
                .order_by(Gathering.id)
            )
        )
    )


def _clear(class_id: int) -> None:
    """Everybody stands up: from open tables, and in name from those that are being played at."""
    gatherings.hold_tables(Gathering.class_id == class_id)
    theirs = select(Gathering.id).where(Gathering.class_id == class_id)
    db.session.execute(delete(Place).where(Place.gathering_id.in_(theirs)))
    db.session.execute(delete(Gathering).where(Gathering.class_id == class_id))
    db.session.expire_all()


def _lay(class_id: int, game: str, size: int, group: list[int], by: int | None) -> None:
    row = Gathering(class_id=class_id, game=game, seats=size, set_by=by, created_at=clock.now())
    db.session.add(row)
    db.session.flush()
    for seat in range(size):
        child_id = group[seat] if seat < len(group) else None
        db.session.add(Place(gathering_id=row.id, seat=seat, child_id=child_id))
    db.session.flush()


def _is_ours(row: Gathering | None, class_id: int, seat: int) -> bool:
    return (
        row is not None
        and row.class_id == class_id
        and row.set_by is not None
        and row.match_id is None
        and 0 <= seat < row.seats
    )


def _waits(place: Place) -> bool:
    """Whether this seat is at a table that waits for the teacher."""
    row = gatherings.held(place.gathering_id)
    return row is not None and row.set_by is not None and row.match_id is None


def _swap(child_id: int, row: Gathering | None, seat: int) -> None:
    """One child goes to a seat, whoever sat there to the one that became free."""
    mine = db.session.scalar(select(Place).where(Place.child_id == child_id))
    was = (mine.gathering_id, mine.seat) if mine is not None else None
    if mine is not None and not _waits(mine):
        was = None  # nobody else can be put to where friends play, or have come by themselves
        gatherings.stand_up(child_id)
    elif mine is not None:
        db.session.delete(mine)
        db.session.flush()
    if row is None:
        return
    theirs = db.session.scalar(
        select(Place).where(Place.gathering_id == row.id, Place.seat == seat)
    )
    if theirs is not None:
        other = theirs.child_id
        theirs.child_id = child_id
        db.session.flush()
        if was is not None:
            db.session.add(Place(gathering_id=was[0], seat=was[1], child_id=other))
    else:
        db.session.add(Place(gathering_id=row.id, seat=seat, child_id=child_id))
    db.session.flush()
