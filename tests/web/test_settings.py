"""The settings pages of a class and of a child: what a teacher chooses, and what a family sees."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select, update

from classroom.database import db, write_unit
from classroom.models import ChoicesRow, SchoolClass
from classroom.services.base import clock
from classroom.services.lesson import lessons
from classroom.services.quiz import question_settings
from classroom.services.reports import skill_reports
from classroom.services.table import choices, matches, rounds
from classroom.web.http.forms import FIELD
from classroom.web.reports.setting_forms import OPEN
from tests.statements import sent_to
from tests.web.page_forms import form_to
from tests.world import Visitor, World

OPENED = dict.fromkeys(
    ("opponents", "level", "deck", "board", "hints", "pace", "voice", "lit", "switch"), OPEN
)
FAMILYS = {
    "opponents": "3", "level": "pike", "deck": "small", "board": "open", "hints": "1",
    "pace": "age", "voice": "1", "lit": "1", "switch": "off",
}  # fmt: skip
FAMILYS |= {"minutes_a_day": "0"}
DAY = 1_795_348_800.0  # 22 November 2026


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


@pytest.fixture
def reed(world: World) -> Visitor:
    return world.visitor("reed")


def room(world: World) -> str:
    return f"/teach/classes/{world.classes['sunfish']}"


def mia(world: World, side: str = "teach") -> str:
    return f"/{side}/children/{world.children['Miaqua']}"


@pytest.fixture(autouse=True)
def lessons_only(world: World) -> None:
    """Switch off play at home, where a family chooses everything."""
    with world.app.app_context(), write_unit():
        db.session.execute(update(SchoolClass).values(home_on=False))


def checked(page: str) -> dict[str, str]:
    """The radio buttons of a page that are chosen, by name."""
    found = re.findall(r'type="radio" name="(\w+)" value="([^"]*)" checked', page)
    return dict(found)


def test_a_class_begins_with_everything_left_to_families(world: World, lake: Visitor) -> None:
    page = lake.get(room(world) + "/settings").text
    assert OPENED.items() <= checked(page).items()
    assert "The school’s usual settings: two friends and a short round." in page
    assert "The school’s usual settings: Minnow, a peek at the asks, " in page


def test_what_the_teacher_chose_is_told_on_both_pages(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    with clock.clock_at(DAY):
        answer = lake.post(room(world) + "/play", OPENED | {"level": "perch"})
        assert "done=play" in answer.location
        told = "Lakeqadult chose Perch for Sunfishqroom on 22 Nov; this applies in lessons."
        for page in (room(world) + "/settings", mia(world), mia(world) + "/settings"):
            assert told in lake.get(page).text, page
        page = reed.get(mia(world, "family")).text
    assert told in page
    assert checked(page)["level"] == "perch"
    assert 'value="pike" disabled' in page
    assert 'name="deck" value="small" disabled' not in page
    assert "The teacher chose this for lessons." in page


def test_a_familys_choice_is_kept_while_the_teachers_rules(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    reed.post(mia(world, "family") + "/settings", FAMILYS)
    lake.post(room(world) + "/play", OPENED | {"level": "perch"})
    sent = FAMILYS | {"level": "minnow", "deck": "full"}  # the level is greyed out on the page
    assert reed.post(mia(world, "family") + "/settings", sent).status_code == 303
    with world.app.app_context():
        found = matches.settings_for(world.children["Miaqua"])
        assert (found.level, found.deck) == ("perch", "full")
        row = db.session.scalars(select(ChoicesRow).where(ChoicesRow.whose == "family")).one()
        assert (row.level, row.deck) == ("pike", "full")


def test_where_children_play_at_home_a_family_sees_its_own_choice(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    with world.app.app_context(), write_unit():
        db.session.execute(update(SchoolClass).values(home_on=True))
    reed.post(mia(world, "family") + "/settings", FAMILYS)
    lake.post(room(world) + "/play", OPENED | {"level": "perch"})
    assert checked(reed.get(mia(world, "family")).text)["level"] == "pike"


def test_a_child_can_have_settings_of_its_own(world: World, lake: Visitor) -> None:
    lake.post(room(world) + "/play", OPENED | {"level": "perch"})
    assert checked(lake.get(mia(world) + "/settings").text)["level"] == OPEN
    lake.post(mia(world) + "/play", OPENED | {"level": "pike", "hints": "0"})
    page = lake.get(mia(world) + "/settings").text
    assert (checked(page)["level"], checked(page)["hints"]) == ("pike", "0")
    assert "Lakeqadult chose Pike and no hints for Miaqua" in page
    with world.app.app_context():
        assert matches.settings_for(world.children["Benquill"]).level == "perch"


@pytest.mark.parametrize("side", ["class", "child"])
def test_a_choice_that_is_not_offered_is_refused(world: World, lake: Visitor, side: str) -> None:
    path = (room(world) if side == "class" else mia(world)) + "/play"
    for field, value in (("level", "whale"), ("opponents", "9"), ("hints", "2"), ("deck", "")):
        assert lake.post(path, OPENED | {field: value}).status_code == 400
    assert lake.post(path, {"level": "perch"}).status_code == 400


def test_a_childs_questions_can_differ_and_go_back_to_the_classs(
    world: World, lake: Visitor
) -> None:
    chosen = {"questions": "off", "skill": ["how_many"], "numbers": "0-10"}
    lake.post(mia(world) + "/questions", chosen)
    page = lake.get(mia(world) + "/settings").text
    assert "Lakeqadult chose the questions for Miaqua" in page
    with world.app.app_context():
        assert not question_settings.asks(world.children["Miaqua"])
        assert question_settings.asks(world.children["Benquill"])
    lake.post(mia(world) + "/questions", chosen | {"leave": "1"})
    with world.app.app_context():
        assert question_settings.asks(world.children["Miaqua"])


def test_a_child_without_a_skill_to_ask_about_is_refused(world: World, lake: Visitor) -> None:
    answer = lake.post(mia(world) + "/questions", {"questions": "rarely", "numbers": "0-10"})
    assert answer.status_code == 400
    assert "Please tick at least one skill, or choose Off." in answer.text


@pytest.mark.parametrize(
    ("field", "typed"), [("nudge_after", "2"), ("stand_in_after", "soon"), ("minutes_a_day", "-3")]
)
def test_a_wrong_time_is_answered_beside_its_field_and_what_was_typed_is_kept(
    world: World, lake: Visitor, field: str, typed: str
) -> None:
    fine = {"nudge_after": "21", "stand_in_after": "41", "minutes_a_day": "31"}
    answer = lake.post(room(world) + "/times", fine | {field: typed})
    assert answer.status_code == 400
    assert "Please type a whole number from" in answer.text
    for name, value in (fine | {field: typed}).items():
        assert re.search(rf'name="{name}" type="number" value="{value}"', answer.text)
    assert re.search(rf'name="{field}"[^>]*aria-invalid="true"', answer.text)
    assert lake.post(room(world) + "/times", fine).status_code == 303
    with world.app.app_context():
        assert lessons.times(world.classes["sunfish"]).minutes_a_day == 31
    assert lake.post(room(world) + "/times", fine | {"minutes_a_day": "0"}).status_code == 303
    with world.app.app_context():
        assert lessons.times(world.classes["sunfish"]).minutes_a_day is None, "0 is no limit"


def test_a_class_can_go_by_the_standards_of_the_school(world: World, lake: Visitor) -> None:
    lake.post(room(world) + "/standards", {"standards": "england"})
    assert checked(lake.get(room(world) + "/settings").text)["standards"] == "england"
    lake.post(room(world) + "/standards", {"standards": "school"})
    with world.app.app_context():
        assert skill_reports.own_standards(world.classes["sunfish"]) is None
        assert skill_reports.standards_of(world.classes["sunfish"]) == "common_core"


def test_the_cards_are_to_be_printed_right_after_children_are_added(
    world: World, lake: Visitor
) -> None:
    answer = lake.post(room(world) + "/children", {"name": "Nia", "age_band": "4-5"})
    page = lake.get(answer.location).text
    button = page.index(f'href="{room(world)}/cards">', page.index("Next, print"))
    assert button < page.index('class="roll"')


# ---- a group


def test_a_groups_settings_are_named_on_the_pages_of_its_children_alone(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    group = f"/teach/groups/{world.groups['sunfish']}"
    assert f'href="{group}/settings"' in lake.get(room(world) + "/groups").text
    with clock.clock_at(DAY):
        answer = lake.post(group + "/play", OPENED | {"level": "pike"})
        assert "done=play" in answer.location
        told = "Lakeqadult chose Pike for the group “Sunfishqgroup” on 22 Nov; this applies"
        for visitor, page in (
            (lake, group + "/settings"),
            (lake, mia(world)),
            (lake, mia(world) + "/settings"),
            (reed, mia(world, "family")),
        ):
            assert told in visitor.get(page).text, page
        ben = f"/teach/children/{world.children['Benquill']}/settings"
        assert told not in lake.get(ben).text
        assert "Same as the group" in lake.get(mia(world) + "/settings").text
        assert "Same as the class" in lake.get(ben).text


def test_a_groups_questions_go_back_to_those_of_the_class(world: World, lake: Visitor) -> None:
    group = f"/teach/groups/{world.groups['sunfish']}"
    sent = {"questions": "rarely", "skill": ["how_many"], "numbers": "0-5"}
    assert lake.post(group + "/questions", sent).status_code == 303
    page = lake.get(group + "/settings").text
    assert "Lakeqadult chose the questions for the group “Sunfishqgroup”" in page
    assert lake.post(group + "/questions", {"leave": "1"}).status_code == 303
    assert "The questions are the school’s usual ones." in lake.get(group + "/settings").text
    wrong = lake.post(group + "/questions", {**sent, "questions": "always"})
    assert wrong.status_code == 400


def test_a_class_chooses_how_often_its_children_tell_how_they_knew(
    world: World, lake: Visitor
) -> None:
    page, here = room(world) + "/settings", world.classes["sunfish"]
    assert checked(lake.get(page).text)["talk"] == "now"
    answer = lake.post(room(world) + "/talk", {"talk": "often"})
    assert "This applies at once" in lake.get(answer.location).text
    assert checked(lake.get(page).text)["talk"] == "often"
    assert lake.post(room(world) + "/talk", {"talk": "always"}).status_code == 400
    with world.app.app_context():
        assert choices.talk_of_class(here) == "often"
        assert choices.talk_of_class(world.classes["perch"]) == "now"
        round_id = matches.start_match(world.children["Miaqua"])
        assert rounds.table(round_id, 0).around.talk == "often"


def silent(world: World, name: str = "Miaqua") -> bool:
    pages = [world.visitor(name).get(path).text for path in ("/play/", "/play/games/classic")]
    found = {" data-silent" in page for page in pages}
    assert len(found) == 1
    return found.pop()


def test_the_pages_of_a_child_are_silent_if_an_adult_chose_so(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    assert not silent(world)
    assert reed.post(mia(world, "family") + "/settings", FAMILYS | {"voice": "0"}).location
    assert silent(world)
    assert not silent(world, "Benquill")
    assert "The voice is off until the ear is tapped." in reed.get(mia(world, "family")).text
    lake.post(room(world) + "/play", OPENED | {"voice": "1"})
    assert not silent(world), "in lessons the teacher's choice rules"
    lake.post(mia(world) + "/play", OPENED | {"voice": "0"})
    assert silent(world), "the choice for one child rules over that for its class"
    assert not silent(world, "Benquill")


def test_the_pages_before_a_child_has_signed_in_are_not_silent(world: World, lake: Visitor) -> None:
    lake.post(room(world) + "/play", OPENED | {"voice": "0"})
    assert silent(world)
    assert "data-silent" not in world.visitor("device").get("/animals").text


def test_a_change_of_difficulty_reads_all_levels_once(world: World, reed: Visitor) -> None:
    path = mia(world, "family") + "/settings"
    assert reed.post(path, FAMILYS).status_code == 303
    form = form_to(reed.get(mia(world, "family")).text, path, FIELD)
    with world.app.app_context():
        engine = db.engine
    with sent_to(engine) as sent:
        assert reed.client.post(path, data=form.sent(deck="full")).status_code == 303
    assert sum("FROM children" in one and "choices" in one for one in sent) == 1
    assert sum("pg_advisory" not in one for one in sent) == 7  # PostgreSQL locks the audit log
