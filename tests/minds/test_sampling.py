"""Deals from the Markov chain: how far apart they are, and how many there are."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from classroom.minds.deals.sampling import Frame, deals, frame_of
from tests.minds.listing import drawn, fillings, holds

FREE = Frame(allowed=(0b11,) * 6, pool=(3, 3), limits=(), moving=(0, 1, 2))


class Counting(Random):
    """Random numbers that count how many were drawn; each step of the chain begins by drawing
    two."""

    def __init__(self) -> None:
        super().__init__(1)
        self.drawn = 0

    def random(self) -> float:
        self.drawn += 1
        return super().random()


@pytest.mark.parametrize(("apart", "number"), [(1, 400), (4, 100), (10, 40)])
def test_between_two_deals_there_are_so_many_steps_for_each_moving_slot(
    apart: int, number: int
) -> None:
    assert sum(1 for _ in deals(FREE, Random(1), 1200, 10_000, apart=apart)) == number


def test_steps_that_are_far_apart_draw_more_random_numbers() -> None:
    drawn = []
    for apart in (1, 6):
        rng = Counting()
        assert sum(1 for _ in deals(FREE, rng, 10**6, 50, apart=apart)) == 50
        drawn.append(rng.drawn)
    assert drawn[1] > 4 * drawn[0]


def test_if_no_slot_moves_the_only_deal_comes_once() -> None:
    still = Frame(allowed=(0b01, 0b10), pool=(1, 1), limits=(), moving=())
    assert [list(one) for one in deals(still, Random(1), 100, 10)] == [[0, 1]]


def test_every_deal_of_free_slots_comes_equally_often() -> None:
    first = [contents[0] for contents in deals(FREE, Random(2), 60_000, 4_000, apart=5)]
    assert sum(first) / len(first) == pytest.approx(0.5, abs=0.04)


def test_three_slots_are_exchanged_in_both_directions_alike() -> None:
    """Of two contents each, no two slots can exchange theirs: only all three can, round and back.
    If one direction were tried more often, its deal would come in two thirds of the cases."""
    ring = Frame(allowed=(0b011, 0b110, 0b101), pool=(1, 1, 1), limits=(), moving=(0, 1, 2))
    found = Counter(tuple(one) for one in deals(ring, Random(3), 600_000, 4_000, apart=50))
    assert set(found) == {(0, 1, 2), (1, 2, 0)}
    assert found[0, 1, 2] / found.total() == pytest.approx(0.5, abs=0.04)


def test_before_the_first_deal_there_are_twelve_steps_for_each_moving_slot() -> None:
    rng = Counting()
    assert sum(1 for _ in deals(FREE, rng, 10**6, 1)) == 1
    steps = 3 * 12 + 3  # each of them draws two to four numbers
    assert 2 * steps <= rng.drawn <= 4 * steps


def test_every_deal_keeps_to_all_that_is_known() -> None:
    compared = 0
    for number in range(200):
        model, rng = drawn(Random(number)), Random(number)
        for contents in deals(frame_of(model), rng, 400, 20):
            assert holds(model, contents), number
            assert all(may >> c & 1 for may, c in zip(model.allowed, contents, strict=True))
            assert [contents.count(c) for c in range(len(model.pool))] == list(model.pool)
            compared += 1
    assert compared > 1_000


def test_all_deals_that_limits_allow_come_about_equally_often() -> None:
    compared = 0
    for number in range(300):
        model = drawn(Random(number))
        listed = [tuple(contents) for contents in fillings(model)]
        moving = frame_of(model).moving
        if not (model.rules and 1 < len(listed) <= 12 and len(moving) == len(model.rows)):
            continue
        found = Counter(map(tuple, deals(frame_of(model), Random(number), 10**6, 400, apart=6)))
        if len(found) < len(listed):
            continue  # no exchange of two or three cards leads from some deals to others
        compared += 1
        for contents in listed:
            assert found[contents] / 400 == pytest.approx(1 / len(listed), abs=0.12), number
    assert compared > 20
