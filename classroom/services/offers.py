"""Which games a class may play, in the order in which they lie on its shelf."""

from __future__ import annotations

from typing import Final

DEFAULT: Final = (
    "classic",
    "rank_pairs",
    "wish_pairs",
    "make_five",
    "make_ten",
    "old_fish",
    "fours",
)
"""The games that need no choice of a teacher: one of each family, the easy ones first."""


def offered(_class_id: int) -> tuple[str, ...]:
    """The keys of the games that the children of this class may start by themselves."""
    return DEFAULT
