"""Idling is worked out from the recorded moves, with a simulated clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.learning.report import Signal
from classroom.models import Child, ChildRound, ClassSettings
from classroom.services.base import clock
from classroom.services.lesson import lessons
from classroom.services.operation import background
from classroom.services.quiz import posing
from classroom.services.reports import figures, skill_reports
from classroom.services.table import help, matches, rounds
from tests.playing import Classroom, settings
from tests.questioning import put_question

NOON = 1_790_000_000.0
STILL = (4, 5, 40, 5, 50, 5, 60)  # seconds before each move; in three turns the child is idle


@pytest.fixture
def now() -> Iterator[list[float]]:
    """A clock for a test, which moves only when the test says so."""
    at = [NOON]
    with clock.clock_at(lambda: at[0]):
        yield at


def play(child_id: int, now: list[float], waits: Sequence[float]) -> int:
    """Begin a round, in which the child waits for these seconds before each of its moves."""
    settings(child_id, opponents=1)
    round_id = matches.start_match(child_id)
    for seconds in waits:
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        assert table.my_turn
        now[0] += seconds
        rounds.play(round_id, 0, table.observation.legal[0], f"i{table.seq}", table.seq)
    return round_id


def seen(child_id: int) -> Signal | None:
    child = db.session.get_one(Child, child_id)
    return figures.idle_children(child.class_id, clock.day(), child_id).get(child_id)


def test_an_idle_child_is_named_on_both_pages(
    room: Classroom, mia: int, ben: int, now: list[float]
) -> None:
    play(mia, now, STILL)
    play(ben, now, STILL[:-1])
    signal = seen(mia)
    assert signal is not None
    assert signal.facts == {
        "day": clock.day(), "n": 7, "still": 3, "seconds": 30, "played_for": 0,
    }  # fmt: skip
    assert seen(ben) is None
    assert skill_reports.of_child(mia).signals == (signal,)
    page = skill_reports.of_class(room.class_id)
    assert {one.child_id: one.signals for one in page.children if one.signals} == {mia: (signal,)}


def test_a_child_who_idles_at_home_is_not_named(mia: int, now: list[float]) -> None:
    play(mia, now, [5])
    at_home = play(mia, now, STILL)
    with write_unit():
        found = select(ChildRound).filter_by(round_id=at_home)
        db.session.scalars(found).one().at_home = True
    assert seen(mia) is None


def test_only_the_last_day_of_play_counts_and_not_for_ever(mia: int, now: list[float]) -> None:
    play(mia, now, STILL)
    first = clock.day()
    now[0] += 6 * clock.SECONDS_A_DAY
    signal = seen(mia)
    assert signal is not None
    assert signal.facts["day"] == first
    now[0] += clock.SECONDS_A_DAY
    assert seen(mia) is None
    play(mia, now, STILL)
    assert seen(mia) is not None
    now[0] += clock.SECONDS_A_DAY
    play(mia, now, [5])
    assert seen(mia) is None


def test_a_child_who_took_help_or_answered_a_question_was_not_idle(
    mia: int, now: list[float]
) -> None:
    settings(mia, opponents=1, hints=True)
    round_id = matches.start_match(mia)
    for number in range(3):
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        now[0] += 25
        if number == 0:
            help.hint(round_id, 0)
        else:
            put_question(mia, round_id, table.seq)
            posing.answer(round_id, mia, table.seq, 1, "a")
        now[0] += 25
        rounds.play(round_id, 0, table.observation.legal[0], f"i{table.seq}", table.seq)
    assert seen(mia) is None


def test_no_child_is_idle_during_eyes_on_me(room: Classroom, mia: int, now: list[float]) -> None:
    settings(mia, opponents=1)
    round_id = matches.start_match(mia)
    for paused in (False, True, False, True, False, True, False):
        background.play_now(round_id)
        if paused:
            lessons.pause(room.class_id)
            now[0] += 50
            lessons.go_on(room.class_id)
        now[0] += 5
        table = rounds.table(round_id, 0)
        rounds.play(round_id, 0, table.observation.legal[0], f"i{table.seq}", table.seq)
    assert seen(mia) is None


def test_an_idle_child_is_named_although_most_of_its_turns_were_paused(
    room: Classroom, mia: int, now: list[float]
) -> None:
    settings(mia, opponents=1)
    round_id = matches.start_match(mia)
    for seconds, paused in ((5, True),) * 4 + ((40, False),) * 3:
        background.play_now(round_id)
        if paused:
            lessons.pause(room.class_id)
            now[0] += 50
            lessons.go_on(room.class_id)
        now[0] += seconds
        table = rounds.table(round_id, 0)
        rounds.play(round_id, 0, table.observation.legal[0], f"i{table.seq}", table.seq)
    signal = seen(mia)
    assert signal is not None
    assert (signal.facts["n"], signal.facts["still"], signal.facts["seconds"]) == (7, 3, 30)


def test_the_teacher_says_how_long_a_turn_may_take(
    room: Classroom, mia: int, now: list[float]
) -> None:
    play(mia, now, STILL)
    with write_unit():
        db.session.get_one(ClassSettings, room.class_id).nudge_after = 45
    assert seen(mia) is None
