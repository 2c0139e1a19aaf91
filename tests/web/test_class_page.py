"""The class's skills page: levels, what to do tomorrow, and the pages printed from it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.learning.evidence import Evidence
from classroom.learning.skills import SKILLS, STRANDS
from classroom.models import AuditEntry, Child, Gathering, Place
from classroom.services.base import clock
from classroom.services.quiz import question_settings
from classroom.services.school import classes
from classroom.services.table import evidence_log
from classroom.web.reports.class_skills import HEADS
from tests.learning.rows import rows
from tests.web.test_teach import INLINE
from tests.world import Visitor, World


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def keep(world: World, name: str, found: list[Evidence]) -> None:
    with world.app.app_context(), write_unit():
        evidence_log.append(world.children[name], found)


def plain(page: str) -> str:
    """The words of a page."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


def room(world: World) -> str:
    return f"/teach/classes/{world.classes['sunfish']}"


def on_days(right: int, n: int, days: int = 3, **how: object) -> list[Evidence]:
    """`n` answers on each of the last `days` days, `right` of them right; the oldest come first."""
    return [
        one
        for back in reversed(range(days))
        for one in rows(right, n, day=clock.day() - back, round_id=None, **how)
    ]


def cells(page: str, name: str) -> list[str]:
    """The mark in each of a child's cells, in the order of the strands."""
    (line,) = re.findall(rf"<tr>(?:(?!<tr>).)*?<b>{name}</b></a>(.*?)</tr>", page, re.DOTALL)
    found = [re.search(r"\b(?:st|lv)--([a-z]+)", cell) for cell in line.split("<td")[1:]]
    return [one[1] if one else "none" for one in found]


def in_order(page: str) -> list[str]:
    """The names of the children, from top to bottom."""
    return re.findall(r'<th scope="row"><a class="who".*?<b>(\w+)</b>', page)


def morrow(page: str) -> str:
    found = re.search(r'<section class="panel morrow\b[^>]*"morrow">.*?</section>', page, re.DOTALL)
    return found[0] if found else ""


# ---- levels


def test_a_child_s_level_is_shown_in_short_with_its_sign_and_its_answers(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", on_days(6, 8, kind="count_hand"))
    page = lake.get(room(world) + "/skills").text
    assert cells(page, "Miaqua") == ["open", *["none"] * 4], "not certain enough for a colour"
    assert "Levels with a colour: 0 of 1." in plain(page)
    assert "1–5: 18 of 24" in plain(page)
    assert "Counts up to" in page
    assert not INLINE.search(page)


def test_too_few_answers_are_one_pale_sign_and_no_numbers(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", rows(1, 1, day=clock.day(), round_id=None, options=2))
    page = lake.get(room(world) + "/skills").text
    assert cells(page, "Miaqua") == ["none"] * 5
    assert ">not enough answers yet</span></td>" in page
    assert page.count("too early to say") == 1  # in the key


def test_answers_that_luck_may_explain_are_the_same_pale_sign(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", on_days(2, 4, skill="make_book"))
    page = lake.get(room(world) + "/skills").text
    assert cells(page, "Miaqua")[2] == "none"
    assert lake.get(room(world) + "/skills/print").status_code == 200


def test_an_old_level_turns_grey_and_keeps_its_words(world: World, lake: Visitor) -> None:
    old = [
        one for back in (42, 41, 40) for one in rows(8, 8, day=clock.day() - back, round_id=None)
    ]
    keep(world, "Miaqua", old)
    page = lake.get(room(world) + "/skills").text
    assert cells(page, "Miaqua")[0] == "grey"
    assert "Counts up to" in page


def in_play(right: int, n: int, lag: int) -> list[Evidence]:
    return on_days(right, n, skill="recall_ask", source="play", kind="certain", lag=lag, options=9)


def test_remembering_says_what_was_taken_in_play_without_a_colour(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", [*in_play(5, 5, 2), *in_play(1, 2, 8)])
    keep(world, "Benquill", in_play(2, 2, 4))  # too few for more than the counts
    for page in (lake.get(room(world) + f"/skills{end}").text for end in ("", "/print")):
        words = plain(page)
        assert "15 of 15 within five asks, 3 of 6 later" in words
        taken = set(re.findall(r"\d+ of \d+ within five asks", words))
        assert len(taken) == 2, taken  # Benquill has played rounds of chance too
        assert "Remembers who asked for what, up to about" in words  # for a screen reader
        assert "Levels with a colour: 0 of 0." in words
    for name in ("Miaqua", "Benquill"):
        assert cells(lake.get(room(world) + "/skills").text, name)[4] == "plain"


def test_the_class_row_says_how_many_stand_where(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", on_days(6, 8, kind="count_hand"))
    keep(world, "Benquill", on_days(0, 10, kind="count_hand", difficulty=-3.5))
    page = lake.get(room(world) + "/skills").text
    (head,) = re.findall(r'<th scope="col" class="of-counting">.*?</th>', page, re.DOTALL)
    assert "Counting 1 at an early stage for this age 1 not certain which of these" in plain(head)
    assert head.count("<circle") == 2


def test_children_are_by_name_or_by_the_strand_that_was_tapped(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", on_days(0, 10, kind="count_hand", difficulty=-3.5))
    keep(world, "Benquill", on_days(7, 8, kind="count_hand", difficulty=1.0))
    page = lake.get(room(world) + "/skills").text
    assert in_order(page) == ["Benquill", "Miaqua"]
    (address,) = re.findall(r'<a class="seg__a" href="([^"]*sort=counting[^"]*)"', page)
    sorted_page = lake.get(unescape(address)).text
    assert in_order(sorted_page) == ["Miaqua", "Benquill"]
    assert sorted_page.count('aria-sort="ascending"') == 1
    assert in_order(lake.get(room(world) + "/skills?sort=adding").text) == ["Benquill", "Miaqua"]
    assert lake.get(room(world) + "/skills?sort=size").status_code == 200


def test_the_tick_is_what_is_expected_at_the_age_of_each_child(world: World, lake: Visitor) -> None:
    goals = []
    for band in ("4-5", "5-6", "6-7"):
        with world.app.app_context(), write_unit():
            db.session.get_one(Child, world.children["Miaqua"]).age_band = band
        keep(world, "Miaqua", on_days(6, 8, kind="count_hand"))
        page = lake.get(room(world) + "/skills").text
        assert f'<small class="age">{band.replace("-", "–")}</small>' in page
        goals += re.findall(r'class="st__g" x="([\d.]+)%"', page)
    assert goals == ["34.7", "65.3", "96.0"]  # 5, 10 and 20 on a scale of equal ranges


def test_every_strand_has_a_short_name() -> None:
    assert tuple(HEADS) == STRANDS


def test_skills_are_folded_below_their_strand_with_counts_and_one_standard(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", on_days(5, 6))
    keep(world, "Benquill", on_days(5, 6))
    closed = lake.get(room(world) + "/skills").text
    assert "Counting how many" in closed
    address = re.search(r'href="([^"#]*strand=counting)#skills"', closed)
    assert address
    page = lake.get(address[1]).text
    folds = re.findall(r'<details class="panel fold" open>.*?</details>', page, re.DOTALL)
    (fold,) = [one for one in folds if "Counting how many" in one]
    lines = [plain(line) for line in fold.split("<tr>")]
    (mia,) = [line for line in lines if "Miaqua" in line]
    (ben,) = [line for line in lines if "Benquill" in line]
    assert mia.split() == ["Miaqua", "15", "of", "18"]
    assert ben.split() == ["Benquill", "15", "of", "18"]
    assert "30 of 36" in plain(fold)
    assert "%" not in plain(fold), "every child gets about three in four right"
    assert fold.count(str(SKILLS["how_many"].common_core)) == 1
    assert str(SKILLS["how_many"].england) not in page


def test_a_class_sees_the_standards_that_its_teacher_chose(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", on_days(5, 6))
    answer = lake.post(room(world) + "/standards", {"standards": "england"})
    assert answer.status_code == 303
    assert "now show these standards" in lake.get(answer.location).text
    page = lake.get(room(world) + "/skills?strand=counting").text
    assert str(SKILLS["how_many"].england) in page
    assert str(SKILLS["how_many"].common_core) not in page
    assert lake.post(room(world) + "/standards", {"standards": "mars"}).status_code == 400


# ---- worth a look


def test_a_child_behind_is_worth_a_look_and_keeps_its_place(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", on_days(0, 10, kind="count_hand", difficulty=-3.5))
    page = lake.get(room(world) + "/skills").text
    text = plain(page)
    assert "Worth a look" in text
    line = text.partition("Worth a look")[2].partition("What the children can do")[0]
    assert "Counting how many: likely below the level we expect at ages" in line
    assert "0 of 30 recent answers were right" in line
    assert "board" not in line
    assert text.rindex("Benquill") < text.rindex("Miaqua")


# ---- tomorrow


def alike(world: World) -> None:
    """Give two children answers that put them at the same level of adding, with more to learn."""
    for name in ("Miaqua", "Benquill"):
        keep(world, name, on_days(5, 8, skill="make_five", kind="complement_5"))


def test_nothing_is_suggested_without_evidence(world: World, lake: Visitor) -> None:
    for page in ("", "/skills"):
        assert not morrow(lake.get(room(world) + page).text)


def test_the_next_ready_made_lesson_begins_with_one_tap(world: World, lake: Visitor) -> None:
    page = lake.get(room(world)).text
    assert "How many is that?" in page
    begin = re.findall(r'action="([^"]*/lessons/how-many)"', page)[0]
    assert lake.post(begin).status_code == 303
    assert "Who has more?" in lake.get(room(world)).text, "the next one"
    assert "started last" in lake.get(room(world) + "/lessons").text
    printed = plain(lake.get(begin).text)
    for said in ("Before play", "What to say", "What to look for", "Afterwards", "K.CC.B.5"):
        assert said in printed
    assert lake.get(begin + "-more").status_code == 404


def test_two_children_alike_are_seated_with_one_tap(world: World, lake: Visitor) -> None:
    alike(world)
    for page in ("", "/skills"):
        shown = morrow(lake.get(room(world) + page).text)
        assert "play Make" in shown
        assert "30 of 48 answers right between them" in plain(shown)
    fields = {
        "game": re.findall(r'name="game" value="(\w+)"', shown)[0],
        "child": re.findall(r'name="child" value="(\d+)"', shown),
    }
    assert len(fields["child"]) == 2
    answer = lake.post(room(world) + "/together", fields)
    assert answer.status_code == 303
    plan = lake.get(answer.location).text
    assert "The table is ready" in plan
    assert "Benquill" in plan
    with world.app.app_context():
        (table,) = db.session.scalars(select(Gathering).where(Gathering.set_by.is_not(None)))
        assert (table.game, table.match_id) == (fields["game"], None)
        sitting = {place.child_id for place in table.places if place.child_id}
    assert sitting == {world.children["Miaqua"], world.children["Benquill"]}


def test_a_table_for_children_who_have_left_is_refused_kindly(world: World, lake: Visitor) -> None:
    other = world.children["Adaquist"]  # of another class
    for sent in ([], ["x"], [world.children["Miaqua"]], [world.children["Miaqua"], other]):
        answer = lake.post(room(world) + "/together", {"game": "make_ten", "child": sent})
        assert answer.status_code == 422
        assert "no longer in the class" in answer.text
    answer = lake.post(room(world) + "/together", {"game": "chess", "child": []})
    assert answer.status_code == 400
    with world.app.app_context():
        assert db.session.scalars(select(Place).where(Place.child_id == other)).all() == []


# ---- the small group


def test_a_small_group_has_a_page_with_its_cards_questions_and_reasons(
    world: World, lake: Visitor
) -> None:
    address = room(world) + "/small-group"
    assert "There is no small group at the moment" in lake.get(address).text
    three(world)
    with world.app.app_context():
        before = len(db.session.scalars(select(AuditEntry)).all())
    page = plain(lake.get(address).text)
    assert "play Make Five with them for ten minutes" in page
    assert "Slips of paper with the numbers 0 to 5, four of each" in page
    assert "You have two. What do you need?" in page
    assert page.count("15 of 24 right") == 3
    assert "45 of 72 answers right between them" in page
    with world.app.app_context():
        rows = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert [(row.action, row.thing) for row in rows[before:]] == [("read", "class")]


def test_a_small_group_is_seated_and_chosen_with_one_tap(world: World, lake: Visitor) -> None:
    children = three(world)
    shown = lake.get(room(world) + "/small-group").text
    fields = {
        name: re.findall(rf'name="{name}" value="(\w+)"', shown)
        for name in ("game", "child", "practise")
    }
    assert sorted(map(int, fields["child"])) == sorted(children)
    answer = lake.post(room(world) + "/together", fields)
    assert "The table is ready" in lake.get(answer.location).text
    again = lake.get(room(world) + "/skills").text
    assert "recently got 45 of 72 answers right" in morrow(again)
    assert 'name="practise"' not in again, "seating them again makes the week no longer"
    refused = lake.post(room(world) + "/together", fields | {"practise": ["recall"]})
    assert refused.status_code == 400


def three(world: World) -> list[int]:
    """Three children of a class at about the same level."""
    names = ("Miaqua", "Benquill", "Adaquist")
    with world.app.app_context(), write_unit():
        for name in names:
            child = db.session.get_one(Child, world.children[name])
            child.age_band, child.class_id = "5-6", world.classes["sunfish"]
    for name in names:
        keep(world, name, on_days(5, 8, skill="make_five", kind="complement_5"))
    return [world.children[name] for name in names]


def test_the_focus_is_set_with_one_tap_and_not_suggested_again(world: World, lake: Visitor) -> None:
    names = ("Miaqua", "Benquill", "Adaquist")
    with world.app.app_context(), write_unit():
        for name in names:
            child = db.session.get_one(Child, world.children[name])
            child.age_band, child.class_id = "7-9", world.classes["sunfish"]
    for name in names:
        keep(world, name, on_days(1, 8, skill="make_five", difficulty=-3.0))
    shown = morrow(lake.get(room(world) + "/skills").text)
    assert all(name in shown for name in names)
    strand = re.findall(r'name="strand" value="(\w+)"', shown)[0]
    answer = lake.post(room(world) + "/focus", {"strand": strand})
    assert answer.status_code == 303
    page = lake.get(answer.location).text
    assert "Three in four questions" in page
    assert 'name="strand"' not in morrow(page)  # not before the focus has had time to work
    with world.app.app_context():
        focus = question_settings.of("class", world.classes["sunfish"]).focus
        assert {SKILLS[key].strand for key in focus} == {strand}
    assert lake.post(room(world) + "/focus", {"strand": "dancing"}).status_code == 400


def test_a_focus_on_what_may_not_be_asked_is_refused_kindly(world: World, lake: Visitor) -> None:
    with world.app.app_context():
        only = question_settings.QuestionChoice(skills=frozenset({"how_many"}))
        question_settings.write(None, "class", world.classes["sunfish"], only)
    answer = lake.post(room(world) + "/focus", {"strand": "adding"})
    assert answer.status_code == 422
    assert "Questions about this are switched off" in answer.text


def test_children_behind_get_sheets_that_bear_their_names_and_no_answers(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", on_days(0, 10, kind="count_hand", difficulty=-3.5))
    shown = morrow(lake.get(room(world) + "/skills").text)
    (address,) = re.findall(r'href="([^"]*/paper[^"]*)"', shown)
    sheets = lake.get(unescape(address)).text
    assert sheets.count('<article class="wsheet"') == 1
    assert "<h1>Miaqua</h1>" in sheets
    assert "Benquill" not in sheets
    assert sheets.count('<li class="task">') == 12
    assert sheets.count("task__n") == 6  # the numbers to draw, and none below the dots to count
    assert not INLINE.search(sheets)


def test_sheets_of_adding_never_show_the_missing_part(world: World, lake: Visitor) -> None:
    found = lake.get(room(world) + "/paper?strand=adding").text
    assert found.count('<article class="wsheet"') == 2
    for task in re.findall(r'<li class="task">.*?</li>', found):
        numbers = [int(n) for n in re.findall(r'task__n"[^>]*>(\d+)<', task)]
        assert len(numbers) == 2
        if "task__b" in task:
            assert task.count("<rect") - 1 == max(numbers)  # one place for each part of the whole
            assert task.count("task__d") == min(numbers)


def test_odd_sheets_are_answered_kindly(world: World, lake: Visitor) -> None:
    gone = lake.get(room(world) + "/paper?strand=adding&child=999999&child=x")
    assert gone.status_code == 200
    assert "no longer in the class" in gone.text
    theirs = lake.get(f"{room(world)}/paper?child={world.children['Adaquist']}").text
    assert "Adaquist" not in theirs
    assert lake.get(room(world) + "/paper?strand=recall").status_code == 404


# ---- on paper


def test_the_printed_page_of_a_class_says_who_when_and_that_it_is_confidential(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", on_days(6, 8))
    page = lake.get(room(world) + "/skills/print").text
    text = plain(page)
    assert text.index("Benquill") < text.index("Miaqua")  # by name, never by result
    assert str(clock.local(clock.now()).year) in text
    assert "Confidential." in text
    assert "18/24" in text
    assert "at an early stage for this age" in text
    assert not INLINE.search(page)


def test_a_class_without_children_has_pages_too(world: World, lake: Visitor) -> None:
    with world.app.app_context():
        empty = classes.make_class(world.adults["lake"], 1, "Empty")
    for page in ("", "/skills", "/skills/print", "/skills/sheets", "/paper"):
        assert lake.get(f"/teach/classes/{empty}{page}").status_code == 200
    assert "Nothing to show yet" in lake.get(f"/teach/classes/{empty}/skills").text
