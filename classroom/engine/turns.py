"""What follows an action: books, refills, the end, and whose turn it is (A6, steps 5 to 10)."""

from __future__ import annotations

from classroom.engine.asks import can_ask
from classroom.engine.endings import check_end, count_turn, finish, look_for_dead
from classroom.engine.events import ALL, Event, TurnPassed, shared
from classroom.engine.laying import can_lay, can_lay_off, lay_books, lays_at_once
from classroom.engine.refills import due_at_own_turn, due_once_passive, refill, take
from classroom.engine.state import Flow, Position, Table


def conclude(t: Table, flow: Flow) -> None:
    """Complete an action: lay books, refill hands, check for the end, then pass on the turn."""
    if flow == "waits":
        _settle_others(t)
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
    """Do what is due before `seat` acts: it takes cards and lays the books that waited for its
    turn. The seat that had the turn before is refilled as a passive seat (step 9).
    """
    due = due_at_own_turn(t, seat, keeps)
    if not (due or lays_at_once(t, seat) or due_once_passive(t, seat)):
        return
    if seat != t.active:
        _pass_turn_to(t, seat)
    while number := due_at_own_turn(t, seat, keeps):  # again if all cards went into books (S13)
        take(t, seat, number)
        lay_books(t)
    lay_books(t)
    refill(t)
    check_end(t)


def _settle_others(t: Table) -> None:
    """Let the asked seat lay books and refill while the asker looks at the fished card (S32)."""
    if t.phase == "show":
        t.gained.pop(t.active, None)
        if t.gained:
            lay_books(t)
        refill(t)
    if t.may_be_dead:
        look_for_dead(t)


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
