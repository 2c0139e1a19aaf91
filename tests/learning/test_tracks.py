"""A track that is updated answer by answer equals one made of all answers at once, and old answers
count less."""

from __future__ import annotations

import json
from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as st

from classroom.learning.beliefs import (
    GRID,
    NOTHING_KNOWN,
    SLIPS,
    chance,
    moments,
    quantiles,
    updated,
    widened,
)
from classroom.learning.estimates import RECENT_DAYS, RECENT_ITEMS
from classroom.learning.evidence import Evidence
from classroom.learning.tracks import LATEST, LOOKS, Track, tracks_of
from tests.learning.rows import row, rows, track

DAY = 86_400.0


@st.composite
def histories(draw: st.DrawFn) -> list[Evidence]:
    """Answers in two skills of a strand over up to a year, many of which do not count."""
    found: list[Evidence] = []
    day = 0
    for sitting in range(draw(st.integers(0, 12))):
        day += draw(st.sampled_from([0, 1, 3, 20, 60]))
        for _ in range(draw(st.sampled_from([1, 3, 12]))):
            found.append(
                row(
                    draw(st.sampled_from(["how_many", "give_n"])),
                    draw(st.booleans()),
                    day=day,
                    at=day * DAY + len(found),
                    hint_step=draw(st.sampled_from([0, 0, 3])),
                    practice=draw(st.integers(0, 9)) == 0,
                    answered=draw(st.integers(0, 9)) > 0,
                    difficulty=draw(st.floats(-3, 4)),
                    number=draw(st.integers(1, 25)),
                    round_id=sitting,
                )
            )
    return found


def carried(found: list[Evidence]) -> Track:
    kept = Track(strand="counting")
    for one in found:
        kept = Track.from_json("counting", json.loads(json.dumps(kept.after(one).to_json())))
    return kept


@given(histories())
def test_a_carried_track_is_that_of_all_the_evidence(found: list[Evidence]) -> None:
    assert carried(found) == track(found, "counting")
    assert carried(found).settled().n == sum(one.how == "alone" for one in found)


def test_only_unaided_answers_to_questions_of_the_strand_count() -> None:
    other = [
        *rows(3, 5, hint_step=2), *rows(3, 5, practice=True), *rows(0, 3, answered=False),
        *rows(3, 5, source="play"), *rows(3, 5, skill="make_ten"),
    ]  # fmt: skip
    assert track(other, "counting") == Track(strand="counting")
    assert track(other, "adding").settled().n == 5


def test_a_belief_is_bayes_rule_on_a_grid() -> None:
    """The belief agrees with the formula, computed level by level."""
    belief = NOTHING_KNOWN
    answers = [(True, 0.5, 0.25), (False, -1.0, 0.25), (True, 1.2, 0.5)]
    for right, difficulty, luck in answers:
        belief = updated(belief, right, difficulty, luck)
    weights = list(NOTHING_KNOWN)
    for right, difficulty, luck in answers:
        for place, (slip, level) in enumerate(product(SLIPS, GRID)):
            p = luck + (1 - luck - slip) * chance(level, difficulty)
            weights[place] *= p if right else 1 - p
    assert belief == pytest.approx([w / sum(weights) for w in weights], abs=1e-5)


def test_a_child_that_misses_easy_items_is_believed_careless_and_not_less_able() -> None:
    """Two in twenty easy ones missed, and as many of the hard ones right: it taps beside them."""
    easy, hard = [(True, -3.0)] * 18 + [(False, -3.0)] * 2, [(True, 1.5), (False, 1.5)] * 10
    careless, careful = NOTHING_KNOWN, NOTHING_KNOWN
    for right, difficulty in easy + hard:
        careless = updated(careless, right, difficulty, 0.2)
        careful = updated(careful, right or difficulty < 0, difficulty, 0.2)
    shares = [sum(one[len(GRID) :]) for one in (careless, careful)]
    assert shares[0] > 3 * shares[1]
    assert moments(careless)[0] > moments(careful)[0] - 0.8


@given(st.floats(0.0, 2.0))
def test_time_only_widens_a_belief(variance: float) -> None:
    before = updated(updated(NOTHING_KNOWN, True, 1.0, 0.2), False, 2.0, 0.2)
    mean, spread = moments(before)
    after, wider = moments(widened(before, variance))
    assert after == pytest.approx(mean, abs=0.05)  # the ends of the grid cut off a little
    assert wider == pytest.approx(spread + variance, rel=0.03)


def test_nothing_is_ruled_out_for_good() -> None:
    """Sixty wrong answers, then a month away, then thirty right ones to harder items."""
    poor = rows(0, 60, difficulty=-2.0)
    well = rows(30, 30, difficulty=2.0, day=30)
    assert moments(track([*poor, *well], "counting").settled().belief)[0] > 2


def test_quantiles_of_a_belief_that_is_nearly_certain() -> None:
    belief = tuple(float(level == GRID[40]) / 2 for level in GRID) * 2
    low, high = quantiles(belief, (0.025, 0.975))
    assert low < GRID[40] < high
    assert high - low < 0.2


def test_old_answers_count_less_than_new_ones() -> None:
    """The same answers in another order: the newest decide."""
    better = [*rows(0, 15, day=0), *rows(15, 15, day=90)]
    worse = [*rows(15, 15, day=0), *rows(0, 15, day=90)]
    up, down = (moments(track(found, "counting").settled().belief)[0] for found in (better, worse))
    assert up > down + 0.5


def test_evidence_by_range_is_recent() -> None:
    daily = track([one for d in range(200) for one in rows(2, 3, day=d, number=7)], "counting")
    daily = daily.settled()
    assert {one.place for one in daily.ranges} == {1}
    assert len({one.day for one in daily.ranges}) == RECENT_DAYS
    rare = track([one for d in range(0, 600, 10) for one in rows(1, 1, day=d)], "counting")
    rare = rare.settled()
    assert sum(one.n for one in rare.ranges) == RECENT_ITEMS


def test_the_newest_answers_and_those_before_have_none_in_common() -> None:
    found = track([one for d in range(100) for one in rows(1, 1, day=d)], "counting").settled()
    assert found.before.n == 100 - LATEST
    assert (found.before.since, found.before.until) == (0, 99 - LATEST)
    assert [one.day for one in found.latest] == list(range(100 - LATEST, 100))


def test_a_new_day_settles_the_day_before_in_every_strand() -> None:
    found = tracks_of([*rows(2, 3), *rows(1, 2, skill="make_ten"), row(day=1)])
    assert (found["counting"].n, len(found["counting"].fresh)) == (3, 1)
    assert (found["adding"].n, found["adding"].fresh) == (2, ())


def test_a_clock_that_was_set_back_does_not_undo_a_day() -> None:
    found = Track(strand="counting").after(row(day=50)).after(row(day=3)).settled()
    assert (found.day, found.n, len(found.looks)) == (50, 2, 1)


def test_looks_are_those_of_the_newest_days() -> None:
    rng = Random(1)
    found = track([row(day=d, right=rng.random() < 0.5) for d in range(9)], "counting").settled()
    assert [look.day for look in found.looks] == [7, 8][-LOOKS:]
