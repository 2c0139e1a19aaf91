"""The model of bounds alone has all ways to fill the rows within the bounds, and no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import factorial, prod

import pytest

from classroom.engine.observation import observe
from classroom.engine.rules import Rules
from classroom.minds.deals.spread import spread_model
from classroom.minds.memory.counts import CountMemory
from classroom.minds.memory.perfect_memory import remember
from classroom.minds.memory.sheet import Sheet
from tests.minds.deals import agreeing, tiny
from tests.minds.listing import fillings

GAMES: dict[str, tuple[Rules, int]] = {
    "three seats": (tiny(), 3),
    "books face down": (
        tiny("rank_pairs", book_size=2, visibility_books="face_down", end=["stock_out"]),
        2,
    ),
    "a card may be kept hidden": (tiny(lucky="again_may_show"), 2),
    "how many": (tiny("guru_how_many"), 2),
    "one card is given": (tiny(response="one", end=["all_booked", "stock_out"]), 2),
    "two cards set aside": (tiny(deck_lost=2, end=["all_booked", "stock_out"]), 2),
    "everybody is asked": (tiny("guru_ask_all"), 3),
}
Table = tuple[tuple[int, ...], ...]
"""How many cards of each class each row of the sheet holds."""


def tables(sheet: Sheet) -> Iterator[tuple[Table, int]]:
    """Every table of card counts that keeps to the bounds and to the totals of rows and classes,
    with the number of orders in which the uncertain cards can lie in their places."""
    rows = [list(_rows(sheet, row)) for row in range(sheet.seats + 3)]
    for table in product(*rows):
        sums = tuple(map(sum, zip(*table, strict=True)))
        if sums == tuple(sheet.left):
            yield table, prod(_orders(sheet, row, held) for row, held in enumerate(table))


def _rows(sheet: Sheet, row: int) -> Iterator[tuple[int, ...]]:
    start = row * sheet.width
    ranges = [range(sheet.low[start + c], sheet.high[start + c] + 1) for c in range(sheet.width)]
    return (held for held in product(*ranges) if sum(held) == sheet.size[row])


def _orders(sheet: Sheet, row: int, held: tuple[int, ...]) -> int:
    more = [number - sheet.low[row * sheet.width + c] for c, number in enumerate(held)]
    return factorial(sum(more)) // prod(map(factorial, more))


def memories(rules: Rules, seats: int, seed: int) -> Iterator[CountMemory]:
    memory = None
    for _, true, _ in agreeing(rules, seats, seed % seats, seed):
        if true.over:
            return
        memory = remember(observe(true, seed % seats), memory)
        assert isinstance(memory, CountMemory)
        yield memory


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_holds_a_number_of_a_class_in_as_many_ways_as_by_listing(name: str) -> None:
    compared = 0
    for memory in (memory for seed in range(8) for memory in memories(*GAMES[name], seed)):
        model, sheet = spread_model(memory), memory.settled
        assert not model.exact
        assert model.exact_pool
        assert (model.kinds, model.viewer, model.seats) == (
            memory.kinds,
            memory.viewer,
            sheet.seats,
        )
        cells = [(seat, c) for seat in range(sheet.seats) for c in range(sheet.width)]
        listed: Counter[tuple[int, int, int]] = Counter()
        for table, ways in tables(sheet):
            for seat, class_ in cells:
                listed[seat, class_, table[seat][class_]] += ways
        found: Counter[tuple[int, int, int]] = Counter()
        for contents in fillings(model):
            for seat, class_ in cells:
                slots = model.current[seat][class_]
                assert all(model.rows[slot] == seat for slot in slots)
                number = sum(contents[slot] == class_ for slot in slots)
                found[seat, class_, model.known[seat][class_] + number] += 1
        assert found == listed, (name, memory.taken)
        compared += len(found)
    assert compared > 100


def test_the_places_of_the_stock_come_last_and_count_as_the_stock() -> None:
    """Only what is in hands matters; sampling leaves slots of the stock alone."""
    for memory in memories(*GAMES["two cards set aside"], 1):
        model, sheet = spread_model(memory), memory.settled
        stock = sheet.size[sheet.stock] - sum(
            sheet.low[sheet.stock * sheet.width : (sheet.stock + 1) * sheet.width]
        )
        assert model.rows.count(sheet.stock) == stock
        assert set(model.rows[len(model.rows) - stock :]) <= {sheet.stock}


def test_only_limits_that_can_bind_become_rules() -> None:
    """Each rule costs time in every step of sampling."""
    rules = [
        rule
        for memory in memories(*GAMES["books face down"], 2)
        for rule in spread_model(memory).rules
    ]
    assert rules
    assert all(0 < rule.high < len(rule.slots) and rule.low == 0 for rule in rules)
