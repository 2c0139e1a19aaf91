"""The figures of docs/rules.md for random play (A2, A12, OA1), with fixed seeds and a wide
tolerance."""

from __future__ import annotations

from statistics import mean

import pytest

from classroom.engine import winners
from tests.engine.tabletop import LONG, played, rules_of

ROUNDS = 150 * LONG


@pytest.mark.walk(3)
@pytest.mark.parametrize(
    ("key", "seats", "asks", "tolerance"),
    [
        ("classic", 2, 55.2, 1.0),
        ("classic", 3, 63.0, 2.0),
        ("classic", 4, 70.6, 3.0),
        ("classic", 6, 95.4, 5.0),
        ("wish_pairs", 2, 52.6, 1.0),
    ],
)
def test_the_mean_number_of_asks(key: str, seats: int, asks: float, tolerance: float) -> None:
    numbers = [played(rules_of(key), seats, seed).seq for seed in range(ROUNDS)]
    assert mean(numbers) == pytest.approx(asks, abs=tolerance)


@pytest.mark.walk(3)
@pytest.mark.parametrize(("seats", "share"), [(2, 0.513), (3, 0.322), (4, 0.261)])
def test_the_first_seat_has_next_to_no_advantage(seats: int, share: float) -> None:
    """The seat left of the dealer wins its share of the rounds; a tied win is split."""
    won = 0.0
    for seed in range(2 * ROUNDS):
        state = played(rules_of("classic", tie="shared"), seats, seed)
        best = winners(state)
        won += ((seed + 1) % seats in best) / len(best)
    assert won / (2 * ROUNDS) == pytest.approx(share, abs=0.07)


def test_the_base_end_of_doc_001_leaves_few_books_at_a_large_table() -> None:
    six = [played(rules_of("guru"), 6, seed) for seed in range(ROUNDS)]
    assert mean(sum(map(len, state.books)) for state in six) == pytest.approx(1.2, abs=0.4)
    two = [played(rules_of("guru"), 2, seed) for seed in range(ROUNDS)]
    assert {state.ended_by for state in two} == {"hand_empty"}
    assert mean(sum(map(len, state.books)) for state in two) == pytest.approx(11.4, abs=0.4)


def test_wild_jokers_reach_24_books_in_less_than_half_of_the_rounds() -> None:
    states = [played(rules_of("old_fish", deck_joker="wild"), 3, seed) for seed in range(ROUNDS)]
    share = mean(sum(map(len, state.books)) == 24 for state in states)
    assert 0.15 < share < 0.45
