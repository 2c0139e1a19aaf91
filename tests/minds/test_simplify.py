"""A simplified model has the same deals as before, with no more slots than needed."""

from __future__ import annotations

from random import Random

import pytest

from classroom.minds.deals.deal_counts import count
from classroom.minds.deals.simplify import simplified
from tests.learning.size import many
from tests.minds.listing import KINDS, drawn, fillings, hands


@pytest.mark.parametrize("chunk", range(4))
def test_a_simplified_model_has_the_same_hands_equally_often(chunk: int) -> None:
    fewer = 0
    for number in range(chunk, many(1_200, 20_000), 4):
        model = drawn(Random(number))
        plain, before = simplified(model), hands(model)
        assert before
        assert hands(plain) == before, number
        assert (plain.kinds, plain.seats, plain.viewer, plain.exact) == (KINDS, 3, 0, True)
        fewer += len(plain.rows) < len(model.rows)
    assert fewer > 50


def test_what_is_certain_is_no_slot_any_more() -> None:
    for number in range(many(600, 5_000)):
        plain = simplified(drawn(Random(number)))
        open_ = sum(1 << class_ for class_, left in enumerate(plain.pool) if left)
        assert sum(plain.pool) == len(plain.rows)
        for allowed in plain.allowed:
            assert (allowed & open_).bit_count() > 1, number
        for class_, left in enumerate(plain.pool):
            places = sum(allowed >> class_ & 1 for allowed in plain.allowed)
            assert not left or places > left, number


def test_no_rule_is_kept_that_says_nothing_or_all_about_its_slots() -> None:
    """Each rule costs time at every step of sampling."""
    for number in range(many(600, 5_000)):
        plain = simplified(drawn(Random(number)))
        assert len({(rule.class_, rule.slots) for rule in plain.rules}) == len(plain.rules)
        for rule in plain.rules:
            most = min(len(rule.slots), plain.pool[rule.class_])
            assert rule.low > 0 or rule.high < most, number
            assert rule.high > 0
            assert rule.low < len(rule.slots)
        for pair in plain.apart:
            assert min(pair.spare) >= 0  # else the other class has a limit instead
            assert all(len(s) > spare for s, spare in zip(pair.slots, pair.spare, strict=True))


def test_the_deals_of_a_simplified_model_are_counted() -> None:

    counted = 0
    for number in range(many(600, 5_000)):
        plain = simplified(drawn(Random(number)))
        found = count(plain, 10**6)
        listed = sum(1 for _ in fillings(plain))
        assert (found.total if found else 0) == listed, number
        counted += listed > 1
    assert counted > 50
