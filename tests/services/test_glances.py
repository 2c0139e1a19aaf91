"""What is kept in memory is what all answers show, and goes with its children."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from classroom.database import db, write_unit
from classroom.learning.estimates import Window
from classroom.models import Child, EvidenceRow, SchoolClass
from classroom.services.base import clock
from classroom.services.reports import skill_reports
from classroom.services.reports.skill_reports import ChildSkills
from classroom.services.school import child_moves, objections, removals
from classroom.services.table import evidence_log
from classroom.services.table.choices import in_class_numbers
from tests.conftest import Rooms, finish, make_app
from tests.learning.rows import report, rows
from tests.playing import Classroom
from tests.services.test_evidence_log import mixture
from tests.services.test_skill_reports import another
from tests.world import count_all

DAY = 86_400.0
LAST = max(mixture(seed)[-1].day for seed in (1, 2, 3)) + 1
Shown = dict[int, tuple[object, ...]]


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory, rooms: Rooms) -> tuple[Classroom, int]:
    """A class in which Mia, Ben and one more child, whose id is given too, have shown something."""
    room = rooms.copy(tmp_path_factory.mktemp("counted"))
    with room.app.app_context():
        with write_unit():
            child_id = another(room, 3)
            given = [(i, row) for i in (*room.children.values(), child_id) for row in mixture(i)]
            for one, row in sorted(given, key=lambda pair: pair[1].at):
                evidence_log.append(one, [row])
        count_all()
        db.session.rollback()
    finish(room.app)
    return room, child_id


@pytest.fixture
def room(tmp_path: Path, counted: tuple[Classroom, int]) -> Iterator[Classroom]:
    made = counted[0]
    app = make_app(tmp_path / "room", Path(made.app.instance_path))
    with app.app_context():
        yield replace(made, app=app)
        db.session.rollback()
    finish(app)


@pytest.fixture
def third(counted: tuple[Classroom, int]) -> int:
    return counted[1]


def kept_by(glances: skill_reports.Glances) -> int:
    """How many results are kept."""
    return glances._seen.cache_info().currsize + glances._helped.cache_info().currsize


def look(room: Classroom, day: int = LAST) -> Shown:
    """What the page of the class shows of each child on a day."""
    with clock.clock_at((day + 0.5) * DAY):
        page = skill_reports.of_class(room.class_id)
        return {child.child_id: shown(child) for child in page.children}


def shown(child: ChildSkills) -> tuple[object, ...]:
    return child.levels, child.estimates(), child.signals, child.restricted


def from_all_answers(room: Classroom, day: int = LAST) -> Shown:
    """The same, worked out from every answer of each child, with nothing that is kept or stored."""
    skill_reports.forget()
    found = look(room, day)
    for child_id, (levels, estimates, signals, restricted) in found.items():
        child = db.session.get_one(Child, child_id)
        mine = (EvidenceRow.child_id == child_id, in_class_numbers(EvidenceRow))
        made = report([one for _, one in evidence_log.rows_of(*mine)], day, child.age_band)
        if not restricted:
            assert levels == {key: made.levels[key] for key in levels}  # type: ignore[attr-defined]
            met = {key: one for key, one in made.estimates.items() if one.last_day is not None}
            assert estimates == met
            assert [one for one in signals if one.trouble != "guessing"] == [*made.signals]  # type: ignore[attr-defined]
    return found


def show_more(child_id: int, number: int, *, at_home: bool = False) -> None:
    with write_unit():
        new = rows(number, 2 * number, round_id=None, day=LAST, number=5)
        evidence_log.append(child_id, new, at_home=at_home)


def count_home(room: Classroom) -> None:
    """Let play at home count from now on."""
    with write_unit():
        chosen = update(SchoolClass).where(SchoolClass.id == room.class_id)
        db.session.execute(chosen.values(home_counts=True))
        evidence_log.count_later(db.select(Child.id).where(Child.class_id == room.class_id))
    evidence_log.count_waiting()


def grow_older(child_id: int) -> None:
    with write_unit():
        db.session.execute(update(Child).where(Child.id == child_id).values(age_band="7-9"))


CHANGES: dict[str, Callable[[Classroom, int, int], Any]] = {
    "new answers": lambda room, mia, ben: show_more(mia, 2),
    "many new answers, counted": lambda room, mia, ben: (show_more(mia, 9), count_all()),
    "an age band": lambda room, mia, ben: grow_older(mia),
    "home counts": lambda room, mia, ben: (show_more(mia, 9, at_home=True), count_home(room)),
    "a merge": lambda room, mia, ben: child_moves.merge(mia, ben),
    "an objection": lambda room, mia, ben: objections.begin(mia, "school", "unneeded"),
    "erased answers": lambda room, mia, ben: (
        objections.begin(mia, "school", "unneeded"),
        objections.erase(mia),
        objections.end(mia, "school", by_family=False),
    ),
    "a child is removed": lambda room, mia, ben: removals.remove_child(mia),
}


@pytest.mark.walk(4)
@pytest.mark.parametrize("change", CHANGES)
def test_a_look_after_a_change_shows_what_all_answers_show(
    room: Classroom, mia: int, ben: int, third: int, change: str
) -> None:
    before = look(room)
    assert before == look(room) == from_all_answers(room)
    look(room)
    with clock.clock_at((LAST + 0.4) * DAY):
        CHANGES[change](room, mia, ben)
    after = look(room)
    assert after.get(mia) != before[mia]
    assert after[third] == before[third]
    assert after == from_all_answers(room)


@pytest.mark.walk(3)
@pytest.mark.parametrize("later", [1, 27, 28, 60, 400])
def test_a_look_on_a_later_day_shows_what_all_answers_show(
    room: Classroom, mia: int, third: int, later: int
) -> None:
    show_more(mia, 9)
    before = look(room)
    after = look(room, LAST + later)
    assert (after != before) == (later >= 27)
    assert after == from_all_answers(room, LAST + later)
    assert look(room) == before, "even if the clock is set back"


def test_guessing_is_said_until_the_next_day_with_answers(
    room: Classroom, mia: int, third: int
) -> None:
    def troubles(day: int = LAST) -> set[str]:
        return {one.trouble for one in look(room, day)[mia][2]}  # type: ignore[attr-defined]

    with write_unit():
        evidence_log.append(mia, rows(1, 12, round_id=None, day=LAST, latency_ms=300))
    for _ in range(2):
        assert "guessing" in troubles()
        assert "guessing" in troubles(LAST + 1)
        count_all()
    with write_unit():
        evidence_log.append(mia, rows(1, 2, round_id=None, day=LAST + 1))
    assert "guessing" not in troubles(LAST + 1)


def test_a_second_look_parses_only_what_has_new_answers(
    room: Classroom, mia: int, third: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: Counter[str] = Counter()
    parse = Window.from_json

    def counting(skill: str, data: Any) -> Window:
        parsed[skill] += 1
        return parse(skill, data)

    look(room)
    monkeypatch.setattr(Window, "from_json", counting)
    with clock.clock_at((LAST + 0.5) * DAY):
        skill_reports.of_class(room.class_id)
        assert not parsed
        show_more(mia, 1)
        skill_reports.of_class(room.class_id)
    assert parsed == {"how_many": 1}


@pytest.mark.parametrize("change", ["a merge", "an objection", "a child is removed"])
def test_nothing_is_kept_of_a_child_that_is_gone(
    room: Classroom, mia: int, ben: int, third: int, change: str
) -> None:
    with clock.clock_at((LAST + 0.5) * DAY):
        skill_reports.of_class(room.class_id)
        kept = skill_reports.glances_today()
        assert kept_by(kept) > 0
        CHANGES[change](room, mia, ben)
        assert kept_by(skill_reports.glances_today()) == 0
        stored = evidence_log.stored_of([third])[third]
        kept.of(stored, "5-6")
        assert kept_by(skill_reports.glances_today()) == 0, "nor by a look that began before"


def test_nothing_is_kept_for_another_day(room: Classroom, third: int) -> None:
    look(room)
    with clock.clock_at((LAST + 1.5) * DAY):
        assert kept_by(skill_reports.glances_today()) == 0
