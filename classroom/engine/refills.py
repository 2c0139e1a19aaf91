"""What a seat does when its hand is empty (strategy point Refill of docs/rules.md A7)."""

from __future__ import annotations

from classroom.engine.events import ALL, Baited, BaitedCards, Refilled, RefilledCards, Retired
from classroom.engine.laying import lay_books
from classroom.engine.state import Position, Table


def refill(t: Table) -> None:
    """Refill the empty hands that must be refilled at once, until nothing changes (C16, CA5, CA6).

    The active seat goes first, then the others clockwise; a seat whose new cards all go into
    books refills again before the next seat (S13). In games where seats with an empty hand retire,
    they do so here (G18).
    """
    changed = not all(t.hands) and bool(t.stock or t.rules.refill_boat)
    while changed:
        changed = False
        for seat in t.from_active():
            while number := _due_now(t, seat):
                take(t, seat, number)
                lay_books(t)
                changed = True
    if t.rules.refill_retire:
        _retire(t)


def take(t: Table, seat: int, number: int) -> None:
    """Fill an empty hand from the stock, or from the seat's boat when the stock is out (S18)."""
    if not t.stock:
        _take_from_boat(t, seat, number)
        return
    cards = t.setup.deck.sorted(t.draw(number))
    t.gain(seat, frozenset(cards))
    t.tell(Refilled(audience=ALL, seat=seat, number=len(cards)))
    t.tell(RefilledCards(audience=(seat,), seat=seat, cards=cards))


def due_at_own_turn(p: Position, seat: int, keeps: bool) -> int:
    """The number of cards that `seat` takes on getting or keeping the turn; 0 for none (F15, P9).

    Where `refill.passive` says `own_turn`, its number counts for a seat that gets the turn. In all
    other cases `refill.active` decides.
    """
    if p.hands[seat] or seat in p.out:
        return 0
    active, passive = p.rules.refill_active, p.rules.refill_passive
    if not p.stock:
        return _from_boat(p, seat)
    if passive[0] == "own_turn" and not keeps:
        return _number(p, passive[1])
    return 0 if active[0] == "never" else _number(p, active[1])


def due_once_passive(p: Position, to: int) -> bool:
    """Whether the active seat is refilled because the turn goes to another seat, `to` (S3)."""
    if to == p.active or to in p.out or p.hands[p.active] or p.active in p.out:
        return False
    return bool(p.stock) and p.rules.refill_passive[0] == "now"


def _due_now(p: Position, seat: int) -> int:
    if p.hands[seat] or seat in p.out:
        return 0
    when, amount = p.rules.refill_active if seat == p.active else p.rules.refill_passive
    if p.stock:
        return _number(p, amount) if when == "now" else 0
    return _from_boat(p, seat) if seat == p.active and when == "now" else 0


def _from_boat(p: Position, seat: int) -> int:
    if not p.rules.refill_boat:
        return 0
    return min(_number(p, p.rules.refill_active[1]), len(p.boats[seat]))


def _number(p: Position, amount: str | int) -> int:
    return p.setup.hand_size if amount == "deal" else int(amount)


def _take_from_boat(t: Table, seat: int, number: int) -> None:
    cards = frozenset(t.bait(seat, number))
    t.boats[seat] -= cards
    t.hands[seat] |= cards
    t.tell(Baited(audience=ALL, seat=seat, number=len(cards)))
    t.tell(BaitedCards(audience=(seat,), seat=seat, cards=t.setup.deck.sorted(cards)))


def _retire(t: Table) -> None:
    for seat in t.from_active():
        if seat not in t.out and not t.cards(seat):
            t.out |= {seat}
            t.tell(Retired(audience=ALL, seat=seat))
