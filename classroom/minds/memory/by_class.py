"""Perfect memory for games in which every card has one class (D1 to D14, D16).

It works on a sheet: the fewest and the most cards of each class (a column) in each place (a row).
The rows are the seats, the stock, the cards set aside, and face-down books of unknown class. The
size of each row and the total of each column are known, so bounds limit each other (D11, D12, D13):
a hand of three cards with at least two sevens has at most one eight. Every bound has its reason: an
event, and the reasons that it builds on. If a bound follows from the size of a row, its reasons
include the event that last changed the size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.known_facts import (
    NOTHING_OPEN,
    Kinds,
    Ledger,
    Open,
    OpenAsk,
    OpenDraw,
    Reader,
    Why,
    evidence,
    kinds_of,
)


@dataclass(slots=True)
class Sheet:
    """Bounds for each cell: the lower bound is `low[row * width + class]`; the upper bound is at
    the same index in `high`.

    `size`: the number of cards in each row; `why_size`: the event that last changed it. `left`: how
    many cards of each class are not known to be laid. `rows`, `columns`: bit masks of the rows and
    columns that changed since their sums were last checked. `veils`: for each face-down book of
    unknown class, in order, its possible classes.
    """

    kinds: Kinds
    seats: int
    viewer: int | None
    width: int
    low: list[int]
    high: list[int]
    why_low: list[Why | None]
    why_high: list[Why | None]
    size: list[int]
    why_size: list[Why | None]
    left: list[int]
    why_left: list[Why | None]
    rows: int = 0
    columns: int = 0
    veils: tuple[tuple[int, ...], ...] = ()

    @property
    def stock(self) -> int:
        return self.seats

    @property
    def lost(self) -> int:
        return self.seats + 1

    @property
    def veiled(self) -> int:
        """The row for face-down books of unknown class."""
        return self.seats + 2

    def copy(self) -> Sheet:
        return replace(
            self,
            low=self.low[:],
            high=self.high[:],
            why_low=self.why_low[:],
            why_high=self.why_high[:],
            size=self.size[:],
            why_size=self.why_size[:],
            left=self.left[:],
            why_left=self.why_left[:],
        )

    # One cell -------------------------------------------------------------------------------

    def at_least(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Record that the row now holds at least `number` of the class."""
        cell = row * self.width + class_
        if self.low[cell] < number:
            self.low[cell] = number
            self.why_low[cell] = Why(seen)
            self._changed(cell)

    def at_most(self, row: int, class_: int, number: int, seen: Seen) -> None:
        """Record that the row now holds at most `number` of the class."""
        self._cap(row, class_, number, Why(seen))

    def _cap(self, row: int, class_: int, number: int, why: Why | None) -> None:
        cell = row * self.width + class_
        if self.high[cell] > number:
            self.high[cell] = number
            self.why_high[cell] = why
            self._changed(cell)

    def none(self, row: int, class_: int, seen: Seen | None) -> None:
        """Record that the row now holds none of the class."""
        cell = row * self.width + class_
        self.low[cell] = self.high[cell] = 0
        self.why_low[cell] = None
        self.why_high[cell] = Why(seen)
        self._changed(cell)

    def gain(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Record that `number` cards of the class entered the row."""
        cell = row * self.width + class_
        self.low[cell] += number
        self.high[cell] += number
        self.why_low[cell] = Why(seen, (self.why_low[cell],))
        self.why_high[cell] = Why(seen, (self.why_high[cell],))
        self._changed(cell)
        self._resize(row, number, seen)

    def lose(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Record that `number` cards of the class left the row, which had at least that many."""
        cell = row * self.width + class_
        self.low[cell] = max(self.low[cell], number) - number
        self.high[cell] = max(self.high[cell] - number, 0)
        if self.low[cell] == 0:
            self.why_low[cell] = None
        self.why_high[cell] = Why(seen, (self.why_high[cell],))
        self._changed(cell)
        self._resize(row, -number, seen)

    def _resize(self, row: int, more: int, seen: Seen | None) -> None:
        self.size[row] += more
        self.why_size[row] = Why(seen)
        self.rows |= 1 << row

    def _changed(self, cell: int) -> None:
        row, class_ = divmod(cell, self.width)
        self.rows |= 1 << row
        self.columns |= 1 << class_

    # Unknown cards --------------------------------------------------------------------------

    def move_unknown(
        self, source: int, row: int, number: int, classes: Iterable[int] | None, seen: Seen
    ) -> None:
        """Record that `number` unseen cards of these `classes` (None: any) went from `source` to
        `row`. After that, "has none" no longer holds for the row and these classes (D5)."""
        self.settle()
        width, low, high = self.width, self.low, self.high
        from_, to = source * width, row * width
        rest = self.size[source] - number
        for class_ in range(width) if classes is None else classes:
            may = high[from_ + class_]
            if not may:
                if self.why_high[from_ + class_] is not None:
                    self.spared(row, class_, seen, self.why_high[from_ + class_])
                continue
            self.columns |= 1 << class_
            must = low[from_ + class_] - rest
            if low[from_ + class_]:
                low[from_ + class_] = max(0, low[from_ + class_] - number)
            if may > rest:
                high[from_ + class_] = rest
                self.why_high[from_ + class_] = Why(seen)
            high[to + class_] += min(number, may)
            self.why_high[to + class_] = Why(seen, (self.why_high[to + class_],))
            if must > 0:
                low[to + class_] += must
                self.why_low[to + class_] = Why(
                    seen, (self.why_low[to + class_], self.why_low[from_ + class_])
                )
        for cell in range(from_, from_ + width) if classes is not None else ():
            if high[cell] > rest:
                high[cell] = max(rest, 0)
                self.why_high[cell] = Why(seen)
                self._changed(cell)
        self._resize(source, -number, seen)
        self._resize(row, number, seen)

    def spared(self, row: int, class_: int, seen: Seen, why: Why | None = None) -> None:
        """Record why none of the unseen cards that entered the row belongs to this class."""
        cell = row * self.width + class_
        self.why_high[cell] = Why(seen, (self.why_high[cell], why))

    # Sums -----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Use the sums of rows and columns to tighten bounds until nothing changes. Only rows and
        columns that have changed since their last check are checked."""
        while self.rows or self.columns:
            for row, size in enumerate(self.size):
                if self.rows & 1 << row:
                    self.rows ^= 1 << row
                    if row != self.viewer:
                        cells = slice(row * self.width, (row + 1) * self.width)
                        self._settle_sum(cells, size, self.why_size[row])
            for class_, total in enumerate(self.left):
                if self.columns & 1 << class_:
                    self.columns ^= 1 << class_
                    self._settle_sum(slice(class_, None, self.width), total, self.why_left[class_])
            if self.size[self.veiled]:
                self._settle_veiled()

    def _settle_sum(self, cells: slice, total: int, why: Why | None) -> None:
        lows, highs = self.low[cells], self.high[cells]
        spare, gap = total - sum(lows), sum(highs) - total
        if spare == gap == 0:
            return
        widest = max(map(int.__sub__, highs, lows))
        if widest > spare or widest > gap:
            self._tighten(range(len(self.low))[cells], spare, gap, why)

    def _tighten(self, cells: range, spare: int, gap: int, also: Why | None) -> None:
        """Tighten the bounds of each cell so that the others can make up the sum. A cell holds
        at most its lower bound plus `spare` (the sum less all lower bounds), and at least its upper
        bound less `gap` (all upper bounds less the sum)."""
        low, high = self.low, self.high
        lows = highs = None
        for cell in cells:
            room = high[cell] - low[cell]
            if room > spare:
                if lows is None:
                    lows = [self.why_low[other] for other in cells if low[other]]
                    lows.append(also)
                old = self.why_low[cell]
                self.why_high[cell] = Why(None, tuple(why for why in lows if why is not old))
                high[cell] = low[cell] + max(spare, 0)
                self._changed(cell)
                room = high[cell] - low[cell]
        for cell in cells:
            room = high[cell] - low[cell]
            if room > gap >= 0:
                if highs is None:
                    highs = [(other, self.why_high[other]) for other in cells]
                parents = tuple(why for other, why in highs if other != cell)
                self.why_low[cell] = Why(None, (*parents, also))
                low[cell] = high[cell] - gap
                self._changed(cell)

    def _settle_veiled(self) -> None:
        """Round the bounds of each class to whole books, because face-down books are complete."""
        size = self.kinds.rules.book_size
        start = self.veiled * self.width
        for cell in range(start, start + self.width):
            low, high = self.low[cell], self.high[cell]
            if low % size or high % size:
                self.low[cell], self.high[cell] = low + -low % size, high - high % size
                self._changed(cell)

    # Books ----------------------------------------------------------------------------------

    def book(self, seat: int, numbers: dict[int, int], seen: Seen) -> None:
        """Record that the seat laid cards on the table; `numbers`: how many of each class."""
        for class_, number in numbers.items():
            self.lose(seat, class_, number, seen)
            self.left[class_] -= number
            self.columns |= 1 << class_
            self.why_left[class_] = Why(seen, (self.why_left[class_],))

    def candidates(self, seat: int, extra: int, barred: int | None) -> list[int]:
        """Find the classes of which the seat could have a book, counting `extra` cards that are not
        recorded yet. Leave out the class `barred` (D9). Add the result to `veils`."""
        start, size = seat * self.width, self.kinds.rules.book_size
        highs = self.high[start : start + self.width]
        found = [
            class_ for class_, high in enumerate(highs) if high + extra >= size and class_ != barred
        ]
        self.veils = (*self.veils, tuple(found))
        return found

    def veil(self, seat: int, classes: list[int], seen: Seen) -> None:
        """Record that the seat laid a book face down; its class is one of `classes`."""
        size = self.kinds.rules.book_size
        if len(classes) == 1:
            self.book(seat, {classes[0]: size}, seen)
            return
        start, veiled = seat * self.width, self.veiled * self.width
        for class_ in classes:
            self.low[start + class_] = max(0, self.low[start + class_] - size)
            self.high[veiled + class_] += size
            self.columns |= 1 << class_
        self._resize(seat, -size, seen)
        self._resize(self.veiled, size, seen)

    def keep_to_most(self, looking: int | None, booked: frozenset[int]) -> None:
        """Lower the upper bounds of hands to the number of cards that automatic laying leaves
        there, but not for the seat `looking`, which has laid no book yet."""
        most, width = self.kinds.most, self.width
        for row in range(self.seats):
            start = row * width
            if row in (looking, self.viewer):
                continue
            if any(map(int.__gt__, self.high[start : start + width], most)):
                for class_, number in enumerate(most):
                    self._cap(row, class_, number, None)
        if self.kinds.rules.book_layoff == "auto":
            for row in range(self.seats):
                for class_ in booked:
                    self._cap(row, class_, 0, self.why_left[class_])
        if self.kinds.parts_rivals:
            for row in range(self.seats):
                for class_, rival in enumerate(self.kinds.rivals):
                    cell = row * width + class_
                    if rival >= 0 and self.low[cell]:
                        self._cap(row, rival, 0, self.why_low[cell])


class Counts(Protocol):
    """The operations that a ClassLedger uses, on bounds (Sheet) or unseen draws (chances.py)."""

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


class ClassLedger(Ledger, Generic[C]):
    """A ledger that records facts in `counts`.

    It ignores facts that do not change how many cards of a class are where. The cards in a gift or
    bait add nothing, because `gave` or `asked` has recorded their class. New bait adds nothing,
    because hand and boat are one row. Claims occur only in Fours, where cards have several classes.
    """

    def __init__(self, kinds: Kinds, counts: C) -> None:
        self.kinds = kinds
        self.counts = counts
        self.stock = counts.stock
        self.lost = counts.lost

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
        """Record a drawn card of one of these classes (None: any), except the class of `barred`."""
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
        """Record an upper bound. A seat that asked "how many?" also holds at least one card."""
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
        self.counts.book(seat, Counter(self.kinds.of[card] for card in cards), seen)

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
            numbers = Counter(self.kinds.of[card] for card in (*hand, *boat))
            for class_ in range(len(self.kinds.names)):
                self.counts.at_least(seat, class_, numbers[class_], seen)
                self.counts.at_most(seat, class_, numbers[class_], seen)

    def end_move(self, looking: int | None, booked: frozenset[int]) -> None:
        self.counts.settle()
        self.counts.keep_to_most(looking, booked)
        self.counts.settle()


@dataclass(frozen=True)
class CountMemory:
    """The conclusions from the first `taken` events, by class. The sheet never changes in place."""

    kinds: Kinds
    viewer: int | None
    taken: int
    sheet: Sheet
    open: Open = NOTHING_OPEN

    @classmethod
    def start(cls, observation: Observation) -> CountMemory:
        """Start a memory before any event, with all cards in the stock."""
        kinds, seats = kinds_of(observation.rules), observation.seats
        viewer = observation.viewer if isinstance(observation.viewer, int) else None
        width, copies = len(kinds.names), list(kinds.copies)
        cells = [0] * (seats * width) + copies + [0] * (2 * width)
        size = [0] * seats + [sum(copies), 0, 0]
        sheet = Sheet(
            kinds=kinds,
            seats=seats,
            viewer=viewer,
            width=width,
            low=cells,
            high=cells[:],
            why_low=[None] * len(cells),
            why_high=[None] * len(cells),
            size=size,
            why_size=[None] * len(size),
            left=copies,
            why_left=[None] * width,
        )
        return cls(kinds, viewer, 0, sheet)

    def after(self, *seen: Seen) -> CountMemory:
        """Return the memory after further events, in order; this memory stays as it is."""
        reader = self._reader()
        for item in seen:
            reader.take(item)
        sheet, taken = reader.ledger.counts, self.taken + len(seen)
        return CountMemory(self.kinds, self.viewer, taken, sheet, reader.open)

    def _reader(self) -> Reader[ClassLedger[Sheet]]:
        """A reader that continues from here, on a copy of the sheet."""
        ledger = ClassLedger(self.kinds, self.sheet.copy())
        return Reader(self.kinds, self.viewer, ledger, self.open)

    @cached_property
    def settled(self) -> Sheet:
        """The sheet at the end of the move, with all draws recorded and all conclusions drawn."""
        reader = self._reader()
        reader.end_move()
        return reader.ledger.counts

    def bounds(self, row: int, class_: str) -> tuple[int, int]:
        """The fewest and the most cards of the class that can be in a row now (a seat, the stock or
        the cards set aside)."""
        cell = row * self.sheet.width + self.kinds.number[class_]
        return self.settled.low[cell], self.settled.high[cell]

    def veiled_classes(self) -> list[int]:
        """The possible classes of face-down books of unknown class; empty if there are none."""
        sheet = self.settled
        start = sheet.veiled * sheet.width
        return [c for c in range(sheet.width) if sheet.high[start + c]]

    def proof(self, seat: int, class_: str, high: bool = False) -> tuple[Seen, ...]:
        """The events that prove the lower bound (if `high`, the upper bound), oldest first."""
        cell = seat * self.sheet.width + self.kinds.number[class_]
        whys = self.settled.why_high if high else self.settled.why_low
        return evidence(whys[cell])
