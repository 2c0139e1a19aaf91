"""Teachers' notes on a child, for all the child's teachers: short plain texts.

Notes are not evidence: nothing is worked out from them. A note can be deleted by its author, and by
the teacher who has taught the class longest, in case the author has left the class.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select

from classroom.database import db, empty_log, write_unit
from classroom.models import Adult, Child, ChildNote, ClassTeacher
from classroom.services.access.invitations import TEACHES
from classroom.services.base import audit, clock, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import existing

LONGEST: Final = 500  # the most characters in a note
_ODD: Final = ("Cc", "Cs", "Co", "Cn")  # Unicode categories of characters that no page can show


@dataclass(frozen=True, slots=True)
class Note:
    """A note as one teacher reads it. `author`: "" if the author's account is closed.
    `may_delete`: whether this reader may delete the note."""

    note_id: int
    at: float
    author: str
    text: str
    may_delete: bool


def of_child(child_id: int, reader_id: int) -> tuple[Note, ...]:
    """The notes on a child, newest first, as this teacher reads them. Raises NotFound."""
    first = _first_teacher(existing(Child, child_id).class_id)
    rows = db.session.execute(
        select(ChildNote, Adult.name)
        .outerjoin(Adult, Adult.id == ChildNote.by)
        .where(ChildNote.child_id == child_id)
        .order_by(ChildNote.id.desc())
    )
    return tuple(
        Note(row.id, row.created_at, name or "", row.text, reader_id in (row.by, first))
        for row, name in rows
    )


def write(child_id: int, text: str, by: int) -> None:
    """Save a note on a child. Raises Refused("note_empty" | "note_long" | "note_odd"), NotFound."""
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\t", " ").strip()
    if not text:
        raise Refused("note_empty")
    if any(unicodedata.category(sign) in _ODD and sign != "\n" for sign in text):
        raise Refused("note_odd")
    if len(text) > LONGEST:
        raise Refused("note_long", over=len(text) - LONGEST, most=LONGEST)
    with write_unit():
        existing(Child, child_id)
        db.session.add(ChildNote(child_id=child_id, by=by, created_at=clock.now(), text=text))
        audit.record(by, "note", "child", child_id)


def delete(child_id: int, note_id: int, by: int) -> None:
    """Delete a note on this child. Raises NotFound, including when this adult may not delete the
    note."""
    with write_unit():
        row = existing(ChildNote, note_id)
        first = _first_teacher(existing(Child, child_id).class_id)
        if row.child_id != child_id or by not in (row.by, first):
            raise NotFound("note")
        tombstones.note_gone(row)
        db.session.delete(row)
        audit.record(by, "delete_note", "child", child_id)
    empty_log()


def _first_teacher(class_id: int) -> int | None:
    """The id of the teacher who has taught the class longest; never a substitute."""
    return db.session.scalar(
        select(ClassTeacher.adult_id)
        .join(Adult, Adult.id == ClassTeacher.adult_id)
        .where(ClassTeacher.class_id == class_id, Adult.role.in_(TEACHES))
        .order_by(ClassTeacher.since, ClassTeacher.adult_id)
        .limit(1)
    )
