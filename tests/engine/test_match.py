"""Matches over several rounds."""

from __future__ import annotations

import random

import pytest

from classroom.engine import deal, scores, winners
from classroom.engine.scoring import after_round, new_match
from tests.engine.tabletop import played, rules_of


def test_without_a_target_a_match_is_one_round_with_its_winners() -> None:
    match = after_round(new_match(rules_of("classic"), 3, dealer=1), (4, 4, 5), (2,))
    assert (match.over, match.winners, match.rounds) == (True, (2,), 1)
    shared = after_round(new_match(rules_of("guru"), 2, dealer=1), (4, 4), (0, 1))
    assert shared.winners == (0, 1)


def test_the_deal_passes_clockwise() -> None:
    match = new_match(rules_of("guru_points"), 3, dealer=1)
    dealers = []
    for _ in range(4):
        dealers.append(match.dealer)
        match = after_round(match, (1, 1, 1), (0, 1, 2))
    assert dealers == [1, 2, 0, 1]


def test_totals_can_go_down_again() -> None:
    rules = rules_of("guru_deduct", match_target=5)
    match = after_round(new_match(rules, 2, dealer=0), (4, -3), (0,))
    match = after_round(match, (-2, 4), (1,))
    assert (match.totals, match.over) == ((2, 1), False)


def test_the_target_is_looked_at_after_the_round_and_the_highest_total_wins() -> None:
    match = new_match(rules_of("guru_points", match_target=10), 3, dealer=0)
    match = after_round(match, (9, 9, 2), (0, 1))
    match = after_round(match, (2, 4, 0), (1,))
    assert match.winners == (1,)


def test_a_tie_at_the_top_means_another_round() -> None:
    match = new_match(rules_of("guru_points", match_target=10), 3, dealer=0)
    match = after_round(match, (10, 10, 0), (0, 1))
    assert not match.over
    assert after_round(match, (0, 0, 11), (2,)).winners == (2,)


def test_fours_can_be_counted_over_rounds() -> None:
    rules = rules_of("fours", match_target=16)  # four fours, four cards each
    match = after_round(new_match(rules, 3, dealer=0), (12, 8, 4), (0,))
    assert not match.over
    assert after_round(match, (4, 12, 0), (1,)).winners == (1,)


@pytest.mark.parametrize("key", ["guru_points", "old_fish"])
def test_a_match_of_random_rounds_ends(key: str) -> None:
    rules = rules_of(key)
    match = new_match(rules, 3, dealer=0)
    rng = random.Random(1)
    while not match.over:
        state = played(rules, 3, rng.randrange(10**6))
        match = after_round(match, scores(state), winners(state))
        assert match.rounds < 200
    (winner,) = match.winners
    assert match.totals[winner] == max(match.totals) >= (rules.match_target or 0)


def test_a_dealer_of_the_next_round_is_a_seat_of_the_table() -> None:
    match = after_round(new_match(rules_of("guru_points"), 3, dealer=2), (1, 2, 3), (2,))
    deck = list(played(rules_of("guru_points"), 3, 1).setup.deck.cards)
    assert deal(match.rules, 3, match.dealer, deck).state.turn == 1
