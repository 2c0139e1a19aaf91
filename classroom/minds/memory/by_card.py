"""Perfect memory that tracks single cards (D15).

It is for Fisherman's Fours, where a card has three classes, and for games that ask for exact cards.
It works on a chart of the places where each card can be. A fact about several cards together is
kept as a CardGroup: "at least one of these four cards is in that hand".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

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


@dataclass(frozen=True, slots=True)
class CardGroup:
    """At least `least` of these cards are in their places. `places`: (card, bit mask of places)."""

    places: tuple[tuple[Card, int], ...]
    least: int
    why: Why


@dataclass(slots=True)
class Chart:
    """The places where each card can be: `where` has a bit mask of places for each card.

    Seat s has the bits 2s (hand) and 2s + 1 (boat); then come the stock and `gone` (out of play).
    `held`: how many cards each seat has in hand and boat together; the last entry is the stock.
    `why_held`: the event that last changed each of these numbers.
    """

    seats: int
    where: dict[Card, int]
    why: dict[Card, Why | None]
    groups: list[CardGroup] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    why_held: list[Why | None] = field(default_factory=list)

    def copy(self) -> Chart:
        return Chart(
            self.seats,
            dict(self.where),
            dict(self.why),
            self.groups[:],
            self.held[:],
            self.why_held[:],
        )

    def hand(self, seat: int) -> int:
        """The bit for a hand."""
        return 1 << (2 * seat)

    def boat(self, seat: int) -> int:
        """The bit for a boat."""
        return 2 << (2 * seat)

    def at(self, seat: int) -> int:
        """The bits for a seat's hand and boat together."""
        return 3 << (2 * seat)

    @property
    def stock(self) -> int:
        """The bit for the stock (and for cards set aside)."""
        return 1 << (2 * self.seats)

    @property
    def gone(self) -> int:
        """The bit for cards that are out of play."""
        return 2 << (2 * self.seats)

    def resize(self, row: int, more: int, seen: Seen) -> None:
        """Add `more`, possibly negative, to the cards at a seat or in the stock (row `seats`)."""
        self.held[row] += more
        self.why_held[row] = Why(seen)

    def put(self, card: Card, places: int, seen: Seen) -> None:
        """Record that the card is in one of these places."""
        self.where[card] = places
        self.why[card] = Why(seen)

    def exclude(self, cards: Iterable[Card], places: int, seen: Seen) -> None:
        """Record that none of these cards is in these places."""
        for card in cards:
            if self.where[card] & places:
                self.where[card] &= ~places
                self.why[card] = Why(seen, (self.why[card],))

    def spread(self, source: int, target: int, cards: Iterable[Card], seen: Seen) -> None:
        """Record that unseen cards went from source to target; any of `cards` may be among them."""
        for card in cards:
            if self.where[card] & source and not self.where[card] & target:
                self.where[card] |= target
                self.why[card] = Why(seen, (self.why[card],))
        self.groups = [widened(group, source, target, None) for group in self.groups]

    def shift(self, source: int, target: int, cards: frozenset[Card], seen: Seen) -> None:
        """Record that all of `cards` that were in `source` went to `target`."""
        for card in cards:
            if self.where[card] & source:
                self.where[card] = self.where[card] & ~source | target
                self.why[card] = Why(seen, (self.why[card],))
        self.groups = [widened(group, source, target, cards) for group in self.groups]

    def remove(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """Record that the seat laid these cards on the table, so that they are out of play."""
        laid = frozenset(cards)
        self.groups = [
            _without(group, laid, {card: self.where[card] & self.at(seat) for card in laid}, seen)
            for group in self.groups
        ]
        for card in laid:
            self.put(card, self.gone, seen)

    # Conclusions ----------------------------------------------------------------------------

    def settle(self, kinds: Kinds) -> None:
        changed = True
        while changed:
            changed = self._settle_groups()
            for seat in range(self.seats):
                changed |= self._settle_place(self.at(seat), self.held[seat], seat)
            changed |= self._settle_place(self.stock, self.held[self.seats], self.seats)
            if kinds.rules.book_lay == "auto":
                changed |= self._settle_kept(kinds)

    def settle_sizes(self, hands: tuple[int, ...], boats: tuple[int, ...]) -> bool:
        """Draw conclusions from the sizes of hands and boats; returns whether anything changed."""
        changed = False
        for seat in range(self.seats):
            changed |= self._settle_place(self.hand(seat), hands[seat], seat)
            changed |= self._settle_place(self.boat(seat), boats[seat], seat)
        return changed

    def _settle_groups(self) -> bool:
        changed, kept = False, []
        for group in self.groups:
            possible = [item for item in group.places if self.where[item[0]] & item[1]]
            sure = sum(1 for card, places in possible if not self.where[card] & ~places)
            if sure >= group.least:
                continue
            if len(possible) == group.least:
                parents = tuple(self.why[card] for card, _ in group.places)
                for card, places in possible:
                    self.where[card] &= places
                    self.why[card] = Why(None, (group.why, *parents))
                changed = True
                continue
            if len(possible) < len(group.places):  # some cards are now known to be elsewhere
                out = [self.why[c] for c, places in group.places if not self.where[c] & places]
                group = CardGroup(tuple(possible), group.least, Why(None, (group.why, *out)))
            kept.append(group)
        self.groups = kept
        return changed

    def _settle_place(self, places: int, size: int, row: int) -> bool:
        """Draw conclusions from `size`, the number of cards that the row has in these places;
        returns whether the possible places of any card changed."""
        sure: list[Card] = []
        maybe: list[Card] = []
        for card, where in self.where.items():
            if where & places:
                (maybe if where & ~places else sure).append(card)
        if not maybe:
            return False
        if len(sure) == size:
            self._conclude(maybe, ~places, sure, self.why_held[row])
            return True
        if len(sure) + len(maybe) == size:
            elsewhere = [card for card, where in self.where.items() if not where & places]
            self._conclude(maybe, places, elsewhere, self.why_held[row])
            return True
        return False

    def _conclude(
        self, cards: Iterable[Card], places: int, known: Iterable[Card], also: Why | None
    ) -> None:
        """Conclude from the places of the `known` cards that all `cards` are in `places`."""
        why = Why(None, (also, *(self.why[card] for card in known)))
        for card in cards:
            self.where[card] &= places
            self.why[card] = Why(None, (why, self.why[card]))

    def _settle_kept(self, kinds: Kinds) -> bool:
        """Conclude that no hand keeps a whole book (D10); returns whether anything changed."""
        changed = False
        for name, members in kinds.deck.members.items():
            most = kinds.most[kinds.number[name]]
            for seat in range(self.seats):
                places = self.at(seat)
                sure = [c for c in members if self.where[c] and not self.where[c] & ~places]
                if len(sure) < most or most >= len(members):
                    continue
                more = [c for c in members if self.where[c] & places and c not in sure]
                self._conclude(more, ~places, sure, None)
                changed |= bool(more)
        return changed


def widened(group: CardGroup, source: int, target: int, only: frozenset[Card] | None) -> CardGroup:
    """The group after cards went from source to target: cards that counted in the source now count
    in the target too. `only`: the cards that may have gone; None: any card."""
    if not any(places & source for _, places in group.places):
        return group
    return replace(
        group,
        places=tuple(
            (card, places | target)
            if places & source and (only is None or card in only)
            else (card, places)
            for card, places in group.places
        ),
    )


def _without(
    group: CardGroup, laid: frozenset[Card], was: dict[Card, int], seen: Seen
) -> CardGroup:
    """The group without the laid cards. `least` drops by 1 for each laid card that may have
    counted. `was`: the seat's places where each laid card could be."""
    if not any(card in laid for card, _ in group.places):
        return group
    counted = sum(1 for card, places in group.places if card in laid and places & was[card])
    rest = tuple(item for item in group.places if item[0] not in laid)
    return CardGroup(rest, group.least - counted, Why(seen, (group.why,)))


class CardLedger(Ledger):
    """A ledger that records facts in a chart, which it changes in place. It ignores `has_fewer`,
    because a chart cannot say "fewer"."""

    def __init__(self, kinds: Kinds, viewer: int | None, chart: Chart) -> None:
        self.kinds = kinds
        self.rules = kinds.rules
        self.viewer = viewer
        self.chart = chart
        self.stock = chart.seats
        self.lost = chart.seats + 1

    def _hand(self, row: int) -> int:
        """The bit for a hand, or for the stock."""
        return self.chart.stock if row == self.stock else self.chart.hand(row)

    def _caught(self, seat: int) -> int:
        """The bit for the place where the seat puts caught cards."""
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
            possible -= self.kinds.deck.named[barred.class_]
        chart.spread(self._hand(draw.source), chart.hand(draw.seat), possible, draw.seen)
        if draw.replaced is not None:
            self.replaced(draw.source, draw.replaced, hidden=True)

    def replaced(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """Record the new card, but draw no conclusions first: the seat that took the old card may
        hold a whole book that it has not laid yet."""
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
        bait = self.kinds.deck.named[class_]
        if self.rules.ask_what == "card":
            bait = self.kinds.deck.named[self.kinds.deck.class_of(class_)]
            if not self.rules.ask_bluff:
                bait -= {class_}
                chart.exclude((class_,), chart.at(seat), seen)
        hand = chart.hand(seat)
        spots = tuple((card, hand) for card in sorted(bait) if chart.where[card] & hand)
        chart.groups.append(CardGroup(spots, 1, Why(seen)))

    def has(self, seat: int, class_: str, seen: Seen) -> None:
        places = self.chart.at(seat)
        spots = tuple((card, places) for card in sorted(self.kinds.deck.named[class_]))
        self.chart.groups.append(CardGroup(spots, 1, Why(seen)))

    def has_none(self, seat: int, class_: str, seen: Seen) -> None:
        self.chart.exclude(self.kinds.deck.named[class_], self.chart.at(seat), seen)

    def gave(
        self, giver: int, taker: int, class_: str, number: int, seen: Seen, *, every: bool
    ) -> None:
        chart, cards = self.chart, self.kinds.deck.named[class_]
        chart.settle(self.kinds)
        source, target = chart.at(giver), self._caught(taker)
        may = [card for card in sorted(cards) if chart.where[card] & source]
        if every:
            chart.shift(source, target, cards, seen)
        else:
            chart.spread(source, target, cards, seen)
        chart.groups.append(CardGroup(tuple((card, target) for card in may), number, Why(seen)))
        self._resize(giver, taker, number, seen)

    def saw_given(
        self, taker: int, class_: str, cards: Iterable[Card], seen: Seen, *, every: bool
    ) -> None:
        chart, cards = self.chart, frozenset(cards)
        for card in cards:
            chart.put(card, self._caught(taker), seen)
        if every:
            places = chart.at(taker)
            others = (c for c in self.kinds.deck.named[class_] - cards if chart.where[c] & places)
            chart.exclude([c for c in others if not self._held_before(c)], places, seen)

    def _held_before(self, card: Card) -> bool:
        """Whether the viewer already held this card before the gift; True without a viewer."""
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
        """Record that some of the seat's cards are gone; only their owner knows which."""
        if draw is not None:
            self.drew(draw, None, barred)
        chart = self.chart
        chart.spread(chart.at(seat), chart.gone, chart.where, seen)
        chart.resize(seat, -self.kinds.rules.book_size, seen)

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
        chart.resize(seat, 0, seen)  # the seat's hand and boat change, but not their sum
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


@dataclass(frozen=True)
class PlaceMemory:
    """The conclusions about each card from the first `taken` events. `sizes`: the number of cards
    in each hand and in each boat now, or None if not yet given."""

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
        """Return the memory after further events, in order; this memory stays as it is."""
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
        """The chart at the end of the move, with all conclusions drawn."""
        reader = self._reader()
        reader.end_move()
        chart = reader.ledger.chart
        if self.sizes is not None:
            while chart.settle_sizes(*self.sizes):
                chart.settle(self.kinds)
        return chart

    def bounds(self, seat: int, class_: str) -> tuple[int, int]:
        """The fewest and the most cards of a class, or of an exact card, that the seat can hold."""
        cards = self.kinds.deck.named[class_]
        chart = self.settled
        places = chart.at(seat)
        sure = sum(1 for card in cards if chart.where[card] & ~places == 0)
        high = sum(1 for card in cards if chart.where[card] & places)
        low, _ = self._low(seat, cards)
        elsewhere = sum(
            1 for c, where in chart.where.items() if c not in cards and where & ~places == 0
        )
        return max(low, sure), min(high, max(chart.held[seat] - elsewhere, low))

    def proof(self, seat: int, class_: str, high: bool = False) -> tuple[Seen, ...]:
        """The events that prove the lower bound (if `high`, the upper bound), oldest first."""
        cards = self.kinds.deck.named[class_]
        chart = self.settled
        places = chart.at(seat)
        if high:
            out = [c for c in cards if not chart.where[c] & places and chart.where[c] != chart.gone]
            return evidence(Why(None, tuple(chart.why[card] for card in out)))
        _, whys = self._low(seat, cards)
        return evidence(Why(None, whys))

    def _low(self, seat: int, cards: frozenset[Card]) -> tuple[int, tuple[Why | None, ...]]:
        """The lower bound that follows from cards known to be with the seat and from groups, with
        its reasons. Groups add up only if no card can count for two of them in the same place."""
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
