"""The skills that children practise, with their standards, number ranges and guess rates. See
docs/learning.md. The recall skills are about memory and have no maths standard."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Final, Literal

# ---- The standard for each skill in the Common Core State Standards and in England
#
# Memory has no standard. A school and its classes choose which of the two standards is shown.

COMMON_CORE: Final[dict[str, str]] = {
    "subitizing": "K.CC.B.4",
    "how_many": "K.CC.B.5",
    "give_n": "K.CC.B.5",
    "mixed": "K.CC.B.4.b",
    "numeral_dots": "K.CC.A.3",
    "next_before": "K.CC.A.2",
    "count_on": "1.OA.C.5",
    "teens": "K.NBT.A.1",
    "who_has_more": "K.CC.C.6",
    "how_many_more": "1.OA.A.1",
    "make_book": "K.OA.A.2",
    "make_five": "K.OA.A.5",
    "bonds": "K.OA.A.3",
    "make_ten": "K.OA.A.4",
    "doubles": "1.OA.C.6",
    "add_books": "1.OA.C.6",
    "add_three": "1.OA.A.2",
    "take_away": "K.OA.A.1",
    "sorting": "K.MD.B.3",
}
"""Codes in the Common Core State Standards for Mathematics, K to 2. The code for `subitizing` is
only the nearest code: seeing numbers at a glance comes earlier and has no code of its own."""

ENGLAND: Final[dict[str, str]] = {
    "subitizing": "EYFS ELG Number: subitise up to 5",
    "how_many": "EYFS ELG Number: have a deep understanding of number to 10",
    "give_n": "EYFS ELG Number: have a deep understanding of number to 10",
    "mixed": "EYFS ELG Number: have a deep understanding of number to 10",
    "numeral_dots": "Y1 Number: read and write numbers from 1 to 20 in numerals and words",
    "next_before": "Y1 Number: given a number, identify one more and one less",
    "count_on": "Y1 Number: count forwards and backwards from any given number",
    "teens": "Y1 Number: identify and represent numbers using objects and pictures",
    "who_has_more": "EYFS ELG Numerical Patterns: compare quantities up to 10",
    "how_many_more": "Y1 Number: solve one-step problems that involve subtraction",
    "make_book": "Y1 Number: solve missing number problems",
    "make_five": "EYFS ELG Number: automatically recall number bonds up to 5",
    "bonds": "Y1 Number: represent and use number bonds within 20",
    "make_ten": "EYFS ELG Number: recall some number bonds to 10",
    "doubles": "EYFS ELG Numerical Patterns: represent double facts",
    "add_books": "Y1 Number: add one-digit and two-digit numbers to 20",
    "add_three": "Y2 Number: adding three one-digit numbers",
    "take_away": "Y1 Number: subtract one-digit and two-digit numbers to 20",
    "sorting": "Y2 Statistics: counting the number of objects in each category",
}
"""Early learning goals (EYFS ELG) and shortened statements of England's national curriculum."""


Strand = Literal["counting", "comparing", "adding", "sorting", "recall"]

STRANDS: Final[tuple[Strand, ...]] = ("counting", "comparing", "adding", "sorting", "recall")
AGE_BANDS: Final = ("4-5", "5-6", "6-7", "7-9")
OPTIONS: Final = {"4-5": 3, "5-6": 6, "6-7": 8, "7-9": 8}
"""The largest number of choices at each age; more than four are shown only if they are numerals."""


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill that children can learn in play.

    `name`: a name for adults. `ranges`: for each of AGE_BANDS the smallest and greatest number
    asked about, or None if the skill is not asked about at that age. `kinds`: the kinds of question
    about the skill. `strand`: the strand in which it is reported.
    """

    key: str
    name: str
    ranges: tuple[tuple[int, int] | None, ...]
    kinds: tuple[str, ...]
    strand: Strand

    @property
    def common_core(self) -> str | None:
        """The skill's Common Core standard; None for memory."""
        return COMMON_CORE.get(self.key)

    @property
    def england(self) -> str | None:
        """The skill's standard in England; None for memory."""
        return ENGLAND.get(self.key)

    @property
    def asked(self) -> bool:
        """Whether there are questions about the skill; otherwise its evidence comes from play."""
        return bool(self.kinds)

    def range_at(self, band: str) -> tuple[int, int] | None:
        """Return the smallest and greatest number asked about at an age, or None (see `ranges`)."""
        return self.ranges[AGE_BANDS.index(band)]


def _counting(
    key: str,
    name: str,
    ranges: tuple[tuple[int, int] | None, ...],
    *kinds: str,
    strand: Strand = "counting",
) -> Skill:
    return Skill(key, name, ranges, kinds, strand)


def _recall(key: str, name: str, *kinds: str) -> Skill:
    ranges = ((1, 5), (1, 10), (1, 20), (1, 40))  # lags, in asks
    return Skill(key, name, ranges, kinds, "recall")


# fmt: off
_ALL: Final = (
    _counting("subitizing", "Sees how many at a glance", ((1, 4), (1, 5), (1, 5), (1, 6)), "flash"),
    _counting("how_many", "Counts how many", ((1, 6), (1, 10), (1, 20), (1, 20)),
        "count_class", "count_hand", "count_pips", "count_books", "given"),
    _counting("give_n", "Counts out a number of things", ((1, 5), (1, 8), (1, 10), (1, 10)),
        "give"),
    _counting("mixed", "Knows that mixing does not change the number",
        ((1, 5), (1, 10), (1, 10), (1, 10)), "mixed"),
    _counting("numeral_dots", "Reads numerals", ((1, 5), (0, 10), (0, 20), (0, 20)),
        "dots_to_numeral", "numeral_to_dots", "hear_numeral"),
    _counting("next_before", "Number after and before", ((1, 5), (1, 10), (1, 20), (1, 52)),
        "next", "before", "between"),
    _counting("count_on", "Counts on and back", (None, (1, 10), (1, 20), (1, 52)),
        "count_on", "count_back"),
    _counting("teens", "Teens as ten and ones", (None, (11, 19), (11, 19), (11, 19)),
        "ten_and", "ones_of"),
    _counting("who_has_more", "Who has more?", ((1, 5), (1, 10), (1, 20), (1, 20)),
        "most_cards", "fewest_cards", "most_books", "greatest_number", "smallest_number",
        strand="comparing"),
    _counting("how_many_more", "How many more does the other player have?",
        (None, (1, 10), (1, 10), (1, 10)), "how_many_more", strand="comparing"),
    _counting("make_book", "How many more to make the book?", ((1, 4), (1, 5), (1, 10), (1, 10)),
        "more_for_book", strand="adding"),
    _counting("make_five", "Make 5", ((0, 5), (0, 5), (0, 5), (0, 5)),
        "complement_5", strand="adding"),
    _counting("bonds", "Make 6, 7, 8 or 9", (None, (6, 9), (6, 9), (6, 9)),
        "complement_6", "complement_7", "complement_8", "complement_9", strand="adding"),
    _counting("make_ten", "Make 10", (None, (0, 10), (0, 10), (0, 10)),
        "complement_10", strand="adding"),
    _counting("doubles", "Doubles", (None, (2, 10), (2, 20), (2, 20)), "double", strand="adding"),
    _counting("add_books", "Adds two numbers", ((1, 5), (1, 10), (1, 20), (1, 20)),
        "books_of_all", "points_of_two", "got_more", "cards_of_two", strand="adding"),
    _counting("add_three", "Adds three numbers or more", (None, (1, 10), (1, 20), (1, 20)),
        "books_of_three", strand="adding"),
    _counting("take_away", "Takes away", ((1, 5), (1, 10), (1, 20), (1, 20)),
        "left_after_draw", "swim_away", "books_missing", strand="adding"),
    _counting("sorting", "Sorts by shape, colour or number", ((1, 5), (1, 10), (1, 10), (1, 20)),
        "belongs", "count_kind", strand="sorting"),
    _recall("who_asked", "Who asked for it?", "who_asked", "who_asked_last"),
    _recall("what_asked", "What did they ask for?", "what_asked"),
    _recall("been_asked", "Has anyone asked for it?", "which_asked"),
    _recall("order_asked", "Who asked first?", "who_asked_first"),
    _recall("recall_ask", "Asks the player who must have it"),
)
# fmt: on

SKILLS: Final[dict[str, Skill]] = {skill.key: skill for skill in _ALL}

RECALL: Final = tuple(key for key, skill in SKILLS.items() if skill.strand == "recall")
IN_PLAY: Final = "recall_ask"  # the skill for which asks in play are evidence
ASKED: Final = tuple(key for key, skill in SKILLS.items() if skill.asked)
SKILL_OF: Final[dict[str, str]] = {
    kind: skill.key for skill in SKILLS.values() for kind in skill.kinds
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The limits of a child's questions, which a parent sets within the teacher's limits.

    `low`, `high`: the smallest and greatest number. `skills`: the keys of the allowed skills.
    `options`: the largest number of choices, 3 to 11. `band`: the child's age, one of AGE_BANDS;
    the range of a skill at that age applies too. `reach`: by strand, a later age whose numbers the
    child gets because it can already do the steps expected at its own age.
    """

    low: int
    high: int
    skills: frozenset[str]
    options: int = 4
    band: str = "5-6"
    reach: Mapping[Strand, str] = field(default_factory=dict)

    def within(self, outer: Bounds) -> Bounds:
        """Return these bounds limited by the outer bounds (the teacher's). If the two number ranges
        do not overlap, the outer range is used."""
        low, high = max(self.low, outer.low), min(self.high, outer.high)
        if low > high:
            low, high = outer.low, outer.high
        options = min(self.options, outer.options)
        return replace(self, low=low, high=high, skills=self.skills & outer.skills, options=options)

    def of(self, skill: Skill) -> Bounds:
        """Return the bounds with the age that `reach` gives for the skill's strand, if any."""
        band = self.reach.get(skill.strand, self.band)
        if band == self.band:
            return self
        return replace(self, band=band, options=max(self.options, OPTIONS[band]), reach={})

    def numbers(self, skill: Skill) -> tuple[int, int] | None:
        """Return a skill's range of numbers (for recall, of lags) within these bounds, or None."""
        span = skill.range_at(self.band)
        if span is None or skill.key not in self.skills:
            return None
        if skill.strand == "recall":
            return span
        low, high = max(span[0], self.low), min(span[1], self.high)
        return (low, high) if low <= high else None


def bounds_at(band: str) -> Bounds:
    """Return the usual bounds at an age: all skills and options of that age, and all numbers."""
    skills = frozenset(key for key in ASKED if SKILLS[key].range_at(band) is not None)
    return Bounds(low=0, high=52, skills=skills, options=OPTIONS[band], band=band)


# ---- How often a question is answered right without any knowledge
#
# Each rate belongs to the best of several guessing strategies (always the same place, never the
# place of the last right answer, the smallest, the middle, the most common answer ...). `python -m
# tools.luck` measures the rates in random rounds and writes the table; a test checks a sample.

RATES: Final[dict[str, float]] = tomllib.loads(
    files("classroom").joinpath("data/luck.toml").read_text(encoding="utf-8")
)
PAD: Final = 6  # from this many options on, numerals are shown in order, as on a number pad


def answered_by(face: str, options: int) -> str:
    """Return the way of answering: the face of the options, or "pad" for many numerals."""
    return "pad" if face == "numeral" and options >= PAD else face


def guess_rate(kind: str, face: str, options: int) -> float:
    """Return how often the best guesser is right: at least as often as a random tap is."""
    return max(RATES.get(f"{kind} {answered_by(face, options)} {options}", 0.0), 1 / options)
