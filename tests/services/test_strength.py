"""Computer players as strong as the child: where they start, and how they follow."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.learning.evidence import Evidence, KnownFact, from_ask
from classroom.minds.playing.forgetting import LIKE_ME, Result, like_me
from classroom.models import Player, Round
from classroom.services.operation import background
from classroom.services.table import evidence_log, matches, rounds, states
from tests.playing import settings


@pytest.fixture(autouse=True)
def _like_me(mia: int) -> None:
    settings(mia, level=LIKE_ME, opponents=3, deck="small")


def level_of(round_id: int) -> str:
    (level,) = {p.level for p in states.facts_of(round_id).players if p.level is not None}
    return level


def ended(round_id: int, *winners: int) -> None:
    with write_unit():
        row = db.session.get_one(Round, round_id)
        row.ended_at, row.winners, row.scores = 1.0, list(winners), [0, 0, 0, 0]


def remembered(lag: int, right: bool) -> tuple[Evidence, ...]:
    """The evidence of an ask by a child who heard of a certain catch `lag` asks ago. `right`: the
    child takes the catch."""
    known = [KnownFact(1, "7", 3, lag)]
    asked = (1, "7") if right else (2, "5")
    return from_ask(*asked, facts=known, certain={(1, "7")}, legal=12, at=1.0, day=0)


def test_it_starts_low_with_an_unknown_child(mia: int) -> None:
    assert level_of(matches.start_match(mia)) == like_me().key


def test_it_starts_at_the_childs_measured_memory(mia: int) -> None:
    rows = [row for lag in range(1, 9) for _ in range(5) for row in remembered(lag, lag < 7)]
    with write_unit():
        evidence_log.append(mia, rows)
    found = matches.measured(mia)
    assert found is not None
    assert 3 < found.half < 12
    key = level_of(matches.start_match(mia))
    assert key == like_me(half=found.half, low=found.low).key != like_me().key


def test_it_follows_the_childs_wins_from_match_to_match(mia: int) -> None:
    won = [(0,), (1,), (0, 2), (3,)]
    for number, winners in enumerate(won):
        round_id = matches.start_match(mia)
        before = [Result(4, (0 in w) / len(w)) for w in won[:number]]
        half = float(level_of(round_id).removeprefix(LIKE_ME))
        assert half == pytest.approx(float(like_me(before).key.removeprefix(LIKE_ME)), rel=0.01)
        ended(round_id, *winners)


def test_the_running_match_does_not_change_and_the_next_round_obeys(mia: int) -> None:
    first = matches.start_match(mia)
    begun = level_of(first)
    background.play_now(first)
    assert rounds.table(first, 0).seq >= 0
    ended(first, 0)
    again = matches.next_round(db.session.get_one(Round, first).match_id, mia)
    assert level_of(first) == begun
    assert level_of(again) == like_me([Result(4, 1.0)]).key != begun


def test_all_rounds_up_to_a_number_of_points_are_played_at_one_strength(mia: int) -> None:
    first = matches.start_match(mia, "guru_points")
    ended(first, 0)
    second = matches.next_round(db.session.get_one(Round, first).match_id, mia)
    assert rounds.table(second, 0).match_id == db.session.get_one(Round, first).match_id
    assert level_of(second) == level_of(first)


def test_a_round_with_another_child_does_not_change_it(mia: int) -> None:
    round_id = matches.start_match(mia)
    ended(round_id, 0)
    with write_unit():
        friend = db.session.scalars(select(Player).where(Player.seat == 1)).one()
        friend.level = None
    assert level_of(matches.start_match(mia)) == like_me().key


def test_a_level_that_an_adult_chose_is_used_as_it_is(mia: int) -> None:
    assert matches.level_for(mia, "perch") == "perch"
