"""Facts about cards that have one class each, entered as numbers by row and class (D1 to D10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from classroom.engine.cards import Card
from classroom.engine.observation import Seen
from classroom.minds.memory.deck_facts import Kinds
from classroom.minds.memory.ledger import OpenAsk, OpenDraw


class Counts(Protocol):
    """What is kept for each class in each row: bounds (Sheet) or unseen draws (Draws)."""

    @property
    def stock(self) -> int: ...

    @property
    def lost(self) -> int: ...

    def at_least(self, row: int, class_: int, number: int, seen: Seen) -> None: ...

    def at_most(self, row: int, class_: int, number: int, seen: Seen) -> None: ...

    def none(self, row: int, class_: int, seen: Seen) -> None: ...

    def gain(self, row: int, class_: int, number: int, seen: Seen) -> None: ...

    def lose(self, row: int, class_: int, number: int, seen: Seen) -> None: ...

    def move_unknown(
        self, source: int, row: int, number: int, classes: Iterable[int] | None, seen: Seen
    ) -> None: ...

    def spared(self, row: int, class_: int, seen: Seen) -> None: ...

    def book(self, seat: int, numbers: dict[int, int], seen: Seen) -> None: ...

    def candidates(self, seat: int, extra: int, barred: int | None) -> list[int]: ...

    def veil(self, seat: int, classes: list[int], seen: Seen) -> None: ...

    def keep_to_most(self, looking: int | None, booked: frozenset[int]) -> None: ...

    def settle(self) -> None: ...


C = TypeVar("C", bound=Counts)


class ClassLedger(Generic[C]):
    """A ledger (see ledger.py) that enters facts into `counts`."""

    __slots__ = ("counts", "kinds", "stock")

    def __init__(self, kinds: Kinds, counts: C) -> None:
        self.kinds = kinds
        self.counts = counts
        self.stock = counts.stock

    @property
    def lost(self) -> int:
        return self.counts.lost

    def took(self, source: int, row: int, number: int, seen: Seen, *, hidden: bool) -> None:
        if hidden:
            self.counts.move_unknown(source, row, number, None, seen)

    def saw(self, source: int, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        for card in cards:
            self._move_known(source, seat, self.kinds.of[card], seen)

    def _move_known(self, source: int, row: int, class_: int, seen: Seen) -> None:
        self.counts.settle()
        self.counts.lose(source, class_, 1, seen)
        self.counts.gain(row, class_, 1, seen)

    def drew(self, draw: OpenDraw, among: Iterable[Card] | None, barred: OpenAsk | None) -> None:
        of = self.kinds.of
        self._enter(draw, None if among is None else {of[card] for card in among}, barred)

    def _enter(self, draw: OpenDraw, classes: Iterable[int] | None, barred: OpenAsk | None) -> None:
        """Enter a drawn card: of one of these classes (None: any), but not of the barred one."""
        possible = set(range(len(self.kinds.names)) if classes is None else classes)
        if barred is not None:
            class_ = self.kinds.number[barred.class_]
            possible.discard(class_)
            self.counts.spared(draw.seat, class_, barred.seen)
        if len(possible) == 1:
            self._move_known(draw.source, draw.seat, possible.pop(), draw.seen)
        else:
            every = len(possible) == len(self.kinds.names)
            wanted = None if every else sorted(possible)
            self.counts.move_unknown(draw.source, draw.seat, 1, wanted, draw.seen)
        if draw.replaced is not None:
            self.replaced(draw.source, draw.replaced, hidden=True)

    def replaced(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        self.took(self.stock, seat, 1, seen, hidden=hidden)

    def showed(self, seat: int, card: Card, draw: OpenDraw | None, seen: Seen) -> None:
        class_ = self.kinds.of[card]
        if draw is not None:
            self._move_known(draw.source, seat, class_, seen)
            if draw.replaced is not None:
                self.replaced(draw.source, draw.replaced, hidden=True)
        else:
            self.counts.at_least(seat, class_, 1, seen)

    def asked(self, seat: int, class_: str, seen: Seen) -> None:
        self.counts.at_least(seat, self.kinds.needs[self.kinds.number[class_]], 1, seen)

    def has(self, seat: int, class_: str, seen: Seen) -> None:
        self.counts.at_least(seat, self.kinds.number[class_], 1, seen)

    def has_none(self, seat: int, class_: str, seen: Seen) -> None:
        self.counts.none(seat, self.kinds.number[class_], seen)

    def has_fewer(self, seat: int, class_: str, number: int, seen: Seen) -> None:
        """Enter also that the seat holds at least one card, because it asked "how many?"."""
        self.counts.at_least(seat, self.kinds.number[class_], 1, seen)
        self.counts.at_most(seat, self.kinds.number[class_], number - 1, seen)

    def gave(
        self, giver: int, taker: int, class_: str, number: int, seen: Seen, *, every: bool
    ) -> None:
        counts, of = self.counts, self.kinds.number[class_]
        counts.settle()
        counts.lose(giver, of, number, seen)
        if every:
            counts.none(giver, of, seen)
        counts.gain(taker, of, number, seen)

    def laid(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        self.counts.settle()
        self.counts.book(seat, self._numbers(cards), seen)

    def _numbers(self, cards: Iterable[Card]) -> dict[int, int]:
        numbers: dict[int, int] = {}
        for card in cards:
            class_ = self.kinds.of[card]
            numbers[class_] = numbers.get(class_, 0) + 1
        return numbers

    def laid_face_down(
        self,
        seat: int,
        class_: str | None,
        draw: OpenDraw | None,
        barred: OpenAsk | None,
        seen: Seen,
    ) -> None:
        counts, number = self.counts, self.kinds.number
        if class_ is not None:
            counts.veil(seat, [number[class_]], seen)
            return
        counts.settle()
        not_of = None if barred is None else number[barred.class_]
        possible = counts.candidates(seat, 0 if draw is None else 1, not_of)
        if draw is not None:
            self._enter(draw, possible, barred)
        counts.veil(seat, possible, seen)

    def exposed(
        self, hands: Iterable[Iterable[Card]], boats: Iterable[Iterable[Card]], seen: Seen
    ) -> None:
        for seat, (hand, boat) in enumerate(zip(hands, boats, strict=True)):
            numbers = self._numbers((*hand, *boat))
            for class_ in range(len(self.kinds.names)):
                self.counts.at_least(seat, class_, numbers.get(class_, 0), seen)
                self.counts.at_most(seat, class_, numbers.get(class_, 0), seen)

    def end_move(self, looking: int | None, booked: frozenset[int]) -> None:
        self.counts.settle()
        self.counts.keep_to_most(looking, booked)
        self.counts.settle()

    # Facts that change no number of a class -----------------------------------------------------

    def saw_given(
        self, taker: int, class_: str, cards: Iterable[Card], seen: Seen, *, every: bool
    ) -> None:
        """Do nothing: `gave` has entered the class and the number."""

    def baited(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """Do nothing: hand and boat are one row."""

    def saw_bait(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """Do nothing: `asked` has entered that the seat holds one of the class."""

    def claimed(self, cards: Iterable[Card], seen: Seen) -> None:
        """Do nothing: only Fours has claims, and each of its cards has several classes."""

    def compensated(self, seat: int, card: Card, seen: Seen) -> None:
        """Do nothing: only Fours compensates a seat for a claim."""
