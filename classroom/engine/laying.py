"""Laying books, and declarations and claims in Fisherman's Fours."""

from __future__ import annotations

from itertools import cycle

from classroom.engine import events as ev
from classroom.engine.actions import Declare, Refusal
from classroom.engine.cards import Book, Card, Deck, Hand, title_of
from classroom.engine.scoring import check_own_end
from classroom.engine.state import NOTHING, Claims, Flow, Position, Table


def lay_books(t: Table) -> None:
    """Lay every book that needs no choice, then make any automatic lay-offs (A6, step 5). With
    `book.lay = auto`, every seat that gained cards lays, the active one first (S8). With `choice`,
    only the active seat lays, unless two of its books overlap (S7, S17)."""
    if t.rules.book_lay == "auto":
        gained, finder = t.gained, t.setup.finder
        for seat in gained if len(gained) == 1 else t.from_active():
            if seat in gained:
                for book in finder.automatic(t.cards(seat), gained[seat]):
                    lay_book(t, seat, book)
    else:
        _lay_unless_overlapping(t)
    if t.rules.book_layoff == "auto":
        _lay_off_all(t)
    t.gained.clear()


def lay_book(t: Table, seat: int, book: Book) -> None:
    """Lay one book for `seat`, face up or face down as the rules say (C11, C22)."""
    t.lose(seat, frozenset(book))
    put_book(t, seat, book)
    t.events += _book_events(t.setup.deck, seat, book, t.rules.visibility_books)


@ev.shared
def _book_events(deck: Deck, seat: int, book: Book, visibility: str) -> tuple[ev.Event, ...]:
    title = title_of(deck, book)
    if visibility == "public":
        return (ev.LaidBook(audience=ev.ALL, seat=seat, class_=title, cards=book),)
    return (
        ev.LaidFaceDown(audience=ev.ALL, seat=seat),
        ev.LaidFaceDownCards(audience=(seat,), seat=seat, class_=title, cards=book),
    )


def put_book(t: Table, seat: int, book: Book) -> None:
    """Add a book for `seat` and restart the counts of asks and turns without a book (S2, S15)."""
    t.books[seat] = (*t.books[seat], book)
    t.quiet = t.quiet.booked()
    t.may_be_dead = t.made_book = True


def can_lay(p: Position, seat: int) -> bool:
    """Whether `seat` holds a book that it may choose to lay."""
    return p.rules.book_lay == "choice" and p.setup.finder.possible(p.cards(seat))


def lays_at_once(p: Position, seat: int) -> bool:
    """Whether `seat` has books that need no choice and are laid when its turn comes (S7)."""
    if p.rules.book_lay == "auto" or seat in p.out or not can_lay(p, seat):
        return False
    return not p.setup.finder.overlapping(p.cards(seat))


def options(p: Position) -> tuple[Book, ...]:
    """The books that the active seat may choose from (FA5)."""
    return p.setup.finder.options(p.cards(p.active))


def lay_refusal(p: Position, cards: tuple[Card, ...]) -> Refusal | None:
    """The reason why the active seat may not lay these cards as a book, or None."""
    if not p.cards(p.active).issuperset(cards):
        return Refusal("cards_not_held", f"seat {p.active} does not hold {' '.join(cards)}")
    if p.setup.deck.sorted(cards) not in p.setup.finder.options(frozenset(cards)):
        return Refusal("not_a_book", f"{' '.join(cards)} make no book")
    return None


def can_lay_off(p: Position, seat: int) -> bool:
    """Whether `seat` has a single card to lay off by choice (G12)."""
    return p.rules.book_layoff == "choice" and bool(singles(p, seat))


def singles(p: Position, seat: int) -> list[Card]:
    """The cards in hand that belong to a class with a book that `seat` can see (G12)."""
    visible = range(p.seats) if p.rules.visibility_books == "public" else (seat,)
    booked = {title_of(p.setup.deck, book) for other in visible for book in p.books[other]}
    hand = p.setup.deck.sorted(p.hands[seat])
    return [card for card in hand if p.setup.deck.class_of(card) in booked]


def single_refusal(p: Position, card: Card) -> Refusal | None:
    """The reason why the active seat may not lay off this card, or None."""
    if card not in p.hands[p.active]:
        return Refusal("cards_not_held", f"seat {p.active} does not hold {card}")
    if card not in singles(p, p.active):
        return Refusal("no_book_yet", f"no book of the class of {card} lies on the table")
    return None


def lay_off(t: Table, seat: int, card: Card) -> None:
    """Lay off one card, which scores nothing (GA4)."""
    t.lose(seat, t.setup.deck.named[card])
    t.singles[seat] = (*t.singles[seat], card)
    t.may_be_dead = True
    t.tell(ev.LaidOff(audience=ev.ALL, seat=seat, card=card))


def _lay_unless_overlapping(t: Table) -> None:
    finder, cards = t.setup.finder, t.cards(t.active)
    gained = t.gained.get(t.active, frozenset())
    if t.phase != "ask" or t.active in t.out or not finder.possible(cards):
        return
    if not finder.overlapping(cards):
        for book in finder.options(cards):
            lay_book(t, t.active, book)
    elif any(not gained.isdisjoint(book) for book in finder.options(cards)):
        t.made_book = True


def _lay_off_all(t: Table) -> None:
    """Lay off every card of a class that has a book, from all hands at once (S12). The card that
    the asker is still looking at stays in the asker's hand."""
    titles = {title_of(t.setup.deck, book) for books in t.books for book in books}
    booked = NOTHING.union(*[t.setup.deck.members[title] for title in titles if title])
    for seat in t.from_active():
        for card in t.setup.deck.sorted(t.hands[seat] & booked):
            if card != t.drawn:
                lay_off(t, seat, card)


def declare_refusal(p: Position, action: Declare) -> Refusal | None:
    """The reason why the active seat may not declare (the stock is not empty, FA16), or None."""
    return Refusal("stock_not_out", "cards are left in the stock") if p.stock else None


def declare(t: Table) -> Flow:
    """Carry out a declaration: all cards are exposed, and the other seats may claim (F17)."""
    hands, boats = (tuple(map(t.setup.deck.sorted, piles)) for piles in (t.hands, t.boats))
    t.tell(ev.Declared(audience=ev.ALL, seat=t.active, hands=hands, boats=boats))
    t.phase = "claim"
    return _next_claimant(t, t.active, claimed=False)


def claim(t: Table, cards: tuple[Card, ...]) -> Flow:
    """Carry out a claim: lay the four, then compensate other players who lost cards (FA15)."""
    assert t.claims is not None
    seat, book = t.claims.seat, t.setup.deck.sorted(cards)
    owed = _taken(t, frozenset(book), seat)
    t.tell(ev.Claimed(audience=ev.ALL, seat=seat, cards=book))
    put_book(t, seat, book)
    _compensate(t, owed)
    lay_books(t)
    if check_own_end(t):
        return "waits"
    return _next_claimant(t, seat, claimed=True)


def pass_claim(t: Table) -> Flow:
    assert t.claims is not None
    t.tell(ev.ClaimPassed(audience=ev.ALL, seat=t.claims.seat))
    return _next_claimant(t, t.claims.seat, t.claims.claimed)


def claim_options(p: Position) -> tuple[Book, ...]:
    """The fours that the cards in play make with at least one of the declarer's cards (FA14)."""
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
    """Let the next seat claim, until a whole circuit of the seats brings no claim (S16)."""
    order = [seat for seat in t.from_active()[1:] if seat not in t.out]
    later = order[order.index(last) + 1 :] if last in order else order
    if not later and claimed:
        later, claimed = order, False
    if not later or not claim_options(t):
        # The declarer leaves with its cards, even after a false declaration (FA12, S16, S31).
        t.claims = None
        t.out |= {t.active}
        t.may_be_dead = True
        t.tell(ev.LeftRound(audience=ev.ALL, seat=t.active))
        return "ends"
    t.claims = Claims(later[0], claimed)
    return "waits"


def _taken(t: Table, book: Hand, claimant: int) -> dict[int, int]:
    """Take the cards of a four from their owners. Returns the number of cards owed to each owner
    except the claimant and the declarer."""
    owed = {}
    for seat in t.from_active()[1:]:
        number = len(t.cards(seat) & book)
        if number and seat != claimant and seat not in t.out:
            owed[seat] = number
    for seat in t.playing():
        t.lose(seat, book)
    return owed


def _compensate(t: Table, owed: dict[int, int]) -> None:
    """Repay lost cards with random cards from the declarer, one at a time, clockwise (FA15). A
    declarer who runs out of cards repays no more."""
    for seat in cycle(owed):
        if not any(owed.values()) or not t.cards(t.active):
            return
        if owed[seat]:
            owed[seat] -= 1
            card = t.compensate(seat)
            t.lose(t.active, t.setup.deck.named[card])
            t.gain(seat, t.setup.deck.named[card], "boat")
            t.tell(ev.Compensated(audience=ev.ALL, seat=seat, card=card))
