"""Perfect memory where every card has one class: a sheet of bounds, event by event (D1 to D14, D16).

Incremental: `after` takes in one event. A card fished face down is not entered at once, because
what follows tells more about it: shown as lucky, laid in a book, or neither (D5, D6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from classroom.engine import events as ev
from classroom.engine.events import Event
from classroom.engine.observation import Observation, Seen
from classroom.minds.kinds import Kinds, kinds_of
from classroom.minds.sheet import Sheet, Why, blank, evidence


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """The last ask: who, for which class; what was said since ("how many?", the number named)."""

    seat: int
    class_: int
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


@dataclass(frozen=True)
class CountMemory:
    """What can be known after the events taken in so far. The sheet is never changed in place."""

    kinds: Kinds
    viewer: int | None
    taken: int
    sheet: Sheet
    ask: OpenAsk | None = None
    draw: OpenDraw | None = None
    caught: tuple[int, int] | None = None
    booked: frozenset[int] = frozenset()
    looking: int | None = None

    @classmethod
    def start(cls, observation: Observation) -> CountMemory:
        """Nothing seen yet: all cards lie in the stock."""
        kinds = kinds_of(observation.rules)
        viewer = observation.viewer if isinstance(observation.viewer, int) else None
        return cls(kinds, viewer, 0, blank(kinds, observation.seats, viewer))

    def after(self, *seen: Seen) -> CountMemory:
        """This memory with further events taken in, in their order."""
        reader = _Reader(self)
        for item in seen:
            reader.take(item)
        return reader.memory(self.taken + len(seen))

    @cached_property
    def settled(self) -> Sheet:
        """The sheet once the move is over: all draws entered, all books laid, all sums drawn."""
        reader = _Reader(self)
        reader.rest()
        return reader.sheet

    def bounds(self, seat: int, class_: str) -> tuple[int, int]:
        """The fewest and the most cards of the class that the seat can hold now."""
        return self._bounds(seat, class_)

    def stock_bounds(self, class_: str) -> tuple[int, int]:
        """The fewest and the most cards of the class that can lie in the stock now."""
        return self._bounds(self.sheet.stock, class_)

    def lost_bounds(self, class_: str) -> tuple[int, int]:
        """The same for the cards set aside."""
        return self._bounds(self.sheet.lost, class_)

    def left(self, class_: str) -> int:
        """Cards of the class that are not known to lie in books."""
        return self.settled.left[self.kinds.number[class_]]

    def proof(self, seat: int, class_: str, high: bool = False) -> tuple[Seen, ...]:
        """The events that prove the lower bound (or the upper one), oldest first."""
        cell = seat * self.sheet.width + self.kinds.number[class_]
        whys = self.settled.why_high if high else self.settled.why_low
        return evidence(whys[cell])

    def _bounds(self, row: int, class_: str) -> tuple[int, int]:
        cell = row * self.sheet.width + self.kinds.number[class_]
        return self.settled.low[cell], self.settled.high[cell]


class _Reader:
    """Takes events into a sheet of its own."""

    def __init__(self, memory: CountMemory) -> None:
        self.kinds = memory.kinds
        self.rules = memory.kinds.rules
        self.viewer = memory.viewer
        self.sheet = memory.sheet.copy()
        self.ask = memory.ask
        self.draw = memory.draw
        self.caught = memory.caught
        self.booked = memory.booked
        self.looking = memory.looking

    def memory(self, taken: int) -> CountMemory:
        """The memory read so far."""
        return CountMemory(
            self.kinds,
            self.viewer,
            taken,
            self.sheet,
            self.ask,
            self.draw,
            self.caught,
            self.booked,
            self.looking,
        )

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
        self.sheet.settle()
        self._keep_to_most()
        if self.rules.book_kind == "sum" and self.rules.book_lay == "auto":
            self._part_rivals()
        self.sheet.settle()

    def _keep_to_most(self) -> None:
        """A seat that still looks at its card has not laid its book yet (S21)."""
        sheet = self.sheet
        for row in range(sheet.seats):
            if row in (self.looking, sheet.viewer):
                continue
            start = row * sheet.width
            for class_, most in enumerate(self.kinds.most):
                if sheet.high[start + class_] > most:
                    sheet.at_most(row, class_, most, None)
        if self.booked and self.rules.book_layoff == "auto":
            for row in range(sheet.seats):
                for class_ in self.booked:
                    sheet.at_most(row, class_, 0, sheet.why_left[class_])

    def _part_rivals(self) -> None:
        sheet = self.sheet
        for row in range(sheet.seats):
            for class_, rival in enumerate(self.kinds.rivals):
                cell = row * sheet.width + class_
                if rival >= 0 and sheet.low[cell]:
                    sheet.at_most(row, rival, 0, sheet.why_low[cell])

    # Draws ----------------------------------------------------------------------------------

    def enter_draw(self, classes: Iterable[int] | None) -> None:
        """Enter the open draw; `classes` if what followed tells of which class the card is."""
        draw, self.draw = self.draw, None
        if draw is None:
            return
        possible = set(range(self.sheet.width) if classes is None else classes)
        if self.ask and not draw.kept and self.rules.lucky == "again_must_show":
            possible.discard(self.ask.class_)
        if len(possible) == 1:
            self._move_known(draw.source, draw.seat, possible.pop(), draw.seen)
        else:
            every = len(possible) == self.sheet.width
            wanted = None if every else sorted(possible)
            self.sheet.move_unknown(draw.source, draw.seat, 1, wanted, draw.seen)
        if draw.replaced is not None:
            self.sheet.move_unknown(self.sheet.stock, draw.source, 1, None, draw.replaced)

    def _move_known(self, source: int, row: int, class_: int, seen: Seen) -> None:
        self.sheet.settle()
        self.sheet.lose(source, class_, 1, seen)
        self.sheet.gain(row, class_, 1, seen)

    def _draw_known(self, seat: int, cards: Iterable[str], seen: Seen) -> None:
        for card in cards:
            self._move_known(self.sheet.stock, seat, self.kinds.of[card], seen)

    def dealt(self, event: ev.Dealt | ev.Refilled, seen: Seen) -> None:
        if event.seat != self.viewer:
            self.sheet.move_unknown(self.sheet.stock, event.seat, event.number, None, seen)

    def dealt_cards(self, event: ev.DealtCards | ev.RefilledCards, seen: Seen) -> None:
        if event.seat == self.viewer:
            self._draw_known(event.seat, event.cards, seen)

    def set_aside(self, event: ev.SetAside, seen: Seen) -> None:
        self.sheet.move_unknown(self.sheet.stock, self.sheet.lost, event.number, None, seen)

    def fished(self, event: ev.Fished, seen: Seen) -> None:
        self._looks(event.seat)
        if event.seat != self.viewer:
            self.draw = OpenDraw(event.seat, self.sheet.stock, seen)

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
            self.sheet.move_unknown(self.sheet.stock, event.seat, 1, None, seen)

    def lucky(self, event: ev.Lucky, seen: Seen) -> None:
        self.looking = None
        class_ = self.kinds.of[event.card]
        if self.draw is not None:
            self.draw = replace(self.draw, seen=seen, kept=True)
            self.enter_draw((class_,))
        elif event.seat != self.viewer:
            self.sheet.at_least(event.seat, class_, 1, seen)
        self.caught = (event.seat, class_)

    def kept_hidden(self, event: ev.KeptHidden, seen: Seen) -> None:
        self.looking = None
        if self.draw is not None:
            self.draw = replace(self.draw, kept=True)

    # Asks -----------------------------------------------------------------------------------

    def asked(self, event: ev.Asked, seen: Seen) -> None:
        self.rest()
        class_ = self.kinds.number[event.class_]
        self.ask = OpenAsk(event.seat, class_)
        self.caught = None
        self.sheet.at_least(event.seat, self.kinds.needs[class_], 1, seen)

    def how_many(self, event: ev.AskedHowMany, seen: Seen) -> None:
        class_ = self.kinds.number[event.class_]
        self.ask = OpenAsk(event.asker, class_, how_many=True)
        self.sheet.at_least(event.seat, class_, 1, seen)

    def named(self, event: ev.Named, seen: Seen) -> None:
        if self.ask is not None:
            self.ask = replace(self.ask, named=event.number)

    def gave(self, event: ev.Gave, seen: Seen) -> None:
        class_ = self.kinds.number[event.class_]
        sheet = self.sheet
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
            self.sheet.at_least(event.seat, class_, 1, seen)
            self.sheet.at_most(event.seat, class_, self.ask.named - 1, Why(seen))
        else:
            self.sheet.none(event.seat, class_, seen)

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
        size = self.kinds.book_size
        if self.caught is not None and self.caught[0] == event.seat and self.draw is None:
            class_, self.caught = self.caught[1], None
            self._lay(event.seat, {class_: size}, seen)
            return
        self.sheet.settle()
        extra = 1 if self.draw is not None else 0
        start = event.seat * self.sheet.width
        highs = self.sheet.high[start : start + self.sheet.width]
        possible = [c for c, high in enumerate(highs) if high + extra >= size]
        self.enter_draw(possible)
        self.sheet.veil(event.seat, possible, seen)

    def _numbers(self, cards: Iterable[str]) -> dict[int, int]:
        numbers: dict[int, int] = {}
        for card in cards:
            class_ = self.kinds.of[card]
            numbers[class_] = numbers.get(class_, 0) + 1
        return numbers

    def _lay(self, seat: int, numbers: dict[int, int], seen: Seen) -> None:
        sheet = self.sheet
        sheet.settle()
        for class_, number in numbers.items():
            sheet.lose(seat, class_, number, seen)
            sheet.left[class_] -= number
            sheet.why_left[class_] = Why(seen, (sheet.why_left[class_],))
        self.booked |= numbers.keys()

    def declared(self, event: ev.Declared, seen: Seen) -> None:
        """All cards are exposed."""
        for seat, cards in enumerate(zip(event.hands, event.boats, strict=True)):
            numbers = self._numbers((*cards[0], *cards[1]))
            for class_ in range(self.sheet.width):
                number = numbers.get(class_, 0)
                self.sheet.at_least(seat, class_, number, seen)
                self.sheet.at_most(seat, class_, number, Why(seen))


_TELLS_OF_DRAW = frozenset(
    (ev.Lucky, ev.KeptHidden, ev.LaidBook, ev.LaidFaceDown, ev.LaidOff, ev.Replaced)
)

_HANDLERS: dict[type[Event], Callable[..., None]] = {
    ev.Dealt: _Reader.dealt,
    ev.DealtCards: _Reader.dealt_cards,
    ev.Refilled: _Reader.dealt,
    ev.RefilledCards: _Reader.dealt_cards,
    ev.SetAside: _Reader.set_aside,
    ev.Fished: _Reader.fished,
    ev.Drew: _Reader.drew,
    ev.FishedFromHand: _Reader.fished_from_hand,
    ev.Picked: _Reader.picked,
    ev.Replaced: _Reader.replaced,
    ev.ReplacedCard: _Reader.drew,
    ev.Lucky: _Reader.lucky,
    ev.KeptHidden: _Reader.kept_hidden,
    ev.Asked: _Reader.asked,
    ev.AskedHowMany: _Reader.how_many,
    ev.Named: _Reader.named,
    ev.Gave: _Reader.gave,
    ev.SaidGoFish: _Reader.said_go_fish,
    ev.LaidBook: _Reader.laid_book,
    ev.LaidOff: _Reader.laid_off,
    ev.LaidFaceDown: _Reader.laid_face_down,
    ev.LaidFaceDownCards: _Reader.laid_face_down_cards,
    ev.Declared: _Reader.declared,
}
