"""What a family is told first: what the child can do best, what is new, and an idea for it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from classroom.learning.home import Steps, at_home
from classroom.learning.levels import Evident, Level, Standing
from classroom.learning.scales import SCALES
from classroom.learning.skills import STRANDS, Strand
from classroom.web.words.home_words import IDEAS, sentences
from classroom.web.words.level_words import level_words


def level(
    strand: Strand, sure: int, some: int, *, n: int = 12, shown: bool = True, stale: bool = False
) -> Level:
    standing: Standing = "partly" if shown else "none"
    return Level(
        strand=strand,
        n=n,
        middle=0.0,
        low=-1.0,
        high=1.0,
        sure=sure,
        some=some,
        likely=(sure, some),
        evidence=(Evident("1-5", n, n),),
        standing=standing,
        shown=shown,
        stale=stale,
        behind=False,
        days=3,
        last_day=0,
    )


def of(*levels: Level) -> Mapping[Strand, Level]:
    return {one.strand: one for one in levels}


def test_the_three_sentences_of_one_strand() -> None:
    said = sentences("Mia", of(level("counting", 7, 10)))
    assert said == (
        "Mia counts to seven surely.",
        "New: counting eight to ten.",
        "At home: lay the table and ask how many spoons are there, and how many more are needed.",
    )


def test_a_child_of_whom_nothing_is_known_has_just_begun() -> None:
    for levels in ({}, of(level("adding", 4, 9, shown=False))):
        begun, new, idea = sentences("Mia", levels)
        assert begun.startswith("Mia has just begun")
        assert new == "New: counting one to three."
        assert idea.startswith("At home: count the stairs")


def test_the_surest_strand_is_told_first_and_the_least_far_one_is_new() -> None:
    told = at_home(of(level("adding", 2, 3), level("counting", 12, 14)))
    assert told.best is not None
    assert told.best.strand == "counting"
    assert told.new == Steps("adding", 4, 6)


def test_what_has_just_begun_is_not_called_sure() -> None:
    begun, new, _ = sentences("Ada", of(level("counting", 1, 3)))
    assert begun == "Ada has begun to count: to three so far."
    assert new == "New: counting four to six."
    assert sentences("Ada", of(level("adding", 0, 0)))[0] == "Ada has begun to add."


def test_after_the_last_step_there_is_still_something_new() -> None:
    steps = len(SCALES["counting"].steps)
    assert sentences("Zoë", of(level("counting", steps, steps)))[1] == "New: numbers over twenty."


def test_a_level_that_is_not_known_or_old_gives_way_to_others() -> None:
    levels = of(
        level("counting", 15, 20, stale=True),
        level("sorting", 3, 4),
        level("comparing", 12, 12, shown=False),
    )
    told = at_home(levels)
    assert told.best is not None
    assert (told.best.strand, told.new.strand) == ("sorting", "sorting")


def test_a_strand_with_few_answers_gives_way_to_one_with_more() -> None:
    told = at_home(of(level("comparing", 0, 4, n=3), level("adding", 4, 9, n=30)))
    assert told.new == Steps("adding", 5, 7)


def test_remembering_is_told_of_where_no_mathematics_is_known() -> None:
    assert at_home(of(level("recall", 4, 5), level("adding", 1, 1))).new.strand == "adding"
    assert sentences("Mia", of(level("recall", 4, 5)))[0] == (
        "Mia surely remembers who asked for what, up to four asks back."
    )


def test_one_ask_is_not_called_asks() -> None:
    newest = level("recall", 1, 1)
    assert "the newest ask." in sentences("Mia", of(newest))[0]
    assert level_words(newest) == "Remembers the newest ask surely."
    assert level_words(level("recall", 1, 3)) == (
        "Remembers the newest ask surely, what was asked up to 3 asks ago sometimes."
    )


@pytest.mark.parametrize("strand", STRANDS)
def test_every_level_of_a_strand_has_three_kind_sentences(strand: Strand) -> None:
    steps = len(SCALES[strand].steps)
    for sure in range(steps + 1):
        for some in range(sure, steps + 1):
            said = sentences("Mia", of(level(strand, sure, some)))
            assert len(said) == 3
            for one in said:
                assert one.endswith((".", "?"))
                assert "%" not in one
                assert "None" not in one


def test_each_strand_has_enough_ideas_and_all_of_them_are_used() -> None:
    for strand in STRANDS:
        used = {
            sentences("Mia", of(level(strand, sure, sure)))[2]
            for sure in range(len(SCALES[strand].steps) + 1)
        }
        assert len(used) == len(set(IDEAS[strand])) >= (2 if strand == "recall" else 3)
