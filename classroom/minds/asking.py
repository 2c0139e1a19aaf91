"""Weighing the asks a seat may make: what each can bring, as far as a mind knows (RULES.md C2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from classroom.engine.actions import Ask
from classroom.engine.events import Asked
from classroom.engine.observation import Observation
from classroom.minds.counts import CountMemory
from classroom.minds.kinds import Kinds, kinds_of
from classroom.minds.memory import Memory, completes, own_count, plain_asks, targets
from classroom.minds.recall import Belief


@dataclass(frozen=True, slots=True)
class Prospect:
    """One ask: the chance (0 to 1) that cards come, the number expected, the number certain.

    `books`: whether the certain cards complete a book. `known`: whether the table already knows
    that the asker holds the class. A chance is a rough one unless it is 0 or 1.
    """

    ask: Ask
    chance: float
    expected: float
    sure: int
    books: bool
    known: bool

    @property
    def worth(self) -> float:
        """For sorting: certain books, then certain catches, then the best chance."""
        if self.sure:
            return 2.0 + self.expected + (10.0 if self.books else 0.0)
        return self.chance + 0.02 * self.expected + (0.02 if self.known else 0.0)


Guess = Callable[[int, str], tuple[int, float, int]]
"""For a seat and class: cards held for sure, cards expected, and the most it can hold."""


def prospects(observation: Observation, guess: Guess) -> tuple[Prospect, ...]:
    """Every legal ask, weighed by `guess`; one for each target and class."""
    kinds = kinds_of(observation.rules)
    known = _asked_before(observation)
    return tuple(
        _prospect(observation, kinds, ask, guess, ask.class_ in known)
        for ask in plain_asks(observation)
    )


def _prospect(
    observation: Observation, kinds: Kinds, ask: Ask, guess: Guess, known: bool
) -> Prospect:
    sure, expected, miss = 0, 0.0, 1.0
    for target in targets(observation, ask):
        low, mean, high = guess(target, ask.class_)
        sure += low
        expected += mean
        miss *= 0.0 if low else 1 - _at_least_one(mean, high)
    books = sure > 0 and completes(observation, kinds, ask.class_, sure)
    return Prospect(ask, 1 - miss, expected, sure, books, known)


def _at_least_one(mean: float, high: int) -> float:
    """The chance of at least one card when `mean` of at most `high` are expected."""
    if high <= 0 or mean <= 0:
        return 0.0
    return float(1 - (1 - min(mean / high, 1.0)) ** high)


def _asked_before(observation: Observation) -> frozenset[str]:
    return frozenset(
        seen.event.class_
        for seen in observation.history
        if isinstance(seen.event, Asked) and seen.event.seat == observation.viewer
    )


def by_memory(observation: Observation, memory: Memory) -> tuple[Prospect, ...]:
    """The asks as a perfect memory weighs them: what is not known is spread evenly."""
    if isinstance(memory, CountMemory):
        return prospects(observation, _even_counts(observation, memory))
    return prospects(observation, _even_places(observation, memory))


def _even_counts(observation: Observation, memory: CountMemory) -> Guess:
    sheet = memory.settled
    width, rows = sheet.width, sheet.seats + 2
    free = [
        sheet.size[row] - sum(sheet.low[row * width : (row + 1) * width]) for row in range(rows)
    ]

    def guess(seat: int, class_: str) -> tuple[int, float, int]:
        number = memory.kinds.number[class_]
        cell = seat * width + number
        low, high = sheet.low[cell], sheet.high[cell]
        if low == high:
            return low, float(low), high
        lows, highs = sheet.low[number::width], sheet.high[number::width]
        spare = sheet.left[number] - sum(lows)
        rooms = [
            free[row] if highs[row] > lows[row] and row != memory.viewer else 0
            for row in range(rows)
        ]
        share = rooms[seat] / max(sum(rooms), 1)
        return low, low + min(spare * share, high - low), high

    return guess


def _even_places(observation: Observation, memory: Memory) -> Guess:
    unseen = observation.stock_size + sum(
        observation.hand_sizes[seat] + observation.boat_sizes[seat]
        for seat in range(observation.seats)
        if seat != observation.viewer
    )

    def guess(seat: int, class_: str) -> tuple[int, float, int]:
        low, high = memory.bounds(seat, class_)
        held = observation.hand_sizes[seat] + observation.boat_sizes[seat]
        share = held / max(unseen, 1)
        return low, low + (high - low) * share, high

    return guess


def by_belief(observation: Observation, belief: Belief) -> tuple[Prospect, ...]:
    """The asks as somebody weighs them who remembers some of what was asked."""
    kinds = kinds_of(observation.rules)
    unseen = observation.stock_size + sum(
        size for seat, size in enumerate(observation.hand_sizes) if seat != observation.viewer
    )

    def guess(seat: int, class_: str) -> tuple[int, float, int]:
        low = belief.has.get((seat, class_), 0)
        if low or (seat, class_) in belief.none:
            return low, float(low), low
        left = max(_copies(kinds, class_) - own_count(observation, kinds, class_), 1)
        share = observation.hand_sizes[seat] / max(unseen, 1)
        return 0, left * share, left

    return prospects(observation, guess)


def _copies(kinds: Kinds, class_: str) -> int:
    members = kinds.deck.members.get(class_)
    return 1 if members is None else len(members)
