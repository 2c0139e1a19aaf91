"""What a class is told to do tomorrow, from the stored evidence, and what each suggestion does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from classroom.database import db, write_unit
from classroom.learning.evidence import Evidence
from classroom.learning.skills import SKILLS
from classroom.learning.tomorrow import FOCUS, Suggestion
from classroom.models import Child, SchoolClass, SmallGroup
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import seating
from classroom.services.quiz import question_settings
from classroom.services.reports import skill_reports
from classroom.services.school import child_moves, classes, objections
from classroom.services.table import evidence_log
from tests.conftest import Rooms, finish
from tests.learning.rows import rows
from tests.playing import Classroom


def keep(room: Classroom, name: str, found: list[Evidence]) -> None:
    with write_unit():
        evidence_log.append(room.children[name], found)


def on_days(right: int, n: int, days: int = 2, **how: object) -> list[Evidence]:
    return [
        one
        for back in reversed(range(days))
        for one in rows(right, n, day=clock.day() - back, round_id=None, **how)
    ]


def adding(room: Classroom, *names: str, days: int = 3) -> None:
    for name in names:
        keep(room, name, on_days(5, 8, days, skill="make_five", kind="complement_5"))


def line(room: Classroom, deed: str) -> Suggestion | None:
    found = skill_reports.suggested(skill_reports.of_class(room.class_id))
    return next((one for one in found if one.deed == deed), None)


def test_answers_of_one_day_carry_no_suggestion_however_many_they_are(room: Classroom) -> None:
    for name in ("Mia", "Ben"):
        keep(room, name, on_days(15, 24, 1, skill="make_five", kind="complement_5"))
    assert line(room, "play") is None
    page = skill_reports.of_class(room.class_id)
    assert [child.levels["adding"].days for child in page.children] == [1, 1]


def test_two_children_alike_are_named_with_all_their_answers(room: Classroom) -> None:
    adding(room, "Mia", "Ben")
    found = line(room, "play")
    assert found is not None
    assert set(found.children) == {room.children["Mia"], room.children["Ben"]}
    assert (found.right, found.n) == (30, 48)


def test_a_focus_stays_within_what_may_be_asked(room: Classroom) -> None:
    only = frozenset({"make_five", "how_many"})
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice(skills=only)
    )
    skill_reports.set_focus(room.class_id, "adding")
    kept = question_settings.of("class", room.class_id)
    assert (kept.focus, kept.skills) == (frozenset({"make_five"}), only)
    with pytest.raises(Refused, match="no_focus"):
        skill_reports.set_focus(room.class_id, "sorting")
    assert question_settings.of("class", room.class_id) == kept


def test_a_focus_is_on_at_most_three_skills_of_the_strand(room: Classroom) -> None:
    skill_reports.set_focus(room.class_id, "counting")
    focus = question_settings.of("class", room.class_id).focus
    assert 1 <= len(focus) <= FOCUS
    assert {SKILLS[key].strand for key in focus} == {"counting"}


def test_a_sheet_has_the_numbers_of_the_child_s_level(room: Classroom) -> None:
    keep(room, "Mia", on_days(0, 10, kind="count_hand", difficulty=-3.0))
    found = {
        child.name: sheet for child, sheet in skill_reports.worksheets(room.class_id, "counting")
    }
    assert found["Mia"].numbers == (1, 4)
    assert found["Ben"].numbers[1] > 4  # Ben is not known, so he gets his age's numbers
    assert list(found) == sorted(found)


def test_sheets_are_for_children_of_the_class_and_two_strands_only(room: Classroom) -> None:
    some = [room.children["Mia"], 999_999]
    assert [one.name for one, _ in skill_reports.worksheets(room.class_id, "adding", some)] == [
        "Mia"
    ]
    assert skill_reports.worksheets(room.class_id, "adding", []) == ()
    with pytest.raises(NotFound):
        skill_reports.worksheets(room.class_id, "recall")
    with pytest.raises(NotFound):
        skill_reports.worksheets(room.class_id + 1, "adding")


def test_a_class_sees_the_common_core_until_another_standard_is_chosen(room: Classroom) -> None:
    assert skill_reports.standards_of(room.class_id) == "common_core"
    skill_reports.choose_standards(room.class_id, "england")
    assert skill_reports.standards_of(room.class_id) == "england"
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice("rarely")
    )
    assert skill_reports.standards_of(room.class_id) == "england"
    with pytest.raises(Refused, match="standards"):
        skill_reports.choose_standards(room.class_id, "mars")
    with pytest.raises(NotFound):
        skill_reports.choose_standards(room.class_id + 1, "england")


# ---- the small group


@pytest.fixture
def eight(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    """A class of eight children."""
    made = rooms.copy(tmp_path / "instance", 8)
    with made.app.app_context():
        yield made
        db.session.rollback()
    finish(made.app)


THREE = ("Mia", "Ben", "Ada")
MAKE_FIVE: dict[str, str] = {"skill": "make_five", "kind": "complement_5"}


def chosen(eight: Classroom) -> list[int]:
    """Let the teacher take three children, and return them."""
    adding(eight, *THREE)
    children = [eight.children[name] for name in THREE]
    seating.seat_together(eight.class_id, "make_five", children, strand="adding")
    return children


def test_a_small_group_is_three_children_whom_no_other_line_seats(eight: Classroom) -> None:
    adding(eight, *THREE)
    found = line(eight, "group")
    assert found is not None
    assert sorted(found.children) == sorted(eight.children[name] for name in THREE)
    assert (found.right, found.n, found.day) == (45, 72, None)
    assert line(eight, "play") is None


def test_a_chosen_group_is_shown_until_seven_days_have_passed(
    eight: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    children, today = chosen(eight), clock.day()
    adding(eight, "Theo", "Lina")
    for later in range(7):
        monkeypatch.setattr(clock, "day", lambda later=later: today + later)
        found = line(eight, "group")
        assert found is not None
        assert (sorted(found.children), found.day) == (sorted(children), today)
    monkeypatch.setattr(clock, "day", lambda: today + 7)
    found = line(eight, "group")
    assert found is not None
    assert found.day is None, "drawn anew, from the newest evidence"


def test_who_moves_to_another_class_is_chosen_for_no_group_there(eight: Classroom) -> None:
    mia = chosen(eight)[0]
    with write_unit():
        other = classes.add_class(1, "Perch", ()).id
    child_moves.move(mia, other)
    (line_,) = skill_reports.of_class(other).children
    assert (line_.child_id, line_.chosen) == (mia, None)


def test_another_choice_takes_the_place_of_the_first(eight: Classroom) -> None:
    chosen(eight)
    two = [eight.children[name] for name in ("Ben", "Ada")]
    seating.seat_together(eight.class_id, "make_five", two, strand="adding")
    found = line(eight, "group")
    assert found is not None
    assert sorted(found.children) == sorted(two)


def test_a_table_without_a_strand_changes_no_small_group(eight: Classroom) -> None:
    children = chosen(eight)
    seating.seat_together(eight.class_id, "classic", children[:2])
    found = line(eight, "group")
    assert found is not None
    assert sorted(found.children) == sorted(children)


def test_a_child_about_whom_nothing_is_worked_out_is_in_no_small_group(eight: Classroom) -> None:
    mia, *others = chosen(eight)
    objections.begin(mia, "school", "unneeded")
    found = line(eight, "group")
    assert found is not None
    assert sorted(found.children) == sorted(others)
    assert db.session.get(SmallGroup, mia) is None
    seating.seat_together(eight.class_id, "make_five", [mia, *others], strand="adding")
    assert db.session.get(SmallGroup, mia) is None, "nor by the teacher's choice"
    objections.begin(others[0], "school", "unneeded")
    assert line(eight, "group") is None


def test_a_child_who_left_the_class_is_in_its_small_group_no_more(eight: Classroom) -> None:
    mia, *others = chosen(eight)
    with write_unit():
        school = db.session.get_one(SchoolClass, eight.class_id).school_id
        other = SchoolClass(school_id=school, name="Pike", code="999999", created_at=clock.now())
        db.session.add(other)
        db.session.flush()
        db.session.get_one(Child, mia).class_id = other.id
    found = line(eight, "group")
    assert found is not None
    assert sorted(found.children) == sorted(others)


@pytest.mark.parametrize(("taken", "days"), [(4000, 2), (300, 1)])
def test_a_day_of_guessing_counts_for_nothing(eight: Classroom, taken: int, days: int) -> None:
    """Ada has answered by luck one day; without that day she is not known well enough."""
    for name, pace in (("Mia", 4000), ("Ben", 4000), ("Ada", taken)):
        before = rows(4, 12, day=clock.day() - 1, round_id=None, latency_ms=pace, **MAKE_FIVE)
        keep(eight, name, [*before, *on_days(13, 16, 1, **MAKE_FIVE)])
    page = skill_reports.of_class(eight.class_id)
    ada = next(one for one in page.children if one.name == "Ada")
    assert ada.levels["adding"].days == days
    assert (line(eight, "group") is None) == (days == 1)
