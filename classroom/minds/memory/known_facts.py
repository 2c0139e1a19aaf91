"""What a memory is made of: the deck, the facts that events tell, and why something is known.

`Kinds` is what everyone knows about a game before the deal. The reader of events (reader.py) works
out facts, and a `Ledger` takes them in. A `Why` is the event that proves a fact, and the reasons
behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from classroom.engine.cards import Card, Deck, deck_of
from classroom.engine.observation import Seen
from classroom.engine.rules import Rules

FREE: Final = "*"
"""The class of cards that belong to no other class (wild Jokers). It cannot be asked for."""


@dataclass(frozen=True, eq=False, slots=True)
class Kinds:
    """The classes of one rule set, numbered.

    `of`: the class number of each card, where classes do not overlap. `copies`: how many cards each
    class has. `needs`: for each class, the class of which a seat must hold a card to ask for it:
    the class itself or its complement. `most`: how many cards of a class a hand can keep when books
    are laid automatically. `rivals`: for each class, the other class that completes its sum (-1:
    none).
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

    @property
    def book_size(self) -> int:
        """How many cards (or fish) make a book."""
        return self.rules.book_size

    @property
    def parts_rivals(self) -> bool:
        """Whether two cards of rival classes are laid at once, so that no hand keeps both."""
        return self.rules.book_kind == "sum" and self.rules.book_lay == "auto"

    @property
    def by_card(self) -> bool:
        """Whether a memory must track single cards (D15): classes overlap, or exact cards are asked
        for."""
        return self.deck.overlaps or self.rules.ask_what == "card"


@lru_cache(maxsize=256)
def kinds_of(rules: Rules) -> Kinds:
    """Work out the classes of these rules."""
    deck = deck_of(rules)
    free = [card for card in deck.cards if not deck.classes_of[card]]
    names = (*deck.classes, FREE) if free else deck.classes
    number = {name: i for i, name in enumerate(names)}
    of = {card: number[(deck.classes_of[card] or (FREE,))[0]] for card in deck.cards}
    copies = tuple(len(deck.members.get(name, free)) for name in names)
    needs = tuple(number[_needed(rules, name)] for name in names)
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


def _needed(rules: Rules, name: str) -> str:
    if rules.class_ == "complement" and rules.deck_top is not None:
        return str(rules.deck_top - int(name))
    return name


def _kept(rules: Rules, name: str, copies: int, own_partner: bool) -> int:
    """The most cards of a class that a hand keeps once its books are laid (D10, D14, D16)."""
    if rules.book_lay != "auto" or rules.book_kind == "four" or name == FREE:
        return copies
    if rules.book_kind == "sum":
        return 1 if own_partner else copies
    return min(copies, rules.book_size - 1)


class Why:
    """A reason: the event seen (None if it only adds up numbers) and the reasons it builds on."""

    __slots__ = ("parents", "seen")

    def __init__(self, seen: Seen | None, parents: tuple[Why | None, ...] = ()) -> None:
        self.seen = seen
        self.parents = parents


def evidence(why: Why | None) -> tuple[Seen, ...]:
    """The events behind a reason, oldest first; within a move, each after those it builds on."""
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
    """The last ask: asker and class, and what was said since ("how many?", the number named)."""

    seat: int
    class_: str
    seen: Seen
    how_many: bool = False
    named: int | None = None


@dataclass(frozen=True, slots=True)
class OpenDraw:
    """A card taken unseen, about which later events of the same move may tell more.

    `source`: the row it came from. `kept`: the seat looked at it and did not show it, so it may
    even be of the class asked for. `replaced`: the event in which the seat that lost the
    card took another from the stock; None if it took none.
    """

    seat: int
    source: int
    seen: Seen
    kept: bool = False
    replaced: Seen | None = None


class Ledger(Protocol):
    """Takes in facts in the order of events; `seen` is the event that each follows from.

    Cards are in rows: one for each seat (hand and boat together), the stock, the cards set aside.
    """

    @property
    def stock(self) -> int:
        """The row of the stock."""

    @property
    def lost(self) -> int:
        """The row of the cards set aside."""

    def took(self, source: int, row: int, number: int, seen: Seen, *, hidden: bool) -> None:
        """`number` cards went from one row to another. Unless `hidden`, a call of `saw` follows."""

    def saw(self, source: int, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """The viewer saw which cards the seat took from the source."""

    def drew(self, draw: OpenDraw, among: Iterable[Card] | None, barred: OpenAsk | None) -> None:
        """A card went unseen from one row to another. It is of the class of a card in `among`
        (None: any), but not of the class that `barred` asked for: such a card would be shown."""

    def replaced(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """The seat took a card from the stock to replace one taken from its hand. `hidden`: as for
        `took`. The seat that took the old card may hold a whole book that it has not laid yet."""

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
        """`number` cards of the class changed hands; `every`: they were all that the giver had."""

    def saw_given(
        self, taker: int, class_: str, cards: Iterable[Card], seen: Seen, *, every: bool
    ) -> None:
        """The viewer gave or took these cards and so saw them. `every`: the viewer took them, and
        the giver kept none of the class."""

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
        """Another seat laid a book face down, of `class_` if that is known (D9). `draw`, `barred`:
        the card it drew just before, as for `drew`."""

    def baited(self, seat: int, seen: Seen, *, hidden: bool) -> None:
        """The seat took cards from its boat into its hand."""

    def saw_bait(self, seat: int, cards: Iterable[Card], seen: Seen) -> None:
        """The viewer saw that these cards are in the seat's hand, as bait."""

    def exposed(
        self, hands: Iterable[Iterable[Card]], boats: Iterable[Iterable[Card]], seen: Seen
    ) -> None:
        """All hands and boats are shown to everyone."""

    def claimed(self, cards: Iterable[Card], seen: Seen) -> None:
        """A book was made of exposed cards of several seats."""

    def compensated(self, seat: int, card: Card, seen: Seen) -> None:
        """The card, whose place is known, went to the seat's boat."""

    def end_move(self, looking: int | None, booked: frozenset[int]) -> None:
        """The move is over: draw all conclusions, including those from automatic laying (D10).
        `looking`, `booked`: as in Open."""
