"""A child about whom nothing is worked out: what its teacher and family see, and what files
hold."""

from __future__ import annotations

import csv
import io

import pytest

from classroom.database import write_unit
from classroom.services.base import clock
from classroom.services.table import evidence_log
from tests.learning.rows import row
from tests.world import Visitor, World

DAY = 1_795_348_800.0  # 22 November 2026
WHY = (
    "Nothing has been worked out about Miaqua since 22 November 2026: the family objects to the "
    "analysis."
)
SCHOOLS = "the family asked the school to stop."


@pytest.fixture
def lake(world: World) -> Visitor:
    """The teacher, in whose class both children have answered questions."""
    with world.app.app_context(), write_unit():
        for name in ("Miaqua", "Benquill"):
            rows = [row(skill="how_many", day=clock.day(), at=clock.now(), round_id=None)] * 30
            evidence_log.append(world.children[name], rows)
    return world.visitor("lake")


@pytest.fixture
def reed(world: World) -> Visitor:
    return world.visitor("reed")


def mia(world: World, side: str = "teach", page: str = "") -> str:
    return f"/{side}/children/{world.children['Miaqua']}{page}"


def object_to_it(world: World) -> None:
    with clock.clock_at(DAY):
        answer = world.visitor("reed").post(mia(world, "family", "/restrict"), {"reason": "object"})
    assert answer.status_code == 303


def lines(visitor: Visitor, path: str) -> list[dict[str, str]]:
    text = visitor.get(path).get_data(as_text=True).removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text)))


def test_a_family_objects_and_both_sides_read_since_when_and_why(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    assert "to about" in lake.get(mia(world)).text
    object_to_it(world)
    for visitor, path in (
        (lake, mia(world)),
        (lake, mia(world, page="/sheet")),
        (lake, mia(world, page="/missed")),
        (lake, mia(world, page="/settings")),
        (lake, mia(world, page="/restrict")),
        (reed, "/family/"),
        (reed, mia(world, "family")),
        (reed, mia(world, "family", "/progress")),
        (reed, mia(world, "family", "/restrict")),
    ):
        page = visitor.get(path).text
        assert WHY in page, path
        assert "axis" not in page, "no level is drawn"


def test_the_class_page_names_the_child_and_no_level_of_it(world: World, lake: Visitor) -> None:
    path = f"/teach/classes/{world.classes['sunfish']}/skills"
    assert "nothing is worked out" not in lake.get(path).text
    lake.post(mia(world, page="/restrict"), {"reason": "unneeded"})
    shown = next(line for line in lake.get(path).text.split("<tr>") if "Miaqua</" in line)
    assert "nothing is worked out" in shown
    assert "lv--ok" not in shown


def test_the_files_of_the_class_have_one_line_that_says_so(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    object_to_it(world)
    room = f"/teach/classes/{world.classes['sunfish']}"
    skills = [one for one in lines(lake, f"{room}/skills.csv") if one["child"] == "Miaqua"]
    assert [(one["part"], one["name"]) for one in skills] == [("restricted", WHY)]
    answers = [one for one in lines(lake, f"{room}/answers.csv") if one["child"] == "Miaqua"]
    assert [(one["source"], one["item"]) for one in answers] == [("restricted", WHY)]
    assert len([one for one in lines(lake, f"{room}/answers.csv") if one["right"]]) >= 30
    own = lines(reed, mia(world, "family", "/answers.csv"))
    assert len(own) == 30, "the family has a right to every answer"


def test_each_side_ends_only_what_it_began(world: World, lake: Visitor, reed: Visitor) -> None:
    object_to_it(world)
    page = lake.get(mia(world, page="/restrict")).text
    assert "Only the family can end this" in page
    assert lake.post(mia(world, page="/restrict"), {"end": "family"}).status_code == 422
    lake.post(mia(world, page="/restrict"), {"reason": "asked"})
    page = reed.get(mia(world, "family", "/restrict")).text
    assert WHY in page
    assert SCHOOLS in page
    assert reed.post(mia(world, "family", "/restrict"), {"end": "school"}).status_code == 422
    assert reed.post(mia(world, "family", "/restrict"), {"end": "family"}).status_code == 303
    assert WHY not in lake.get(mia(world)).text
    assert SCHOOLS in lake.get(mia(world)).text
    lake.post(mia(world, page="/restrict"), {"end": "school"})
    assert "to about" in lake.get(mia(world)).text, "all of it is there again"


def test_the_teacher_deletes_the_answers_and_the_record_says_so(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    erase = mia(world, page="/answers/delete")
    assert lake.post(erase).status_code == 422
    object_to_it(world)
    assert "30 answers and asks are still kept" in lake.get(mia(world, page="/restrict")).text
    assert "Delete the answers" not in reed.get(mia(world, "family", "/restrict")).text
    assert "done=erased" in lake.post(erase).location
    assert "There are no earlier answers." in lake.get(mia(world, page="/restrict")).text
    assert lines(reed, mia(world, "family", "/answers.csv")) == []
    looks = reed.get(mia(world, "family", "/looks")).text
    assert "Lakeqadult deleted all answers given by Miaqua" in looks
    assert "You stopped the analysis of Miaqua’s answers" in looks


def test_a_reason_that_is_not_offered_changes_nothing(world: World, reed: Visitor) -> None:
    answer = reed.post(mia(world, "family", "/restrict"), {"reason": "asked"})
    assert answer.status_code == 422
    assert "Please choose a reason." in answer.text
    assert "Nothing has been worked out" not in answer.text
