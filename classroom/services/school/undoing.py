"""Undoing what a teacher did with children of a class: one who left, was removed or merged comes
back for UNDO_DAYS; a list that was just added goes away again for LIST_SECONDS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, or_, select

from classroom.database import db, empty_log, write_unit
from classroom.models import Child, Match, Player, SchoolClass, YearChange, YearMove
from classroom.privacy import UNDO_DAYS
from classroom.services.base import audit, clock, notices, security_log, tombstones
from classroom.services.base.errors import NotFound
from classroom.services.base.rows import existing
from classroom.services.school import class_life, merges, removals, school_year, year_undo
from classroom.services.school.changes import LEFT, LISTED, MERGED, REMOVED

LIST_SECONDS: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """A change that can be undone until `until`. `what`: LEFT, REMOVED, MERGED or LISTED. `name`:
    the child; `into`: the child into whom it was merged, else ""; `children`: how many."""

    change_id: int
    what: str
    at: float
    until: float
    children: int
    name: str
    into: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """What undoing did. `stay`: how many children of a list stay, because they have played since.
    `new_card`: whether the child who came back needs a new sign-in card."""

    what: str
    children: int
    stay: int = 0
    new_card: bool = False


def of_class(class_id: int) -> tuple[Recent, ...]:
    """What can be undone on the page of this class, newest first. Nothing in an archived class."""
    if class_life.is_archived(class_id):
        return ()
    mine = YearMove.from_class == class_id, YearMove.to_class == class_id
    return _recent(
        or_(
            mine[0] & YearChange.what.in_((LEFT, REMOVED, MERGED)),
            mine[1] & (YearChange.what == LISTED),
        )
    )


def lists_by(adult_id: int) -> tuple[Recent, ...]:
    """The lists that this adult has just added."""
    return _recent(YearChange.what == LISTED, YearChange.by == adult_id)


def undo(class_id: int, change_id: int, by: int) -> Undone:
    """Undo a change of this class. Raises NotFound if it is not there or cannot be undone any more,
    and what `year_undo.undo` raises."""
    if change_id not in {one.change_id for one in of_class(class_id)}:
        raise NotFound()
    return _undo(existing(SchoolClass, class_id).school_id, change_id, by)


def undo_list(school_id: int, change_id: int, by: int) -> Undone:
    """Undo a list of several classes, for an administrator. Raises NotFound as `undo` does."""
    if change_id not in {one.change_id for one in lists_by(by)}:
        raise NotFound()
    return _undo(school_id, change_id, by)


# ---- what there is


def _recent(*where: ColumnElement[bool]) -> tuple[Recent, ...]:
    lately = clock.now() - UNDO_DAYS * clock.SECONDS_A_DAY
    rows = db.session.execute(
        select(YearChange, YearMove.name)
        .join(YearMove, YearMove.change_id == YearChange.id)
        .join(Child, (Child.id == YearMove.child_id) & (Child.class_id == YearMove.to_class))
        .where(YearChange.at >= lately, *where)
        .order_by(YearChange.id.desc())
    )
    found: dict[int, tuple[YearChange, list[str]]] = {}
    for change, name in rows:
        found.setdefault(change.id, (change, []))[1].append(name)
    shown = [_shown(change, called) for change, called in found.values()]
    return tuple(one for one in shown if one.until > clock.now())


def _shown(change: YearChange, called: Sequence[str]) -> Recent:
    lasts = LIST_SECONDS if change.what == LISTED else UNDO_DAYS * clock.SECONDS_A_DAY
    into = db.session.get(Child, change.given["into"]) if change.given else None
    return Recent(
        change_id=change.id,
        what=change.what,
        at=change.at,
        until=change.at + lasts,
        children=len(called),
        name=called[0],
        into=into.name if into else "",
    )


# ---- undoing


def _undo(school_id: int, change_id: int, by: int) -> Undone:
    with write_unit():
        school_year.hold_children(school_id)
        change = db.session.get(YearChange, change_id)
        if change is None:
            raise NotFound()
        what = change.what
        if what == LISTED:
            done, touched = _take_list_back(change, by)
        else:
            given = change.given
            child_id = db.session.scalars(
                select(YearMove.child_id).where(YearMove.change_id == change_id)
            ).one()
            cards, touched = year_undo.put_back(change, by)
            if given:
                merges.give_back(given, child_id)
            audit.record(by, "take_back", "child", child_id)
            security_log.note("child_came_back", child_id=child_id)
            done = Undone(what, 1, new_card=cards > 0)
    if what == LISTED:
        empty_log()
    for room in touched:
        notices.tables(room)
    return done


def _take_list_back(change: YearChange, by: int) -> tuple[Undone, set[int]]:
    """Delete the children of a list who have not played, and the classes made for it that are empty
    then."""
    rows = db.session.scalars(
        select(Child)
        .join(YearMove, (YearMove.child_id == Child.id) & (YearMove.to_class == Child.class_id))
        .where(YearMove.change_id == change.id)
        .order_by(Child.id)
    ).all()
    played = set(
        db.session.scalars(
            select(Player.child_id).where(Player.child_id.in_([child.id for child in rows]))
        )
    )
    gone = [child for child in rows if child.id not in played]
    touched = {child.class_id for child in rows}
    for child in gone:
        tombstones.note_child(child)
        audit.record(by, "remove", "child", child.id)
        security_log.note("child_removed", child_id=child.id)
        removals.take_out(child.id)
    made = change.made
    db.session.delete(change)
    db.session.flush()
    for class_id in made:
        _drop_if_empty(class_id, by)
    return Undone(LISTED, len(gone), stay=len(played)), touched


def _drop_if_empty(class_id: int, by: int) -> None:
    room = db.session.get(SchoolClass, class_id)
    if room is None:
        return
    used = (
        select(Child.id).where(Child.class_id == class_id).limit(1),
        select(Match.id).where(Match.class_id == class_id).limit(1),
    )
    if any(db.session.scalar(query) is not None for query in used):
        return
    tombstones.note_class(room)
    audit.record(by, "remove", "class", class_id)
    security_log.note("class_removed", class_id=class_id)
    removals.take_out_class(class_id)
