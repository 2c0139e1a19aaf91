"""The new school year: all children of the school move on in one write unit, which can be undone.

The plan is made again when it is applied, and applied only if it is the same as the one that the
administrator saw. Children who leave stay in an archived class until it is deleted with them
(operation/endings.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, delete, select, update

from classroom.database import db, hold, run, write_unit
from classroom.models import (
    Child,
    ClassTeacher,
    Match,
    PlannedSeat,
    Player,
    Round,
    School,
    SchoolClass,
    YearChange,
    YearMove,
)
from classroom.privacy import UNDO_DAYS
from classroom.services.base import audit, clock, faces, keeping, names, notices, security_log
from classroom.services.base.errors import NotFound, Refused
from classroom.services.school import class_life, classes, year_plan
from classroom.services.school.year_plan import Going, Plan, Pupil, Room, Wishes
from classroom.services.table import evidence_log, rounds

_children, _players = Child.__table__.c, Player.__table__.c
# No two children of a class may share a face, not even for a moment: so all give up theirs first.
_PARK = (
    update(Child.__table__)
    .where(_children.id == bindparam("child"))
    .values(pad=bindparam("parked"))
)
_SEAT = (
    update(Child.__table__)
    .where(_children.id == bindparam("child"))
    .values(
        class_id=bindparam("room"),
        name=bindparam("called"),
        animal=bindparam("face"),
        pad=bindparam("leaf"),
        age_band=bindparam("band"),
    )
)
_SHOW = (
    update(Player.__table__)
    .where(_players.child_id == bindparam("child"))
    .values(name=bindparam("called"), animal=bindparam("face"), pad=bindparam("leaf"))
)


@dataclass(frozen=True, slots=True)
class Done:
    """A change that can be undone until `until`. `new_cards`: how many children need a new card."""

    change_id: int
    at: float
    until: float
    children: int
    new_cards: int


def look(school_id: int, by: int) -> tuple[Room, ...]:
    """The classes of the school with their children, as `rooms_of` gives them; this look is on
    record."""
    with write_unit():
        audit.record(by, "names", "school", school_id)
    return rooms_of(school_id)


def rooms_of(school_id: int) -> tuple[Room, ...]:
    """The classes of the school with their children, those in use first, then archived ones that
    have children."""
    pupils: dict[int, list[Pupil]] = {}
    rows = db.session.execute(
        select(Child.class_id, *(_children[name] for name in _PUPIL))
        .join(SchoolClass, SchoolClass.id == Child.class_id)
        .where(SchoolClass.school_id == school_id)
    )
    for class_id, child_id, *rest in names.by_name(rows):
        pupil = Pupil(child_id=child_id, **dict(zip(_PUPIL[1:], rest, strict=True)))
        pupils.setdefault(class_id, []).append(pupil)
    kept = keeping.days(school_id)["keep_archived"] * clock.SECONDS_A_DAY
    found = select(SchoolClass).where(SchoolClass.school_id == school_id)
    rooms = sorted(names.by_name(db.session.scalars(found)), key=lambda one: bool(one.archived_at))
    return tuple(
        Room(
            class_id=room.id,
            name=room.name,
            code_kept=room.code_kept,
            archived=room.archived_at is not None,
            left=room.archived_at is not None and room.ends_day is None,
            pupils=tuple(pupils.get(room.id, ())),
            deleted_at=room.archived_at + kept if room.archived_at is not None else None,
        )
        for room in rooms
        if room.archived_at is None or room.id in pupils
    )


_PUPIL = ("id", "name", "animal", "pad", "age_band")


def changes(school_id: int) -> tuple[Done, ...]:
    """The changes that can still be undone, newest first."""
    since = clock.now() - UNDO_DAYS * clock.SECONDS_A_DAY
    wanted = select(YearChange).where(YearChange.school_id == school_id, YearChange.at >= since)
    return tuple(_done(row) for row in db.session.scalars(wanted.order_by(YearChange.id.desc())))


def _done(row: YearChange) -> Done:
    moved = db.session.scalars(select(YearMove.new_card).where(YearMove.change_id == row.id)).all()
    until = row.at + UNDO_DAYS * clock.SECONDS_A_DAY
    return Done(row.id, row.at, until, len(moved), sum(moved))


def cards_needed(class_id: int) -> frozenset[int]:
    """The children of a class whose sign-in cards became wrong with the new school year."""
    wanted = select(YearMove.child_id).where(YearMove.to_class == class_id, YearMove.new_card)
    return frozenset(db.session.scalars(wanted))


# ---- moving on


def apply(school_id: int, wishes: Wishes, seal: str, by: int) -> Plan:
    """Move the school into the new year; returns the plan that was carried out.

    `seal`: the seal of the plan that the administrator saw. Raises Refused: `year_changed` if the
    school has changed since, `year_conflict` if something has to be settled first.
    """
    with write_unit():
        _hold(school_id)
        rooms = rooms_of(school_id)
        plan = year_plan.plan(rooms, wishes)
        if plan.conflicts:
            raise Refused("year_conflict")
        if plan.seal != seal:
            raise Refused("year_changed")
        touched = _carry_out(school_id, plan, by)
        audit.record(by, "year", "school", school_id)
        security_log.note("year_moved_on", school_id=school_id)
    _tell(touched)
    return plan


def _carry_out(school_id: int, plan: Plan, by: int) -> list[int]:
    """Make, restore and archive classes, and move the children; returns the classes concerned."""
    school = db.session.get_one(School, school_id)
    made = _make(school_id, plan.going)
    change = YearChange(
        school_id=school_id,
        by=by,
        at=clock.now(),
        made=list(made.values()),
        archived=list(plan.archived),
        ends={},
    )
    db.session.add(change)
    db.session.flush()
    moves = [(one, _room_of(one, made)) for one in plan.changes]
    _move(change.id, moves, by)
    for class_id in plan.restored:
        db.session.get_one(SchoolClass, class_id).archived_at = None
    for class_id in plan.archived:
        class_life.put_away(db.session.get_one(SchoolClass, class_id))
    change.ends = _next_end(school, plan)
    return [*{one.room.class_id for one in plan.going} | {to for _, to in moves}]


def _next_end(school: School, plan: Plan) -> dict[str, int | None]:
    """Make the classes that are not archived end with the next school year; returns their earlier
    last days."""
    end = class_life.year_end(school.year_end)
    rooms = select(SchoolClass).where(
        SchoolClass.school_id == school.id, SchoolClass.archived_at.is_(None)
    )
    before: dict[str, int | None] = {}
    for room in db.session.scalars(rooms):
        before[str(room.id)], room.ends_day = room.ends_day, end
    return before


def _make(school_id: int, going: Iterable[Going]) -> dict[tuple[str, bool], int]:
    """Make the new classes, taught by the teachers of those who come; returns their ids. A class of
    children who leave is archived at once."""
    comes_from: dict[tuple[str, bool], set[int]] = {}
    for one in going:
        if one.target.class_id is None:
            key = one.target.name, one.target.left
            comes_from.setdefault(key, set()).add(one.room.class_id)
    made = {}
    for (name, left), olds in comes_from.items():
        teachers = select(ClassTeacher.adult_id).where(ClassTeacher.class_id.in_(olds)).distinct()
        room = classes.add_class(school_id, name, db.session.scalars(teachers).all())
        if left:
            room.archived_at, room.ends_day = clock.now(), None
        made[name, left] = room.id
    return made


def _room_of(one: Going, made: dict[tuple[str, bool], int]) -> int:
    if one.target.class_id is not None:
        return one.target.class_id
    return made[one.target.name, one.target.left]


def _move(change_id: int, moves: Sequence[tuple[Going, int]], by: int) -> None:
    for class_id in sorted({one.room.class_id for one, _ in moves} | {to for _, to in moves}):
        class_life.close(db.session.get_one(SchoolClass, class_id))
    db.session.flush()
    children = [one.was.child_id for one, to in moves if to != one.room.class_id]
    _leave_off(children)
    rows = [_row(one.was.child_id, one.pupil, to) for one, to in moves]
    if rows:
        _park(rows)
    for one, to in moves:
        was = one.was
        db.session.add(
            YearMove(
                change_id=change_id,
                child_id=was.child_id,
                from_class=one.room.class_id,
                to_class=to,
                name=was.name,
                animal=was.animal,
                pad=was.pad,
                age_band=was.age_band,
                new_card=one.new_card,
            )
        )
        audit.record(by, "move", "child", was.child_id)


def _row(child_id: int, pupil: Pupil, to: int) -> dict[str, Any]:
    return {
        "child": child_id,
        "parked": -child_id,
        "room": to,
        "called": pupil.name,
        "face": pupil.animal,
        "leaf": pupil.pad,
        "band": pupil.age_band,
    }


def _park(rows: Sequence[dict[str, Any]]) -> None:
    """Give these children their class, name and face, even where they swap them."""
    for statement, wanted in (
        (_PARK, ("child", "parked")),
        (_SEAT, ("child", "room", "called", "face", "leaf", "band")),
        (_SHOW, ("child", "called", "face", "leaf")),
    ):
        run(statement, [{name: row[name] for name in wanted} for row in rows])
    moved = [row["child"] for row in rows]
    evidence_log.count_later(select(Child.id).where(Child.id.in_(moved)))
    db.session.expire_all()


def _leave_off(children: Sequence[int]) -> None:
    """End the unfinished rounds of these children, and take them out of plans for a lesson."""
    db.session.execute(delete(PlannedSeat).where(PlannedSeat.child_id.in_(children)))
    open_ones = (
        select(Child.id)
        .join(Player, Player.child_id == Child.id)
        .join(Round, Round.match_id == Player.match_id)
        .where(Round.ended_at.is_(None), Child.id.in_(children))
        .distinct()
    )
    for child_id in db.session.scalars(open_ones).all():
        rounds.leave_off(child_id)


# ---- undoing it


def undo(school_id: int, change_id: int, by: int) -> int:
    """Put back each child who is still where the change put it; returns how many.

    A child whose old face has been taken gets a free one; one whose old name has been taken keeps
    its new name. Raises NotFound for a change that is not there, or older than UNDO_DAYS.
    """
    if change_id not in {done.change_id for done in changes(school_id)}:
        raise NotFound()
    with write_unit():
        _hold(school_id)
        change = db.session.get_one(YearChange, change_id)
        _open_again(change)
        back = _back(change)
        touched = {row["room"] for row in back} | {row["was"] for row in back}
        for class_id in touched:
            class_life.close(db.session.get_one(SchoolClass, class_id))
        db.session.flush()
        _leave_off([row["child"] for row in back])
        if back:
            _park(back)
        _unmake(change)
        for row in back:
            audit.record(by, "move", "child", row["child"])
        db.session.delete(change)
        audit.record(by, "year_undone", "school", school_id)
        security_log.note("year_undone", school_id=school_id)
    _tell(touched)
    return len(back)


def _open_again(change: YearChange) -> None:
    """Restore the classes that the change archived, and the days on which classes ended."""
    for class_id in change.archived:
        room = db.session.get(SchoolClass, class_id)
        if room is not None:
            room.archived_at = None
    for key, end in change.ends.items():
        room = db.session.get(SchoolClass, int(key))
        if room is not None:
            room.ends_day = end


def _back(change: YearChange) -> list[dict[str, Any]]:
    """For each child who is still where the change put it: where it goes, with which face and
    name."""
    found = db.session.execute(
        select(YearMove, Child)
        .join(Child, Child.id == YearMove.child_id)
        .where(YearMove.change_id == change.id, YearMove.to_class == Child.class_id)
        .where(YearMove.from_class.is_not(None))
        .order_by(YearMove.id)
    ).all()
    going = {child.id for _, child in found}
    rows: list[dict[str, Any]] = []
    taken = _taken({move.from_class for move, _ in found if move.from_class}, going)
    for move, child in found:
        here = taken.setdefault(move.from_class or 0, {})
        face = (move.animal, move.pad)
        if face in here:
            face = faces.free_face(here, move.animal) or faces.free_face(here) or face
        called = child.name if names.is_like_one_of(move.name, here.values()) else move.name
        here[face] = called
        pupil = Pupil(
            child_id=child.id, name=called, animal=face[0], pad=face[1], age_band=move.age_band
        )
        row = _row(child.id, pupil, move.from_class or 0)
        rows.append(row | {"was": child.class_id})
    return rows


def _taken(rooms: set[int], besides: set[int]) -> dict[int, dict[faces.Face, str]]:
    """The faces and names in these classes, not counting these children."""
    found: dict[int, dict[faces.Face, str]] = {}
    for child in db.session.scalars(select(Child).where(Child.class_id.in_(rooms))):
        if child.id not in besides:
            found.setdefault(child.class_id, {})[child.animal, child.pad] = child.name
    return found


def _unmake(change: YearChange) -> None:
    """Delete the empty classes that the change made; if somebody has played in one, archive it."""
    for class_id in change.made:
        room = db.session.get(SchoolClass, class_id)
        here = select(Child.id).where(Child.class_id == class_id).limit(1)
        if room is None or db.session.scalar(here) is not None:
            continue
        played = select(Match.id).where(Match.class_id == class_id).limit(1)
        if db.session.scalar(played) is None:
            db.session.execute(delete(SchoolClass).where(SchoolClass.id == class_id))
        else:
            class_life.put_away(room)


# ---- both


def _hold(school_id: int) -> None:
    """Lock all children of the school, so that none can move while the plan is made."""
    theirs = select(Child.id).join(SchoolClass, SchoolClass.id == Child.class_id)
    theirs = theirs.where(SchoolClass.school_id == school_id).order_by(Child.id)
    db.session.execute(hold(theirs, of=Child.__table__))


def _tell(rooms: Iterable[int]) -> None:
    for class_id in rooms:
        notices.tables(class_id)
