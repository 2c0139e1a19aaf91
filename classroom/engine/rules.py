"""The rules of one game as one frozen value: every dimension in docs/rules.md A7, as plain data. An
attribute is named after its JSON key, with an underscore instead of the dot (`class` is `class_`).
`Rules()` is the classic game from doc 000; every other game is a set of changes to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from reprlib import repr as shortened
from typing import Any, Final

RANKS: Final = "A23456789TJQK"
ENDS: Final = ("all_booked", "books_target", "single_holder", "hand_empty", "stock_out")
"""The endings that rules can name, in the order in which they are checked (S19)."""

Refill = tuple[str, str | int]


@dataclass(frozen=True)
class Reason:
    """A reason to refuse rules or to warn of them: its id in docs/rules.md, the keys, the text."""

    id: str
    keys: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{' and '.join(self.keys)}: {self.text} ({self.id})"


class RulesError(ValueError):
    """The dimensions do not make a playable game. The message names them and says why (S34)."""

    def __init__(self, reasons: tuple[Reason, ...]) -> None:
        super().__init__("; ".join(map(str, reasons)))
        self.reasons = reasons


@dataclass(frozen=True)
class Rules:
    """The rules of one game. `DOMAINS` defines which values each dimension can have."""

    deck_kind: str = "french"
    deck_ranks: str = RANKS
    deck_suits: str = "CDHS"
    deck_joker: str = "none"
    deck_wild: bool = False
    deck_top: int | None = None
    deck_copies: int = 4
    deck_lost: int = 0
    seats: tuple[int, int] = (2, 10)
    deal: tuple[tuple[str, int], ...] = (("default", 5), ("2", 7))
    class_: str = "rank"
    ask_what: str = "class"
    ask_scope: str = "one"
    ask_bait: str = "nobody"
    ask_empty_target: str = "illegal"
    ask_bluff: bool = False
    response: str = "all"
    give: str = "named"
    catch_to: str = "hand"
    miss: str = "draw_stock"
    turn_catch: str = "again"
    lucky: str = "again_must_show"
    turn_next: str = "clockwise"
    book_kind: str = "class"
    book_size: int = 4
    book_joker: int = 2
    book_lay: str = "auto"
    book_layoff: str = "none"
    refill_active: Refill = ("now", "deal")
    refill_passive: Refill = ("now", "deal")
    refill_boat: bool = False
    refill_retire: bool = False
    end: tuple[str, ...] = ("all_booked",)
    end_books_target: int | None = None
    end_tide: int | None = None
    end_declare: bool = False
    score_per: str = "book"
    score_deduct: int = 0
    score_penalty: int = 0
    score_penalty_for: str = "each"
    score_floor: int | None = None
    tie: str = "high_book"
    match_target: int | None = None
    visibility_books: str = "public"
    visibility_boat: str = "count"
    visibility_lost: str = "hidden"

    def deal_size(self, seats: int) -> int:
        """The number of cards dealt to each seat. A whole new hand in a round is as large (GA10).

        >>> Rules().deal_size(2), Rules().deal_size(3)
        (7, 5)
        """
        sizes = dict(self.deal)
        return sizes.get(str(seats), sizes["default"])

    def to_json(self) -> dict[str, Any]:
        """Every dimension with its value, under the flat keys of docs/record.md. The dimensions in
        `UNSAID` are left out if they are not set."""
        values = {key: _thawed(key, getattr(self, attribute(key))) for key in DOMAINS}
        return {key: v for key, v in values.items() if key not in UNSAID or v is not None}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Rules:
        """Parse rules. A dimension that is left out gets its classic value. Raises RulesError."""
        return cls().changed(data)

    def changed(self, data: Mapping[str, Any] | None = None, **attributes: Any) -> Rules:
        """These rules with some dimensions changed, by JSON key or by attribute name.

        Raises RulesError for an unknown dimension or value. `checks.check` checks whether the
        values fit together.

        >>> Rules().changed({"book.size": 2}, tie="shared").book_size
        2
        """
        changes = {**(data or {}), **{_KEYS.get(name, name): v for name, v in attributes.items()}}
        faults = tuple(fault for key, value in changes.items() if (fault := _fault(key, value)))
        if faults:
            raise RulesError(faults)
        return replace(self, **{attribute(key): _frozen(key, v) for key, v in changes.items()})

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, name) for name in _KEYS))

    def __hash__(self) -> int:
        return self._hash


def attribute(key: str) -> str:
    """The name of the attribute for a JSON key.

    >>> attribute("ask.empty_target"), attribute("class")
    ('ask_empty_target', 'class_')
    """
    return "class_" if key == "class" else key.replace(".", "_")


Domain = Callable[[Any], bool]


def _one_of(*values: str) -> Domain:
    return lambda value: isinstance(value, str) and value in values


def _count(low: int, high: int) -> Domain:
    return lambda value: type(value) is int and low <= value <= high


def _or_none(domain: Domain) -> Domain:
    return lambda value: value is None or domain(value)


def _letters(*alphabets: str) -> Domain:
    """Accept a string of distinct letters that all come from one of these alphabets."""
    return lambda value: (
        isinstance(value, str)
        and bool(value)
        and len(set(value)) == len(value)
        and any(set(value) <= set(alphabet) for alphabet in alphabets)
    )


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_seats(value: Any) -> bool:
    pair = isinstance(value, (list, tuple)) and len(value) == 2
    return pair and all(map(_count(2, 10), value)) and bool(value[0] <= value[1])


def _is_deal(value: Any) -> bool:
    if isinstance(value, tuple):
        value = dict(value)
    seat_counts = {str(n) for n in range(2, 11)}
    return (
        isinstance(value, dict)
        and "default" in value
        and set(value) - {"default"} <= seat_counts
        and all(map(_count(1, 60), value.values()))
    )


def _is_refill(value: Any) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and value[0] in ("now", "own_turn", "never")
        and (value[1] == "deal" or _count(1, 60)(value[1]))
    )


def _is_end(value: Any) -> bool:
    return (
        isinstance(value, (list, tuple))
        and all(isinstance(item, str) and item in ENDS for item in value)
        and len(set(value)) == len(value)
    )


DOMAINS: Final[dict[str, Domain]] = {
    "deck.kind": _one_of("french", "fours", "fish", "numbers"),
    "deck.ranks": _letters(RANKS),
    "deck.suits": _letters("CDHS", "RLFSW"),
    "deck.joker": _one_of("none", "suited", "wild", "rank"),
    "deck.wild": _is_bool,
    "deck.top": _or_none(_count(5, 20)),
    "deck.copies": _count(1, 26),
    "deck.lost": _count(0, 60),
    "seats": _is_seats,
    "deal": _is_deal,
    "class": _one_of("rank", "colour_rank", "suit", "any_two", "complement"),
    "ask.what": _one_of("class", "card"),
    "ask.scope": _one_of("one", "all"),
    "ask.bait": _one_of("nobody", "asked"),
    "ask.empty_target": _one_of("legal", "illegal"),
    "ask.bluff": _is_bool,
    "response": _one_of("all", "one", "challenge", "challenge_optional"),
    "give": _one_of("named", "all"),
    "catch_to": _one_of("hand", "boat"),
    "miss": _one_of("draw_stock", "draw_asked_hand"),
    "turn.catch": _one_of("again", "again_if_book"),
    "lucky": _one_of("again_must_show", "again_may_show", "ends"),
    "turn.next": _one_of("clockwise", "refuser"),
    "book.kind": _one_of("class", "fish", "four", "sum"),
    "book.size": _count(1, 60),
    "book.joker": _count(1, 60),
    "book.lay": _one_of("auto", "choice"),
    "book.layoff": _one_of("none", "auto", "choice"),
    "refill.active": _is_refill,
    "refill.passive": _is_refill,
    "refill.boat": _is_bool,
    "refill.retire": _is_bool,
    "end": _is_end,
    "end.books_target": _or_none(_count(1, 125)),
    "end.tide": _or_none(_count(1, 99)),
    "end.declare": _is_bool,
    "score.per": _one_of("book", "card"),
    "score.deduct": _count(0, 100),
    "score.penalty": _count(0, 100),
    "score.penalty_for": _one_of("each", "single"),
    "score.floor": _or_none(_count(-1000, 1000)),
    "tie": _one_of("high_book", "shared"),
    "match.target": _or_none(_count(1, 100_000)),
    "visibility.books": _one_of("public", "face_down"),
    "visibility.boat": _one_of("count"),
    "visibility.lost": _one_of("hidden"),
}
"""Every dimension by its JSON key, in the order of docs/record.md, with a test for its values."""

UNSAID: Final = frozenset({"end.tide"})
"""Dimensions that are written only if they are set, so that older records stay as they are."""

_KEYS: Final = {attribute(key): key for key in DOMAINS}


def _fault(key: str, value: Any) -> Reason | None:
    if key not in DOMAINS:
        return Reason("unknown", (str(key),), "there is no such dimension")
    if not DOMAINS[key](value):
        return Reason("unknown", (key,), f"{shortened(value)} is not a value of this dimension")
    return None


def _frozen(key: str, value: Any) -> Any:
    """Turn a JSON value into the hashable form in which Rules keeps it."""
    if isinstance(value, dict):
        default = ("default", value["default"])
        return (default, *sorted(item for item in value.items() if item != default))
    if key == "end":
        return tuple(sorted(value, key=ENDS.index))
    return tuple(value) if isinstance(value, list) else value


def _thawed(key: str, value: Any) -> Any:
    """Turn a value of Rules back into its JSON form."""
    if key == "deal":
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
