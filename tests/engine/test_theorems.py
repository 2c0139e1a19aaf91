"""Provable facts about the games (docs/rules.md A1, A3, A4, A11), checked in play."""

from __future__ import annotations

from collections import Counter
from itertools import product, takewhile

import pytest

from classroom.engine.actions import Ask
from classroom.engine.events import Gave, LaidBook, Refilled, SaidGoFish
from classroom.engine.state import State
from tests.engine.tabletop import LONG, all_of, played, rules_of, steps

SEEDS = range(150 * LONG)


def _owners_from(states: list[State], start: int) -> set[int]:
    """The seats that laid books after this state."""
    before, after = states[start], states[-1]
    return {seat for seat in range(after.seats) if len(after.books[seat]) > len(before.books[seat])}


@pytest.mark.parametrize("key", ["classic", "wish_pairs"])
def test_the_seat_to_move_with_one_stock_card_left_takes_all_that_remains(key: str) -> None:
    """The last-card theorem for two seats."""
    met = 0
    for seed in SEEDS:
        states = [step.state for _, step in steps(rules_of(key), 2, seed)]
        for i, state in enumerate(states):
            if len(state.stock) == 1 and not state.over:
                met += 1
                assert _owners_from(states, i) == {state.turn}
                break
    assert met > len(SEEDS) // 4


@pytest.mark.parametrize("key", ["classic", "wish_pairs"])
def test_with_two_seats_and_an_empty_stock_every_ask_makes_a_book(key: str) -> None:
    asked = 0
    for seed in SEEDS:
        before = None
        for _, step in steps(rules_of(key), 2, seed):
            if before is not None and not before.stock:
                asked += 1
                assert len(all_of(step.events, Gave)) == 1
                assert len(all_of(step.events, LaidBook)) == 1
                assert step.state.turn in (before.turn, None)
            before = step.state
    assert asked > len(SEEDS) // 2


def test_wish_pairs_take_at_most_68_asks_and_never_miss_without_a_deck() -> None:
    """The universal ends (A11) apply here too, but never happen."""
    for seed in SEEDS:
        before, asks = None, 0
        for action, step in steps(rules_of("wish_pairs"), 2, seed):
            asks += isinstance(action, Ask)
            if before is not None and not before.stock:
                assert all_of(step.events, SaidGoFish) == []
            before = step.state
        assert before is not None
        assert asks <= 68
        assert before.ended_by == "all_booked"


def test_in_wish_pairs_the_cards_of_a_rank_in_play_are_always_even() -> None:
    for seed in SEEDS[:60]:
        for _, step in steps(rules_of("wish_pairs"), 2, seed):
            left = Counter(card[0] for card in (*step.state.in_play(), *step.state.stock))
            assert all(number % 2 == 0 for number in left.values())


def test_without_stock_both_hands_of_wish_pairs_hold_the_same_ranks() -> None:
    for seed in SEEDS[:60]:
        for _, step in steps(rules_of("wish_pairs"), 2, seed):
            if not step.state.stock:
                one, other = ({card[0] for card in hand} for hand in step.state.hands)
                assert one == other


def test_a_dead_end_of_fours_has_9_11_12_13_or_16_of_them(whole: bool) -> None:
    numbers = Counter()
    for seed in range(90 * LONG if whole else 45):
        state = played(rules_of("fours", end_declare=False), 3 + seed % 4, seed)
        if state.ended_by != "stall":
            numbers[sum(map(len, state.books))] += 1
            assert (state.ended_by == "all_booked") == (sum(map(len, state.books)) == 16)
    assert set(numbers) <= {9, 11, 12, 13, 16}
    assert min(numbers[12], numbers[13], numbers[16]) > 0


def test_every_turn_ends_and_there_are_no_more_misses_than_cards_in_the_stock() -> None:
    for seed in SEEDS[:60]:
        rules = rules_of("classic")
        misses = 0
        before = None
        for _, step in steps(rules, 4, seed):
            if before is not None and before.stock:
                misses += len(all_of(step.events, SaidGoFish))
            before = step.state
        assert misses <= 52 - 20


@pytest.mark.walk(2)
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_in_old_fish_a_turn_goes_on_only_with_a_book_of_the_askers_own_catch(seats: int) -> None:
    """O9 in random play, while the asker and another seat have cards."""
    misleading = 0
    for seed in SEEDS[:100]:
        asker = None
        for _, step in steps(rules_of("old_fish"), seats, seed):
            after = step.state
            if asker is not None and not after.over:
                first = takewhile(lambda event: not isinstance(event, Refilled), step.events)
                booked = any(book.seat == asker for book in all_of(first, LaidBook))
                caught = bool(all_of(step.events, Gave))
                keeps = caught and booked
                misleading += caught and not booked and bool(all_of(step.events, LaidBook))
                if after.hands[asker] and any(after.hands[:asker] + after.hands[asker + 1 :]):
                    assert (after.turn == asker) == keeps, (seed, after.seq)
            asker = after.turn
    assert misleading > 3


@pytest.mark.walk(4)
@pytest.mark.parametrize(
    "when", [*product(("now", "own_turn", "never"), repeat=2)][:-1], ids="-".join
)
def test_no_round_with_refills_ends_before_the_stock(when: tuple[str, str]) -> None:
    """S3: with an empty hand and a stock, a refill is due now or when the turn comes."""
    refills = {"refill_active": [when[0], 1], "refill_passive": [when[1], 2]}
    for key, seats, seed in product(("rank_pairs", "classic"), (2, 3), SEEDS[:15]):
        state = played(rules_of(key, **refills), seats, seed)
        assert (state.stock, state.ended_by) == ((), "all_booked"), (key, seats, seed)
