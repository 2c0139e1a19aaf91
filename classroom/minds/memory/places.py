"""Perfect memory card by card: the places where each card can lie (D15).

For Fisherman's Fours, where a card has three classes, and for asking exact cards. What is known
of several cards together is kept as a Group: "at least one of these four is in that hand".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from classroom.engine import events as ev
from classroom.engine.cards import Card
from classroom.engine.events import Event
from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.deck_facts import Kinds, kinds_of
from classroom.minds.memory.sheet import Why, evidence


@dataclass(frozen=True, slots=True)
class Group:
    """At least `least` of these cards lie in the places named beside them (a set of bits)."""

    places: tuple[tuple[Card, int], ...]
    least: int
    why: Why


@dataclass(slots=True)
class Chart:
    """The working state: for each card the set of its possible places, as bits.

    Seat s has the bits 2s (hand) and 2s + 1 (boat); then come the stock and `gone` (laid, set
    aside for good). `held`: cards each seat has in hand and boat together; last, those in the
    stock. `why_held`: the event that last changed each of these numbers.
    """

    seats: int
    where: dict[Card, int]
    why: dict[Card, Why | None]
    groups: list[Group] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    why_held: list[Why | None] = field(default_factory=list)

    def copy(self) -> Chart:
        """A chart of its own with the same entries."""
        return Chart(
            self.seats,
            dict(self.where),
            dict(self.why),
            self.groups[:],
            self.held[:],
            self.why_held[:],
        )

    def hand(self, seat: int) -> int:
        """The bit of a hand."""
        return 1 << (2 * seat)

    def boat(self, seat: int) -> int:
        """The bit of a boat."""
        return 2 << (2 * seat)

    def at(self, seat: int) -> int:
        """The bits of a seat: hand or boat."""
        return 3 << (2 * seat)

    @property
    def stock(self) -> int:
        """The bit of the stock (and of cards set aside)."""
        return 1 << (2 * self.seats)

    @property
    def gone(self) -> int:
        """The bit of cards that are out of play."""
        return 2 << (2 * self.seats)

    def resize(self, row: int, more: int, seen: Seen) -> None:
        """So many cards more lie at a seat, or in the stock (row `seats`)."""
        self.held[row] += more
        self.why_held[row] = Why(seen)

    def put(self, card: Card, places: int, seen: Seen) -> None:
        """The card is known to lie in one of these places."""
        self.where[card] = places
        self.why[card] = Why(seen)

    def exclude(self, cards: Iterable[Card], places: int, seen: Seen) -> None:
        """None of these cards lies there."""
        for card in cards:
            if self.where[card] & places:
                self.where[card] &= ~places
                self.why[card] = Why(seen, (self.why[card],))

    def spread(self, source: int, target: int, cards: Iterable[Card], seen: Seen) -> None:
        """Unseen cards went from source to target: each of `cards` may be one of them."""
        for card in cards:
            if self.where[card] & source and not self.where[card] & target:
                self.where[card] |= target
                self.why[card] = Why(seen, (self.why[card],))
        self.groups = [_widened(group, source, target, None) for group in self.groups]

    def shift(self, source: int, target: int, cards: frozenset[Card], seen: Seen) -> None:
        """All of `cards` that were in `source` went to `target`."""
        for card in cards:
            if self.where[card] & source:
                self.where[card] = self.where[card] & ~source | target
                self.why[card] = Why(seen, (self.why[card],))
        self.groups = [_widened(group, source, target, cards) for group in self.groups]

    def remove(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """These cards, which the seat had, are out of play."""
        laid = frozenset(cards)
        self.groups = [
            _without(group, laid, {card: self.where[card] & self.at(seat) for card in laid}, seen)
            for group in self.groups
        ]
        for card in laid:
            self.put(card, self.gone, seen)

    # Conclusions ----------------------------------------------------------------------------

    def settle(self, kinds: Kinds) -> None:
        """Draw conclusions until nothing changes."""
        changed = True
        while changed:
            changed = self._settle_groups()
            for seat in range(self.seats):
                changed |= self._settle_place(self.at(seat), self.held[seat], seat)
            changed |= self._settle_place(self.stock, self.held[self.seats], self.seats)
            if kinds.rules.book_lay == "auto":
                changed |= self._settle_kept(kinds)

    def settle_sizes(self, hands: tuple[int, ...], boats: tuple[int, ...]) -> bool:
        """The same with the sizes of hands and boats, which everybody sees."""
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
            kept.append(self._narrowed(group, possible))
        self.groups = kept
        return changed

    def _narrowed(self, group: Group, possible: list[tuple[Card, int]]) -> Group:
        """The group without the cards that are now known to lie elsewhere."""
        if len(possible) == len(group.places):
            return group
        gone = [self.why[card] for card, places in group.places if not self.where[card] & places]
        return Group(tuple(possible), group.least, Why(None, (group.why, *gone)))

    def _settle_place(self, places: int, size: int, row: int) -> bool:
        """`size` cards lie in these places, which belong to this row."""
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
        """These cards lie in `places`, because of where the known ones are."""
        why = Why(None, (also, *(self.why[card] for card in known)))
        for card in cards:
            self.where[card] &= places
            self.why[card] = Why(None, (why, self.why[card]))

    def _settle_kept(self, kinds: Kinds) -> bool:
        """A hand that lays its books by itself never keeps a whole one (D10)."""
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


def _widened(group: Group, source: int, target: int, only: frozenset[Card] | None) -> Group:
    """The group after cards went from source to target: they count there as well."""
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


def _without(group: Group, laid: frozenset[Card], was: dict[Card, int], seen: Seen) -> Group:
    """The group without the cards laid; those that may have counted are taken off its number."""
    if not any(card in laid for card, _ in group.places):
        return group
    counted = sum(1 for card, places in group.places if card in laid and places & was[card])
    rest = tuple(item for item in group.places if item[0] not in laid)
    return Group(rest, group.least - counted, Why(seen, (group.why,)))


@dataclass(frozen=True)
class PlaceMemory:
    """What can be known, card by card, after the events taken in so far."""

    kinds: Kinds
    viewer: int | None
    taken: int
    chart: Chart
    ask: tuple[int, str] | None = None
    draw: tuple[int, int, Seen, bool] | None = None
    how_many: bool = False
    sizes: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @classmethod
    def start(cls, observation: Observation) -> PlaceMemory:
        """Nothing seen yet: all cards lie in the stock."""
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
        """This memory with further events taken in, in their order."""
        reader = _Reader(self)
        for item in seen:
            reader.take(item)
        return reader.memory(self.taken + len(seen))

    def with_sizes(self, observation: Observation) -> PlaceMemory:
        """This memory with the sizes of hands and boats that everybody sees now."""
        return replace(self, sizes=(observation.hand_sizes, observation.boat_sizes))

    @cached_property
    def settled(self) -> Chart:
        """The chart once the move is over, with all conclusions drawn."""
        reader = _Reader(self)
        reader.rest()
        if self.sizes is not None:
            while reader.chart.settle_sizes(*self.sizes):
                reader.chart.settle(self.kinds)
        return reader.chart

    def places(self, card: Card) -> int:
        """The possible places of a card, as bits of the chart."""
        return self.settled.where[card]

    def bounds(self, seat: int, class_: str) -> tuple[int, int]:
        """The fewest and most cards of the class (or 0 or 1 of the exact card) at the seat."""
        cards = self._members(class_)
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
        """Cards of the class still in play."""
        chart = self.settled
        return sum(1 for card in self._members(class_) if chart.where[card] != chart.gone)

    def proof(self, seat: int, class_: str, high: bool = False) -> tuple[Seen, ...]:
        """The events that prove the lower bound (or the upper one), oldest first."""
        cards = self._members(class_)
        chart = self.settled
        places = chart.at(seat)
        if high:
            out = [c for c in cards if not chart.where[c] & places and chart.where[c] != chart.gone]
            return evidence(Why(None, tuple(chart.why[card] for card in out)))
        _, whys = self._low(seat, cards)
        return evidence(Why(None, whys))

    def _members(self, class_: str) -> frozenset[Card]:
        members = self.kinds.deck.members.get(class_)
        return frozenset((class_,)) if members is None else members

    def _low(self, seat: int, cards: frozenset[Card]) -> tuple[int, tuple[Why | None, ...]]:
        """The lower bound from the sure cards and from groups that cannot share one, with its
        reasons: what is in the hand is not in the boat."""
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


class _Reader:
    """Takes events into a chart of its own."""

    def __init__(self, memory: PlaceMemory) -> None:
        self.kinds = memory.kinds
        self.rules = memory.kinds.rules
        self.viewer = memory.viewer
        self.chart = memory.chart.copy()
        self.ask = memory.ask
        self.draw = memory.draw
        self.how_many = memory.how_many

    def memory(self, taken: int) -> PlaceMemory:
        """The memory read so far."""
        return PlaceMemory(
            self.kinds, self.viewer, taken, self.chart, self.ask, self.draw, self.how_many
        )

    def take(self, seen: Seen) -> None:
        """Take in one event."""
        kind = type(seen.event)
        if self.draw is not None and kind not in _TELLS_OF_DRAW:
            self.enter_draw(None)
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, seen.event, seen)

    def rest(self) -> None:
        """The move is over: enter what is open and draw the conclusions."""
        if self.draw is not None:
            self.enter_draw(None)
        self.chart.settle(self.kinds)

    def members(self, class_: str) -> frozenset[Card]:
        """The cards of a class, or the exact card asked for."""
        members = self.kinds.deck.members.get(class_)
        return frozenset((class_,)) if members is None else members

    def enter_draw(self, among: Iterable[Card] | None) -> None:
        """Enter the open draw; `among` if what followed tells which cards it may be."""
        if self.draw is None:
            return
        seat, source, seen, kept = self.draw
        self.draw = None
        self.chart.settle(self.kinds)
        self._take_from(source, seat, seen)
        possible = set(self.chart.where if among is None else among)
        if self.ask and not kept and self.rules.lucky == "again_must_show":
            possible -= self.members(self.ask[1])
        self.chart.spread(source, self.chart.hand(seat), possible, seen)

    def _take_from(self, source: int, seat: int, seen: Seen, number: int = 1) -> None:
        """Cards went from the stock or from a hand (`source`, a bit) to the seat."""
        self.chart.resize((source.bit_length() - 1) // 2, -number, seen)
        self.chart.resize(seat, number, seen)

    def dealt(self, event: ev.Dealt | ev.Refilled, seen: Seen) -> None:
        chart = self.chart
        chart.settle(self.kinds)
        self._take_from(chart.stock, event.seat, seen, event.number)
        if event.seat != self.viewer:
            chart.spread(chart.stock, chart.hand(event.seat), chart.where, seen)

    def own_cards(self, event: ev.DealtCards | ev.RefilledCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            for card in event.cards:
                self.chart.put(card, self.chart.hand(event.seat), seen)

    def fished(self, event: ev.Fished, seen: Seen) -> None:
        self.chart.settle(self.kinds)
        if event.seat == self.viewer:
            self._take_from(self.chart.stock, event.seat, seen)
        else:
            self.draw = (event.seat, self.chart.stock, seen, False)

    def drew(self, event: ev.Drew | ev.ReplacedCard, seen: Seen) -> None:
        if event.seat == self.viewer:
            self.chart.put(event.card, self.chart.hand(event.seat), seen)

    def fished_from_hand(self, event: ev.FishedFromHand, seen: Seen) -> None:
        self.chart.settle(self.kinds)
        source = self.chart.hand(event.source)
        if self.viewer in (event.seat, event.source):
            self._take_from(source, event.seat, seen)
        else:
            self.draw = (event.seat, source, seen, False)

    def picked(self, event: ev.Picked, seen: Seen) -> None:
        if self.viewer in (event.seat, event.source):
            chart = self.chart
            source, target = chart.hand(event.source), chart.hand(event.seat)
            chart.groups = [
                _widened(group, source, target, frozenset((event.card,))) for group in chart.groups
            ]
            chart.put(event.card, target, seen)

    def replaced(self, event: ev.Replaced, seen: Seen) -> None:
        chart = self.chart
        self._take_from(chart.stock, event.seat, seen)
        if event.seat != self.viewer:
            chart.spread(chart.stock, chart.hand(event.seat), chart.where, seen)

    def lucky(self, event: ev.Lucky, seen: Seen) -> None:
        if self.draw is not None:
            self._take_from(self.draw[1], event.seat, seen)
        self.draw = None
        self.chart.put(event.card, self.chart.hand(event.seat), seen)

    def kept_hidden(self, event: ev.KeptHidden, seen: Seen) -> None:
        if self.draw is not None:
            self.draw = (*self.draw[:3], True)

    def asked(self, event: ev.Asked, seen: Seen) -> None:
        self.rest()
        chart = self.chart
        self.ask, self.how_many = (event.seat, event.class_), False
        bait = self.members(event.class_)
        if self.rules.ask_what == "card":
            bait = self.members(self.kinds.deck.class_of(event.class_))
            if not self.rules.ask_bluff:
                bait -= {event.class_}
                chart.exclude((event.class_,), chart.at(event.seat), seen)
        hand = chart.hand(event.seat)
        spots = tuple((card, hand) for card in sorted(bait) if chart.where[card] & hand)
        chart.groups.append(Group(spots, 1, Why(seen)))

    def saw_bait(self, event: ev.SawBait, seen: Seen) -> None:
        if self.viewer in (event.seat, event.target) and event.seat != self.viewer:
            self.chart.put(event.card, self.chart.hand(event.seat), seen)

    def asked_how_many(self, event: ev.AskedHowMany, seen: Seen) -> None:
        self.how_many = True
        places = self.chart.at(event.seat)
        spots = tuple((card, places) for card in sorted(self.members(event.class_)))
        self.chart.groups.append(Group(spots, 1, Why(seen)))

    def gave(self, event: ev.Gave, seen: Seen) -> None:
        chart = self.chart
        chart.settle(self.kinds)
        source, cards = chart.at(event.giver), self.members(event.class_)
        to_boat = self.rules.catch_to == "boat"
        target = chart.boat(event.taker) if to_boat else chart.hand(event.taker)
        may = [card for card in sorted(cards) if chart.where[card] & source]
        if self.rules.response == "one" or (self.how_many and self.rules.give == "named"):
            chart.spread(source, target, cards, seen)
        else:
            chart.shift(source, target, cards, seen)
        spots = tuple((card, target) for card in may)
        chart.groups.append(Group(spots, event.number, Why(seen)))
        chart.resize(event.giver, -event.number, seen)
        chart.resize(event.taker, event.number, seen)

    def gave_cards(self, event: ev.GaveCards, seen: Seen) -> None:
        if self.viewer not in (event.giver, event.taker):
            return
        chart = self.chart
        to_boat = self.rules.catch_to == "boat"
        for card in event.cards:
            target = chart.boat(event.taker) if to_boat else chart.hand(event.taker)
            chart.put(card, target, seen)
        if event.giver != self.viewer and self.rules.response == "all" and not self.how_many:
            rest = self.members(event.class_) - set(event.cards)
            known = [card for card in rest if chart.where[card] & chart.at(event.taker)]
            mine = [card for card in known if not self._held_before(card)]
            chart.exclude(mine, chart.at(event.taker), seen)

    def _held_before(self, card: Card) -> bool:
        """Whether a card that may be at the taker (the viewer) was his already: then it is sure."""
        return self.viewer is None or self.chart.where[card] & ~self.chart.at(self.viewer) == 0

    def said_go_fish(self, event: ev.SaidGoFish, seen: Seen) -> None:
        if not self.how_many:
            self.chart.exclude(self.members(event.class_), self.chart.at(event.seat), seen)

    def laid_book(self, event: ev.LaidBook | ev.Claimed, seen: Seen) -> None:
        if self.draw is not None:
            told = self.draw[0] == event.seat and self.rules.book_lay == "auto"
            self.enter_draw(event.cards if told else None)
        self._take_away(event.seat, event.cards, seen)

    def claimed(self, event: ev.Claimed, seen: Seen) -> None:
        """The cards come from anywhere; they were exposed, so their owners are known."""
        chart = self.chart
        for card in event.cards:
            for seat in range(chart.seats):
                if chart.where[card] and chart.where[card] & ~chart.at(seat) == 0:
                    self._take_away(seat, (card,), seen)
                    break

    def laid_off(self, event: ev.LaidOff, seen: Seen) -> None:
        self.enter_draw(None)
        self._take_away(event.seat, (event.card,), seen)

    def _take_away(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        fresh = [card for card in cards if self.chart.where[card] != self.chart.gone]
        self.chart.remove(seat, fresh, seen)
        self.chart.resize(seat, -len(fresh), seen)

    def laid_face_down(self, event: ev.LaidFaceDown, seen: Seen) -> None:
        """Some cards of the seat are gone; which, only their owner knows."""
        self.enter_draw(None)
        if event.seat != self.viewer:
            chart = self.chart
            chart.spread(chart.at(event.seat), chart.gone, chart.where, seen)
            chart.resize(event.seat, -self.kinds.book_size, seen)

    def laid_face_down_cards(self, event: ev.LaidFaceDownCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            self._take_away(event.seat, event.cards, seen)

    def set_aside(self, event: ev.SetAside, seen: Seen) -> None:
        """Cards set aside stay with the stock: nobody can tell them apart."""

    def baited(self, event: ev.Baited, seen: Seen) -> None:
        chart = self.chart
        chart.settle(self.kinds)
        chart.resize(event.seat, 0, seen)  # the sizes of its hand and of its boat change
        if event.seat != self.viewer:
            boat, hand = chart.boat(event.seat), chart.hand(event.seat)
            chart.spread(boat, hand, chart.where, seen)

    def baited_cards(self, event: ev.BaitedCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            for card in event.cards:
                self.chart.put(card, self.chart.hand(event.seat), seen)

    def declared(self, event: ev.Declared, seen: Seen) -> None:
        chart = self.chart
        exposed = set()
        for seat, (hand, boat) in enumerate(zip(event.hands, event.boats, strict=True)):
            for cards, places in ((hand, chart.hand(seat)), (boat, chart.boat(seat))):
                for card in cards:
                    chart.put(card, places, seen)
                    exposed.add(card)
        chart.groups = []
        for card in chart.where:
            if card not in exposed and chart.where[card] != chart.gone:
                chart.put(card, chart.stock, seen)

    def compensated(self, event: ev.Compensated, seen: Seen) -> None:
        chart = self.chart
        for seat in range(chart.seats):
            if chart.where[event.card] & ~chart.at(seat) == 0:
                chart.resize(seat, -1, seen)
        chart.resize(event.seat, 1, seen)
        chart.put(event.card, chart.boat(event.seat), seen)


_TELLS_OF_DRAW = frozenset((ev.Lucky, ev.KeptHidden, ev.LaidBook, ev.LaidFaceDown, ev.LaidOff))

_HANDLERS: dict[type[Event], Callable[..., None]] = {
    ev.Dealt: _Reader.dealt,
    ev.DealtCards: _Reader.own_cards,
    ev.Refilled: _Reader.dealt,
    ev.RefilledCards: _Reader.own_cards,
    ev.SetAside: _Reader.set_aside,
    ev.Fished: _Reader.fished,
    ev.Drew: _Reader.drew,
    ev.FishedFromHand: _Reader.fished_from_hand,
    ev.Picked: _Reader.picked,
    ev.Replaced: _Reader.replaced,
    ev.ReplacedCard: _Reader.drew,
    ev.Lucky: _Reader.lucky,
    ev.KeptHidden: _Reader.kept_hidden,
    ev.Asked: _Reader.asked,
    ev.SawBait: _Reader.saw_bait,
    ev.AskedHowMany: _Reader.asked_how_many,
    ev.Gave: _Reader.gave,
    ev.GaveCards: _Reader.gave_cards,
    ev.SaidGoFish: _Reader.said_go_fish,
    ev.LaidBook: _Reader.laid_book,
    ev.LaidOff: _Reader.laid_off,
    ev.LaidFaceDown: _Reader.laid_face_down,
    ev.LaidFaceDownCards: _Reader.laid_face_down_cards,
    ev.Baited: _Reader.baited,
    ev.BaitedCards: _Reader.baited_cards,
    ev.Declared: _Reader.declared,
    ev.Claimed: _Reader.claimed,
    ev.Compensated: _Reader.compensated,
}
