"""A simulated child with known skill and memory, at a real table.

Questions and answers go through the usual services. Only its knowledge is made up, so this module
reads which answer is right and decides whether the child finds it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from sqlalchemy import select

from classroom.database import db
from classroom.learning.evidence import is_aided
from classroom.learning.questions import Question
from classroom.models import QuestionRow
from classroom.services.quiz import posing
from classroom.services.table.rounds import ViewedTable
from tools.simulate import SimulatedChild


def answer(
    pupil: SimulatedChild, child_id: int, table: ViewedTable, rng: Random, think: Callable[[], None]
) -> Question | None:
    """Answer the question that the child has at this table, if any, and return it.

    `think` lets the time of a tap pass. After a wrong answer the child taps the right one, because
    help leads to it.
    """
    seat = table.seat
    assert seat is not None
    put = posing.put(table.round_id, child_id, seat, table.seq)
    if put is None:
        return None
    row = db.session.scalars(
        select(QuestionRow).where(
            QuestionRow.child_id == child_id,
            QuestionRow.round_id == put.round_id,
            QuestionRow.seq == put.seq,
        )
    ).one()
    question = Question.from_json(row.item)
    helped = is_aided(question.skill, row.board, row.hint_step)
    place = pupil.answer(question, rng, helped)
    for key, tapped in enumerate(dict.fromkeys((place, question.right))):
        think()
        posing.answer(put.round_id, child_id, put.seq, tapped, f"s{key}")
    return question
