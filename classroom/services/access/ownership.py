"""What belongs to whom: the classes, children, rounds and accounts that a signed-in person may
open."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, select

from classroom.database import db, run
from classroom.models import (
    Adult,
    Child,
    ChildGroup,
    ClassTeacher,
    FamilyLink,
    Moment,
    Player,
    Round,
    SchoolClass,
    VoicePack,
)
from classroom.services.base.rows import is_there

_teachers = ClassTeacher.__table__.c
_TEACHES_CLASS = select(_teachers.class_id).where(
    _teachers.class_id == bindparam("class"), _teachers.adult_id == bindparam("adult")
)


def teaches_class(adult_id: int, class_id: int) -> bool:
    return run(_TEACHES_CLASS, {"class": class_id, "adult": adult_id}).first() is not None


def teaches_child(adult_id: int, child_id: int) -> bool:
    return is_there(
        select(Child.id)
        .join(ClassTeacher, ClassTeacher.class_id == Child.class_id)
        .where(Child.id == child_id, ClassTeacher.adult_id == adult_id)
    )


def teaches_group(adult_id: int, group_id: int) -> bool:
    return is_there(
        select(ChildGroup.id)
        .join(ClassTeacher, ClassTeacher.class_id == ChildGroup.class_id)
        .where(ChildGroup.id == group_id, ClassTeacher.adult_id == adult_id)
    )


def teaches_round(adult_id: int, round_id: int) -> bool:
    """Whether a child who sat in the round is now in a class of this adult: a child's new teachers
    may open its earlier rounds too."""
    return is_there(
        select(Round.id)
        .join(Player, Player.match_id == Round.match_id)
        .join(Child, Child.id == Player.child_id)
        .join(ClassTeacher, ClassTeacher.class_id == Child.class_id)
        .where(Round.id == round_id, ClassTeacher.adult_id == adult_id)
    )


def class_of_moment(moment_id: int) -> int | None:
    """The class that keeps this moment; None if there is no such moment."""
    return db.session.scalar(select(Moment.class_id).where(Moment.id == moment_id))


def is_parent_of(adult_id: int, child_id: int) -> bool:
    return is_there(
        select(FamilyLink.child_id).where(
            FamilyLink.child_id == child_id, FamilyLink.adult_id == adult_id
        )
    )


def is_in_class(child_id: int, class_id: int) -> bool:
    return is_there(select(Child.id).where(Child.id == child_id, Child.class_id == class_id))


def name_of(what: str, thing_id: int) -> str:
    """The name of a class, a group or a child whose id is in an address; "" for any other."""
    models: dict[str, Any] = {"class_id": SchoolClass, "group_id": ChildGroup, "child_id": Child}
    found = db.session.get(models[what], thing_id) if what in models else None
    return str(found.name) if found else ""


def is_class_of(class_id: int, school_id: int) -> bool:
    return is_there(
        select(SchoolClass.id).where(SchoolClass.id == class_id, SchoolClass.school_id == school_id)
    )


def works_at(adult_id: int, school_id: int) -> bool:
    """Whether this is the account of someone who works at the school, not of a parent."""
    return is_there(
        select(Adult.id).where(
            Adult.id == adult_id, Adult.school_id == school_id, Adult.role != "parent"
        )
    )


def reads_pack(adult_id: int, pack_id: int) -> bool:
    """Whether the voice pack is this adult's own voice."""
    return is_there(
        select(VoicePack.id).where(VoicePack.id == pack_id, VoicePack.adult_id == adult_id)
    )


def keeps_pack(adult_id: int, pack_id: int) -> bool:
    """Whether the adult may withdraw a voice: as its reader, as a teacher of the class that hears
    it or, if the whole school hears it, as an administrator."""
    row = db.session.get(VoicePack, pack_id)
    if row is None or row.adult_id == adult_id:
        return row is not None
    if row.class_id is not None:
        return teaches_class(adult_id, row.class_id) and not is_there(
            select(Adult.id).where(Adult.id == adult_id, Adult.role == "substitute")
        )
    mine = Adult.id == adult_id, Adult.school_id == row.school_id, Adult.role == "admin"
    return is_there(select(Adult.id).where(*mine))


def hears_pack(pack_id: int, adult_id: int | None, class_id: int | None) -> bool:
    """Whether a voice is heard on pages of this adult's classes and children, or of this class."""
    row = db.session.get(VoicePack, pack_id)
    if row is None or row.adult_id == adult_id:
        return row is not None
    if adult_id is None:
        here = SchoolClass.id == class_id, SchoolClass.school_id == row.school_id
        return row.class_id in (class_id, None) and is_there(select(SchoolClass.id).where(*here))
    if row.class_id is None:
        mine = Adult.id == adult_id, Adult.school_id == row.school_id
        return is_there(select(Adult.id).where(*mine))
    linked = select(FamilyLink.child_id).join(Child, Child.id == FamilyLink.child_id)
    mine = FamilyLink.adult_id == adult_id, Child.class_id == row.class_id
    return teaches_class(adult_id, row.class_id) or is_there(linked.where(*mine))
