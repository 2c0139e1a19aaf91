"""Laying books and single cards on the table."""

from __future__ import annotations

from classroom.engine.books import Book, Finder
from classroom.engine.cards import Card
from classroom.engine.events import (
    ALL,
    Event,
    LaidBook,
    LaidFaceDown,
    LaidFaceDownCards,
    LaidOff,
    shared,
)
from classroom.engine.refusals import Refusal
from classroom.engine.state import NOTHING, Position, Table


def lay_books(t: Table) -> None:
    """Lay every book that needs no choice, then make any automatic lay-offs (step 5 of A6).

    With `book.lay = auto`: for every seat that gained cards, the active one first (S8). With
    `choice`: for the active seat, unless two of its books overlap (S7, S17).
    """
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
    """Lay one book of `seat`, face up or face down as the rules say (C11, C22)."""
    t.lose(seat, frozenset(book))
    put_book(t, seat, book)
    t.events += _book_events(t.setup.finder, seat, book, t.rules.visibility_books)


@shared
def _book_events(finder: Finder, seat: int, book: Book, visibility: str) -> tuple[Event, ...]:
    title = finder.title(book)
    if visibility == "public":
        return (LaidBook(audience=ALL, seat=seat, class_=title, cards=book),)
    return (
        LaidFaceDown(audience=ALL, seat=seat),
        LaidFaceDownCards(audience=(seat,), seat=seat, class_=title, cards=book),
    )


def put_book(t: Table, seat: int, book: Book) -> None:
    """Add a book for `seat` and restart the counts of asks and turns without one (S2, S15)."""
    t.books[seat] = (*t.books[seat], book)
    t.quiet = t.quiet.booked()
    t.may_be_dead = t.made_book = True


def can_lay(p: Position, seat: int) -> bool:
    """Whether `seat` holds a book that it may choose to lay."""
    return p.rules.book_lay == "choice" and p.setup.finder.possible(p.cards(seat))


def lays_at_once(p: Position, seat: int) -> bool:
    """Whether `seat` has books that leave no choice and are laid when its turn comes (S7)."""
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


def single_options(p: Position) -> list[Card]:
    """The single cards that the active seat may lay off."""
    return singles(p, p.active)


def singles(p: Position, seat: int) -> list[Card]:
    """The cards in the hand of `seat` whose class has a book that the seat can see (G12)."""
    visible = range(p.seats) if p.rules.visibility_books == "public" else (seat,)
    booked = {p.setup.finder.title(book) for other in visible for book in p.books[other]}
    hand = p.setup.deck.sorted(p.hands[seat])
    return [card for card in hand if p.setup.deck.class_of(card) in booked]


def single_refusal(p: Position, card: Card) -> Refusal | None:
    """The reason why the active seat may not lay off this card, or None."""
    if card not in p.hands[p.active]:
        return Refusal("cards_not_held", f"seat {p.active} does not hold {card}")
    if card not in single_options(p):
        return Refusal("no_book_yet", f"no book of the class of {card} lies on the table")
    return None


def lay_off(t: Table, seat: int, card: Card) -> None:
    """Lay off one card, which scores nothing (GA4)."""
    t.lose(seat, t.setup.deck.named[card])
    t.singles[seat] = (*t.singles[seat], card)
    t.may_be_dead = True
    t.tell(LaidOff(audience=ALL, seat=seat, card=card))


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
    """Lay off every card of a class that has a book, from all hands at once (S12).

    The card that the asker is still looking at stays in its hand.
    """
    titles = {t.setup.finder.title(book) for books in t.books for book in books}
    booked = NOTHING.union(*[t.setup.deck.members[title] for title in titles if title])
    for seat in t.from_active():
        for card in t.setup.deck.sorted(t.hands[seat] & booked):
            if card != t.drawn:
                lay_off(t, seat, card)
