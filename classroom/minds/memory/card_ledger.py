"""Facts about single cards, entered as the places where each of them can be (D15)."""

from __future__ import annotations

from collections.abc import Iterable

from classroom.engine.cards import Card
from classroom.engine.observation import Seen
from classroom.minds.memory.chart import Chart, Group, widened
from classroom.minds.memory.deck_facts import Kinds
from classroom.minds.memory.ledger import OpenAsk, OpenDraw
from classroom.minds.memory.reasons import Why


def members_of(kinds: Kinds, class_: str) -> frozenset[Card]:
    """The cards of a class, or the exact card asked for."""
    members = kinds.deck.members.get(class_)
    return frozenset((class_,)) if members is None else members


class CardLedger:
    """A ledger (see ledger.py) that enters facts into a chart, which it changes in place."""

    def __init__(self, kinds: Kinds, viewer: int | None, chart: Chart) -> None:
        self.kinds = kinds
        self.rules = kinds.rules
        self.viewer = viewer
        self.chart = chart
        self.stock = chart.seats
        self.lost = chart.seats + 1

    def _hand(self, row: int) -> int:
        """The bit of a hand, or of the stock."""
        return self.chart.stock if row == self.stock else self.chart.hand(row)

    def _caught(self, seat: int) -> int:
        """The bit of the place where a catch goes."""
        to_boat = self.rules.catch_to == "boat"
        return self.chart.boat(seat) if to_boat else self.chart.hand(seat)

    # Cards taken ----------------------------------------------------------------------------

    def took(self, source: int, row: int, number: int, seen: Seen, *, hidden: bool) -> None:
        if row == self.lost:  # the chart keeps these cards with the stock
            return
        self.chart.settle(self.kinds)
        self._resize(source, row, number, seen)
        if hidden:
            self.chart.spread(self._hand(source), self.chart.hand(row), self.chart.where, seen)

    def _resize(self, source: int, row: int, number: int, seen: Seen) -> None:
        self.chart.resize(source, -number, seen)
        self.chart.resize(row, number, seen)

    def saw(self, source: int, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        chart, hand = self.chart, self.chart.hand(seat)
        cards = frozenset(cards)
        if source != self.stock:
            chart.groups = [widened(one, chart.hand(source), hand, cards) for one in chart.groups]
        for card in cards:
            chart.put(card, hand, seen)

    def drew(self, draw: OpenDraw, among: Iterable[Card] | None, barred: OpenAsk | None) -> None:
        chart = self.chart
        chart.settle(self.kinds)
        self._resize(draw.source, draw.seat, 1, draw.seen)
        possible = set(chart.where if among is None else among)
        if barred is not None:
            possible -= members_of(self.kinds, barred.class_)
        chart.spread(self._hand(draw.source), chart.hand(draw.seat), possible, draw.seen)
        if draw.replaced is not None:
            self.replaced(draw.source, draw.replaced, hidden=True)

    def replaced(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """Draw no conclusions first: the taker may hold a whole book that it has not laid yet."""
        chart = self.chart
        self._resize(self.stock, seat, 1, seen)
        if hidden:
            chart.spread(chart.stock, chart.hand(seat), chart.where, seen)

    def showed(self, seat: int, card: Card, draw: OpenDraw | None, seen: Seen) -> None:
        if draw is not None:
            self.chart.settle(self.kinds)
            self._resize(draw.source, seat, 1, seen)
        self.chart.put(card, self.chart.hand(seat), seen)
        if draw is not None and draw.replaced is not None:
            self.replaced(draw.source, draw.replaced, hidden=True)

    # Asks -----------------------------------------------------------------------------------

    def asked(self, seat: int, class_: str, seen: Seen) -> None:
        chart = self.chart
        bait = members_of(self.kinds, class_)
        if self.rules.ask_what == "card":
            bait = members_of(self.kinds, self.kinds.deck.class_of(class_))
            if not self.rules.ask_bluff:
                bait -= {class_}
                chart.exclude((class_,), chart.at(seat), seen)
        hand = chart.hand(seat)
        spots = tuple((card, hand) for card in sorted(bait) if chart.where[card] & hand)
        chart.groups.append(Group(spots, 1, Why(seen)))

    def has(self, seat: int, class_: str, seen: Seen) -> None:
        places = self.chart.at(seat)
        spots = tuple((card, places) for card in sorted(members_of(self.kinds, class_)))
        self.chart.groups.append(Group(spots, 1, Why(seen)))

    def has_none(self, seat: int, class_: str, seen: Seen) -> None:
        self.chart.exclude(members_of(self.kinds, class_), self.chart.at(seat), seen)

    def has_fewer(self, seat: int, class_: str, number: int, seen: Seen) -> None:
        """Do nothing: a chart has no way to say "fewer"."""

    def gave(
        self, giver: int, taker: int, class_: str, number: int, seen: Seen, *, every: bool
    ) -> None:
        chart, cards = self.chart, members_of(self.kinds, class_)
        chart.settle(self.kinds)
        source, target = chart.at(giver), self._caught(taker)
        may = [card for card in sorted(cards) if chart.where[card] & source]
        if every:
            chart.shift(source, target, cards, seen)
        else:
            chart.spread(source, target, cards, seen)
        chart.groups.append(Group(tuple((card, target) for card in may), number, Why(seen)))
        self._resize(giver, taker, number, seen)

    def saw_given(
        self, taker: int, class_: str, cards: Iterable[Card], seen: Seen, *, every: bool
    ) -> None:
        chart, cards = self.chart, frozenset(cards)
        for card in cards:
            chart.put(card, self._caught(taker), seen)
        if every:
            places = chart.at(taker)
            others = (c for c in members_of(self.kinds, class_) - cards if chart.where[c] & places)
            chart.exclude([c for c in others if not self._held_before(c)], places, seen)

    def _held_before(self, card: Card) -> bool:
        """Whether the viewer had this card before the gift, so that it can only be at its seat."""
        return self.viewer is None or self.chart.where[card] & ~self.chart.at(self.viewer) == 0

    # Books ----------------------------------------------------------------------------------

    def laid(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        fresh = [card for card in cards if self.chart.where[card] != self.chart.gone]
        self.chart.remove(seat, fresh, seen)
        self.chart.resize(seat, -len(fresh), seen)

    def laid_face_down(
        self,
        seat: int,
        class_: str | None,
        draw: OpenDraw | None,
        barred: OpenAsk | None,
        seen: Seen,
    ) -> None:
        """Enter that some cards of the seat are gone; only their owner knows which."""
        if draw is not None:
            self.drew(draw, None, barred)
        chart = self.chart
        chart.spread(chart.at(seat), chart.gone, chart.where, seen)
        chart.resize(seat, -self.kinds.book_size, seen)

    def claimed(self, cards: Iterable[Card], seen: Seen) -> None:
        chart = self.chart
        for card in cards:
            for seat in range(chart.seats):
                if chart.where[card] and chart.where[card] & ~chart.at(seat) == 0:
                    self.laid(seat, (card,), seen)
                    break

    # Hands and boats ------------------------------------------------------------------------

    def baited(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        chart = self.chart
        chart.settle(self.kinds)
        chart.resize(seat, 0, seen)  # its hand and boat change, but not their sum
        if hidden:
            chart.spread(chart.boat(seat), chart.hand(seat), chart.where, seen)

    def saw_bait(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        for card in cards:
            self.chart.put(card, self.chart.hand(seat), seen)

    def exposed(
        self, hands: Iterable[Iterable[Card]], boats: Iterable[Iterable[Card]], seen: Seen
    ) -> None:
        chart, found = self.chart, set[Card]()
        for seat, (hand, boat) in enumerate(zip(hands, boats, strict=True)):
            for cards, places in ((hand, chart.hand(seat)), (boat, chart.boat(seat))):
                for card in cards:
                    chart.put(card, places, seen)
                    found.add(card)
        chart.groups = []
        for card in chart.where:
            if card not in found and chart.where[card] != chart.gone:
                chart.put(card, chart.stock, seen)

    def compensated(self, seat: int, card: Card, seen: Seen) -> None:
        chart = self.chart
        for other in range(chart.seats):
            if chart.where[card] & ~chart.at(other) == 0:
                chart.resize(other, -1, seen)
        chart.resize(seat, 1, seen)
        chart.put(card, chart.boat(seat), seen)

    def end_move(self, looking: int | None, booked: frozenset[int]) -> None:
        self.chart.settle(self.kinds)
