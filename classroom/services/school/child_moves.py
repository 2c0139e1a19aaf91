"""Moving a child to another class, leaving the school, and merging two entries of one child."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import delete, insert, select, update

from classroom.database import after_commit, db, write_unit
from classroom.learning.history import history
from classroom.models import (
    Child,
    ChildHistory,
    ChildNote,
    ChildRound,
    ChoicesRow,
    ClassTeacher,
    DoorKnock,
    EvidenceRow,
    FamilyCode,
    FamilyLink,
    GroupMember,
    HelpTaken,
    PlannedSeat,
    Player,
    QuestionRow,
    Restriction,
    SchoolClass,
    YearChange,
    YearMove,
)
from classroom.privacy import UNDO_DAYS
from classroom.services.access import sessions
from classroom.services.base import audit, budgets, clock, names, notices, security_log, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.names import ChildFace, ShownClass
from classroom.services.base.rows import count_rows, existing, held, hold_children, is_there
from classroom.services.lesson import gatherings
from classroom.services.reports import skill_reports
from classroom.services.school import class_life, classes, removals
from classroom.services.school.year_plan import MovingChild
from classroom.services.table import evidence_log, rounds

YEAR: Final = "year"
LEFT, REMOVED, MERGED, LISTED = "left", "removed", "merged", "listed"

# ---- Moving a child to another class, with history, settings and family
#
# The child keeps the same face if it is free there. Unfinished rounds end. Finished rounds
# stay with the class in which they were played, but the child's new teachers may look at them too.


def classes_for(adult_id: int, child_id: int) -> tuple[ShownClass, ...]:
    """This adult's other classes to which the child can be moved."""
    taught = select(ClassTeacher.class_id).where(ClassTeacher.adult_id == adult_id)
    mine, child = set(db.session.scalars(taught)), existing(Child, child_id)
    found = classes_of_school(child.school_class.school_id)
    return tuple(one for one in found if one.class_id in mine and one.class_id != child.class_id)


def classes_of_school(school_id: int) -> tuple[ShownClass, ...]:
    """The school's classes that are not archived, sorted by name."""
    rooms = names.by_name(db.session.scalars(class_life.in_use(school_id)))
    return tuple(ShownClass(room.id, room.name) for room in rooms)


def names_in(school_id: int, class_id: int, by: int) -> tuple[ChildFace, ...]:
    """The children in a class, sorted by name, for an administrator. The audit log records that
    they were shown. Raises NotFound for a class of another school."""
    with write_unit():
        if existing(SchoolClass, class_id).school_id != school_id:
            raise NotFound()
        audit.record(by, "names", "class", class_id)
    return names.faces(names.children_of(class_id))


def move_in_school(school_id: int, child_id: int, to_class: int, by: int) -> bool:
    """Call `move` for this school's administrator. Raises NotFound for another school's child."""
    if existing(Child, child_id).school_class.school_id != school_id:
        raise NotFound("child")
    return move(child_id, to_class, by)


def move_by_teacher(adult_id: int, child_id: int, to_class: int) -> bool:
    """Call `move` for a teacher of both classes. Raises Refused("other_class") if this adult does
    not teach the new class."""
    if to_class not in {choice.class_id for choice in classes_for(adult_id, child_id)}:
        raise Refused("other_class")
    return move(child_id, to_class, adult_id)


def move(child_id: int, to_class: int, by: int | None = None) -> bool:
    """Move the child to another class in the school; returns whether the child needs a new card.
    The caller checks whether the adult may do this. Raises NotNow("class_archived"), and Refused:
    `other_class` (in another school, or the child's own), `child_name_known`, `class_full`."""
    with write_unit():
        child, room = held(Child, child_id), db.session.get(SchoolClass, to_class)
        was = child.school_class
        if room is None or room.id == was.id or room.school_id != was.school_id:
            raise Refused("other_class")
        class_life.must_be_open_to_change(room)
        classes.not_twice(room.id, child.name)
        had = child.animal, child.pad
        face = names.nearest_face(classes.faces(room.id), had)
        if face is None:
            raise Refused("class_full", most=classes.MOST_CHILDREN)
        # The card shows the child's face, and the class's code if the class keeps one.
        new_card = face != had or was.code_kept or room.code_kept
        leave_class(child)
        child.class_id, (child.animal, child.pad) = room.id, face
        classes.show_at_tables(child)
        audit.record(by, "move", "child", child_id)
        security_log.note("child_moved", child_id=child_id, class_id=room.id)
        old_id = was.id
    notices.tables(old_id)
    notices.friends(to_class)
    return new_card


# ---- functions to call within a write unit


def leave_class(child: Child) -> None:
    """Take the child from the table, group and planned seat, end the child's unfinished rounds and
    sessions, and delete knocks and wrong tries. If the child has played at home, the evidence is
    counted again later, because the classes may differ on whether play at home counts."""
    gatherings.stand_up(child.id)
    for model in (GroupMember, PlannedSeat, DoorKnock):
        db.session.execute(delete(model).where(model.child_id == child.id))
    rounds.leave_off(Player.child_id == child.id)
    sessions.end_all(child_id=child.id)
    budgets.forgive_child(child.id)
    evidence_log.count_later(select(Child.id).where(Child.id == child.id))


# ---- leaving for good
#
# A child leaves the school, is removed, or is merged into another entry of the same child. For
# UNDO_DAYS this can be undone (undoing.py). Meanwhile the child is in an archived class, like
# children who leave at the end of a school year. A child who left stays there until that class is
# deleted; a removed or merged child is deleted after UNDO_DAYS (operation/retention.py).

DELETED: Final = (REMOVED, MERGED)  # changes after which the child is deleted


def leave_school(child_id: int, by: int | None = None, *, for_good: bool = False) -> None:
    """Record that the child has left the school. `for_good`: the child is deleted after
    UNDO_DAYS. Raises NotFound, NotNow("class_archived")."""
    with write_unit():
        child = held(Child, child_id)
        class_id = child.class_id
        class_life.must_be_open_to_change(child.school_class)
        leave_class(child)
        put_entry_away(child, REMOVED if for_good else LEFT, by)
        classes.show_at_tables(child)
        audit.record(by, "take_out" if for_good else "leave", "child", child_id)
        security_log.note("child_left", child_id=child_id)
    notices.tables(class_id)


def end_entry(child_id: int) -> None:
    """Delete a removed or merged child; called when that change can no longer be undone. If an
    older backup is restored later, a merged child is merged again."""
    with write_unit():
        child = existing(Child, child_id)
        room = child.class_id
        merger = select(YearChange).join(YearMove, YearMove.change_id == YearChange.id)
        merger = merger.where(YearMove.child_id == child_id, YearChange.what == MERGED)
        change = db.session.scalar(merger.limit(1))
        into = db.session.get(Child, change.given["into"]) if change and change.given else None
        if into is not None:
            tombstones.note_child("merged", child, into.id, into.created_at)
    removals.remove_child(child_id)
    children = select(Child.id).where(Child.class_id == room)
    if class_life.is_archived(room) and not is_there(children):
        removals.remove_class(room)


# ---- functions to call within a write unit


def put_entry_away(
    child: Child, what: str, by: int | None, given: dict[str, Any] | None = None
) -> None:
    """Move the child into an archived class, and store what is needed to undo this. `given`: what a
    merged child gave to the other child, for `give_back`."""
    was = child.school_class
    room = _room_for(child, was)
    note_change(was.school_id, what, by, {child.id: (was.id, room.id)}, [room.id], given)
    child.class_id = room.id
    db.session.flush()


def _room_for(child: Child, was: SchoolClass) -> SchoolClass:
    """An archived class for a child who leaves: a class of children who recently left the same
    class, if the child's name and face are free in it, else a new class."""
    waiting = (
        select(SchoolClass)
        .join(YearMove, YearMove.to_class == SchoolClass.id)
        .join(YearChange, YearChange.id == YearMove.change_id)
        .where(
            YearMove.from_class == was.id,
            YearChange.what.in_((LEFT, *DELETED)),
            SchoolClass.archived_at >= undoable_since(),
            SchoolClass.ends_day.is_(None),
        )
        .order_by(SchoolClass.id.desc())
    )
    for room in db.session.scalars(waiting).unique():
        there = names.children_of(room.id)
        faces = {(mate.animal, mate.pad) for mate in there}
        named = names.is_like_one_of(child.name, (mate.name for mate in there))
        if not named and (child.animal, child.pad) not in faces:
            return room
    teachers = select(ClassTeacher.adult_id).where(ClassTeacher.class_id == was.id)
    room = classes.add_class(was.school_id, was.name, db.session.scalars(teachers).all())
    room.archived_at, room.ends_day = clock.now(), None
    return room


# ---- records of who joined or left a class, so that the change can be undone (undoing.py)


def undoable_since() -> float:
    """Changes made before this time can no longer be undone."""
    return clock.now() - UNDO_DAYS * clock.SECONDS_A_DAY


def note_change(
    school_id: int,
    what: str,
    by: int | None,
    ways: Mapping[int, tuple[int | None, int]],
    made: Sequence[int] = (),
    given: dict[str, Any] | None = None,
) -> None:
    """Record a change that can be undone; call this within a write unit. `ways`: each child's class
    before and after the change. `made`: the classes made for it. `given`: as in YearChange."""
    change = add_change(school_id, what, by, made, given=given)
    children = db.session.scalars(select(Child).where(Child.id.in_(list(ways)))).all()
    had = (MovingChild(*names.face(child), child.age_band) for child in children)
    note_moves(change, ((one, *ways[one.child_id], False) for one in had))


def add_change(
    school_id: int,
    what: str,
    by: int | None,
    made: Iterable[int],
    archived: Iterable[int] = (),
    given: dict[str, Any] | None = None,
) -> YearChange:
    """Add a YearChange with these columns; returns it. Call this within a write unit."""
    change = YearChange(
        school_id=school_id,
        what=what,
        by=by,
        at=clock.now(),
        made=list(made),
        archived=list(archived),
        ends={},
        given=given,
    )
    db.session.add(change)
    db.session.flush()
    return change


def note_moves(
    change: YearChange, moves: Iterable[tuple[MovingChild, int | None, int, bool]]
) -> None:
    """Record the children whom a change moves. Each move consists of the child before the change,
    the classes before and after it, and whether the child needs a new card."""
    rows = [
        {
            "change_id": change.id,
            "from_class": was,
            "to_class": now,
            "new_card": card,
            **asdict(had),
        }
        for had, was, now, card in moves
    ]
    if rows:
        db.session.execute(insert(YearMove), rows)


# ---- merging the two entries of a child who was entered twice
#
# All rows of the second entry go to the first, and everything that is worked out from the child's
# play is worked out again.

PORTION: Final = 500  # the largest number of ids in one statement
WITH_IDS: Final[tuple[Any, ...]] = (
    *(ChildRound, EvidenceRow, QuestionRow, HelpTaken),
    *(ChildNote, FamilyCode, Player),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(ChildFace):
    """One of the two children to be merged, and how much data there is."""

    class_name: str
    rounds: int
    answers: int
    parents: int


def sides(child_id: int, other_id: int) -> tuple[Side, Side]:
    """How much data each of the two children has; the child who stays comes first. Raises NotFound
    and Refused as `merge` does."""
    _check(child_id, other_id)
    return _side(child_id), _side(other_id)


def mates(child_id: int) -> tuple[ChildFace, ...]:
    """The other children in the child's class, sorted by name. Raises NotFound."""
    here = names.children_of(existing(Child, child_id).class_id)
    return names.faces(mate for mate in here if mate.id != child_id)


def merge(child_id: int, other_id: int, by: int | None = None) -> None:
    """Merge the other child into this child, who gets the other's play, family and, if this child
    has none, settings. The other is deleted once the merger can no longer be undone (`end_entry`).

    This child's name, face, age band and pictures stay. Raises NotFound,
    NotNow("class_archived") and Refused: `same_child` if both are the same child or they are in
    different classes, `same_table` if both have sat at one table.
    """
    with write_unit():
        _check(child_id, other_id)
        hold_children(Child.id.in_((child_id, other_id)))
        child, other = existing(Child, child_id), existing(Child, other_id)
        class_id = child.class_id
        class_life.must_be_open_to_change(child.school_class)
        put_entry_away(other, MERGED, by, _give_all(child, other))
        _work_out(child_id, other_id)
        for one in (child_id, other_id):
            audit.record(by, "merge", "child", one)
        security_log.note("children_merged", child_id=child_id)
    notices.tables(class_id)


def take_over(child: Child, other: Child) -> None:
    """In a write unit, give a child everything that the other child has, and delete the other."""
    child_id, other_id = child.id, other.id
    _give_all(child, other)
    db.session.execute(delete(Child).where(Child.id == other_id))
    _work_out(child_id)


def give_back(given: dict[str, Any], other_id: int) -> None:
    """Undo a merger: give the merged child back the data that `_give_all` took from it, as far as
    the data still exist. Call this within a write unit. `given`: what `_give_all` returned."""
    child_id = given["into"]
    for model in WITH_IDS:
        ids = given["rows"][model.__tablename__]
        for at in range(0, len(ids), PORTION):
            _give(model, child_id, other_id, model.id.in_(ids[at : at + PORTION]))
    _give(FamilyLink, child_id, other_id, FamilyLink.adult_id.in_(given["parents"]))
    for adult_id, created_at in given["parents_of_both"]:
        if db.session.get(FamilyLink, (adult_id, child_id)) is not None:
            db.session.add(FamilyLink(adult_id=adult_id, child_id=other_id, created_at=created_at))
    if given["settings"] and not _has_settings(other_id):
        _give(ChoicesRow, child_id, other_id, ChoicesRow.whose == "family")
    _give(Restriction, child_id, other_id, Restriction.whose.in_(given["restrictions"]))
    db.session.expire_all()
    _work_out(*(one for one in (child_id, other_id) if db.session.get(Child, one)))


def _give_all(child: Child, other: Child) -> dict[str, Any]:
    """Give a child everything that another child has; returns the ids of the rows, for `give_back`.
    If both have settings, each keeps its own. A parent of both is then linked to `child` only."""
    child_id, other_id = child.id, other.id
    leave_class(other)
    rows = {model.__tablename__: _give(model, other_id, child_id) for model in WITH_IDS}
    linked = select(FamilyLink.adult_id).where(FamilyLink.child_id == child_id)
    theirs = FamilyLink.child_id == other_id
    unlinked = select(FamilyLink.adult_id).where(theirs, FamilyLink.adult_id.not_in(linked))
    own = db.session.scalars(unlinked).all()
    _give(FamilyLink, other_id, child_id, FamilyLink.adult_id.in_(own))
    of_both = select(FamilyLink.adult_id, FamilyLink.created_at).where(theirs)
    doubled = [list(row) for row in db.session.execute(of_both)]
    db.session.execute(delete(FamilyLink).where(theirs))
    none_yet = not _has_settings(child_id)
    if none_yet:
        _give(ChoicesRow, other_id, child_id, ChoicesRow.whose == "family")
    asked = select(Restriction.whose).where(Restriction.child_id == child_id)
    others = select(Restriction.whose).where(Restriction.child_id == other_id)
    whose = db.session.scalars(others.where(Restriction.whose.not_in(asked))).all()
    _give(Restriction, other_id, child_id, Restriction.whose.in_(whose))
    db.session.expire_all()
    return {
        "into": child_id,
        "rows": rows,
        "parents": list(own),
        "parents_of_both": doubled,
        "settings": none_yet,
        "restrictions": list(whose),
    }


def _has_settings(child_id: int) -> bool:
    found = select(ChoicesRow.id).where(ChoicesRow.child_id == child_id)
    return is_there(found.where(ChoicesRow.whose == "family"))


def _give(model: Any, other_id: int, child_id: int, *where: Any) -> list[int]:
    """Give these rows of the other child to this child; returns the rows' ids, if they have any."""
    theirs = (model.child_id == other_id, *where)
    ids = list(db.session.scalars(select(model.id).where(*theirs))) if hasattr(model, "id") else []
    db.session.execute(
        update(model)
        .where(*theirs)
        .values(child_id=child_id)
        .execution_options(synchronize_session=False)
    )
    return ids


def _work_out(*children: int) -> None:
    """Update these children's faces at their tables, and recount all their evidence."""
    after_commit(skill_reports.forget)
    for child_id in children:
        classes.show_at_tables(existing(Child, child_id))
        evidence_log.count_again(child_id)
        look_back(child_id)


def look_back(child_id: int) -> None:
    """Rebuild the history used to choose the child's questions; call it in a write unit."""
    rows = [row for _, row in evidence_log.rows_of(EvidenceRow.child_id == child_id)]
    kept = db.session.get(ChildHistory, child_id) or ChildHistory(child_id=child_id)
    kept.history = history(rows).to_json()
    db.session.add(kept)


def _check(child_id: int, other_id: int) -> None:
    child, other = existing(Child, child_id), db.session.get(Child, other_id)
    if other is None or child_id == other_id or child.class_id != other.class_id:
        raise Refused("same_child")
    theirs = select(Player.match_id).where(Player.child_id == other_id)
    together = select(Player.id).where(Player.child_id == child_id, Player.match_id.in_(theirs))
    if is_there(together):
        raise Refused("same_table")


def _side(child_id: int) -> Side:
    child = existing(Child, child_id)
    return Side(
        *names.face(child),
        class_name=child.school_class.name,
        rounds=count_rows(select(ChildRound.id).where(ChildRound.child_id == child_id)),
        answers=count_rows(select(EvidenceRow.id).where(EvidenceRow.child_id == child_id)),
        parents=count_rows(select(FamilyLink.adult_id).where(FamilyLink.child_id == child_id)),
    )
