"""What follows an action: books, refills, the end, and whose turn it is (A6, steps 5 to 10)."""

from __future__ import annotations

from classroom.engine.asks import can_ask
from classroom.engine.events import (
    ALL,
    Baited,
    BaitedCards,
    Event,
    Refilled,
    RefilledCards,
    Retired,
    TurnPassed,
    shared,
)
from classroom.engine.laying import can_lay, can_lay_off, lay_books, lays_at_once
from classroom.engine.scoring import check_end, count_turn, finish, look_for_dead
from classroom.engine.state import Flow, Position, Table


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
    """The number of cards that `seat` takes when it gets or keeps the turn; may be 0 (F15, P9).

    If `refill.passive` is `own_turn`, its number applies to a seat that gets the turn. In all other
    cases `refill.active` decides.
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


def conclude(t: Table, flow: Flow) -> None:
    """Complete an action: lay books, refill hands, check for the end, then pass on the turn."""
    if flow == "waits":
        # The asked seat lays books and refills while the asker looks at the fished card (S32).
        if t.phase == "show":
            t.gained.pop(t.active, None)
            if t.gained:
                lay_books(t)
            refill(t)
        if t.may_be_dead:
            look_for_dead(t)
        return
    t.phase, t.pending, t.drawn = "ask", None, None
    lay_books(t)
    keeps = _keeps_turn(t, flow)  # decided before refills: books from them do not count (O9)
    refill(t)
    if not check_end(t):
        pass_on(t, keeps)


def pass_on(t: Table, keeps: bool) -> None:
    """Give the turn to the first seat that can act, refilling it if that is due (steps 8 to 10).

    An active seat that may go on but has nothing to do passes the turn clockwise (CA12, S14).
    """
    if keeps:
        t.refuser = None
        if _takes_turn(t, t.active, keeps):
            return
    if t.stockless and count_turn(t):
        return
    for seat in _next_seats(t):
        if _takes_turn(t, seat):
            return
    finish(t, "dead")


def can_act(p: Position, seat: int) -> bool:
    """Whether `seat` has anything to do when it gets the turn."""
    if seat in p.out:
        return False
    return can_ask(p, seat) or can_lay(p, seat) or can_lay_off(p, seat)


def _takes_turn(t: Table, seat: int, keeps: bool = False) -> bool:
    """Offer the turn to `seat`; returns whether it takes the turn or ends the round."""
    if not (t.hands[seat] and t.hands[t.active]) or t.rules.book_lay == "choice":
        _prepare(t, seat, keeps)
        if t.over:
            return True
    if not can_act(t, seat):
        return False
    if seat != t.active:
        _pass_turn_to(t, seat)
    return True


def _prepare(t: Table, seat: int, keeps: bool) -> None:
    """Prepare `seat` for its turn: it takes the cards that are due and lays the books that waited
    for this turn. The seat that had the turn before is refilled as a passive seat (step 9).
    """
    due = due_at_own_turn(t, seat, keeps)
    if not (due or lays_at_once(t, seat) or due_once_passive(t, seat)):
        return
    if seat != t.active:
        _pass_turn_to(t, seat)
    while number := due_at_own_turn(t, seat, keeps):  # again if books took the whole hand (S13)
        take(t, seat, number)
        lay_books(t)
    lay_books(t)
    refill(t)
    check_end(t)


def _keeps_turn(t: Table, flow: Flow) -> bool:
    if flow == "caught" and t.rules.turn_catch == "again_if_book":
        return t.made_book
    return flow != "ends"


def _next_seats(t: Table) -> tuple[int, ...]:
    """All seats in the order in which the turn is offered to them."""
    order = t.setup.order
    if t.refuser is not None and t.rules.turn_next == "refuser":
        return order[t.refuser]
    return order[order[t.active][1]]


def _pass_turn_to(t: Table, seat: int) -> None:
    t.tell(_turn_event(t.active, seat))
    t.active = seat


@shared
def _turn_event(seat: int, to: int) -> Event:
    return TurnPassed(audience=ALL, seat=seat, to=to)
