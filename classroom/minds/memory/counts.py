"""Perfect memory where every card has one class: bounds, event by event (D1 to D14, D16)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.deck_facts import Kinds, kinds_of
from classroom.minds.memory.reading import NOTHING_OPEN, Open, Reader
from classroom.minds.memory.sheet import Sheet, blank, evidence


@dataclass(frozen=True)
class CountMemory:
    """What can be known after the events taken in so far. The sheet is never changed in place."""

    kinds: Kinds
    viewer: int | None
    taken: int
    sheet: Sheet
    open: Open = NOTHING_OPEN

    @classmethod
    def start(cls, observation: Observation) -> CountMemory:
        """Nothing seen yet: all cards lie in the stock."""
        kinds = kinds_of(observation.rules)
        viewer = observation.viewer if isinstance(observation.viewer, int) else None
        return cls(kinds, viewer, 0, blank(kinds, observation.seats, viewer))

    def after(self, *seen: Seen) -> CountMemory:
        """This memory with further events taken in, in their order."""
        reader = Reader(self.kinds, self.viewer, self.sheet.copy(), self.open)
        for item in seen:
            reader.take(item)
        return CountMemory(
            self.kinds, self.viewer, self.taken + len(seen), reader.ledger, reader.open
        )

    @cached_property
    def settled(self) -> Sheet:
        """The sheet once the move is over: all draws entered, all books laid, all sums drawn."""
        reader = Reader(self.kinds, self.viewer, self.sheet.copy(), self.open)
        reader.rest()
        return reader.ledger

    def bounds(self, seat: int, class_: str) -> tuple[int, int]:
        """The fewest and the most cards of the class that the seat can hold now."""
        return self._bounds(seat, class_)

    def stock_bounds(self, class_: str) -> tuple[int, int]:
        """The fewest and the most cards of the class that can lie in the stock now."""
        return self._bounds(self.sheet.stock, class_)

    def lost_bounds(self, class_: str) -> tuple[int, int]:
        """The same for the cards set aside."""
        return self._bounds(self.sheet.lost, class_)

    def veiled_classes(self) -> list[int]:
        """The classes that books lying face down may be of; none if all of them are known."""
        sheet = self.settled
        start = sheet.veiled * sheet.width
        return [c for c in range(sheet.width) if sheet.high[start + c]]

    def left(self, class_: str) -> int:
        """Cards of the class that are not known to lie in books."""
        return self.settled.left[self.kinds.number[class_]]

    def proof(self, seat: int, class_: str, high: bool = False) -> tuple[Seen, ...]:
        """The events that prove the lower bound (or the upper one), oldest first."""
        cell = seat * self.sheet.width + self.kinds.number[class_]
        whys = self.settled.why_high if high else self.settled.why_low
        return evidence(whys[cell])

    def _bounds(self, row: int, class_: str) -> tuple[int, int]:
        cell = row * self.sheet.width + self.kinds.number[class_]
        return self.settled.low[cell], self.settled.high[cell]
