"""Every deal of a model, one by one: slow and plain, to check code that counts or samples deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from classroom.minds.deals.draws import Apart, Model, Rule
from classroom.minds.memory.deck_facts import kinds_of
from tests.engine.tabletop import rules_of

Hands = tuple[tuple[int, ...], ...]
"""How many cards of each class each seat holds."""
KINDS: Final = kinds_of(rules_of("make_five"))
WIDTH: Final = len(KINDS.names)


def fillings(model: Model) -> Iterator[list[int]]:
    """Every way to put the pool into the slots that agrees with all that is known. It yields one
    list, changed in place."""
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


def drawn(rng: Random) -> Model:
    """A model of at most seven slots, three classes and two other seats, made around a deal, so
    that there is at least one."""
    rows = sorted(rng.choices((1, 2, 3), k=rng.randint(2, 7)))
    deal = [rng.choice((1, 2, 4)) for _ in rows]

    def some(least: int = 1) -> tuple[int, ...]:
        return tuple(sorted(rng.sample(range(len(rows)), rng.randint(least, len(rows)))))

    rules, apart = [], []
    for _ in range(rng.randint(0, 4)):
        class_, slots = rng.choice((1, 2, 4)), some()
        true = sum(deal[slot] == class_ for slot in slots)
        rules.append(Rule(class_, slots, true - rng.randint(0, true), true + rng.randint(0, 2)))
    for _ in range(rng.randint(0, 2)):
        slots = some(), some()
        true = [sum(deal[s] == c for s in side) for c, side in zip((1, 4), slots, strict=True)]
        spare = [rng.randint(0, 1), rng.randint(0, 1)]
        side = rng.randrange(2)
        spare[side] = max(spare[side], true[side])
        apart.append(Apart((1, 4), slots, (spare[0], spare[1])))
    return Model(
        kinds=KINDS,
        seats=3,
        viewer=0,
        rows=tuple(rows),
        allowed=tuple(1 << c | rng.choice((0, 0b10110, 1 << rng.choice((1, 2, 4)))) for c in deal),
        pool=tuple(deal.count(c) for c in range(WIDTH)),
        rules=tuple(rules),
        apart=tuple(apart),
        known=tuple(tuple(rng.randint(0, 2) for _ in range(WIDTH)) for _ in range(3)),
        current=tuple(
            tuple(
                tuple(s for s, row in enumerate(rows) if row == seat and rng.random() < 0.9)
                for _ in range(WIDTH)
            )
            for seat in range(3)
        ),
        exact=True,
    )
