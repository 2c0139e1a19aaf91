"""The skills that children practise, with their standards, number ranges and guess rates.

See docs/learning.md. Recall is memory and never has a maths standard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Area = Literal["counting", "recall", "sorting"]
GuessRule = Literal["options", "legal_asks"]

AGE_BANDS: Final = ("4-5", "5-6", "6-7", "7-9")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One thing that can be learned in play.

    `name`: for adults. `word`: key of the words for children, which are in templates. `standards`:
    codes, or None. `ranges`: for each of AGE_BANDS the smallest and greatest number asked about, or
    None if the skill is not asked about at that age. `kinds`: the kinds of question that show it.
    `guess`: what the guess rate is: one over the number of options, or the share of the legal asks
    that would have been right. `area`: its heading on adults' pages.
    """

    key: str
    name: str
    word: str
    standards: tuple[str, ...] | None
    ranges: tuple[tuple[int, int] | None, ...]
    kinds: tuple[str, ...]
    guess: GuessRule
    area: Area

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
    standards: str,
    ranges: tuple[tuple[int, int] | None, ...],
    *kinds: str,
    area: Area = "counting",
) -> Skill:
    codes = tuple(standards.split()) or None
    return Skill(
        key=key,
        name=name,
        word=f"skill.{key}",
        standards=codes,
        ranges=ranges,
        kinds=kinds,
        guess="options",
        area=area,
    )


def _recall(key: str, name: str, *kinds: str) -> Skill:
    ranges = ((1, 5), (1, 10), (1, 20), (1, 40))  # how many asks back
    guess: GuessRule = "options" if kinds else "legal_asks"
    return Skill(
        key=key,
        name=name,
        word=f"skill.{key}",
        standards=None,
        ranges=ranges,
        kinds=kinds,
        guess=guess,
        area="recall",
    )


SKILLS: Final[dict[str, Skill]] = {
    skill.key: skill
    for skill in (
        _counting(
            "subitizing",
            "Sees how many at a glance",
            "",  # precursor of K.CC.B.4: a preschool skill without a code of its own
            ((1, 4), (1, 5), (1, 5), (1, 6)),
            "flash",
        ),
        _counting(
            "how_many",
            "How many cards?",
            "K.CC.B.4 K.CC.B.5",
            ((1, 6), (1, 10), (1, 20), (1, 20)),
            "count_class",
            "count_hand",
            "count_pips",
        ),
        _counting(
            "give_n",
            "Gives a number of cards",
            "K.CC.B.5",
            ((1, 5), (1, 8), (1, 10), (1, 10)),
            "give",
        ),
        _counting(
            "make_book",
            "How many more to make the book?",
            "K.OA.A.2 K.OA.A.4",
            ((1, 4), (1, 5), (1, 10), (1, 10)),
            "more_for_book",
        ),
        _counting(
            "who_has_more",
            "Who has more?",
            "K.CC.C.6 K.CC.C.7",
            ((1, 5), (1, 10), (1, 20), (1, 20)),
            "most_cards",
            "fewest_cards",
            "most_books",
            "greatest_number",
            "smallest_number",
        ),
        _counting(
            "numeral_dots",
            "Numeral and dots",
            "K.CC.A.3 K.CC.B.4",
            ((1, 5), (0, 10), (0, 20), (0, 20)),
            "dots_to_numeral",
            "numeral_to_dots",
            "hear_numeral",
        ),
        _counting(
            "next_before",
            "Next and before",
            "K.CC.A.1 K.CC.A.2",
            ((1, 5), (1, 10), (1, 20), (1, 52)),
            "next",
            "before",
            "between",
            "left_after_draw",
        ),
        _counting(
            "make_five",
            "Make 5",
            "K.OA.A.4 K.OA.A.5",
            ((0, 5), (0, 5), (0, 5), (0, 5)),
            "complement_5",
        ),
        _counting(
            "make_ten",
            "Make 10",
            "K.OA.A.4 1.OA.C.6",
            (None, (0, 10), (0, 10), (0, 10)),
            "complement_10",
        ),
        _counting(
            "add_books",
            "Add the books",
            "K.OA.A.2 1.OA.A.1 1.OA.A.2 1.OA.C.6 2.OA.B.2",
            (None, (1, 10), (1, 20), (1, 20)),
            "books_of_all",
            "points_of_two",
        ),
        _counting(
            "sorting",
            "Sorts by shape, colour or number",
            "K.MD.B.3",
            ((1, 5), (1, 10), (1, 10), (1, 20)),
            "belongs",
            "count_kind",
            area="sorting",
        ),
        _recall("who_asked", "Who asked for it?", "who_asked", "who_asked_last"),
        _recall("what_asked", "What did they ask for?", "what_asked"),
        _recall("been_asked", "Has it been asked?", "which_asked"),
        _recall("order_asked", "Who asked first?", "who_asked_first"),
        _recall("recall_ask", "Asks the player who must have it"),
    )
}

RECALL: Final = tuple(key for key, skill in SKILLS.items() if skill.area == "recall")
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
    well.
    """

    low: int
    high: int
    skills: frozenset[str]
    options: int = 4
    band: str = "5-6"

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

    def numbers(self, skill: Skill) -> tuple[int, int] | None:
        """Return a skill's number range within these bounds, or None; for recall, its asks back."""
        span = skill.range_at(self.band)
        if span is None or skill.key not in self.skills:
            return None
        if skill.area == "recall":
            return span
        low, high = max(span[0], self.low), min(span[1], self.high)
        return (low, high) if low <= high else None


def bounds_at(band: str) -> Bounds:
    """Return the usual bounds at an age: all its skills, four options (three for the youngest)."""
    skills = frozenset(key for key in ASKED if SKILLS[key].range_at(band) is not None)
    return Bounds(
        low=0, high=52, skills=skills, options=3 if band == AGE_BANDS[0] else 4, band=band
    )
