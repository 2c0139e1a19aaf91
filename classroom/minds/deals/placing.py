"""Slots for the places of unseen cards, in games whose memory is kept card by card.

The memory's places and groups sum up everything seen; deals that agree with them are taken as
equally likely. That is an approximation: some may have come about in more ways than others.
"""

from __future__ import annotations

from dataclasses import dataclass

from classroom.engine.cards import Card
from classroom.minds.deals.sampling import Frame, Limit
from classroom.minds.memory.chart import Chart, Group
from classroom.minds.memory.places import PlaceMemory


@dataclass(frozen=True, slots=True)
class Placing:
    """Slots to fill with cards. `frame`: the slots; a content is an index into `cards`. `spots`:
    the place of each slot, as a bit. `sure`: the place of every card that can be in one place only.
    """

    frame: Frame
    cards: tuple[Card, ...]
    spots: tuple[int, ...]
    sure: dict[Card, int]


def placing_of(memory: PlaceMemory) -> Placing:
    """Work out the free places and the cards that can be in them, from what the memory knows."""
    chart = memory.settled
    sure = {card: where for card, where in chart.where.items() if where & (where - 1) == 0}
    cards = tuple(card for card in chart.where if card not in sure)
    spots = _spots(memory, chart, sure, len(cards))
    number = {card: i for i, card in enumerate(cards)}
    allowed = {
        spot: sum(1 << i for i, card in enumerate(cards) if chart.where[card] & spot)
        for spot in set(spots)
    }
    slots_of: dict[int, list[int]] = {}
    for slot, spot in enumerate(spots):
        slots_of.setdefault(spot, []).append(slot)
    limits = [_group_limit(group, chart, number, slots_of) for group in chart.groups]
    if memory.kinds.rules.book_lay == "auto":
        limits += _kept_limits(memory, chart, number, slots_of)
    frame = Frame(
        allowed=tuple(allowed[spot] for spot in spots),
        pool=(1,) * len(cards),
        limits=tuple(limit for limit in limits if limit.low > 0 or limit.high < len(limit.pairs)),
        moving=tuple(s for s, spot in enumerate(spots) if spot not in (chart.stock, chart.gone)),
    )
    return Placing(frame, cards, spots, sure)


def _spots(
    memory: PlaceMemory, chart: Chart, sure: dict[Card, int], unsure: int
) -> tuple[int, ...]:
    """The free places: those in hands, boats and the stock that no sure card fills, and places
    out of play for the other unsure cards."""
    hands, boats = memory.sizes or ((), ())
    sizes = {chart.stock: chart.held[chart.seats]}
    for seat in range(chart.seats):
        sizes[chart.hand(seat)] = hands[seat]
        sizes[chart.boat(seat)] = boats[seat]
    filled: dict[int, int] = {}
    for where in sure.values():
        filled[where] = filled.get(where, 0) + 1
    spots = [spot for spot, size in sizes.items() for _ in range(size - filled.get(spot, 0))]
    return tuple(spots + [chart.gone] * (unsure - len(spots)))


def _group_limit(
    group: Group, chart: Chart, number: dict[Card, int], slots_of: dict[int, list[int]]
) -> Limit:
    sure = sum(1 for card, places in group.places if chart.where[card] & ~places == 0)
    pairs = tuple(
        (slot, number[card])
        for card, places in group.places
        if card in number and chart.where[card] & ~places
        for spot, slots in slots_of.items()
        if spot & places
        for slot in slots
    )
    return Limit(pairs=pairs, low=max(group.least - sure, 0), high=len(pairs))


def _kept_limits(
    memory: PlaceMemory, chart: Chart, number: dict[Card, int], slots_of: dict[int, list[int]]
) -> list[Limit]:
    """The limits from automatic laying: no seat keeps a whole book (D10)."""
    limits = []
    for name, members in memory.kinds.deck.members.items():
        most = memory.kinds.most[memory.kinds.number[name]]
        for seat in range(chart.seats):
            places = chart.at(seat)
            sure = sum(1 for c in members if c not in number and chart.where[c] & places)
            pairs = tuple(
                (slot, number[card])
                for card in sorted(members)
                if card in number and chart.where[card] & places
                for spot, slots in slots_of.items()
                if spot & places & chart.where[card]
                for slot in slots
            )
            if pairs and most - sure < len(members):
                limits.append(Limit(pairs=pairs, low=0, high=most - sure))
    return limits
