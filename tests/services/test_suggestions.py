"""What a class is told to do tomorrow, from the stored evidence, and what each suggestion does."""

from __future__ import annotations

import pytest

from classroom.database import write_unit
from classroom.learning.evidence import Evidence
from classroom.learning.skills import SKILLS
from classroom.learning.tomorrow import FOCUS, Suggestion
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.quiz import question_settings
from classroom.services.reports import skill_reports, standards, suggestions
from classroom.services.table import evidence_log
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
    found = suggestions.of_class(skill_reports.of_class(room.class_id))
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
    question_settings.write(None, "class", room.class_id, question_settings.Choice(skills=only))
    suggestions.set_focus(room.class_id, "adding")
    kept = question_settings.of("class", room.class_id)
    assert (kept.focus, kept.skills) == (frozenset({"make_five"}), only)
    with pytest.raises(Refused, match="no_focus"):
        suggestions.set_focus(room.class_id, "sorting")
    assert question_settings.of("class", room.class_id) == kept


def test_a_focus_is_on_at_most_three_skills_of_the_strand(room: Classroom) -> None:
    suggestions.set_focus(room.class_id, "counting")
    focus = question_settings.of("class", room.class_id).focus
    assert 1 <= len(focus) <= FOCUS
    assert {SKILLS[key].strand for key in focus} == {"counting"}


def test_a_sheet_has_the_numbers_of_the_child_s_level(room: Classroom) -> None:
    keep(room, "Mia", on_days(0, 10, kind="count_hand", difficulty=-3.0))
    found = {one.name: one.sheet for one in suggestions.sheets(room.class_id, "counting")}
    assert found["Mia"].numbers == (1, 4)
    assert found["Ben"].numbers[1] > 4  # Ben is not known, so he gets his age's numbers
    assert list(found) == sorted(found)


def test_sheets_are_for_children_of_the_class_and_two_strands_only(room: Classroom) -> None:
    some = [room.children["Mia"], 999_999]
    assert [one.name for one in suggestions.sheets(room.class_id, "adding", some)] == ["Mia"]
    assert suggestions.sheets(room.class_id, "adding", []) == ()
    with pytest.raises(NotFound):
        suggestions.sheets(room.class_id, "recall")
    with pytest.raises(NotFound):
        suggestions.sheets(room.class_id + 1, "adding")


def test_a_class_sees_the_common_core_until_another_standard_is_chosen(room: Classroom) -> None:
    assert standards.of_class(room.class_id) == "common_core"
    standards.choose(room.class_id, "england")
    assert standards.of_class(room.class_id) == "england"
    question_settings.write(None, "class", room.class_id, question_settings.Choice("rarely"))
    assert standards.of_class(room.class_id) == "england"
    with pytest.raises(Refused, match="standards"):
        standards.choose(room.class_id, "mars")
    with pytest.raises(NotFound):
        standards.choose(room.class_id + 1, "england")
