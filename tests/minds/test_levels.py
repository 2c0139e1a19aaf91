"""The levels, and "like me", which follows a child until the child wins its fair share."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import log2

import pytest

from classroom.engine.rules import Rules
from classroom.games import GAMES
from classroom.minds.playing.forgetting import (
    LEVELS,
    LONGEST,
    SHORTEST,
    STEP,
    UNKNOWN,
    PlayerLevel,
    Result,
    level_of,
    like_me,
)
from tests.minds.arena import RANDOM, played, won

WON, LOST = Result(4, 1), Result(4, 0)


def half_life(level: PlayerLevel) -> float:
    """The number of asks after which the player still remembers half of what it heard."""
    return float(level.key.split()[1]) if level.perfect else -1 / log2(1 - level.decay)


def child(half: float, slip: float) -> PlayerLevel:
    """A child with this recall span that moves without thinking in a share `slip` of its turns."""
    return replace(LEVELS["minnow"], span=None, decay=1 - 2 ** (-1 / half), slip=slip)


def test_each_level_remembers_more_than_the_one_before_it() -> None:
    spans = [float("inf") if level.span is None else level.span for level in LEVELS.values()]
    assert spans == sorted(spans)
    decays = [level.decay for level in LEVELS.values()]
    assert decays == sorted(decays, reverse=True)
    assert [level.perfect for level in LEVELS.values()] == [False, False, False, True]


def test_like_me_begins_at_the_measured_recall() -> None:
    assert half_life(like_me(half=6)) == pytest.approx(6)
    assert half_life(like_me()) == pytest.approx(UNKNOWN)


def test_the_less_is_known_the_easier_like_me_begins() -> None:
    starts = [half_life(like_me(half=8, low=low)) for low in (8, 4, 2, 1)]
    assert starts == sorted(starts, reverse=True)
    assert starts[-1] < 8 / 2


def test_a_child_that_wins_meets_a_better_memory_and_one_that_loses_a_worse() -> None:
    middle = half_life(like_me(half=4))
    assert half_life(like_me([WON], half=4)) > middle > half_life(like_me([LOST], half=4))
    assert like_me([WON], half=4).slip < like_me([LOST], half=4).slip


def test_fair_results_leave_like_me_where_it_is() -> None:
    for seats in (2, 3, 4):
        fair = [Result(seats, 1 / seats)] * 50
        assert like_me(fair, half=5) == like_me(half=5)
    assert half_life(like_me([WON, LOST, LOST, LOST] * 9, half=5)) == pytest.approx(5, rel=0.01)


def test_like_me_moves_by_less_than_an_octave_a_round_and_stays_in_its_range() -> None:
    for result, end in ((WON, LONGEST), (LOST, SHORTEST)):
        levels = [like_me([result] * n, half=5) for n in range(60)]
        lives = [half_life(level) for level in levels]
        assert all(1 / 2**STEP <= b / a <= 2**STEP for a, b in pairwise(lives))
        assert lives[-1] == pytest.approx(end, rel=0.01)
        assert 0 <= levels[-1].decay < 1
        assert 0 <= levels[-1].slip < 1
        assert levels[-1].perfect == (result is WON)


def test_a_level_can_be_restored_from_its_key() -> None:
    for half in (0.01, 0.3, 1, 3.14159, 47, 1e6):
        level = like_me([WON, LOST], half=half)
        assert level_of(level.key) == level
        assert len(level.key) <= 20  # the length of its column
    for key, level in LEVELS.items():
        assert level_of(key) is level


@pytest.mark.parametrize("key", ["", "like_me", "like_me x", "carp", "minnow 3"])
def test_an_unknown_key_is_an_error(key: str) -> None:
    with pytest.raises(KeyError):
        level_of(key)


def share_of_wins(
    rules: Rules, kid: PlayerLevel | None, half: float | None, seats: int, rounds: int
) -> float:
    """The share of rounds that a child wins among computer players that are "like me"."""
    results: list[Result] = []
    for number in range(rounds):
        table: list[PlayerLevel | None] = [like_me(results, half)] * seats
        seat = number % seats
        table[seat] = kid
        results.append(Result(seats, won(played(rules, table, number), seat)))
    return sum(result.won for result in results) / rounds


CHILDREN = {
    "asks at random": (RANDOM, None),
    "forgets at once": (child(1, 0.5), 1.0),
    "remembers two asks": (child(2, 0.3), None),
    "remembers five asks": (child(5, 0.1), 5.0),
    "remembers twenty asks": (child(20, 0.02), None),
    "remembers everything": (LEVELS["dolphin"], 100.0),
}


@pytest.mark.parametrize("name", ["forgets at once", "remembers twenty asks"])
def test_a_child_among_companions_like_itself_wins_its_fair_share(name: str) -> None:
    kid, half = CHILDREN[name]
    small = GAMES["classic"].rules.changed(deck_ranks="A234567")
    assert share_of_wins(small, kid, half, seats=4, rounds=80) == pytest.approx(0.25, abs=0.08)


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", CHILDREN)
def test_children_of_very_different_memory_win_their_fair_share_over_a_term(
    name: str, seats: int
) -> None:
    """With two seats luck decides more, so the level can do less to even out the wins."""
    kid, half = CHILDREN[name]
    near = 0.08 if seats == 2 else 0.05
    found = share_of_wins(GAMES["classic"].rules, kid, half, seats, rounds=240)
    assert found == pytest.approx(1 / seats, abs=near)
