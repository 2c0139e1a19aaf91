"""The new school year: all children of the school move on in one write unit. This can be undone
(undoing.py).

The plan is made again before it is applied, and is applied only if it is the same as the plan that
the administrator saw. Children who leave are put into an archived class, and are deleted with that
class (operation/retention.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, delete, select, update

from classroom.database import db, run, write_unit
from classroom.models import (
    Child,
    ClassTeacher,
    PlannedSeat,
    Player,
    School,
    SchoolClass,
    YearChange,
    YearMove,
)
from classroom.services.base import audit, clock, limits, names, notices, security_log
from classroom.services.base.errors import Refused
from classroom.services.base.rows import hold_children
from classroom.services.school import class_life, classes, year_plan
from classroom.services.school.child_moves import YEAR, add_change, note_moves
from classroom.services.school.year_plan import (
    Going,
    MovingChild,
    Target,
    Wishes,
    YearPlan,
    YearRoom,
)
from classroom.services.table import evidence_log, rounds


def look(school_id: int, by: int) -> tuple[YearRoom, ...]:
    """Like `rooms_of`, for an administrator; the audit log records that the names were shown."""
    with write_unit():
        audit.record(by, "names", "school", school_id)
    return rooms_of(school_id)


def rooms_of(school_id: int) -> tuple[YearRoom, ...]:
    """The school's classes with their children; archived classes with children come last."""
    pupils: dict[int, list[MovingChild]] = {}
    rows = db.session.execute(
        select(*(Child.class_id, Child.id, Child.name, Child.animal, Child.pad, Child.age_band))
        .join(SchoolClass, SchoolClass.id == Child.class_id)
        .where(SchoolClass.school_id == school_id)
    )
    for row in names.by_name(rows):
        pupils.setdefault(row.class_id, []).append(MovingChild(*row[1:]))
    kept = limits.days_kept()["keep_archived"] * clock.SECONDS_A_DAY
    found = select(SchoolClass).where(SchoolClass.school_id == school_id)
    rooms = sorted(names.by_name(db.session.scalars(found)), key=lambda one: bool(one.archived_at))
    return tuple(
        YearRoom(
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


def cards_needed(class_id: int) -> frozenset[int]:
    """The ids of the class's children who need new cards after a new school year or an undo."""
    there = select(YearMove.child_id).join(Child, Child.id == YearMove.child_id)
    there = there.where(YearMove.to_class == class_id, Child.class_id == class_id)
    return frozenset(db.session.scalars(there.where(YearMove.new_card)))


def apply(school_id: int, wishes: Wishes, seal: str, by: int) -> YearPlan:
    """Move the school into the new year; returns the plan that was carried out. `seal`: the seal of
    the plan that the administrator saw. Raises Refused: `year_conflict` if the plan has conflicts,
    `year_changed` if it is no longer the plan that the administrator saw."""
    with write_unit():
        hold_school(school_id)
        plan = year_plan.plan(rooms_of(school_id), wishes)
        if plan.conflicts:
            raise Refused("year_conflict")
        if plan.seal != seal:
            raise Refused("year_changed")
        touched = _carry_out(school_id, plan, by)
        audit.record(by, "year", "school", school_id)
        security_log.note("year_moved_on", school_id=school_id)
    tell(touched)
    return plan


def _carry_out(school_id: int, plan: YearPlan, by: int) -> list[int]:
    """Make, restore and archive classes, and move the children; returns the ids of the children's
    old and new classes."""
    made = _make(school_id, plan.going)
    change = add_change(school_id, YEAR, by, made.values(), plan.archived)
    moves = [(one, one.target.class_id or made[one.target]) for one in plan.changes]
    _move(change, moves, by)
    for class_id in plan.restored:
        db.session.get_one(SchoolClass, class_id).archived_at = None
    for class_id in plan.archived:
        class_life.put_away(db.session.get_one(SchoolClass, class_id))
    # Let all classes that are not archived end with the new school year.
    end = class_life.year_end(db.session.get_one(School, school_id).year_end)
    ends: dict[str, int | None] = {}
    for room in db.session.scalars(class_life.in_use(school_id)):
        ends[str(room.id)], room.ends_day = room.ends_day, end
    change.ends = ends
    return [*{one.room.class_id for one in plan.going} | {to for _, to in moves}]


def _make(school_id: int, going: Iterable[Going]) -> dict[Target, int]:
    """Make the new classes, taught by the present teachers of their children; returns their ids. A
    class for children who leave is archived at once."""
    comes_from: dict[Target, set[int]] = defaultdict(set)
    for one in going:
        if one.target.class_id is None:
            comes_from[one.target].add(one.room.class_id)
    made = {}
    for target, olds in comes_from.items():
        teachers = select(ClassTeacher.adult_id).where(ClassTeacher.class_id.in_(olds)).distinct()
        room = classes.add_class(school_id, target.name, db.session.scalars(teachers).all())
        if target.left:
            room.archived_at, room.ends_day = clock.now(), None
        made[target] = room.id
    return made


def _move(change: YearChange, moves: Sequence[tuple[Going, int]], by: int) -> None:
    for class_id in sorted({one.room.class_id for one, _ in moves} | {to for _, to in moves}):
        class_life.close(db.session.get_one(SchoolClass, class_id))
    db.session.flush()
    children = [one.was.child_id for one, to in moves if to != one.room.class_id]
    leave_off(children)
    seat([(one.pupil, to) for one, to in moves])
    note_moves(change, ((one.was, one.room.class_id, to, one.new_card) for one, to in moves))
    for one, _ in moves:
        audit.record(by, "move", "child", one.was.child_id)


# ---- functions that undoing.py uses too


def seat(ways: Sequence[tuple[MovingChild, int]]) -> None:
    """Put each child into the class with this id, with the name, face and age band of the
    MovingChild. Children can swap faces with each other."""
    if not ways:
        return
    looks = {
        one.child_id: {"name": one.name, "animal": one.animal, "pad": one.pad} for one, _ in ways
    }
    # The database refuses two children in a class with the same face, even for a moment. So each
    # child first gets a face that nobody else can have.
    db.session.execute(update(Child), [{"id": child_id, "pad": -child_id} for child_id in looks])
    db.session.execute(
        update(Child),
        [
            {"id": one.child_id, "class_id": room, "age_band": one.age_band, **looks[one.child_id]}
            for one, room in ways
        ],
    )
    at_tables = update(Player.__table__).where(Player.child_id == bindparam("child"))
    run(at_tables, [{"child": child_id, **look} for child_id, look in looks.items()])
    evidence_log.count_later(select(Child.id).where(Child.id.in_(list(looks))))
    db.session.expire_all()


def leave_off(children: Sequence[int]) -> None:
    """End the unfinished rounds of these children, and remove them from lesson plans."""
    db.session.execute(delete(PlannedSeat).where(PlannedSeat.child_id.in_(children)))
    rounds.leave_off(Player.child_id.in_(children))


def hold_school(school_id: int) -> None:
    """Lock all children of the school until the commit, so that no child changes class."""
    hold_children(Child.school_class.has(school_id=school_id))


def tell(rooms: Iterable[int]) -> None:
    for class_id in rooms:
        notices.tables(class_id)
