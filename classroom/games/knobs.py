"""The knobs of the mixer: the values to choose from, for each dimension that suits a game.

Pure. Knobs hold no words; those for adults are in web/words/knob_words.py, under the same keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from classroom.engine.rules import RANKS, Rules

Changes = Mapping[str, Any]
AS_IT_IS: Final = "as-it-is"
"""The choice that keeps the game's own value where the knob does not offer that value."""


@dataclass(frozen=True)
class Knob:
    """One setting of a game. `choices`: for each value, the dimensions it changes, by JSON key.
    `fits`: whether the setting means anything for a game with these rules."""

    key: str
    group: str
    choices: Mapping[str, Changes]
    fits: Callable[[Rules], bool]

    def choice(self, rules: Rules) -> str:
        """The choice of this knob that these rules match, or AS_IT_IS."""
        now = rules.to_json()
        for value, changes in self.choices.items():
            if all(now[key] == wanted for key, wanted in changes.items()):
                return value
        return AS_IT_IS


def of(game: Rules) -> tuple[Knob, ...]:
    """The knobs that fit a game with these rules, group by group."""
    return tuple(knob for knob in KNOBS if knob.fits(game))


def turned(game: Rules, chosen: Mapping[str, str]) -> Rules:
    """The rules of a game with its knobs set to these choices; unknown choices change nothing."""
    changes: dict[str, Any] = {}
    for knob in of(game):
        changes |= knob.choices.get(chosen.get(knob.key, ""), {})
    return game.changed(changes)


def _always(_: Rules) -> bool:
    return True


def _ranked(rules: Rules) -> bool:
    """Whether each book is of a single class, such as quartets, pairs or threes."""
    return rules.book_kind == "class"


def _french(rules: Rules) -> bool:
    return rules.deck_kind == "french"


def _numbers(rules: Rules) -> bool:
    return rules.deck_kind == "numbers"


def _fours(rules: Rules) -> bool:
    return rules.deck_kind == "fours"


def _suits(rules: Rules) -> bool:
    return rules.book_kind == "fish"


def _not_fours(rules: Rules) -> bool:
    return not _fours(rules)


def _each(key: str, *values: Any) -> dict[str, Changes]:
    """Make one choice for each value of a dimension."""
    return {str(value): {key: value} for value in values}


def _kinds(*numbers: int) -> dict[str, Changes]:
    return {str(number): {"deck.ranks": RANKS[:number]} for number in numbers}


def _refill(active: tuple[str, Any], passive: tuple[str, Any], retire: bool = False) -> Changes:
    return {
        "refill.active": list(active),
        "refill.passive": list(passive),
        "refill.retire": retire,
    }


def _end(*ends: str, books: int | None = None) -> Changes:
    return {"end": list(ends), "end.books_target": books}


_HAND, _NONE = ("now", "deal"), ("never", "deal")

KNOBS: Final = (
    # the cards
    Knob("kinds", "cards", _kinds(*range(4, 14)), _ranked),
    Knob("family_kinds", "cards", _kinds(4, 7, 10, 13), _suits),
    Knob("top", "cards", _each("deck.top", 5, 6, 7, 8, 9, 10, 12, 15, 20), _numbers),
    Knob("copies", "cards", _each("deck.copies", 4, 6, 8, 10, 12), _numbers),
    Knob("wild", "cards", {"no": {"deck.wild": False}, "yes": {"deck.wild": True}}, _fours),
    Knob("joker", "cards", _each("deck.joker", "suited", "wild"), _suits),
    Knob("deal", "cards", {str(n): {"deal": {"default": n}} for n in range(3, 10)}, _always),
    # asking
    Knob("class", "asking", _each("class", "rank", "colour_rank"), _french),
    Knob("what", "asking", _each("ask.what", "class", "card"), _ranked),
    Knob("bluff", "asking", {"no": {"ask.bluff": False}, "yes": {"ask.bluff": True}}, _ranked),
    Knob("scope", "asking", _each("ask.scope", "one", "all"), _ranked),
    Knob("bait", "asking", _each("ask.bait", "asked", "nobody"), _fours),
    Knob("empty_target", "asking", _each("ask.empty_target", "illegal", "legal"), _not_fours),
    Knob(
        "response",
        "asking",
        {
            **_each("response", "all", "one"),
            "challenge": {"response": "challenge", "give": "named"},
            "challenge_all": {"response": "challenge", "give": "all"},
            "challenge_optional": {"response": "challenge_optional", "give": "named"},
        },
        _ranked,
    ),
    Knob("catch_to", "asking", _each("catch_to", "boat", "hand"), _fours),
    # turns
    Knob("catch", "turns", _each("turn.catch", "again", "again_if_book"), _always),
    Knob("miss", "turns", _each("miss", "draw_stock", "draw_asked_hand"), _not_fours),
    Knob("lucky", "turns", _each("lucky", "again_must_show", "again_may_show", "ends"), _always),
    Knob("next", "turns", _each("turn.next", "clockwise", "refuser"), _always),
    # books
    Knob("size", "books", _each("book.size", 2, 3, 4, 5), _ranked),
    Knob("layoff", "books", _each("book.layoff", "none", "auto", "choice"), _ranked),
    Knob("books", "books", _each("visibility.books", "public", "face_down"), _not_fours),
    # the end
    Knob(
        "refill",
        "end",
        {
            "hand": _refill(_HAND, _HAND),
            "own_turn": _refill(("own_turn", "deal"), ("own_turn", "deal")),
            "one": _refill(("own_turn", 1), _NONE),
            "none": _refill(_NONE, _NONE),
            "retire": _refill(_NONE, _NONE, retire=True),
        },
        _not_fours,
    ),
    Knob(
        "end",
        "end",
        {
            "all_booked": _end("all_booked"),
            "hand_or_pond": _end("hand_empty", "stock_out"),
            "hand": _end("hand_empty"),
            "pond": _end("stock_out"),
            **{f"books_{n}": _end("books_target", books=n) for n in (1, 2, 3, 4, 5, 7, 10)},
        },
        lambda rules: not _fours(rules) and not _suits(rules),
    ),
    Knob(
        "fours_end",
        "end",
        {
            "dead": _end(),
            **{f"books_{n}": _end("books_target", books=n) for n in (1, 2, 3, 4, 5, 7)},
        },
        _fours,
    ),
    Knob("declare", "end", {"yes": {"end.declare": True}, "no": {"end.declare": False}}, _fours),
    # points
    Knob("per", "points", _each("score.per", "book", "card"), _always),
    Knob("deduct", "points", _each("score.deduct", 0, 1), _always),
    Knob("penalty", "points", _each("score.penalty", 0, 1, 3), _suits),
    Knob("tie", "points", _each("tie", "high_book", "shared"), _ranked),
    Knob(
        "match",
        "points",
        {
            "none": {"match.target": None},
            **{str(n): {"match.target": n} for n in (3, 5, 10, 20, 30, 50, 100)},
        },
        _always,
    ),
)
"""All knobs, in the order in which a page shows them."""
