"""A memory misses nothing: on tiny decks its bounds are the fewest and most cards in any agreeing
deal (docs/rules.md A10)."""

from __future__ import annotations

import pytest

from classroom.engine import observe
from classroom.engine.rules import Rules
from classroom.minds.memory.by_class import CountMemory
from classroom.minds.memory.perfect_memory import remember
from tests.minds.deals import agreeing, all_deals, counts, tiny

GAMES: dict[str, tuple[Rules, int]] = {
    "three seats": (tiny(), 3),
    "two seats": (tiny(deal=3), 2),
    "a larger pond": (tiny(), 2),
    "the refuser is next": (tiny("guru"), 3),
    "a card may be kept hidden": (tiny(lucky="again_may_show"), 2),
    "a lucky card ends the turn": (tiny(lucky="ends"), 2),
    "everybody is asked": (tiny("guru_ask_all"), 3),
    "how many": (tiny("guru_how_many"), 2),
    "one card is given": (tiny(response="one", end=["all_booked", "stock_out"]), 2),
    "books face down": (tiny(visibility_books="face_down"), 3),
    "two cards set aside": (tiny(deck_lost=2, end=["all_booked", "stock_out"]), 2),
    "refilled in its own turn": (
        tiny(refill_active=["own_turn", 1], refill_passive=["own_turn", 1]),
        3,
    ),
    "pairs of three": (tiny("rank_pairs", book_size=2, end=["stock_out"]), 2),
    "pairs and singles": (tiny("guru_threes", book_size=2), 2),
}


def test_nine_cards_of_three_classes_have_1680_shuffles() -> None:
    assert len(all_deals(*GAMES["three seats"])) == 1_680


def compare(rules: Rules, seats: int, seed: int) -> int:
    """Follow a round and compare every cell with all agreeing deals. Returns the number of
    cells."""
    viewer, memory, cells = seed % seats, None, 0
    for _, true, same in agreeing(rules, seats, viewer, seed):
        if true.over:
            break
        memory = remember(observe(true, viewer), memory)
        assert isinstance(memory, CountMemory)
        for class_ in true.setup.deck.classes:
            for seat in {*range(seats)} - {viewer}:
                held = [counts(state, seat)[class_] for state in same]
                assert memory.bounds(seat, class_) == (min(held), max(held)), (seed, true.seq)
            left = [sum(card[0] == class_ for card in state.stock) for state in same]
            assert memory.bounds(memory.sheet.stock, class_) == (min(left), max(left)), (
                seed,
                true.seq,
            )
            cells += seats
    return cells


def test_the_bounds_are_exact_in_every_cell_of_the_classic_game() -> None:
    cells = sum(compare(*GAMES["three seats"], seed) for seed in range(20))
    assert cells == 1_134


@pytest.mark.walk(4)
@pytest.mark.parametrize("name", GAMES)
def test_the_bounds_are_exact_in_every_cell(name: str) -> None:
    assert sum(compare(*GAMES[name], seed) for seed in range(5)) > 10


def test_a_card_that_was_not_shown_completes_no_book_of_the_class_asked_for() -> None:
    """The seat may have lacked one card of either of two books. The one it laid face down is not of
    the class it had asked for, because it would have shown that card."""
    assert compare(*GAMES["books face down"], seed=524) > 10


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_bounds_are_exact_in_every_cell_of_many_rounds(name: str) -> None:
    assert sum(compare(*GAMES[name], seed) for seed in range(1_000)) > 2_000
