"""Pages and CSV files are made from one report."""

from __future__ import annotations

import csv
import io
from collections import Counter

from classroom.learning.estimates import estimate
from classroom.learning.report import COLUMNS, line, lines, of_stored
from classroom.learning.skills import SKILLS, STRANDS
from tests.learning.rows import report, rows, track, window


def term():  # type: ignore[no-untyped-def]
    """Some weeks of evidence of one child."""
    found = rows(14, 18, skill="make_book", day=3)
    found += rows(5, 5, skill="make_book", day=3, hint_step=3)
    for day in range(4):
        found += rows(2, 8, skill="add_books", day=day, round_id=day, start=100)
        found += rows(6, 9, skill="what_asked", day=day, lag=4, round_id=day, start=200)
    found += rows(6, 6, skill="recall_ask", source="play", day=3, lag=2, round_id=3, start=300)
    return found


def test_what_is_stored_gives_the_report_of_all_rows() -> None:
    found = term()
    windows = [window(found, key) for key in SKILLS]
    tracks = [track(found, strand) for strand in STRANDS]
    assert of_stored(tracks, windows, 5, "5-6") == report(found, 5, "5-6")


def test_a_report_has_a_level_for_each_strand_and_a_line_for_each_skill() -> None:
    found = report(term(), 5, "5-6")
    assert tuple(found.levels) == STRANDS
    assert sorted(one.skill for strand in STRANDS for one in found.of(strand)) == sorted(SKILLS)
    assert found.estimates["make_book"] == estimate(window(term(), "make_book"), 5)


def test_a_line_is_flat_and_says_no_more_than_the_evidence() -> None:
    found = report(term(), 5, "5-6")
    good, none = line(found.estimates["make_book"]), line(found.estimates["make_ten"])
    assert (good["first_tries"], good["right"], good["with_help"]) == (18, 14, 5)
    assert none["first_tries"] == 0
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, fieldnames=list(good))
    writer.writeheader()
    writer.writerows(line(one) for one in found.estimates.values())
    assert len(sheet.getvalue().splitlines()) == 1 + len(SKILLS)


def test_the_table_holds_every_number_of_the_report_in_the_same_columns() -> None:
    found = report(term(), 5, "5-6")
    table = list(lines(found))
    assert {tuple(one) for one in table} == {COLUMNS}
    parts = Counter(one["part"] for one in table)
    assert parts == {"level": 5, "range": 2, "skill": len(SKILLS), "recall": 7}
    (level,) = [o for o in table if o["part"] == "level" and o["strand"] == "adding"]
    adding = found.levels["adding"]
    assert (level["first_tries"], level["right"], level["ever"]) == (50, 22, 50)
    assert (level["level"], level["about"]) == (round(adding.middle, 3), adding.about)
    (play,) = [one for one in table if one["name"] == "play: within five asks"]
    assert (play["first_tries"], play["right"]) == (6, 6)
    (recall,) = [o for o in table if o["part"] == "level" and o["strand"] == "recall"]
    assert (recall["ever"], recall["about"]) == (42, found.levels["recall"].about)
