"""A window carried from answer to answer gives the same results as all the evidence."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classroom.learning.alerts import leaning
from classroom.learning.estimates import estimate
from classroom.learning.evidence import Evidence
from classroom.learning.tallies import merged, tally
from classroom.learning.windows import RECENT_DAYS, RECENT_ITEMS, Window, window
from tests.learning.rows import row, rows

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
        _, kept = kept.after(one)
        kept = Window.from_json("how_many", json.loads(json.dumps(kept.to_json())))
    return kept


@given(histories(), st.integers(0, 60))
@settings(max_examples=80)
def test_a_carried_window_gives_the_estimates_of_all_the_evidence(
    found: list[Evidence], later: int
) -> None:
    kept = carried(found)
    today = (found[-1].day if found else 0) + later
    assert estimate(kept, today) == estimate(found, today, "how_many")
    assert estimate(kept, today) == estimate(tally(found), today, "how_many")
    assert leaning(kept, today, "how_many") == leaning(found, today, "how_many")


@given(histories())
@settings(max_examples=40)
def test_the_tallies_made_on_the_way_are_those_of_all_the_evidence(found: list[Evidence]) -> None:
    kept, told = Window("how_many"), []
    for one in found:
        tallied, kept = kept.after(one)
        told.append(tallied)
    assert merged(told) == tally(found)


def test_a_window_keeps_only_a_month_and_what_forty_answers_need() -> None:
    daily = carried([one for day in range(200) for one in rows(2, 3, day=day, round_id=day)])
    assert len(daily.days) == RECENT_DAYS
    rare = carried([one for day in range(0, 600, 10) for one in rows(1, 1, day=day)])
    assert len(rare.days) == RECENT_ITEMS
    assert daily.ever == (600, 400)


def test_leaning_on_help_takes_two_days() -> None:
    once = [*rows(12, 12, hint_step=3, day=1), *rows(1, 1, day=5)]
    twice = [*once, *rows(2, 2, hint_step=3, day=5, start=50)]
    assert leaning(carried(once), 5, "how_many") is None
    signal = leaning(carried(twice), 5, "how_many")
    assert signal is not None
    assert signal.facts == {"n": 15, "helped": 14}


def test_a_window_is_of_one_skill() -> None:
    with pytest.raises(ValueError):
        window([row("how_many"), row("make_ten")])
    assert window([], "how_many") == Window("how_many")


def test_a_window_of_the_version_before_can_be_read_and_it_can_read_ours() -> None:
    """0.2 keeps two numbers more for each day, and may run beside this version."""
    kept = carried([row("how_many", day=3)])
    written = kept.to_json()
    assert {len(day) for day in written["days"]} == {13}
    before = {**written, "days": [[*day[:11], 7, 5] for day in written["days"]]}
    assert Window.from_json("how_many", before) == kept
    assert estimate(Window.from_json("how_many", before), 3) == estimate(kept, 3)
