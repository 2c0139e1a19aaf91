"""Notes on a child: who may delete one, how long it is kept, and what a backup brings back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Adult, AuditEntry, Child, ChildNote, ClassTeacher
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.operation import restored, retention
from classroom.services.school import child_moves, child_notes, class_life
from tests.world import World

DAY = clock.SECONDS_A_DAY


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context():
        yield world
        db.session.rollback()


def write(school: World, text: str, by: str = "mere") -> int:
    """Write a note on Miaqua. Returns its id."""
    child_notes.write(school.children["Miaqua"], text, school.adults[by])
    return child_notes.of_child(school.children["Miaqua"], school.adults[by])[0].note_id


def read(school: World, reader: str = "lake") -> list[tuple[str, str, bool]]:
    found = child_notes.of_child(school.children["Miaqua"], school.adults[reader])
    return [(one.text, one.author, one.may_delete) for one in found]


def test_notes_are_read_newest_first_with_their_authors(school: World) -> None:
    write(school, "  Counts to five.\r\nWants to go on.\t ")
    write(school, "Counts to seven.", by="admin")
    assert read(school, "mere") == [
        ("Counts to seven.", "Adminqadult", False),
        ("Counts to five.\nWants to go on.", "Mereqadult", True),
    ]
    assert [may for *_, may in read(school, "lake")] == [True, True], "the class's first teacher"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *(("", "note_empty"), (" \n\t", "note_empty"), ("x" * 501, "note_long")),
        *(("a\0b", "note_odd"), ("a\x1b[1m", "note_odd"), ("a\ud800", "note_odd")),
    ],
)
def test_a_note_that_cannot_be_kept_is_refused(school: World, text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        write(school, text)
    assert read(school) == []


def test_the_longest_note_is_kept_whole(school: World) -> None:
    write(school, "ß" * 500)
    assert read(school)[0][0] == "ß" * 500


def test_its_author_and_the_first_teacher_delete_a_note_and_nobody_else(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    of_mere, of_lake = write(school, "One."), write(school, "Two.", by="lake")
    for child_id, note_id, by in (
        (mia, of_lake, "mere"),
        (ben, of_mere, "lake"),
        (mia, 987, "lake"),
    ):
        with pytest.raises(NotFound):
            child_notes.delete(child_id, note_id, school.adults[by])
    assert len(read(school)) == 2
    child_notes.delete(mia, of_mere, school.adults["mere"])
    child_notes.delete(mia, of_lake, school.adults["lake"])
    assert read(school) == []


def test_the_teacher_who_has_had_the_class_longest_is_its_first_one(school: World) -> None:
    write(school, "One.", by="admin")
    with write_unit():
        for adult, since in (("lake", 3.0), ("mere", 2.0), ("admin", 4.0), ("eddy", 1.0)):
            key = school.classes["sunfish"], school.adults[adult]
            db.session.get_one(ClassTeacher, key).since = since
    assert read(school, "mere")[0][2]
    assert not read(school, "lake")[0][2]
    assert not read(school, "eddy")[0][2], "a substitute is not"


def test_a_note_stays_when_the_account_of_its_author_ends(school: World) -> None:
    write(school, "One.")
    with write_unit():
        db.session.delete(db.session.get_one(Adult, school.adults["mere"]))
    assert read(school) == [("One.", "", True)]


def test_a_note_moves_with_the_child_and_ends_with_it(school: World) -> None:
    mia = school.children["Miaqua"]
    write(school, "One.")
    child_moves.move(mia, school.classes["perch"])
    assert [one.text for one in child_notes.of_child(mia, school.adults["brook"])] == ["One."]
    class_life.archive(school.classes["perch"])
    kept = db.session.get_one(Child, mia).school_class.school.keep_archived * DAY
    for days, left in ((-1, 1), (1, 0)):
        with clock.clock_at(clock.now() + kept + days * DAY):
            for _ in retention.end_what_is_due():
                pass
        assert len(db.session.scalars(select(ChildNote)).all()) == left


def test_the_audit_log_says_who_wrote_and_deleted_it_and_not_what(school: World) -> None:
    child_notes.delete(school.children["Miaqua"], write(school, "One."), school.adults["mere"])
    rows = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc()).limit(2)).all()
    assert [(row.action, row.thing, row.thing_id) for row in rows] == [
        ("delete_note", "child", school.children["Miaqua"]),
        ("note", "child", school.children["Miaqua"]),
    ]
    columns = AuditEntry.__table__.c.keys()
    assert not any("One." in str(getattr(row, name)) for row in rows for name in columns)


@pytest.mark.sqlite
def test_a_deleted_note_does_not_come_back_with_a_backup(school: World) -> None:
    mia, gone, stays = school.children["Miaqua"], write(school, "One."), write(school, "Two.")
    row = db.session.get_one(ChildNote, gone)
    as_it_was = ChildNote(
        id=gone, child_id=mia, by=row.by, created_at=row.created_at, text=row.text
    )
    child_notes.delete(mia, gone, school.adults["mere"])
    with write_unit():
        db.session.add(as_it_was)
    restored.replay()
    assert list(db.session.scalars(select(ChildNote.id))) == [stays]
