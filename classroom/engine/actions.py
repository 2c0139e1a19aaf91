"""Actions that seats take, and outcomes of chance. Each kind is a frozen dataclass (docs/rules.md
A7, docs/record.md). A `Refusal` says why an action cannot be taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal, NamedTuple, Protocol, TypeVar

from classroom.engine.cards import Card


class Refusal(NamedTuple):
    """A stable reason code, which pages turn into words for children, and a message for adults."""

    reason: str
    message: str


class IllegalAction(ValueError):
    """The action is understood, but the rules do not allow it now."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class InvalidAction(ValueError):
    """The action cannot be understood."""


Target = int | Literal["all"]


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask `target` for cards. `class_`: the code of a class or, in games that ask for exact cards,
    of a card. `bait`: the card shown to the asked seat, if the rules demand one (F7)."""

    type: ClassVar[str] = "ask"
    target: Target
    class_: str
    bait: Card | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Give all cards asked for, or answer "how many?" (`response = challenge_optional`)."""

    type: ClassVar[str] = "answer"
    answer: Literal["give", "challenge"]


@dataclass(frozen=True, slots=True)
class Name:
    """After "how many?", the asker names how many cards it wants."""

    type: ClassVar[str] = "name"
    number: int


@dataclass(frozen=True, slots=True)
class Show:
    """Show the card just fished, or keep it hidden (`lucky = again_may_show`, S1)."""

    type: ClassVar[str] = "show"
    show: bool


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay these cards as a book (`book.lay = choice`)."""

    type: ClassVar[str] = "lay"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class LayOff:
    """Lay off a single card of a class that already has a book (G12)."""

    type: ClassVar[str] = "layoff"
    card: Card


@dataclass(frozen=True, slots=True)
class Declare:
    """Declare that this seat cannot complete a four with any of its cards (F17)."""

    type: ClassVar[str] = "declare"


@dataclass(frozen=True, slots=True)
class Claim:
    """After a declaration: lay a four that uses at least one of the declarer's cards (FA14)."""

    type: ClassVar[str] = "claim"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """After a declaration: claim nothing."""

    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Lamp:
    """Light the lamp, which costs a step of the tide (T8)."""

    type: ClassVar[str] = "lamp"


Action = Ask | Answer | Name | Show | Lay | LayOff | Declare | Claim | Pass | Lamp


# ---- Sources of the random results in a round, apart from the order of the stock
#
# The engine never draws random numbers itself. It asks a `Chance` and records the outcome, so that
# a round can be replayed from its log.


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


class Chance(Protocol):
    """A source of random results. `cards` is always in deck order."""

    def pick(self, source: int, cards: Sequence[Card]) -> Pick: ...

    def bait(self, seat: int, cards: Sequence[Card], number: int) -> Bait: ...

    def compensate(self, to: int, cards: Sequence[Card]) -> Compensate: ...


@dataclass(frozen=True)
class Lots:
    """A Chance that uses a random number generator, such as random.SystemRandom."""

    rng: Random

    def pick(self, source: int, cards: Sequence[Card]) -> Pick:
        return Pick(source, self.rng.choice(cards))

    def bait(self, seat: int, cards: Sequence[Card], number: int) -> Bait:
        return Bait(seat, tuple(self.rng.sample(cards, number)))

    def compensate(self, to: int, cards: Sequence[Card]) -> Compensate:
        return Compensate(to, self.rng.choice(cards))


class ChanceError(ValueError):
    """A recorded outcome is missing, left over or impossible."""


class Script:
    """A Chance that repeats recorded outcomes in order. Raises ChanceError if any does not fit."""

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
