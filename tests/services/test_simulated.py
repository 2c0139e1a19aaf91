"""A simulated child answers questions through the services, and reports show what it knows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import func, select

from classroom.database import db
from classroom.learning.report import lines
from classroom.learning.skills import RECALL
from classroom.models import EvidenceRow, QuestionRow
from classroom.services.base import clock
from classroom.services.operation import background
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import ALL, QuestionChoice
from classroom.services.reports import skill_reports
from classroom.services.table import evidence_log, matches, rounds
from tests import simulated
from tests.learning.rows import report
from tests.playing import Classroom, settings
from tools.simulate import SimulatedChild

ROOT = Path(__file__).resolve().parents[2]


def play(room: Classroom, child_id: int, pupil: SimulatedChild, board: str) -> int:
    """Play a round with a question at every turn. Returns the number of answers."""
    question_settings.write(None, "class", room.class_id, QuestionChoice("every_turn", ALL))
    settings(child_id, opponents=3, deck="small", board=board, hints=False)
    question_settings.write(None, "family", child_id, QuestionChoice("every_turn", ALL))
    round_id = matches.start_match(child_id)
    rng, asked = Random(5), 0
    while True:
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        asked += simulated.answer(pupil, child_id, table, rng, lambda: None) is not None
        if table.over:
            return asked
        rounds.play(round_id, 0, rng.choice(table.observation.legal), f"p{table.seq}", table.seq)


def test_every_question_is_answered_kept_and_shown(room: Classroom, mia: int) -> None:
    asked = sum(play(room, mia, SimulatedChild(), "off") for _ in range(3))
    kept = db.session.scalar(
        select(func.count()).where(EvidenceRow.source == "question", EvidenceRow.child_id == mia)
    )
    open_ = db.session.scalar(select(func.count()).where(QuestionRow.closed_at.is_(None)))
    assert (kept, open_) == (asked, 0)
    assert asked >= 5
    assert not any(differed for _, differed in evidence_log.recount())
    made = report([row for _, row in skill_reports.answers([mia])], clock.day(), "4-5")
    shown = skill_reports.of_child(mia)
    assert shown.levels == made.levels
    assert shown.estimates == made.estimates
    assert list(lines(shown)) == list(lines(made))


def test_nothing_is_asked_that_the_open_board_tells(room: Classroom, mia: int) -> None:
    for _ in range(2):
        play(room, mia, SimulatedChild(span=0.1), "open")
    rows = [row for _, row in skill_reports.answers([mia]) if row.source == "question"]
    assert rows
    assert not [row for row in rows if row.skill in RECALL]


@pytest.mark.long
def test_the_page_says_what_reports_after_three_weeks_show() -> None:
    command = [sys.executable, "-m", "tests.bench.proof_services", "--scale", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.stderr == ""
    assert done.stdout in (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
