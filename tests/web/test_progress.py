"""Pages and tables of progress: the same numbers everywhere, and no more than the evidence
shows."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from random import Random

import pytest
from flask import g
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.learning.drafts import hardness
from classroom.learning.evidence import Evidence, from_answer
from classroom.learning.questions import make
from classroom.learning.report import COLUMNS, at_home
from classroom.learning.skills import ASKED, SKILLS, bounds_at
from classroom.models import Child, Player, Round
from classroom.services.base import clock
from classroom.services.base.names import ShownChild
from classroom.services.reports import overview, skill_reports as figures
from classroom.services.reports.skill_reports import PAGE, missed
from classroom.services.school import removals
from classroom.services.table import evidence_log, rounds
from classroom.web.http.pages import render
from classroom.web.reports import progress
from classroom.web.reports.charts import ten_frame
from classroom.web.reports.progress import missed_view
from classroom.web.words.advice_words import family_sentences
from classroom.web.words.filters import short_date
from tests.learning.rows import rows
from tests.playing import family_chooses
from tests.web.test_teach import INLINE, actions
from tests.world import Visitor, World, play_out

DAY = 86_400.0


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


@pytest.fixture
def reed(world: World) -> Visitor:
    return world.visitor("reed")


def keep(world: World, name: str, *found: list[Evidence]) -> None:
    with world.app.app_context(), write_unit():
        for some in found:
            evidence_log.append(world.children[name], some)


def today(right: int, n: int, skill: str = "make_book", **how: object) -> list[Evidence]:
    with_day = {"day": clock.day(), "round_id": None, **how}
    return rows(right, n, skill=skill, **with_day)


def plain(page: str) -> str:
    """The words of a page."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


def sheet(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def child_of(world: World, name: str = "Miaqua") -> str:
    return f"/teach/children/{world.children[name]}"


def own(world: World) -> str:
    return f"/family/children/{world.children['Miaqua']}"


# ---- strands


def counted(right: int, n: int, number: int, **how: object) -> list[Evidence]:
    """First answers about sets of this size, as hard as counting a hand."""
    return today(
        right, n, "how_many", number=number, difficulty=hardness("count_hand", number), **how
    )


def strand(page: str, name: str) -> str:
    """What the page of a child says about a strand."""
    return plain(page.split(f"<h3>{name}</h3>")[1].split("</article>")[0])


def skills(page: str, name: str) -> str:
    """The rows of a strand's skills, for its teacher."""
    return plain(page.split(f"<h3>{name}</h3>")[-1].split("</table>")[0])


def strips(page: str) -> int:
    """How many levels are drawn."""
    return len(re.findall(r'<svg class="st st--\w+ st--\d"', page))


def test_a_teacher_reads_the_level_its_range_and_the_evidence(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", counted(12, 12, 4), counted(7, 10, 8, start=50))
    page = lake.get(child_of(world)).text
    with world.app.app_context():
        level = figures.of_child(world.children["Miaqua"]).levels["counting"]
        db.session.rollback()
    text = strand(page, "Counting how many")
    assert level.about >= 5
    low, high = level.between
    assert f"Counts up to about {level.about} (somewhere between {low} and {high})." in text
    assert "1–5: 12 of 12" in text
    assert "6–10: 7 of 10" in text
    assert strips(page) == 1
    assert not INLINE.search(page)


def test_strands_of_which_it_is_too_early_to_say_anything_share_one_line(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", counted(12, 12, 4), today(1, 2, "sorting"))
    page = lake.get(child_of(world)).text
    (line,) = re.findall(r'<p class="sub early">(.*?)</p>', page)
    assert line.startswith("Too early to say: Comparing (0 answers), Adding and taking away")
    assert "Sorting (2 answers)" in line
    assert "Counting" not in line
    assert strips(page) == 1


def test_answers_that_say_nothing_yet_are_no_strip(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", today(1, 1, "sorting", practice=True))
    page = lake.get(child_of(world)).text
    assert page.count("Too early to say") == 1
    assert strips(page) == 0


def test_answers_that_luck_may_explain_have_a_range_and_no_level(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", counted(4, 8, 9))
    page = lake.get(child_of(world)).text
    assert "Too early to say: Counting how many (8 answers)" in page
    assert "4 of 8" in skills(page, "Counting how many")
    assert "just begun" not in plain(page.split('id="strands"')[1].split("</section>")[0])
    assert strips(page) == 0


def test_skills_are_rows_below_their_strand_with_all_that_does_not_count(
    world: World, lake: Visitor
) -> None:
    aside = {"hint_step": 3, "start": 100}, {"options": 2, "start": 200}, {"practice": True}
    keep(world, "Miaqua", today(14, 18), *(today(4, 5, **how) for how in aside))
    keep(world, "Miaqua", today(0, 2, answered=False, start=300))
    text = skills(lake.get(child_of(world)).text, "Adding and taking away")
    row = text.split("How many more to make the book?")[1]
    assert row.startswith(
        " K.OA.A.2 14 of 18 4 of 5 with two choices 5 2 5 – Today See the 5 missed"
    )
    assert "%" not in text


def test_a_first_try_after_a_break_is_counted_apart(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", today(5, 5, day=clock.day() - 3), today(3, 3))
    text = skills(lake.get(child_of(world)).text, "Adding and taking away")
    assert re.search(r"First try after a break .* 8 of 8 – – – 1 of 1 Today", text)


def test_growth_is_told_apart_from_the_level_once_there_are_enough_answers(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", counted(20, 40, 8, day=clock.day() - 60))
    assert (
        "grow" not in lake.get(child_of(world)).text.split('id="strands"')[1].split("</article>")[0]
    )
    keep(world, "Miaqua", counted(39, 40, 18, start=100))
    text = strand(lake.get(child_of(world)).text, "Counting how many")
    found = re.search(
        r"Up by about [\d½]+ levels? since .* \(likely ([\d½]+) to ([\d½]+)\)\.", text
    )
    assert found
    low, high = (float(one.replace("½", ".5")) for one in found.groups())
    assert low < high


def test_a_level_without_new_answers_turns_grey_and_no_lower(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", rows(20, 20, skill="how_many", day=clock.day() - 60, round_id=None))
    page = lake.get(child_of(world)).text
    text = strand(page, "Counting how many")
    assert "Ask again" in text
    assert "st--grey st--3" in page
    assert "Counts up to" in text


def test_what_was_not_tried_is_named_and_the_page_of_a_new_child_is_kind(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    text = plain(lake.get(child_of(world)).text)
    assert all(skill.name in text for skill in SKILLS.values())
    text = plain(reed.get(own(world) + "/progress").text)
    assert "Miaqua has just begun" in text


# ---- remembering


def facts(right: int, n: int, lag: int, start: int) -> list[Evidence]:
    return today(right, n, "recall_ask", source="play", kind="certain", lag=lag, start=start)


def test_play_shows_what_was_taken_at_the_first_chance_and_how_far_back(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    keep(world, "Miaqua", facts(5, 6, 2, 0), facts(3, 7, 8, 100), facts(0, 9, 20, 200))
    for page in (lake.get(child_of(world)).text, reed.get(own(world) + "/progress").text):
        text = strand(page, "Remembering")
        assert "Facts that the child remembered in play at the first opportunity:" in text
        assert "5 of 6 within five asks" in text
        assert "3 of 16 later" in text
        assert "Remembers who asked for what, up to about" in text
        assert 'id="look"' not in page


def test_an_open_board_means_that_nothing_is_asked_about_memory(
    world: World, lake: Visitor
) -> None:
    words = "there are no memory questions"
    for board, said in (("open", True), ("off", False)):
        with world.app.app_context():
            family_chooses(
                world.adults["reed"], world.children["Miaqua"],
                opponents=2, level="minnow", deck="small", board=board, hints=True,
                minutes_a_day=None,
            )  # fmt: skip
        assert (words in lake.get(child_of(world)).text) == said


# ---- reasons


def test_each_reason_is_one_line_with_its_numbers(world: World, lake: Visitor) -> None:
    for back in range(4):
        keep(world, "Miaqua", counted(1, 8, 3, day=clock.day() - 3 + back, start=100 * back))
    page = lake.get(child_of(world)).text
    said = plain(page.split('id="look"')[1].split("</section>")[0])
    days = " and ".join(map(short_date, (clock.day() - 1, clock.day())))
    assert (
        "below the level we expect at ages 4–5 (which is 2, with half of the answers right), "
        f"judged on {days}." in said
    )
    assert "4 of 32 recent answers were right" in said


# ---- a family


def test_a_parent_reads_three_sentences_first_and_no_percentage(
    world: World, reed: Visitor
) -> None:
    keep(world, "Miaqua", counted(30, 30, 9), counted(2, 10, 20, start=50))
    page = reed.get(own(world) + "/progress").text
    with world.app.app_context():
        told = family_sentences("Miaqua", figures.of_child(world.children["Miaqua"]).levels)
        db.session.rollback()
    first = plain(page.split('<section class="panel first"')[1].split("</section>")[0])
    assert " ".join(told) in first
    assert told[0].startswith("Miaqua counts up to about ")
    assert page.count("ten--sure") > page.count("ten--next") - 1 == 3  # one of them in the key
    before, after = page.split("<details", 1)
    assert "What the answers show" not in before
    assert "What the answers show" in after
    text = plain(page.split("<main")[1])
    assert "%" not in text
    assert "K.CC" not in text
    assert "better" not in text.split("What this means")[0]
    assert " ".join(told) in plain(reed.get("/family/").text)
    assert not INLINE.search(page)


def test_a_reader_of_older_rounds_finds_them_unfolded(world: World, reed: Visitor) -> None:
    assert '<details class="tool more" open>' in reed.get(own(world) + "/progress?before=9").text
    assert '<details class="tool more" open>' not in reed.get(own(world) + "/progress").text


def test_the_ten_frame_says_what_the_three_sentences_say(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", counted(12, 12, 4), counted(7, 10, 8, start=50))
    page = lake.get(child_of(world)).text
    with world.app.app_context():
        levels = figures.of_child(world.children["Miaqua"]).levels
        frame, told = ten_frame(levels), at_home(levels)
        db.session.rollback()
    assert frame is not None
    looks = [look for _, _, look in frame.places]
    assert looks.count("sure") == levels["counting"].between[0]
    assert looks.count("sure") + looks.count("some") == levels["counting"].about
    assert looks.index("next") + 1 == told.next.first
    assert looks.count("next") == told.next.last - told.next.first + 1
    assert len(looks) == (10 if told.next.last <= 10 else 20)
    assert page.count('class="ten__b"') == len(looks)
    assert "What Miaqua’s family reads:" in page


def test_a_child_of_whom_nothing_is_known_has_no_ten_frame(world: World, reed: Visitor) -> None:
    assert "ten__b" not in reed.get(own(world) + "/progress").text


def test_a_family_gets_one_missed_question_to_do_together(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    keep(world, "Miaqua", counted(12, 12, 4), counted(7, 10, 8, start=50))
    missed_questions(world, "Miaqua")
    pages = reed.get(own(world) + "/progress").text, lake.get(child_of(world)).text
    assert [page.count('<li class="item">') for page in pages] == [1, 3]
    assert all("/missed" in page for page in pages)
    end = plain(pages[0].split("</details>")[-1])
    assert "Stop analysing Miaqua’s answers" in end
    assert "Whole record (JSON)" in end


def test_the_sheets_of_a_class_are_a_page_for_each_child(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", counted(12, 12, 4))
    address = f"/teach/classes/{world.classes['sunfish']}/skills/sheets"
    assert address in lake.get(f"/teach/classes/{world.classes['sunfish']}/skills").text
    page = lake.get(address).text
    assert re.findall(r"<h1>(\w+)</h1>", page) == ["Benquill", "Miaqua"]
    assert page.count('<div class="csheet"') == 2
    assert page.count("data-print") == 1
    assert "Counts up to about" in page.split("<h1>Miaqua</h1>")[1]
    assert not INLINE.search(page)


# ---- one page to print


def test_one_page_tells_a_parents_evening_what_is_known(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    keep(world, "Miaqua", counted(12, 12, 4), counted(7, 10, 8, start=50))
    before = len(actions(world))
    pages = [lake.get(child_of(world) + "/sheet").text, reed.get(own(world) + "/sheet").text]
    assert [line[1:] for line in actions(world)[before:]] == [
        ("read", "child", world.children["Miaqua"])
    ] * 2
    for page in pages:
        text = plain(page)
        assert "6–10: 7 of 10" in text
        assert "At home:" in text
        assert "What it does not mean." in text
        assert page.count('<article class="strand') == 1
        assert text.count("Too early to say") == 1
        assert strips(page) == 1
        assert "%" not in text.split("Miaqua", 1)[1]
        assert not INLINE.search(page)
    assert f'href="{child_of(world)}"' in pages[0]
    assert f'href="{own(world)}/progress"' in pages[1]


# ---- items


def test_a_missed_ask_is_shown_with_the_player_who_had_it(world: World, lake: Visitor) -> None:
    with world.app.app_context():
        for name in ("Miaqua", "Benquill"):
            if name == "Miaqua":
                play_out(world.children[name])
        db.session.rollback()
    page = lake.get(child_of(world) + "/missed")
    assert page.status_code == 200
    shown = page.text.count('class="panel item"')
    assert shown or "Nothing here" in page.text
    assert page.text.count("See it in the round") == shown
    by_skill = lake.get(child_of(world) + "/missed?skill=recall_ask&before=999999").text
    assert by_skill.count('class="panel item"') == shown
    assert "Nothing here" in lake.get(child_of(world) + "/missed?skill=make_five").text
    assert lake.get(child_of(world) + "/missed?skill=%22&before=x").status_code == 200


# ---- tables


def test_the_table_has_the_numbers_of_the_page(world: World, lake: Visitor, reed: Visitor) -> None:
    keep(world, "Miaqua", today(14, 18), today(5, 5, hint_step=3, start=100))
    answer = lake.get(child_of(world) + "/skills.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Miaqua-skills.csv"'
    table = sheet(answer.text)
    assert tuple(table[0]) == ("child_id", "child", *COLUMNS)
    (line,) = [one for one in table if one["skill"] == "make_book"]
    assert (line["first_tries"], line["right"], line["with_help"]) == ("18", "14", "5")
    assert line["last_day"] == clock.local(clock.now()).date().isoformat()
    assert (line["first_tries"], line["right"], line["check_again"]) == ("18", "14", "0")
    (level,) = [o for o in table if o["part"] == "level" and o["strand"] == "adding"]
    assert (level["first_tries"], level["right"]) == ("18", "14")
    assert level["as_of_day"] == level["last_day"]
    assert level["age_band"] == "4-5"
    assert sheet(reed.get(own(world) + "/skills.csv").text) == table
    room = f"/teach/classes/{world.classes['sunfish']}"
    whole = sheet(lake.get(room + "/skills.csv").text)
    assert [one for one in whole if one["child"] == "Miaqua"] == table
    assert {one["child"] for one in whole} == {"Miaqua", "Benquill"}


def test_a_child_removed_meanwhile_is_left_out_of_the_classs_table(
    world: World, lake: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(world, "Miaqua", today(14, 18))
    keep(world, "Benquill", today(14, 18))
    read = figures.of_class

    def and_removed(class_id: int) -> figures.ClassSkills:
        page = read(class_id)
        removals.remove_child(world.children["Miaqua"])
        return page

    monkeypatch.setattr(figures, "of_class", and_removed)
    answer = lake.get(f"/teach/classes/{world.classes['sunfish']}/skills.csv")
    assert answer.status_code == 200
    assert {one["child"] for one in sheet(answer.text)} == {"Benquill"}


@pytest.mark.parametrize("file", ["skills.csv", "answers.csv", "record.json"])
def test_files_about_a_child_removed_meanwhile_are_complete(
    world: World, lake: Visitor, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    read = overview.shown_child

    def and_removed(child_id: int) -> ShownChild:
        page = read(child_id)
        removals.remove_child(child_id)
        return page

    monkeypatch.setattr(overview, "shown_child", and_removed)
    answer = lake.get(f"{child_of(world)}/{file}")
    assert answer.status_code == (200 if file == "answers.csv" else 404)


def test_every_answer_is_in_the_other_table(world: World, lake: Visitor, reed: Visitor) -> None:
    keep(world, "Miaqua", today(1, 2, lag=4, latency_ms=2100))
    table = sheet(lake.get(child_of(world) + "/answers.csv").text)
    assert tuple(table[0]) == progress.ANSWERS
    first, second = table[-2:]
    assert (first["right"], second["right"]) == ("1", "0")
    assert (first["first_answer"], second["right_answer"]) == ("1", "1")
    assert json.loads(first["options"]) == [1, 2, 3, 4]
    assert json.loads(first["item"])["kind"] == first["kind"] == "count_hand"
    assert (first["how"], first["lag_asks"], first["latency_ms"]) == ("alone", "4", "2100")
    assert sheet(reed.get(own(world) + "/answers.csv").text) == table
    room = f"/teach/classes/{world.classes['sunfish']}"
    assert {one["child"] for one in sheet(lake.get(room + "/answers.csv").text)} >= {"Miaqua"}


@pytest.mark.parametrize("name", ["=1+1", "+49", "-2", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(world: World, lake: Visitor, name: str) -> None:
    with world.app.app_context(), write_unit():
        db.session.get_one(Child, world.children["Miaqua"]).name = name
    keep(world, "Miaqua", today(1, 1))
    for path in ("/skills.csv", "/answers.csv"):
        answer = lake.get(child_of(world) + path)
        cells = {one["child"] for one in sheet(answer.text)}
        assert cells == {"'" + name}
        assert re.fullmatch(r'attachment; filename="[\w-]+\.csv"', answer.headers[DISPOSITION])


DISPOSITION = "Content-Disposition"


def test_downloading_a_table_is_on_record(world: World, lake: Visitor, reed: Visitor) -> None:
    mia, room = world.children["Miaqua"], world.classes["sunfish"]
    before = len(actions(world))
    for visitor, path in (
        (lake, child_of(world) + "/skills.csv"),
        (lake, child_of(world) + "/missed"),
        (lake, f"/teach/classes/{room}/answers.csv"),
        (reed, own(world) + "/answers.csv"),
        (reed, own(world) + "/progress"),
    ):
        visitor.get(path)
    lake_id, reed_id = world.adults["lake"], world.adults["reed"]
    assert actions(world)[before:] == [
        (lake_id, "export", "child", mia),
        (lake_id, "read", "child", mia),
        (lake_id, "export", "class", room),
        (reed_id, "export", "child", mia),
        (reed_id, "read", "child", mia),
    ]


def test_a_long_table_is_sent_in_pieces_and_complete(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", today(300, 500))
    assert len(sheet(lake.get(child_of(world) + "/answers.csv").text)) >= 500


def test_a_parent_and_a_teacher_can_download_the_whole_record(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    keep(world, "Miaqua", today(14, 18))
    before = len(actions(world))
    answers = [reed.get(own(world) + "/record.json"), lake.get(child_of(world) + "/record.json")]
    mia = world.children["Miaqua"]
    assert [line[1:] for line in actions(world)[before:]] == [("export", "child", mia)] * 2
    for answer in answers:
        assert answer.headers[DISPOSITION] == 'attachment; filename="Miaqua-record.json"'
        assert answer.headers["Cache-Control"] == "no-store"
        found = answer.get_json()
        assert (found["child"], len(found["tables"]["evidence"])) == ("Miaqua", 18)
        assert {key: set(lines) for key, lines in found["columns"].items()} == {
            key: set(rows[0]) if rows else set(found["columns"][key])
            for key, rows in found["tables"].items()
        }
        assert found["ratings"] == []
        line = next(row for row in found["numbers"] if row["skill"] == "make_book")
        assert (line["right"], line["first_tries"]) == (14, 18)
    links = [answer.get_json()["tables"]["family_links"] for answer in answers]
    assert [[link["adult_id"] for link in found] for found in links] == [
        ["you"],
        ["Reedqadult, parent"],
    ]
    for path, visitor in ((own(world) + "/progress", reed), (child_of(world), lake)):
        assert "/record.json" in visitor.get(path).text


# ---- questions that were missed


def missed_questions(world: World, name: str) -> int:
    """Record a wrong answer to each kind of question that the round allows at some move. Returns
    their number."""
    child_id, round_id = world.children[name], world.rounds[name]
    with world.app.app_context():
        play_out(child_id)
        seat = rounds.seat_of(round_id, child_id)
        assert seat is not None
        found = []
        for seq in range(rounds.seq(round_id)):
            table = rounds.then(round_id, seat, seq)
            for skill in ASKED:
                made = make(table.observation, skill, Random(seq), bounds_at("7-9"))
                if made is not None and made.kind not in {one.kind for one in found}:
                    found.append(made)
        wrong = [
            from_answer(one, [(one.right + 1) % len(one.options)], at=1.0, day=1, round_id=round_id)
            for one in found
        ]
        with write_unit():
            evidence_log.append(child_id, wrong)
        db.session.rollback()
    return len(wrong)


def test_a_missed_question_is_shown_as_it_was_asked(world: World, lake: Visitor) -> None:
    number = missed_questions(world, "Miaqua")
    assert number >= 12
    path: str | None = child_of(world) + "/missed"
    questions = answers = 0
    while path:
        page = lake.get(path).text
        assert not INLINE.search(page)
        panels = page.split('<div class="q q--past')[1:]
        questions += len(panels)
        answers += page.count("is-tapped")
        assert all(panel.count("is-right") == 1 for panel in panels)
        assert not re.search(r"<(?:button|form|input)", page.split("<main")[1].split("</main")[0])
        older = re.search(r'class="older"><a class="lnk" href="([^"]+)"', page)
        path = unescape(older[1]) if older else None
    assert questions == answers == number


def test_a_missed_question_is_drawn_by_the_childs_own_panel(world: World, lake: Visitor) -> None:
    missed_questions(world, "Miaqua")
    page = lake.get(child_of(world) + "/missed").text
    with world.app.app_context():
        found = missed(world.children["Miaqua"])[:PAGE]
        views = [one.question for one in (missed_view(row, None) for row in found) if one.question]
        db.session.rollback()
    assert len(views) >= 10
    with world.app.test_request_context():
        g.token = g.device = ""
        for view in views:
            panel = render("partials/child/question.html", q=view, key="k")
            (about,) = re.findall(r'<div class="q__look">.*?</div>', panel, re.DOTALL)
            (said,) = re.findall(r'<p class="q__say"[^>]*>(.*?)</p>', panel)
            assert about in page
            assert f'<p class="q__say">{said.strip()}</p>' in page
            for option in re.findall(r'class="pick .*?>(.*?)\n</button>', panel, re.DOTALL):
                assert option in page


def test_a_parent_sees_no_classmates_name_in_a_question(world: World, reed: Visitor) -> None:
    missed_questions(world, "Miaqua")
    with world.app.app_context(), write_unit():
        match_id = db.session.get_one(Round, world.rounds["Miaqua"]).match_id
        seats = select(Player).where(Player.match_id == match_id, Player.level.is_not(None))
        seat = db.session.scalars(seats).first()
        assert seat is not None
        seat.level, seat.child_id, seat.name = None, world.children["Benquill"], "Benquill"
    page = reed.get(own(world) + "/missed?skill=what_asked").text
    page += reed.get(own(world) + "/missed?skill=who_asked").text
    page += reed.get(own(world) + "/missed?skill=who_has_more").text
    assert "a classmate" in page
    assert "Benquill" not in page
    with world.app.test_request_context():  # what a family is shown to look at together
        (item,) = progress.newest(world.children["Miaqua"], "counting")
        assert "Benquill" not in {who.name for who in item.it.table.players}
