"""Worlds: the deals that agree with everything the viewer saw, counted or sampled (A10).

An ask is taken to show the card that the rules demand for it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from classroom.engine.observation import Observation
from classroom.minds.deals.deal_counts import Count, count
from classroom.minds.deals.draws import Model, model_of
from classroom.minds.deals.feasible import feasible
from classroom.minds.deals.placing import Placing, placing_of
from classroom.minds.deals.sampling import deals, frame_of
from classroom.minds.deals.simplify import simplified
from classroom.minds.deals.spread import spread_model
from classroom.minds.memory.counts import CountMemory
from classroom.minds.memory.perfect_memory import Memory
from classroom.minds.memory.places import PlaceMemory

Numbers = dict[tuple[int, str], int]
"""How many cards of a class (or exact card) a seat holds in one world, by seat and class code."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work to spend on chances: steps of counting, then steps and deals of sampling."""

    counting: int
    sampling: int
    deals: int


QUICK: Final = Effort(counting=6_000, sampling=6_000, deals=300)
"""The effort for hints, which takes about 50 ms at most."""


@dataclass(frozen=True)
class Worlds:
    """The chances of what the other seats hold.

    `spread[seat, class]`: the chance of 0, 1, 2, ... cards. `anybody[class]`: the chance that at
    least one other seat holds one. `sample`: how many deals were sampled, 0 if all were counted.
    """

    spread: dict[tuple[int, str], tuple[float, ...]]
    anybody: dict[str, float]
    sample: int

    def mean(self, seat: int, class_: str) -> float:
        """The expected number of cards of the class at the seat."""
        return sum(n * chance for n, chance in enumerate(self.spread[seat, class_]))

    def chance(self, seat: int, class_: str) -> float:
        """The chance that the seat holds at least one card of the class."""
        return 1.0 - self.spread[seat, class_][0]


def imagine(
    observation: Observation,
    memory: Memory,
    classes: tuple[str, ...],
    effort: Effort = QUICK,
    seed: int = 0,
) -> Worlds | None:
    """Work out the chances of these classes (or exact cards) at every other seat.

    The same observation and seed give the same chances. Returns None if no deal was found.
    """
    seats = tuple(s for s in range(observation.seats) if s != observation.viewer)
    rng = Random(seed * 1_000_003 + observation.seq)
    if isinstance(memory, PlaceMemory):
        placing = placing_of(memory)
        return _sampled(_placed(placing, memory, seats, classes, effort, rng), seats, classes)
    model = _model(observation, memory)
    if model.exact:
        counted = count(model, effort.counting)
        if counted is not None:
            return _counted(model, counted, seats, classes)
    return _sampled(_dealt(model, seats, classes, effort, rng), seats, classes)


def _model(observation: Observation, memory: CountMemory) -> Model:
    """The model of unseen draws, or one of bounds alone if something seen does not fit that."""
    model = model_of(observation, memory)
    return simplified(model if model.exact else spread_model(memory))


def _counted(
    model: Model, counted: Count, seats: tuple[int, ...], classes: tuple[str, ...]
) -> Worlds:
    wanted = {model.kinds.number[name]: name for name in classes}
    inside = {
        (seat, class_): frozenset(model.current[seat][class_])
        for seat in seats
        for class_ in wanted
    }
    spread = {(seat, name): [0] * 8 for seat in seats for name in classes}
    nobody = dict.fromkeys(classes, 0)
    met: set[int] = set()
    for step in counted.steps:
        for way, number in step:
            for class_, per_batch in way.numbers:
                if class_ in wanted:
                    met.add(class_)
                    held = _held(model, counted, class_, per_batch, seats, inside)
                    _tally(spread, nobody, wanted[class_], seats, held, number)
    for class_, name in wanted.items():
        if class_ not in met:
            held = [model.known[seat][class_] for seat in seats]
            _tally(spread, nobody, name, seats, held, counted.total)
    return _as_chances(spread, nobody, counted.total, 0)


def _held(
    model: Model,
    counted: Count,
    class_: int,
    per_batch: tuple[int, ...],
    seats: tuple[int, ...],
    inside: dict[tuple[int, int], frozenset[int]],
) -> list[int]:
    """How many cards of the class each seat holds now, for one way to put them into batches."""
    return [
        model.known[seat][class_]
        + sum(
            n
            for n, batch in zip(per_batch, counted.batches, strict=True)
            if n and batch[0] in inside[seat, class_]
        )
        for seat in seats
    ]


def _tally(
    spread: dict[tuple[int, str], list[int]],
    nobody: dict[str, int],
    name: str,
    seats: tuple[int, ...],
    held: list[int],
    number: int,
) -> None:
    for seat, n in zip(seats, held, strict=True):
        spread[seat, name][n] += number
    if not any(held):
        nobody[name] += number


def _as_chances(
    spread: dict[tuple[int, str], list[int]], nobody: dict[str, int], total: int, sample: int
) -> Worlds:
    return Worlds(
        {key: tuple(n / total for n in numbers) for key, numbers in spread.items()},
        {name: 1 - number / total for name, number in nobody.items()},
        sample,
    )


def _sampled(
    worlds: Iterator[Numbers], seats: tuple[int, ...], classes: tuple[str, ...]
) -> Worlds | None:
    spread = {(seat, name): [0] * 8 for seat in seats for name in classes}
    nobody = dict.fromkeys(classes, 0)
    total = 0
    for numbers in worlds:
        total += 1
        for name in classes:
            held = [numbers[seat, name] for seat in seats]
            _tally(spread, nobody, name, seats, held, 1)
    return _as_chances(spread, nobody, total, total) if total else None


def _dealt(
    model: Model, seats: tuple[int, ...], classes: tuple[str, ...], effort: Effort, rng: Random
) -> Iterator[Numbers]:
    cells = [
        ((seat, name), model.kinds.number[name], model.current[seat][model.kinds.number[name]])
        for seat in seats
        for name in classes
    ]
    known = {key: model.known[key[0]][class_] for key, class_, _ in cells}
    first = feasible(model)
    for contents in deals(frame_of(model), rng, effort.sampling, effort.deals, first):
        yield {
            key: known[key] + sum(1 for slot in slots if contents[slot] == class_)
            for key, class_, slots in cells
        }


def _placed(
    placing: Placing,
    memory: PlaceMemory,
    seats: tuple[int, ...],
    classes: tuple[str, ...],
    effort: Effort,
    rng: Random,
) -> Iterator[Numbers]:
    members = {name: memory.kinds.deck.members.get(name, frozenset((name,))) for name in classes}
    classes_of = {
        card: tuple(name for name in classes if card in members[name])
        for card in memory.kinds.deck.cards
    }
    chart = memory.settled
    sure = {
        (seat, name): sum(1 for card in members[name] if placing.sure.get(card, 0) & chart.at(seat))
        for seat in seats
        for name in classes
    }
    moving = [
        (slot, seat)
        for slot in placing.frame.moving
        for seat in seats
        if placing.spots[slot] & chart.at(seat)
    ]
    for contents in deals(placing.frame, rng, effort.sampling, effort.deals):
        numbers = dict(sure)
        for slot, seat in moving:
            for name in classes_of[placing.cards[contents[slot]]]:
                numbers[seat, name] += 1
        yield numbers
