"""What a child remembers: one estimate from play and questions, whose range holds the truth."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

from classroom.learning.estimates import (
    KEPT_FACTS,
    LATEST,
    Recalled,
    Share,
    memory_of,
    recalled,
    shares,
    takes_less,
)
from classroom.learning.evidence import Evidence
from classroom.learning.levels import Level, level_of
from classroom.learning.tracks import Track, tracks_of
from tests.learning.rows import row, rows, track
from tests.learning.size import many
from tools.proof import memory
from tools.proof.lines import seeded
from tools.proof.rounds import EMPTY, Player
from tools.simulate import remembered


def fact(right: bool, lag: int, luck: float = 0.1, **how: object) -> Recalled:
    return Recalled(0, True, lag, luck, right)._replace(**how)


def played(right: int, n: int, lag: int, **how: object) -> list[Evidence]:
    return rows(right, n, skill="recall_ask", source="play", lag=lag, options=8, **how)


def seen(found: list[Evidence], today: int = 5) -> Level:
    return level_of(track(found, "recall"), "6-7", today)


# ---- what counts


def test_only_what_was_done_without_help_counts() -> None:
    assert recalled(row("recall_ask", source="play", lag=4)) is not None
    assert recalled(row("what_asked", lag=4)) is not None
    for not_counted in (
        row("recall_ask", source="play", lag=4, board="peek"),
        row("recall_ask", source="play", trial="new"),  # as in rows of 0.2
        row("recall_ask", source="play", lag=4, luck=0.5),
        row("what_asked", lag=4, board="open"),
        row("what_asked", lag=4, practice=True),
        row("what_asked", lag=4, answered=False),
        row("what_asked"),
    ):
        assert recalled(not_counted) is None


def test_a_question_says_what_it_was_about() -> None:
    found = recalled(row("who_asked", False, trial="old", lag=4, overlap=True, day=3))
    assert found == Recalled(3, False, 4, 0.25, False, nobody=True, mixed_up=True, overlap=True)
    assert recalled(row("who_asked", trial="new", lag=None)) == Recalled(
        0, False, 0, 0.25, True, nobody=True
    )


# ---- the estimate


def test_the_half_life_is_where_half_is_left() -> None:
    half_right = [fact(i % 2 == 0, 6, 0.0001, play=False) for i in range(LATEST)]
    assert memory_of(half_right).half == pytest.approx(6.0, rel=0.1)


@given(st.integers(0, 59), st.integers(1, 25), st.booleans())
def test_more_right_is_longer_and_the_range_holds_the_middle(
    right: int, lag: int, play: bool
) -> None:
    less, more = (
        memory_of([fact(i < n, lag, play=play) for i in range(LATEST)]) for n in (right, right + 1)
    )
    assert play or less.half < more.half  # in play it may use more of what it knows instead
    assert 0 < less.low < less.half < less.high


def test_a_child_that_uses_half_of_what_it_knows_may_remember_long() -> None:
    """Play alone cannot tell it from one that forgets soon; questions can."""
    half = [fact(i % 2 == 0, 3) for i in range(20)]
    knows = [fact(True, 8, 0.25, play=False) for _ in range(8)]
    assert memory_of(half).high > 20
    assert memory_of([*half, *knows]).half > 3 * memory_of(half).half


def test_who_always_names_somebody_is_right_by_luck_more_often() -> None:
    old = [fact(i < 5, 8, 0.25, play=False, nobody=True) for i in range(10)]
    new = [fact(False, 0, 0.25, play=False, nobody=True) for _ in range(6)]
    names = memory_of([*old, *new])
    never = memory_of([*old, *(one._replace(right=True) for one in new)])
    assert names.half < never.half


def test_only_the_newest_count() -> None:
    old, new = [fact(False, 2)] * 100, [fact(True, 2)] * LATEST
    assert memory_of([*old, *new]) == memory_of(new)


# ---- said


def test_below_ten_nothing_is_said_and_from_ten_on_a_range_with_its_n() -> None:
    few = seen(played(9, 9, 2))
    assert (few.shown, few.standing) == (False, "none")
    level = seen([*played(12, 12, 2), *played(3, 6, 8, start=100)])
    assert (level.shown, level.standing, level.n) == (True, "open", 18)
    low, high = level.between
    assert low <= level.about <= high
    assert level.taken == (Share(12, 12), Share(3, 6))
    assert (level.right, level.recent) == (15, 18)


def test_a_range_that_says_next_to_nothing_is_not_said() -> None:
    assert not seen(played(6, 12, 1)).shown


def test_what_is_said_is_not_longer_ago_than_anything_that_was_right() -> None:
    assert seen(played(40, 40, 3)).about == 3
    assert seen(played(0, 40, 3)).about == 0


def test_help_from_the_board_says_nothing() -> None:
    found = seen(played(30, 30, 3, board="peek"))
    assert (found.shown, found.n, found.recent) == (False, 0, 0)


def test_after_four_weeks_it_is_stale() -> None:
    found = played(20, 20, 2, day=3)
    assert not seen(found, 30).stale
    assert seen(found, 31).stale
    assert seen(found, 31).standing == "open"


def test_an_answer_of_a_day_of_guessing_does_not_count_but_play_does() -> None:
    play = [row("recall_ask", source="play", lag=2, day=4, at=4e5)]
    fast = rows(0, 8, skill="what_asked", lag=2, day=4, latency_ms=300, start=100)
    one = track([*play, *fast], "recall")
    assert len(one.settled().recalled) == 9
    assert [item.play for item in one.settled(kept=False).recalled] == [True]
    later = tracks_of([*play, *fast, row("how_many", day=5, at=5e5)])["recall"]
    assert [item.play for item in later.settled().recalled] == [True]


def test_a_track_keeps_the_newest_and_comes_back_from_json() -> None:
    one = track(played(KEPT_FACTS, KEPT_FACTS + 20, 2), "recall")
    assert len(one.recalled) == KEPT_FACTS
    assert Track.from_json("recall", one.to_json()) == one


# ---- counts


def test_hits_and_false_alarms_are_separate() -> None:
    old = {"skill": "who_asked", "trial": "old", "lag": 4}
    found = track(
        [
            *rows(12, 16, **old),
            *rows(0, 3, **old, nobody=True, start=50),
            *rows(7, 10, skill="who_asked", trial="new", start=100),
            *rows(5, 9, skill="what_asked", lag=8, overlap=True, start=200),
        ],
        "recall",
    )
    counted = shares(found.recalled)
    assert counted["questions: hits"] == Share(12, 19)
    assert counted["questions: named somebody else"] == Share(4, 19)
    assert counted["questions: false alarms"] == Share(3, 10)
    assert counted["questions: asked for by two"] == Share(5, 9)
    assert counted["questions: asked for by one"] == Share(12, 19)


# ---- beside the class


@pytest.mark.parametrize(("right", "n", "less"), [(4, 15, True), (8, 15, False), (15, 15, False)])
def test_less_than_the_others_is_said_only_if_that_is_sure(right: int, n: int, less: bool) -> None:
    assert takes_less([Share(right, n)], [Share(88, 107)]) == less


def test_facts_are_compared_with_those_of_the_same_age() -> None:
    """A child that only met old facts, which are hardly remembered, does not take less."""
    others = [Share(90, 100), Share(10, 50)]
    assert takes_less([Share(4, 20), Share(0, 0)], others)
    assert not takes_less([Share(0, 0), Share(4, 20)], others)


# ---- children of known memory


@pytest.mark.walk(7)
@pytest.mark.parametrize("player", [*memory.USUAL, *memory.OTHERS], ids=lambda player: player.name)
def test_the_range_holds_the_truth(player: Player) -> None:
    found = [memory.seen(player, number, seeded) for number in range(many(3, 40))]
    shown = [one for one in found if one.level.shown]
    assert sum(map(memory.holds, shown)) >= len(shown) - many(1, 5)


def test_a_child_that_peeks_before_each_ask_is_not_said_to_remember() -> None:
    rows_ = Player("peeks", EMPTY, 0, peeks=1.0).rounds(3, Random(4))
    assert not any(one.how == "alone" and one.source == "play" for one in rows_)


def test_the_curve_of_forgetting() -> None:
    assert remembered(5, 5) == pytest.approx(0.5)
    assert remembered(3, 6, 0.5) == pytest.approx(0.5 + 0.5 * 2**-0.5)
