"""Perfect memory that tracks single cards (D15).

It serves Fisherman's Fours, where a card has three classes, and games that ask for exact cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.card_ledger import CardLedger, members_of
from classroom.minds.memory.chart import Chart
from classroom.minds.memory.deck_facts import Kinds, kinds_of
from classroom.minds.memory.reading import NOTHING_OPEN, Open, Reader
from classroom.minds.memory.reasons import Why, evidence


@dataclass(frozen=True)
class PlaceMemory:
    """What can be known about each card after the events read so far.

    `sizes`: how many cards are in each hand and in each boat now; None if not yet given.
    """

    kinds: Kinds
    viewer: int | None
    taken: int
    chart: Chart
    open: Open = NOTHING_OPEN
    sizes: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @classmethod
    def start(cls, observation: Observation) -> PlaceMemory:
        """Start a memory before any event, with all cards in the stock."""
        kinds = kinds_of(observation.rules)
        viewer = observation.viewer if isinstance(observation.viewer, int) else None
        seats = observation.seats
        chart = Chart(
            seats,
            dict.fromkeys(kinds.deck.cards, 1 << (2 * seats)),
            dict.fromkeys(kinds.deck.cards),
            held=[*[0] * seats, len(kinds.deck.cards)],
            why_held=[None] * (seats + 1),
        )
        return cls(kinds, viewer, 0, chart)

    def after(self, *seen: Seen) -> PlaceMemory:
        """Return what this memory becomes after reading further events in order."""
        reader = self._reader()
        for item in seen:
            reader.take(item)
        chart, taken = reader.ledger.chart, self.taken + len(seen)
        return PlaceMemory(self.kinds, self.viewer, taken, chart, reader.open)

    def _reader(self) -> Reader[CardLedger]:
        """A reader that continues from here, on a copy of the chart."""
        ledger = CardLedger(self.kinds, self.viewer, self.chart.copy())
        return Reader(self.kinds, self.viewer, ledger, self.open)

    def with_sizes(self, observation: Observation) -> PlaceMemory:
        """Return this memory with the sizes of hands and boats that everyone sees now."""
        return replace(self, sizes=(observation.hand_sizes, observation.boat_sizes))

    @cached_property
    def settled(self) -> Chart:
        """The chart once the move is over, with all conclusions drawn."""
        reader = self._reader()
        reader.end_move()
        chart = reader.ledger.chart
        if self.sizes is not None:
            while chart.settle_sizes(*self.sizes):
                chart.settle(self.kinds)
        return chart

    def places(self, card: Card) -> int:
        """The possible places of a card, as bits of the chart."""
        return self.settled.where[card]

    def bounds(self, seat: int, class_: str) -> tuple[int, int]:
        """The fewest and the most cards of the class, or of the exact card, at the seat."""
        cards = members_of(self.kinds, class_)
        chart = self.settled
        places = chart.at(seat)
        sure = sum(1 for card in cards if chart.where[card] & ~places == 0)
        high = sum(1 for card in cards if chart.where[card] & places)
        low, _ = self._low(seat, cards)
        elsewhere = sum(
            1 for c, where in chart.where.items() if c not in cards and where & ~places == 0
        )
        return max(low, sure), min(high, max(chart.held[seat] - elsewhere, low))

    def left(self, class_: str) -> int:
        """How many cards of the class are not known to be out of play."""
        chart = self.settled
        return sum(1 for card in members_of(self.kinds, class_) if chart.where[card] != chart.gone)

    def proof(self, seat: int, class_: str, high: bool = False) -> tuple[Seen, ...]:
        """The events that prove the lower bound (or the upper one), oldest first."""
        cards = members_of(self.kinds, class_)
        chart = self.settled
        places = chart.at(seat)
        if high:
            out = [c for c in cards if not chart.where[c] & places and chart.where[c] != chart.gone]
            return evidence(Why(None, tuple(chart.why[card] for card in out)))
        _, whys = self._low(seat, cards)
        return evidence(Why(None, whys))

    def _low(self, seat: int, cards: frozenset[Card]) -> tuple[int, tuple[Why | None, ...]]:
        """The lower bound that sure cards and groups give, with its reasons. Groups add up only if
        no card can count for two of them in the same place."""
        chart = self.settled
        places = chart.at(seat)
        sure = frozenset(card for card in cards if chart.where[card] & ~places == 0)
        spoken_for: dict[Card, int] = {}
        least, whys = 0, tuple(chart.why[card] for card in sorted(sure))
        for group in sorted(chart.groups, key=lambda group: -group.least):
            inside = {c: spots for c, spots in group.places if c in cards and not spots & ~places}
            number = group.least - (len(group.places) - len(inside))
            if number <= 0 or any(spoken_for.get(c, 0) & spots for c, spots in inside.items()):
                continue
            for card, spots in inside.items():
                spoken_for[card] = spoken_for.get(card, 0) | spots
            least += number
            whys = (*whys, group.why, *(chart.why[card] for card in inside))
        return max(len(sure), least + len(sure - spoken_for.keys())), whys
