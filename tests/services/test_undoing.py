"""A child who left, was removed or was merged comes back for thirty days, and a list that was just
added goes away again for ten minutes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from classroom.database import Base, db, write_unit
from classroom.models import (
    Child,
    ChildNote,
    ChildRound,
    ChoicesRow,
    EvidenceRow,
    FamilyLink,
    Player,
    QuestionRow,
    SchoolClass,
    SkillWindow,
)
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.operation import retention
from classroom.services.school import (
    child_moves,
    child_notes,
    class_life,
    class_lists,
    classes,
    removals,
    undoing,
)
from classroom.services.school.lists.tabular import Bundle, ListedChild, ListedClass
from classroom.services.table import evidence_log, matches
from tests.listed import add_list
from tests.world import World, play_out

NOON = 1_790_000_000.0
DAY = clock.SECONDS_A_DAY
THE_SAME = ("name", "animal", "pad", "age_band", "class_id", "pictures_version")


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context(), clock.clock_at(NOON):
        yield world
        db.session.rollback()


def of_child(child_id: int) -> dict[str, Any]:
    child = db.session.get_one(Child, child_id)
    db.session.refresh(child)
    return {name: getattr(child, name) for name in THE_SAME}


def everything(child_id: int) -> dict[str, list[tuple[Any, ...]]]:
    """All that belongs to a child, table by table, without the histories, which are written again
    in another order."""
    found = {}
    for table in Base.metadata.sorted_tables:
        if "child_id" in table.c and table.name not in ("year_moves", "sessions"):
            rows = db.session.execute(select(table).where(table.c.child_id == child_id))
            found[table.name] = sorted(tuple(map(repr, row)) for row in rows)
    return found


def only(class_id: int) -> undoing.Recent:
    (one,) = undoing.of_class(class_id)
    return one


def end_what_is_due() -> None:
    for _ in retention.end_what_is_due():
        pass


@pytest.mark.parametrize("for_good", [False, True])
def test_a_child_who_went_comes_back_as_it_was(school: World, for_good: bool) -> None:
    ben, room, lake = school.children["Benquill"], school.classes["sunfish"], school.adults["lake"]
    before, rows = of_child(ben), everything(ben)
    child_moves.leave_school(ben, lake, for_good=for_good)
    assert class_life.is_childs_archived(ben)
    assert ben not in {
        child.id for child in db.session.scalars(select(Child).where(Child.class_id == room))
    }
    with clock.clock_at(NOON + 29 * DAY):
        done = undoing.undo(room, only(room).change_id, lake)
    assert (done.children, done.new_card) == (1, False)
    assert of_child(ben) == before
    assert everything(ben)["evidence"] == rows["evidence"]
    assert not undoing.of_class(room)
    archived = select(SchoolClass.id).where(SchoolClass.archived_at.is_not(None))
    assert db.session.scalars(archived).all() == []


def test_only_those_who_were_removed_are_deleted_after_thirty_days(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    room, lake = school.classes["sunfish"], school.adults["lake"]
    child_moves.leave_school(mia, lake)
    child_moves.leave_school(ben, lake, for_good=True)
    with clock.clock_at(NOON + 31 * DAY):
        assert undoing.of_class(room) == ()
        end_what_is_due()
        assert db.session.get(Child, ben) is None
        assert db.session.get(Child, mia) is not None
        with pytest.raises(NotFound):
            undoing.undo(room, 1, lake)


@pytest.mark.parametrize("way", ["undone", "moved on from the class where it waited"])
def test_who_came_back_from_the_archive_is_not_deleted(school: World, way: str) -> None:
    ben, room = school.children["Benquill"], school.classes["sunfish"]
    child_moves.leave_school(ben, school.adults["lake"], for_good=True)
    if way == "undone":
        undoing.undo(room, only(room).change_id, school.adults["lake"])
    else:
        class_life.rename(waits := db.session.get_one(Child, ben).class_id, "Those who wait")
        class_life.restore(waits)
        child_moves.move(ben, room)
    with clock.clock_at(NOON + 31 * DAY):
        end_what_is_due()
    assert db.session.get(Child, ben) is not None


def test_who_leaves_later_is_not_deleted_with_those_who_left_before(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    child_moves.leave_school(mia)
    with clock.clock_at(NOON + 50 * DAY):
        child_moves.leave_school(ben)
    with clock.clock_at(NOON + 61 * DAY):
        end_what_is_due()
    assert db.session.get(Child, mia) is None
    assert db.session.get(Child, ben) is not None


def test_nobody_leaves_an_archived_class_and_nothing_is_undone_there(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    room, lake = school.classes["sunfish"], school.adults["lake"]
    child_moves.leave_school(mia, lake)
    change = only(room).change_id
    class_life.archive(room, lake)
    assert undoing.of_class(room) == ()
    with pytest.raises(NotFound):
        undoing.undo(room, change, lake)
    with pytest.raises(NotNow):
        child_moves.leave_school(ben, lake)


def test_the_lesson_of_the_others_goes_on(school: World) -> None:
    room, lake = school.classes["sunfish"], school.adults["lake"]
    until = classes.open_class(room)
    child_moves.leave_school(school.children["Benquill"], lake)
    undoing.undo(room, only(room).change_id, lake)
    assert db.session.get_one(SchoolClass, room).opened_until == until


def test_a_place_that_was_taken_refuses_or_gives_another_face(school: World) -> None:
    room, lake, ben = (
        school.classes["sunfish"],
        school.adults["lake"],
        school.children["Benquill"],
    )
    animal = of_child(ben)["animal"]
    child_moves.leave_school(ben, lake)
    for _ in range(4):
        classes.add_child(room, f"Nia {'ABCD'[_]}", animal)
    done = undoing.undo(room, only(room).change_id, lake)
    assert done.new_card
    child_moves.leave_school(ben, lake)
    classes.add_child(room, "Benquill")
    with pytest.raises(Refused, match="year_undo_child"):
        undoing.undo(room, only(room).change_id, lake)


def test_the_new_year_shows_none_of_these(school: World) -> None:
    child_moves.leave_school(school.children["Benquill"], school.adults["lake"])
    assert undoing.year_changes(1) == ()


# ---- merging


@pytest.fixture
def twice(school: World) -> tuple[int, int]:
    """Benquill, and a second entry of the same child with a round, answers and parents."""
    ben = school.children["Benquill"]
    again = classes.add_child(school.classes["sunfish"], "Ben Q")
    matches.start_match(again)
    play_out(again)
    with write_unit():
        for adult in ("rush", "sedge"):
            link = FamilyLink(adult_id=school.adults[adult], child_id=again, created_at=NOON)
            db.session.add(link)
        db.session.add(ChoicesRow(child_id=again, whose="family"))
    for child_id in (ben, again):
        child_notes.write(child_id, "Counts on.", by=school.adults["mere"])
    for child_id in (ben, again):
        evidence_log.count_new(child_id)
    return ben, again


def test_a_merge_is_undone_with_everything(school: World, twice: tuple[int, int]) -> None:
    ben, again = twice
    room, lake = school.classes["sunfish"], school.adults["lake"]
    before = everything(ben), everything(again)
    assert before[1]["evidence"]
    child_moves.merge(ben, again, lake)
    assert not everything(again)["evidence"]
    assert not everything(again)["family_links"]
    assert len(everything(ben)["child_notes"]) == 2
    found = only(room)
    assert (found.what, found.name, found.into) == ("merged", "Ben Q", "Benquill")
    undoing.undo(room, found.change_id, lake)
    after = everything(ben), everything(again)
    for was, now in zip(before, after, strict=True):
        assert {table: len(rows) for table, rows in was.items() if table != "child_histories"} == {
            table: len(rows) for table, rows in now.items() if table != "child_histories"
        }
        kept = (ChildNote, EvidenceRow, ChildRound, QuestionRow, Player, SkillWindow, FamilyLink)
        for model in kept:
            assert now[model.__tablename__] == was[model.__tablename__], model
    assert not any(differed for _, differed in evidence_log.recount())


def test_the_second_entry_is_deleted_after_thirty_days_and_the_first_keeps_all(
    school: World, twice: tuple[int, int]
) -> None:
    ben, again = twice
    child_moves.merge(ben, again, school.adults["lake"])
    both = everything(ben)
    with clock.clock_at(NOON + 31 * DAY):
        end_what_is_due()
    assert db.session.get(Child, again) is None
    assert {name: len(rows) for name, rows in everything(ben).items()} == {
        name: len(rows) for name, rows in both.items()
    }


def test_a_merge_is_undone_though_the_first_entry_is_gone(
    school: World, twice: tuple[int, int]
) -> None:
    ben, again = twice
    room, lake = school.classes["sunfish"], school.adults["lake"]
    child_moves.merge(ben, again, lake)
    removals.remove_child(ben, lake)
    undoing.undo(room, only(room).change_id, lake)
    assert db.session.get_one(Child, again).class_id == room


# ---- lists


def test_a_pasted_list_is_undone_for_ten_minutes(school: World) -> None:
    room, lake = school.classes["sunfish"], school.adults["lake"]
    before = db.session.scalars(select(Child.id)).all()
    made = add_list(room, "Nia\nOle\nPia", by=lake)
    matches.start_match(made[1])
    found = only(room)
    assert (found.what, found.children) == ("listed", 3)
    with clock.clock_at(NOON + undoing.LIST_SECONDS + 1):
        assert undoing.of_class(room) == ()
    done = undoing.undo(room, found.change_id, lake)
    assert (done.children, done.stay) == (2, 1)
    assert set(db.session.scalars(select(Child.id))) == {*before, made[1]}
    with pytest.raises(NotFound):
        undoing.undo(room, found.change_id, lake)


def test_a_list_that_was_read_is_undone_and_its_other_changes_stay(school: World) -> None:
    room, lake = school.classes["sunfish"], school.adults["lake"]
    lines = [ListedChild(1, "Nia", band="4-5"), ListedChild(2, "Miaqua", band="7-9")]
    ticked = class_lists.Ticked(add=[1], band=[school.children["Miaqua"]])
    assert class_lists.apply(room, lines, ticked, lake) == 2
    assert undoing.undo(room, only(room).change_id, lake).children == 1
    assert of_child(school.children["Miaqua"])["age_band"] == "7-9"


def test_the_classes_of_a_list_go_with_its_children(school: World) -> None:
    head = school.adults["head"]
    new = ListedClass("c9", "9A", (ListedChild(1, "Nia"), ListedChild(2, "Ole")))
    here = db.session.get_one(SchoolClass, school.classes["sunfish"]).name
    old = ListedClass("", here, (ListedChild(3, "Pia"),))
    bundle = Bundle(kind="", classes=(new, old))
    rooms = {room.id for room in db.session.scalars(select(SchoolClass))}
    assert class_lists.apply_school(bundle, [0, 1], 1, "4-5", head) == (1, 3)
    assert undoing.lists_by(school.adults["admin"]) == ()
    (found,) = undoing.lists_by(head)
    assert found.children == 3
    assert undoing.undo_list(1, found.change_id, head).children == 3
    assert {room.id for room in db.session.scalars(select(SchoolClass))} == rooms
