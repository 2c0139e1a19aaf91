"""Counts of asks and turns in which nothing happened, to end a round that is getting nowhere."""

from __future__ import annotations

from typing import Final, NamedTuple


class Quiet(NamedTuple):
    """How long nothing has happened since a card last left the stock. All these counts are public.

    `idle`: asks in a row that moved no card; `bookless`: asks in a row without a new book (S2);
    `fourless`: turns without a new four, once the stock is empty (S15); `dodges`: asks in a row
    that began in a dead position and moved no card (S20).
    """

    idle: int = 0
    bookless: int = 0
    fourless: int = 0
    dodges: int = 0

    def asked(self, dead: bool) -> Quiet:
        """The counts after one more ask, before its cards move or make a book."""
        idle, bookless, fourless, dodges = self
        return Quiet(idle + 1, bookless + 1, fourless, dodges + 1 if dead else 0)

    def moved(self) -> Quiet:
        """The counts after an ask moved a card."""
        return Quiet(0, self.bookless, self.fourless, 0) if self.idle else self

    def booked(self) -> Quiet:
        """The counts after a seat laid a book."""
        return Quiet(self.idle, 0, 0, self.dodges) if any(self) else self

    def turned(self) -> Quiet:
        """The counts after another turn has ended."""
        return self._replace(fourless=self.fourless + 1)


NO_QUIET: Final = Quiet()
