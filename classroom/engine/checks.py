"""Checks that the dimensions of rules fit together (each is a line in docs/rules.md A8). A check is
a small function that returns whether a Case has the problem it looks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from classroom.engine.cards import Deck, deck_of, finder_of, is_joker
from classroom.engine.rules import Reason, Rules, RulesError, attribute


@dataclass(frozen=True)
class Verdict:
    """The result of a check. The rules are refused for `reasons`, but not for `warnings`."""

    reasons: tuple[Reason, ...]
    warnings: tuple[Reason, ...]

    @property
    def lawful(self) -> bool:
        return not self.reasons


class Case(NamedTuple):
    """The rules to check, their deck, and the number of seats (None: any number they allow)."""

    rules: Rules
    deck: Deck
    seats: int | None

    @property
    def challenges(self) -> bool:
        return self.rules.response.startswith("challenge")

    @property
    def refills(self) -> bool:
        return self.rules.refill_active[0] != "never" or self.rules.refill_passive[0] != "never"

    def worth(self, class_: str) -> int:
        """The number of cards in a class, or of fish if a Joker counts as several fish."""
        return sum(map(self._fish, self.deck.members[class_]))

    def total_worth(self) -> int:
        return sum(map(self._fish, self.deck.cards))

    def _fish(self, card: str) -> int:
        return self.rules.book_joker if self.rules.book_kind == "fish" and is_joker(card) else 1

    def leaves_cards_over(self) -> bool:
        """Whether some cards of the full deck must be left over when books are made."""
        if self.rules.deck_joker == "wild":
            return self.total_worth() % self.rules.book_size != 0
        if self.rules.book_kind == "sum":
            return self.rules.deck_copies % 2 != 0 and len(self.deck.classes) % 2 != 0
        return any(self.worth(class_) % self.rules.book_size for class_ in self.deck.classes)


@lru_cache(maxsize=512)
def check(rules: Rules, seats: int | None = None) -> Verdict:
    """Check whether these dimensions make a playable game, for this number of seats if given."""
    misfits = tuple(_misfits(rules))
    if misfits:
        return Verdict(misfits, ())
    case = Case(rules, deck_of(rules), seats)
    return Verdict(tuple(_found(_REFUSED, case)), tuple(_found(_DOUBTFUL, case)))


def demand(rules: Rules, seats: int | None = None) -> None:
    """Raise RulesError unless the rules are lawful."""
    verdict = check(rules, seats)
    if not verdict.lawful:
        raise RulesError(verdict.reasons)


class Clash(NamedTuple):
    """One line of A8: its id, the keys concerned (separated by spaces), the check, the reason."""

    id: str
    keys: str
    found: Callable[[Rules, Case], bool]
    text: str | Callable[[Case], str]


def _found(lines: tuple[Clash, ...], case: Case) -> Iterator[Reason]:
    for line in lines:
        if line.found(case.rules, case):
            text = line.text if isinstance(line.text, str) else line.text(case)
            yield Reason(line.id, tuple(line.keys.split()), text)


# Combinations from which a deck can be made. They are checked before all others.

_FITTING: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "french": {"rank": ("class",), "colour_rank": ("class",), "suit": ("class", "fish")},
    "fish": {"rank": ("class",), "suit": ("class", "fish")},
    "fours": {"any_two": ("four",)},
    "numbers": {"complement": ("sum",)},
}
"""For each kind of deck, the kinds of class it can have, and the kinds of book for each of them."""

_JOKERS: Final = {("fish", "rank"): ("none", "rank"), ("fish", "suit"): ("none", "suited", "wild")}


def _misfits(rules: Rules) -> Iterator[Reason]:
    kind, class_ = rules.deck_kind, rules.class_
    if class_ not in _FITTING[kind]:
        yield Reason(
            "A7", ("deck.kind", "class"), f"the cards of a {kind} deck have no class by {class_}"
        )
    elif rules.book_kind not in _FITTING[kind][class_]:
        text = f"a book by {rules.book_kind} cannot be made of classes by {class_}"
        yield Reason("A7", ("class", "book.kind"), text)
    if rules.deck_joker not in _JOKERS.get((kind, class_), ("none",)):
        text = (
            f"a {kind} deck with classes by {class_} has no Jokers of the kind {rules.deck_joker}"
        )
        yield Reason("A7", ("deck.joker", "deck.kind", "class"), text)
    if rules.deck_joker == "wild" and rules.book_kind != "fish":
        text = "a wild Joker belongs to no suit; only books of fish can use it"
        yield Reason("A7", ("deck.joker", "book.kind"), text)
    suits = {"french": "CDHS", "fish": "RLFSW"}.get(kind)
    if suits is not None and not set(rules.deck_suits) <= set(suits):
        yield Reason("A7", ("deck.kind", "deck.suits"), f"the suits of a {kind} deck are {suits}")
    if kind == "numbers" and rules.deck_top is None:
        text = "a number deck needs its highest value, which is the sum of a book"
        yield Reason("A7", ("deck.kind", "deck.top"), text)


# Combinations that are refused.

TIDAL: Final[dict[str, tuple[tuple[Any, ...], str]]] = {
    "class": (("rank", "colour_rank", "complement"), "its books are of ranks or numbers"),
    "ask.what": (("class",), "a wish is a whole class"),
    "ask.scope": (("one",), "where all are asked, there is nothing to remember"),
    "ask.bait": (("nobody",), "nobody is shown a card"),
    "ask.bluff": ((False,), "who plays together does not bluff"),
    "response": (("all", "one"), '"how many?" plays against the asker'),
    "miss": (("draw_stock",), "one fishes in the pond"),
    "turn.catch": (("again",), "a catch brings another ask"),
    "lucky": (("again_must_show",), "all must see whether a wish was fished"),
    "book.lay": (("auto",), "books go into the shell at once"),
    "refill.retire": ((False,), "a player who is finished could not help"),
    "end": ((("all_booked",),), "the round is over when all books are made, or with the tide"),
    "end.declare": ((False,), "nobody leaves"),
    "score.penalty": ((0,), "nobody pays for what is left"),
    "match.target": ((None,), "nobody wins a match alone"),
    "visibility.books": (("public",), "the shell is open to all"),
}
"""The values that a dimension may have in a game with a tide, and why no others fit (R23)."""


def _ebbs_otherwise(key: str) -> Callable[[Rules, Case], bool]:
    """Make a check that finds rules with a tide and a value that TIDAL bars for this key."""
    name, (values, _) = attribute(key), TIDAL[key]
    return lambda r, c: r.end_tide is not None and getattr(r, name) not in values


def _largest_table(case: Case) -> int:
    """The most seats that the deck can serve with at least one card left for the stock."""
    return max((n for n in range(1, 11) if _serves(case, n)), default=0)


def _serves(case: Case, seats: int) -> bool:
    return case.rules.deal_size(seats) * seats + case.rules.deck_lost < len(case.deck.cards)


def _no_book(rules: Rules, case: Case) -> bool:
    if rules.book_kind == "sum":
        return rules.book_size != 2
    pools = finder_of(rules).pools.values()
    worth = (sum(map(case._fish, pool)) for pool in pools)
    return rules.book_size < 2 or rules.book_size > min(worth)


def _possible_books(case: Case) -> int:
    if case.rules.book_kind in ("four", "sum") or case.rules.deck_joker == "wild":
        return case.total_worth() // case.rules.book_size
    return sum(case.worth(class_) // case.rules.book_size for class_ in case.deck.classes)


_REFUSED: Final = (
    Clash(
        "A7",
        "seats",
        lambda r, c: c.seats is not None and not r.seats[0] <= c.seats <= r.seats[1],
        lambda c: f"{c.seats} seats; this game is for {c.rules.seats[0]} to {c.rules.seats[1]}",
    ),
    Clash(
        "R1",
        "ask.scope turn.next",
        lambda r, c: r.ask_scope == "all" and r.turn_next == "refuser",
        'several players may refuse, so "the one who said go fish" is not defined; '
        "choose clockwise",
    ),
    Clash(
        "R2",
        "ask.scope response miss",
        lambda r, c: r.ask_scope == "all" and (c.challenges or r.miss == "draw_asked_hand"),
        'the answer "how many?" or "from whose hand?" needs exactly one asked player',
    ),
    Clash(
        "R3",
        "end refill.active refill.passive refill.boat refill.retire",
        lambda r, c: "hand_empty" in r.end and (c.refills or r.refill_boat or r.refill_retire),
        "a hand that has become empty (hand_empty) cannot both end the round and be refilled "
        "or retire",
    ),
    Clash(
        "R4",
        "refill.retire end",
        lambda r, c: r.refill_retire and not {"stock_out", "all_booked"} & set(r.end),
        "the round would have no end; add stock_out or all_booked",
    ),
    Clash(
        "R5",
        "score.deduct end",
        lambda r, c: r.score_deduct > 0 and r.end == ("all_booked",),
        "no cards can be left when all are booked, so there is nothing to deduct",
    ),
    Clash(
        "R6",
        "end book.size book.layoff",
        lambda r, c: r.end == ("all_booked",) and r.book_layoff == "none" and c.leaves_cards_over(),
        "the copies of a class are not a multiple of the book size, so cards will be left over; "
        "use a dead-position end or lay-off",
    ),
    Clash(
        "R7",
        "book.layoff book.size",
        lambda r, c: (
            r.book_layoff != "none"
            and r.book_kind == "class"
            and all(len(c.deck.members[k]) <= r.book_size for k in c.deck.classes)
        ),
        "a book takes all copies, so there are never cards left to lay off",
    ),
    Clash(
        "R8",
        "ask.what response",
        lambda r, c: r.ask_what == "card" and c.challenges,
        'only one such card exists; "how many?" is meaningless',
    ),
    Clash(
        "R11",
        "class catch_to book.lay",
        lambda r, c: r.class_ == "any_two" and r.catch_to == "hand" and r.book_lay == "auto",
        "overlapping books need a choice; use lay = choice",
    ),
    Clash(
        "R13",
        "tie class",
        lambda r, c: r.tie == "high_book" and r.class_ not in ("rank", "colour_rank"),
        "books of these classes have no rank order; use tie = shared",
    ),
    Clash(
        "R14",
        "end deck.lost",
        lambda r, c: "single_holder" in r.end and r.deck_lost == 0 and not c.leaves_cards_over(),
        lambda c: (
            "nobody would be left holding a card: "
            f"{c.total_worth()} fish or cards leave {c.total_worth() % c.rules.book_size} over "
            f"(mod {c.rules.book_size}) and none is lost"
        ),
    ),
    Clash(
        "R15",
        "deal seats deck.lost",
        lambda r, c: not _serves(c, r.seats[0] if c.seats is None else c.seats),
        lambda c: (
            f"not enough cards in a deck of {len(c.deck.cards)}; "
            f"the largest seat count is {_largest_table(c)}"
        ),
    ),
    Clash(
        "R16",
        "book.size class",
        _no_book,
        "such a book can never be made: its size must be at least 2 (exactly 2 for sums) and at "
        "most the cards in a class",
    ),
    Clash(
        "R17",
        "end.books_target book.size",
        lambda r, c: r.end_books_target is not None and r.end_books_target > _possible_books(c),
        lambda c: f"the target cannot be reached; {_possible_books(c)} books are possible",
    ),
    Clash(
        "R17",
        "end end.books_target",
        lambda r, c: "books_target" in r.end and r.end_books_target is None,
        "the end books_target needs its number of books",
    ),
    Clash(
        "R18",
        "match.target tie",
        lambda r, c: r.match_target is not None and r.tie == "high_book",
        "a match to a target decides ties by another round instead; use tie = shared",
    ),
    Clash(
        "R19",
        "deck.joker end score.penalty_for",
        lambda r, c: (
            r.deck_joker == "wild" and "single_holder" in r.end and r.score_penalty_for == "single"
        ),
        "with wild Jokers leftovers may sit with several players; use the penalty for each holder",
    ),
    Clash(
        "GA9",
        "refill.retire refill.active refill.passive refill.boat",
        lambda r, c: r.refill_retire and (c.refills or r.refill_boat),
        "an emptied hand is either refilled or finished, not both",
    ),
    Clash(
        "F7",
        "ask.bait ask.scope",
        lambda r, c: r.ask_bait == "asked" and r.ask_scope == "all",
        "the bait is shown to one asked player; nobody is asked alone here",
    ),
    Clash(
        "GA8",
        "ask.what class deck.joker",
        lambda r, c: (
            r.ask_what == "card"
            and (r.class_ in ("any_two", "complement") or r.deck_joker == "wild")
        ),
        "an exact card can be asked for only where each card has one class of its own",
    ),
    Clash(
        "G12",
        "book.layoff book.kind",
        lambda r, c: r.book_layoff != "none" and r.book_kind != "class",
        "single cards can be laid off only to books of one class",
    ),
    Clash(
        "FA19",
        "book.kind book.size",
        lambda r, c: r.book_kind == "four" and r.book_size != 4,
        "a four is exactly four cards",
    ),
    Clash(
        "F17",
        "end.declare class",
        lambda r, c: r.end_declare and r.class_ != "any_two",
        "a declaration is about overlapping fours",
    ),
    Clash(
        "O4",
        "book.joker book.size",
        lambda r, c: (
            r.deck_joker in ("suited", "wild")
            and r.book_kind == "fish"
            and r.book_joker >= r.book_size
        ),
        "a Joker that fills a whole book could never be laid; it must count less than a book",
    ),
    Clash(
        "R22",
        "end.tide seats",
        lambda r, c: r.end_tide is not None and not 3 <= r.seats[0] <= r.seats[1] <= 4,
        "low tide is for three or four seats; with two nobody has to remember for others",
    ),
    *(
        Clash("R23", f"end.tide {key}", _ebbs_otherwise(key), f"in low tide {why}")
        for key, (_, why) in TIDAL.items()
    ),
)


# Combinations that are allowed with a warning.


def _nothing_may_be_left(rules: Rules, case: Case) -> bool:
    """Whether there is a card whose loss lets all the other cards go into books (OA11)."""
    if "single_holder" not in rules.end or rules.deck_lost != 1:
        return False
    piles = [case.worth(class_) for class_ in case.deck.classes]
    if rules.deck_joker == "wild":
        piles = [case.total_worth()]
    remainders = [pile % rules.book_size for pile in piles]
    lost = {case._fish(card) for card in case.deck.cards}
    return max(remainders) == sum(remainders) and sum(remainders) in lost


_DOUBTFUL: Final = (
    Clash(
        "R9",
        "lucky miss response",
        lambda r, c: r.lucky != "ends" and r.miss == "draw_asked_hand" and not c.challenges,
        "a lucky card can never occur: the asked hand has none of the class",
    ),
    Clash(
        "R10",
        "response give",
        lambda r, c: c.challenges and r.give == "all",
        "naming 1 always works",
    ),
    Clash(
        "R12",
        "catch_to class",
        lambda r, c: r.catch_to == "boat" and r.class_ != "any_two",
        "works, but the boat has no purpose: all cards of a class move anyway",
    ),
    Clash(
        "R20",
        "refill.passive seats",
        lambda r, c: (
            r.refill_passive[0] == "never"
            and r.refill_active[0] != "never"
            and (r.seats[1] if c.seats is None else c.seats) > 2
        ),
        "with more than two seats a miss with an empty deck becomes possible; the stall rule "
        "applies",
    ),
    Clash(
        "R21",
        "visibility.books tie",
        lambda r, c: r.visibility_books == "face_down" and r.tie == "high_book",
        "allowed: books are turned up at the end to break a tie",
    ),
    Clash(
        "R15",
        "deal seats",
        lambda r, c: c.seats is None and not _serves(c, r.seats[1]),
        lambda c: f"the deck serves at most {_largest_table(c)} seats",
    ),
    Clash(
        "R6",
        "end deck.lost",
        lambda r, c: r.end == ("all_booked",) and r.deck_lost > 0,
        "without the lost cards some books can never be made; the round ends in a dead position",
    ),
    Clash(
        "R17",
        "end end.books_target",
        lambda r, c: r.end_books_target is not None and "books_target" not in r.end,
        "the target has no effect, because it is not among the ends",
    ),
    Clash(
        "OA11",
        "end deck.lost book.size",
        _nothing_may_be_left,
        "with some lost cards nothing is left over, so nobody pays",
    ),
    Clash(
        "GA8",
        "ask.bluff ask.what",
        lambda r, c: r.ask_bluff and r.ask_what == "class",
        "asking for a card one holds has no meaning where classes are asked for",
    ),
    Clash(
        "F16",
        "refill.boat catch_to",
        lambda r, c: r.refill_boat and r.catch_to != "boat",
        "the boats stay empty, so nothing can be taken from them",
    ),
)
