"""The working sheet of a memory: the fewest and the most cards of each class in each place.

Rows are the seats, then the stock, the cards set aside, and face-down books of unknown class. Rows
of known size and columns of known total tighten each other (D11, D12, D13). Every bound carries its
reason: an event, and the reasons it builds on. If a bound follows from how many cards are in a row,
its event is the one that last changed that number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from classroom.engine.observation import Seen
from classroom.minds.memory.deck_facts import Kinds
from classroom.minds.memory.reasons import Why


@dataclass(slots=True)
class Sheet:
    """The bounds that are being worked on: `low[row * width + class]`, and `high` likewise.

    `left`: cards of each class not known to have been laid. `rows`, `columns`: a bit for
    each row or column that changed since its sum was last checked. `why_size`: for each row, the
    event that last changed how many cards are there. `veils`: for each face-down book of unknown
    class, in order, the classes it could be of.
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
        """The row of the stock."""
        return self.seats

    @property
    def lost(self) -> int:
        """The row of the cards set aside."""
        return self.seats + 1

    @property
    def veiled(self) -> int:
        """The row of face-down books of unknown class."""
        return self.seats + 2

    def copy(self) -> Sheet:
        """An independent sheet with the same entries."""
        return Sheet(
            self.kinds,
            self.seats,
            self.viewer,
            self.width,
            self.low[:],
            self.high[:],
            self.why_low[:],
            self.why_high[:],
            self.size[:],
            self.why_size[:],
            self.left[:],
            self.why_left[:],
            self.rows,
            self.columns,
            self.veils,
        )

    # One cell -------------------------------------------------------------------------------

    def at_least(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Enter that the row now holds at least `number` of the class."""
        cell = row * self.width + class_
        if self.low[cell] < number:
            self.low[cell] = number
            self.why_low[cell] = Why(seen)
            self._changed(cell)

    def at_most(self, row: int, class_: int, number: int, seen: Seen) -> None:
        """Enter that the row now holds at most `number` of the class."""
        self._cap(row, class_, number, Why(seen))

    def _cap(self, row: int, class_: int, number: int, why: Why | None) -> None:
        cell = row * self.width + class_
        if self.high[cell] > number:
            self.high[cell] = number
            self.why_high[cell] = why
            self._changed(cell)

    def none(self, row: int, class_: int, seen: Seen | None) -> None:
        """Enter that the row now holds none of the class."""
        cell = row * self.width + class_
        self.low[cell] = self.high[cell] = 0
        self.why_low[cell] = None
        self.why_high[cell] = Why(seen)
        self._changed(cell)

    def gain(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Enter that `number` cards of the class came into the row."""
        cell = row * self.width + class_
        self.low[cell] += number
        self.high[cell] += number
        self.why_low[cell] = Why(seen, (self.why_low[cell],))
        self.why_high[cell] = Why(seen, (self.why_high[cell],))
        self._changed(cell)
        self._resize(row, number, seen)

    def lose(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Enter that `number` cards of the class left the row, so it had at least that many."""
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
        """Enter that `number` unseen cards of these `classes` (None: any) went between two rows.

        This ends a "has none" (D5): the new card may be of any class that the source may hold.
        """
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
        if classes is not None:
            self._cap_source(source, rest, seen)
        self._resize(source, -number, seen)
        self._resize(row, number, seen)

    def spared(self, row: int, class_: int, seen: Seen, why: Why | None = None) -> None:
        """Note why none of the unseen cards that came into the row is of this class."""
        cell = row * self.width + class_
        self.why_high[cell] = Why(seen, (self.why_high[cell], why))

    def _cap_source(self, source: int, rest: int, seen: Seen) -> None:
        start = source * self.width
        for cell in range(start, start + self.width):
            if self.high[cell] > rest:
                self.high[cell] = max(rest, 0)
                self.why_high[cell] = Why(seen)
                self._changed(cell)

    # Sums -----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tighten rows and columns against each other until nothing changes, checking only those
        with an entry that changed since the last check."""
        while self.rows or self.columns:
            for row, size in enumerate(self.size):
                if self.rows & 1 << row:
                    self.rows ^= 1 << row
                    if row != self.viewer:
                        self._settle_row(row, size)
            for class_, total in enumerate(self.left):
                if self.columns & 1 << class_:
                    self.columns ^= 1 << class_
                    self._settle_column(class_, total)
            if self.size[self.veiled]:
                self._settle_veiled()

    def _settle_row(self, row: int, size: int) -> None:
        start = row * self.width
        stop = start + self.width
        lows, highs = self.low[start:stop], self.high[start:stop]
        spare, gap = size - sum(lows), sum(highs) - size
        if size == 0 and gap == 0:
            return
        widest = max(map(int.__sub__, highs, lows))
        if widest <= spare and widest <= gap:
            return
        cells = range(start, stop)
        self._tighten(cells, spare, gap, self.why_size[row])

    def _settle_column(self, class_: int, total: int) -> None:
        lows, highs = self.low[class_ :: self.width], self.high[class_ :: self.width]
        spare, gap = total - sum(lows), sum(highs) - total
        if gap == 0 and spare == 0:
            return
        widest = max(map(int.__sub__, highs, lows))
        if widest > spare or widest > gap:
            cells = range(class_, len(self.low), self.width)
            self._tighten(cells, spare, gap, self.why_left[class_])

    def _tighten(self, cells: range, spare: int, gap: int, also: Why | None) -> None:
        """Keep every cell within `spare` of its low and within `gap` of its high: otherwise the
        other cells could not make up the sum."""
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
        """Face-down books are complete: each class's count there is a multiple of the book size."""
        size = self.kinds.book_size
        start = self.veiled * self.width
        for cell in range(start, start + self.width):
            low, high = self.low[cell], self.high[cell]
            if low % size:
                self.low[cell] = low + size - low % size
                self._changed(cell)
            if high % size:
                self.high[cell] = high - high % size
                self._changed(cell)

    # Books ----------------------------------------------------------------------------------

    def book(self, seat: int, numbers: dict[int, int], seen: Seen) -> None:
        """Enter that the seat laid cards on the table; `numbers`: how many of each class."""
        for class_, number in numbers.items():
            self.lose(seat, class_, number, seen)
            self.left[class_] -= number
            self.columns |= 1 << class_
            self.why_left[class_] = Why(seen, (self.why_left[class_],))

    def candidates(self, seat: int, extra: int, barred: int | None) -> list[int]:
        """Find the classes of which the seat could have a book with `extra` more cards, except the
        class `barred` (D9), and add them to `veils`."""
        start, size = seat * self.width, self.kinds.book_size
        highs = self.high[start : start + self.width]
        found = [
            class_ for class_, high in enumerate(highs) if high + extra >= size and class_ != barred
        ]
        self.veils = (*self.veils, tuple(found))
        return found

    def veil(self, seat: int, classes: list[int], seen: Seen) -> None:
        """Enter that the seat laid a book of one of `classes` face down."""
        size = self.kinds.book_size
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
        """Lower the upper bounds of hands to what automatic laying lets them keep; not for the seat
        `looking`, which has laid no book yet."""
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
            self._part_rivals()

    def _part_rivals(self) -> None:
        for row in range(self.seats):
            for class_, rival in enumerate(self.kinds.rivals):
                cell = row * self.width + class_
                if rival >= 0 and self.low[cell]:
                    self._cap(row, rival, 0, self.why_low[cell])


def blank(kinds: Kinds, seats: int, viewer: int | None) -> Sheet:
    """Make the sheet before the deal, with every card in the stock."""
    width = len(kinds.names)
    numbers = [0] * (seats * width) + list(kinds.copies) + [0] * (2 * width)
    size = [0] * seats + [sum(kinds.copies), 0, 0]
    nothing: list[Why | None] = [None] * len(numbers)
    return Sheet(
        kinds,
        seats,
        viewer,
        width,
        numbers[:],
        numbers,
        nothing[:],
        nothing[:],
        size,
        [None] * len(size),
        list(kinds.copies),
        [None] * width,
    )
