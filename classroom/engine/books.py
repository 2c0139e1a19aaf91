"""What makes a book: finders for all kinds of book (strategy BookFinder of docs/rules.md A7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, islice
from operator import contains

from classroom.engine.cards import (
    JOKER,
    WILD,
    Card,
    Deck,
    Hand,
    deck_of,
    is_joker,
    is_wild,
)
from classroom.engine.rules import Rules

Book = tuple[Card, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Finder:
    """Finds books of `size` cards from one pool: a class, or in Fours a class together with the
    wild cards that may stand in for its members (F3, W2).
    """

    deck: Deck
    size: int
    pools: Mapping[str, Hand]
    pools_of: Mapping[Card, tuple[str, ...]]

    def enough(self, held: Hand) -> bool:
        """Whether a book can be made of these cards, all from one pool."""
        return len(held) >= self.size

    def choose(self, held: Hand) -> Book:
        """The book that is laid where the seat has no choice: the first that `every` finds."""
        return next(self.every(held))

    def every(self, held: Hand) -> Iterator[Book]:
        """Every book that can be made of these cards, all from one pool."""
        return combinations(self.deck.sorted(held), self.size)

    def automatic(self, cards: Hand, gained: Hand) -> list[Book]:
        """The books that can all be laid together, from the pools of the cards just gained."""
        books: list[Book] = []
        for pool in self._concerned(gained):
            while self.enough(held := cards & self.pools[pool]):
                books.append(book := self.choose(held))
                cards = cards.difference(book)
        return books

    def options(self, cards: Hand) -> tuple[Book, ...]:
        """Every book that can be made of these cards; a card may be in several."""
        found = {book: None for held in self._ready(cards) for book in self.every(held)}
        return tuple(found)

    def possible(self, cards: Hand) -> bool:
        """Whether any book can be made of these cards."""
        return any(map(self.enough, map(cards.__and__, self.pools.values())))

    def overlapping(self, cards: Hand) -> bool:
        """Whether two books that can be made share a card, so that the seat must choose (S17)."""
        books: set[Book] = set()
        for held in self._ready(cards):
            found = list(islice(self.every(held), 2))
            if len(found) > 1:
                return True
            books.update(found)
        return sum(map(len, books)) > len({card for book in books for card in book})

    def title(self, book: Book) -> str | None:
        """The class that all cards of a book share, wild Jokers apart; None if there is none."""
        return _title(self.deck, book)

    def _concerned(self, cards: Hand) -> Iterable[str]:
        """The keys of the pools that contain any of these cards, in deck order."""
        if len(cards) == 1:
            return self.pools_of[next(iter(cards))]
        first, *more = {self.pools_of[card] for card in cards}
        if not more:
            return first
        return sorted({*first, *chain.from_iterable(more)}, key=self.deck.class_place.__getitem__)

    def _ready(self, cards: Hand) -> Iterator[Hand]:
        for pool in self.pools.values():
            if self.enough(held := cards & pool):
                yield held


@lru_cache(maxsize=4096)
def _title(deck: Deck, book: Book) -> str | None:
    first, *others = {of for card in book if (of := deck.classes_of[card])}
    common = set(first).intersection(*others) if others else first
    return next(iter(common), None)


@dataclass(frozen=True, eq=False, slots=True)
class FishFinder(Finder):
    """Finds books of `size` fish of one suit.

    A Joker counts as `joker` fish and is used before other cards (O4, OA2).
    """

    jokers: Hand
    joker: int

    def enough(self, held: Hand) -> bool:
        return bool(self._numbers(held))

    def every(self, held: Hand) -> Iterator[Book]:
        jokers, natural = map(self.deck.sorted, (held & self.jokers, held - self.jokers))
        for number in self._numbers(held):
            for chosen in combinations(natural, self.size - number * self.joker):
                for helpers in combinations(jokers, number):
                    yield chosen + helpers

    def _numbers(self, held: Hand) -> list[int]:
        """The numbers of Jokers that a book can have, most first; natural cards are the rest."""
        jokers = len(held & self.jokers)
        natural = len(held) - jokers
        numbers = range(jokers, -1, -1)
        return [n for n in numbers if 0 < self.size - n * self.joker <= natural]


@dataclass(frozen=True, eq=False, slots=True)
class SumFinder(Finder):
    """Finds books of two number cards that add up to the top value of the deck (Make Ten).

    `completing`: for each card, the cards that make the sum with it.
    """

    completing: Mapping[Card, Hand]

    def enough(self, held: Hand) -> bool:
        """Whether two of these cards make the sum.

        One card is enough: each other card of a pool has the same value or completes the sum.
        """
        for card in held:
            return not self.completing[card] & held <= {card}
        return False

    def every(self, held: Hand) -> Iterator[Book]:
        for pair in combinations(self.deck.sorted(held), 2):
            if pair[1] in self.completing[pair[0]]:
                yield pair


@lru_cache(maxsize=256)
def finder_of(rules: Rules) -> Finder:
    """Build the finder for the books of a game."""
    deck = deck_of(rules)
    pools: dict[str, Hand] = {}
    for class_ in deck.classes:
        pool = _pool(rules, deck, class_)
        if pool and pool not in pools.values():
            pools[class_] = pool
    pools_of = {
        card: tuple(class_ for class_, pool in pools.items() if card in pool) for card in deck.cards
    }
    base = (deck, rules.book_size, pools, pools_of)
    if rules.book_kind == "fish":
        jokers = frozenset(filter(is_joker, deck.cards))
        return FishFinder(*base, jokers=jokers, joker=rules.book_joker)
    if rules.book_kind == "sum":
        completing = {card: deck.entitling[deck.class_of(card)] for card in deck.cards}
        return SumFinder(*base, completing=completing)
    return Finder(*base)


def _pool(rules: Rules, deck: Deck, class_: str) -> Hand:
    """The cards that a book of the class may contain; none if the class has a wild trait."""
    if rules.book_kind == "fish":
        return deck.members[class_].union(card for card in deck.cards if card[0] == JOKER)
    if rules.book_kind == "four":
        return _wild_pool(deck, class_)
    if rules.book_kind == "sum":
        return deck.members[class_] | deck.entitling[class_]
    return deck.members[class_]


def _wild_pool(deck: Deck, class_: str) -> Hand:
    """All cards that show the two traits of the class, or wild traits in their place (W2)."""
    if is_wild(class_):
        return frozenset()
    fitting = [
        "".join(card[i] for card in deck.cards) if trait == "." else trait + wild
        for i, (trait, wild) in enumerate(zip(class_, WILD, strict=True))
    ]
    return frozenset(card for card in deck.cards if all(map(contains, fitting, card)))


def common_traits(cards: tuple[Card, ...]) -> str:
    """Two traits that all cards of a four share, wild cards included.

    >>> common_traits(("RS1", "RS2", "RS3", "RS4"))
    'RS.'
    >>> common_traits(("RS1", "KS2", "RO3", "RS4"))
    'RS.'
    """
    alike = []
    for place, wild in enumerate(WILD):
        natural = {card[place] for card in cards} - {wild}
        alike.append(min(natural, default=wild) if len(natural) < 2 else ".")
    if "." not in alike:  # alike in all three: four wild cards, or four copies
        alike[2] = "."
    return "".join(alike)
