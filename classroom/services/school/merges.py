"""Merging the two entries of a child who was entered twice: all that the second one did becomes the
first one's, and everything that is worked out from the child's play is worked out again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, select, update

from classroom.database import after_commit, db, hold, write_unit
from classroom.learning.history import history
from classroom.models import (
    Child,
    ChildHistory,
    ChildNote,
    ChildRound,
    ChoicesRow,
    EvidenceRow,
    FamilyCode,
    FamilyLink,
    HelpTaken,
    Player,
    QuestionRow,
    Restriction,
)
from classroom.services.base import audit, names, notices, security_log
from classroom.services.base.errors import Refused
from classroom.services.base.names import ChildFace
from classroom.services.base.rows import count_rows, existing
from classroom.services.reports import skill_reports
from classroom.services.school import child_moves, class_life, classes
from classroom.services.table import evidence_log

PORTION: Final = 500  # ids in one statement
DONE_BY: Final[tuple[Any, ...]] = (
    *(ChildRound, EvidenceRow, QuestionRow, HelpTaken),
    *(ChildNote, FamilyCode),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(ChildFace):
    """What one of the two children has."""

    class_name: str
    rounds: int
    answers: int
    parents: int


def sides(child_id: int, other_id: int) -> tuple[Side, Side]:
    """What each of the two children has; the child who stays comes first. Raises what `merge`
    raises."""
    _check(child_id, other_id)
    return _side(child_id), _side(other_id)


def mates(child_id: int) -> tuple[ChildFace, ...]:
    """The other children of the child's class, by name."""
    here = names.children_of(existing(Child, child_id).class_id)
    return names.faces(mate for mate in here if mate.id != child_id)


def merge(child_id: int, other_id: int, by: int | None = None) -> None:
    """Give the child all that the other one did, the other's family and, if the child has no
    settings yet, the other's settings. The other child is deleted when this cannot be undone any
    more (child_moves.py).

    The child keeps its name, face, age band and pictures. Raises Refused: `same_child` if both are
    the same or not in the same class, `same_table` if they sat together in a round.
    """
    with write_unit():
        _check(child_id, other_id)
        both = Child.id.in_((child_id, other_id))
        db.session.execute(hold(select(Child.id).where(both).order_by(Child.id)))
        child, other = existing(Child, child_id), existing(Child, other_id)
        class_id = child.class_id
        class_life.must_be_open_to_change(child.school_class)
        child_moves.put_entry_away(other, child_moves.MERGED, by, _give_all(child, other))
        _work_out(child_id, other_id)
        for one in (child_id, other_id):
            audit.record(by, "merge", "child", one)
        security_log.note("children_merged", child_id=child_id)
    notices.tables(class_id)


def take_over(child: Child, other: Child) -> None:
    """Give a child all that another child has, and delete the other; within a write unit."""
    child_id, other_id = child.id, other.id
    _give_all(child, other)
    db.session.execute(delete(Child).where(Child.id == other_id))
    _work_out(child_id)


def give_back(given: dict[str, Any], other_id: int) -> None:
    """Give a child back what it gave to another one when the two were merged, as far as that still
    exists; within a write unit. `given`: what `_give_all` returned."""
    child_id = given["into"]
    for model in (*DONE_BY, Player):
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
    """Give a child all that another one has; returns the ids of the rows. If both have settings,
    each keeps its own. A parent of both stays linked only to the child who gets the rows."""
    child_id, other_id = child.id, other.id
    child_moves.leave_class(other)
    rows = {model.__tablename__: _give(model, other_id, child_id) for model in (*DONE_BY, Player)}
    linked = select(FamilyLink.adult_id).where(FamilyLink.child_id == child_id)
    theirs = FamilyLink.child_id == other_id
    own = db.session.scalars(
        select(FamilyLink.adult_id).where(theirs, FamilyLink.adult_id.not_in(linked))
    ).all()
    _give(FamilyLink, other_id, child_id, FamilyLink.adult_id.in_(own))
    of_both = select(FamilyLink.adult_id, FamilyLink.created_at).where(theirs)
    doubled = [list(row) for row in db.session.execute(of_both)]
    db.session.execute(delete(FamilyLink).where(theirs))
    none_yet = not _has_settings(child_id)
    if none_yet:
        _give(ChoicesRow, other_id, child_id, ChoicesRow.whose == "family")
    asked = select(Restriction.whose).where(Restriction.child_id == child_id)
    whose = db.session.scalars(
        select(Restriction.whose).where(
            Restriction.child_id == other_id, Restriction.whose.not_in(asked)
        )
    ).all()
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
    return db.session.scalar(found.where(ChoicesRow.whose == "family")) is not None


def _give(model: Any, other_id: int, child_id: int, *where: Any) -> list[int]:
    """Give these rows of one child to the other; returns their ids, if they have ids."""
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
    """Show these children at their tables, and work out again all that their evidence shows."""
    after_commit(skill_reports.forget)
    for child_id in children:
        classes.show_at_tables(existing(Child, child_id))
        evidence_log.count_again(child_id)
        look_back(child_id)


def look_back(child_id: int) -> None:
    """Work out again, in a write unit, the history by which the child's questions are chosen."""
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
    if db.session.scalar(together.limit(1)) is not None:
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
