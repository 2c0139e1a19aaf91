"""One report for pages and CSV files."""

from __future__ import annotations

import csv
import io
from collections import Counter

from classroom.learning.estimates import estimate
from classroom.learning.report import COLUMNS, line, lines, missed, need, report, span_line
from classroom.learning.skills import SKILLS
from classroom.learning.tallies import tally
from tests.learning.rows import rows


def term():  # type: ignore[no-untyped-def]
    """Some weeks of evidence of one child."""
    found = rows(14, 18, skill="make_book", day=3)
    found += rows(5, 5, skill="make_book", day=3, hint_step=3)
    for day in range(4):
        found += rows(2, 8, skill="add_books", day=day, round_id=day, start=100)
        found += rows(6, 9, skill="what_asked", day=day, lag=4, round_id=day, start=200)
    return found


def test_rows_and_tallies_give_the_same_report() -> None:
    assert report(term(), 5) == report(tally(term()), 5)


def test_a_report_has_a_line_for_every_skill_in_its_area() -> None:
    found = report(term(), 5)
    areas = [
        one.skill
        for area in ("counting", "comparing", "adding", "sorting", "recall")
        for one in found.of(area)
    ]  # type: ignore[arg-type]
    assert sorted(areas) == sorted(SKILLS)
    assert found.estimates["make_book"] == estimate(term(), 5, "make_book")
    assert [week.alone.n for week in found.weeks["recall"]] == [36]
    assert [signal.skill for signal in found.signals] == ["add_books"]


def test_a_line_is_flat_and_says_no_more_than_the_evidence() -> None:
    found = report(term(), 5)
    good, none = line(found.estimates["make_book"]), line(found.estimates["make_ten"])
    assert (good["first_tries"], good["right"], good["with_help"]) == (18, 14, 5)
    assert (good["likely_from"], good["likely_to"]) == (0.548, 0.91)
    assert good["standards"] == "K.OA.A.2"
    assert (none["state"], none["share"], none["likely_from"]) == ("none", None, None)
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, fieldnames=list(good))
    writer.writeheader()
    writer.writerows(line(one) for one in found.estimates.values())
    assert len(sheet.getvalue().splitlines()) == 1 + len(SKILLS)


def test_a_span_is_a_line_too() -> None:
    found = report(term(), 5).recall
    told = span_line("questions", found.questions)
    assert (told["first_tries"], told["right"]) == (36, 24)
    assert told["span_asks"] is not None
    assert span_line("play", found.play)["span_asks"] is None


def test_the_table_holds_every_number_of_the_report_in_the_same_columns() -> None:
    found = report(term(), 5)
    table = list(lines(found))
    assert {tuple(one) for one in table} == {COLUMNS}
    parts = Counter(one["part"] for one in table)
    assert parts == {"skill": len(SKILLS), "span": 2, "recall": 15, "week": 2}
    (lag,) = [one for one in table if one["name"] == "questions, 3-5 asks back"]
    point = found.recall.points[1].questions
    assert (lag["first_tries"], lag["right"], lag["likely_from"]) == (36, 24, round(point.low, 3))
    (week,) = [one for one in table if one["part"] == "week" and one["skill"] == "recall"]
    assert (week["since_day"], week["right"]) == (found.weeks["recall"][0].first_day, 24)


def test_missed_items_are_the_first_unaided_ones_newest_first() -> None:
    found = missed(term(), "make_book")
    assert len(found) == 4
    assert [row.at for row in found] == sorted((row.at for row in found), reverse=True)
    assert not any(row.right or row.aided for row in missed(term()))
    assert missed(rows(0, 3, source="play", skill="recall_ask", lag=2)) == ()


def test_children_that_may_need_the_teacher_come_first() -> None:
    fine, stuck = (
        need(one.estimates.values(), one.signals)
        for one in (report(rows(20, 20), 0), report(term(), 5))
    )
    assert stuck > fine == (0, 0, 0)
