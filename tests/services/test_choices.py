"""The school, teachers and a family choose how a child plays. Of teachers' choices, the one closest
to the child is in force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import get_args

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import (
    Adult,
    Child,
    ChoicesRow,
    GroupMember,
    PlannedSeat,
    PlaySettings,
    SchoolClass,
)
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.base.rows import Changed, version_of
from classroom.services.lesson import lessons, seating
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import QuestionChoice
from classroom.services.school import child_moves, family_links
from classroom.services.table import choices, matches
from classroom.services.table.choices import ChoiceLevel, Whose
from tests.playing import family_chooses
from tests.questioning import chosen_for
from tests.world import World

NOW = 1_790_000_000.0
LEVELS: tuple[Whose, ...] = get_args(Whose)


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context():
        yield world
        db.session.rollback()


# ---- what is in force, from every combination of levels


@pytest.mark.parametrize("who", [*itertools.product((False, True), repeat=len(LEVELS))])
def test_the_closest_teacher_rules_then_the_family_then_the_school(who: tuple[bool, ...]) -> None:
    """Each level either chose a number of its own or left it open."""
    chose = dict(zip(LEVELS, who, strict=True))
    numbers = {"school": 10, "class": 20, "group": 30, "child": 40, "family": 50}
    levels = [
        ChoiceLevel(whose=whose, made={"opponents": numbers[whose]} if chose[whose] else {})
        for whose in sorted(LEVELS)  # in whatever order they are given
    ]
    expected = 0  # the default: by age
    for whose in ("school", "family", "class", "group", "child"):
        expected = numbers[whose] if chose[whose] else expected  # type: ignore[index]
    assert choices.play(levels).opponents == expected
    rules = choices.ruling(levels, "opponents")
    assert (rules.made["opponents"] if rules else 0) == expected


def test_each_thing_is_decided_by_itself() -> None:
    levels = [
        ChoiceLevel(whose="school", made={"deck": "full", "board": "off"}),
        ChoiceLevel(whose="family", made={"level": "pike", "deck": "small", "hints": True}),
        ChoiceLevel(whose="class", made={"hints": False}),
        ChoiceLevel(whose="child", made={"level": "perch"}),
    ]
    assert choices.play(levels) == PlaySettings(
        level="perch", deck="small", board="off", hints=False
    )


@pytest.mark.parametrize(
    ("limits", "least"),
    [((None, None), None), ((10, None), 10), ((None, 30), 30), ((45, 30), 30), ((), None)],
)
def test_the_smallest_limit_of_minutes_applies(
    limits: tuple[int | None, ...], least: int | None
) -> None:
    assert choices.minutes(*limits) == least


# ---- in the school


def test_a_match_starts_as_the_teacher_set_it_and_the_familys_choice_is_kept(school: World) -> None:
    lake, reed, mia = school.adults["lake"], school.adults["reed"], school.children["Miaqua"]
    room = school.classes["sunfish"]
    choices.write(None, "school", 1, {"deck": "full"})
    family_chooses(reed, mia, 3, "pike", "small", "open", True, None)
    assert matches.settings_for(mia).level == "pike"
    choices.write(lake, "class", room, {"level": "perch", "board": "off"})
    found = matches.settings_for(mia)
    assert (found.opponents, found.level, found.deck, found.board) == (3, "perch", "small", "off")
    choices.write(lake, "child", mia, {"level": "minnow"})
    assert matches.settings_for(mia).level == "minnow"
    assert matches.settings_for(school.children["Benquill"]).level == "perch"
    assert matches.settings_for(school.children["Benquill"]).deck == "full"
    choices.write(lake, "child", mia, {"level": None, "board": None})
    choices.write(lake, "class", room, {"level": None, "board": None})
    assert matches.settings_for(mia) == PlaySettings(
        opponents=3, level="pike", deck="small", board="open", hints=True, pace="calm"
    )


def test_a_choice_of_another_class_or_school_does_not_apply(school: World) -> None:
    choices.write(None, "class", school.classes["perch"], {"level": "pike"})
    choices.write(None, "school", 2, {"level": "pike"})
    assert matches.settings_for(school.children["Miaqua"]).level == "minnow"
    assert matches.settings_for(school.children["Adaquist"]).level == "pike"
    assert matches.settings_for(school.children["Zedquorn"]).level == "pike"


def test_a_family_that_cannot_choose_a_thing_keeps_its_earlier_choice(school: World) -> None:
    reed, mia = school.adults["reed"], school.children["Miaqua"]
    family_chooses(reed, mia, 3, "pike", "small", "open", True, 20)
    choices.write(school.adults["lake"], "class", school.classes["sunfish"], {"level": "perch"})
    assert family_links.settings(mia).fixed == {"level"}
    family_chooses(reed, mia, 1, None, "small", "open", True, None)
    row = db.session.scalars(select(ChoicesRow).where(ChoicesRow.whose == "family")).one()
    assert (row.opponents, row.level, row.minutes_a_day) == (1, "pike", None)


def test_it_is_told_who_chose_what_and_when(school: World) -> None:
    lake, reed, mia = school.adults["lake"], school.adults["reed"], school.children["Miaqua"]
    family_chooses(reed, mia, 3, None, None, None, None, None)
    with clock.clock_at(NOW):
        choices.write(lake, "class", school.classes["sunfish"], {"level": "perch", "deck": "full"})
        choices.write(lake, "child", mia, {"deck": "small"})
    choices.write(None, "school", 1, {"board": "off"})
    told = family_links.settings(mia).told
    assert [(one.whose, dict(one.made)) for one in told] == [
        ("child", {"deck": "small"}),
        ("class", {"level": "perch"}),
        ("family", {"opponents": 3}),
        ("school", {"board": "off"}),
        (None, {"hints": True, "pace": "age", "voice": True, "lit": True, "switch": "off"}),
    ]
    assert [(one.who, one.at) for one in told[:2]] == [("Lakeqadult", NOW)] * 2


def test_a_choice_stays_when_the_account_of_its_teacher_ends(school: World) -> None:
    lake, mia = school.adults["lake"], school.children["Miaqua"]
    choices.write(lake, "class", school.classes["sunfish"], {"level": "perch"})
    question_settings.write(lake, "class", school.classes["sunfish"], QuestionChoice("off"))
    with write_unit():
        db.session.delete(db.session.get_one(Adult, lake))
    told = family_links.settings(mia).told[0]
    assert (told.whose, told.who, matches.settings_for(mia).level) == ("class", "", "perch")


@pytest.mark.parametrize(
    "picks", [{"opponents": 4}, {"level": "whale"}, {"deck": "huge"}, {"board": "shut"}]
)
def test_only_what_is_offered_can_be_chosen(school: World, picks: dict[str, object]) -> None:
    for whose in LEVELS:
        with pytest.raises(Refused) as refused:
            choices.write(None, whose, 1, picks)
        assert refused.value.code == next(iter(picks))


def test_a_choice_made_from_an_older_version_is_not_stored(school: World) -> None:
    reed, mia = school.adults["reed"], school.children["Miaqua"]
    levels: tuple[tuple[Whose, int], ...] = (
        ("school", 1),
        ("class", school.classes["sunfish"]),
        ("group", group_of(school)),
        ("child", mia),
        ("family", mia),
    )
    for whose, of in levels:
        old = version_of(choices.read(whose, of))
        choices.write(reed, whose, of, {"deck": "full"}, old)
        with pytest.raises(Changed) as changed:
            choices.write(reed, whose, of, {"deck": "small"}, old)
        assert changed.value.now == choices.read(whose, of)
        assert choices.read(whose, of).of(whose).made["deck"] == "full"
        choices.write(reed, whose, of, {"deck": "small"}, version_of(changed.value.now))


def test_a_family_does_not_choose_what_a_teacher_decides_in_lessons(school: World) -> None:
    mia = school.children["Miaqua"]
    with write_unit():
        db.session.get_one(SchoolClass, school.classes["sunfish"]).home_on = False
    choices.write(None, "group", group_of(school), {"level": "perch"})
    choices.write(None, "family", mia, {"level": "pike", "deck": "full"})
    assert choices.of_child(mia).of("family").made == {"deck": "full"}


# ---- questions


def test_the_closest_teachers_questions_bound_the_familys(school: World) -> None:
    room, mia = school.classes["sunfish"], school.children["Miaqua"]

    def often() -> str:
        return chosen_for(mia).now.frequency

    assert often() == "sometimes"
    question_settings.write(None, "school", 1, QuestionChoice("every_turn", low=0, high=10))
    assert often() == "every_turn"
    assert question_settings.of("class", room).numbers == (0, 10)
    question_settings.write(None, "family", mia, QuestionChoice("sometimes"))
    assert often() == "sometimes"
    question_settings.write(None, "class", room, QuestionChoice("rarely"))
    assert often() == "rarely"
    question_settings.write(None, "child", mia, QuestionChoice("every_turn"))
    assert often() == "sometimes"  # the family's choice, which is less
    assert chosen_for(mia).bounds.frequency == "every_turn"
    question_settings.write(None, "child", mia, None)
    assert often() == "rarely"
    question_settings.write(None, "class", room, None)
    assert often() == "sometimes"
    assert question_settings.of("class", room).frequency == "every_turn"


def test_the_focus_of_the_class_holds_within_the_childs_own_skills(school: World) -> None:
    room, mia = school.classes["sunfish"], school.children["Miaqua"]
    both = frozenset({"how_many", "give_n"})
    question_settings.write(None, "class", room, QuestionChoice("rarely", both, focus=both))
    question_settings.write(None, "child", mia, QuestionChoice("rarely", frozenset({"give_n"})))
    assert question_settings.asking(mia).focus == {"give_n"}


def test_it_is_told_who_chose_the_questions(school: World) -> None:
    lake, mia = school.adults["lake"], school.children["Miaqua"]
    assert choices.asked_by(chosen_for(mia).rules).whose is None
    with clock.clock_at(NOW):
        question_settings.write(lake, "class", school.classes["sunfish"], QuestionChoice("off"))
    told = choices.asked_by(chosen_for(mia).rules)
    assert (told.whose, told.who, told.at) == ("class", "Lakeqadult", NOW)


# ---- a group


def group_of(school: World) -> int:
    """The group of Miaqua."""
    return school.groups["sunfish"]


def test_a_groups_settings_come_before_the_classs_and_after_the_childs(school: World) -> None:
    lake, mia, ben = (
        school.adults["lake"],
        school.children["Miaqua"],
        school.children["Benquill"],
    )
    choices.write(lake, "class", school.classes["sunfish"], {"level": "perch", "deck": "full"})
    choices.write(lake, "group", group_of(school), {"level": "pike", "board": "off"})
    found = matches.settings_for(mia)
    assert (found.level, found.deck, found.board) == ("pike", "full", "off")
    assert matches.settings_for(ben).level == "perch"
    choices.write(lake, "child", mia, {"level": "minnow"})
    assert matches.settings_for(mia).level == "minnow"
    choices.write(lake, "child", mia, {"level": None})
    choices.write(lake, "group", group_of(school), {"level": None})
    assert matches.settings_for(mia).level == "perch"


def test_it_is_told_for_which_group_it_was_chosen(school: World) -> None:
    lake, mia = school.adults["lake"], school.children["Miaqua"]
    with clock.clock_at(NOW):
        choices.write(lake, "group", group_of(school), {"deck": "small"})
        question_settings.write(lake, "group", group_of(school), QuestionChoice("rarely"))
    told = family_links.settings(mia).told[0]
    assert (told.whose, told.name, told.who, told.at) == (
        "group",
        "Sunfishqgroup",
        "Lakeqadult",
        NOW,
    )
    asked = choices.asked_by(chosen_for(mia).rules)
    assert (asked.whose, asked.name, asked.who) == ("group", "Sunfishqgroup", "Lakeqadult")


def test_a_groups_questions_bound_its_children_alone(school: World) -> None:
    lake, room = school.adults["lake"], school.classes["sunfish"]
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    question_settings.write(lake, "class", room, QuestionChoice("every_turn"))
    question_settings.write(
        lake, "group", group_of(school), QuestionChoice("rarely", low=0, high=5)
    )
    assert question_settings.of("group", group_of(school)).frequency == "rarely"
    assert chosen_for(mia).bounds.numbers == (0, 5)
    assert chosen_for(ben).bounds.frequency == "every_turn"
    question_settings.write(lake, "child", mia, QuestionChoice("sometimes"))
    assert chosen_for(mia).now.frequency == "sometimes"
    question_settings.write(lake, "group", group_of(school), None)
    assert question_settings.of("group", group_of(school)).frequency == "every_turn"


def test_a_group_of_an_earlier_class_does_not_decide(school: World) -> None:
    """A new school year leaves such groups behind, so that it can be undone."""
    choices.write(None, "group", group_of(school), {"level": "pike"})
    mia = school.children["Miaqua"]
    with write_unit():
        db.session.get_one(Child, mia).class_id = school.classes["perch"]
    assert matches.settings_for(mia).level == "minnow"
    assert seating.groups_of(school.classes["sunfish"])[0].children == ()


def test_a_child_who_is_moved_leaves_its_group_and_the_plan(school: World) -> None:
    mia, room = school.children["Miaqua"], school.classes["sunfish"]
    lessons.save_plan(room, [lessons.TablePlan(game="classic", children=(mia,))])
    child_moves.move(mia, school.classes["perch"])
    assert db.session.get(GroupMember, mia) is None
    assert db.session.get(PlannedSeat, mia) is None


def test_a_removed_group_takes_its_settings_with_it(school: World) -> None:
    choices.write(None, "group", group_of(school), {"level": "pike"})
    seating.change_groups(school.classes["sunfish"], {}, gone=[group_of(school)])
    assert matches.settings_for(school.children["Miaqua"]).level == "minnow"
    assert db.session.scalars(select(ChoicesRow).where(ChoicesRow.whose == "group")).all() == []
