"""Deleting a child or a class for good: what is deleted with it, and what stays.

Rounds in which no other child sat are deleted. A round with other children stays, because it is
also theirs. At the deleted child's seat it then shows a nameless friend with another face. A round
in a deleted class stays if a child of another class sat in it, and then belongs to that class.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, and_, delete, func, select, update

from classroom.database import after_commit, db, empty_log, write_unit
from classroom.models import (
    Adult,
    Child,
    ChildRound,
    EvidenceRow,
    FamilyLink,
    Match,
    Player,
    QuestionRow,
    Round,
    SchoolClass,
)
from classroom.services.access import invitations
from classroom.services.base import audit, budgets, names, security_log, tombstones
from classroom.services.base.errors import NotNow
from classroom.services.base.rows import count_rows, existing
from classroom.services.lesson import gatherings
from classroom.services.reports import skill_reports

NO_NAME: Final = "Friend"  # the name shown at a deleted child's seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Goes:
    """How much would be deleted with a child or a class. `rounds`: the rounds without other
    children. `shared`: the rounds that stay, without the child's name. `answers`: answers and asks
    in the evidence. `parents`: the parents without another child here."""

    name: str
    children: int
    rounds: int
    shared: int
    answers: int
    parents: int


def what_goes(child_id: int) -> Goes:
    """How much `remove_child` would delete, for the teacher to see first. Raises NotFound."""
    child = existing(Child, child_id)
    own, shared = _matches(child_id)
    return _goes(child.name, [child_id], _rounds_in(own), _rounds_in(shared))


def remove_child(child_id: int, by: int | None = None) -> None:
    """Delete the child and everything that belongs to this child alone. Afterwards no byte of it is
    left in the database file or its log (for backups see PRIVACY.md). Raises NotFound."""
    with write_unit():
        existing(Child, child_id)
        _take_out_all([child_id], by)
        security_log.note("child_removed", child_id=child_id)
    empty_log()


def what_goes_with_class(class_id: int) -> Goes:
    """How much `remove_class` would delete. Raises NotFound."""
    room = existing(SchoolClass, class_id)
    children = _children_of(class_id)
    own = select(Match.id).where(
        Match.class_id == class_id, Match.id.not_in(_matches_of_others(class_id))
    )
    return _goes(room.name, children, _rounds_in(own))


def _goes(name: str, children: Collection[int], rounds: int, shared: int = 0) -> Goes:
    return Goes(
        name=name,
        children=len(children),
        rounds=rounds,
        shared=shared,
        answers=count_rows(select(EvidenceRow.id).where(EvidenceRow.child_id.in_(children))),
        parents=len(_parents_of_no_other(children)),
    )


def _rounds_in(matches: Select[int] | Collection[int]) -> int:
    return count_rows(select(Round.id).where(Round.match_id.in_(matches)))


def remove_class(class_id: int, by: int | None = None) -> None:
    """Delete an archived class and its children, each as `remove_child` does. Raises NotFound,
    NotNow("class_not_archived")."""
    with write_unit():
        room = existing(SchoolClass, class_id)
        if room.archived_at is None:
            raise NotNow("class_not_archived")
        _take_out_all(_children_of(class_id), by)
        tombstones.note_gone(room)
        take_out_class(class_id)
        audit.record(by, "remove", "class", class_id)
        security_log.note("class_removed", class_id=class_id)
    empty_log()


def _take_out_all(children: Sequence[int], by: int | None) -> None:
    """Delete these children, and their parents who have no other child here."""
    parents = _parents_of_no_other(children)
    for child_id in children:
        tombstones.note_gone(db.session.get_one(Child, child_id))
        take_out(child_id)
        audit.record(by, "remove", "child", child_id)
    for parent in parents:
        take_out_adult(parent)


def take_out_adult(adult: Adult) -> None:
    """Delete an adult's account with its sessions and codes. Call this within a write unit."""
    tombstones.note_gone(adult)
    invitations.void_of(adult.id)
    db.session.delete(adult)
    db.session.flush()
    security_log.note("account_ended", adult_id=adult.id)


def take_out_class(class_id: int) -> None:
    """Delete a class that no longer has children. Its rounds with children of other classes stay,
    and move to the class of one of these children. Call this within a write unit."""
    theirs = select(func.min(Child.class_id))
    theirs = theirs.join(Player, Player.child_id == Child.id).where(Player.match_id == Match.id)
    db.session.execute(
        update(Match)
        .where(Match.class_id == class_id, Match.id.in_(_matches_of_others(class_id)))
        .values(class_id=theirs.scalar_subquery(), own_id=None)
        .execution_options(synchronize_session=False)
    )
    db.session.execute(delete(SchoolClass).where(SchoolClass.id == class_id))
    budgets.forgive(f"class:{class_id}")


def _matches_of_others(class_id: int) -> Select[int]:
    """The matches in which a child of another class sits."""
    sitting = select(Player.match_id).join(Child, Child.id == Player.child_id)
    return sitting.where(Child.class_id != class_id)


def _children_of(class_id: int) -> list[int]:
    found = select(Child.id).where(Child.class_id == class_id).order_by(Child.id)
    return list(db.session.scalars(found))


def take_out(child_id: int) -> None:
    """In a write unit, delete the child and all data about this child alone. The parents stay."""
    own, shared = _matches(child_id)
    for match_id in shared:
        taken = db.session.scalars(select(Player.animal).where(Player.match_id == match_id)).all()
        db.session.execute(
            update(Player)
            .where(Player.match_id == match_id, Player.child_id == child_id)
            .values(child_id=None, name=NO_NAME, animal=names.animal_besides(taken), pad=1, seed=0)
        )
    gatherings.stand_up(child_id)
    for model in (QuestionRow, EvidenceRow, ChildRound):
        db.session.execute(delete(model).where(model.child_id == child_id))
    db.session.execute(delete(Match).where(Match.id.in_(own)))
    db.session.execute(delete(Child).where(Child.id == child_id))
    after_commit(skill_reports.forget)
    budgets.forgive_child(child_id)


def _matches(child_id: int) -> tuple[list[int], list[int]]:
    """The ids of the child's matches, as two lists: without other children, and with others."""
    mine = select(Player.match_id).where(Player.child_id == child_id)
    others = and_(Player.child_id.is_not(None), Player.child_id != child_id)
    count = select(Player.match_id, func.count(Player.id).filter(others))
    rows = db.session.execute(
        count.where(Player.match_id.in_(mine)).group_by(Player.match_id)
    ).all()
    return [match for match, n in rows if not n], [match for match, n in rows if n]


def _parents_of_no_other(children: Collection[int]) -> Sequence[Adult]:
    here = select(FamilyLink.adult_id).where(FamilyLink.child_id.in_(children))
    elsewhere = select(FamilyLink.adult_id).where(FamilyLink.child_id.not_in(children))
    linked = Adult.id.in_(here), Adult.id.not_in(elsewhere)
    return db.session.scalars(select(Adult).where(Adult.role == "parent", *linked)).all()
