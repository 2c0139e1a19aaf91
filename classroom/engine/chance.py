"""Sources of the random results in a round, apart from the order of the stock.

The engine never draws random numbers itself. It asks a `Chance` and records the outcome, so that
a round can be replayed from its log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from classroom.engine.cards import Card


@dataclass(frozen=True, slots=True)
class Pick:
    """`card` was fished blindly from the hand of `source` (G19)."""

    type: ClassVar[str] = "pick"
    source: int
    card: Card


@dataclass(frozen=True, slots=True)
class Bait:
    """`seat` shuffled its boat, and `cards` from it became its bait (F16)."""

    type: ClassVar[str] = "bait"
    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Compensate:
    """`to` received `card` from the declarer (FA15)."""

    type: ClassVar[str] = "compensate"
    to: int
    card: Card


Outcome = Pick | Bait | Compensate
OutcomeT = TypeVar("OutcomeT", Pick, Bait, Compensate)


class Rng(Protocol):
    """The methods of random.Random that are needed here; random.SystemRandom has them too."""

    def choice(self, seq: Sequence[Card], /) -> Card: ...

    def sample(self, population: Sequence[Card], k: int) -> list[Card]: ...


class Chance(Protocol):
    """A source of random results. `cards` is always in deck order."""

    def pick(self, source: int, cards: Sequence[Card]) -> Pick: ...

    def bait(self, seat: int, cards: Sequence[Card], number: int) -> Bait: ...

    def compensate(self, to: int, cards: Sequence[Card]) -> Compensate: ...


@dataclass(frozen=True)
class Lots:
    """A Chance that uses a random number generator."""

    rng: Rng

    def pick(self, source: int, cards: Sequence[Card]) -> Pick:
        return Pick(source, self.rng.choice(cards))

    def bait(self, seat: int, cards: Sequence[Card], number: int) -> Bait:
        return Bait(seat, tuple(self.rng.sample(cards, number)))

    def compensate(self, to: int, cards: Sequence[Card]) -> Compensate:
        return Compensate(to, self.rng.choice(cards))


class ChanceError(ValueError):
    """A recorded outcome is missing, left over or impossible."""


class Script:
    """A Chance that repeats recorded outcomes in order. Raises ChanceError if one does not fit."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self._left = list(outcomes)

    def pick(self, source: int, cards: Sequence[Card]) -> Pick:
        outcome = self._next(Pick)
        return _fitting(outcome, outcome.source == source and outcome.card in cards)

    def bait(self, seat: int, cards: Sequence[Card], number: int) -> Bait:
        outcome = self._next(Bait)
        chosen = set(outcome.cards)
        right_number = len(outcome.cards) == len(chosen) == number
        return _fitting(outcome, outcome.seat == seat and right_number and chosen <= set(cards))

    def compensate(self, to: int, cards: Sequence[Card]) -> Compensate:
        outcome = self._next(Compensate)
        return _fitting(outcome, outcome.to == to and outcome.card in cards)

    def finish(self) -> None:
        """Raise ChanceError if an outcome is left over."""
        if self._left:
            raise ChanceError(f"{self._left[0]} was written down, but nothing was left to chance")

    def _next(self, kind: type[OutcomeT]) -> OutcomeT:
        if not self._left:
            raise ChanceError("an outcome of chance is needed here, and none was written down")
        outcome = self._left.pop(0)
        if not isinstance(outcome, kind):
            raise ChanceError(f"{outcome} was written down, but a {kind.type} is needed here")
        return outcome


def _fitting(outcome: OutcomeT, fits: bool) -> OutcomeT:
    if not fits:
        raise ChanceError(f"{outcome} cannot happen here")
    return outcome
