"""The events of a round: one frozen dataclass for each kind. Each event names its audience.

If one seat sees something in full and the others see only a part, there are *two* events (`Fished`
for everyone, `Drew` for the seat that drew), never one event with parts removed. `ALL` includes
watchers; a tuple of seats never does (S10).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, ParamSpec, TypeVar, cast

from classroom.engine.cards import Card

Audience = Literal["all"] | tuple[int, ...]
ALL: Final[Literal["all"]] = "all"

_Facts = ParamSpec("_Facts")
_Made = TypeVar("_Made")


def shared(maker: Callable[_Facts, _Made]) -> Callable[_Facts, _Made]:
    """Cache a function that makes events, so that the same arguments give the same objects. Events
    are frozen and most of them recur; making new ones would double the time that an ask takes."""
    return cast(Callable[_Facts, _Made], lru_cache(maxsize=4096)(maker))


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The base of all events. `audience`: the viewers who may see the event; it has no default."""

    audience: Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEvent(Event):
    """The base of events in which one seat does or gets something."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt(SeatEvent):
    """`seat` was dealt `number` cards. Public."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCards(SeatEvent):
    """The cards that `seat` was dealt. Private to that seat."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside(Event):
    """`number` cards were set aside face down until the end (the lost fish, O3). Public."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(SeatEvent):
    """`seat` asked `target` (a seat or "all") for `class_`. Public."""

    target: int | Literal["all"]
    class_: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowedBait(SeatEvent):
    """`seat` showed a bait card to `target`. The event is public, the card is not."""

    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SawBait(SeatEvent):
    """The bait card that `seat` showed to `target`. Private to these two seats (F7)."""

    target: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Gave(Event):
    """`giver` gave `number` cards of `class_` to `taker`. Public."""

    giver: int
    taker: int
    class_: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GaveCards(Event):
    """The cards that `giver` gave to `taker`. Private to these two seats."""

    giver: int
    taker: int
    class_: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidGoFish(SeatEvent):
    """`seat` has none of `class_` (or fewer than the number named) and told `asker` so. Public."""

    asker: int
    class_: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedHowMany(SeatEvent):
    """`seat` holds some of `class_` and answered `asker` "how many?" (G20). Public."""

    asker: int
    class_: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(SeatEvent):
    """`seat` named `number` after "how many?". Public."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fished(SeatEvent):
    """`seat` took the top card of the stock. Public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew(SeatEvent):
    """The card that `seat` took from the stock. Private to that seat."""

    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class FishedFromHand(SeatEvent):
    """`seat` blindly took a card from the hand of `source` (G19). Public."""

    source: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked(SeatEvent):
    """The card that `seat` took from the hand of `source`. Private to these two seats."""

    source: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced(SeatEvent):
    """`seat` drew from the stock to replace the card taken from its hand. Public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedCard(SeatEvent):
    """The card that `seat` drew as a replacement. Private to that seat."""

    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Lucky(SeatEvent):
    """`seat` fished a card of the class it had asked for and showed it to all. Public."""

    class_: str
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptHidden(SeatEvent):
    """`seat` looked at the card it fished and did not show it (S1). Public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidBook(SeatEvent):
    """`seat` laid a book face up. Public. `class_` is None if the book has no single class."""

    class_: str | None
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidFaceDown(SeatEvent):
    """`seat` laid a book face down (C22). The event is public, the cards are not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidFaceDownCards(SeatEvent):
    """The book that `seat` laid face down. Private to that seat."""

    class_: str | None
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOff(SeatEvent):
    """`seat` laid off a single card (G12). Public."""

    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Refilled(SeatEvent):
    """`seat`, whose hand was empty, took `number` cards from the stock. Public."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RefilledCards(SeatEvent):
    """The cards that `seat` took to refill its hand. Private to that seat."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Baited(SeatEvent):
    """`seat` shuffled its boat and took `number` cards from it as bait (F16). Public."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BaitedCards(SeatEvent):
    """The cards that `seat` took as its new bait. Private to that seat."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired(SeatEvent):
    """`seat`, whose hand was empty, retired from the round (G18). Public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(SeatEvent):
    """`seat` declared that it cannot complete a four (F17). Public: all cards are now exposed.
    `hands` and `boats`: every seat's cards, one sorted tuple per seat."""

    hands: tuple[tuple[Card, ...], ...]
    boats: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed(SeatEvent):
    """`seat` claimed a four that uses at least one of the declarer's cards. Public."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPassed(SeatEvent):
    """`seat` claimed nothing. Public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compensated(SeatEvent):
    """`seat` received `card` from the declarer for a card lost to a claim (FA15). Public."""

    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftRound(SeatEvent):
    """`seat`, the declarer, left the round with its cards (FA12). Public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed(SeatEvent):
    """The turn went from `seat` to `to`. Public."""

    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LampLit(SeatEvent):
    """`seat` lit the lamp (T8). Public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TideFell(SeatEvent):
    """A miss by `seat`, or its lamp, made the tide fall one step; `left` steps remain. Public."""

    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedLost(Event):
    """The cards set aside were revealed at the end (OA10). Public."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedBooks(Event):
    """The books of every seat, which lay face down, were revealed at the end (R21). Public."""

    books: tuple[tuple[tuple[Card, ...], ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOver(Event):
    """The round ended. Public. `ended_by`: the ending, as in docs/record.md; `scores`: one for each
    seat; `winners`: the seats that won."""

    ended_by: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
