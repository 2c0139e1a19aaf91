"""Drafts: questions with their right answer and possible wrong ones, before options are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Literal

from classroom.engine.cards import Card
from classroom.learning.difficulty import hardness

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
    `errors`: wrong numbers that children really give here, such as one of the addends. `least`:
    the smallest number that may be offered. `number`: the greatest number the child must handle
    (the set counted, the sum, the whole of a bond); None if there is none. `difficulty`: in
    logits; 0 is even odds for a new child, luck apart.
    """

    kind: str
    stem: Stem
    face: Face
    right: Any
    difficulty: float
    number: int | None = None
    errors: tuple[int, ...] = ()
    least: int = 1
    wrong: tuple[tuple[Any, ...], ...] = ()
    keep: tuple[Any, ...] = ()
    pad: tuple[Any, ...] = ()
    lag_asks: int | None = None
    fact_seq: int | None = None
    overlap: bool = False
    trial: Trial | None = None
    lures: dict[Any, Lure] = field(default_factory=dict)


RANGE_ENDS: Final = (5, 10, 20)  # greatest numbers of the ranges 1-5, 6-10 and 11-20


def numeral(
    kind: str, stem: Stem, right: int, number: int, *, extra: float = 0.0, **more: Any
) -> Draft:
    """Draft a question that is answered by a numeral. `extra`: how much there is of what makes its
    kind harder."""
    level = hardness(kind, number, extra)
    return Draft(
        kind=kind, stem=stem, face="numeral", right=right, number=number, difficulty=level, **more
    )


def wrong_numbers(
    right: int, low: int, high: int, rng: Random, count: int, errors: Sequence[int] = ()
) -> tuple[int, ...]:
    """Choose wrong numbers from `low` to `high`: real errors first, then the nearest numbers.

    How many of them are smaller than the right number is drawn evenly, so in order of size the
    right one has each place equally often. Near the ends that is not possible: `low` can only be
    the smallest. There all right numbers get the same options, so that the options do not give
    the right one away.
    """
    near = [number for away in range(1, count + 1) for number in (right - away, right + away)]
    at_ends = [right - low] if right - low <= count else []
    at_ends += [count - (high - right)] if high - right <= count else []
    smaller = rng.choice(at_ends) if at_ends else rng.randint(0, count)
    wanted = near if at_ends else [*errors, *near]
    fitting = [n for n in dict.fromkeys(wanted) if low <= n <= high and n != right]
    below = [n for n in fitting if n < right][:smaller]
    above = [n for n in fitting if n > right][: count - len(below)]
    return (*below, *above)


def spread(groups: Sequence[Sequence[Any]], count: int, rng: Random) -> list[Any]:
    """Choose `count` different wrong answers, better groups first, at random within a group."""
    chosen: list[Any] = []
    for group in groups:
        fresh = [item for item in dict.fromkeys(group) if item not in chosen]
        rng.shuffle(fresh)
        chosen += fresh[: count - len(chosen)]
    return chosen
