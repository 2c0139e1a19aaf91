"""Turns the events of a round into facts about cards and enters them in a ledger.

Only this module of `memory` knows the kinds of events, what the viewer sees of them and what
follows from them by the rules. Ledgers keep bounds by class, unseen draws or the places of single
cards. A card fished face down is entered only after the next event, which may tell more about it:
whether it was shown as lucky, laid in a book, or neither (D5, D6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from classroom.engine import events as ev
from classroom.engine.cards import Card
from classroom.engine.events import Event
from classroom.engine.observation import Seen
from classroom.minds.memory.known_facts import Kinds, Ledger, OpenAsk, OpenDraw


@dataclass(frozen=True, slots=True)
class Open:
    """What a move left open for the next event.

    `caught`: seat and class of the last catch or lucky card. `booked`: classes of which cards
    were laid. `looking`: the seat that is looking at its card and has laid no book yet (S21).
    """

    ask: OpenAsk | None = None
    draw: OpenDraw | None = None
    caught: tuple[int, str] | None = None
    booked: frozenset[int] = frozenset()
    looking: int | None = None


NOTHING_OPEN: Final = Open()


L = TypeVar("L", bound=Ledger)


class Reader(Generic[L]):
    """Reads events into a ledger, which it changes in place."""

    def __init__(self, kinds: Kinds, viewer: int | None, ledger: L, start: Open) -> None:
        self.kinds = kinds
        self.rules = kinds.rules
        self.viewer = viewer
        self.ledger = ledger
        self.ask = start.ask
        self.draw = start.draw
        self.caught = start.caught
        self.booked = start.booked
        self.looking = start.looking

    @property
    def open(self) -> Open:
        """What is left open now."""
        return Open(self.ask, self.draw, self.caught, self.booked, self.looking)

    def take(self, seen: Seen) -> None:
        """Read one event."""
        kind = type(seen.event)
        if self.draw is not None and kind not in _TELLS_OF_DRAW:
            self.enter_draw(None)
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, seen.event, seen)

    def end_move(self) -> None:
        """End the move: enter a draw that is still open, and draw all conclusions."""
        if self.draw is not None:
            self.enter_draw(None)
        self.ledger.end_move(self.looking, self.booked)

    # Draws ----------------------------------------------------------------------------------

    def enter_draw(self, among: Iterable[Card] | None) -> None:
        """Enter the open draw, if there is one; `among`: the cards it may be, if that is known."""
        draw, self.draw = self.draw, None
        if draw is not None:
            self.ledger.drew(draw, among, self._barred(draw))

    def _barred(self, draw: OpenDraw | None) -> OpenAsk | None:
        """The last ask, if a drawn card of its class would have been shown (D5)."""
        if draw is None or draw.kept or self.rules.lucky != "again_must_show":
            return None
        return self.ask

    def dealt(self, event: ev.Dealt | ev.Refilled, seen: Seen) -> None:
        hidden = event.seat != self.viewer
        self.ledger.took(self.ledger.stock, event.seat, event.number, seen, hidden=hidden)

    def own_cards(self, event: ev.DealtCards | ev.RefilledCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            self.ledger.saw(self.ledger.stock, event.seat, event.cards, seen)

    def set_aside(self, event: ev.SetAside, seen: Seen) -> None:
        self.ledger.took(self.ledger.stock, self.ledger.lost, event.number, seen, hidden=True)

    def fished(self, event: ev.Fished, seen: Seen) -> None:
        self._takes(event.seat, self.ledger.stock, seen, hidden=event.seat != self.viewer)

    def fished_from_hand(self, event: ev.FishedFromHand, seen: Seen) -> None:
        hidden = self.viewer not in (event.seat, event.source)
        self._takes(event.seat, event.source, seen, hidden=hidden)

    def _takes(self, seat: int, source: int, seen: Seen, *, hidden: bool) -> None:
        """Take one card for a seat, which looks at it first if a lucky card may be hidden (S1)."""
        self.looking = seat if self.rules.lucky == "again_may_show" else None
        if hidden:
            self.draw = OpenDraw(seat, source, seen)
        else:
            self.ledger.took(source, seat, 1, seen, hidden=False)

    def drew(self, event: ev.Drew | ev.ReplacedCard, seen: Seen) -> None:
        if event.seat == self.viewer:
            self.ledger.saw(self.ledger.stock, event.seat, (event.card,), seen)

    def picked(self, event: ev.Picked, seen: Seen) -> None:
        if self.viewer in (event.seat, event.source):
            self.ledger.saw(event.source, event.seat, (event.card,), seen)

    def replaced(self, event: ev.Replaced, seen: Seen) -> None:
        if self.draw is not None:
            self.draw = replace(self.draw, replaced=seen)
        else:
            self.ledger.replaced(event.seat, seen, hidden=event.seat != self.viewer)

    def lucky(self, event: ev.Lucky, seen: Seen) -> None:
        draw, self.draw, self.looking = self.draw, None, None
        self.ledger.showed(event.seat, event.card, draw, seen)
        self.caught = (event.seat, event.class_)

    def kept_hidden(self, event: ev.KeptHidden, seen: Seen) -> None:
        self.looking = None
        if self.draw is not None:
            self.draw = replace(self.draw, kept=True)

    # Asks -----------------------------------------------------------------------------------

    def asked(self, event: ev.Asked, seen: Seen) -> None:
        self.end_move()
        self.ask = OpenAsk(event.seat, event.class_, seen)
        self.caught = None
        self.ledger.asked(event.seat, event.class_, seen)

    def saw_bait(self, event: ev.SawBait, seen: Seen) -> None:
        if self.viewer in (event.seat, event.target) and event.seat != self.viewer:
            self.ledger.saw_bait(event.seat, (event.card,), seen)

    def how_many(self, event: ev.AskedHowMany, seen: Seen) -> None:
        self.ask = OpenAsk(event.asker, event.class_, seen, how_many=True)
        self.ledger.has(event.seat, event.class_, seen)

    def named(self, event: ev.Named, seen: Seen) -> None:
        if self.ask is not None:
            self.ask = replace(self.ask, named=event.number)

    def gave(self, event: ev.Gave, seen: Seen) -> None:
        self.ledger.gave(
            event.giver, event.taker, event.class_, event.number, seen, every=self._gives_all()
        )
        self.caught = (event.taker, event.class_)

    def gave_cards(self, event: ev.GaveCards, seen: Seen) -> None:
        if self.viewer in (event.giver, event.taker):
            every = self._gives_all() and event.taker == self.viewer
            self.ledger.saw_given(event.taker, event.class_, event.cards, seen, every=every)

    def _gives_all(self) -> bool:
        """Whether the asked seat gives all its cards of the class."""
        if self.rules.response == "one":
            return False
        return not (self.ask and self.ask.how_many) or self.rules.give == "all"

    def said_go_fish(self, event: ev.SaidGoFish, seen: Seen) -> None:
        if self.ask is not None and self.ask.named is not None:
            self.ledger.has_fewer(event.seat, event.class_, self.ask.named, seen)
        else:
            self.ledger.has_none(event.seat, event.class_, seen)

    # Books ----------------------------------------------------------------------------------

    def laid_book(self, event: ev.LaidBook, seen: Seen) -> None:
        self._lay_after_draw(event.seat, event.cards, seen, self.rules.book_lay == "auto")

    def laid_off(self, event: ev.LaidOff, seen: Seen) -> None:
        self._lay_after_draw(event.seat, (event.card,), seen, self.rules.book_layoff == "auto")

    def _lay_after_draw(
        self, seat: int, cards: tuple[Card, ...], seen: Seen, at_once: bool
    ) -> None:
        """Enter cards laid by a seat. If laid `at_once`, they include a card that it just drew."""
        if self.draw is not None:
            self.enter_draw(cards if at_once and self.draw.seat == seat else None)
        self._lay(seat, cards, seen)

    def _lay(self, seat: int, cards: tuple[Card, ...], seen: Seen) -> None:
        self.ledger.laid(seat, cards, seen)
        self.booked |= {self.kinds.of[card] for card in cards}

    def laid_face_down_cards(self, event: ev.LaidFaceDownCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            self._lay(event.seat, event.cards, seen)

    def laid_face_down(self, event: ev.LaidFaceDown, seen: Seen) -> None:
        """Enter another seat's book: after a catch its class is known, after an unlucky draw it may
        be one of several (D9)."""
        if event.seat == self.viewer:
            return
        class_, draw, barred = None, self.draw, self._barred(self.draw)
        if self.caught is not None and self.caught[0] == event.seat and draw is None:
            class_, self.caught = self.caught[1], None
        self.draw = None
        self.ledger.laid_face_down(event.seat, class_, draw, barred, seen)

    # Fours ----------------------------------------------------------------------------------

    def baited(self, event: ev.Baited, seen: Seen) -> None:
        self.ledger.baited(event.seat, seen, hidden=event.seat != self.viewer)

    def baited_cards(self, event: ev.BaitedCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            self.ledger.saw_bait(event.seat, event.cards, seen)

    def declared(self, event: ev.Declared, seen: Seen) -> None:
        self.ledger.exposed(event.hands, event.boats, seen)

    def claimed(self, event: ev.Claimed, seen: Seen) -> None:
        self.ledger.claimed(event.cards, seen)

    def compensated(self, event: ev.Compensated, seen: Seen) -> None:
        self.ledger.compensated(event.seat, event.card, seen)


_TELLS_OF_DRAW = frozenset(
    (ev.Lucky, ev.KeptHidden, ev.LaidBook, ev.LaidFaceDown, ev.LaidOff, ev.Replaced)
)

_HANDLERS: dict[type[Event], Callable[..., None]] = {
    ev.Dealt: Reader.dealt,
    ev.DealtCards: Reader.own_cards,
    ev.Refilled: Reader.dealt,
    ev.RefilledCards: Reader.own_cards,
    ev.SetAside: Reader.set_aside,
    ev.Fished: Reader.fished,
    ev.Drew: Reader.drew,
    ev.FishedFromHand: Reader.fished_from_hand,
    ev.Picked: Reader.picked,
    ev.Replaced: Reader.replaced,
    ev.ReplacedCard: Reader.drew,
    ev.Lucky: Reader.lucky,
    ev.KeptHidden: Reader.kept_hidden,
    ev.Asked: Reader.asked,
    ev.SawBait: Reader.saw_bait,
    ev.AskedHowMany: Reader.how_many,
    ev.Named: Reader.named,
    ev.Gave: Reader.gave,
    ev.GaveCards: Reader.gave_cards,
    ev.SaidGoFish: Reader.said_go_fish,
    ev.LaidBook: Reader.laid_book,
    ev.LaidOff: Reader.laid_off,
    ev.LaidFaceDown: Reader.laid_face_down,
    ev.LaidFaceDownCards: Reader.laid_face_down_cards,
    ev.Baited: Reader.baited,
    ev.BaitedCards: Reader.baited_cards,
    ev.Declared: Reader.declared,
    ev.Claimed: Reader.claimed,
    ev.Compensated: Reader.compensated,
}
