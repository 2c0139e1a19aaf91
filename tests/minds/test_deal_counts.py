"""Exact counts against listing: every way to put the cards into the slots, one by one."""

from __future__ import annotations

import pytest

from classroom.minds.deals.deal_counts import count
from classroom.minds.deals.draws import Apart, Model, Rule
from classroom.minds.memory.deck_facts import kinds_of
from tests.engine.tabletop import rules_of
from tests.minds.listing import fillings

KINDS = kinds_of(rules_of("make_five"))
ONE, FOUR = KINDS.number["1"], KINDS.number["4"]
POOL = (1, 2, 0, 0, 2, 0)  # a nought, two ones and two fours


def model(rules: tuple[Rule, ...] = (), apart: tuple[Apart, ...] = ()) -> Model:
    """A model with five slots, all of them of seat 1."""
    return Model(
        kinds=KINDS, seats=2, viewer=0, rows=(1,) * 5, allowed=(0b111111,) * 5, pool=POOL,
        rules=rules, apart=apart, known=((0,) * 6,) * 2,
        current=(((),) * 6, (tuple(range(5)),) * 6), exact=True,
    )  # fmt: skip


def listed(of: Model) -> int:
    """How many ways there are, by trying all of them."""
    return sum(1 for _ in fillings(of))


@pytest.mark.parametrize("spare", [(0, 0), (0, 1), (1, 0)])
@pytest.mark.parametrize("slots", [((0, 1, 2), (2, 3, 4)), ((0,), (1, 2, 3, 4))])
def test_ways_that_keep_two_classes_apart_are_counted(
    slots: tuple[tuple[int, ...], tuple[int, ...]], spare: tuple[int, int]
) -> None:
    of = model(apart=(Apart((ONE, FOUR), slots, spare),))
    counted = count(of, 10**6)
    assert counted is not None
    assert counted.total == listed(of)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (1, 2), (2, 2)])
def test_ways_within_the_limits_of_a_class_are_counted(low: int, high: int) -> None:
    of = model(rules=(Rule(ONE, (0, 1, 2), low, high),))
    counted = count(of, 10**6)
    assert counted is not None
    assert counted.total == listed(of)


def test_counting_gives_up_when_it_takes_too_long_or_the_cards_do_not_fit() -> None:
    assert count(model(), 3) is None
    assert count(model(rules=(Rule(ONE, (0, 1), 3, 3),)), 10**6) is None
