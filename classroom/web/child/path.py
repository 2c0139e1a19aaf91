"""The numbered path: the score as a straight line from 0 on which each book is one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from classroom.engine.cards import deck_of
from classroom.engine.rules import Rules
from classroom.web.words.wording import in_pots

WHOLE: Final = 16  # a path of at most this many steps is drawn in full from the start
STAGES: Final = (10, 20)  # a longer path is first drawn this long, and grows when a score needs it


@dataclass(frozen=True, slots=True)
class Stone:
    """A place on the path, with its `number`. `seats`: the players who stand there."""

    number: int
    seats: tuple[int, ...]


def path(rules: Rules, steps: Sequence[int], me: int) -> tuple[Stone, ...]:
    """The path of a game with every seat on it; `steps`: how far each has come.

    The viewer comes last on a stone, so that its face lies on top. Where cards are counted, a pair
    is one step and the path counts in twos.
    """
    by_step: dict[int, list[int]] = {}
    for seat in sorted(range(len(steps)), key=lambda seat: seat == me):
        by_step.setdefault(steps[seat], []).append(seat)
    worth = 2 if in_pots(rules) else 1
    length = _length(rules, max(steps, default=0))
    return tuple(Stone(n * worth, tuple(by_step.get(n, ()))) for n in range(length + 1))


def _length(rules: Rules, furthest: int) -> int:
    most = rules.end_books_target or most_books(rules)
    if most <= WHOLE:
        return max(most, furthest)
    return next((n for n in STAGES if furthest <= n < most), max(most, furthest))


def most_books(rules: Rules) -> int:
    """How many books the cards of a game make, if Jokers count like any other card."""
    deck = deck_of(rules)
    if rules.book_kind == "class":
        return sum(len(cards) // rules.book_size for cards in deck.members.values())
    return len(deck.cards) // (4 if rules.book_kind == "four" else rules.book_size)
