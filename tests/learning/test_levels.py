"""What adults are told about a level is cautious, and only new answers change it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from classroom.learning.beliefs import quantiles
from classroom.learning.drafts import hardness
from classroom.learning.estimates import CHECK_AFTER
from classroom.learning.evidence import Evidence
from classroom.learning.levels import GROWTH_FROM, ITEMS, Level, growth, level_of
from classroom.learning.skills import AGE_BANDS, STRANDS
from classroom.learning.tracks import LATEST, SCALES, Track, range_of
from tests.learning.rows import row, rows, track


def counted(number: int, right: int, n: int, **how: object) -> list[Evidence]:
    """Answers about sets of this size, with the difficulty that such sets have."""
    return rows(right, n, number=number, difficulty=hardness("count_hand", number), **how)


def level(found: list[Evidence], day: int = 0, band: str = "5-6") -> Level:
    return level_of(track(found, "counting"), band, day)


def test_a_level_says_the_middle_and_between_what_it_lies() -> None:
    one = level([*counted(4, 20, 20), *counted(8, 7, 12), *counted(16, 2, 8)])
    assert 5 <= one.about < 12
    assert one.between[0] < one.about < one.between[1]
    assert [tuple(e) for e in one.evidence] == [("1-5", 20, 20), ("6-10", 7, 12), ("11-20", 2, 8)]
    assert (one.right, one.recent) == (29, 40)


def test_the_middle_never_goes_beyond_the_last_number_that_was_right() -> None:
    able = level([*counted(9, 30, 30), *counted(14, 0, 1)])
    assert able.about == 9
    assert able.between[1] > 9


def test_the_middle_never_contradicts_the_counts_beside_it() -> None:
    """Sixteen of seventeen right up to five: less than five is never said, whatever came after."""
    found = [*counted(2, 12, 12), *counted(5, 4, 5), *counted(6, 0, 16)]
    one = level(found, band="4-5")
    assert one.evidence[0] == ("1-5", 16, 17)
    assert one.about == 5
    assert one.between[1] >= 5


def test_six_of_eight_right_are_enough_to_say_that_a_range_is_done() -> None:
    assert level([*counted(5, 8, 8), *counted(10, 6, 8), *counted(11, 0, 16)]).about == 10


def test_nothing_is_shown_before_any_answer() -> None:
    one = level([])
    assert (one.n, one.shown, one.standing, one.evidence) == (0, False, "none", ())


def test_a_range_is_shown_as_soon_as_it_says_more_than_nothing() -> None:
    found = [*counted(3, 3, 4), *counted(7, 1, 2)]
    assert not level(found[:1]).shown
    assert level(found).shown


def test_the_same_answers_mean_more_with_harder_items() -> None:
    """The share of right answers is 75 % both times, but the levels differ."""
    easy, hard = level(counted(3, 15, 20)), level(counted(14, 15, 20))
    assert hard.low > easy.middle
    assert hard.middle > easy.high
    assert hard.about > easy.about


def test_luck_is_not_skill() -> None:
    plain = level(counted(8, 10, 20, luck=0.05))
    lucky = level(counted(8, 10, 20, luck=0.5))
    assert lucky.middle < plain.middle - 1
    assert plain.about > 0
    assert lucky.about == 0, "nothing is said of what this child can do"


@given(st.integers(0, 400))
def test_time_alone_changes_nothing_but_to_stale(days: int) -> None:
    found = counted(6, 14, 20)
    now, then = level(found), level(found, days)
    assert (now.about, now.between, now.low, now.high, now.standing) == (
        then.about, then.between, then.low, then.high, then.standing,
    )  # fmt: skip
    assert then.stale is (days >= CHECK_AFTER)


def test_standing_goes_by_what_an_age_practises() -> None:
    able, middling = counted(10, 40, 40), [*counted(9, 36, 40), *counted(18, 8, 40)]
    found = [[level(one, band=band).standing for band in AGE_BANDS] for one in (able, middling)]
    assert found == [["secure", "secure", "open", "open"], ["secure", "open", "partly", "open"]]
    assert level(counted(2, 4, 20), band="7-9").standing == "start"


@pytest.mark.walk(4)
@pytest.mark.parametrize("right", range(13))
@pytest.mark.parametrize("band", AGE_BANDS)
def test_no_colour_is_surer_than_another(right: int, band: str) -> None:
    """A colour says where the level lies, and 19 in 20 of what is believed of it agrees.

    The threes come first, and they rule out luck. Turn about with sevens that are all wrong they
    would not quite: 1,700 times likelier than by luck, where 3,000 are asked for.
    """
    found = [*counted(3, 12, 12), *counted(7, right, 12, start=100)]
    one, scale, age = track(found, "counting"), SCALES["counting"], AGE_BANDS.index(band)
    need, goal = scale.steps[scale.least[age] - 1], scale.steps[scale.expected[age] - 1]
    sides = {
        "start": (-99.0, need), "partly": (need, goal + math.log(2)), "secure": (goal, 99.0)
    }  # fmt: skip
    low, high = quantiles(one.settled().belief, (0.05, 0.95))
    said = level_of(one, band, 0).standing
    assert said != "none"
    if said in sides:
        least, most = sides[said]
        assert least <= low
        assert high < most


def test_the_range_is_what_the_child_could_do_at_either_end() -> None:
    one = level([*counted(4, 12, 12), *counted(8, 7, 12)])
    for end, step in zip((one.low, one.high), one.between, strict=True):
        can = [n for n in range(1, 21) if hardness("count_hand", n) + math.log(2) <= end]
        assert step == len(can)


def test_a_range_never_is_as_narrow_as_if_difficulties_were_certain() -> None:
    """However many answers there are, what questions add is a guess of ours."""
    found = [one for day in range(8) for one in counted(8, 16, 25, day=day)]
    one, belief = level(found, 8), track(found, "counting").settled().belief
    low, high = quantiles(belief, (0.025, 0.975))
    assert one.low < low < high < one.high
    assert one.high - one.low > 2 * 1.96 * ITEMS


def test_few_answers_do_not_put_a_child_at_the_start() -> None:
    few, more = level(counted(2, 1, 7), band="7-9"), level(counted(2, 1, 8), band="7-9")
    assert few.shown
    assert (few.standing, more.standing) == ("none", "start")


def test_an_alarm_takes_two_days() -> None:
    first = counted(2, 3, 20, day=1)
    assert not level(first, 1, "7-9").behind
    assert level([*first, *counted(2, 1, 4, day=2)], 2, "7-9").behind
    assert not level([*first, *counted(2, 1, 4, day=2)], 2 + CHECK_AFTER, "7-9").behind


def test_an_alarm_ends_with_a_good_day() -> None:
    poor = [*counted(2, 8, 20, day=1), *counted(2, 1, 4, day=2)]
    assert level(poor, 2, "7-9").behind
    assert not level([*poor, *counted(12, 12, 12, day=5)], 5, "7-9").behind


def test_growth_compares_the_newest_answers_with_those_before() -> None:
    then = [one for day in range(20) for one in counted(4, day % 2 + 1, 2, day=day)]
    same = [one for day in range(40, 60) for one in counted(4, day % 2 + 1, 2, day=day)]
    more = [one for day in range(40, 60) for one in counted(12, day % 2 + 1, 2, day=day)]
    less = [one for day in range(40, 60) for one in counted(1, day % 2, 2, day=day)]
    assert growth(track(then, "counting")) is None
    steady, grown, fell = (
        growth(track([*then, *newer], "counting")) for newer in (same, more, less)
    )
    assert steady is not None
    assert grown is not None
    assert fell is not None
    assert not steady.seen
    assert not steady.fallen
    assert grown.seen
    assert fell.fallen
    assert grown.low < grown.by < grown.high
    assert grown.since == 9


def test_growth_needs_some_answers_before_the_newest() -> None:
    few = [row(day=day) for day in range(LATEST + GROWTH_FROM - 1)]
    assert growth(track(few, "counting")) is None
    assert growth(track([*few, row(day=99)], "counting")) is not None


@pytest.mark.parametrize("strand", STRANDS)
def test_scales_go_from_easy_to_hard(strand: str) -> None:
    scale = SCALES[strand]  # type: ignore[index]
    assert list(scale.steps) == sorted(scale.steps)
    assert list(scale.expected) == sorted(scale.expected)
    assert all(
        0 < a <= b <= len(scale.steps) for a, b in zip(scale.least, scale.expected, strict=True)
    )
    assert len(scale.ranges) == len(scale.tops) + 1
    assert [scale.range_of_step(top) for top in scale.tops] == list(range(len(scale.tops)))
    assert scale.step_at(-99) == 0
    assert scale.step_at(99) == len(scale.steps)


def test_ranges_of_items() -> None:
    places = [range_of(row(number=number)) for number in (1, 5, 6, 10, 11, 20, 21, 52)]
    assert places == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [range_of(row("who_asked", lag=lag)) for lag in (1, 2, 3, 6, 11, 40)] == [
        0,
        0,
        1,
        2,
        3,
        3,
    ]
    old = row(number=0)
    assert Track(strand="counting").after(old).settled().n == 1
