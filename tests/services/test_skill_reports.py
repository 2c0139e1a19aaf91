"""The reports of a class and a child have the numbers of all evidence, from few small reads."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select, text

from classroom.database import db, write_unit
from classroom.learning.evidence import Evidence
from classroom.learning.report import lines
from classroom.models import Child, EvidenceRow
from classroom.services.base import clock
from classroom.services.base.errors import NotFound
from classroom.services.reports import skill_reports
from classroom.services.table import evidence_log
from tests.learning.rows import report, row, rows
from tests.playing import Classroom
from tests.services.test_evidence_log import mixture
from tests.statements import sent_to
from tests.world import World, count_all, play_out

DAY = 86_400.0


def keep(child_id: int, found: list[Evidence]) -> None:
    with write_unit():
        evidence_log.append(child_id, found)


def plain(right: int, n: int, **how: object) -> list[Evidence]:
    return rows(right, n, round_id=None, **how)


def another(room: Classroom, number: int) -> int:
    """Add one more child to the class, within a write unit. Returns its id."""
    child = Child(
        class_id=room.class_id, name=f"C{number}", animal="cat", pad=5 + number, created_at=0.0
    )
    db.session.add(child)
    db.session.flush()
    return child.id


@pytest.mark.walk(3)
@pytest.mark.parametrize("seed", range(3))
def test_the_report_from_kept_counts_equals_that_of_all_evidence(
    room: Classroom, mia: int, seed: int
) -> None:
    found = mixture(seed, 300)
    keep(mia, found)
    last = found[-1].day
    for later in (0, 10, 40):
        with clock.clock_at((last + later + 0.5) * DAY):
            kept = skill_reports.of_child(mia)
        made = report(found, last + later, "4-5")
        assert kept.levels == made.levels
        assert kept.growth == made.growth
        assert kept.estimates == made.estimates
        assert kept.recalled == made.recalled
        assert list(lines(kept)) == list(lines(made))


def test_a_class_page_shows_the_numbers_of_each_childs_page(
    room: Classroom, mia: int, ben: int
) -> None:
    keep(mia, mixture(1))
    keep(ben, mixture(2))
    day = mixture(1)[-1].day + 3
    with clock.clock_at((day + 0.5) * DAY):
        page = skill_reports.of_class(room.class_id)
        for child in page.children:
            own = skill_reports.of_child(child.child_id)
            assert child.signals == own.signals
            assert child.levels == {key: own.levels[key] for key in child.levels}
            assert {key for key, one in own.levels.items() if one.n} <= set(child.levels)
            assert child.estimates() == {key: own.estimates[key] for key in child.estimates()}
            met = {key for key, one in own.estimates.items() if one.last_day is not None}
            assert set(child.estimates()) == met <= set(page.skills)


def test_children_are_by_name_and_say_who_may_need_the_teacher(
    room: Classroom, mia: int, ben: int
) -> None:
    keep(ben, plain(20, 20))
    for day in range(4):
        keep(mia, plain(1, 8, day=day, number=3, difficulty=-2.0))
    with clock.clock_at(3.5 * DAY):
        page = skill_reports.of_class(room.class_id)
    assert [child.name for child in page.children] == ["Ben", "Mia"]
    (signal,) = page.children[1].signals
    assert (signal.trouble, signal.skill) == ("behind", "counting")
    assert (signal.facts["right"], signal.facts["n"]) == (4, 32)


def test_a_class_page_needs_no_more_queries_for_more_children_and_reads_no_counted_evidence(
    room: Classroom, mia: int
) -> None:
    def sent() -> list[str]:
        count_all()
        db.session.expire_all()
        with sent_to(db.engine, begins=True) as found:
            skill_reports.of_class(room.class_id)
        return found

    keep(mia, plain(3, 5))
    few = sent()
    with write_unit():
        for number in range(10):
            evidence_log.append(another(room, number), mixture(number, 50))
    many = sent()
    assert len(many) == len(few) <= 6
    looked = [text for text in many if "evidence" in text]
    assert len(looked) == 1
    assert "counted IS" in looked[0]


@pytest.mark.sqlite
def test_uncounted_evidence_is_found_through_its_index(room: Classroom, mia: int) -> None:
    with sent_to(db.engine, begins=True) as found:
        skill_reports.of_class(room.class_id)
    (looked,) = [one for one in found if "evidence" in one]
    plan = db.session.execute(text("EXPLAIN QUERY PLAN " + looked.replace("?", ":of")), {"of": 1})
    assert any("INDEX ix_evidence_not_counted" in row.detail for row in plan)


def test_missed_items_are_shown_at_the_table_where_they_were_missed(world: World) -> None:
    with world.app.app_context():
        child = world.children["Adaquist"]
        play_out(child)
        wrong = db.session.scalars(
            select(EvidenceRow).where(
                EvidenceRow.child_id == child,
                EvidenceRow.right.is_(False),
                EvidenceRow.aided.is_(False),
            )
        ).all()
        found = skill_reports.missed(child)
        assert [one.id for one in found] == sorted((one.id for one in wrong), reverse=True)
        for one in found:
            assert one.table.seq == (one.row.seq or 0) - 1
            assert one.table.my_turn
            assert one.round_over
        db.session.rollback()


def test_an_unfinished_round_is_not_shown_until_the_day_is_over(world: World) -> None:
    with world.app.app_context():
        child, round_id = world.children["Miaqua"], world.rounds["Miaqua"]
        item = {"kind": "certain", "known": [[1, "7", 2]], "asked": [1, "8"], "legal": 9}
        one = row("recall_ask", False, source="play", round_id=round_id, day=clock.day())
        with write_unit():
            evidence_log.append(child, [replace(one, item=item)])
        assert skill_reports.missed(child) == []
        with clock.clock_at(clock.now() + DAY):
            (found,) = skill_reports.missed(child)
        assert not found.round_over
        db.session.rollback()


def test_missed_items_come_a_page_at_a_time_and_by_skill(world: World) -> None:
    with world.app.app_context():
        child, round_id = world.children["Benquill"], world.rounds["Benquill"]
        old = set(db.session.scalars(select(EvidenceRow.id)))
        kept = [
            row("make_ten", right, round_id=round_id, practice=practice, answered=answered)
            for right, practice, answered in (
                *((False, False, True),) * (skill_reports.PAGE + 2),
                (True, False, True),
                (False, True, True),
                (False, False, False),
            )
        ]
        keep(child, kept)
        first = skill_reports.missed(child, ["make_ten"])
        assert len(first) == skill_reports.PAGE + 1
        rest = skill_reports.missed(child, ["make_ten"], first[skill_reports.PAGE - 1].id)
        assert len(rest) == 2
        assert not old & {one.id for one in (*first, *rest)}
        assert skill_reports.missed(child, ["make_five"]) == []
        db.session.rollback()


def test_every_answer_is_read_as_it_was_written(room: Classroom, mia: int, ben: int) -> None:
    keep(mia, mixture(3, 30))
    keep(ben, mixture(4, 20))
    assert [one for _, one in skill_reports.answers([mia])] == mixture(3, 30)
    assert [child for child, _ in skill_reports.answers([ben, mia])] == [ben] * 20 + [mia] * 30


def test_an_unknown_child_is_not_found(room: Classroom) -> None:
    for call in (skill_reports.of_class, skill_reports.of_child):
        with pytest.raises(NotFound):
            call(987_654)


def test_time_alone_makes_a_level_stale_and_never_lower(room: Classroom, mia: int) -> None:
    keep(mia, plain(20, 20))
    with clock.clock_at(1.5 * DAY):
        soon = skill_reports.of_child(mia)
    with clock.clock_at(60.5 * DAY):
        later = skill_reports.of_child(mia)
        (child,) = [c for c in skill_reports.of_class(room.class_id).children if c.child_id == mia]
    assert not soon.levels["counting"].stale
    assert later.levels["counting"] == replace(soon.levels["counting"], stale=True)
    assert child.levels["counting"] == later.levels["counting"]
    assert child.estimates()["how_many"].check_again


def test_the_levels_alone_are_those_of_the_report_in_few_queries(
    room: Classroom, mia: int, ben: int
) -> None:
    keep(mia, mixture(1))
    count_all()
    keep(mia, plain(3, 4, day=9_000))
    with clock.clock_at(9_000.5 * DAY):
        with sent_to(db.engine, begins=True) as sent:
            found = skill_reports.levels_of([mia, ben])
        whole = skill_reports.of_child(mia).levels
    assert found == {mia: {key: one for key, one in whole.items() if one.last_day}, ben: {}}
    assert len(sent) <= 5
