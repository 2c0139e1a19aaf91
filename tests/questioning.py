"""Questions of a given kind at a real table, reached by random play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from sqlalchemy import insert

from classroom.database import db, write_unit
from classroom.learning.drafts import Stem
from classroom.learning.questions import Question, drafts, make
from classroom.learning.skills import SKILL_OF, SKILLS, bounds_at
from classroom.models import Child, QuestionRow
from classroom.services.base import clock
from classroom.services.operation import background
from classroom.services.quiz import question_settings
from classroom.services.quiz.posing import own_turns
from classroom.services.quiz.question_settings import ChosenQuestions
from classroom.services.table import choices, matches, rounds
from classroom.services.table.rounds import ViewedTable
from tests.playing import settings

OLDEST = "7-9"
OF_FOUR = ("who_asked_first", "who_asked_last")  # kinds that need three others at the table


def chosen_for(child_id: int, *, at_home: bool = False) -> ChosenQuestions:
    """The question settings of a child, at home without the teacher's bounds."""
    return question_settings.chosen(choices.of_child(child_id), at_home=at_home)


def tables(child_id: int, game: str, seed: int) -> Iterator[ViewedTable]:
    """The child's table after each move of randomly played rounds."""
    lots = Random(seed)
    for _ in range(3):
        yield from one_round(child_id, game, lots)


def one_round(child_id: int, game: str, lots: Random) -> Iterator[ViewedTable]:
    """The child's table after each move of one randomly played round."""
    round_id = matches.start_match(child_id, game)
    while True:
        table = rounds.table(round_id, 0)
        yield table
        if table.over:
            return
        if table.my_turn:
            action = lots.choice(table.observation.legal)
            rounds.play(round_id, 0, action, f"q{table.seq}", table.seq)
        else:
            background.play_one(round_id)


def put_kind(child_id: int, kind: str, game: str = "classic", seed: int = 1) -> ViewedTable:
    """Play until a question of this kind can be put to the child, and put it. Returns the table."""
    with write_unit():
        db.session.get_one(Child, child_id).age_band = OLDEST
    if kind in OF_FOUR:
        settings(child_id, opponents=3)
    for table in tables(child_id, game, seed):
        if put_here(child_id, table, kind, seed):
            return table
    raise AssertionError(f"no {kind} in {game}")


def put_here(child_id: int, table: ViewedTable, kind: str, seed: int = 1) -> bool:
    """Ask a question of this kind at this table, if possible. Returns whether it was."""
    seen, skill = table.observation, SKILLS[SKILL_OF[kind]]
    bounds = bounds_at(OLDEST)
    if not table.seq or kind not in {draft.kind for draft in drafts(seen, skill, bounds)}:
        return False
    for number in range(40):
        question = make(seen, skill.key, Random(seed + number), bounds)
        if question is not None and question.kind == kind:
            _keep(child_id, table.round_id, table.seq, own_turns(seen), question.to_json())
            return True
    return False


def put_question(child_id: int, round_id: int, seq: int) -> Question:
    """Ask how many cards there are. The right answer is three, the middle one of three options."""
    question = Question(
        skill="how_many",
        kind="count_hand",
        stem=Stem(),
        face="numeral",
        options=(2, 3, 4),
        right=1,
        seq=seq,
        guess_rate=1 / 3,
        difficulty=0.0,
    )
    _keep(child_id, round_id, seq, 1, question.to_json())
    return question


def _keep(child_id: int, round_id: int, seq: int, turn: int, item: dict[str, Any]) -> None:
    with write_unit():
        db.session.execute(
            insert(QuestionRow).values(
                child_id=child_id,
                round_id=round_id,
                seq=seq,
                turn=turn,
                item=item,
                made_at=clock.now(),
                board="closed",
                answers=[],
                keys=[],
            )
        )
