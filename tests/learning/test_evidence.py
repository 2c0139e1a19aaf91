"""Evidence: the first answer counts, an answer with help does not, and play is evidence too."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from classroom.learning.evidence import KnownFact, from_answer, from_ask, is_aided
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


SEVEN, NINE = KnownFact(2, "7", 3, 4, 31.5), KnownFact(1, "9", 5, 2)


def asked(target: int, class_: str, *facts: KnownFact, **more):  # type: ignore[no-untyped-def]
    facts = facts or (SEVEN,)
    given = {
        "facts": facts, "certain": {(one.target, one.class_) for one in facts}, "legal": 8,
        "at": 5.0, "day": 1, **more,
    }  # fmt: skip
    return from_ask(target, class_, **given)


def test_a_certain_catch_taken_is_a_memory_by_its_lag() -> None:
    (row,) = asked(2, "7")
    assert row.right
    assert (row.skill, row.source, row.kind) == ("recall_ask", "play", "certain")
    assert (row.lag_asks, row.lag_seconds) == (4, 31.5)
    assert row.guess_rate == pytest.approx(1 / 8)
    assert (row.item["known"], row.item["since"], row.item["chance"]) == ([[2, "7", 4]], 3, 1)


def test_a_certain_catch_missed_is_a_miss_at_the_same_lag() -> None:
    for target, class_ in ((1, "7"), (2, "9")):
        (row,) = asked(target, class_)
        assert not row.right
        assert row.lag_asks == 4


def test_of_several_certain_catches_each_missed_one_is_a_miss_at_its_own_lag() -> None:
    rows = asked(1, "4", SEVEN, NINE)
    assert [(row.right, row.lag_asks) for row in rows] == [(False, 4), (False, 2)]
    assert [row.guess_rate for row in rows] == [pytest.approx(1 / 7)] * 2


def test_a_catch_that_is_taken_leaves_the_other_facts_for_the_next_ask() -> None:
    (row,) = asked(1, "9", SEVEN, NINE)
    assert (row.right, row.lag_asks) == (True, 2)
    assert asked(3, "K", certain={(2, "7"), (3, "K")}) == ()  # K is certain, but already has a row


def test_there_is_no_evidence_where_no_ask_could_miss() -> None:
    assert asked(2, "7", legal=1) == ()
    assert asked(2, "7", SEVEN, NINE, legal=2) == ()


def test_two_seats_that_must_have_the_same_class_are_an_overlap() -> None:
    rows = asked(3, "K", SEVEN, KnownFact(1, "7", 5, 2), NINE)
    assert [row.overlap for row in rows] == [True, True, False]


@pytest.mark.parametrize("board", ["open", "fading", "peek", "aloud", "hint", "question"])
def test_a_fact_that_was_told_at_any_door_is_aided(board: str) -> None:
    assert asked(2, "7", replace(SEVEN, board=board))[0].how == "aided"


def test_an_untold_fact_is_aided_only_by_a_hint_for_this_ask() -> None:
    assert asked(2, "7", replace(SEVEN, board="closed"))[0].how == "alone"
    assert asked(2, "7", hint_step=1)[0].how == "alone"
    assert asked(2, "7", hint_step=2)[0].how == "aided"
