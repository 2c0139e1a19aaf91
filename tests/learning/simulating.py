"""Simulated children answer single questions, made without a table."""

from __future__ import annotations

from random import Random
from typing import Any

from classroom.learning.drafts import Stem, Trial
from classroom.learning.evidence import Evidence, from_answer, is_aided
from classroom.learning.questions import Question
from classroom.learning.skills import SKILLS
from tools.simulate import SimulatedChild


def answered(
    child: SimulatedChild,
    question: Question,
    rng: Random,
    *,
    day: int,
    at: float,
    round_id: int | None = None,
    board: str = "off",
    hint_step: int = 0,
) -> Evidence:
    """Let a simulated child answer a question; returns the evidence."""
    helped = is_aided(question.skill, board, hint_step)
    place = child.answer(question, rng, helped)
    answers = (place,) if place == question.right else (place, question.right)
    return from_answer(
        question,
        answers,
        at=at,
        day=day,
        round_id=round_id,
        latency_ms=rng.randint(2500, 6000),
        board=board,
        hint_step=hint_step,
    )


def plain_question(
    skill: str,
    rng: Random,
    *,
    options: int = 4,
    lag: int | None = None,
    trial: Trial | None = None,
    difficulty: float = 0.0,
) -> Question:
    """Make a question without a table, for simulations; only fields that estimates use are real.

    `trial`: "old", "new" or None; for the first two, one option is None ("nobody").
    """
    kind = SKILLS[skill].kinds[0] if SKILLS[skill].kinds else "certain"
    values: list[Any] = list(range(1, options + 1))
    right = rng.randrange(options)
    if trial is not None:
        values[rng.randrange(options)] = None
    if trial == "new":
        right = values.index(None)
    while trial == "old" and values[right] is None:
        right = rng.randrange(options)
    return Question(
        skill=skill,
        kind=kind,
        stem=Stem(),
        face="numeral",
        options=tuple(values),
        right=right,
        seq=0,
        guess_rate=1 / options,
        difficulty=difficulty,
        lag_asks=lag if trial != "new" else None,
        trial=trial,
    )
