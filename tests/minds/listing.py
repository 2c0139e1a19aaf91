"""Every deal of a model, one by one: slow and plain, to compare what counts or samples deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from classroom.minds.deals.draws import Model

Hands = tuple[tuple[int, ...], ...]
"""How many cards of each class each seat holds."""


def fillings(model: Model) -> Iterator[list[int]]:
    """Every way to put the pool into the slots that keeps to all that is known; one list, changed
    in place."""
    pool, contents = list(model.pool), [-1] * len(model.rows)

    def fill(slot: int) -> Iterator[list[int]]:
        if slot == len(contents):
            if holds(model, contents):
                yield contents
            return
        for class_, left in enumerate(pool):
            if left and model.allowed[slot] >> class_ & 1:
                pool[class_], contents[slot] = left - 1, class_
                yield from fill(slot + 1)
                pool[class_] = left

    return fill(0)


def holds(model: Model, contents: Sequence[int]) -> bool:
    """Whether a deal keeps to the rules, and to what must be kept apart."""

    def number(class_: int, slots: tuple[int, ...]) -> int:
        return sum(contents[slot] == class_ for slot in slots)

    return all(
        rule.low <= number(rule.class_, rule.slots) <= rule.high for rule in model.rules
    ) and all(
        any(number(pair.classes[side], pair.slots[side]) <= pair.spare[side] for side in (0, 1))
        for pair in model.apart
    )


def hands(model: Model) -> Counter[Hands]:
    """In how many deals the seats hold each combination of cards."""
    found: Counter[Hands] = Counter()
    for contents in fillings(model):
        found[
            tuple(
                tuple(
                    known + sum(contents[slot] == class_ for slot in slots)
                    for class_, (known, slots) in enumerate(zip(here, now, strict=True))
                )
                for here, now in zip(model.known, model.current, strict=True)
            )
        ] += 1
    return found
