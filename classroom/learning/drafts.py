"""Drafts: questions with their right answer and possible wrong ones, before options are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log2
from random import Random
from typing import Any, Final, Literal

from classroom.engine.cards import Card

Face = Literal["numeral", "dots", "card", "seat", "class", "yes_no", "tapped"]
Lure = Literal["this_round", "previous_round"]
Trial = Literal["old", "new"]


@dataclass(frozen=True, slots=True)
class Stem:
    """What a question shows and says, without its words. The kind decides which parts are used.

    `class_`: the class in question. `cards`: shown face up. `seats`: shown as faces. `numbers`:
    spoken, or drawn as that many things beside the seats. `trait`: name and value of the trait to
    sort by. `brief`: shown for a moment only (subitizing).
    """

    class_: str | None = None
    cards: tuple[Card, ...] = ()
    seats: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    trait: tuple[str, str] | None = None
    brief: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One question that could be asked now.

    `wrong`: groups of wrong answers, the best group first. `keep`: wrong answers that must be
    among the options ("nobody", "the same"). `pad`: all options, in order, as on a number pad.
    `difficulty`: in logits; 0 is even odds for a new child, luck apart.
    """

    kind: str
    stem: Stem
    face: Face
    right: Any
    difficulty: float
    wrong: tuple[tuple[Any, ...], ...] = ()
    keep: tuple[Any, ...] = ()
    pad: tuple[Any, ...] = ()
    lag_asks: int | None = None
    fact_seq: int | None = None
    overlap: bool = False
    trial: Trial | None = None
    lures: dict[Any, Lure] = field(default_factory=dict)


BASE: Final = {
    "flash": -1.5,
    "count_class": -3.0,
    "count_hand": -2.6,
    "count_pips": -2.6,
    "give": -2.0,
    "more_for_book": -1.2,
    "dots_to_numeral": -2.6,
    "numeral_to_dots": -2.4,
    "hear_numeral": -2.8,
    "next": -2.4,
    "before": -1.8,
    "between": -2.0,
    "left_after_draw": -1.8,
    "complement_5": -0.6,
    "complement_10": -0.4,
    "books_of_all": -1.2,
    "points_of_two": -1.2,
    "most_cards": -1.0,
    "fewest_cards": -0.4,
    "most_books": -1.0,
    "greatest_number": -1.4,
    "smallest_number": -0.9,
    "belongs": -1.0,
    "count_kind": -1.6,
}


SLOPE: Final = 1.5  # logits that doubling the number adds


def hardness(kind: str, size: int, slope: float = SLOPE) -> float:
    """Estimate how hard a counting item is: doubling the number adds `slope`.

    This is only a start: what a child finds hard is measured from its answers (ratings.py).

    >>> hardness("count_hand", 8) > hardness("count_hand", 4) > hardness("count_class", 2)
    True
    """
    return BASE[kind] + slope * log2(max(1, size))


def near(right: int, low: int, high: int, rng: Random, count: int) -> tuple[int, ...]:
    """Choose wrong numbers close to the right one, from `low` to `high`, at random below or above.

    So the right number is as often the smallest or the greatest as any other; otherwise the middle
    would be a good guess.
    """
    below = rng.randint(0, count)
    start = min(max(low, right - below), max(low, high - count))
    window = [n for n in range(start, start + count + 1) if n != right and low <= n <= high]
    rng.shuffle(window)
    return tuple(window)


def spread(groups: Sequence[Sequence[Any]], count: int, rng: Random) -> list[Any]:
    """Choose `count` different wrong answers, better groups first, at random within a group."""
    chosen: list[Any] = []
    for group in groups:
        fresh = [item for item in dict.fromkeys(group) if item not in chosen]
        rng.shuffle(fresh)
        chosen += fresh[: count - len(chosen)]
    return chosen
