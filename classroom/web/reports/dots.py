"""Where the dots and frames of a sheet's task lie, in units of its picture (200 by 120)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from classroom.learning.sheets import Task

WIDTH, HEIGHT = 200, 120
COLUMNS: Final = 5
GAP: Final = 8  # between the rows of one ten and those of the next
BIG, SMALL = 32, 25  # the side of a frame's place, for one ten and for two

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A task and its picture. `places`: the upper left corner of each place of a frame, each with
    this `side`; `dots`: the middle of each dot, with radius `r`."""

    task: Task
    places: tuple[Point, ...]
    dots: tuple[Point, ...]
    side: int
    r: float


def drawing(task: Task, seed: int = 0) -> Drawing:
    """The picture of a task. Another `seed` scatters its dots differently."""
    n = {"count": task.whole, "fill": task.part}.get(task.form, 0)
    room = task.whole if task.form == "fill" else 10 if task.whole <= 10 else 20
    side = BIG if room <= 10 else SMALL
    places = _places(room, side)
    if task.form == "bond":
        return Drawing(task, (), (), side, 0)
    if task.form == "count" and task.picture != "frame":
        dots = (
            _scattered(n, seed) if task.picture == "scattered" else _middles(_places(n, side), side)
        )
        return Drawing(task, (), dots, side, 0.32 * SMALL)
    return Drawing(task, places, _middles(places[:n], side), side, 0.36 * side)


def _places(n: int, side: int) -> tuple[Point, ...]:
    """Places in rows of five, in the middle of the picture, with a gap after the first ten."""
    rows = -(-n // COLUMNS)
    high = rows * side + (GAP if rows > 2 else 0)
    left = (WIDTH - min(n, COLUMNS) * side) / 2
    top = (HEIGHT - high) / 2
    return tuple(
        (
            left + at % COLUMNS * side,
            top + at // COLUMNS * side + (GAP if at // COLUMNS >= 2 else 0),
        )
        for at in range(n)
    )


def _middles(places: tuple[Point, ...], side: int) -> tuple[Point, ...]:
    return tuple((x + side / 2, y + side / 2) for x, y in places)


def _scattered(n: int, seed: int) -> tuple[Point, ...]:
    """Scattered dots that never touch: each lies somewhere in its own field of a coarse grid."""
    rng = Random(f"{n} {seed}")
    across, down = (5, 3) if n <= 12 else (7, 4)
    wide, high = WIDTH / across, HEIGHT / down
    r = 0.32 * SMALL
    return tuple(
        (
            round(field % across * wide + rng.uniform(r + 1, wide - r - 1), 1),
            round(field // across * high + rng.uniform(r + 1, high - r - 1), 1),
        )
        for field in rng.sample(range(across * down), n)
    )
