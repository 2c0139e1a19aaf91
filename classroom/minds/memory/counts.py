"""Perfect memory for games in which every card has one class (D1 to D14, D16)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.class_ledger import ClassLedger
from classroom.minds.memory.deck_facts import Kinds, kinds_of
from classroom.minds.memory.reading import NOTHING_OPEN, Open, Reader
from classroom.minds.memory.reasons import evidence
from classroom.minds.memory.sheet import Sheet, blank


@dataclass(frozen=True)
class CountMemory:
    """What can be known after the events read so far. The sheet is never changed in place."""

    kinds: Kinds
    viewer: int | None
    taken: int
    sheet: Sheet
    open: Open = NOTHING_OPEN

    @classmethod
    def start(cls, observation: Observation) -> CountMemory:
        """Start a memory before any event, with all cards in the stock."""
        kinds = kinds_of(observation.rules)
        viewer = observation.viewer if isinstance(observation.viewer, int) else None
        return cls(kinds, viewer, 0, blank(kinds, observation.seats, viewer))

    def after(self, *seen: Seen) -> CountMemory:
        """Return what this memory becomes after reading further events in order."""
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
        """The sheet once the move is over: all draws entered, all conclusions drawn."""
        reader = self._reader()
        reader.end_move()
        return reader.ledger.counts

    def bounds(self, row: int, class_: str) -> tuple[int, int]:
        """The fewest and the most cards of the class that can be in a row now (a seat, the stock or
        the cards set aside)."""
        cell = row * self.sheet.width + self.kinds.number[class_]
        return self.settled.low[cell], self.settled.high[cell]

    def veiled_classes(self) -> list[int]:
        """The possible classes of face-down books; empty if all are known."""
        sheet = self.settled
        start = sheet.veiled * sheet.width
        return [c for c in range(sheet.width) if sheet.high[start + c]]

    def left(self, class_: str) -> int:
        """How many cards of the class are not known to have been laid on the table."""
        return self.settled.left[self.kinds.number[class_]]

    def proof(self, seat: int, class_: str, high: bool = False) -> tuple[Seen, ...]:
        """The events that prove the lower bound (or the upper one), oldest first."""
        cell = seat * self.sheet.width + self.kinds.number[class_]
        whys = self.settled.why_high if high else self.settled.why_low
        return evidence(whys[cell])
