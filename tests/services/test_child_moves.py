"""A child changes class, or was entered twice: nothing of what it did is lost."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import delete, func, select

from classroom.database import db, write_unit
from classroom.models import (
    AuditEntry,
    Child,
    ChildHistory,
    ChildRound,
    ChoicesRow,
    ClassTeacher,
    EvidenceRow,
    FamilyLink,
    Round,
    Session,
    SkillWindow,
    StrandTrack,
)
from classroom.services.access import sessions
from classroom.services.base import budgets, clock
from classroom.services.base.errors import LeftOff, NotFound, NotNow, Refused
from classroom.services.lesson import gatherings
from classroom.services.operation import background
from classroom.services.reports import overview, skill_reports
from classroom.services.school import child_moves, class_life, classes, removals
from classroom.services.table import evidence_log, matches, rounds
from tests.learning.rows import answers_on, row
from tests.playing import family_chooses
from tests.world import World, count_all, play_out

OF_CHILD = (ChildRound, EvidenceRow, SkillWindow, StrandTrack, FamilyLink, ChoicesRow)


@pytest.fixture
def school(world: World) -> Iterator[World]:
    """Benquill has a finished round and one in progress, evidence, settings and a parent."""
    with world.app.app_context():
        ben = world.children["Benquill"]
        family_chooses(world.adults["rush"], ben, 1, "perch", "short", "open", True, None)
        answers(ben, 12)
        count_all()
        matches.start_match(ben)
        yield world
        db.session.rollback()


def answers(child_id: int, many: int, at: float | None = None) -> None:
    when = clock.now() if at is None else at
    with write_unit():
        for number in range(many):
            one = row(right=number % 3 > 0, day=clock.day(when), at=when + number, round_id=None)
            evidence_log.append(child_id, [one])


def of(child_id: int) -> dict[str, list[tuple[Any, ...]]]:
    """All rows that belong to a child, by table and without their ids."""
    found = {}
    for model in OF_CHILD:
        columns = [c for c in model.__table__.c if c.name not in ("id", "child_id")]
        rows = db.session.execute(select(*columns).where(model.child_id == child_id))
        found[model.__tablename__] = sorted(tuple(map(str, one)) for one in rows)
    db.session.rollback()
    return found


def face(child_id: int) -> tuple[int, str, int]:
    child = db.session.get_one(Child, child_id)
    found = child.class_id, child.animal, child.pad
    db.session.rollback()
    return found


def test_everything_goes_with_a_child_that_changes_class(school: World) -> None:
    ben, perch = school.children["Benquill"], school.classes["perch"]
    before = of(ben)
    assert all(before.values())
    assert not child_moves.move(ben, perch)
    assert of(ben) == before
    assert face(ben) == (perch, "owl", 1)
    assert not any(differed for _, differed in evidence_log.recount())
    names = [line.name for line in overview.class_page(perch).children]
    assert names == ["Adaquist", "Benquill"]
    shown = skill_reports.of_class(perch).children
    assert "Benquill" in [child.name for child in shown]


def test_a_round_goes_with_its_child_to_the_new_teacher(school: World) -> None:
    ben, played = school.children["Benquill"], school.rounds["Benquill"]
    lake, brook = school.adults["lake"], school.adults["brook"]
    assert sessions.teaches_round(lake, played)
    assert not sessions.teaches_round(brook, played)
    child_moves.move(ben, school.classes["perch"])
    assert sessions.teaches_round(brook, played)
    assert not sessions.teaches_round(lake, played)
    page = overview.round_page(played, brook)
    assert (page.class_id, page.children[0][1]) == (school.classes["perch"], ben)
    match = db.session.get_one(Round, played).match
    assert match.class_id == school.classes["sunfish"], "past rounds stay with their class"


def test_a_shared_round_is_open_to_the_teachers_of_both_children(school: World) -> None:
    round_id = together(school)
    child_moves.move(school.children["Benquill"], school.classes["perch"])
    for teacher, child in (("lake", "Miaqua"), ("brook", "Benquill")):
        assert sessions.teaches_round(school.adults[teacher], round_id)
        page = overview.round_page(round_id, school.adults[teacher])
        assert [name for _, _, name in page.children] == [child], "no link to the other one"


def together(school: World) -> int:
    """Play a round of Miaqua and Benquill to its end. Returns its id."""
    both = [school.children[name] for name in ("Miaqua", "Benquill")]
    with write_unit():
        round_id = matches.together(school.classes["sunfish"], "classic", both)
    lots = random.Random(5)
    while True:
        seat = rounds.table(round_id, 0).observation.turn
        if seat is None:
            return round_id
        table = rounds.table(round_id, seat)
        action = lots.choice(table.observation.legal)
        rounds.play(round_id, seat, action, secrets.token_hex(8), table.seq)


def test_a_seat_a_session_and_an_unfinished_round_end_with_the_move(school: World) -> None:
    ben = school.children["Benquill"]
    going_on = matches.current_round(ben)
    assert going_on is not None
    with write_unit():
        sessions.start("e" * 32, class_id=school.classes["sunfish"], child_id=ben)
    child_moves.move(ben, school.classes["perch"])
    assert matches.current_round(ben) is None
    assert db.session.scalar(select(Session.id).where(Session.child_id == ben)) is None
    with pytest.raises(LeftOff):
        rounds.table(going_on, 0)
    with pytest.raises(LeftOff):
        rounds.replay(going_on, 0, 0)
    background.play_now(school.rounds["Miaqua"])  # other tables go on
    assert matches.start_match(ben) > going_on


@pytest.mark.parametrize("where", ["child", "home"])
def test_wrong_tries_at_its_pictures_stay_behind_in_class_and_at_home(
    school: World, where: str
) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    with write_unit():
        for child in (mia, ben):
            budgets.note(f"{where}:{child}", "d" * 32)
    child_moves.move(ben, school.classes["perch"])
    assert budgets.count(f"{where}:{ben}", 0) == 0
    assert budgets.count(f"{where}:{mia}", 0) == 1


def test_another_round_after_an_old_one_is_played_in_the_new_class(school: World) -> None:
    ben, played = school.children["Benquill"], school.rounds["Benquill"]
    shared = together(school)
    child_moves.move(ben, school.classes["perch"])
    with pytest.raises(NotFound):
        gatherings.again(shared, ben)
    match_id = db.session.get_one(Round, played).match_id
    following = matches.next_round(match_id, ben)
    match = db.session.get_one(Round, following).match
    assert match.class_id == school.classes["perch"]
    assert matches.next_round(match_id, ben) == following


def test_a_table_of_friends_goes_on_without_the_child(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    gatherings.make(mia, "classic")
    child_moves.move(mia, school.classes["perch"])
    gatherings.make(ben, "classic")
    assert matches.current_round(mia) is None


def test_a_taken_face_becomes_another_and_needs_a_card(school: World) -> None:
    ben, perch = school.children["Benquill"], school.classes["perch"]
    classes.add_child(perch, "Nia", "owl")
    assert child_moves.move(ben, perch)
    assert face(ben) == (perch, "owl", 2)


def test_a_printed_class_code_needs_a_card(school: World) -> None:
    classes.new_code(school.classes["perch"], keep=True)
    assert child_moves.move(school.children["Benquill"], school.classes["perch"])


def test_a_child_does_not_go_where_its_name_is_or_where_it_may_not(school: World) -> None:
    ben, perch = school.children["Benquill"], school.classes["perch"]
    classes.add_child(perch, "BENQUILL")
    for room, code in (
        (perch, "child_name_known"),
        (school.classes["sunfish"], "other_class"),
        (school.classes["carp"], "other_class"),  # of the other school
        (987, "other_class"),
    ):
        with pytest.raises(Refused, match=code):
            child_moves.move(ben, room)
    class_life.archive(perch)
    with pytest.raises(NotNow, match="class_archived"):
        child_moves.move(ben, perch)
    assert face(ben)[0] == school.classes["sunfish"]


def test_a_teacher_moves_only_between_own_classes_and_an_administrator_in_the_school(
    school: World,
) -> None:
    ben, perch = school.children["Benquill"], school.classes["perch"]
    lake, admin = school.adults["lake"], school.adults["admin"]
    with pytest.raises(Refused, match="other_class"):
        child_moves.move_by_teacher(lake, ben, perch)
    with pytest.raises(NotFound):
        child_moves.move_in_school(1, school.children["Zedquorn"], perch, admin)
    with write_unit():
        db.session.add(ClassTeacher(class_id=perch, adult_id=lake))
    child_moves.move_by_teacher(lake, ben, perch)
    child_moves.move_in_school(1, ben, school.classes["sunfish"], admin)
    assert face(ben)[0] == school.classes["sunfish"]


def test_deleting_a_class_leaves_the_rounds_of_those_who_moved_away(school: World) -> None:
    shared, own = together(school), school.rounds["Benquill"]
    ben, perch = school.children["Benquill"], school.classes["perch"]
    child_moves.move(ben, perch)
    before = of(ben)
    class_life.archive(school.classes["sunfish"])
    goes = removals.what_goes_with_class(school.classes["sunfish"])
    rounds_before = db.session.scalar(select(func.count(Round.id))) or 0
    removals.remove_class(school.classes["sunfish"])
    assert (goes.children, goes.parents) == (1, 1)
    assert of(ben) == before
    assert db.session.scalar(select(func.count(Round.id))) == rounds_before - goes.rounds
    for round_id in (shared, own):
        assert db.session.get_one(Round, round_id).match.class_id == perch
        assert rounds.replay(round_id, 0 if round_id == own else 1, 3).seq == 3
    assert db.session.scalar(select(Child.id).where(Child.name == "Miaqua")) is None


def test_only_an_archived_class_is_deleted(school: World) -> None:
    with pytest.raises(NotNow, match="class_not_archived"):
        removals.remove_class(school.classes["sunfish"])


# ---- merging


@pytest.fixture
def twice(school: World) -> tuple[int, int]:
    """Benquill, and a second entry of the same child, which has rounds, answers and parents of its
    own."""
    ben = school.children["Benquill"]
    again = classes.add_child(school.classes["sunfish"], "Ben Q")
    matches.start_match(again)
    play_out(again)
    answers(again, 7, clock.now() - 3 * clock.SECONDS_A_DAY)
    answers(ben, 3)  # not counted yet
    with write_unit():
        for adult in ("rush", "sedge"):
            link = FamilyLink(adult_id=school.adults[adult], child_id=again, created_at=clock.now())
            db.session.add(link)
    return ben, again


def many(model: Any, child_id: int) -> int:
    key = func.count()
    return db.session.scalar(select(key).where(model.child_id == child_id)) or 0


def test_merged_children_have_all_that_both_had(school: World, twice: tuple[int, int]) -> None:
    ben, again = twice
    before = {model: many(model, ben) + many(model, again) for model in (ChildRound, EvidenceRow)}
    told = child_moves.sides(ben, again)
    child_moves.merge(ben, again, by=school.adults["lake"])
    assert {model: many(model, ben) for model in before} == before
    assert sum(side.answers for side in told) == before[EvidenceRow]
    assert db.session.get_one(Child, again).school_class.archived_at
    parents = select(FamilyLink.adult_id).where(FamilyLink.child_id == ben)
    assert set(db.session.scalars(parents)) == {school.adults["rush"], school.adults["sedge"]}
    assert many(ChoicesRow, ben) == 1
    merges = select(AuditEntry.thing_id).where(AuditEntry.action == "merge")
    assert sorted(db.session.scalars(merges)) == sorted(twice), "both are on record"
    assert db.session.get_one(ChildHistory, ben).history["standings"]


def test_what_the_teacher_chose_for_a_merged_child_does_not_come_along(
    school: World, twice: tuple[int, int]
) -> None:
    ben, again = twice
    with write_unit():
        db.session.execute(delete(ChoicesRow).where(ChoicesRow.child_id.in_(twice)))
        db.session.add(ChoicesRow(child_id=again, whose="child"))
    child_moves.merge(ben, again)
    assert many(ChoicesRow, ben) == 0


def test_counting_again_changes_nothing_after_a_merge(
    school: World, twice: tuple[int, int]
) -> None:
    ben, again = twice
    child_moves.merge(ben, again)
    assert not any(differed for _, differed in evidence_log.recount())
    windows = evidence_log.progress_of([ben])[ben].windows.values()
    counted = sum(answers_on(day) for one in windows for day in one.days)
    assert counted == many(EvidenceRow, ben)


def test_children_who_sat_together_are_two_children(school: World) -> None:
    together(school)
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    with pytest.raises(Refused, match="same_table"):
        child_moves.merge(mia, ben)
    with pytest.raises(Refused, match="same_child"):
        child_moves.merge(mia, mia)
    with pytest.raises(Refused, match="same_child"):
        child_moves.merge(mia, school.children["Adaquist"])
    with pytest.raises(Refused, match="same_child"):
        child_moves.merge(mia, 987)


def test_the_other_entry_is_chosen_among_the_class(school: World) -> None:
    assert [mate.name for mate in child_moves.mates(school.children["Miaqua"])] == ["Benquill"]
