"""Evidence: the first answer counts, help never counts as knowing, and play is evidence too."""

from __future__ import annotations

from random import Random

import pytest

from classroom.learning.evidence import Known, from_answer, from_ask, is_aided
from classroom.learning.questions import Question, make
from classroom.learning.skills import RECALL, SKILLS, bounds_at
from tests.learning.tables import random_views


def a_question(skill: str = "how_many") -> Question:
    for observation in random_views("classic", 3, seats=3):
        question = make(observation, skill, Random(1), bounds_at("7-9"))
        if question is not None:
            return question
    raise AssertionError(skill)


def test_the_first_answer_alone_is_judged() -> None:
    question = a_question()
    wrong = (question.right + 1) % len(question.options)
    row = from_answer(question, (wrong, question.right), at=10.0, day=3, round_id=7)
    assert not row.right
    assert row.first_answer == wrong
    assert row.later_answers == (question.right,)
    assert (row.source, row.day, row.round_id, row.seq) == ("question", 3, 7, question.seq)
    assert from_answer(question, (question.right,), at=10.0, day=3).right


def test_the_item_is_kept_in_full() -> None:
    question = a_question("what_asked")
    row = from_answer(question, (0,), at=10.0, day=3)
    assert Question.from_json(row.item) == question
    assert row.options == question.options
    assert row.lag_asks == question.lag_asks
    assert row.guess_rate == question.guess_rate


def test_a_question_left_alone_counts_for_nothing() -> None:
    row = from_answer(a_question(), (), at=10.0, day=3)
    assert row.how == "skipped"
    assert not row.right


@pytest.mark.parametrize("skill", SKILLS)
@pytest.mark.parametrize("board", ["off", "closed", "peek", "fading", "open"])
@pytest.mark.parametrize("step", range(6))
def test_each_kind_of_help_is_recorded(skill: str, board: str, step: int) -> None:
    looked_up = skill in RECALL and board in ("peek", "fading", "open")
    assert is_aided(skill, board, step) == (step >= 2 or looked_up)


def test_an_aided_answer_never_counts_as_alone() -> None:
    question = a_question("what_asked")
    for board, step in (("open", 0), ("peek", 0), ("closed", 2), ("off", 5)):
        row = from_answer(question, (question.right,), at=1.0, day=0, board=board, hint_step=step)
        assert row.aided
        assert row.how == "aided"
    assert from_answer(question, (question.right,), at=1.0, day=0, board="closed").how == "alone"


def test_repeating_the_question_is_not_help() -> None:
    question = a_question()
    assert from_answer(question, (0,), at=1.0, day=0, hint_step=1).how == "alone"


# ---- play


CERTAIN = Known(2, "7", 4, 31.5)


def asked(target: int, class_: str, **more):  # type: ignore[no-untyped-def]
    given = {"certain": (CERTAIN,), "hopeless": (), "legal": 8, "at": 5.0, "day": 1, **more}
    return from_ask(target, class_, **given)


def test_a_certain_catch_taken_is_a_memory_by_its_lag() -> None:
    (row,) = asked(2, "7")
    assert row.right
    assert (row.skill, row.source, row.kind) == ("recall_ask", "play", "certain")
    assert (row.lag_asks, row.lag_seconds) == (4, 31.5)
    assert row.guess_rate == pytest.approx(1 / 8)


def test_a_certain_catch_missed_is_a_miss_at_the_same_lag() -> None:
    for target, class_ in ((1, "7"), (2, "9")):
        (row,) = asked(target, class_)
        assert not row.right
        assert row.lag_asks == 4


def test_several_certain_catches_have_no_single_lag() -> None:
    both = (CERTAIN, Known(1, "9", 2))
    (row,) = asked(1, "9", certain=both)
    assert row.right
    assert row.lag_asks is None
    assert row.guess_rate == pytest.approx(2 / 8)


def test_there_is_no_evidence_where_every_ask_or_none_is_certain() -> None:
    assert asked(2, "7", certain=()) == ()
    assert asked(2, "7", certain=(CERTAIN,), legal=1) == ()


def test_an_ask_known_to_be_hopeless_is_a_false_alarm_of_play() -> None:
    hopeless = (Known(1, "4", 3),)
    (row,) = asked(1, "4", certain=(), hopeless=hopeless)
    assert (row.kind, row.trial, row.right) == ("hopeless", "new", False)
    (other,) = asked(2, "4", certain=(), hopeless=hopeless)
    assert other.right
    assert other.guess_rate == pytest.approx(7 / 8)
    assert other.weak  # mostly avoided by luck, so it decides nothing


def test_one_ask_can_show_both() -> None:
    certain, hopeless = asked(1, "4", hopeless=(Known(1, "4", 3),))
    assert not certain.right
    assert not hopeless.right


def test_a_computer_player_on_a_childs_seat_makes_no_evidence() -> None:
    assert asked(2, "7", played_by="computer") == ()


def test_play_beside_the_open_board_is_aided() -> None:
    assert asked(2, "7", board="open")[0].how == "aided"
    assert asked(2, "7", hint_step=3)[0].how == "aided"
    assert asked(2, "7", board="closed")[0].how == "alone"
