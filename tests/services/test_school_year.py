"""A school moves into a new year: everybody arrives, nothing is lost, and it can be undone."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence

import pytest
from sqlalchemy import delete, func, select

from classroom.database import db, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    ClassTeacher,
    EvidenceRow,
    Match,
    Recount,
    Round,
    School,
    SchoolClass,
    YearChange,
    YearMove,
)
from classroom.services.access import sessions
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import lessons
from classroom.services.lesson.lessons import TablePlan
from classroom.services.operation import retention
from classroom.services.school import (
    child_moves,
    class_life,
    classes,
    removals,
    school_year,
    undoing,
    year_plan,
)
from classroom.services.school.year_plan import (
    LEAVE,
    NEW,
    STAY,
    MovingChild,
    Wishes,
    YearPlan,
    YearRoom,
    YearWish,
    next_name,
    plan,
    proposal,
)
from classroom.services.table import evidence_log, matches, rounds
from tests.learning.rows import row
from tests.listed import add_list
from tests.world import World

DAY = clock.SECONDS_A_DAY
NOON = 1_790_000_000.0


# ---- the plan


def pupils(*names: str, first: int = 1, animal: str = "owl") -> tuple[MovingChild, ...]:
    return tuple(
        MovingChild(child_id=first + at, name=name, animal=animal, pad=at + 1, age_band="5-6")
        for at, name in enumerate(names)
    )


def room(class_id: int, name: str, children: Sequence[MovingChild] = (), **more: bool) -> YearRoom:
    facts = {"code_kept": False, "archived": False, "left": False, **more}
    return YearRoom(class_id=class_id, name=name, pupils=tuple(children), **facts)


ONE = room(1, "Class 1", pupils("Ada", "Ben"))
TWO = room(2, "Class 2", pupils("Cleo", "Dan", first=11))
LAST = room(3, "Class 3", pupils("Eve", first=21))
CHAIN = {1: YearWish(to="2"), 2: YearWish(to="3"), 3: YearWish(to=LEAVE)}


def way(found: YearPlan) -> dict[str, tuple[str, str, str]]:
    return {one.was.name: (one.target.name, one.where, one.pupil.age_band) for one in found.going}


@pytest.mark.parametrize(
    ("name", "later"),
    [
        ("Class 1", "Class 2"),
        ("1B", "2B"),
        ("Year 9 red", "Year 10 red"),
        ("P1-2", "P2-2"),
        ("Reception", None),
    ],
)
def test_the_name_of_the_next_class_has_the_next_number(name: str, later: str | None) -> None:
    assert next_name(name) == later


def test_a_class_in_the_archive_whose_children_come_back_is_not_ready_for_new_ones() -> None:
    old = room(9, "Old class", pupils("Gus", first=41, animal="fox"), archived=True)
    found = plan((ONE, old), Wishes(rooms={1: YearWish(to=STAY), 9: YearWish(to="1")}))
    assert found.conflicts == ()
    assert (found.archived, found.empty) == ((), ())


def test_the_form_proposes_that_each_class_moves_on() -> None:
    rooms = (ONE, TWO, room(4, "Reception", pupils("Fay", first=31)), room(5, "Class 9"))
    assert proposal(rooms) == {
        1: YearWish(to="2"),
        2: YearWish(to=NEW, new="Class 3"),
        4: YearWish(to=STAY),
        5: YearWish(to=STAY, new="Class 10"),
    }


def test_a_whole_school_moves_up_in_a_chain() -> None:
    found = plan((ONE, TWO, LAST), Wishes(rooms=CHAIN))
    assert found.conflicts == ()
    assert way(found) == {
        "Ada": ("Class 2", "moves", "6-7"),
        "Ben": ("Class 2", "moves", "6-7"),
        "Cleo": ("Class 3", "moves", "6-7"),
        "Dan": ("Class 3", "moves", "6-7"),
        "Eve": ("Class 3", "leaves", "5-6"),
    }
    assert (found.archived, found.empty) == ((), (1,)), "it is ready for new children"
    assert found.new_cards == 0, "every face is free by then"


def test_a_class_that_only_leaves_goes_to_the_archive_with_its_children() -> None:
    found = plan((ONE, LAST), Wishes(rooms={1: YearWish(to=STAY), 3: YearWish(to=LEAVE)}))
    assert found.archived == (3,)
    (eve,) = (one for one in found.going if one.was.name == "Eve")
    assert (eve.target.class_id, eve.new_card) == (3, False)


def test_repeaters_and_leavers_are_the_exceptions() -> None:
    wishes = Wishes(rooms=CHAIN, repeats=frozenset({1}), leaves=frozenset({11}), older=False)
    found = plan((ONE, TWO, LAST), wishes)
    assert way(found)["Ada"] == ("Class 1", "repeats", "5-6")
    assert way(found)["Cleo"] == ("Class 2", "leaves", "5-6")
    assert found.archived == ()
    left = [one.target for one in found.going if one.where == "leaves"]
    assert all(target.left and target.class_id is None for target in left)


def test_those_who_repeat_can_go_to_another_class() -> None:
    rooms = {**CHAIN, 2: YearWish(to="3", repeat="1")}
    found = plan((ONE, TWO, LAST), Wishes(rooms=rooms, repeats=frozenset({11})))
    assert way(found)["Cleo"][:2] == ("Class 1", "repeats")


def test_a_face_that_is_taken_becomes_another_pad_and_needs_a_card() -> None:
    wishes = Wishes(rooms={1: YearWish(to="2"), 2: YearWish(to=STAY)})
    found = plan((ONE, TWO), wishes)
    faces = {one.was.name: (one.pupil.animal, one.pupil.pad, one.new_card) for one in found.going}
    assert faces["Cleo"] == ("owl", 1, False)
    assert faces["Dan"] == ("owl", 2, False)
    assert faces["Ada"] == ("owl", 3, True)
    assert faces["Ben"] == ("owl", 4, True)


def test_a_printed_code_needs_a_card_for_all_who_come_or_go() -> None:
    kept = room(2, "Class 2", TWO.pupils, code_kept=True)
    found = plan((ONE, kept, LAST), Wishes(rooms={**CHAIN, 3: YearWish(to=STAY)}))
    assert {one.was.name for one in found.going if one.new_card} == {"Ada", "Ben", "Cleo", "Dan"}


def test_names_that_look_alike_are_a_conflict_until_one_is_changed() -> None:
    other = room(2, "Class 2", pupils("ADA", first=11, animal="fox"))
    wishes = Wishes(rooms={1: YearWish(to="2"), 2: YearWish(to=STAY)})
    (conflict,) = plan((ONE, other), wishes).conflicts
    assert (conflict.code, conflict.room, conflict.name) == ("name", "Class 2", "Ada")
    assert (conflict.other, conflict.child_id) == ("ADA (Class 2)", 1)
    called = Wishes(rooms=wishes.rooms, called={1: "Ada B."})
    found = plan((ONE, other), called)
    assert found.conflicts == ()
    assert "Ada B." in [one.pupil.name for one in found.going if one.new_card]
    (empty,) = plan((ONE, other), Wishes(rooms=wishes.rooms, called={1: " "})).conflicts
    assert empty.code == "odd_name"


def test_too_many_children_a_child_ticked_twice_and_a_taken_name_are_conflicts() -> None:
    def codes(rooms: Sequence[YearRoom], **wishes: YearWish) -> set[str]:
        chosen = {int(key[1:]): wish for key, wish in wishes.items()}
        both = Wishes(rooms=chosen, repeats=frozenset({1}), leaves=frozenset({1}))
        plain = Wishes(rooms=chosen)
        used = both if len(rooms) == 1 else plain
        return {one.code for one in plan(rooms, used).conflicts}

    crowd = [chr(65 + n // 26) + chr(97 + n % 26) + "x" for n in range(30)]
    many = room(1, "A", pupils(*crowd)), room(2, "B", pupils(*(f"{n}y" for n in crowd), first=50))
    assert codes(many, r1=YearWish(to="2"), r2=YearWish(to=STAY)) == {"full"}
    assert codes((ONE,), r1=YearWish(to=STAY)) == {"both"}
    assert codes((ONE, TWO), r1=YearWish(to=NEW, new="CLASS 2"), r2=YearWish(to=STAY)) == {
        "class_name"
    }
    assert codes((ONE, TWO), r1=YearWish(to=NEW), r2=YearWish(to=STAY)) == {"class_name"}


def test_two_classes_in_use_never_have_one_name() -> None:
    away = room(4, "Class 2", pupils("Fay", first=31), archived=True)
    back = plan((TWO, away), Wishes(rooms={}))
    assert [(one.code, one.room) for one in back.conflicts] == [("class_back", "Class 2")]
    both = Wishes(rooms={1: YearWish(to=NEW, new="Class 2")})
    made = plan((ONE, away), both)
    assert [(one.code, one.room) for one in made.conflicts] == [("class_name", "Class 2")]
    alike = Wishes(rooms={1: YearWish(to=NEW, new="Reds"), 2: YearWish(to=NEW, new="reds")})
    assert [one.code for one in plan((ONE, TWO), alike).conflicts] == ["class_name"]


def test_a_seal_tells_two_plans_apart() -> None:
    seals = {
        plan((ONE, TWO), Wishes(rooms={1: YearWish(to=to), 2: YearWish(to=STAY)}, older=older)).seal
        for to in ("2", STAY, LEAVE)
        for older in (True, False)
    }
    assert len(seals) == 4  # only those who move on grow older


# ---- a school of 300


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context(), clock.clock_at(NOON):
        yield world
        db.session.rollback()


def grown(school: World, rooms: int = 10, children: int = 30) -> int:
    """Make one more school, with numbered classes. Returns its id."""
    with write_unit():
        found = School(name="Longpond", created_at=NOON)
        db.session.add(found)
        db.session.flush()
        lake = db.session.get_one(Adult, school.adults["lake"])
        for number in range(1, rooms + 1):
            row = classes.add_class(found.id, f"Class {number}", (lake.id,))
            for at in range(children):
                animal, pad = list(year_plan.names.all_faces())[at]
                db.session.add(
                    Child(
                        class_id=row.id,
                        name=f"{chr(64 + number)}{chr(97 + at % 26)}{chr(97 + at // 26)}",
                        animal=animal,
                        pad=pad,
                        age_band="5-6",
                        created_at=NOON,
                    )
                )
        return found.id


def state(school_id: int) -> list[tuple[object, ...]]:
    """Every child of the school with its class."""
    rows = db.session.execute(
        select(
            Child.id, Child.name, Child.animal, Child.pad, Child.age_band, SchoolClass.name,
            SchoolClass.archived_at, SchoolClass.ends_day,
        )
        .join(SchoolClass, SchoolClass.id == Child.class_id)
        .where(SchoolClass.school_id == school_id)
        .order_by(Child.id)
    ).all()  # fmt: skip
    db.session.rollback()
    return [tuple(row) for row in rows]


def where(school_id: int) -> set[int]:
    """The classes that the children of the school are in."""
    rooms = select(SchoolClass.id).where(SchoolClass.school_id == school_id)
    return set(db.session.scalars(select(Child.class_id).where(Child.class_id.in_(rooms))))


def moved_on(school: World, school_id: int, wishes: Wishes | None = None) -> YearPlan:
    rooms = school_year.rooms_of(school_id)
    wishes = wishes or Wishes(rooms=proposal(rooms))
    seal = plan(rooms, wishes).seal
    return school_year.apply(school_id, wishes, seal, school.adults["admin"])


def test_three_hundred_children_move_on_in_one_form_and_none_is_lost(school: World) -> None:
    longpond = grown(school)
    before = state(longpond)
    begun = time.perf_counter()
    done = moved_on(school, longpond)
    took = time.perf_counter() - begun
    after = state(longpond)
    assert [row[0] for row in after] == [row[0] for row in before]
    assert done.count("moves") == 300
    assert done.made == ("Class 11",)
    assert [row[5] for row in after] == [f"Class {n}" for n in range(2, 12) for _ in range(30)]
    assert {row[4] for row in after} == {"6-7"}
    assert [row[1:4] for row in after] == [row[1:4] for row in before], "no face had to change"
    print(f"300 children moved in {took:.2f} s")
    assert took < 30.0  # even on a slow and busy machine


def test_a_year_that_was_moved_on_can_be_undone_for_thirty_days(school: World) -> None:
    longpond = grown(school, 4, 12)
    before, audit = state(longpond), audited()
    wishes = Wishes(
        rooms=proposal(school_year.rooms_of(longpond)),
        leaves=frozenset({first(before, 2)}),
        repeats=frozenset({first(before, 1)}),
    )
    moved_on(school, longpond, wishes)
    (done,) = undoing.year_changes(longpond)
    assert done.children == 4 * 12
    assert state(longpond) != before
    with clock.clock_at(NOON + 29 * DAY):
        assert undoing.undo_year(longpond, done.change_id, school.adults["admin"]) == 0
    assert state(longpond) == before
    assert undoing.year_changes(longpond) == ()
    assert db.session.scalar(select(func.count(YearMove.id))) == 0
    rooms = select(SchoolClass.name).where(SchoolClass.school_id == longpond)
    assert set(db.session.scalars(rooms)) == {f"Class {n}" for n in range(1, 5)}
    assert audited() > audit + 96


def first(rows: Sequence[tuple[object, ...]], number: int) -> int:
    return next(int(str(row[0])) for row in rows if row[5] == f"Class {number}")


def audited() -> int:
    return db.session.scalar(select(func.count(AuditEntry.id))) or 0


def test_both_the_old_and_the_new_class_of_a_child_are_told(
    school: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    longpond = grown(school, 2, 3)
    told: set[int] = set()
    monkeypatch.setattr(school_year.notices, "tables", told.add)
    old = where(longpond)
    moved_on(school, longpond)
    both = old | where(longpond)
    assert told >= both > old
    told.clear()
    (done,) = undoing.year_changes(longpond)
    undoing.undo_year(longpond, done.change_id, school.adults["admin"])
    assert told == both


def test_after_thirty_days_nothing_can_be_undone(school: World) -> None:
    longpond = grown(school, 2, 3)
    moved_on(school, longpond)
    (done,) = undoing.year_changes(longpond)
    with clock.clock_at(NOON + 30 * DAY + 60):
        with pytest.raises(NotFound):
            undoing.undo_year(longpond, done.change_id, school.adults["admin"])
        list(retention.end_what_is_due())
    assert db.session.scalar(select(func.count(YearChange.id))) == 0
    assert db.session.scalar(select(func.count(YearMove.id))) == 0


def test_another_schools_change_is_not_there(school: World) -> None:
    longpond = grown(school, 2, 3)
    moved_on(school, longpond)
    (done,) = undoing.year_changes(longpond)
    with pytest.raises(NotFound):
        undoing.undo_year(1, done.change_id, school.adults["admin"])


def test_an_undone_year_leaves_alone_who_was_moved_or_removed_since(school: World) -> None:
    longpond = grown(school, 2, 3)
    before = state(longpond)
    moved_on(school, longpond)
    gone, other = int(str(before[0][0])), int(str(before[1][0]))
    removals.remove_child(gone)
    free = classes.make_class(school.adults["lake"], longpond, "Free")
    child_moves.move(other, free)
    (done,) = undoing.year_changes(longpond)
    undoing.undo_year(longpond, done.change_id, school.adults["admin"])
    moved = {row[0] for row, old in zip(state(longpond), before[1:], strict=True) if row != old}
    assert moved == {other}
    rooms = {row[0]: row[5] for row in state(longpond)}
    assert gone not in rooms
    assert rooms[other] == "Free"


def test_what_was_not_looked_at_is_not_done(school: World) -> None:
    longpond = grown(school, 2, 3)
    rooms = school_year.rooms_of(longpond)
    wishes = Wishes(rooms=proposal(rooms))
    seal = plan(rooms, wishes).seal
    classes.add_child(rooms[0].class_id, "Nia")
    before = state(longpond)
    with pytest.raises(Refused, match="year_changed"):
        school_year.apply(longpond, wishes, seal, school.adults["admin"])
    classes.add_child(rooms[1].class_id, "Nia")
    both = Wishes(rooms={rooms[0].class_id: YearWish(to=str(rooms[1].class_id))})
    with pytest.raises(Refused, match="year_conflict"):
        school_year.apply(longpond, both, seal, school.adults["admin"])
    assert [row[:6] for row in state(longpond)][: len(before)] == [row[:6] for row in before]


def test_children_who_leave_wait_in_the_archive_and_are_then_removed(school: World) -> None:
    longpond = grown(school, 2, 3)
    before = state(longpond)
    leaver = first(before, 2)
    wishes = Wishes(rooms=proposal(school_year.rooms_of(longpond)), leaves=frozenset({leaver}))
    moved_on(school, longpond, wishes)
    old = db.session.get_one(Child, leaver).school_class
    assert old.archived_at == NOON
    teaches = select(ClassTeacher.adult_id).where(ClassTeacher.class_id == old.id)
    assert db.session.scalars(teaches).all() == [school.adults["lake"]], "reports stay open"
    kept = 60 * DAY
    for at, there in ((NOON + kept - 60, True), (NOON + kept + 60, False)):
        with clock.clock_at(at):
            list(retention.end_what_is_due())
        assert (db.session.get(Child, leaver) is not None) is there
    assert len(state(longpond)) == len(before) - 1


def test_records_of_play_go_along(school: World) -> None:
    counts = [func.count(model.id) for model in (EvidenceRow, Match)]
    before = [db.session.scalar(select(count)) for count in counts]
    sunfish, perch = school.classes["sunfish"], school.classes["perch"]
    moved_on(school, 1, Wishes(rooms={sunfish: YearWish(to=str(perch)), perch: YearWish(to=STAY)}))
    assert [db.session.scalar(select(count)) for count in counts] == before
    assert not class_life.is_archived(sunfish), "it is ready for new children"
    names = set(db.session.scalars(select(Child.name).where(Child.class_id == perch)))
    assert names == {"Miaqua", "Benquill", "Adaquist"}


def test_rounds_of_those_who_move_end_and_no_others(school: World) -> None:
    sunfish, perch = school.classes["sunfish"], school.classes["perch"]
    mia, ben, ada = (school.children[name] for name in ("Miaqua", "Benquill", "Adaquist"))
    with write_unit():
        both = matches.together(sunfish, "classic", [mia, ben])
    alone = matches.sit_down(ada, "classic", new=True)
    rooms = {sunfish: YearWish(to=str(perch)), perch: YearWish(to=STAY)}
    moved_on(school, 1, Wishes(rooms=rooms, called={ada: "Adalind"}))
    assert db.session.get_one(Round, both).ended_by == rounds.LEFT_OFF
    assert db.session.get_one(Round, alone).ended_at is None


def test_children_of_the_old_and_of_the_new_class_come_in_again(school: World) -> None:
    sunfish, perch = school.classes["sunfish"], school.classes["perch"]
    with write_unit():
        tokens = [
            sessions.start("a" * 32, class_id=room, child_id=school.children[name])
            for name, room in (("Miaqua", sunfish), ("Adaquist", perch))
        ]
    assert {sessions.find(token).kind for token in tokens} == {"child"}
    moved_on(school, 1, Wishes(rooms={sunfish: YearWish(to=str(perch)), perch: YearWish(to=STAY)}))
    assert {sessions.find(token).kind for token in tokens} == {"nobody"}


def test_the_plan_for_a_lesson_of_the_old_class_has_none_of_those_who_moved(school: World) -> None:
    sunfish, perch = school.classes["sunfish"], school.classes["perch"]
    mia = school.children["Miaqua"]
    lessons.save_plan(sunfish, [TablePlan(game="classic", children=(mia,))])
    moved_on(school, 1, Wishes(rooms={sunfish: YearWish(to=str(perch)), perch: YearWish(to=STAY)}))
    assert all(mia not in table.children for table in lessons.plan_of(sunfish))


def test_play_at_home_counts_as_the_class_of_the_new_year_has_it(school: World) -> None:
    sunfish, perch = school.classes["sunfish"], school.classes["perch"]
    with write_unit():
        evidence_log.append(school.children["Miaqua"], [row(round_id=None)], at_home=True)
    moved_on(school, 1, Wishes(rooms={sunfish: YearWish(to=str(perch)), perch: YearWish(to=STAY)}))
    again = db.session.scalars(select(Recount.child_id)).all()
    assert again == [school.children["Miaqua"]]


def test_only_wrong_cards_are_printed_again(school: World) -> None:
    sunfish, perch = school.classes["sunfish"], school.classes["perch"]
    classes.add_child(perch, "Nia", "fox")  # Miaqua's animal
    moved_on(school, 1, Wishes(rooms={sunfish: YearWish(to=str(perch)), perch: YearWish(to=STAY)}))
    needed = school_year.cards_needed(perch)
    cards = classes.sign_in_cards(perch, only=needed)
    assert [card.name for card in cards] == ["Miaqua"]
    assert (cards[0].animal, cards[0].pad) == ("fox", 2)
    child_moves.move(school.children["Miaqua"], sunfish)
    assert not school_year.cards_needed(perch), "the card is for a child of another class now"


def test_the_new_class_belongs_to_the_teachers_of_those_who_come(school: World) -> None:
    sunfish = school.classes["sunfish"]
    with write_unit():
        db.session.execute(delete(ClassTeacher).where(ClassTeacher.class_id != sunfish))
    moved_on(school, 1, Wishes(rooms={sunfish: YearWish(to=NEW, new="Herons")}))
    made = db.session.scalars(select(SchoolClass).where(SchoolClass.name == "Herons")).one()
    teaches = select(ClassTeacher.adult_id).where(ClassTeacher.class_id == made.id)
    were = select(ClassTeacher.adult_id).where(ClassTeacher.class_id == sunfish)
    assert school.adults["lake"] in db.session.scalars(teaches).all()
    assert sorted(db.session.scalars(teaches)) == sorted(db.session.scalars(were))


# ---- undone after others have come


def joined(class_id: int, many: int, first: str = "New") -> None:
    """Add this many children to the class, as its teacher does."""
    names = [f"{first} {chr(65 + at // 26)}{chr(97 + at % 26)}" for at in range(many)]
    add_list(class_id, "\n".join(names))


def faces_of(school_id: int) -> dict[int, tuple[object, ...]]:
    return {int(str(row[0])): row[2:4] for row in state(school_id)}


def noted(school_id: int) -> set[int]:
    """The children of the school who are said to need a new card."""
    return {child for class_id in where(school_id) for child in school_year.cards_needed(class_id)}


def no_two_alike(school_id: int) -> None:
    """Each face is there once in its class; the active classes have one name each."""
    rows = state(school_id)
    homes = dict(db.session.execute(select(Child.id, Child.class_id)).all())
    sitting = [(homes[int(str(row[0]))], *row[2:4]) for row in rows]
    assert len(sitting) == len(set(sitting))
    active = select(SchoolClass.name).where(
        SchoolClass.school_id == school_id, SchoolClass.archived_at.is_(None)
    )
    names = db.session.scalars(active).all()
    assert len(names) == len(set(names)), names


def test_who_finds_its_face_taken_gets_another_and_is_noted(school: World) -> None:
    longpond = grown(school, 1, 20)
    (old,) = where(longpond)
    before = faces_of(longpond)
    moved_on(school, longpond)
    joined(old, 20)
    (done,) = undoing.year_changes(longpond)
    needed = undoing.undo_year(longpond, done.change_id, school.adults["admin"])
    after = faces_of(longpond)
    changed = {child for child, face in before.items() if after[child] != face}
    assert changed == noted(longpond)
    assert needed == len(changed) > 0
    cards = classes.sign_in_cards(old, only=school_year.cards_needed(old))
    assert {card.child_id for card in cards} == changed
    no_two_alike(longpond)
    assert undoing.year_changes(longpond) == ()
    with pytest.raises(NotFound):
        undoing.undo_year(longpond, done.change_id, school.adults["admin"])


def test_a_free_old_face_is_given_back_before_others_are_given_away(school: World) -> None:
    longpond = grown(school, 1, 24)
    (old,) = where(longpond)
    before = faces_of(longpond)
    moved_on(school, longpond)
    joined(old, 12)
    newcomers = {face for child, face in faces_of(longpond).items() if child not in before}
    (done,) = undoing.year_changes(longpond)
    undoing.undo_year(longpond, done.change_id, school.adults["admin"])
    after = faces_of(longpond)
    for child, face in before.items():
        assert (after[child] == face) is (face not in newcomers)


def test_without_room_for_all_nothing_is_undone(school: World) -> None:
    longpond = grown(school, 1, 24)
    (old,) = where(longpond)
    moved_on(school, longpond)
    joined(old, 25)
    before = state(longpond)
    (done,) = undoing.year_changes(longpond)
    with pytest.raises(Refused, match="year_undo_full") as refused:
        undoing.undo_year(longpond, done.change_id, school.adults["admin"])
    assert refused.value.facts == {"room": "Class 1"}
    assert state(longpond) == before
    assert undoing.year_changes(longpond) == (done,)


def test_a_child_whose_two_names_are_taken_stops_the_undoing(school: World) -> None:
    longpond = grown(school, 1, 1)
    (old,) = where(longpond)
    moved_on(school, longpond)
    classes.add_child(old, str(state(longpond)[0][1]))
    (done,) = undoing.year_changes(longpond)
    with pytest.raises(Refused, match="year_undo_child"):
        undoing.undo_year(longpond, done.change_id, school.adults["admin"])


def test_a_class_comes_back_only_if_its_name_is_free(school: World) -> None:
    longpond = grown(school, 1, 3)
    (old,) = where(longpond)
    moved_on(school, longpond, Wishes(rooms={old: YearWish(to=LEAVE)}))
    other = classes.make_class(school.adults["lake"], longpond, "class 1")
    before = state(longpond)
    (done,) = undoing.year_changes(longpond)
    with pytest.raises(Refused, match="year_undo_class"):
        undoing.undo_year(longpond, done.change_id, school.adults["admin"])
    assert state(longpond) == before
    class_life.rename(other, "Herons")
    undoing.undo_year(longpond, done.change_id, school.adults["admin"])
    assert not class_life.is_archived(old)


def test_an_old_class_that_was_archived_since_is_open_again(school: World) -> None:
    longpond = grown(school, 1, 3)
    (old,) = where(longpond)
    moved_on(school, longpond)
    with clock.clock_at(NOON + DAY):
        class_life.archive(old)
    (done,) = undoing.year_changes(longpond)
    with clock.clock_at(NOON + 2 * DAY):
        undoing.undo_year(longpond, done.change_id, school.adults["admin"])
    assert where(longpond) == {old}
    assert not class_life.is_archived(old)


def test_a_class_whose_old_last_day_is_past_is_not_archived_again(school: World) -> None:
    longpond = grown(school, 1, 3)
    (old,) = where(longpond)
    class_life.set_end(old, clock.day() + 1)
    moved_on(school, longpond)
    (done,) = undoing.year_changes(longpond)
    with clock.clock_at(NOON + 3 * DAY):
        undoing.undo_year(longpond, done.change_id, school.adults["admin"])
        list(retention.end_what_is_due())
    assert not class_life.is_archived(old)


@pytest.mark.walk(6)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_faces_differ_and_each_changed_one_is_noted(
    school: World, seed: int
) -> None:
    lots = random.Random(seed)
    longpond = grown(school, 3, 14)
    for turn in range(12):
        before, rooms = faces_of(longpond), school_year.rooms_of(longpond)
        open_rooms = [one for one in rooms if not one.archived]
        undone = undoing.year_changes(longpond)
        try:
            what = lots.choice(("year", "leave", "join", "make", "undo", "undo"))
            if what == "join" and open_rooms:
                joined(lots.choice(open_rooms).class_id, lots.randint(1, 20), f"J{turn}")
            elif what == "make":
                name = f"Class {lots.randint(1, 5)}"
                classes.make_class(school.adults["lake"], longpond, name)
            elif what in ("year", "leave"):
                wishes = proposal(rooms)
                if what == "leave" and open_rooms:
                    wishes[lots.choice(open_rooms).class_id] = YearWish(to=LEAVE)
                moved_on(school, longpond, Wishes(rooms=wishes))
            elif undone:
                change = lots.choice(undone).change_id
                undoing.undo_year(longpond, change, school.adults["admin"])
        except Refused:
            db.session.rollback()
            assert faces_of(longpond) == before, "a refusal changes nothing"
        no_two_alike(longpond)
        left = select(Child.id).join(SchoolClass, SchoolClass.id == Child.class_id)
        archived = set(db.session.scalars(left.where(SchoolClass.archived_at.is_not(None))))
        after = faces_of(longpond)
        changed = {child for child, face in before.items() if after[child] != face}
        assert changed - archived <= noted(longpond)
