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
from classroom.learning.evidence import Evidence, from_answer
from classroom.learning.questions import make
from classroom.learning.report import COLUMNS
from classroom.learning.skills import ASKED, SKILLS, bounds_at
from classroom.models import Child, Player, Round
from classroom.services.base import clock
from classroom.services.reports import overview
from classroom.services.reports import skill_reports as figures
from classroom.services.reports.skill_reports import PAGE, missed
from classroom.services.school import classes
from classroom.services.table import evidence_log, rounds
from classroom.web.child.play_questions import QuestionPart
from classroom.web.http.pages import render
from classroom.web.reports import progress, progress_view
from classroom.web.reports.missed_view import missed_views
from classroom.web.reports.progress_view import HEADS, reason
from tests.learning.rows import rows
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


# ---- the line


def test_a_teacher_reads_one_trustworthy_line_for_each_skill(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", today(14, 18), today(5, 5, hint_step=3, start=100))
    text = plain(lake.get(child_of(world)).text)
    assert "14 of 18 right on the first try, no help (likely 55–91%)" in text
    line = text.split("14 of 18 right")[1].split("missed")[0]
    assert line.split("%)")[1].split() == ["5", "Today", "none", "yet", "1", "/", "1", "See", "4"]
    assert "K.OA.A.2" in text


def test_below_ten_there_is_no_share_and_below_twenty_no_colour(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    keep(world, "Miaqua", today(9, 9), today(18, 19, "how_many"), today(20, 20, "make_five"))
    for page in (lake.get(child_of(world)).text, reed.get(own(world) + "/progress").text):
        bands = re.findall(r'<svg class="rng rng--(\w+)"', page)
        assert sorted(bands) == ["grey", "ok"]
        assert "Not enough yet." in page
    table = lake.get(f"/teach/classes/{world.classes['sunfish']}/skills").text
    assert "not enough yet<small>9 of 9</small>" in table
    mine = re.findall(r"<tr>(?:(?!<tr>).)*?Miaqua</a></th>(.*?)</tr>", table, re.DOTALL)[0]
    assert mine.count("heat--ok") == mine.count("heat--grey") == 1


def test_two_choice_items_and_help_never_decide(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", today(30, 30, options=2), today(30, 30, hint_step=3, start=100))
    text = lake.get(child_of(world)).text
    assert "Not enough yet." in text
    assert "30 of 30 with two choices, not counted" in text
    assert "rng--ok" not in text


def test_a_parent_reads_it_in_plain_words(world: World, reed: Visitor) -> None:
    keep(world, "Miaqua", today(14, 18), today(5, 5, hint_step=3, start=100))
    page = reed.get(own(world) + "/progress").text
    text = plain(page)
    assert "14 of 18 right on the first try, without help." in text
    assert "The likely range is 55 to 91 out of 100." in text
    assert "5 more with help, not counted" in text
    assert "K.OA" not in text
    assert not INLINE.search(page)


def test_skills_not_yet_met_are_named_and_an_empty_page_says_so(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    text = plain(lake.get(child_of(world)).text)
    assert all(skill.name in text for skill in SKILLS.values())
    assert "Nothing to show yet" in reed.get(own(world) + "/progress").text
    table = lake.get(f"/teach/classes/{world.classes['perch']}/skills")
    assert table.status_code == 404


def test_old_evidence_is_marked_to_be_checked_and_has_no_colour(
    world: World, lake: Visitor
) -> None:
    keep(world, "Miaqua", rows(20, 20, skill="make_book", day=clock.day() - 60, round_id=None))
    page = lake.get(child_of(world)).text
    assert "Ask again" in page
    assert "rng--grey" in page


# ---- pictures


def test_remembering_is_drawn_and_described_with_its_ranges(world: World, lake: Visitor) -> None:
    asked = [
        one
        for at, lag in enumerate((1, 4, 8, 15))
        for one in today(14 - 3 * at, 15, "what_asked", lag=lag, start=100 * at)
    ]
    new = today(8, 12, "who_asked", trial="new", start=900)
    keep(world, "Miaqua", asked, new)
    page = lake.get(child_of(world)).text
    label = re.search(r'role="img" aria-label="(Share remembered[^"]*)"', page)
    assert label is not None
    assert "1–2 93% of 15" in label[1]
    text = plain(page)
    assert re.search(r"Remembers about \d+ asks back \(likely \d+ to \d+\)", text)
    assert "When no one had asked: Miaqua named a player anyway 4 of 12 times" in text
    assert "In play: not enough yet" in text
    assert page.count('class="ch__m is-q"') == 4
    # remembering in its one week; the other chart has no mark for play
    assert page.count('class="ch__m is-p"') == 1


def test_a_chart_without_data_is_a_table(world: World, lake: Visitor) -> None:
    keep(world, "Miaqua", today(3, 5, "what_asked", lag=2))
    page = lake.get(child_of(world)).text
    assert "chart--plot" not in page
    assert "3 of 5 (not enough yet)" in page


# ---- reasons


def test_each_reason_is_one_line_with_its_numbers(world: World, lake: Visitor) -> None:
    for back in range(4):
        keep(world, "Miaqua", today(2, 8, day=clock.day() - 3 + back, start=100 * back))
    table = plain(lake.get(f"/teach/classes/{world.classes['sunfish']}/skills").text)
    assert "8 of 32 right on 4 days and not getting better (4 of 16, then 4 of 16)" in table
    assert table.index("Miaqua") < table.index("Benquill")
    assert "8 of 32 right" in plain(lake.get(child_of(world)).text)


def test_every_trouble_has_its_line() -> None:
    from classroom.learning.alerts import Signal

    facts = {"n": 11, "fast": 8, "right": 2, "usual_ms": 640, "helped": 7}
    facts |= {"day": 20_000, "still": 4, "seconds": 31, "played_for": 1}
    for trouble in ("leaning", "guessing", "idle"):
        skill = "make_book" if trouble == "leaning" else None
        assert reason(Signal(trouble, skill, facts)).endswith(".")  # type: ignore[arg-type]
    assert "within 0.6 s" in reason(Signal("guessing", None, facts))


def test_every_skill_has_a_short_name_for_its_column() -> None:
    assert list(HEADS) == list(SKILLS)
    assert {area for area, _ in progress_view.AREAS} == {one.area for one in SKILLS.values()}


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
    assert (line["likely_from"], line["likely_to"]) == ("0.548", "0.91")
    assert line["last_day"] == clock.local(clock.now()).date().isoformat()
    assert (line["state"], line["check_again"]) == ("not_enough", "0")
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
        classes.remove_child(world.children["Miaqua"])
        return page

    monkeypatch.setattr(figures, "of_class", and_removed)
    answer = lake.get(f"/teach/classes/{world.classes['sunfish']}/skills.csv")
    assert answer.status_code == 200
    assert {one["child"] for one in sheet(answer.text)} == {"Benquill"}


@pytest.mark.parametrize("file", ["skills.csv", "answers.csv", "record.json"])
def test_files_about_a_child_removed_meanwhile_are_complete(
    world: World, lake: Visitor, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    read = overview.name_of

    def and_removed(child_id: int) -> str:
        name = read(child_id)
        classes.remove_child(child_id)
        return name

    monkeypatch.setattr(overview, "name_of", and_removed)
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
    """Ask every kind of question that the round allows at some move, and miss them all. Returns
    how many."""
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
        assert not re.search(r"<(?:button|form|input)", page.split("<main")[1])
        older = re.search(r'class="older"><a class="lnk" href="([^"]+)"', page)
        path = unescape(older[1]) if older else None
    assert questions == answers == number


def test_a_missed_question_is_drawn_by_the_childs_own_panel(world: World, lake: Visitor) -> None:
    missed_questions(world, "Miaqua")
    page = lake.get(child_of(world) + "/missed").text
    with world.app.app_context():
        found = missed(world.children["Miaqua"])[:PAGE]
        views = [one.question for one in missed_views(found, None) if one.question]
        db.session.rollback()
    assert len(views) >= 10
    with world.app.test_request_context():
        g.token = g.device = ""
        for view in views:
            panel = render(QuestionPart(q=view, key="k"))
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
