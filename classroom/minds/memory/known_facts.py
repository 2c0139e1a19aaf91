"""The parts that both kinds of memory share. `Kinds` holds what everyone knows about a game before
the deal. A `Reader` reads events and turns them into facts, and a `Ledger` receives the facts. A
`Why` keeps the event that proves a fact and the earlier reasons that it builds on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeVar

from classroom.engine import events as ev
from classroom.engine.cards import Card, Deck, deck_of
from classroom.engine.events import Event
from classroom.engine.observation import Seen
from classroom.engine.rules import Rules

CLASSLESS: Final = "*"
"""The class of cards that belong to no other class (wild Jokers). It cannot be asked for."""


@dataclass(frozen=True, eq=False, slots=True)
class Kinds:
    """The classes under one set of rules, numbered.

    `of`: the class number of each card, where classes do not overlap. `copies`: the number of cards
    in each class. `needs`: for each class, the class that a seat must hold to ask for it: the class
    itself or its complement. `most`: for each class, the most cards that a hand keeps if books are
    laid automatically. `rivals`: for each class, the other class that completes its sum (-1: none).
    """

    rules: Rules
    deck: Deck
    names: tuple[str, ...]
    number: dict[str, int]
    of: dict[Card, int]
    copies: tuple[int, ...]
    needs: tuple[int, ...]
    most: tuple[int, ...]
    rivals: tuple[int, ...]

    def needed(self, name: str) -> str:
        """The class that a seat must hold in order to ask for this one."""
        return self.names[self.needs[self.number[name]]]

    @property
    def parts_rivals(self) -> bool:
        """Whether two cards of rival classes are laid as a book at once, so no hand keeps both."""
        return self.rules.book_kind == "sum" and self.rules.book_lay == "auto"

    @property
    def by_card(self) -> bool:
        """Whether memory tracks single cards, because classes overlap or asks name cards (D15)."""
        return self.deck.overlaps or self.rules.ask_what == "card"


@lru_cache(maxsize=256)
def kinds_of(rules: Rules) -> Kinds:
    deck = deck_of(rules)
    free = [card for card in deck.cards if not deck.classes_of[card]]
    names = (*deck.classes, CLASSLESS) if free else deck.classes
    number = {name: i for i, name in enumerate(names)}
    of = {card: number[(deck.classes_of[card] or (CLASSLESS,))[0]] for card in deck.cards}
    copies = tuple(len(deck.members.get(name, free)) for name in names)
    top = rules.deck_top if rules.class_ == "complement" else None
    needs = tuple(number[name if top is None else str(top - int(name))] for name in names)
    return Kinds(
        rules=rules,
        deck=deck,
        names=names,
        number=number,
        of=of,
        copies=copies,
        needs=needs,
        most=tuple(_kept(rules, name, copies[i], needs[i] == i) for i, name in enumerate(names)),
        rivals=tuple(need if rules.book_kind == "sum" and need != i else -1
                     for i, need in enumerate(needs)),
    )  # fmt: skip


def _kept(rules: Rules, name: str, copies: int, own_partner: bool) -> int:
    """The most cards of a class that a hand keeps once its books are laid (D10, D14, D16)."""
    if rules.book_lay != "auto" or rules.book_kind == "four" or name == CLASSLESS:
        return copies
    if rules.book_kind == "sum":
        return 1 if own_partner else copies
    return min(copies, rules.book_size - 1)


class Why:
    """The reason for a known fact. `seen`: the event that showed it, None if it follows from
    other reasons alone. `parents`: the reasons that it builds on."""

    __slots__ = ("parents", "seen")

    def __init__(self, seen: Seen | None, parents: tuple[Why | None, ...] = ()) -> None:
        self.seen = seen
        self.parents = parents


def evidence(why: Why | None) -> tuple[Seen, ...]:
    """The events behind a reason, oldest first. In one move, an event comes after its reasons."""
    found: dict[int, Seen] = {}
    entered: set[int] = set()
    stack: list[tuple[Why | None, bool]] = [(why, False)]
    while stack:
        node, left = stack.pop()
        if node is None or (not left and id(node) in entered):
            continue
        if left:
            if node.seen is not None:
                found.setdefault(id(node.seen), node.seen)
            continue
        entered.add(id(node))
        stack.append((node, True))
        stack.extend((parent, False) for parent in reversed(node.parents))
    return tuple(sorted(found.values(), key=lambda seen: seen.seq))


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """The last ask, whether "how many?" was the answer, and the number named after this answer."""

    seat: int
    class_: str
    seen: Seen
    how_many: bool = False
    named: int | None = None


@dataclass(frozen=True, slots=True)
class OpenDraw:
    """A card that was drawn unseen; later events of the same move may reveal more about it.

    `source`: the row it came from. `kept`: the seat looked at the card and did not show it, so it
    may even be of the class asked for. `replaced`: the event in which the seat that lost the card
    took another card from the stock; None if it took none.
    """

    seat: int
    source: int
    seen: Seen
    kept: bool = False
    replaced: Seen | None = None


class Ledger:
    """The interface through which a reader records facts, in the order of events. `seen` is the
    event that a fact follows from. A ledger ignores the facts that it cannot use. Cards are in
    rows: one for each seat (hand and boat together), the `stock`, and the cards set aside
    (`lost`)."""

    stock: int
    lost: int

    def took(self, source: int, row: int, number: int, seen: Seen, *, hidden: bool) -> None:
        """`number` cards went from one row to another. Unless `hidden`, a call to `saw` follows."""

    def saw(self, source: int, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """The viewer saw which cards the seat took from the source."""

    def drew(self, draw: OpenDraw, among: Iterable[Card] | None, barred: OpenAsk | None) -> None:
        """A card went unseen from one row to another. It has the class of a card in `among` (None:
        any), but not the class that `barred` asked for: such a card would have been shown."""

    def replaced(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """The seat took a card from the stock to replace one fished from its hand. `hidden`: as for
        `took`. The seat that fished may hold a whole book that it has not laid yet."""

    def showed(self, seat: int, card: Card, draw: OpenDraw | None, seen: Seen) -> None:
        """The seat showed a card that it holds now. `draw`: the draw that brought the card, if the
        viewer did not see which card was drawn."""

    def asked(self, seat: int, class_: str, seen: Seen) -> None:
        """The seat asked for the class, so it holds a card that allows the ask."""

    def has(self, seat: int, class_: str, seen: Seen) -> None:
        """The seat holds some of the class."""

    def has_none(self, seat: int, class_: str, seen: Seen) -> None:
        """The seat holds none of the class."""

    def has_fewer(self, seat: int, class_: str, number: int, seen: Seen) -> None:
        """The seat holds fewer than `number` of the class."""

    def gave(
        self, giver: int, taker: int, class_: str, number: int, seen: Seen, *, every: bool
    ) -> None:
        """`number` cards of the class changed hands. `every`: the giver gave all that it had."""

    def saw_given(
        self, taker: int, class_: str, cards: Iterable[Card], seen: Seen, *, every: bool
    ) -> None:
        """The viewer gave or took these cards and so saw them. `every`: the viewer took them, and
        the giver kept no card of the class."""

    def laid(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """The seat laid these cards on the table, so they are out of play."""

    def laid_face_down(
        self,
        seat: int,
        class_: str | None,
        draw: OpenDraw | None,
        barred: OpenAsk | None,
        seen: Seen,
    ) -> None:
        """Another seat laid a book face down, of `class_` if that is known (D9). `draw`: the card
        that it drew just before, if any. `barred`: as for `drew`."""

    def baited(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """The seat took cards from its boat into its hand."""

    def saw_bait(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """The viewer saw that these cards are in the seat's hand, as bait."""

    def exposed(
        self, hands: Iterable[Iterable[Card]], boats: Iterable[Iterable[Card]], seen: Seen
    ) -> None:
        """All hands and boats are shown to everyone."""

    def claimed(self, cards: Iterable[Card], seen: Seen) -> None:
        """A four was made from exposed cards, possibly from several seats."""

    def compensated(self, seat: int, card: Card, seen: Seen) -> None:
        """A card whose place was known went to the seat's boat."""

    def end_move(self, looking: int | None, booked: frozenset[int]) -> None:
        """The move is over: draw all conclusions, including those from automatic laying (D10).
        `looking`, `booked`: as in Open."""


# ---- The reader: turns the events of a round into facts about cards, recorded in a ledger
#
# Only the reader knows the kinds of events: how much of each event the viewer sees, and which
# facts the event proves. A ledger keeps facts as bounds by class, as unseen draws or as places of
# single cards. A card fished face down is recorded only after the next event, which may show that
# the card was lucky, that it was laid in a book, or neither (D5, D6).


class Open(NamedTuple):
    """The state of a reader between events. `ask`: the last ask. `draw`: a draw not yet recorded.
    `caught`: seat and class of the last catch or lucky card. `booked`: the classes of laid cards.
    `looking`: the seat that is looking at its fished card and has laid no book yet (S21)."""

    ask: OpenAsk | None = None
    draw: OpenDraw | None = None
    caught: tuple[int, str] | None = None
    booked: frozenset[int] = frozenset()
    looking: int | None = None


NOTHING_OPEN: Final = Open()


L = TypeVar("L", bound=Ledger)


class Reader(Generic[L]):
    """Reads events and records facts in a ledger, which it changes in place."""

    def __init__(self, kinds: Kinds, viewer: int | None, ledger: L, start: Open) -> None:
        self.kinds = kinds
        self.rules = kinds.rules
        self.viewer = viewer
        self.ledger = ledger
        self.ask, self.draw, self.caught, self.booked, self.looking = start

    @property
    def open(self) -> Open:
        """The state from which another reader can continue."""
        return Open(self.ask, self.draw, self.caught, self.booked, self.looking)

    def take(self, seen: Seen) -> None:
        kind = type(seen.event)
        if kind not in _TELLS_OF_DRAW:
            self.enter_draw(None)
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, seen.event, seen)

    def end_move(self) -> None:
        """End the move: record a draw that is still open, and draw all conclusions."""
        self.enter_draw(None)
        self.ledger.end_move(self.looking, self.booked)

    # Draws ----------------------------------------------------------------------------------

    def enter_draw(self, among: Iterable[Card] | None) -> None:
        """Record the open draw, if there is one. `among`: the cards that it can be, if known."""
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
        """Take a card for a seat, which looks at it first if it may hide a lucky card (S1)."""
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
        if event.target == self.viewer:
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
        """Record cards that a seat laid. With `at_once` they include a card that it just drew."""
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
        """Record another seat's book. Its class is known after a catch; after an unlucky draw, or
        if a seat may keep its books, the book can be of one of several classes (D9)."""
        if event.seat == self.viewer:
            return
        if self.rules.book_lay != "auto":
            self.enter_draw(None)
            self.caught = None
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
