"""Restrictions: if a child's family objects, or the school so decides, the program stops drawing
conclusions about the child.

The family and the school each begin and end their own restriction. During a restriction no evidence
is written, and earlier evidence is kept but not used. The teacher may delete the earlier evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import delete, select, update

from classroom.database import after_commit, db, empty_log, write_unit
from classroom.models import (
    Child,
    ChildHistory,
    EvidenceRow,
    FamilyLink,
    QuestionRow,
    Restriction,
    SkillWindow,
    SmallGroup,
    StrandTrack,
)
from classroom.services.base import audit, clock, security_log, tombstones
from classroom.services.base.errors import Refused
from classroom.services.base.rows import count_rows, held, is_there
from classroom.services.reports import skill_reports
from classroom.services.school import child_moves
from classroom.services.table import evidence_log

FAMILY, SCHOOL = "family", "school"
REASONS: Final[Mapping[str, tuple[str, ...]]] = {
    FAMILY: ("object", "wrong"),
    SCHOOL: ("asked", "wrong", "unneeded"),
}


def may_end(child_id: int, whose: str, by_family: bool) -> bool:
    """Whether the family (`by_family`) or the school may end the restriction of `whose`. Each may
    end its own. The school may also end the family's restriction if no parent is linked."""
    if by_family:
        return whose == FAMILY
    linked = select(FamilyLink.adult_id).where(FamilyLink.child_id == child_id)
    return whose == SCHOOL or not is_there(linked)


def begin(child_id: int, whose: str, reason: str, by: int | None = None) -> None:
    """Begin a restriction by the family or the school (`whose`): from now on, nothing is worked out
    about this child. An open question is closed without an answer. Does nothing if `whose` already
    has a restriction. Raises Refused("reason"), NotFound."""
    if reason not in REASONS[whose]:
        raise Refused("reason")
    with write_unit():
        child = held(Child, child_id)
        if db.session.get(Restriction, (child_id, whose)) is not None:
            return
        row = Restriction(child_id=child_id, whose=whose, reason=reason, by=by, since=clock.now())
        db.session.add(row)
        db.session.execute(delete(SmallGroup).where(SmallGroup.child_id == child_id))
        db.session.execute(
            update(QuestionRow)
            .where(QuestionRow.child_id == child_id, QuestionRow.closed_at.is_(None))
            .values(closed_at=clock.now())
            .execution_options(synchronize_session=False)
        )
        tombstones.note_child("restricted", child, whose, reason, row.since)
        after_commit(skill_reports.forget)
        audit.record(by, "restrict", "child", child_id)


def end(child_id: int, whose: str, by_family: bool, by: int | None = None) -> None:
    """End the family's or the school's restriction (`whose`); the other's restriction stays. Raises
    NotFound, and Refused("not_yours_to_end") if `may_end` is False."""
    if not may_end(child_id, whose, by_family):
        raise Refused("not_yours_to_end")
    with write_unit():
        child = held(Child, child_id)
        row = db.session.get(Restriction, (child_id, whose))
        if row is None:
            return
        tombstones.note_child("released", child, whose, row.since)
        db.session.delete(row)
        audit.record(by, "release", "child", child_id)


def answers_of(child_id: int) -> int:
    """How many of this child's answers and asks are stored as evidence."""
    return count_rows(select(EvidenceRow.id).where(EvidenceRow.child_id == child_id))


def erase(child_id: int, by: int | None = None) -> None:
    """Delete the child's answers and everything that was worked out from them; the rounds stay.
    Raises NotFound, and Refused("not_restricted") unless the child has a restriction."""
    with write_unit():
        child = held(Child, child_id)
        if not evidence_log.is_restricted(child_id):
            raise Refused("not_restricted")
        now = clock.now()
        tombstones.note_child("erased", child, now)
        forget(child_id, now)
        audit.record(by, "erase", "child", child_id)
        security_log.note("answers_erased", child_id=child_id)
    empty_log()


def forget(child_id: int, until: float) -> bool:
    """Delete the child's answers up to the time `until`, and count the later answers again; returns
    whether any were deleted. Call this within a write unit."""
    old = EvidenceRow.child_id == child_id, EvidenceRow.at <= until
    put = QuestionRow.child_id == child_id, QuestionRow.made_at <= until
    some = (select(EvidenceRow.id).where(*old), select(QuestionRow.id).where(*put))
    if not any(map(is_there, some)):
        return False
    db.session.execute(delete(EvidenceRow).where(*old))
    db.session.execute(delete(QuestionRow).where(*put))
    for model in (SkillWindow, StrandTrack, ChildHistory):
        db.session.execute(delete(model).where(model.child_id == child_id))
    after_commit(skill_reports.forget)
    db.session.expire_all()
    evidence_log.count_again(child_id)
    child_moves.look_back(child_id)
    return True
