"""A shelf caches the folds that were used most recently, up to a number of moves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from classroom.services.table.states import Fold, Shelf


def fold(times: int) -> Fold:
    """Stand in for the fold of a round with this many times: of the deal, and of each move."""
    return cast(Fold, SimpleNamespace(times=(0.0,) * times))


def test_what_was_not_used_for_the_longest_time_goes_first() -> None:
    shelf, folds = Shelf(3), {key: fold(1) for key in (1, 2, 3, 4)}
    for key in (1, 2, 3):
        shelf.put(key, folds[key])
    assert shelf.get(1) is folds[1]
    shelf.put(4, folds[4])
    assert [shelf.get(key) for key in (1, 2, 3, 4)] == [folds[1], None, folds[3], folds[4]]


def test_a_long_round_takes_the_room_of_several() -> None:
    shelf, short, long = Shelf(10), fold(2), fold(7)
    for key in range(5):
        shelf.put(key, short)
    shelf.put(5, long)
    assert [shelf.get(key) for key in range(6)] == [None] * 4 + [short, long]


def test_a_round_that_grows_counts_once() -> None:
    shelf, first = Shelf(10), fold(3)
    shelf.put(1, first)
    for times in range(1, 8):
        shelf.put(2, grown := fold(times))
    assert (shelf.get(1), shelf.get(2)) == (first, grown)


def test_a_round_that_is_too_long_is_kept_alone() -> None:
    shelf, short, long = Shelf(10), fold(1), fold(11)
    shelf.put(1, short)
    shelf.put(2, long)
    assert (shelf.get(1), shelf.get(2)) == (None, long)
    shelf.put(3, short)
    assert (shelf.get(2), shelf.get(3)) == (None, short)
