"""Hand-made evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from classroom.learning.estimates import DayCount, Window
from classroom.learning.evidence import Evidence, in_order, is_aided
from classroom.learning.report import Report, of_stored
from classroom.learning.skills import Strand
from classroom.learning.tracks import Track, tracks_of


def row(
    skill: str = "how_many",
    right: bool = True,
    *,
    day: int = 0,
    at: float | None = None,
    source: str = "question",
    options: int = 4,
    board: str = "off",
    hint_step: int = 0,
    lag: int | None = None,
    overlap: bool = False,
    trial: str | None = None,
    nobody: bool = False,
    practice: bool = False,
    answered: bool = True,
    round_id: int | None = 1,
    latency_ms: int | None = 4000,
    kind: str = "count_hand",
    difficulty: float = 0.0,
    luck: float | None = None,
    place: int = 0,
    number: int = 4,
) -> Evidence:
    """One first answer. `nobody`: a wrong answer that said "nobody" (the last option)."""
    values: tuple[Any, ...] = tuple(range(1, options + 1))
    if trial is not None:
        values = (*values[:-1], None)
    wrong = options - 1 if nobody else (place + 1) % max(1, options - 1)
    right_place = options - 1 if trial == "new" else place
    item = {
        "kind": kind, "practice": practice, "trial": trial, "difficulty": difficulty,
        "number": number,
    }  # fmt: skip
    first = right_place if right else (0 if trial == "new" else wrong)
    return Evidence(
        skill=skill,
        source="play" if source == "play" else "question",
        item={**item, "right": right_place},
        options=values,
        first_answer=first if answered else None,
        later_answers=(),
        right=right and answered,
        latency_ms=latency_ms,
        aided=is_aided(skill, board, hint_step),
        board=board,
        hint_step=hint_step,
        lag_asks=lag,
        lag_seconds=None,
        overlap=overlap,
        lure=None,
        at=day * 86400.0 if at is None else at,
        day=day,
        round_id=round_id,
        seq=1,
        guess_rate=1 / options if luck is None else luck,
    )


def rows(right: int, n: int, **how: Any) -> list[Evidence]:
    """`n` first answers a second apart, from `start` on. The first `right` are right."""
    day, start = how.pop("day", 0), how.pop("start", 0.0)
    return [row(right=i < right, day=day, at=day * 86400.0 + start + i, **how) for i in range(n)]


def window(found: Iterable[Evidence], skill: str = "how_many") -> Window:
    """The window of one skill, made of the rows of a child."""
    return windows_of(found).get(skill, Window(skill))


def windows_of(found: Iterable[Evidence]) -> dict[str, Window]:
    """The windows of a child, by skill, from all its rows."""
    windows: dict[str, Window] = {}
    for one in in_order(found):
        windows[one.skill] = windows.get(one.skill, Window(one.skill)).after(one)
    return windows


def track(found: Iterable[Evidence], strand: Strand) -> Track:
    """The track of one strand from all rows of a child."""
    return tracks_of(found).get(strand) or Track(strand=strand)


def report(found: Iterable[Evidence], day: int, band: str) -> Report:
    """The report on a child from all its rows."""
    every = list(found)
    return of_stored(tracks_of(every).values(), windows_of(every).values(), day, band)


def answers_on(day: DayCount) -> int:
    """All questions and asks of the day, however they were answered."""
    return day.n + day.aided_n + day.weak_n + day.practice_n + day.skipped_n
