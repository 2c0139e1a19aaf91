"""The pictures of a sheet's tasks: as many dots as it says, apart, and never the answer."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

from classroom.learning.tomorrow import PICTURES, Task
from classroom.web.reports.charts import HEIGHT, WIDTH, dot_drawing


@pytest.mark.parametrize("picture", PICTURES)
@pytest.mark.parametrize("whole", range(1, 21))
def test_dots_to_count_are_all_there_apart_and_inside_the_picture(picture: str, whole: int) -> None:
    for seed in range(10):
        found = dot_drawing(Task("count", whole, picture=picture), seed)  # type: ignore[arg-type]
        assert len(found.dots) == whole
        assert all(dist(a, b) > 2 * found.r for a, b in combinations(found.dots, 2))
        for x, y in found.dots:
            assert found.r <= x <= WIDTH - found.r
            assert found.r <= y <= HEIGHT - found.r


@pytest.mark.parametrize("whole", range(2, 21))
def test_a_frame_to_fill_has_as_many_places_as_the_whole_and_only_the_part_is_filled(
    whole: int,
) -> None:
    for part in range(1, whole):
        found = dot_drawing(Task("fill", whole, part))
        assert (len(found.places), len(found.dots)) == (whole, part)
        assert all(0 <= x <= WIDTH - found.side and y >= 0 for x, y in found.places)
        assert all(y + found.side <= HEIGHT for _, y in found.places)


def test_frames_to_draw_in_are_empty_and_a_bond_has_no_dots() -> None:
    assert (len(dot_drawing(Task("draw", 10)).places), dot_drawing(Task("draw", 10)).dots) == (
        10,
        (),
    )
    assert (len(dot_drawing(Task("draw", 11)).places), dot_drawing(Task("draw", 11)).dots) == (
        20,
        (),
    )
    bond = dot_drawing(Task("bond", 8, 3))
    assert (bond.places, bond.dots) == ((), ())
