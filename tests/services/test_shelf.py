"""A shelf keeps what was used most recently, up to a weight."""

from __future__ import annotations

from classroom.services.table.states import Shelf


def test_what_was_not_used_for_the_longest_time_goes_first() -> None:
    shelf = Shelf[str](3)
    for key in (1, 2, 3):
        shelf.put(key, f"value {key}")
    assert shelf.get(1) == "value 1"
    shelf.put(4, "value 4")
    assert [shelf.get(key) for key in (1, 2, 3, 4)] == ["value 1", None, "value 3", "value 4"]


def test_a_heavy_value_takes_the_room_of_several() -> None:
    shelf = Shelf[str](10)
    for key in range(5):
        shelf.put(key, "light", 2)
    shelf.put(5, "heavy", 7)
    assert [shelf.get(key) for key in range(6)] == [None] * 4 + ["light", "heavy"]


def test_a_value_that_grows_counts_once() -> None:
    shelf = Shelf[int](10)
    shelf.put(1, 0, 3)
    for weight in range(1, 8):
        shelf.put(2, weight, weight)
    assert (shelf.get(1), shelf.get(2)) == (0, 7)


def test_a_value_that_is_too_heavy_is_kept_alone() -> None:
    shelf = Shelf[str](10)
    shelf.put(1, "light")
    shelf.put(2, "too heavy", 11)
    assert (shelf.get(1), shelf.get(2)) == (None, "too heavy")
    shelf.put(3, "light")
    assert (shelf.get(2), shelf.get(3)) == (None, "light")
