"""How wide a hand is in one row, in two and in more. A phone shows the cards as large as fit in one
of these ways (static/css/screens.css)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple

MOST: Final = 4
"""Rows of a hand."""

MANY: Final = 8
"""With more fans than this the hand is full, and its cards lie closer together."""

SEEN: Final = (0.3, 0.13)
"""The share of a card that is seen behind another, and in a full hand; the same as --s."""

GAP: Final = (0.2, 0.14)
"""Between two fans, as a share of a card's width; the same as --g."""


class Row(NamedTuple):
    """A row of a hand: its fans, and the cards that lie behind their first ones, rounded up to an
    even number."""

    fans: int
    behind: int

    @property
    def digits(self) -> str:
        """Both numbers as sums of powers of two, each a class: 5 fans are `n-1 n-4`. So that a few
        rules of the style sheet can add up any number."""
        powers = [1 << place for place in range(6)]
        fans = [f"n-{power}" for power in powers if self.fans & power]
        return " ".join(fans + [f"x-{power}" for power in powers if self.behind & power])


@lru_cache(maxsize=4096)  # a hand of thirteen fans takes milliseconds
def hand_rows(sizes: tuple[int, ...]) -> tuple[Row, ...]:
    """The widest row of fans of these sizes, where they stand in one row, in two and in more, in
    their order and as evenly as they can."""
    full = len(sizes) > MANY

    def width(row: Row) -> float:
        return row.fans * (1 + GAP[full]) + row.behind * SEEN[full]

    def widest(ends: Sequence[int]) -> Row:
        rows = [sizes[begin:end] for begin, end in pairwise((0, *ends, len(sizes)))]
        return max((Row(len(row), _even(sum(row) - len(row))) for row in rows), key=width)

    places = range(1, len(sizes))
    return tuple(
        min(map(widest, combinations(places, min(rows, len(places) + 1) - 1)), key=width)
        for rows in range(1, MOST + 1)
    )


def _even(number: int) -> int:
    return number + number % 2
