"""Cards, decks and books. A card is represented by its code (docs/record.md): `7H`, `L*`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, islice, product
from operator import contains
from typing import Final

from classroom.engine.rules import Rules

# ---- Cards and decks

Card = str
Hand = frozenset[Card]

JOKER: Final = "*"
RANK_ORDER: Final = "23456789TJQKA*"
"""Ranks, lowest first: aces are high (C20); the Jokers of the five-suit deck come last (S24)."""

RED: Final = "HD"
COLOURS, SHAPES, NUMBERS = "RYGB", "STHC", "1234"
WILD: Final = ("K", "O", "?")
"""The wild colour (black), the wild shape (blob) and the wild number (question mark)."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Deck:
    """All cards in a game and the classes that can be asked for, in their canonical order.

    `classes_of`: the classes of a card (three in Fours, none for a wild Joker, otherwise one).
    `members`: the cards of a class. `entitling`: the cards that entitle a seat to ask for the
    class: its members or, in Make Ten, those of its complement. `named`: the cards that the code of
    a class or card stands for. `place`, `class_place`: positions in the canonical order.
    """

    cards: tuple[Card, ...]
    classes: tuple[str, ...]
    classes_of: Mapping[Card, tuple[str, ...]]
    members: Mapping[str, Hand]
    entitling: Mapping[str, Hand]
    named: Mapping[str, Hand]
    place: Mapping[Card, int]
    class_place: Mapping[str, int]

    @property
    def overlaps(self) -> bool:
        """Whether any card has more than one class."""
        return any(len(classes) > 1 for classes in self.classes_of.values())

    def sorted(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """The cards in the deck's canonical order, which reveals nothing about a round (S27)."""
        return tuple(sorted(cards, key=self.place.__getitem__))

    def class_of(self, card: Card) -> str:
        """The class of a card, in decks where each card has exactly one."""
        return self.classes_of[card][0]


def rank_of(card: Card) -> str:
    """The rank of a French or five-suit card.

    >>> rank_of("7H"), rank_of("L*"), rank_of("RT")
    ('7', '*', 'T')
    """
    return card[1] if card[0] in "RLFSW" else card[0]


def suit_of(card: Card) -> str:
    """The suit of a French or five-suit card.

    >>> suit_of("7H"), suit_of("L*")
    ('H', 'L')
    """
    return card[0] if card[0] in "RLFSW" else card[1]


def rank_height(card: Card) -> int:
    """The place of a card's rank in tie-breaks, from low to high; aces are high (C20).

    >>> rank_height("AS") > rank_height("KH") > rank_height("2C")
    True
    """
    return RANK_ORDER.index(rank_of(card))


def value_of(card: Card) -> int:
    """The value of a number card.

    >>> value_of("10-d")
    10
    """
    return int(card.partition("-")[0])


def is_joker(card: Card) -> bool:
    """Whether the card is a Joker in the fish deck, of whatever kind."""
    return JOKER in card


def is_wild(card: Card) -> bool:
    """Whether a card or class of Fours has a wild colour, shape or number.

    >>> is_wild("RS1"), is_wild("RO1"), is_wild("K?")
    (False, True, True)
    """
    return any(letter in WILD for letter in card)


@lru_cache(maxsize=256)
def deck_of(rules: Rules) -> Deck:
    cards = _CARDS[rules.deck_kind](rules)
    classes_of = {card: _CLASSES[rules.class_](card) for card in cards}
    found: dict[str, set[Card]] = {}
    for card in cards:
        for class_ in classes_of[card]:
            found.setdefault(class_, set()).add(card)
    members = {class_: frozenset(of_class) for class_, of_class in found.items()}
    classes = tuple(members)
    # For each value, the cards that make the target sum with it. The sum is the highest value.
    complements = dict(zip(members, reversed(list(members.values())), strict=True))
    return Deck(
        cards=cards,
        classes=classes,
        classes_of=classes_of,
        members=members,
        entitling=complements if rules.class_ == "complement" else members,
        named=members | {card: frozenset((card,)) for card in cards},
        place={card: i for i, card in enumerate(cards)},
        class_place={class_: i for i, class_ in enumerate(classes)},
    )


def most_books(rules: Rules) -> int:
    """The number of books that a game's cards can make if Jokers count like any other card."""
    deck = deck_of(rules)
    if rules.book_kind == "class":
        return sum(len(cards) // rules.book_size for cards in deck.members.values())
    return len(deck.cards) // (4 if rules.book_kind == "four" else rules.book_size)


def _fish(rules: Rules) -> tuple[Card, ...]:
    natural = tuple(suit + rank for suit in rules.deck_suits for rank in rules.deck_ranks)
    if rules.deck_joker in ("suited", "rank"):
        return natural + tuple(suit + JOKER for suit in rules.deck_suits)
    if rules.deck_joker == "wild":
        return natural + tuple(f"{JOKER}{i + 1}" for i in range(len(rules.deck_suits)))
    return natural


def _fours(rules: Rules) -> tuple[Card, ...]:
    extra = WILD if rules.deck_wild else ("", "", "")
    traits = (COLOURS + extra[0], SHAPES + extra[1], NUMBERS + extra[2])
    return tuple(map("".join, product(*traits)))


def _numbers(rules: Rules) -> tuple[Card, ...]:
    values = range((rules.deck_top or 0) + 1)
    letters = "abcdefghijklmnopqrstuvwxyz"[: rules.deck_copies]
    return tuple(f"{value}-{letter}" for value in values for letter in letters)


def _by_any_two(card: Card) -> tuple[str, ...]:
    """The three classes of a card: each pair of its traits, with a dot for the third trait.

    >>> _by_any_two("RS1")
    ('RS.', 'R.1', '.S1')
    """
    colour, shape, number = tuple(card)
    return (f"{colour}{shape}.", f"{colour}.{number}", f".{shape}{number}")


_CARDS: Final[dict[str, Callable[[Rules], tuple[Card, ...]]]] = {
    "french": lambda rules: tuple(map("".join, product(rules.deck_ranks, rules.deck_suits))),
    "fish": _fish,
    "fours": _fours,
    "numbers": _numbers,
}
_CLASSES: Final[dict[str, Callable[[Card], tuple[str, ...]]]] = {
    "rank": lambda card: (rank_of(card),),
    "colour_rank": lambda card: (rank_of(card) + ("r" if suit_of(card) in RED else "b"),),
    "suit": lambda card: () if card[0] == JOKER else (suit_of(card),),
    "any_two": _by_any_two,
    "complement": lambda card: (str(value_of(card)),),
}


# ---- Finders of books (the strategy BookFinder in docs/rules.md A7)

Book = tuple[Card, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Finder:
    """Finds books of `size` cards from one pool: a class, or in Fours a class together with the
    wild cards that may stand in for its members (F3, W2)."""

    deck: Deck
    size: int
    pools: Mapping[str, Hand]
    pools_of: Mapping[Card, tuple[str, ...]]

    def enough(self, held: Hand) -> bool:
        """Whether these cards, which must all be from one pool, can make a book."""
        return len(held) >= self.size

    def choose(self, held: Hand) -> Book:
        """The book to lay when the seat has no choice: the first book that `every` finds."""
        return next(self.every(held))

    def every(self, held: Hand) -> Iterator[Book]:
        """Every book that these cards, which must all be from one pool, can make."""
        return combinations(self.deck.sorted(held), self.size)

    def automatic(self, cards: Hand, gained: Hand) -> list[Book]:
        """Books that can all be laid at once, from the pools that contain the cards just gained."""
        books: list[Book] = []
        for pool in self._concerned(gained):
            while self.enough(held := cards & self.pools[pool]):
                books.append(book := self.choose(held))
                cards = cards.difference(book)
        return books

    def options(self, cards: Hand) -> tuple[Book, ...]:
        """Every book that these cards can make. A card can be in several of these books."""
        found = {book: None for held in self._ready(cards) for book in self.every(held)}
        return tuple(found)

    def possible(self, cards: Hand) -> bool:
        return any(map(self.enough, map(cards.__and__, self.pools.values())))

    def overlapping(self, cards: Hand) -> bool:
        """Whether any two possible books share a card, so that the seat must choose (S17)."""
        books: set[Book] = set()
        for held in self._ready(cards):
            found = list(islice(self.every(held), 2))
            if len(found) > 1:
                return True
            books.update(found)
        return sum(map(len, books)) > len({card for book in books for card in book})

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
def title_of(deck: Deck, book: Book) -> str | None:
    """The class that all cards in a book share, apart from wild Jokers; None if there is none."""
    first, *others = {of for card in book if (of := deck.classes_of[card])}
    common = set(first).intersection(*others) if others else first
    return next(iter(common), None)


@dataclass(frozen=True, eq=False, slots=True)
class FishFinder(Finder):
    """Finds books of `size` fish of one suit. A Joker counts as `joker` fish and is used before
    other cards (O4, OA2)."""

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
        """The possible numbers of Jokers in a book, highest first; other cards make up the rest."""
        jokers = len(held & self.jokers)
        natural = len(held) - jokers
        numbers = range(jokers, -1, -1)
        return [n for n in numbers if 0 < self.size - n * self.joker <= natural]


@dataclass(frozen=True, eq=False, slots=True)
class SumFinder(Finder):
    """Finds books of two number cards that add up to the top value of the deck (Make Ten).
    `completing`: for each card, the cards that make the sum with it."""

    completing: Mapping[Card, Hand]

    def enough(self, held: Hand) -> bool:
        """Whether two of these cards make the sum. It is enough to check one card, because every
        other card of its pool has the same value or makes the sum with it."""
        for card in held:
            return not self.completing[card] & held <= {card}
        return False

    def every(self, held: Hand) -> Iterator[Book]:
        for pair in combinations(self.deck.sorted(held), 2):
            if pair[1] in self.completing[pair[0]]:
                yield pair


@lru_cache(maxsize=256)
def finder_of(rules: Rules) -> Finder:
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
    """The cards that a book of the class can contain; none if the class has a wild trait."""
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
    """The code for two traits that all cards in a four share. A wild trait matches any other.

    >>> common_traits(("RS1", "RS2", "RS3", "RS4"))
    'RS.'
    >>> common_traits(("RS1", "KS2", "RO3", "RS4"))
    'RS.'
    """
    alike = []
    for place, wild in enumerate(WILD):
        natural = {card[place] for card in cards} - {wild}
        alike.append(min(natural, default=wild) if len(natural) < 2 else ".")
    if "." not in alike:  # wild traits can make all three alike
        alike[2] = "."
    return "".join(alike)
