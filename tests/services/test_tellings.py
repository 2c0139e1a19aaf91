"""Every way in which the services can tell a child a fact: a catch after it counts as helped, and
one without it as remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest
from sqlalchemy import insert

from classroom.database import db, write_unit
from classroom.engine import observe
from classroom.engine.actions import Ask
from classroom.engine.observation import Observation
from classroom.learning.questions import make
from classroom.learning.skills import bounds_at
from classroom.minds import board
from classroom.minds.board import Telling
from classroom.minds.memory.perfect_memory import Fact, judge
from classroom.minds.playing.forgetting import Fading, Mind, Thought
from classroom.models import EvidenceRow, HelpTaken, QuestionRow
from classroom.services.base import clock
from classroom.services.quiz import posing
from classroom.services.table import help, matches, recording, rounds, states
from classroom.services.table.rounds import ViewedTable
from classroom.services.table.states import Facts
from tests.playing import settings
from tests.randomness import drawn_from


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computer players think nothing aloud unless a test says so."""
    monkeypatch.setattr(Facts, "minds_heard", lambda *_: {})


def start(child_id: int, seed: int, **wanted: object) -> int:
    settings(child_id, **{"board": "peek", "opponents": 3, "deck": "full", **wanted})
    with drawn_from(Random(seed)):
        return matches.start_match(child_id)


def until_mine(round_id: int, lots: Random, seat: int = 0) -> ViewedTable:
    """Let the computer players ask at random until it is the child's turn or the round ends."""
    while True:
        table = rounds.table(round_id, seat)
        turn = table.observation.turn
        if turn in (seat, None):
            return table
        seen = observe(states.read(round_id).state, turn or 0)
        rounds.play(
            round_id, seen.turn or 0, lots.choice(seen.legal), f"c{seen.seq}", seen.seq, "computer"
        )


def facts(table: ViewedTable) -> tuple[Fact, ...]:
    live = states.read(table.round_id)
    return judge(table.observation, live.fold.remembered(table.observation)).heard


def at_a_fact(child_id: int, number: int = 1, **wanted: object) -> tuple[ViewedTable, Fact]:
    """The table at the child's first turn with at least this many facts, and the first of these."""
    for seed in range(200):
        lots = Random(seed)
        round_id = start(child_id, seed, **wanted)
        table = until_mine(round_id, lots)
        if len(found := facts(table)) >= number and table.observation.phase == "ask":
            return table, found[0]
    raise AssertionError("no fact came up")


def ask(table: ViewedTable, fact: Fact) -> list[EvidenceRow]:
    """Let the child ask for what this fact is about. Returns the evidence of the round."""
    action = next(
        one
        for one in table.observation.legal
        if isinstance(one, Ask) and (one.target, one.class_) == (fact.target, fact.class_)
    )
    seq = rounds.seq(table.round_id)
    rounds.play(table.round_id, 0, action, f"a{seq}", seq)
    return rows(table)


def rows(table: ViewedTable) -> list[EvidenceRow]:
    db.session.rollback()
    found = db.session.query(EvidenceRow).filter_by(round_id=table.round_id, source="play")
    return found.order_by(EvidenceRow.id).all()


def put(child_id: int, table: ViewedTable, fact: Fact, answers: list[int]) -> None:
    """Record that a question about the fact was put before this move, and left or answered."""
    for seed in range(400):
        question = make(table.observation, "what_asked", Random(seed), bounds_at("7-9"))
        if question and question.fact_seq == fact.since:
            break
    else:
        pytest.skip("the fact is not about an asker's last ask")
    with write_unit():
        db.session.execute(
            insert(QuestionRow).values(
                child_id=child_id, round_id=table.round_id, seq=table.seq, turn=1,
                item=question.to_json(), made_at=clock.now(), board="closed", answers=answers,
                keys=[], closed_at=clock.now(),
            )
        )  # fmt: skip


def peek(child_id: int, table: ViewedTable, fact: Fact) -> None:
    help.opened_board(table.round_id, 0)


def answered(child_id: int, table: ViewedTable, fact: Fact) -> None:
    put(child_id, table, fact, [0])


def left_alone(child_id: int, table: ViewedTable, fact: Fact) -> None:
    put(child_id, table, fact, [])


def hint_of_a_move_before(child_id: int, table: ViewedTable, fact: Fact) -> None:
    """Record a hint for the move before this one, although none was taken."""
    about = [fact.target, fact.class_, list(fact.moves)]
    with write_unit():
        db.session.execute(
            insert(HelpTaken).values(
                round_id=table.round_id, child_id=child_id, seq=table.seq - 1, kind="hint", step=3,
                about=about, at=clock.now(),
            )
        )  # fmt: skip


def test_a_fact_that_was_only_heard_counts_as_remembered(mia: int) -> None:
    (row,) = ask(*at_a_fact(mia))
    assert (row.board, row.aided, row.right) == ("closed", False, True)
    assert row.lag_asks == row.item["known"][0][2] >= 1


@pytest.mark.parametrize(
    ("tell", "door"),
    [
        (peek, "peek"),
        (answered, "question"),
        (left_alone, "question"),
        (hint_of_a_move_before, "hint"),
    ],
)
def test_a_fact_that_was_told_does_not_count(
    mia: int, tell: Callable[[int, ViewedTable, Fact], None], door: str
) -> None:
    table, fact = at_a_fact(mia)
    tell(mia, table, fact)
    (row,) = ask(table, fact)
    assert (row.board, row.aided, row.right) == (door, True, True)


@pytest.mark.parametrize("board", ["open", "fading"])
def test_a_fact_in_the_line_does_not_count(mia: int, board: str) -> None:
    (row,) = ask(*at_a_fact(mia, board=board))
    assert (row.board, row.aided) == (board, True)


@pytest.mark.parametrize("number", [1, 2])
def test_a_fact_that_a_computer_player_says_aloud_does_not_count(
    mia: int, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Of two facts it is the older one, said aloud before the newer one could be known."""
    table, _ = at_a_fact(mia, number)
    fact, *newer = sorted(facts(table), key=lambda one: one.first)
    assert all(fact.first < one.first for one in newer)
    about = Thought(
        seq=fact.first + 1, seat=1, about=fact.since, asker=fact.target, class_=fact.class_
    )

    def aloud(seen: Observation, minds: Mapping[int, Mind], since: int) -> tuple[Thought, ...]:
        return (about,) if about.seq > since else ()

    monkeypatch.setattr(board, "thoughts", aloud)
    monkeypatch.setattr(Facts, "minds_heard", lambda *_: {1: Mind(Fading(None, 0.0, 0.0), 1)})
    row = next(one for one in ask(table, fact) if one.item["since"] == fact.since)
    assert (row.board, row.aided) == ("aloud", True)


def test_a_hint_tells_its_fact_for_the_rest_of_the_round(mia: int) -> None:
    """The child first takes another sure catch, and only then the one that the hint showed."""
    table, _ = at_a_fact(mia, number=2)
    for moment in (0.0, 5.0, 10.0):
        with clock.clock_at(clock.now() + moment):
            hint = help.hint(table.round_id, 0)
    one, *_ = [f for f in facts(table) if (f.target, f.class_) != (hint.seat, hint.class_)]
    ask(table, one)
    shown = next(f for f in facts(table) if (f.target, f.class_) == (hint.seat, hint.class_))
    if rounds.table(table.round_id, 0).my_turn:
        *_, row = ask(rounds.table(table.round_id, 0), shown)
        assert (row.item["known"][0][:2], row.board) == ([shown.target, shown.class_], "hint")
        assert (row.hint_step, row.aided) == (0, True)


def test_a_fact_of_a_long_absence_is_no_evidence_at_all(mia: int) -> None:
    table, fact = at_a_fact(mia)
    with clock.clock_at(clock.now() + recording.LONGEST_THOUGHT + 60):
        assert ask(table, fact) == []


def test_a_fact_counts_once_at_its_first_chance(mia: int) -> None:
    """A catch that a child misses, and takes at its next turn, counts only once: as missed."""
    for seed in range(60):
        lots = Random(seed)
        table = until_mine(start(mia, seed), lots)
        known = facts(table)
        held = {(fact.target, fact.class_) for fact in known}
        others = [
            one
            for one in table.observation.legal
            if isinstance(one, Ask) and (one.target, one.class_) not in held
        ]
        if not known or not others:
            continue
        rounds.play(table.round_id, 0, others[0], f"a{table.seq}", table.seq)
        before = rows(table)
        again = until_mine(table.round_id, lots)
        still = [fact for fact in facts(again) if fact in known] if not again.over else []
        if still and before:
            after = ask(again, still[0])
            assert not any(row.right for row in before)
            met = [(*row.item["known"][0][:2], row.item["since"]) for row in after]
            assert len(met) == len(set(met))
            assert (still[0].target, still[0].class_, still[0].since) in met[: len(before)]
            return
    raise AssertionError("no fact was missed and kept")


def test_what_happened_while_a_stand_in_played_was_missed() -> None:
    times = [0.0, 10, 20, 30, 40, 50, 60]
    own = [(1, "child"), (3, "stand_in"), (5, "child")]
    found = list(recording.absences(own, times, 61))
    assert found == [Telling(door="away", since=1, upto=4)]
    still_away = list(recording.absences(own[:2], times, 61))
    assert still_away == [Telling(door="away", since=1, upto=6)]


def test_a_child_that_never_came_missed_everything() -> None:
    own = [(2, "stand_in"), (4, "stand_in")]
    assert list(recording.absences(own, [0.0] * 6, 1)) == [Telling(door="away", since=0, upto=5)]


def test_a_pause_of_more_than_ten_minutes_before_a_move_is_an_absence() -> None:
    times = [0.0, 10, 20, 700, 710]
    own = [(1, "child"), (3, "child")]
    assert list(recording.absences(own, times, 711)) == [Telling(door="away", since=1, upto=2)]
    assert list(recording.absences(own[:1], times[:3], 690)) == [
        Telling(door="away", since=1, upto=2)
    ]
    assert list(recording.absences(own[:1], times[:3], 60)) == []


def test_a_hint_from_before_the_program_kept_what_it_told_has_told_everything(mia: int) -> None:
    table, _ = at_a_fact(mia, number=2)
    fact = min(facts(table), key=lambda one: one.since)
    assert fact.since < table.seq, "it was there to be told"
    hint_of_a_move_before(mia, table, fact)
    with write_unit():
        db.session.query(HelpTaken).update({"about": None})
    (row,) = ask(table, fact)
    assert (row.aided, row.board) == (True, "hint")


def test_a_peek_while_the_question_is_open_makes_its_answer_helped(mia: int) -> None:
    table, fact = at_a_fact(mia)
    put(mia, table, fact, [])
    with write_unit():
        db.session.query(QuestionRow).update({"closed_at": None})
    help.opened_board(table.round_id, 0)
    right = posing.in_full(table.round_id, mia, table.seq).right
    posing.answer(table.round_id, mia, table.seq, right, "k")
    db.session.rollback()
    row = db.session.query(EvidenceRow).filter_by(source="question").one()
    assert (row.board, row.aided) == ("peek", True)
