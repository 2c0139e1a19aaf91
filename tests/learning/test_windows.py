"""A window that leaves out old days gives the same results as all the evidence."""

from __future__ import annotations

import json

from hypothesis import given, strategies as st

from classroom.learning.estimates import (
    CHECKS,
    RECENT_DAYS,
    RECENT_ITEMS,
    DayCount,
    Window,
    estimate,
)
from classroom.learning.evidence import Evidence
from classroom.learning.report import leaning
from tests.learning.rows import answers_on, row, rows, window, windows_of

DAY = 86_400.0


@st.composite
def histories(draw: st.DrawFn) -> list[Evidence]:
    """Answers in one skill over up to half a year, with some busy days and most empty."""
    found: list[Evidence] = []
    day = 0
    for sitting in range(draw(st.integers(0, 14))):
        day += draw(st.sampled_from([0, 1, 2, 7, 20, 29, 40]))
        for _ in range(draw(st.sampled_from([1, 2, 5, 15]))):
            found.append(
                row(
                    "how_many",
                    draw(st.booleans()),
                    day=day,
                    at=day * DAY + len(found),
                    options=draw(st.sampled_from([2, 4])),
                    hint_step=draw(st.sampled_from([0, 0, 3])),
                    practice=draw(st.integers(0, 9)) == 0,
                    answered=draw(st.integers(0, 9)) > 0,
                    latency_ms=draw(st.sampled_from([None, 400, 4000])),
                    round_id=sitting,
                )
            )
    return found


def carried(found: list[Evidence]) -> Window:
    kept = Window("how_many")
    for one in found:
        kept = kept.after(one)
        kept = Window.from_json("how_many", json.loads(json.dumps(kept.to_json())))
    return kept


class Whole(Window):
    """A window of all days."""

    __slots__ = ()

    def _cut(self) -> Window:
        return self


def whole(found: list[Evidence]) -> Window:
    kept: Window = Whole("how_many")
    for one in found:
        kept = kept.after(one)
    return kept


@given(histories(), st.integers(0, 60))
def test_a_carried_window_gives_the_estimates_of_all_the_evidence(
    found: list[Evidence], later: int
) -> None:
    kept = carried(found)
    today = (found[-1].day if found else 0) + later
    assert estimate(kept, today) == estimate(whole(found), today)
    assert leaning(kept, today) == leaning(whole(found), today)
    assert kept == window(found[::-1])


@given(histories())
def test_nothing_is_lost_or_counted_twice(found: list[Evidence]) -> None:
    kept = whole(found)
    alone = [one for one in found if one.how == "alone"]
    strong = [one for one in alone if not one.weak]
    days = {one.day for one in found}
    counted = kept.counted(0) if found else DayCount(0)
    assert {one.day for one in kept.days} == days
    assert (answers_on(counted), counted.days) == (len(found), len(days))
    assert counted.sessions == len({(one.day, one.round_id) for one in found})
    assert kept.ever == (len(strong), sum(one.right for one in strong))
    assert counted.right + counted.weak_right == sum(one.right for one in alone)


def test_the_first_answer_after_a_pause_is_a_check() -> None:
    days = (0, 1, 3, 10, 40)
    found = [one for day in days for one in rows(2, 2, day=day, round_id=day)]
    assert window(found).checks == ((2, 2), (1, 1), (1, 1))
    assert len(CHECKS) == 3


def test_a_window_keeps_only_a_month_and_what_forty_answers_need() -> None:
    daily = carried([one for day in range(200) for one in rows(2, 3, day=day, round_id=day)])
    assert len(daily.days) == RECENT_DAYS
    rare = carried([one for day in range(0, 600, 10) for one in rows(1, 1, day=day)])
    assert len(rare.days) == RECENT_ITEMS
    assert daily.ever == (600, 400)


def test_leaning_on_help_takes_two_days() -> None:
    once = [*rows(12, 12, hint_step=3, day=1), *rows(1, 1, day=5)]
    twice = [*once, *rows(2, 2, hint_step=3, day=5, start=50)]
    assert leaning(carried(once), 5) is None
    signal = leaning(carried(twice), 5)
    assert signal is not None
    assert signal.facts == {"n": 15, "helped": 14}


def test_a_window_is_of_one_skill() -> None:
    found = windows_of([row("how_many"), row("make_ten"), row("make_ten")])
    assert {key: one.ever[0] for key, one in found.items()} == {"how_many": 1, "make_ten": 2}
