"""Exact counts, class by class, of the deals that agree with everything seen (A10, "worlds").

Slots that no rule tells apart form a batch. A class is put into the batches in every way that its
rules allow; the number of ways to continue depends only on the room left in each batch, so the
classes are counted one after the other (dynamic programming over the room left).

The room in all batches is one int with a byte for each batch, so one subtraction takes off the room
that a way needs. A batch has at most 127 slots, which leaves the top bit of each byte free as a
guard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import Final

from classroom.minds.deals.draws import Model, Rule

_BITS: Final = 8
_COMB: Final = tuple(tuple(comb(n, k) for k in range(128)) for n in range(128))


@dataclass(frozen=True, slots=True)
class Way:
    """One way to put the cards of a class (or of two rival classes) into the batches.

    `code`: the room it takes, one byte per batch. `parts`: for each batch used, the shift of its
    byte and the number of cards. `orders`: how many ways there are to mix two classes in the same
    batches. `numbers`: (class, cards per batch).
    """

    code: int
    parts: tuple[tuple[int, int], ...]
    orders: int
    numbers: tuple[tuple[int, tuple[int, ...]], ...]

    def weight(self, room: int) -> int:
        """Count the ways to choose slots for these cards in this room."""
        weight = self.orders
        for shift, number in self.parts:
            weight *= _COMB[room >> shift & 127][number]
        return weight


@dataclass(frozen=True, kw_only=True)
class Count:
    """All deals, counted. `steps[i]`: each way of a class (or pair) and how many deals have it."""

    steps: tuple[tuple[tuple[Way, int], ...], ...]
    total: int
    batches: tuple[tuple[int, ...], ...]


class _TooMany(Exception):
    """Raised when the budget is used up."""


@dataclass(slots=True)
class _Budget:
    """The number of steps that may still be taken."""

    left: int

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise _TooMany


def count(model: Model, budget: int) -> Count | None:
    """Count all deals; None if there are none, or if counting takes more than about `budget` steps.

    Also None if the cards do not fit the slots one to one, or a batch is too large for its byte.
    """
    batches = _batches(model)
    sizes = [len(batch) for batch in batches]
    if not model.exact_pool or any(size > 127 for size in sizes):
        return None
    try:
        steps = _Budget(budget)
        _foresee(model, batches, budget)
        return _count(_units(model, batches, steps), sizes, batches, steps)
    except _TooMany:
        return None


def _batches(model: Model) -> tuple[tuple[int, ...], ...]:
    """Group the slots into batches that are alike for every rule and for the present hands."""
    marks: list[list[object]] = [[] for _ in model.rows]
    for number, rule in enumerate(model.rules):
        for slot in rule.slots:
            marks[slot].append(number)
    for number, pair in enumerate(model.apart):
        for side, slots in enumerate(pair.slots):
            for slot in slots:
                marks[slot].append((number, side))
    open_ = sum(1 << class_ for class_, number in enumerate(model.pool) if number)
    for row, spans in enumerate(model.current):
        for class_, span in enumerate(spans):
            if model.pool[class_]:
                for slot in span:
                    marks[slot].append((row, class_, "now"))
    found: dict[object, list[int]] = {}
    for slot, allowed in enumerate(model.allowed):
        key = (allowed & open_, *marks[slot])
        found.setdefault(key, []).append(slot)
    return tuple(tuple(slots) for slots in found.values())


def _foresee(model: Model, batches: Sequence[tuple[int, ...]], budget: int) -> None:
    """Raise _TooMany at once if the ways of single classes may exceed a quarter of the budget."""
    ways = 0
    for class_, number in enumerate(model.pool):
        open_ = sum(1 for batch in batches if model.allowed[batch[0]] >> class_ & 1)
        ways += comb(open_ + number - 1, number) if number else 0
    if ways > budget // 4:
        raise _TooMany


def _units(
    model: Model, batches: Sequence[tuple[int, ...]], budget: _Budget
) -> list[tuple[Way, ...]]:
    """List the ways of each class, or of two that must be kept apart; the fewest ways first."""
    paired = {class_ for pair in model.apart for class_ in pair.classes}
    units = [
        tuple(_way(batches, ((class_, numbers),)) for numbers in spread)
        for class_, number in enumerate(model.pool)
        if number and class_ not in paired
        for spread in [_spreads(model, batches, class_, budget)]
    ]
    for class_, rival in sorted({pair.classes for pair in model.apart}):
        units.append(_paired_ways(model, batches, class_, rival, budget))
    return sorted(units, key=len)


def _way(
    batches: Sequence[tuple[int, ...]], numbers: tuple[tuple[int, tuple[int, ...]], ...]
) -> Way:
    sums = [sum(column) for column in zip(*(n for _, n in numbers), strict=True)]
    parts = tuple((_BITS * i, number) for i, number in enumerate(sums) if number)
    first = numbers[0][1]
    orders = prod(comb(total, one) for total, one in zip(sums, first, strict=True))
    return Way(sum(number << shift for shift, number in parts), parts, orders, numbers)


def _paired_ways(
    model: Model, batches: Sequence[tuple[int, ...]], class_: int, rival: int, budget: _Budget
) -> tuple[Way, ...]:
    spreads = [_spreads(model, batches, c, budget) for c in (class_, rival)]
    budget.spend(len(spreads[0]) * len(spreads[1]))
    index = _places(batches)
    pairs = [
        (pair, [sorted({index[slot] for slot in slots}) for slots in pair.slots])
        for pair in model.apart
        if pair.classes == (class_, rival)
    ]
    return tuple(
        _way(batches, ((class_, one), (rival, other)))
        for one, other in product(*spreads)
        if all(
            sum(one[i] for i in sides[0]) <= pair.spare[0]
            or sum(other[i] for i in sides[1]) <= pair.spare[1]
            for pair, sides in pairs
        )
    )


def _places(batches: Sequence[tuple[int, ...]]) -> dict[int, int]:
    return {slot: i for i, batch in enumerate(batches) for slot in batch}


def _spreads(
    model: Model, batches: Sequence[tuple[int, ...]], class_: int, budget: _Budget
) -> list[tuple[int, ...]]:
    """Every way, under the class's own rules, to spread its cards over the batches."""
    index = _places(batches)
    rules = [
        (rule, frozenset(index[slot] for slot in rule.slots))
        for rule in model.rules
        if rule.class_ == class_
    ]
    room = [len(batch) if model.allowed[batch[0]] >> class_ & 1 else 0 for batch in batches]
    found: list[tuple[int, ...]] = []
    for numbers in _fillings(room, model.pool[class_], rules, budget):
        found.append(numbers)
    return found


def _fillings(
    room: list[int], number: int, rules: list[tuple[Rule, frozenset[int]]], budget: _Budget
) -> Iterator[tuple[int, ...]]:
    rest = [0] * (len(room) + 1)
    for i in range(len(room) - 1, -1, -1):
        rest[i] = rest[i + 1] + room[i]
    numbers = [0] * len(room)

    def fill(i: int, left: int) -> Iterator[tuple[int, ...]]:
        budget.spend(1)
        if left == 0 or i == len(room):
            if left == 0 and all(
                rule.low <= sum(numbers[b] for b in inside) <= rule.high for rule, inside in rules
            ):
                yield tuple(numbers)
            return
        for here in range(max(0, left - rest[i + 1]), min(room[i], left) + 1):
            numbers[i] = here
            if here == 0 or not _exceeds(numbers, rules, i):
                yield from fill(i + 1, left - here)
        numbers[i] = 0

    return fill(0, number)


def _exceeds(numbers: list[int], rules: list[tuple[Rule, frozenset[int]]], i: int) -> bool:
    return any(
        i in inside and sum(numbers[b] for b in inside) > rule.high for rule, inside in rules
    )


def _count(
    units: list[tuple[Way, ...]],
    sizes: list[int],
    batches: tuple[tuple[int, ...], ...],
    budget: _Budget,
) -> Count | None:
    full = sum(size << _BITS * i for i, size in enumerate(sizes))
    guard = sum(128 << _BITS * i for i in range(len(sizes)))
    layers: list[dict[int, int]] = [{full: 1}]
    for ways in units:
        budget.spend(len(layers[-1]) * len(ways))
        layers.append(_forward(layers[-1], ways, guard))
    total = layers[-1].get(0, 0)
    if not total:
        return None
    after = {0: 1}
    steps: list[tuple[tuple[Way, int], ...]] = []
    for ways, layer in zip(reversed(units), reversed(layers[:-1]), strict=True):
        after, step = _backward(layer, ways, after, guard)
        steps.append(step)
    return Count(steps=tuple(reversed(steps)), total=total, batches=batches)


def _forward(layer: dict[int, int], ways: tuple[Way, ...], guard: int) -> dict[int, int]:
    following: dict[int, int] = {}
    for room, number in layer.items():
        guarded = room | guard
        for way in ways:
            if guarded - way.code & guard == guard:  # no byte borrowed: the way fits every batch
                left = room - way.code
                following[left] = following.get(left, 0) + number * way.weight(room)
    return following


def _backward(
    layer: dict[int, int], ways: tuple[Way, ...], after: dict[int, int], guard: int
) -> tuple[dict[int, int], tuple[tuple[Way, int], ...]]:
    """Count the ways to continue from each room, and the deals in which each way occurs."""
    before: dict[int, int] = {}
    deals = dict.fromkeys(range(len(ways)), 0)
    for room, number in layer.items():
        guarded, total = room | guard, 0
        for i, way in enumerate(ways):
            if guarded - way.code & guard == guard:
                rest = after.get(room - way.code)
                if rest:
                    rest *= way.weight(room)
                    total += rest
                    deals[i] += number * rest
        if total:
            before[room] = total
    return before, tuple((way, deals[i]) for i, way in enumerate(ways) if deals[i])
