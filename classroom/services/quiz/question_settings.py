"""How often questions come, and their topics: a parent's choice within the teacher's limits.

The default is the teacher's choice for the child, the group or the class, else the school's usual
choice. A parent can choose less than this or, only at home, more. The choice is looked up for each
question, so a change takes effect at once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import bindparam, select

from classroom.database import run
from classroom.learning.schedule import Asking, Frequency
from classroom.learning.skills import ASKED, bounds_at
from classroom.models import Gathering, Place
from classroom.services.base.errors import Refused
from classroom.services.table import choices
from classroom.services.table.choices import QUESTIONS, ChoiceLevel, Levels, Whose

FREQUENCIES: Final[tuple[Frequency, ...]] = ("off", "rarely", "sometimes", "every_turn")
ALL: Final = frozenset(ASKED)
MOST_IN_FOCUS: Final = 3  # with more skills, each would take too long to get enough answers
RANGES: Final = ((0, 52), (0, 5), (0, 10), (6, 10), (0, 20), (11, 20))
"""The ranges of numbers to choose from. The first one stands for all numbers that suit the age."""

_AT_TABLE: Final = (
    select(Gathering.__table__.c.number_low, Gathering.__table__.c.number_high)
    .join(Place.__table__, Place.__table__.c.gathering_id == Gathering.__table__.c.id)
    .where(Place.__table__.c.child_id == bindparam("child"))
)


@dataclass(frozen=True, slots=True)
class QuestionChoice:
    """How often questions come, about which skills, and with numbers from `low` to `high`. `focus`:
    skills that are asked about more often until they have enough answers; if it is empty, the
    program chooses such skills."""

    frequency: Frequency = "sometimes"
    skills: frozenset[str] = ALL
    low: int = RANGES[0][0]
    high: int = RANGES[0][1]
    focus: frozenset[str] = frozenset()

    @property
    def numbers(self) -> tuple[int, int]:
        return self.low, self.high

    def within(self, outer: QuestionChoice) -> QuestionChoice:
        """This choice limited to what `outer` allows. Where nothing is left, `outer` applies."""
        often = min(self.frequency, outer.frequency, key=FREQUENCIES.index)
        skills = self.skills & outer.skills or outer.skills
        low, high = max(self.low, outer.low), min(self.high, outer.high)
        if low > high:
            low, high = outer.numbers
        return QuestionChoice(often, skills, low, high, outer.focus)


WIDEST: Final = QuestionChoice("every_turn")  # bounds that limit nothing


@dataclass(frozen=True, slots=True)
class ChosenQuestions:
    """A child's question settings: those that apply `now`, and the bounds for a parent's choice.
    `own`: whether a parent has chosen. `rules`: the level at which a teacher or the school chose,
    None if the defaults apply there."""

    now: QuestionChoice
    bounds: QuestionChoice
    own: bool
    rules: ChoiceLevel | None = None


def of(whose: Whose, whose_id: int) -> QuestionChoice:
    """The choice that applies to a school, a class or a group. Raises NotFound."""
    return bounds(choices.read(whose, whose_id))


def bounds(levels: Levels) -> QuestionChoice:
    """The bounds within which a family may choose, with the focus of the class."""
    rules = choices.ruling_questions(levels)
    found = QuestionChoice() if rules is None else _choice(rules.made, QuestionChoice())
    focus = _askable(levels.of("class").made.get("focus", ()))
    return replace(found, focus=focus & found.skills)


def chosen(levels: Levels, *, at_home: bool = False) -> ChosenQuestions:
    """A child's question settings from these levels. At home the teacher's bounds do not apply."""
    inner, rules = bounds(levels), choices.ruling_questions(levels)
    outer = replace(WIDEST, focus=inner.focus) if at_home else inner
    own = levels.of("family").made
    if QUESTIONS not in own:
        return ChosenQuestions(inner, outer, own=False, rules=rules)
    return ChosenQuestions(_choice(own, outer).within(outer), outer, own=True, rules=rules)


def asking(child_id: int, *, at_home: bool = False) -> Asking:
    """A child's settings for learning.schedule, limited to what suits the child's age. In a lesson,
    the number range planned for the table takes precedence. A child who must not be assessed gets
    no questions. Raises NotFound."""
    levels = choices.of_child(child_id)
    now, usual = chosen(levels, at_home=at_home).now, bounds_at(levels.age_band)
    low, high = now.numbers
    planned = None if at_home else run(_AT_TABLE, {"child": child_id}).first()
    if planned is not None and planned.number_low is not None:
        low, high = planned
    bounds = replace(usual, low=low, high=high, skills=now.skills)
    often: Frequency = "off" if levels.restricted else now.frequency
    return Asking(often, bounds.within(usual), now.focus)


def asks(child_id: int, *, at_home: bool = False) -> bool:
    """Whether this child gets questions at all."""
    levels = choices.of_child(child_id)
    return not levels.restricted and chosen(levels, at_home=at_home).now.frequency != "off"


# ---- choosing


def write(
    by: int | None, whose: Whose, whose_id: int, choice: QuestionChoice | None, version: str = ""
) -> None:
    """Store a choice of questions at one level; None leaves the choice to the other levels and
    removes the focus. If a family's choice goes beyond the teacher's bounds, it is stored, but that
    part applies only at home. Raises Refused("questions" | "skills" | "numbers" | "focus") for a
    value that is not offered, NotFound, and Changed if someone else has saved since."""
    picks = dict.fromkeys((QUESTIONS, "question_skills", "number_low", "number_high"))
    focus: frozenset[str] = frozenset()
    if choice is not None:
        if choice.frequency not in FREQUENCIES:
            raise Refused("questions")
        if not choice.skills or not choice.skills <= ALL:
            raise Refused("skills")
        if choice.numbers not in RANGES:
            raise Refused("numbers")
        if len(choice.focus) > MOST_IN_FOCUS or not choice.focus <= choice.skills:
            raise Refused("focus")
        focus = choice.focus
        picks |= {QUESTIONS: choice.frequency, "number_low": choice.low, "number_high": choice.high}
        picks["question_skills"] = sorted(choice.skills) if choice.skills != ALL else None
    if whose == "class":
        picks["focus"] = sorted(focus) or None
    choices.write(by, whose, whose_id, picks, version)


# ---- details


def _choice(made: Mapping[str, Any], fallback: QuestionChoice) -> QuestionChoice:
    """The choice made at a level, without skills that this version of the program does not have."""
    skills = _askable(made["question_skills"]) if "question_skills" in made else ALL
    low, high = made.get("number_low", fallback.low), made.get("number_high", fallback.high)
    return QuestionChoice(made[QUESTIONS], skills or fallback.skills, low, high)


def _askable(keys: Collection[str]) -> frozenset[str]:
    return ALL & frozenset(keys)
