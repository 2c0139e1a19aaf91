"""The actions a seat can take: one frozen dataclass per kind (docs/rules.md A7, docs/record.md).

A `Refusal` says why an action cannot be taken: the rules do not allow it, or it makes no sense.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from classroom.engine.cards import Card


class Refusal(NamedTuple):
    """A stable reason code, which pages turn into words for children, and a line for adults."""

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
    """Ask `target` for cards of `class_`.

    `class_` is a class code, or a card code where exact cards are asked for.
    `bait` is the card that is shown to the asked seat, where the rules demand one (F7).
    """

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
