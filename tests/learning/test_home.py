"""What a family is told first: what the child can do, what comes next, and an idea for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from classroom.learning.levels import Evident, Level, Standing
from classroom.learning.report import HomeSteps, at_home
from classroom.learning.skills import STRANDS, Strand
from classroom.learning.tracks import SCALES
from classroom.web.words.advice_words import IDEAS, family_sentences
from classroom.web.words.level_words import level_words, short_words


def level(
    strand: Strand, about: int, *, n: int = 12, shown: bool = True, stale: bool = False
) -> Level:
    standing: Standing = "partly" if shown else "none"
    return Level(
        strand=strand,
        n=n,
        middle=0.0,
        low=-1.0,
        high=1.0,
        about=about,
        between=(max(1, about - 2), about + 2),
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


def test_the_three_sentences_are_about_one_strand_and_fit() -> None:
    said = family_sentences("Mia", of(level("counting", 7), level("adding", 2)))
    assert said == (
        "Mia counts up to about seven.",
        "What comes next: counting eight to ten things.",
        "At home: lay the table and ask how many spoons there are, and how many more are needed.",
    )


def test_a_child_of_whom_nothing_is_known_has_just_begun() -> None:
    for levels in ({}, of(level("adding", 4, shown=False))):
        begun, idea = family_sentences("Mia", levels)
        assert begun.startswith("Mia has just begun")
        assert idea.startswith("At home: count the stairs")


def test_another_strand_is_told_of_only_where_the_child_is_clearly_further() -> None:
    for adding, told in ((14, "counting"), (15, "adding")):
        found = at_home(of(level("adding", adding), level("counting", 12))).level
        assert found is not None
        assert found.strand == told
    assert at_home(of(level("adding", 2), level("counting", 3))).next == HomeSteps("counting", 4, 6)


def test_nothing_is_told_of_a_level_that_luck_may_explain() -> None:
    begun, _ = family_sentences("Ada", of(level("adding", 0)))
    assert begun.startswith("Ada has just begun")


def test_the_next_numbers_are_all_words_or_all_figures() -> None:
    for about in range(1, 20):
        words = family_sentences("Mia", of(level("counting", about)))[1].rstrip(".").split()
        first, last = words[-3 if "to" in words else -1], words[-1]
        assert first.isdigit() == last.isdigit()


def test_after_the_last_step_there_is_still_something_to_come() -> None:
    steps = len(SCALES["counting"].steps)
    assert family_sentences("Zoë", of(level("counting", steps)))[1] == (
        "What comes next: numbers over twenty."
    )


def test_a_level_that_is_not_known_or_old_gives_way_to_others() -> None:
    levels = of(
        level("counting", 15, stale=True),
        level("sorting", 3),
        level("comparing", 12, shown=False),
    )
    told = at_home(levels)
    assert told.level is not None
    assert (told.level.strand, told.next.strand) == ("sorting", "sorting")


def test_a_strand_with_few_answers_gives_way_to_one_with_more() -> None:
    told = at_home(of(level("comparing", 4, n=3), level("adding", 4, n=30)))
    assert told.next == HomeSteps("adding", 5, 7)


def test_remembering_is_told_of_where_no_mathematics_is_known() -> None:
    assert at_home(of(level("recall", 4), level("adding", 1))).next.strand == "adding"
    assert family_sentences("Mia", of(level("recall", 4)))[0].startswith(
        "Mia remembers who asked for what, up to about four asks ago."
    )


def test_of_remembering_a_family_reads_what_was_taken_in_play() -> None:
    taken = (Evident("1-2", 8, 8), Evident("3-5", 12, 12), Evident(">10", 3, 6))
    told = family_sentences("Mia", of(replace(level("recall", 4), evidence=taken)))[0]
    assert told.endswith(
        "up to about four asks ago. Remembered in play: 20 of 20 within five asks, 3 of 6 later."
    )


def test_one_ask_is_not_called_asks() -> None:
    said, *_ = family_sentences("Mia", of(level("recall", 1)))
    assert "remembers the latest ask: who asked" in said
    found = replace(level("recall", 1), between=(0, 3))
    assert level_words(found) == "Remembers the latest ask (somewhere between 0 and 3)."


@pytest.mark.parametrize(
    ("about", "between", "long", "short"),
    [
        (7, (5, 10), "Counts up to about 7 (somewhere between 5 and 10).", "about 7 (5–10)"),
        (7, (7, 7), "Counts up to about 7.", "about 7"),
        (0, (1, 4), "Counts up to 4 at most.", "4 at most"),
        (0, (1, 1), "Is just beginning to count sets.", "just begun"),
    ],
)
def test_a_level_in_words_says_the_middle_and_its_range(
    about: int, between: tuple[int, int], long: str, short: str
) -> None:
    found = replace(level("counting", about), between=between)
    assert (level_words(found), short_words(found)) == (long, short)


@pytest.mark.parametrize("strand", STRANDS)
def test_every_level_of_a_strand_has_three_kind_sentences(strand: Strand) -> None:
    steps = len(SCALES[strand].steps)
    for about in range(1, steps + 1):
        said = family_sentences("Mia", of(level(strand, about)))
        assert len(said) == 3
        for one in said:
            assert one.endswith((".", "?"))
            assert "%" not in one
            assert "None" not in one


def test_each_strand_has_enough_ideas_and_all_of_them_are_used() -> None:
    for strand in STRANDS:
        used = {
            family_sentences("Mia", of(level(strand, about)))[-1]
            for about in range(1, len(SCALES[strand].steps) + 1)
        }
        assert len(used) == len(set(IDEAS[strand])) >= (2 if strand == "recall" else 3)
