"""The skills that children practise, with their standards, number ranges and guess rates.

See docs/learning.md. Recall is memory and never has a maths standard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from classroom.learning.standards import COMMON_CORE, ENGLAND

Strand = Literal["counting", "comparing", "adding", "sorting", "recall"]
GuessRule = Literal["options", "legal_asks"]

STRANDS: Final[tuple[Strand, ...]] = ("counting", "comparing", "adding", "sorting", "recall")
AGE_BANDS: Final = ("4-5", "5-6", "6-7", "7-9")
OPTIONS: Final = {"4-5": 3, "5-6": 6, "6-7": 8, "7-9": 8}
"""The most choices shown at each age; more than four only of numerals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One thing that can be learned in play.

    `name`: for adults. `word`: key of the words for children, which are in templates.
    `common_core`, `england`: its standard in either, None for memory. `ranges`: for each of
    AGE_BANDS the smallest and greatest number asked about, or None if the skill is not asked about
    at that age. `kinds`: the kinds of question that show it. `guess`: what the guess rate follows
    from: the options of the question, or the legal asks in play. `strand`: what it is reported
    under.
    """

    key: str
    name: str
    word: str
    common_core: str | None
    england: str | None
    ranges: tuple[tuple[int, int] | None, ...]
    kinds: tuple[str, ...]
    guess: GuessRule
    strand: Strand

    @property
    def asked(self) -> bool:
        """Whether there are questions for it; otherwise it shows only in play."""
        return bool(self.kinds)

    def range_at(self, band: str) -> tuple[int, int] | None:
        """Return the smallest and greatest number asked about at an age, or None."""
        return self.ranges[AGE_BANDS.index(band)]


def _counting(
    key: str,
    name: str,
    ranges: tuple[tuple[int, int] | None, ...],
    *kinds: str,
    strand: Strand = "counting",
) -> Skill:
    return Skill(
        key=key,
        name=name,
        word=f"skill.{key}",
        common_core=COMMON_CORE[key],
        england=ENGLAND[key],
        ranges=ranges,
        kinds=kinds,
        guess="options",
        strand=strand,
    )


def _recall(key: str, name: str, *kinds: str) -> Skill:
    ranges = ((1, 5), (1, 10), (1, 20), (1, 40))  # how many asks back
    guess: GuessRule = "options" if kinds else "legal_asks"
    return Skill(
        key=key,
        name=name,
        word=f"skill.{key}",
        common_core=None,
        england=None,
        ranges=ranges,
        kinds=kinds,
        guess=guess,
        strand="recall",
    )


SKILLS: Final[dict[str, Skill]] = {
    skill.key: skill
    for skill in (
        _counting(
            "subitizing",
            "Sees how many at a glance",
            ((1, 4), (1, 5), (1, 5), (1, 6)),
            "flash",
        ),
        _counting(
            "how_many",
            "Counts how many",
            ((1, 6), (1, 10), (1, 20), (1, 20)),
            "count_class",
            "count_hand",
            "count_pips",
            "count_books",
            "given",
        ),
        _counting(
            "give_n",
            "Counts out a number of things",
            ((1, 5), (1, 8), (1, 10), (1, 10)),
            "give",
        ),
        _counting(
            "mixed",
            "Knows that mixing changes no number",
            ((1, 5), (1, 10), (1, 10), (1, 10)),
            "mixed",
        ),
        _counting(
            "numeral_dots",
            "Reads numerals",
            ((1, 5), (0, 10), (0, 20), (0, 20)),
            "dots_to_numeral",
            "numeral_to_dots",
            "hear_numeral",
        ),
        _counting(
            "next_before",
            "Number after and before",
            ((1, 5), (1, 10), (1, 20), (1, 52)),
            "next",
            "before",
            "between",
        ),
        _counting(
            "count_on",
            "Counts on and back",
            (None, (1, 10), (1, 20), (1, 52)),
            "count_on",
            "count_back",
        ),
        _counting(
            "teens",
            "Teens as ten and ones",
            (None, (11, 19), (11, 19), (11, 19)),
            "ten_and",
            "ones_of",
        ),
        _counting(
            "who_has_more",
            "Who has more?",
            ((1, 5), (1, 10), (1, 20), (1, 20)),
            "most_cards",
            "fewest_cards",
            "most_books",
            "greatest_number",
            "smallest_number",
            strand="comparing",
        ),
        _counting(
            "how_many_more",
            "How many more has the other?",
            (None, (1, 10), (1, 10), (1, 10)),
            "how_many_more",
            strand="comparing",
        ),
        _counting(
            "make_book",
            "How many more to make the book?",
            ((1, 4), (1, 5), (1, 10), (1, 10)),
            "more_for_book",
            strand="adding",
        ),
        _counting(
            "make_five",
            "Make 5",
            ((0, 5), (0, 5), (0, 5), (0, 5)),
            "complement_5",
            strand="adding",
        ),
        _counting(
            "bonds",
            "Make 6, 7, 8 or 9",
            (None, (6, 9), (6, 9), (6, 9)),
            "complement_6",
            "complement_7",
            "complement_8",
            "complement_9",
            strand="adding",
        ),
        _counting(
            "make_ten",
            "Make 10",
            (None, (0, 10), (0, 10), (0, 10)),
            "complement_10",
            strand="adding",
        ),
        _counting(
            "doubles",
            "Doubles",
            (None, (2, 10), (2, 20), (2, 20)),
            "double",
            strand="adding",
        ),
        _counting(
            "add_books",
            "Adds two numbers",
            ((1, 5), (1, 10), (1, 20), (1, 20)),
            "books_of_all",
            "points_of_two",
            "got_more",
            "cards_of_two",
            strand="adding",
        ),
        _counting(
            "add_three",
            "Adds three numbers or more",
            (None, (1, 10), (1, 20), (1, 20)),
            "books_of_three",
            strand="adding",
        ),
        _counting(
            "take_away",
            "Takes away",
            ((1, 5), (1, 10), (1, 20), (1, 20)),
            "left_after_draw",
            "swim_away",
            strand="adding",
        ),
        _counting(
            "sorting",
            "Sorts by shape, colour or number",
            ((1, 5), (1, 10), (1, 10), (1, 20)),
            "belongs",
            "count_kind",
            strand="sorting",
        ),
        _recall("who_asked", "Who asked for it?", "who_asked", "who_asked_last"),
        _recall("what_asked", "What did they ask for?", "what_asked"),
        _recall("been_asked", "Has it been asked?", "which_asked"),
        _recall("order_asked", "Who asked first?", "who_asked_first"),
        _recall("recall_ask", "Asks the player who must have it"),
    )
}

RECALL: Final = tuple(key for key, skill in SKILLS.items() if skill.strand == "recall")
IN_PLAY: Final = "recall_ask"  # the skill for which asks in play are evidence
ASKED: Final = tuple(key for key, skill in SKILLS.items() if skill.asked)
KINDS: Final[dict[str, str]] = {
    kind: skill.key for skill in SKILLS.values() for kind in skill.kinds
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Which questions a child may be asked: set by the parent, bounded by the teacher.

    `low`, `high`: smallest and greatest number. `skills`: keys. `options`: the most choices shown,
    3 to 11. `band`: the child's age, one of AGE_BANDS; a skill's own range at that age applies as
    well. `reach`: by strand, the later age whose numbers the child gets, because it can already do
    what is expected at its own.
    """

    low: int
    high: int
    skills: frozenset[str]
    options: int = 4
    band: str = "5-6"
    reach: Mapping[Strand, str] = field(default_factory=dict)

    def within(self, outer: Bounds) -> Bounds:
        """Return these bounds, cut down to the outer ones (the teacher's).

        If the two number ranges do not overlap, the outer range is taken.
        """
        low, high = max(self.low, outer.low), min(self.high, outer.high)
        if low > high:
            low, high = outer.low, outer.high
        skills = self.skills & outer.skills
        return Bounds(
            low=low,
            high=high,
            skills=skills,
            options=min(self.options, outer.options),
            band=self.band,
        )

    def of(self, skill: Skill) -> Bounds:
        """Return the bounds of a skill, at the age whose numbers the child gets in its strand."""
        band = self.reach.get(skill.strand, self.band)
        if band == self.band:
            return self
        return replace(self, band=band, options=max(self.options, OPTIONS[band]), reach={})

    def numbers(self, skill: Skill) -> tuple[int, int] | None:
        """Return a skill's number range within these bounds, or None; for recall, how many asks
        back."""
        span = skill.range_at(self.band)
        if span is None or skill.key not in self.skills:
            return None
        if skill.strand == "recall":
            return span
        low, high = max(span[0], self.low), min(span[1], self.high)
        return (low, high) if low <= high else None


def bounds_at(band: str) -> Bounds:
    """Return the usual bounds at an age: all its skills, and the options of that age."""
    skills = frozenset(key for key in ASKED if SKILLS[key].range_at(band) is not None)
    return Bounds(low=0, high=52, skills=skills, options=OPTIONS[band], band=band)
