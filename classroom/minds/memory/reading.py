"""Reading events into a ledger of cards of one class each (rules D1 to D10 of docs/rules.md A10).

The same reading serves a sheet of bounds and a list of unseen draws. A card fished face down is
not entered at once, because what follows tells more about it: shown as lucky, laid in a book, or
neither (D5, D6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar

from classroom.engine import events as ev
from classroom.engine.events import Event
from classroom.engine.observation import Seen
from classroom.minds.memory.deck_facts import Kinds


class Ledger(Protocol):
    """What is kept of the cards: rows are the seats, then the stock, then the cards set aside."""

    @property
    def stock(self) -> int: ...

    @property
    def lost(self) -> int: ...

    def at_least(self, row: int, class_: int, number: int, seen: Seen) -> None: ...

    def at_most(self, row: int, class_: int, number: int, seen: Seen) -> None: ...

    def none(self, row: int, class_: int, seen: Seen) -> None: ...

    def gain(self, row: int, class_: int, number: int, seen: Seen) -> None: ...

    def lose(self, row: int, class_: int, number: int, seen: Seen) -> None: ...

    def move_unknown(
        self, source: int, row: int, number: int, classes: Iterable[int] | None, seen: Seen
    ) -> None: ...

    def spared(self, row: int, class_: int, seen: Seen) -> None: ...

    def book(self, seat: int, numbers: dict[int, int], seen: Seen) -> None: ...

    def candidates(self, seat: int, extra: int, barred: int | None) -> list[int]: ...

    def veil(self, seat: int, classes: list[int], seen: Seen) -> None: ...

    def keep_to_most(self, looking: int | None, booked: frozenset[int]) -> None: ...

    def settle(self) -> None: ...


L = TypeVar("L", bound=Ledger)


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """The last ask: who, for which class; what was said since ("how many?", the number named)."""

    seat: int
    class_: int
    seen: Seen
    how_many: bool = False
    named: int | None = None


@dataclass(frozen=True, slots=True)
class OpenDraw:
    """A card taken unseen that later events of the same move may still tell about.

    `source` is a row of the sheet. `kept`: it was looked at and not shown, so it may even be of
    the class asked for. `replaced`: the seat it was taken from took a card in its place.
    """

    seat: int
    source: int
    seen: Seen
    kept: bool = False
    replaced: Seen | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """What a move left open for the next event.

    `caught`: (seat, class) of the last catch or lucky card. `booked`: classes of which a book
    lies on the table. `looking`: the seat that looks at its card and has laid no book yet (S21).
    """

    ask: OpenAsk | None = None
    draw: OpenDraw | None = None
    caught: tuple[int, int] | None = None
    booked: frozenset[int] = frozenset()
    looking: int | None = None


NOTHING_OPEN: Final = Open()


class Reader(Generic[L]):
    """Takes events into a ledger, which it changes in place."""

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
        """What is open now."""
        return Open(self.ask, self.draw, self.caught, self.booked, self.looking)

    def take(self, seen: Seen) -> None:
        """Take in one event."""
        kind = type(seen.event)
        if self.draw is not None and kind not in _TELLS_OF_DRAW:
            self.enter_draw(None)
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, seen.event, seen)

    def rest(self) -> None:
        """The move is over: enter what is open, and what automatic laying implies (D10)."""
        if self.draw is not None:
            self.enter_draw(None)
        self.ledger.settle()
        self.ledger.keep_to_most(self.looking, self.booked)
        self.ledger.settle()

    # Draws ----------------------------------------------------------------------------------

    def enter_draw(self, classes: Iterable[int] | None) -> None:
        """Enter the open draw; `classes` if what followed tells of which class the card is."""
        draw, self.draw = self.draw, None
        if draw is None:
            return
        possible = set(range(len(self.kinds.names)) if classes is None else classes)
        barred = self._barred(draw)
        if self.ask is not None and barred is not None:
            possible.discard(barred)
            self.ledger.spared(draw.seat, barred, self.ask.seen)
        if len(possible) == 1:
            self._move_known(draw.source, draw.seat, possible.pop(), draw.seen)
        else:
            every = len(possible) == len(self.kinds.names)
            wanted = None if every else sorted(possible)
            self.ledger.move_unknown(draw.source, draw.seat, 1, wanted, draw.seen)
        if draw.replaced is not None:
            self.ledger.move_unknown(self.ledger.stock, draw.source, 1, None, draw.replaced)

    def _barred(self, draw: OpenDraw | None) -> int | None:
        """The class that the card drawn is not of, because it would have been shown (D5)."""
        if draw is None or self.ask is None or draw.kept or self.rules.lucky != "again_must_show":
            return None
        return self.ask.class_

    def _move_known(self, source: int, row: int, class_: int, seen: Seen) -> None:
        self.ledger.settle()
        self.ledger.lose(source, class_, 1, seen)
        self.ledger.gain(row, class_, 1, seen)

    def _draw_known(self, seat: int, cards: Iterable[str], seen: Seen) -> None:
        for card in cards:
            self._move_known(self.ledger.stock, seat, self.kinds.of[card], seen)

    def dealt(self, event: ev.Dealt | ev.Refilled, seen: Seen) -> None:
        if event.seat != self.viewer:
            self.ledger.move_unknown(self.ledger.stock, event.seat, event.number, None, seen)

    def dealt_cards(self, event: ev.DealtCards | ev.RefilledCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            self._draw_known(event.seat, event.cards, seen)

    def set_aside(self, event: ev.SetAside, seen: Seen) -> None:
        self.ledger.move_unknown(self.ledger.stock, self.ledger.lost, event.number, None, seen)

    def fished(self, event: ev.Fished, seen: Seen) -> None:
        self._looks(event.seat)
        if event.seat != self.viewer:
            self.draw = OpenDraw(event.seat, self.ledger.stock, seen)

    def drew(self, event: ev.Drew | ev.ReplacedCard, seen: Seen) -> None:
        if event.seat == self.viewer:
            self._draw_known(event.seat, (event.card,), seen)

    def _looks(self, seat: int) -> None:
        """Where a card may be kept hidden, its seat looks at it first (S1)."""
        self.looking = seat if self.rules.lucky == "again_may_show" else None

    def fished_from_hand(self, event: ev.FishedFromHand, seen: Seen) -> None:
        self._looks(event.seat)
        if self.viewer not in (event.seat, event.source):
            self.draw = OpenDraw(event.seat, event.source, seen)

    def picked(self, event: ev.Picked, seen: Seen) -> None:
        if self.viewer in (event.seat, event.source):
            self._move_known(event.source, event.seat, self.kinds.of[event.card], seen)

    def replaced(self, event: ev.Replaced, seen: Seen) -> None:
        if self.draw is not None:
            self.draw = replace(self.draw, replaced=seen)
        elif event.seat != self.viewer:
            self.ledger.move_unknown(self.ledger.stock, event.seat, 1, None, seen)

    def lucky(self, event: ev.Lucky, seen: Seen) -> None:
        self.looking = None
        class_ = self.kinds.of[event.card]
        if self.draw is not None:
            self.draw = replace(self.draw, seen=seen, kept=True)
            self.enter_draw((class_,))
        elif event.seat != self.viewer:
            self.ledger.at_least(event.seat, class_, 1, seen)
        self.caught = (event.seat, class_)

    def kept_hidden(self, event: ev.KeptHidden, seen: Seen) -> None:
        self.looking = None
        if self.draw is not None:
            self.draw = replace(self.draw, kept=True)

    # Asks -----------------------------------------------------------------------------------

    def asked(self, event: ev.Asked, seen: Seen) -> None:
        self.rest()
        class_ = self.kinds.number[event.class_]
        self.ask = OpenAsk(event.seat, class_, seen)
        self.caught = None
        self.ledger.at_least(event.seat, self.kinds.needs[class_], 1, seen)

    def how_many(self, event: ev.AskedHowMany, seen: Seen) -> None:
        class_ = self.kinds.number[event.class_]
        self.ask = OpenAsk(event.asker, class_, seen, how_many=True)
        self.ledger.at_least(event.seat, class_, 1, seen)

    def named(self, event: ev.Named, seen: Seen) -> None:
        if self.ask is not None:
            self.ask = replace(self.ask, named=event.number)

    def gave(self, event: ev.Gave, seen: Seen) -> None:
        class_ = self.kinds.number[event.class_]
        sheet = self.ledger
        sheet.settle()
        sheet.lose(event.giver, class_, event.number, seen)
        if self._gave_all():
            sheet.none(event.giver, class_, seen)
        sheet.gain(event.taker, class_, event.number, seen)
        self.caught = (event.taker, class_)

    def _gave_all(self) -> bool:
        if self.rules.response == "one":
            return False
        return not (self.ask and self.ask.how_many) or self.rules.give == "all"

    def said_go_fish(self, event: ev.SaidGoFish, seen: Seen) -> None:
        class_ = self.kinds.number[event.class_]
        if self.ask is not None and self.ask.named is not None:
            self.ledger.at_least(event.seat, class_, 1, seen)
            self.ledger.at_most(event.seat, class_, self.ask.named - 1, seen)
        else:
            self.ledger.none(event.seat, class_, seen)

    # Books ----------------------------------------------------------------------------------

    def laid_book(self, event: ev.LaidBook, seen: Seen) -> None:
        numbers = self._numbers(event.cards)
        if self.draw is not None:
            told = self.draw.seat == event.seat and self.rules.book_lay == "auto"
            self.enter_draw(numbers if told else None)
        self._lay(event.seat, numbers, seen)

    def laid_off(self, event: ev.LaidOff, seen: Seen) -> None:
        numbers = self._numbers((event.card,))
        if self.draw is not None:
            told = self.draw.seat == event.seat and self.rules.book_layoff == "auto"
            self.enter_draw(numbers if told else None)
        self._lay(event.seat, numbers, seen)

    def laid_face_down_cards(self, event: ev.LaidFaceDownCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            self._lay(event.seat, self._numbers(event.cards), seen)

    def laid_face_down(self, event: ev.LaidFaceDown, seen: Seen) -> None:
        """D9: after a catch the class is known; after an unlucky draw it may be one of several."""
        if event.seat == self.viewer:
            return
        if self.caught is not None and self.caught[0] == event.seat and self.draw is None:
            class_, self.caught = self.caught[1], None
            self.ledger.veil(event.seat, [class_], seen)
            return
        self.ledger.settle()
        extra = 1 if self.draw is not None else 0
        possible = self.ledger.candidates(event.seat, extra, self._barred(self.draw))
        self.enter_draw(possible)
        self.ledger.veil(event.seat, possible, seen)

    def _numbers(self, cards: Iterable[str]) -> dict[int, int]:
        numbers: dict[int, int] = {}
        for card in cards:
            class_ = self.kinds.of[card]
            numbers[class_] = numbers.get(class_, 0) + 1
        return numbers

    def _lay(self, seat: int, numbers: dict[int, int], seen: Seen) -> None:
        self.ledger.settle()
        self.ledger.book(seat, numbers, seen)
        self.booked |= numbers.keys()

    def declared(self, event: ev.Declared, seen: Seen) -> None:
        """All cards are exposed."""
        for seat, cards in enumerate(zip(event.hands, event.boats, strict=True)):
            numbers = self._numbers((*cards[0], *cards[1]))
            for class_ in range(len(self.kinds.names)):
                number = numbers.get(class_, 0)
                self.ledger.at_least(seat, class_, number, seen)
                self.ledger.at_most(seat, class_, number, seen)


_TELLS_OF_DRAW = frozenset(
    (ev.Lucky, ev.KeptHidden, ev.LaidBook, ev.LaidFaceDown, ev.LaidOff, ev.Replaced)
)

_HANDLERS: dict[type[Event], Callable[..., None]] = {
    ev.Dealt: Reader.dealt,
    ev.DealtCards: Reader.dealt_cards,
    ev.Refilled: Reader.dealt,
    ev.RefilledCards: Reader.dealt_cards,
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
    ev.AskedHowMany: Reader.how_many,
    ev.Named: Reader.named,
    ev.Gave: Reader.gave,
    ev.SaidGoFish: Reader.said_go_fish,
    ev.LaidBook: Reader.laid_book,
    ev.LaidOff: Reader.laid_off,
    ev.LaidFaceDown: Reader.laid_face_down,
    ev.LaidFaceDownCards: Reader.laid_face_down_cards,
    ev.Declared: Reader.declared,
}
