"""Lines for tomorrow and levels in short, in words that a teacher reads at a glance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classroom.learning.estimates import Share
from classroom.learning.outlines import Next, sequence_of
from classroom.learning.report import Signal
from classroom.learning.skills import STRANDS, Strand
from classroom.learning.tomorrow import (
    GAMES,
    ON_PAPER,
    PLAYED,
    WITH_THINGS,
    ChildTomorrow,
    Suggestion,
    game_for,
    tomorrow,
)
from classroom.web.words.advice_words import why_next, words
from classroom.web.words.filters import together
from classroom.web.words.level_words import reason
from tests.learning.test_tomorrow import level


def test_names_are_joined_as_they_are_read() -> None:
    assert together(["Mia"]) == "Mia"
    assert together(["Mia", "Ben"]) == "Mia and Ben"
    assert together(["Mia", "Ben", "Ada"]) == "Mia, Ben and Ada"


def every_line() -> list[Suggestion]:
    """A line of each sort for each strand that may have it."""
    any_of = Suggestion(deed="focus", why="begun", strand="adding", n=21, right=14, some=3, all=4)
    lines = [replace(any_of, strand=one, skills=("who_asked",)) for one in PLAYED]
    for strand in PLAYED:
        game, numbers = game_for(strand, [level(strand)])
        lines.append(
            replace(any_of, deed="play", why="alike", strand=strand, game=game, numbers=numbers)
        )
    group = replace(any_of, deed="group", why="alike", game="classic", skills=("how_many",))
    lines += [group, replace(group, day=20781)]
    lines += [
        replace(any_of, deed="paper", why="behind", strand=strand, numbers=(2, 6), children=(1, 2))
        for strand in ON_PAPER
    ]
    lines += [
        replace(any_of, deed="things", why="behind", strand=strand, children=(1, 2))
        for strand in WITH_THINGS
    ]
    others = Share(88, 107)
    lines.append(
        replace(any_of, deed="open", why="less", strand="recall", children=(1, 2), others=others)
    )
    return lines


@pytest.mark.parametrize("line", every_line(), ids=lambda one: f"{one.deed}-{one.strand}-{one.why}")
def test_every_line_says_what_to_do_why_and_from_how_many_answers(line: Suggestion) -> None:
    said = words(line, ["Mia", "Ben"])
    assert said.line.endswith(".")
    assert said.why.endswith(".")
    assert bool(said.button) == (line.deed not in ("things", "open"))
    assert str(line.n) in said.why
    assert (line.deed == "focus") == said.line.startswith("Ask the whole class")


IDLE = {"day": 20781, "n": 7, "still": 3, "seconds": 30}
SIGNALS = [
    (
        Signal(
            "behind",
            "adding",
            {"n": 12, "right": 3, "days": (20780, 20781), "line": ("5-6", 4)},
        ),
        "Adding and taking away: likely below the level we expect at ages 5–6 (which is 4, with "
        "half of the answers right), judged on 23 Nov and 24 Nov. 3 of 12 recent answers were "
        "right. Show the same sums with dots, fingers or a ten frame.",
    ),
    (
        Signal("fallen", "recall", {"by": 2.0, "low": 1, "high": 3, "n": 8, "since": 20781}),
        "Remembering: lower than before. Since about 24 Nov, the newest 8 answers have been about "
        "2 levels below the earlier ones.",
    ),
    (
        Signal("leaning", "how_many", {"n": 12, "helped": 9}),
        "Counts how many: 9 of 12 answers were given with help, so little can be said about "
        "working without it.",
    ),
    (
        Signal("guessing", None, {"day": 20781, "fast": 6, "n": 8, "usual_ms": 1240, "right": 2}),
        "Fast guessing on 24 Nov: 6 of the last 8 answers came within 1.2 s, 2 of them right. "
        "Answers from that day do not count towards any level.",
    ),
    (
        Signal("idle", None, {**IDLE, "played_for": 0}),
        "Idle on 24 Nov: on 3 of 7 turns nothing was touched for 30 s or longer.",
    ),
    (
        Signal("idle", None, {**IDLE, "played_for": 2}),
        "Idle on 24 Nov: on 3 of 7 turns nothing was touched for 30 s or longer. A computer friend "
        "played 2 of them.",
    ),
]


@pytest.mark.parametrize(("signal", "said"), SIGNALS)
def test_every_reason_to_look_at_a_child_has_its_numbers(signal: Signal, said: str) -> None:
    assert reason(signal) == said


def test_memory_gets_no_advice_about_dots_and_counting_none_about_the_board() -> None:
    facts = {"n": 12, "right": 3, "helped": 9, "days": (3, 5), "line": ("5-6", 4)}
    told: dict[Strand, list[str]] = {strand: [] for strand in STRANDS}
    for line in every_line():
        said = words(line, ["Mia", "Ben"])
        told[line.strand] += [said.line, said.why, said.button]
    for strand in PLAYED:
        told[strand].append(reason(Signal("behind", strand, facts)))
    told["counting"].append(reason(Signal("leaning", "how_many", facts)))
    for strand, found in told.items():
        page = " ".join(found)
        assert ("board" in page) == (strand == "recall"), strand
        if strand == "recall":
            assert not any(word in page for word in ("dots", "frame", "fingers", "count "))


def test_lines_that_name_one_child_or_many_read_well() -> None:
    behind = level("counting", -4.0, behind=True, standing="start", about=1)
    one = ChildTomorrow(child=1, band="5-6", levels={"counting": behind}, answers={})
    (line, *_) = tomorrow([one])
    said = words(line, ["Theo"])
    assert said.line == "Theo: dots to count on paper, numbers 1 to 4."
    assert said.button == "Print the sheet"
    (line, *_) = tomorrow([one, replace(one, child=2)])
    assert words(line, ["Theo", "Sam"]).button == "Print two sheets"


def test_a_child_that_takes_less_than_the_class_reads_well() -> None:
    one = Suggestion(
        deed="open", why="less", strand="recall", n=15, right=4, some=1, all=6, children=(9,),
        others=Share(88, 107),
    )  # fmt: skip
    said = words(one, ["Theo"])
    assert said.line == (
        "Theo: play with the board open, against fewer players, or Fished my wish."
    )
    assert said.why == (
        "In play this child used 4 of 15 chances to remember (likely 11–52%), and the others used "
        "88 of 107."
    )


def test_every_game_that_is_suggested_has_a_name() -> None:
    assert set(GAMES) | {"adding"} == set(PLAYED)


@pytest.mark.parametrize("strand", ["counting", "recall"])
@pytest.mark.parametrize(
    ("known", "about", "said"), [(1, (7, 7), "one child"), (3, (7, 7), "each"), (3, (5, 9), "from")]
)
def test_a_ready_made_lesson_says_what_is_known_of_the_levels(
    strand: Strand, known: int, about: tuple[int, int], said: str
) -> None:
    lessons = sequence_of(["6-7"], None)
    outline = next(one for one in lessons.lessons if one.strand == strand)
    found = Next(outline, (), known, known, about, Share(8, 10))
    words = why_next(lessons, found)
    assert said in words
    assert "8 of 10" in words
    for number in set(about):
        assert f"about {number}" in words
    assert ("from" in words) == (about[0] != about[1])


@pytest.mark.parametrize("known", [1, 3])
def test_one_ask_ago_is_the_latest_ask(known: int) -> None:
    lessons = sequence_of(["6-7"], None)
    outline = next(one for one in lessons.lessons if one.strand == "recall")
    words = why_next(lessons, Next(outline, (), known, known, (1, 1), Share(8, 10)))
    assert "the latest ask; in play " in words
    assert "used 8 of 10" in words
    assert "asks ago" not in words
