"""Ready-made lessons: the data, and which one comes next."""

from __future__ import annotations

import pytest

from classroom.games import GAMES
from classroom.learning.levels import Level, Standing
from classroom.learning.outlines import OUTLINES, SEQUENCES, next_outline, sequence_of
from classroom.learning.skills import AGE_BANDS, SKILLS
from classroom.learning.tomorrow import ON_PAPER

YOUNG, MIDDLE, OLD = SEQUENCES


def level(standing: Standing, about: int) -> Level:
    return Level(
        strand="adding",
        n=12,
        middle=0.0,
        low=-1.0,
        high=1.0,
        about=about,
        between=(1, 9),
        evidence=(),
        standing=standing,
        shown=True,
        stale=False,
        behind=False,
        last_day=1,
        days=3,
    )


def test_twelve_lessons_for_all_ages() -> None:
    assert [len(one.lessons) for one in SEQUENCES] == [4, 4, 4]
    assert len(OUTLINES) == 12, "keys differ"
    assert [age for one in SEQUENCES for age in one.ages] == list(AGE_BANDS)


@pytest.mark.parametrize("key", OUTLINES)
def test_each_lesson_names_what_there_is(key: str) -> None:
    one = OUTLINES[key]
    assert one.game in GAMES
    assert set(one.skills) <= SKILLS.keys()
    assert any(SKILLS[skill].common_core for skill in one.skills), "a standard"
    assert one.sheet in (None, *ON_PAPER)
    assert 10 <= one.minutes <= 15
    assert len(one.say) == len(one.look) == 3
    assert all(said.endswith(("?", ".")) for said in one.say)


def test_each_lesson_is_for_its_ages() -> None:
    for sequence in SEQUENCES:
        for one in sequence.lessons:
            for skill in one.skills:
                assert any(SKILLS[skill].range_at(band) for band in sequence.ages), one.key


def test_the_sequence_follows_the_place_then_the_age_of_most() -> None:
    assert sequence_of(["5-6", "6-7", "6-7"], None) is MIDDLE
    assert sequence_of(["7-9"], "how-many") is YOUNG
    assert sequence_of([], None) is YOUNG


def test_the_next_lesson_is_the_one_after_the_last() -> None:
    assert next_outline(MIDDLE, None, {}).outline.key == "next-door"
    assert next_outline(MIDDLE, "next-door", {}).outline.key == "five-inside"
    assert next_outline(MIDDLE, "who-asked", {}).outline.key == "next-door", "and round again"


def test_what_most_can_do_is_passed_over() -> None:
    able = {"adding": (level("secure", 10),) * 3 + (level("open", 4),)}
    found = next_outline(MIDDLE, "next-door", able)
    assert [one.key for one in found.passed] == ["five-inside", "ten-friends"]
    assert (found.outline.key, found.known, found.about) == ("who-asked", 0, None)


def test_two_children_are_too_few_to_pass_over_a_lesson() -> None:
    found = next_outline(MIDDLE, "next-door", {"adding": (level("secure", 10),) * 2})
    assert (found.outline.key, found.known, found.able) == ("five-inside", 2, 2)
    assert found.about == (10, 10)
