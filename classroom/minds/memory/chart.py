"""The places where each card can be, and what follows from them (D15).

What is known about several cards together is kept as a Group: "at least one of these four is in
that hand".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from classroom.engine.cards import Card
from classroom.engine.observation import Seen
from classroom.minds.memory.deck_facts import Kinds
from classroom.minds.memory.reasons import Why


@dataclass(frozen=True, slots=True)
class Group:
    """At least `least` of these cards are in the places that are paired with them (as bits)."""

    places: tuple[tuple[Card, int], ...]
    least: int
    why: Why


@dataclass(slots=True)
class Chart:
    """The working state: for each card the set of its possible places, as bits.

    Seat s has the bits 2s (hand) and 2s + 1 (boat); then come the stock and `gone` (out of
    play). `held`: how many cards each seat has in hand and boat together; the last entry is the
    stock. `why_held`: the event that last changed each of these numbers.
    """

    seats: int
    where: dict[Card, int]
    why: dict[Card, Why | None]
    groups: list[Group] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    why_held: list[Why | None] = field(default_factory=list)

    def copy(self) -> Chart:
        """An independent chart with the same entries."""
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
        """The bits of a seat's hand and boat together."""
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
        """Enter that a seat, or the stock (row `seats`), gained `more` cards (below 0: lost)."""
        self.held[row] += more
        self.why_held[row] = Why(seen)

    def put(self, card: Card, places: int, seen: Seen) -> None:
        """Enter that the card is in one of these places."""
        self.where[card] = places
        self.why[card] = Why(seen)

    def exclude(self, cards: Iterable[Card], places: int, seen: Seen) -> None:
        """Enter that none of these cards is in these places."""
        for card in cards:
            if self.where[card] & places:
                self.where[card] &= ~places
                self.why[card] = Why(seen, (self.why[card],))

    def spread(self, source: int, target: int, cards: Iterable[Card], seen: Seen) -> None:
        """Enter that unseen cards went from source to target; any of `cards` may be among them."""
        for card in cards:
            if self.where[card] & source and not self.where[card] & target:
                self.where[card] |= target
                self.why[card] = Why(seen, (self.why[card],))
        self.groups = [widened(group, source, target, None) for group in self.groups]

    def shift(self, source: int, target: int, cards: frozenset[Card], seen: Seen) -> None:
        """Enter that all of `cards` that were in `source` went to `target`."""
        for card in cards:
            if self.where[card] & source:
                self.where[card] = self.where[card] & ~source | target
                self.why[card] = Why(seen, (self.why[card],))
        self.groups = [widened(group, source, target, cards) for group in self.groups]

    def remove(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """Enter that the seat laid these cards on the table, so that they are out of play."""
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
            kept.append(self._narrowed(group, possible))
        self.groups = kept
        return changed

    def _narrowed(self, group: Group, possible: list[tuple[Card, int]]) -> Group:
        """The group without the cards that are now known to be elsewhere."""
        if len(possible) == len(group.places):
            return group
        gone = [self.why[card] for card, places in group.places if not self.where[card] & places]
        return Group(tuple(possible), group.least, Why(None, (group.why, *gone)))

    def _settle_place(self, places: int, size: int, row: int) -> bool:
        """Draw conclusions from the `size` cards in these places of this row; returns whether any
        card's places changed."""
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
        """Conclude, because of where the `known` cards are, that `cards` are in `places`."""
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


def widened(group: Group, source: int, target: int, only: frozenset[Card] | None) -> Group:
    """The group after cards went from source to target, where they now count too.

    `only`: the cards that may have gone; None if any may.
    """
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
    """The group without the cards laid; each that may have counted lowers `least` by one."""
    if not any(card in laid for card, _ in group.places):
        return group
    counted = sum(1 for card, places in group.places if card in laid and places & was[card])
    rest = tuple(item for item in group.places if item[0] not in laid)
    return Group(rest, group.least - counted, Why(seen, (group.why,)))
