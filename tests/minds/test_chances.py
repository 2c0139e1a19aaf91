"""Chances: as all deals have them, within the error of a sample; certain where memory is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb, factorial, prod, sqrt
from random import Random

import pytest

from classroom.engine import observe
from classroom.engine.actions import Ask
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.games import GAMES
from classroom.minds.chances import STEPS, Pair, Unseen, chances
from classroom.minds.memory.by_class import CountMemory, Sheet
from classroom.minds.memory.perfect_memory import plain_asks, remember, targets
from tests.engine.tabletop import dealt, rules_of, steps
from tests.minds.deals import agreeing, counts, tiny

TINY: dict[str, tuple[Rules, int]] = {
    "three seats": (tiny(), 3),
    "two seats": (tiny(deal=3), 2),
    "a card may be kept hidden": (tiny(lucky="again_may_show"), 2),
    "everybody is asked": (tiny("guru_ask_all"), 3),
    "how many": (tiny("guru_how_many"), 2),
    "two cards set aside": (tiny(deck_lost=2, end=["all_booked", "stock_out"]), 2),
}
HIDDEN: dict[str, tuple[Rules, int]] = {
    "books face down": (
        tiny("rank_pairs", book_size=2, visibility_books="face_down", end=["stock_out"]),
        2,
    ),
}


def asking(rules: Rules, seats: int, seed: int) -> Iterator[Observation]:
    """The view of the seat to move, before each ask of a random round."""
    for _, step in steps(rules, seats, seed):
        if step.state.turn is not None and step.state.phase == "ask":
            yield observe(step.state, step.state.turn)


def near(chance: float, sample: int) -> float:
    """How far a chance from a sample may be from the true one: neighbouring worlds of the chain are
    alike, so the error is as large as with a quarter as many independent ones."""
    return 4 * sqrt(chance * (1 - chance) / max(sample / 4, 1)) + 0.02


@pytest.mark.walk(6)
@pytest.mark.parametrize("name", TINY)
def test_chances_agree_with_all_deals_within_the_error_of_the_sample(name: str) -> None:
    rules, seats = TINY[name]
    compared = 0
    for seed in range(12):
        viewer = seed % seats
        for _, true, same in agreeing(rules, seats, viewer, seed):
            if true.turn != viewer or true.phase != "ask":
                continue
            seen = observe(true, viewer)
            odds = chances(seen, remember(seen))
            for (target, class_), chance in odds.by_ask.items():
                at = targets(seen, Ask(target, class_))
                found = sum(any(counts(state, s)[class_] for s in at) for state in same) / len(same)
                assert abs(chance - found) <= near(found, odds.sample), (seed, true.seq, class_)
                assert (chance in (0, 1)) >= (found in (0, 1))
                compared += 1
    assert compared > 12


def tables(sheet: Sheet) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
    """Every table of card counts, by row and class, that keeps to the bounds and to the totals,
    with the number of orders in which the uncertain cards can lie in their places."""
    width = sheet.width
    rows = []
    for row, size in enumerate(sheet.size):
        cells = range(row * width, (row + 1) * width)
        ranges = [range(sheet.low[cell], sheet.high[cell] + 1) for cell in cells]
        rows.append([held for held in product(*ranges) if sum(held) == size])
    for table in product(*rows):
        if tuple(map(sum, zip(*table, strict=True))) == tuple(sheet.left):
            more = [[n - sheet.low[row * width + c] for c, n in enumerate(held)]
                    for row, held in enumerate(table)]  # fmt: skip
            yield table, prod(factorial(sum(m)) // prod(map(factorial, m)) for m in more)


@pytest.mark.parametrize("name", HIDDEN)
def test_where_books_are_hidden_all_ways_to_fill_the_bounds_are_equally_likely(name: str) -> None:
    """The draws of these games cannot be listed one by one."""
    rules, seats = HIDDEN[name]
    compared = 0
    for seen in (seen for seed in range(12) for seen in asking(rules, seats, seed)):
        memory = remember(seen)
        assert isinstance(memory, CountMemory)
        if not memory.veiled_classes():
            continue
        odds = chances(seen, memory)
        listed = list(tables(memory.settled))
        total = sum(ways for _, ways in listed)
        for (target, class_), chance in odds.by_ask.items():
            assert isinstance(target, int)
            number = memory.kinds.number[class_]
            found = sum(ways for table, ways in listed if table[target][number]) / total
            assert abs(chance - found) <= near(found, odds.sample)
            compared += 1
    assert compared > 5


class Bare(Unseen):
    """Slots that stand for no hand."""

    def held(self, seat: int, class_: str) -> tuple[int, list[Pair]]:
        raise NotImplementedError


class Drawn(Bare):
    """At most seven slots and three contents, with limits that at least one deal keeps to."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        deal = rng.choices(range(3), k=rng.randint(2, 7))
        self.rows = [0] * len(deal)
        self.allowed = [1 << one | rng.choice((0, 0b111, 1 << rng.randrange(3))) for one in deal]
        self.pool = [deal.count(content) for content in range(3)]
        for number in range(rng.randint(0, 4)):
            content = rng.randrange(3)
            pairs = [(s, content) for s in range(len(deal)) if rng.random() < 0.6]
            true = sum(deal[slot] == content for slot, _ in pairs)
            self.limits[number] = (pairs, true - rng.randint(0, 1), true + rng.randint(0, 2))

    def deals(self) -> list[tuple[int, ...]]:
        """All deals that keep to the limits."""
        return [
            contents
            for contents in product(range(3), repeat=len(self.rows))
            if [contents.count(content) for content in range(3)] == self.pool
            and all(may >> one & 1 for may, one in zip(self.allowed, contents, strict=True))
            and all(
                low <= sum(contents[slot] == content for slot, content in pairs) <= high
                for pairs, low, high in self.limits.values()
            )
        ]


def test_all_deals_that_the_limits_allow_come_about_equally_often_and_no_others() -> None:
    compared = 0
    for seed in range(150):
        unseen = Drawn(Random(seed))
        deals = unseen.deals()
        found = Counter(tuple(world) for world in unseen.worlds(Random(seed), STEPS))
        assert set(found) == set(deals), seed
        total = sum(found.values())
        for number in found.values():
            share = 1 / len(deals)
            assert abs(number / total - share) <= near(share, total), seed
        compared += len(deals) > 1
    assert compared > 40


def test_where_no_slot_outside_the_stock_is_unsure_there_is_one_world() -> None:
    unseen = Bare()
    unseen.rows, unseen.allowed, unseen.pool = [4, 4], [3, 3], [1, 1]
    unseen.resting = frozenset((4,))
    assert [sorted(world) for world in unseen.worlds(Random(1), STEPS)] == [[0, 1]]


@pytest.mark.walk(5)
@pytest.mark.parametrize("key", ["classic", "rank_pairs", "fours", "guru_exact_card", "make_ten"])
def test_ten_times_the_steps_hardly_change_a_chance(key: str) -> None:
    compared = 0
    for seen in list(asking(rules_of(key), 3, 2))[2::9][:5]:
        few, many = (chances(seen, remember(seen), number) for number in (STEPS, STEPS * 10))
        for ask, chance in many.by_ask.items():
            assert abs(few.by_ask[ask] - chance) <= near(chance, few.sample) + 0.03, (seen.seq, ask)
            compared += chance not in (0, 1)
    assert compared > 10


@pytest.mark.walk(9)
@pytest.mark.parametrize("key", GAMES)
def test_asks_catch_as_often_as_their_chances_say_where_all_ask_at_random(
    key: str, whole: bool
) -> None:
    """Of each position one ask is drawn. Where draws cannot be listed, chances are a bit off."""
    expected, caught, spread, rng = 0.0, 0, 0.0, Random(1)
    for seed in range(3 if whole else 2):
        for _, step in steps(rules_of(key), rules_of(key).seats[0], seed):
            state = step.state
            if state.turn is None or state.phase != "ask" or state.seq % 3:
                continue
            seen = observe(state, state.turn)
            memory = remember(seen)
            ask = rng.choice([*plain_asks(seen)] or [None])
            if ask is None:
                continue
            chance = chances(seen, memory).by_ask[ask.target, ask.class_]
            expected, spread = expected + chance, spread + chance * (1 - chance)
            cards = memory.kinds.deck.named[ask.class_]
            caught += any(cards & set(state.cards(seat)) for seat in targets(seen, ask))
    assert abs(expected - caught) <= 4 * sqrt(spread) + 0.5


def test_the_same_view_gives_the_same_chances() -> None:
    """A page that is loaded again shows the same hint."""
    for key in ("classic", "fours", "old_fish"):
        seen = list(asking(rules_of(key), rules_of(key).seats[0], 5))[6]
        assert chances(seen, remember(seen)) == chances(seen, remember(seen))


@pytest.mark.parametrize(("own", "share"), [(1, 0.405), (2, 0.290), (3, 0.156)])
def test_the_chance_of_the_first_ask_is_that_of_the_closed_form(own: int, share: float) -> None:
    """M3: of the 45 unseen cards, 4 - `own` are sevens, and the other seat holds seven cards."""
    mine = {1: "7C 2C 3C 4C 5C 6C 8C", 2: "7C 7D 3C 4C 5C 6C 8C", 3: "7C 7D 7H 4C 5C 6C 8C"}[own]
    state = dealt(rules_of("classic"), 2, "", mine).state
    assert state.turn == 1
    closed = 1 - comb(45 - (4 - own), 7) / comb(45, 7)
    assert closed == pytest.approx(share, abs=0.0005)
    observation = observe(state, 1)
    found = chances(observation, remember(observation), 100_000)
    assert found.by_ask[0, "7"] == pytest.approx(closed, abs=near(closed, found.sample))


@pytest.mark.walk(3)
@pytest.mark.parametrize("key", ["classic", "wish_pairs", "guru_exact_card", "fours", "old_fish"])
def test_chances_are_0_and_1_exactly_where_the_memory_is_certain(key: str) -> None:
    for observation in list(asking(rules_of(key), rules_of(key).seats[0], 3))[::7]:
        memory = remember(observation)
        odds = chances(observation, memory)
        for ask in plain_asks(observation):
            bounds = [memory.bounds(seat, ask.class_) for seat in targets(observation, ask)]
            chance = odds.by_ask[ask.target, ask.class_]
            assert 0 <= chance <= 1
            if any(low for low, _ in bounds):
                assert chance == 1
            if not any(high for _, high in bounds):
                assert chance == 0


def test_an_ask_that_is_not_legal_has_no_chance() -> None:
    observation = observe(dealt(rules_of("classic"), 2, "", "7C").state, 1)
    odds = chances(observation, remember(observation))
    assert (1, "7") not in odds.by_ask
