"""The facts that the reader of events (reading.py) works out and a ledger takes in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from classroom.engine.cards import Card
from classroom.engine.observation import Seen


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """The last ask: asker and class, and what was said since ("how many?", the number named)."""

    seat: int
    class_: str
    seen: Seen
    how_many: bool = False
    named: int | None = None


@dataclass(frozen=True, slots=True)
class OpenDraw:
    """A card taken unseen, about which later events of the same move may tell more.

    `source`: the row it came from. `kept`: the seat looked at it and did not show it, so it may
    even be of the class asked for. `replaced`: the event in which the seat that lost the
    card took another from the stock; None if it took none.
    """

    seat: int
    source: int
    seen: Seen
    kept: bool = False
    replaced: Seen | None = None


class Ledger(Protocol):
    """Takes in facts in the order of events; `seen` is the event that each follows from.

    Cards are in rows: one for each seat (hand and boat together), the stock, the cards set aside.
    """

    @property
    def stock(self) -> int:
        """The row of the stock."""

    @property
    def lost(self) -> int:
        """The row of the cards set aside."""

    def took(self, source: int, row: int, number: int, seen: Seen, *, hidden: bool) -> None:
        """`number` cards went from one row to another. Unless they are `hidden`, `saw` follows."""

    def saw(self, source: int, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """The viewer saw which cards the seat took from the source."""

    def drew(self, draw: OpenDraw, among: Iterable[Card] | None, barred: OpenAsk | None) -> None:
        """A card went unseen from one row to another. It is of the class of a card in `among`
        (None: any), but not what was asked for in `barred`, which would have been shown."""

    def replaced(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """The seat took a card from the stock to replace one taken from its hand. `hidden`: as for
        `took`. The seat that took that card may hold a whole book that it has not laid yet."""

    def showed(self, seat: int, card: Card, draw: OpenDraw | None, seen: Seen) -> None:
        """The seat showed a card that it holds now. `draw`: the draw that brought the card, if the
        viewer did not see which card was drawn."""

    def asked(self, seat: int, class_: str, seen: Seen) -> None:
        """The seat asked for the class, so it holds a card that allows the ask."""

    def has(self, seat: int, class_: str, seen: Seen) -> None:
        """The seat holds some of the class."""

    def has_none(self, seat: int, class_: str, seen: Seen) -> None:
        """The seat holds none of the class."""

    def has_fewer(self, seat: int, class_: str, number: int, seen: Seen) -> None:
        """The seat holds fewer than `number` of the class."""

    def gave(
        self, giver: int, taker: int, class_: str, number: int, seen: Seen, *, every: bool
    ) -> None:
        """`number` cards of the class changed hands; `every`: they were all that the giver had."""

    def saw_given(
        self, taker: int, class_: str, cards: Iterable[Card], seen: Seen, *, every: bool
    ) -> None:
        """The viewer gave or took these cards and so saw them. `every`: the viewer took them, and
        the giver kept none of the class."""

    def laid(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """The seat laid these cards on the table, so they are out of play."""

    def laid_face_down(
        self,
        seat: int,
        class_: str | None,
        draw: OpenDraw | None,
        barred: OpenAsk | None,
        seen: Seen,
    ) -> None:
        """Another seat laid a book face down, of `class_` if that is known (D9). `draw`, `barred`:
        the card it drew just before, as for `drew`."""

    def baited(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """The seat took cards from its boat into its hand."""

    def saw_bait(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """The viewer saw that these cards are in the seat's hand, as bait."""

    def exposed(
        self, hands: Iterable[Iterable[Card]], boats: Iterable[Iterable[Card]], seen: Seen
    ) -> None:
        """All hands and boats are shown to everyone."""

    def claimed(self, cards: Iterable[Card], seen: Seen) -> None:
        """A book was made of exposed cards of several seats."""

    def compensated(self, seat: int, card: Card, seen: Seen) -> None:
        """The card, whose place is known, went to the seat's boat."""

    def end_move(self, looking: int | None, booked: frozenset[int]) -> None:
        """The move is over: draw all conclusions, including those from automatic laying (D10).
        `looking`, `booked`: as in Open."""
