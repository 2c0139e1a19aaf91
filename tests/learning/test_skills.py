"""The catalogue of skills is complete, and bounds hold."""

from __future__ import annotations

import re

import pytest

from classroom.learning.number_questions import MAKERS
from classroom.learning.recall_questions import REMEMBERING
from classroom.learning.skills import (
    AGE_BANDS,
    ASKED,
    RECALL,
    SKILL_OF,
    SKILLS,
    Bounds,
    bounds_at,
)

CODE = re.compile(r"^(K|1|2)\.(CC|OA|MD|NBT)\.[A-D]\.[1-8](\.[a-c])?$")
LINE = re.compile(r"^(EYFS ELG|Y[12]) (Number|Numerical Patterns|Statistics): [a-z]")


def test_every_skill_of_the_catalogue_exists() -> None:
    assert set(SKILLS) == {
        "subitizing", "how_many", "give_n", "mixed", "numeral_dots", "next_before", "count_on",
        "teens", "who_has_more", "how_many_more", "make_book", "make_five", "bonds", "make_ten",
        "doubles", "add_books", "add_three", "take_away", "sorting", "who_asked", "what_asked",
        "been_asked", "order_asked", "recall_ask",
    }  # fmt: skip


def test_recall_is_memory_and_not_a_maths_standard() -> None:
    assert set(RECALL) == {"who_asked", "what_asked", "been_asked", "order_asked", "recall_ask"}
    assert all(SKILLS[key].common_core is SKILLS[key].england is None for key in RECALL)


@pytest.mark.parametrize("key", [key for key in SKILLS if key not in RECALL])
def test_every_other_skill_has_one_standard_of_either_country(key: str) -> None:
    assert CODE.match(SKILLS[key].common_core or "")
    assert LINE.match(SKILLS[key].england or "")


def test_every_kind_of_question_has_one_maker_and_one_skill() -> None:
    makers = [*MAKERS, *REMEMBERING]
    assert sorted(makers) == sorted(SKILL_OF)
    assert len(makers) == len(set(makers))


@pytest.mark.parametrize("skill", SKILLS.values(), ids=lambda skill: skill.key)
def test_number_ranges_grow_with_age(skill) -> None:  # type: ignore[no-untyped-def]
    assert len(skill.ranges) == len(AGE_BANDS)
    spans = [span for span in skill.ranges if span is not None]
    assert spans
    assert all(low <= high for low, high in spans)
    assert [high for _, high in spans] == sorted(high for _, high in spans)
    assert skill.ranges[-1] is not None


@pytest.mark.parametrize("band", AGE_BANDS)
def test_the_default_bounds_of_an_age_allow_only_its_skills(band: str) -> None:
    bounds = bounds_at(band)
    for key in ASKED:
        assert (bounds.numbers(SKILLS[key]) is not None) == (SKILLS[key].range_at(band) is not None)
    assert bounds.options >= 3


def test_a_parent_stays_within_the_teachers_bounds() -> None:
    parent = Bounds(low=0, high=20, skills=frozenset({"how_many", "make_ten"}), options=6)
    teacher = Bounds(low=1, high=10, skills=frozenset({"how_many", "who_asked"}), options=4)
    assert parent.within(teacher) == Bounds(
        low=1, high=10, skills=frozenset({"how_many"}), options=4
    )


def test_the_teachers_range_wins_if_ranges_do_not_meet() -> None:
    both = Bounds(low=15, high=20, skills=frozenset(ASKED)).within(
        Bounds(low=1, high=5, skills=frozenset(ASKED))
    )
    assert (both.low, both.high) == (1, 5)


def test_a_number_range_is_cut_by_age_and_bounds() -> None:
    bounds = Bounds(low=3, high=8, skills=frozenset({"how_many", "who_asked"}), band="5-6")
    assert bounds.numbers(SKILLS["how_many"]) == (3, 8)
    assert bounds.numbers(SKILLS["make_ten"]) is None
    assert bounds.numbers(SKILLS["who_asked"]) == (1, 10)  # lags in asks, not numbers
