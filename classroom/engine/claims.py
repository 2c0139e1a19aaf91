"""A seat declares that it can finish no four; the others may claim fours (F17, FA11 to FA16)."""

from __future__ import annotations

from itertools import cycle

from classroom.engine.actions import Declare
from classroom.engine.books import Book
from classroom.engine.cards import Card, Hand
from classroom.engine.endings import check_own_end
from classroom.engine.events import (
    ALL,
    Claimed,
    ClaimPassed,
    Compensated,
    Declared,
    LeftRound,
)
from classroom.engine.laying import lay_books, put_book
from classroom.engine.refusals import Refusal
from classroom.engine.state import Claims, Flow, Position, Table


def declare_refusal(p: Position, action: Declare) -> Refusal | None:
    """The reason why the active seat may not declare, or None: the stock must be out (FA16)."""
    return Refusal("stock_not_out", "cards are left in the stock") if p.stock else None


def declare(t: Table) -> Flow:
    """Carry out a declaration: all cards are exposed, and the other seats may claim (F17)."""
    sorted_ = t.setup.deck.sorted
    t.tell(
        Declared(
            audience=ALL,
            seat=t.active,
            hands=tuple(map(sorted_, t.hands)),
            boats=tuple(map(sorted_, t.boats)),
        )
    )
    t.phase = "claim"
    return _next_claimant(t, t.active, claimed=False)


def claim(t: Table, cards: tuple[Card, ...]) -> Flow:
    """Carry out a claim: lay the four, then compensate other players who lost cards (FA15)."""
    assert t.claims is not None
    seat, book = t.claims.seat, t.setup.deck.sorted(cards)
    owed = _taken(t, frozenset(book), seat)
    t.tell(Claimed(audience=ALL, seat=seat, cards=book))
    put_book(t, seat, book)
    _compensate(t, owed)
    lay_books(t)
    if check_own_end(t):
        return "waits"
    return _next_claimant(t, seat, claimed=True)


def pass_claim(t: Table) -> Flow:
    """Carry out a pass: the claimant claims nothing."""
    assert t.claims is not None
    t.tell(ClaimPassed(audience=ALL, seat=t.claims.seat))
    return _next_claimant(t, t.claims.seat, t.claims.claimed)


def claim_options(p: Position) -> tuple[Book, ...]:
    """The fours that the cards in play can make, using at least one card of the declarer (FA14)."""
    own = p.cards(p.active)
    return tuple(four for four in p.setup.finder.options(p.in_play()) if not own.isdisjoint(four))


def claim_refusal(p: Position, cards: tuple[Card, ...]) -> Refusal | None:
    """The reason why these cards may not be claimed, or None."""
    book = " ".join(cards)
    if not p.in_play().issuperset(cards):
        return Refusal("cards_not_held", f"not all of {book} are in play")
    if p.cards(p.active).isdisjoint(cards):
        return Refusal("no_card_of_declarer", f"none of {book} belongs to seat {p.active}")
    if p.setup.deck.sorted(cards) not in p.setup.finder.options(frozenset(cards)):
        return Refusal("not_a_book", f"{book} make no book")
    return None


def _next_claimant(t: Table, last: int, claimed: bool) -> Flow:
    """Let the next seat claim, going round until a whole circuit brings no claim (S16)."""
    order = [seat for seat in t.from_active()[1:] if seat not in t.out]
    later = order[order.index(last) + 1 :] if last in order else order
    if not later and claimed:
        later, claimed = order, False
    if not later or not claim_options(t):
        return _leave(t)
    t.claims = Claims(later[0], claimed)
    return "waits"


def _leave(t: Table) -> Flow:
    """Let the declarer leave with its cards, even after a false declaration (FA12, S16, S31)."""
    t.claims = None
    t.out |= {t.active}
    t.may_be_dead = True
    t.tell(LeftRound(audience=ALL, seat=t.active))
    return "ends"


def _taken(t: Table, book: Hand, claimant: int) -> dict[int, int]:
    """Take the cards of a four from their owners.

    Returns how many cards each owner but the claimant and the declarer is owed.
    """
    owed = {}
    for seat in t.from_active()[1:]:
        number = len(t.cards(seat) & book)
        if number and seat != claimant and seat not in t.out:
            owed[seat] = number
    for seat in t.playing():
        t.lose(seat, book)
    return owed


def _compensate(t: Table, owed: dict[int, int]) -> None:
    """Repay lost cards with random cards of the declarer, one at a time, clockwise (FA15).

    A declarer who runs out of cards repays no more.
    """
    for seat in cycle(owed):
        if not any(owed.values()) or not t.cards(t.active):
            return
        if owed[seat]:
            owed[seat] -= 1
            card = t.compensate(seat)
            t.lose(t.active, t.setup.deck.named[card])
            t.gain(seat, t.setup.deck.named[card], "boat")
            t.tell(Compensated(audience=ALL, seat=seat, card=card))
