"""How a teacher seats a class: groups within the class, tables for all the children with one tap,
moving individual children, and starting all tables together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, select

from classroom.database import db, hold, write_unit
from classroom.learning.levels import level_of
from classroom.learning.skills import Strand
from classroom.learning.tracks import fresh_of_all, hasty
from classroom.models import (
    Child,
    ChildGroup,
    Gathering,
    GroupMember,
    Place,
    SchoolClass,
    SmallGroup,
)
from classroom.services.base import audit, clock, names, notices
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import check_version, held, hold_children, in_class
from classroom.services.lesson import gatherings, live_class, shared_tables
from classroom.services.lesson.open_tables import Friend, OpenTable, face_of, open_tables
from classroom.services.table import evidence_log, offers

MIXED: Final = "mixed"
SIMILAR: Final = "similar"
GROUPS: Final = "groups"
WAYS: Final = (MIXED, SIMILAR, GROUPS)
TABLE: Final = 4  # the most children at a table when one tap seats everybody
TOGETHER: Final = 2  # the fewest children for whom `seat_together` sets up a table


@dataclass(frozen=True, slots=True)
class SeatingPlan:
    """The planned seating. `tables`: the tables that wait for the teacher to start them; `loose`:
    signed-in children at none of these tables; `here`: how many children are signed in."""

    tables: tuple[OpenTable, ...]
    loose: tuple[Friend, ...]
    here: int
    games: tuple[offers.Offer, ...]


def plan(class_id: int) -> SeatingPlan:
    """The seating that the teacher has planned so far."""
    tables = tuple(t for t in open_tables(class_id) if t.by_teacher)
    seated = {f.child_id for table in tables for f in table.seats if f is not None}
    there = live_class.here(class_id)
    rest = there.keys() - seated
    loose = tuple(face_of(one) for one in names.children_of(class_id) if one.id in rest)
    return SeatingPlan(tables, loose, len(there), offers.shelf(class_id))


def seat_class(class_id: int, game: str, size: int, how: str, by: int | None = None) -> int:
    """Seat all children who are here in groups of about `size`; returns the number of tables.
    `how`: mixed (strong and weak together), similar, or by the groups in the class. Free seats go
    to computer friends. Raises NotFound for a game that is not on the shelf, and
    Refused("nobody_here")."""
    if game not in offers.offered(class_id):
        raise NotFound("game")
    fewest, most = offers.find(class_id, game).seats
    size = min(max(size, fewest, 2), most, gatherings.LARGEST)
    with write_unit():
        hold_children(Child.class_id == class_id)
        children = by_level(class_id, list(live_class.here(class_id)))
        if not children:
            raise Refused("nobody_here")
        clear_all(class_id)
        tables = split(class_id, children, size, how)
        for group in tables:
            set_up(class_id, game, size, group, by)
        audit.record(by, "seat", "class", class_id)
    notices.friends(class_id)
    return len(tables)


def seat_rest(class_id: int, usual: str, by: int | None = None) -> None:
    """Seat the children who are here and whom no teacher has seated, at mixed tables of up to TABLE
    children. They play the game of the first table that a teacher set up, otherwise `usual`."""
    ours = (Gathering.class_id == class_id) & Gathering.set_by.is_not(None)
    with write_unit():
        hold_children(Child.class_id == class_id)
        first = db.session.scalar(select(Gathering.game).where(ours).order_by(Gathering.id))
        seated = select(Place.child_id).join(Gathering).where(ours, Place.child_id.is_not(None))
        rest = live_class.here(class_id).keys() - set(db.session.scalars(seated))
        if not rest:
            return
        game = first or usual
        fewest, most = offers.find(class_id, game).seats
        gatherings.hold_tables(*map(gatherings.where_sits, rest))
        for child in rest:
            gatherings.stand_up(child)
        for group in grouped(by_level(class_id, list(rest)), min(TABLE, most), MIXED):
            set_up(class_id, game, max(fewest, len(group)), group, by)
        audit.record(by, "seat", "class", class_id)
    notices.friends(class_id)


def seat_together(
    class_id: int,
    game: str,
    children: Sequence[int],
    by: int | None = None,
    strand: Strand | None = None,
) -> None:
    """Set up one more table for these children, who need not be here yet; the table waits for the
    teacher. The children leave their present tables; other tables are kept. Children of other
    classes are left out. With a strand, the children become the class's small group, except
    children about whom nothing may be worked out. Raises Refused("too_few" | "too_many"), and
    NotFound for an unknown game."""
    fewest, most = offers.find(class_id, game).seats
    with write_unit():
        ours = (Child.class_id == class_id) & Child.id.in_(children)
        hold_children(ours)
        there = set(db.session.scalars(select(Child.id).where(ours)))
        group = [child for child in dict.fromkeys(children) if child in there]
        if len(group) < TOGETHER:
            raise Refused("too_few")
        if len(group) > min(most, gatherings.LARGEST):
            raise Refused("too_many")
        gatherings.hold_tables(*map(gatherings.where_sits, group))
        for child in group:
            gatherings.stand_up(child)
        set_up(class_id, game, max(fewest, len(group)), group, by)
        if strand is not None:
            before = (SmallGroup.class_id == class_id) | SmallGroup.child_id.in_(group)
            db.session.execute(delete(SmallGroup).where(before))
            common = {"class_id": class_id, "strand": strand, "day": clock.day()}
            members = (child for child in group if not evidence_log.is_restricted(child))
            db.session.add_all(SmallGroup(child_id=child, **common) for child in members)
        audit.record(by, "seat", "class", class_id)
    notices.friends(class_id)


def split(class_id: int, children: Sequence[int], size: int, how: str) -> list[list[int]]:
    """Split children of a class, given weakest first, into tables of at most `size`. With GROUPS,
    children without a group sit at the last tables."""
    if how != GROUPS:
        return grouped(children, size, how)
    found = [[c for c in children if c in one.children] for one in groups_of(class_id)]
    known = {child for group in found for child in group}
    found.append([child for child in children if child not in known])
    return [table for group in found if group for table in grouped(group, size, SIMILAR)]


def grouped(children: Sequence[int], size: int, how: str) -> list[list[int]]:
    """Split children, given weakest first, into as few groups of at most `size` as possible, with
    sizes as equal as possible.

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
    """Sort these children by age band, then by their mean level in mathematics, lowest first. For a
    child whose level is not known yet, the median level of the child's age band is used."""
    rows = select(Child.id, Child.age_band).where(Child.class_id == class_id)
    bands = dict(db.session.execute(rows).all())
    ours = [child for child in children if child in bands]
    known = {}
    for child, progress in evidence_log.progress_of(ours).items():
        tracks = progress.tracks.values()
        kept = hasty(fresh_of_all(tracks)) is None
        levels = [level_of(one.settled(kept), bands[child], clock.day()) for one in tracks]
        shown = [one.middle for one in levels if one.shown and one.strand != "recall"]
        if shown:
            known[child] = fmean(shown)  # in logits
    middle = {
        band: median([level for child, level in known.items() if bands[child] == band] or [0.0])
        for band in set(bands.values())
    }
    return sorted(ours, key=lambda one: (bands[one], known.get(one, middle[bands[one]]), one))


def move(class_id: int, child_id: int, gathering_id: int | None, seat: int) -> None:
    """Move a child to a seat at a table that waits for the teacher, or to no seat if `gathering_id`
    is None. Another child in that seat gets the moved child's old seat if that was at such a table,
    otherwise no seat. Raises NotFound."""
    with write_unit():
        hold_children(Child.id == child_id)
        gatherings.hold_tables(Gathering.id == gathering_id, gatherings.where_sits(child_id))
        in_class(Child, child_id, class_id)
        row = None if gathering_id is None else _ours(class_id, gathering_id, seat)
        mine = db.session.scalar(select(Place).where(Place.child_id == child_id))
        old = gatherings.held(mine.gathering_id) if mine is not None else None
        was = None  # the old seat, unless it is at a table that children chose or are playing at
        if mine is not None and old is not None and old.by_teacher:
            was = mine.gathering_id, mine.seat
            db.session.delete(mine)
            db.session.flush()
        elif mine is not None:
            gatherings.stand_up(child_id)
        if row is not None:
            at = Place.gathering_id == row.id, Place.seat == seat
            theirs = db.session.scalar(select(Place).where(*at))
            if theirs is None:
                db.session.add(Place(gathering_id=row.id, seat=seat, child_id=child_id))
            else:
                other, theirs.child_id = theirs.child_id, child_id
                db.session.flush()
                if was is not None:
                    db.session.add(Place(gathering_id=was[0], seat=was[1], child_id=other))
    notices.friends(class_id)


def friend(class_id: int, gathering_id: int, seat: int) -> None:
    """Put a computer friend on a free seat, or remove the one who is there. Raises NotFound."""
    with write_unit():
        row = _ours(class_id, gathering_id, seat)
        place = next((p for p in row.places if p.seat == seat), None)
        if place is None:
            db.session.add(Place(gathering_id=row.id, seat=seat, ready=True))
        elif place.child_id is None:
            db.session.delete(place)
    notices.friends(class_id)


def at_one_tablet(class_id: int, gathering_id: int, shared: bool) -> None:
    """Set whether the children at a table that waits for the teacher share one tablet. Raises
    NotFound, and Refused("one_tablet") if the game or the number of children does not allow it."""
    with write_unit():
        row = _ours(class_id, gathering_id, 0)
        row.shared = shared
        if shared and not shared_tables.is_placed(row):
            raise Refused("one_tablet")
    notices.friends(class_id)


def start_all(class_id: int, by: int | None = None, *, keep_empty: bool = False) -> tuple[int, ...]:
    """Start every table that waits for the teacher, with its signed-in children; returns the
    rounds. A table without signed-in children is deleted, unless `keep_empty` is set or its
    children share one tablet; a shared table begins when the first of its children comes."""
    with write_unit():
        there = live_class.here(class_id)
        rounds, called = [], []
        for row in _waiting(class_id):
            if gatherings.cleared_away(row):
                continue
            if shared_tables.is_placed(row):
                sitters = row.children
                if (round_id := shared_tables.begin_placed(row)) is not None:
                    called += sitters
                    rounds.append(round_id)
                continue
            for place in row.places:
                place.ready = place.child_id is None or place.child_id in there
            here = [child for child in row.children if child in there]
            if here:
                called += here
                rounds.append(gatherings.start(row))
            elif not keep_empty:
                db.session.delete(row)
        if rounds:
            notices.changed_for(called)  # a child playing elsewhere is called to the new table
            audit.record(by, "start", "class", class_id)
    notices.tables(class_id)
    return tuple(rounds)


def clear(class_id: int) -> None:
    """Delete the tables that wait for the teacher."""
    with write_unit():
        for row in _waiting(class_id):
            db.session.delete(row)
    notices.friends(class_id)


# ---- functions to call within a write unit


def _waiting(class_id: int) -> list[Gathering]:
    rows = select(Gathering).where(Gathering.class_id == class_id, Gathering.set_by.is_not(None))
    rows = rows.where(Gathering.match_id.is_(None)).order_by(Gathering.id)
    return list(db.session.scalars(hold(rows)))


def clear_all(class_id: int) -> None:
    """Delete all tables in the class; rounds in progress continue without a table."""
    gatherings.hold_tables(Gathering.class_id == class_id)
    theirs = select(Gathering.id).where(Gathering.class_id == class_id)
    db.session.execute(delete(Place).where(Place.gathering_id.in_(theirs)))
    db.session.execute(delete(Gathering).where(Gathering.class_id == class_id))
    db.session.expire_all()


def set_up(
    class_id: int, game: str, size: int, group: Sequence[int], by: int | None, **more: Any
) -> None:
    """Seat these children and computer friends at a new table. `more`: columns of Gathering."""
    sitters = [(child, False) for child in (*group, *[None] * size)[:size]]
    gatherings.add_table(class_id, game, size, sitters, set_by=by, **more)


def _ours(class_id: int, gathering_id: int, seat: int) -> Gathering:
    """The table, if it has this seat and is waiting for the teacher of this class. Raises
    NotFound."""
    row = gatherings.held(gathering_id)
    if row is None or row.class_id != class_id or not (row.by_teacher and 0 <= seat < row.seats):
        raise NotFound("table")
    return row


# ---- groups within a class: each child is in one group or in none


MOST_GROUPS: Final = 12  # the most groups in a class
LONGEST_NAME: Final = 30  # the most letters in a group's name
NEW_GROUP: Final = -1  # in `change_groups`, instead of an id: the group that this call adds


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group of children in a class. `children`: the ids of its members."""

    group_id: int
    class_id: int
    name: str
    children: tuple[int, ...]


def groups_of(class_id: int) -> tuple[Group, ...]:
    """The groups of a class, oldest first."""
    return _groups(ChildGroup.class_id == class_id)


def group(group_id: int) -> Group:
    """The group with this id. Raises NotFound."""
    found = _groups(ChildGroup.id == group_id)
    if not found:
        raise NotFound("child_groups")
    return found[0]


def members_of(group: Group) -> tuple[Friend, ...]:
    """The members of a group with their faces, sorted by name."""
    rows = db.session.scalars(select(Child).where(Child.id.in_(group.children)))
    return tuple(map(face_of, names.by_name(rows)))


def change_groups(
    class_id: int,
    places: Mapping[int, int | None],
    new: str = "",
    gone: Collection[int] = (),
    by: int | None = None,
    version: str = "",
) -> None:
    """Add a group with the name `new` unless it is "", put children into groups, and remove the
    groups `gone`. `places`: each child's group (NEW_GROUP: the new group; None: no group). Children
    and groups of other classes are left out. Raises Changed, and Refused: group_name,
    group_name_known, groups_full."""
    with write_unit():
        held(SchoolClass, class_id)
        check_version(version, groups_of(class_id))
        added = _add_group(class_id, new) if new else None
        ours = set(db.session.scalars(select(Child.id).where(Child.class_id == class_id)))
        known = {one.group_id for one in groups_of(class_id)}
        moved = {child: group for child, group in places.items() if child in ours}
        db.session.execute(delete(GroupMember).where(GroupMember.child_id.in_(moved)))
        for child, group in moved.items():
            group = added if group == NEW_GROUP else group
            if group in known:
                db.session.add(GroupMember(child_id=child, group_id=group))
        db.session.flush()
        db.session.execute(delete(ChildGroup).where(ChildGroup.id.in_(known & set(gone))))
        audit.record(by, "groups", "class", class_id)


def _groups(which: ColumnElement[bool]) -> tuple[Group, ...]:
    rows = db.session.scalars(select(ChildGroup).where(which).order_by(ChildGroup.id)).all()
    members = select(GroupMember.group_id, GroupMember.child_id).order_by(GroupMember.child_id)
    members = members.join(ChildGroup).join(Child).where(which)
    members = members.where(Child.class_id == ChildGroup.class_id)  # members may have changed class
    found: defaultdict[int, list[int]] = defaultdict(list)
    for group_id, child in db.session.execute(members):
        found[group_id].append(child)
    return tuple(
        Group(group_id=r.id, class_id=r.class_id, name=r.name, children=tuple(found[r.id]))
        for r in rows
    )


def _add_group(class_id: int, name: str) -> int:
    name, groups = names.tidy(name), groups_of(class_id)
    if names.trouble(name, LONGEST_NAME, digits=True):
        raise Refused("group_name")
    if names.is_like_one_of(name, (one.name for one in groups)):
        raise Refused("group_name_known", name=name)
    if len(groups) >= MOST_GROUPS:
        raise Refused("groups_full", most=MOST_GROUPS)
    row = ChildGroup(class_id=class_id, name=name, created_at=clock.now())
    db.session.add(row)
    db.session.flush()
    return row.id
