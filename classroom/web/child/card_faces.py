"""Cards, classes of cards, books and the rows of a hand, as a child's page draws them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from classroom.engine.cards import (
    JOKER,
    WILD,
    Card,
    common_traits,
    deck_of,
    is_joker,
    rank_of,
    suit_of,
    value_of,
)
from classroom.engine.rules import Rules
from classroom.web.words.phrases import Said

# ---- Cards and classes as a child's page draws them: data for the macros of components/cards.html
#
# A face holds numbers and the names of pictures, never words or a picture itself. The kind of deck
# decides how a card's code is read (docs/record.md): `7H` is seven shells, `F7` a frog, `RS1` one
# coral square, `7-a` a seven of Make Ten.

NUMBERS: Final = {rank: number for number, rank in enumerate("A23456789TJQK", 1)}
"""The number of each rank: the ace is 1, and jack, queen and king are 11, 12 and 13."""

SUITS: Final = {"H": "shell", "D": "star", "C": "leaf", "S": "pearl"}
CLASS_KINDS: Final = {"": "rank", "r": "warm", "b": "cool"}
"""The kind of a class by its suffix: "r" is shell and star (warm), "b" leaf and pearl (cool)."""

FAMILIES: Final = {"R": "rock", "L": "lizard", "F": "frog", "S": "shell", "W": "weed"}
COLOURS: Final = {"R": "coral", "Y": "sand", "G": "weed", "B": "night", "K": "black"}
SHAPES: Final = {"S": "square", "T": "triangle", "H": "heart", "C": "circle", "O": "blob"}
SHADES: Final = {
    "rock": 0, "lizard": 4, "frog": 2, "shell": 1, "weed": 3, "coral": 1, "sand": 4, "night": 3,
    "black": 5,
}  # fmt: skip
ANY: Final = 5
"""The number of a face with the wild question mark. A face without a number has 0."""

LOOKS: Final = ("both", "numeral", "frame", "dots", "tally", "fingers", "word", "mixed")
"""The ways to show a number in Make Ten: `both` is numeral and frame, `mixed` varies by card."""
MIXED: Final = ("frame", "dots", "tally", "fingers")
HANDS: Final = 10  # the highest number that fingers can show


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card face up. `kind`: how it is drawn: pips (`number` signs of `suit`), count (`number`
    creatures of the family `suit`), fish (one such creature), joker (two fish of the family `suit`,
    or of any family if that is ""), cap (a Joker that counts as a rank), traits (`number` shapes in
    a colour) or, for Make Ten, one of LOOKS except `mixed`. In Make Ten, `suit` is t or v for a
    frame of ten or five places. `fan`: the fan in a hand that the card belongs to (Faces.fan)."""

    number: int
    suit: str = ""
    kind: str = "pips"
    colour: str = ""
    shape: str = ""
    code: Card = ""
    fan: str = ""

    @property
    def said(self) -> Said:
        """The facts about this card that sentences need."""
        more = {
            "suited": self.kind in ("pips", "count", "fish"),
            "any": self.kind == "joker" and not self.suit,
            "wild": self.kind == "traits" and self.number == ANY,
        }
        suit = "" if self.suit in ("t", "v") else self.suit  # t and v are frames
        slots = {"n": self.number, "suit": suit, "colour": self.colour, "shape": self.shape}
        tags = (self.kind, *(tag for tag, is_so in more.items() if is_so))
        return Said("card", tags, {**slots, "card": self})


@dataclass(frozen=True, slots=True)
class ClassFace:
    """What a player asks for, or the contents of a book. `kind`: rank (`number` in any suit), warm
    or cool (`number` in a pair of suits), exact (this one `card`), family (all fish of `suit`),
    joker (the rank Joker), traits (two of colour, shape and number), need (`number`, because the
    asker has `has`) or sum (`has` and `number` together). For need and sum, `suit` is t or v if a
    frame shows the number."""

    key: str
    number: int
    kind: str
    suit: str = ""
    colour: str = ""
    shape: str = ""
    has: int = 0
    card: CardFace | None = None

    @property
    def whole(self) -> int:
        """The sum of `number` and `has`."""
        return self.number + self.has

    @property
    def said(self) -> Said:
        """The facts about this class that sentences need."""
        tags: tuple[str, ...] = (self.kind,)
        if self.kind == "traits":
            number = "wild" if self.number == ANY else self.number and "number"
            named = (self.colour and "colour", self.shape and "shape", number)
            tags += ("-".join(str(trait) for trait in named if trait),)
        if self.card is not None:
            tags += self.card.said.tags
        suit = self.suit if self.kind == "family" else ""
        slots = {"n": self.number, "has": self.has, "whole": self.whole, "suit": suit}
        more = {"colour": self.colour, "shape": self.shape, "thing": self, "card": self.card}
        return Said("thing", tags, {**slots, **more})

    @property
    def shade(self) -> int:
        """The colour of a book of this class: one of six, numbered from 0."""
        if self.kind in ("family", "traits"):
            return SHADES.get(self.suit or self.colour, self.number)
        return (self.has if self.kind == "sum" else self.number) % 6


class Faces:
    """The faces of the cards and classes in one deck, each made once. `look`: one of LOOKS."""

    def __init__(self, rules: Rules, look: str) -> None:
        self.rules = rules
        self.look = look
        # The frame that shows how many are missing from the whole, or "" if no frame fits.
        self._frame = {5: "v", 10: "t"}.get(self.whole, "")
        self._cards: dict[Card, CardFace] = {}
        self._classes: dict[str, ClassFace] = {}

    @property
    def whole(self) -> int:
        """The number that two cards make together in Make Ten."""
        return self.rules.deck_top or 0

    def card(self, card: Card) -> CardFace:
        if card not in self._cards:
            self._cards[card] = replace(self._card(card), fan=self.fan(card))
        return self._cards[card]

    def cards(self, cards: Iterable[Card]) -> tuple[CardFace, ...]:
        return tuple(map(self.card, cards))

    def fan(self, card: Card) -> str:
        """The fan that a card belongs to in a hand: its only class, or else the card itself."""
        classes = deck_of(self.rules).classes_of[card]
        return classes[0] if len(classes) == 1 else card

    def fans(self, hand: Iterable[Card]) -> dict[str, list[Card]]:
        """The cards of each fan, in the order of the hand."""
        found: dict[str, list[Card]] = {}
        for card in hand:
            found.setdefault(self.fan(card), []).append(card)
        return found

    def asks(self, class_: str) -> ClassFace:
        """The face of what is asked for: a class or, in games that ask for exact cards, a card."""
        if class_ not in self._classes:
            self._classes[class_] = self._class(class_)
        return self._classes[class_]

    def book(self, cards: tuple[Card, ...]) -> ClassFace:
        if self.rules.book_kind == "sum":
            first, second = sorted(map(value_of, cards))
            return ClassFace(f"{first}+{second}", second, "sum", self._frame, has=first)
        if self.rules.book_kind == "four":
            return self.asks(common_traits(cards))
        deck = deck_of(self.rules)
        (class_, *_), *_ = (classes for card in cards if (classes := deck.classes_of[card]))
        return self.own(class_)

    def own(self, class_: str) -> ClassFace:
        """The face of the cards in this class. In Make Ten it is their number alone, whereas `asks`
        also shows the number that the asker has."""
        if self.rules.class_ == "complement":
            return ClassFace(class_, int(class_), "rank")
        return _plain(class_)

    def _class(self, class_: str) -> ClassFace:
        if self.rules.ask_what == "card" and class_ in deck_of(self.rules).place:
            card = self.card(class_)
            return ClassFace(class_, card.number, "exact", card.suit, card=card)
        if self.rules.class_ == "complement":
            need = int(class_)
            return ClassFace(class_, need, "need", self._frame, has=self.whole - need)
        return _plain(class_)

    def _card(self, card: Card) -> CardFace:
        match self.rules.deck_kind:
            case "fours":
                colour, shape, sign = tuple(card)
                return CardFace(
                    number=_number(sign),
                    kind="traits",
                    colour=COLOURS[colour],
                    shape=SHAPES[shape],
                    code=card,
                )
            case "fish" if card[0] == JOKER:
                return CardFace(0, "", "joker", code=card)
            case "fish" if is_joker(card):
                kind = "cap" if self.rules.deck_joker == "rank" else "joker"
                return CardFace(0, FAMILIES[card[0]], kind, code=card)
            case "fish":
                kind = "fish" if self.rules.class_ == "suit" else "count"
                return CardFace(NUMBERS[rank_of(card)], FAMILIES[suit_of(card)], kind, code=card)
            case "numbers":
                frame = "v" if self.whole <= 5 else "t"
                return CardFace(value_of(card), frame, self._look(card), code=card)
        return CardFace(NUMBERS[rank_of(card)], SUITS[suit_of(card)], code=card)

    def _look(self, card: Card) -> str:
        """How this Make Ten card shows its number. If `mixed`, its number and copy decide that."""
        look, number = self.look, value_of(card)
        if look == "mixed":
            copy = ord(card[-1]) - ord("a")
            look = MIXED[(number + copy) % len(MIXED)]
        return "dots" if look == "fingers" and number > HANDS else look


@lru_cache(maxsize=256)
def faces_of(rules: Rules, look: str = LOOKS[0]) -> Faces:
    return Faces(rules, look)


def named_face(name: str) -> ClassFace:
    """The face of a book from any game, made from the book's name (services/table/recording.py).

    >>> named_face("7r").number, named_face("F").suit, named_face("3+7").whole
    (7, 'frog', 10)
    """
    if "+" in name:
        first, second = map(int, name.split("+"))
        return ClassFace(name, second, "sum", has=first)
    if len(name) == 2:  # a rank of one colour: the book is drawn without its colour
        name = name[0]
    return _plain(name)


def _number(sign: str) -> int:
    return ANY if sign == WILD[2] else int(sign)


def _plain(class_: str) -> ClassFace:
    """The face of a class that its name alone identifies. A name with three signs stands for two
    traits, and no rank has the same name as a family."""
    if len(class_) > 2:
        colour, shape, sign = tuple(class_)
        return ClassFace(
            class_,
            0 if sign == "." else _number(sign),
            "traits",
            colour=COLOURS.get(colour, ""),
            shape=SHAPES.get(shape, ""),
        )
    if class_ == JOKER:
        return ClassFace(class_, 0, "joker")
    if class_ in FAMILIES:
        return ClassFace(class_, 0, "family", FAMILIES[class_])
    return ClassFace(class_, NUMBERS[class_[0]], CLASS_KINDS[class_[1:]])


# ---- rows of a hand
#
# The width of a hand in one row, in two rows and in more. A phone uses the number of rows that
# allows the largest cards (static/css/screens.css).

MOST_ROWS: Final = 4
MANY: Final = 8  # a hand with more fans than this is full, and its cards lie closer together

# As shares of a card's width: the visible part of a card that lies behind another (--s in the
# styles), and the gap between two fans (--g). The second value of each is for a full hand.
SEEN: Final = (0.3, 0.13)
GAP: Final = (0.2, 0.14)


class HandRow(NamedTuple):
    """A row of a hand: its number of fans, and the number of cards that lie behind the first cards
    of its fans, rounded up to an even number."""

    fans: int
    behind: int

    @property
    def digits(self) -> str:
        """Both numbers as CSS classes, one for each power of two in a number: `n-1 n-4` for 5 fans.
        So a few style rules can add up any number."""
        powers = [1 << place for place in range(6)]
        fans = [f"n-{power}" for power in powers if self.fans & power]
        return " ".join(fans + [f"x-{power}" for power in powers if self.behind & power])


@lru_cache(maxsize=4096)  # a hand of thirteen fans takes about a millisecond
def hand_rows(sizes: tuple[int, ...]) -> tuple[HandRow, ...]:
    """The widest row of a hand when it lies in one row, in two and in more. `sizes`: the number of
    cards in each fan. The fans keep their order and are spread as evenly as possible."""
    full = len(sizes) > MANY

    def width(row: HandRow) -> float:
        return row.fans * (1 + GAP[full]) + row.behind * SEEN[full]

    def widest(ends: Sequence[int]) -> HandRow:
        rows = [sizes[begin:end] for begin, end in pairwise((0, *ends, len(sizes)))]
        return max(
            (HandRow(len(row), (sum(row) - len(row) + 1) // 2 * 2) for row in rows), key=width
        )

    places = range(1, len(sizes))
    return tuple(
        min(map(widest, combinations(places, min(rows, len(places) + 1) - 1)), key=width)
        for rows in range(1, MOST_ROWS + 1)
    )
