"""How the fans of a hand are divided into rows."""

from __future__ import annotations

import pytest

from classroom.web.child.card_faces import HandRow, hand_rows


@pytest.mark.parametrize(
    ("sizes", "one", "two", "three"),
    [
        ((), (0, 0), (0, 0), (0, 0)),
        ((3,), (1, 2), (1, 2), (1, 2)),
        ((1, 1, 1, 1), (4, 0), (2, 0), (2, 0)),
        ((1, 2, 1, 3), (4, 4), (2, 2), (2, 2)),  # two and two, not three and one
        ((3, 3, 1, 2, 1), (5, 6), (3, 2), (2, 2)),
        ((1,) * 13, (13, 0), (7, 0), (5, 0)),
    ],
)
def test_the_widest_row_is_as_narrow_as_it_can_be(
    sizes: tuple[int, ...], one: HandRow, two: HandRow, three: HandRow
) -> None:
    assert hand_rows(sizes)[:3] == (one, two, three)


def test_fuller_rows_hold_all_the_cards() -> None:
    sizes = (3, 2, 1, 3, 2, 1, 1, 2, 3, 1, 1)
    for rows, row in enumerate(hand_rows(sizes), 1):
        assert row.fans * rows >= len(sizes)
        assert row.behind % 2 == 0


def test_the_numbers_of_a_row_are_sums_of_powers_of_two() -> None:
    assert HandRow(5, 6).digits == "n-1 n-4 x-2 x-4"
    assert HandRow(0, 0).digits == ""
