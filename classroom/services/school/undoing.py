"""Undoing a new school year, a child's leaving, removal or merger, and a list of new children."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, delete, select

from classroom.database import AnyRow, db, empty_log, write_unit
from classroom.models import Child, Match, Player, SchoolClass, YearChange, YearMove
from classroom.privacy import UNDO_DAYS
from classroom.services.base import audit, clock, names, security_log, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import existing, is_there
from classroom.services.school import child_moves, class_life, removals, school_year
from classroom.services.school.child_moves import LEFT, LISTED, YEAR, note_moves, undoable_since
from classroom.services.school.year_plan import MovingChild

# ---- Undoing a new school year (for UNDO_DAYS)
#
# Children who have joined a class since then keep their names and faces. If the old name or face of
# a child who comes back is taken, the child gets another and needs a new sign-in card.


def year_changes(school_id: int) -> tuple[Recent, ...]:
    """The new school years that can still be undone, newest first. Undone changes whose rows
    `_keep_notes` has kept are left out."""
    lately = YearChange.at >= undoable_since()
    wanted = select(YearChange).where(
        YearChange.school_id == school_id, YearChange.what == YEAR, lately
    )
    moves = select(YearMove.name, YearMove.new_card)
    return tuple(
        _shown(change, db.session.execute(moves.where(YearMove.change_id == change.id)).all())
        for change in db.session.scalars(wanted.order_by(YearChange.id.desc())).all()
        if change.ends or change.archived
    )


def undo_year(school_id: int, change_id: int, by: int) -> int:
    """Undo a new school year: children who are still in their new class go back to the old one.
    Returns how many of these children need a new sign-in card.

    Raises NotFound for a change that does not exist, or is older than UNDO_DAYS. Raises Refused,
    and then changes nothing: `year_undo_full` if an old class has too little room,
    `year_undo_child` if both the old and the new name of a child are taken in its old class,
    `year_undo_class` if another class now has the name of a class to be restored."""
    with write_unit():
        school_year.hold_school(school_id)
        if change_id not in {done.change_id for done in year_changes(school_id)}:
            raise NotFound()
        cards, touched = put_back(db.session.get_one(YearChange, change_id), by)
        audit.record(by, "year_undone", "school", school_id)
        security_log.note("year_undone", school_id=school_id)
    school_year.tell(touched)
    return cards


def put_back(change: YearChange, by: int) -> tuple[int, set[int]]:
    """Put back the children whom a change moved, within a write unit; returns how many need a new
    sign-in card, and the ids of the old and new classes. Undoing a year also closes these."""
    back = _back(change)
    touched = {room for one in back for room in (one.room, one.was)}
    if change.what == YEAR:
        for class_id in sorted(touched):
            class_life.close(db.session.get_one(SchoolClass, class_id))
    db.session.flush()
    school_year.leave_off([one.pupil.child_id for one in back])
    school_year.seat([(one.pupil, one.room) for one in back])
    for key, end in change.ends.items():
        room = db.session.get(SchoolClass, int(key))
        if room is not None and (end is None or end >= clock.day()):  # a past day would archive it
            room.ends_day = end
    _unmake(change)
    _open_again(change, {one.room for one in back})
    if change.what == YEAR:
        for one in back:
            audit.record(by, "move", "child", one.pupil.child_id)
    _keep_notes(change, [one for one in back if one.new_card])
    return sum(one.new_card for one in back), touched


@dataclass(frozen=True, slots=True)
class _Way:
    """How a child gets back from class `was` to class `room`. `pupil`: the child as they will be
    once they are back."""

    pupil: MovingChild
    was: int
    room: int
    new_card: bool


def _back(change: YearChange) -> list[_Way]:
    """The way back of each moved child who is still in the new class. Children whose old face is
    free come first, so that no other child is given that face."""
    rows = db.session.execute(
        select(YearMove, Child, SchoolClass)
        .join(Child, Child.id == YearMove.child_id)
        .join(SchoolClass, SchoolClass.id == YearMove.from_class)
        .where(YearMove.change_id == change.id, YearMove.to_class == Child.class_id)
        .order_by(YearMove.id)
    )
    found = [(move, child, room) for move, child, room in rows]
    going = {child.id for _, child, _ in found}
    taken: dict[int, dict[names.AnimalOnPad, str]] = {room.id: {} for _, _, room in found}
    for mate in db.session.scalars(select(Child).where(Child.class_id.in_(taken))):
        if mate.id not in going:
            taken[mate.class_id][mate.animal, mate.pad] = mate.name
    found.sort(key=lambda one: (one[0].animal, one[0].pad) in taken[one[2].id])
    return [_way(move, child, room, taken[room.id]) for move, child, room in found]


def _way(
    move: YearMove, child: Child, room: SchoolClass, taken: dict[names.AnimalOnPad, str]
) -> _Way:
    """A child's way back to a class. `taken`: the names in that class by face; this child's name is
    added. The child needs a new card if the name or face changes now, or if the change made a new
    card necessary, because that card is wrong now."""
    face = names.nearest_face(taken, (move.animal, move.pad))
    if face is None:
        raise Refused("year_undo_full", room=room.name)
    both = (move.name, child.name)
    name = next((one for one in both if not names.is_like_one_of(one, taken.values())), None)
    if name is None:
        raise Refused("year_undo_child", room=room.name, name=move.name)
    taken[face] = name
    pupil = MovingChild(child.id, name, *face, move.age_band)
    changed = (pupil.name, pupil.face) != (child.name, (child.animal, child.pad))
    return _Way(pupil, child.class_id, room.id, changed or move.new_card)


def _keep_notes(change: YearChange, ways: Sequence[_Way]) -> None:
    """Delete the change, except for rows that say that these children need new cards."""
    db.session.execute(delete(YearMove).where(YearMove.change_id == change.id))
    if not ways:
        db.session.delete(change)
        return
    change.at, change.made, change.archived, change.ends = clock.now(), [], [], {}
    change.what, change.given = YEAR, None
    note_moves(change, ((way.pupil, None, way.room, True) for way in ways))


def _unmake(change: YearChange) -> None:
    """Delete the empty classes that the change made, or archive them if somebody played there."""
    for class_id in change.made:
        room = db.session.get(SchoolClass, class_id)
        if room is None or is_there(select(Child.id).where(Child.class_id == class_id)):
            continue
        if not is_there(select(Match.id).where(Match.class_id == class_id)):
            db.session.execute(delete(SchoolClass).where(SchoolClass.id == class_id))
        else:
            class_life.put_away(room)


def _open_again(change: YearChange, old: Iterable[int]) -> None:
    """Restore the classes that the change archived, and any of the children's old classes (`old`)
    that have been archived since."""
    wanted = SchoolClass.id.in_({*change.archived, *old})
    since = SchoolClass.archived_at >= change.at
    for room in db.session.scalars(select(SchoolClass).where(wanted, since)).all():
        if class_life.is_known(room.name, room.school_id, but=room.id):
            raise Refused("year_undo_class", room=room.name)
        class_life.take_back(room)


# ---- undoing a child's leaving, removal or merger (for UNDO_DAYS), or a list (for LIST_SECONDS)

LIST_SECONDS: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """A change that can be undone until `until`. `what`: LEFT, REMOVED, MERGED, LISTED or YEAR.
    `children`: how many children were moved. `name`: the first child's name. `into`: if MERGED, the
    name of the child who stays, else "". `new_cards`: how many children need a new card."""

    change_id: int
    what: str
    at: float
    until: float
    children: int
    name: str
    into: str
    new_cards: int


@dataclass(frozen=True, slots=True)
class Undone:
    """The result of an undo. `children`: how many came back or, for a list, were deleted. `stay`:
    how many children on a list stay, because they have played since. `new_card`: whether the child
    who came back needs a new sign-in card."""

    what: str
    children: int
    stay: int = 0
    new_card: bool = False


def of_class(class_id: int) -> tuple[Recent, ...]:
    """The changes to a class that can be undone, newest first; none if the class is archived."""
    if class_life.is_archived(class_id):
        return ()
    went = (YearMove.from_class == class_id) & YearChange.what.in_((LEFT, *child_moves.DELETED))
    return _recent(went | ((YearMove.to_class == class_id) & (YearChange.what == LISTED)))


def lists_by(adult_id: int) -> tuple[Recent, ...]:
    """The lists that this adult has added and can still undo, newest first."""
    return _recent(YearChange.what == LISTED, YearChange.by == adult_id)


def undo(class_id: int, change_id: int, by: int) -> Undone:
    """Undo a change to this class. Raises NotFound if there is no such change or it can no longer
    be undone, and Refused as `undo_year` does."""
    if change_id not in {one.change_id for one in of_class(class_id)}:
        raise NotFound()
    return _undo(existing(SchoolClass, class_id).school_id, change_id, by)


def undo_list(school_id: int, change_id: int, by: int) -> Undone:
    """Undo this administrator's list of several classes. Raises NotFound as `undo` does."""
    if change_id not in {one.change_id for one in lists_by(by)}:
        raise NotFound()
    return _undo(school_id, change_id, by)


def _recent(*where: ColumnElement[bool]) -> tuple[Recent, ...]:
    rows = db.session.execute(
        select(YearChange, YearMove.name, YearMove.new_card)
        .join(YearMove, YearMove.change_id == YearChange.id)
        .join(Child, (Child.id == YearMove.child_id) & (Child.class_id == YearMove.to_class))
        .where(YearChange.at >= undoable_since(), *where)
        .order_by(YearChange.id.desc())
    )
    found: dict[YearChange, list[AnyRow]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    shown = [_shown(change, moves) for change, moves in found.items()]
    return tuple(one for one in shown if one.until > clock.now())


def _shown(change: YearChange, moves: Sequence[AnyRow]) -> Recent:
    lasts = LIST_SECONDS if change.what == LISTED else UNDO_DAYS * clock.SECONDS_A_DAY
    into = db.session.get(Child, change.given["into"]) if change.given else None
    return Recent(
        change_id=change.id,
        what=change.what,
        at=change.at,
        until=change.at + lasts,
        children=len(moves),
        name=moves[0].name if moves else "",
        into=into.name if into else "",
        new_cards=sum(move.new_card for move in moves),
    )


def _undo(school_id: int, change_id: int, by: int) -> Undone:
    with write_unit():
        school_year.hold_school(school_id)
        change = existing(YearChange, change_id)
        what = change.what
        if what == LISTED:
            done, touched = _take_list_back(change, by)
        else:
            given = change.given
            gone = select(YearMove.child_id).where(YearMove.change_id == change_id)
            child_id = db.session.scalars(gone).one()
            cards, touched = put_back(change, by)
            if given:
                child_moves.give_back(given, child_id)
            audit.record(by, "take_back", "child", child_id)
            security_log.note("child_came_back", child_id=child_id)
            done = Undone(what, 1, new_card=cards > 0)
    if what == LISTED:
        empty_log()
    school_year.tell(touched)
    return done


def _take_list_back(change: YearChange, by: int) -> tuple[Undone, set[int]]:
    """Delete the children whom a list added, except those who have played since, and the classes it
    added that now have neither children nor matches."""
    rows = db.session.scalars(
        select(Child)
        .join(YearMove, (YearMove.child_id == Child.id) & (YearMove.to_class == Child.class_id))
        .where(YearMove.change_id == change.id)
        .order_by(Child.id)
    ).all()
    sat = select(Player.child_id).where(Player.child_id.in_([child.id for child in rows]))
    played = set(db.session.scalars(sat))
    gone = [child for child in rows if child.id not in played]
    touched = {child.class_id for child in rows}
    for child in gone:
        tombstones.note_gone(child)
        audit.record(by, "remove", "child", child.id)
        security_log.note("child_removed", child_id=child.id)
        removals.take_out(child.id)
    made = change.made
    db.session.delete(change)
    db.session.flush()
    for class_id in made:
        room = db.session.get(SchoolClass, class_id)
        used = (select(one.id).where(one.class_id == class_id) for one in (Child, Match))
        if room is not None and not any(map(is_there, used)):
            tombstones.note_gone(room)
            audit.record(by, "remove", "class", class_id)
            security_log.note("class_removed", class_id=class_id)
            removals.take_out_class(class_id)
    return Undone(LISTED, len(gone), stay=len(played)), touched
