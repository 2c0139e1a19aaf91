"""A round: frozen at one moment as a State, or played in place on a Table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple

from classroom.engine.actions import Action, Ask, Chance, Outcome, Refusal, Target
from classroom.engine.cards import Book, Card, Deck, Finder, Hand
from classroom.engine.events import Event
from classroom.engine.rules import Rules


class Quiet(NamedTuple):
    """Counts of asks and turns without progress since a card last left the stock; all are public.

    `idle`: asks in a row that moved no card; `bookless`: asks in a row without a new book (S2);
    `fourless`: turns without a new four, once the stock is empty (S15); `dodges`: asks in a row
    that began in a dead position and moved no card (S20).
    """

    idle: int = 0
    bookless: int = 0
    fourless: int = 0
    dodges: int = 0

    def asked(self, dead: bool) -> Quiet:
        """The counts after one more ask, before any card moves or a book is made."""
        idle, bookless, fourless, dodges = self
        return Quiet(idle + 1, bookless + 1, fourless, dodges + 1 if dead else 0)

    def moved(self) -> Quiet:
        return Quiet(0, self.bookless, self.fourless, 0) if self.idle else self

    def booked(self) -> Quiet:
        return Quiet(self.idle, 0, 0, self.dodges) if any(self) else self

    def turned(self) -> Quiet:
        """The counts after another turn has ended."""
        return self._replace(fourless=self.fourless + 1)


NO_QUIET: Final = Quiet()


Flow = Literal["waits", "caught", "goes_on", "ends"]
"""How an action affects the turn of the active seat: "waits" (another action is needed first),
"caught" (the ask moved cards), "goes_on" or "ends"."""
Choice = Callable[["Position"], Iterable[Action]]
Test = Callable[["Position"], bool]

NOTHING: Hand = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of action: the games that have it, its phase, and how it is listed and carried out.
    `legal` and `refusal` use the same rules from the strategy modules, so that they agree."""

    exists: Callable[[Rules], bool]
    phase: str
    legal: Callable[[Position], Iterable[Action]]
    refusal: Callable[[Position, Any], Refusal | None]
    perform: Callable[[Table, Any], Flow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Everything that stays the same for a whole round, worked out once from the rules (round.py).

    `order`: for each seat, all seats clockwise from it; `others`: the targets that each seat may
    ask while every seat has cards; `every_card_asks`: whether each card in a hand allows some ask;
    `stall_limit`: the number of asks in a row that end a round if they move no card and the stock
    is empty (A11); `kinds`: the kinds of action in the game; `choices`: for each phase, a function
    that lists its legal actions; `ends`: the endings in the rules, each with its test.
    """

    rules: Rules
    deck: Deck
    finder: Finder
    seats: int
    dealer: int
    hand_size: int
    order: tuple[tuple[int, ...], ...]
    others: tuple[tuple[Target, ...], ...]
    every_card_asks: bool
    stall_limit: int
    kinds: Mapping[type[Any], Kind] = field(compare=False, repr=False)
    choices: Mapping[str, Choice] = field(compare=False, repr=False)
    ends: tuple[tuple[str, Test], ...] = field(compare=False, repr=False)


@dataclass(slots=True, unsafe_hash=True)
class LogEntry:
    """One entry of the log: the events of move `seq` (0: the deal). `views` caches the events that
    each viewer saw, because each Observation would otherwise filter the whole history again. It is
    safe to add to the cache of a frozen log, because the events never change."""

    seq: int
    events: tuple[Event, ...]
    views: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)


class Claims(NamedTuple):
    """After a declaration: the seat that may claim now, and whether a seat claimed in this
    circuit."""

    seat: int
    claimed: bool


class Position:
    """The fields and queries that State and Table share.

    `active`: the seat that has the turn; `turn` is the seat that must act now. `pending`: the ask
    that is still open. `drawn`: the card just fished, while its owner may show it. `out`: the seats
    that left the round. `claims`: set while seats may claim after a declaration. `dead`:
    the stock is empty and the cards in play can make no book. `tide`: the steps that are left, None
    in a game without a tide.
    """

    __slots__ = ()

    setup: Setup
    rules: Rules
    hands: Sequence[Hand]
    boats: Sequence[Hand]
    stock: tuple[Card, ...]
    lost: tuple[Card, ...]
    books: Sequence[tuple[Book, ...]]
    singles: Sequence[tuple[Card, ...]]
    active: int
    phase: str
    pending: Ask | None
    drawn: Card | None
    out: frozenset[int]
    claims: Claims | None
    quiet: Quiet
    dead: bool
    tide: int | None
    ended_by: str | None
    log: Sequence[LogEntry]

    @property
    def seats(self) -> int:
        return self.setup.seats

    @property
    def dealer(self) -> int:
        return self.setup.dealer

    @property
    def over(self) -> bool:
        return self.ended_by is not None

    @property
    def seq(self) -> int:
        """The number of moves so far."""
        return len(self.log) - 1

    @property
    def turn(self) -> int | None:
        """The seat that must act now, or None when the round is over (S26)."""
        if self.phase == "ask":
            return self.active
        if self.phase == "answer":
            assert self.pending is not None
            assert self.pending.target != "all"
            return self.pending.target
        if self.phase == "claim":
            return None if self.claims is None else self.claims.seat
        return None if self.phase == "over" else self.active

    def cards(self, seat: int) -> Hand:
        """The cards in a seat's hand and boat together."""
        boat = self.boats[seat]
        return self.hands[seat] | boat if boat else self.hands[seat]

    def playing(self) -> Iterator[int]:
        """The seats that have not left the round."""
        return (seat for seat in range(self.seats) if seat not in self.out)

    def holders(self) -> list[int]:
        """The seats still in the round that hold any card."""
        out, boats = self.out, self.boats
        return [s for s, hand in enumerate(self.hands) if (hand or boats[s]) and s not in out]

    def in_play(self) -> Hand:
        """All cards in the hands and boats of the seats that have not left the round."""
        if not self.out:
            return NOTHING.union(*self.hands, *self.boats)
        return NOTHING.union(*map(self.cards, self.playing()))

    def from_active(self) -> tuple[int, ...]:
        """All seats, clockwise from the active one."""
        return self.setup.order[self.active]


@dataclass(frozen=True, repr=False)
class State(Position):
    """A round at one moment, with all its hidden cards and its whole log. `_legal` caches the legal
    actions once they have been listed."""

    # `__dict__` holds the fields and nothing else, so that Table.state() can set them all at once.
    __slots__ = ("__dict__", "_legal")

    setup: Setup
    rules: Rules
    hands: tuple[Hand, ...]
    boats: tuple[Hand, ...]
    stock: tuple[Card, ...]
    lost: tuple[Card, ...] = ()
    books: tuple[tuple[Book, ...], ...] = ()
    singles: tuple[tuple[Card, ...], ...] = ()
    active: int = 0
    phase: str = "ask"
    pending: Ask | None = None
    drawn: Card | None = None
    out: frozenset[int] = frozenset()
    claims: Claims | None = None
    quiet: Quiet = NO_QUIET
    dead: bool = False
    tide: int | None = None
    ended_by: str | None = None
    log: tuple[LogEntry, ...] = ()

    def __repr__(self) -> str:
        """Show the move, the phase and the turn, but no card: a State may end up in a log file."""
        return f"<State: move {self.seq}, phase {self.phase}, turn {self.turn}>"


_FIELDS: Final = tuple(Position.__annotations__)
_fields_of: Final = attrgetter(*_FIELDS)


class Step(NamedTuple):
    """The result of an action: the new state, the events and the outcomes of chance."""

    state: State
    events: tuple[Event, ...]
    chance: tuple[Outcome, ...]


class Table(Position):
    """A round that `round.play` changes in place, move after move; `state()` gives a frozen copy.

    Fields of the current move: `gained`: the cards that came to each seat and have not yet been
    searched for books; `stockless`: whether the move began with an empty stock; `refuser`: the seat
    that said go fish; `made_book`: whether a book was made; `may_be_dead`: whether the position may
    have become dead.
    """

    hands: list[Hand]
    boats: list[Hand]
    books: list[tuple[Book, ...]]
    singles: list[tuple[Card, ...]]
    log: list[LogEntry]

    __slots__ = (
        *_FIELDS,
        "_legal",
        "chance",
        "events",
        "gained",
        "made_book",
        "may_be_dead",
        "outcomes",
        "refuser",
        "stockless",
    )

    def __init__(self, state: State, chance: Chance | None = None) -> None:
        # Written out because each `apply` makes a Table, and a loop would take three times as long.
        self.setup = state.setup
        self.rules = state.rules
        self.hands = list(state.hands)
        self.boats = list(state.boats)
        self.stock = state.stock
        self.lost = state.lost
        self.books = list(state.books)
        self.singles = list(state.singles)
        self.active = state.active
        self.phase = state.phase
        self.pending = state.pending
        self.drawn = state.drawn
        self.out = state.out
        self.claims = state.claims
        self.quiet = state.quiet
        self.dead = state.dead
        self.tide = state.tide
        self.ended_by = state.ended_by
        self.log = list(state.log)
        self.chance = chance
        self.begin()

    def begin(self) -> None:
        self._legal: Any = None
        self.events: list[Event] = []
        self.outcomes: list[Outcome] = []
        self.gained: dict[int, Hand] = {}
        self.stockless = not self.stock
        self.refuser: int | None = None
        self.may_be_dead = False
        self.made_book = False

    def end(self) -> tuple[Event, ...]:
        """Append the move to the log; returns its events."""
        events = tuple(self.events)
        self.log.append(LogEntry(len(self.log), events))
        return events

    def tell(self, event: Event) -> None:
        self.events.append(event)

    def gain(self, seat: int, cards: Hand, to: str = "hand") -> None:
        piles = self.hands if to == "hand" else self.boats
        piles[seat] |= cards
        self.gained[seat] = self.gained[seat] | cards if seat in self.gained else cards

    def lose(self, seat: int, cards: Hand) -> None:
        """Take cards out of a seat's hand and boat."""
        self.hands[seat] -= cards
        if self.boats[seat]:
            self.boats[seat] -= cards

    def draw(self, number: int) -> tuple[Card, ...]:
        """Take `number` cards off the top of the stock, or all that are left if there are fewer."""
        cards, self.stock = self.stock[:number], self.stock[number:]
        if cards:
            self.quiet = NO_QUIET
            self.may_be_dead = not self.stock or self.may_be_dead
        return cards

    def pick(self, source: int) -> Card:
        """Choose a random card from the hand of `source` (G19)."""
        pick = self._chance().pick(source, self.setup.deck.sorted(self.hands[source]))
        self.outcomes.append(pick)
        return pick.card

    def bait(self, seat: int, number: int) -> tuple[Card, ...]:
        """Choose random cards from the boat of `seat` (F16)."""
        bait = self._chance().bait(seat, self.setup.deck.sorted(self.boats[seat]), number)
        self.outcomes.append(bait)
        return bait.cards

    def compensate(self, seat: int) -> Card:
        """Choose a random card from the active seat, the declarer, to compensate `seat` (FA15)."""
        cards = self.setup.deck.sorted(self.cards(self.active))
        outcome = self._chance().compensate(seat, cards)
        self.outcomes.append(outcome)
        return outcome.card

    def _chance(self) -> Chance:
        if self.chance is None:
            raise ValueError("this game needs a source of chance")
        return self.chance

    def state(self) -> State:
        """The round after the last move, as a State."""
        # Done by hand because each `apply` makes a State, and the __init__ of a frozen class would
        # take four times as long.
        state = object.__new__(State)
        fields = dict(zip(_FIELDS, _fields_of(self), strict=True))
        for name in ("hands", "boats", "books", "singles", "log"):
            fields[name] = tuple(fields[name])
        object.__setattr__(state, "__dict__", fields)
        return state

    def step(self) -> Step:
        return Step(self.state(), self.log[-1].events, tuple(self.outcomes))
