"""How often questions come and what they may be about: a parent's choice within the teacher's.

The teacher's choice for the child, its group or its class, else the school's usual choice, is both
the default and the bound: a parent can choose less, and more only at home. It is looked up for each
question, so a change applies at once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import bindparam, select

from classroom.database import db, run, write_unit
from classroom.learning.schedule import Asking, Frequency
from classroom.learning.skills import ASKED, bounds_at
from classroom.learning.skills import Bounds as SkillBounds
from classroom.models import (
    Child,
    ChildGroup,
    ChildRules,
    ChildSettings,
    Gathering,
    GroupRules,
    Place,
    School,
)
from classroom.services.base import audit, class_settings, clock
from classroom.services.base.errors import Refused
from classroom.services.base.rows import existing
from classroom.services.table import choices
from classroom.services.table.choices import Levels
from classroom.services.table.in_force import QUESTIONS, Level

FREQUENCIES: Final[tuple[Frequency, ...]] = ("off", "rarely", "sometimes", "every_turn")
USUAL: Final[Frequency] = "sometimes"  # the default until anyone chooses
ALL: Final = frozenset(ASKED)
MOST_IN_FOCUS: Final = 3  # with more, each would take too long to get enough answers
RANGES: Final = ((0, 52), (0, 5), (0, 10), (6, 10), (0, 20), (11, 20))
"""The ranges of numbers to choose from. The first one means: whatever suits the age."""


_AT_TABLE: Final = (
    select(Gathering.__table__.c.number_low, Gathering.__table__.c.number_high)
    .join(Place.__table__, Place.__table__.c.gathering_id == Gathering.__table__.c.id)
    .where(Place.__table__.c.child_id == bindparam("child"))
)


@dataclass(frozen=True, slots=True)
class Choice:
    """How often questions come, about which skills, and with numbers from `low` to `high`.

    `focus`: skills that come more often until they have enough answers. The teacher chooses them;
    if there are none, the program does.
    """

    frequency: Frequency = USUAL
    skills: frozenset[str] = ALL
    low: int = RANGES[0][0]
    high: int = RANGES[0][1]
    focus: frozenset[str] = frozenset()

    @property
    def numbers(self) -> tuple[int, int]:
        return self.low, self.high

    def within(self, outer: Choice) -> Choice:
        """This choice cut down to `outer`; where nothing is left, `outer` applies."""
        often = min(self.frequency, outer.frequency, key=FREQUENCIES.index)
        skills = self.skills & outer.skills or outer.skills
        low, high = max(self.low, outer.low), min(self.high, outer.high)
        if low > high:
            low, high = outer.numbers
        return Choice(often, skills, low, high, outer.focus)


WIDEST: Final = Choice("every_turn")  # leaves everything open


@dataclass(frozen=True, slots=True)
class Chosen:
    """A child's question settings: those that apply `now`, and their bounds.

    `own`: whether a parent has chosen; if not, the bounds apply. `rules`: the level at which the
    bounds were chosen, None if they are the defaults.
    """

    now: Choice
    bounds: Choice
    own: bool
    rules: Level | None = None


def of_class(class_id: int) -> Choice:
    """The bounds of a class: the teacher's choice, else the school's usual one. Raises NotFound."""
    return _bounds(choices.of_class(class_id))[0]


def of_group(group_id: int) -> Choice:
    """The bounds of a group: the teacher's choice for it, else those of its class. Raises
    NotFound."""
    return _bounds(choices.of_group(group_id))[0]


def of_school(school_id: int) -> Choice:
    """The school's usual choice. Raises NotFound."""
    return _bounds(choices.of_school(school_id))[0]


def of_child(child_id: int, *, at_home: bool = False) -> Chosen:
    """The settings of a child in lessons, or at home, where nothing bounds a parent's choice.
    Raises NotFound."""
    return _chosen(choices.of_child(child_id), at_home)


def around(child_id: int) -> Choice:
    """The bounds that a child would have without the teacher's choice for this one child. Raises
    NotFound."""
    levels = choices.of_child(child_id)
    others = tuple(level for level in levels.questions if level.whose != "child")
    return _bounds(replace(levels, questions=others))[0]


def asking(child_id: int, *, at_home: bool = False) -> Asking:
    """A child's settings within what suits its age, for learning.schedule; in lessons with the
    numbers that were planned for its table, if any. While nothing is worked out about the child, it
    gets no questions. Raises NotFound."""
    levels = choices.of_child(child_id)
    now, usual = _chosen(levels, at_home).now, bounds_at(levels.age_band)
    low, high = (None if at_home else at_table(child_id)) or now.numbers
    bounds = SkillBounds(
        low=low, high=high, skills=now.skills, options=usual.options, band=usual.band
    )
    often: Frequency = "off" if levels.held else now.frequency
    return Asking(often, bounds.within(usual), now.focus)


def at_table(child_id: int) -> tuple[int, int] | None:
    """The range of numbers that was planned for the table where the child sits, if any."""
    row = run(_AT_TABLE, {"child": child_id}).first()
    return None if row is None or row.number_low is None else (row.number_low, row.number_high)


def asks(child_id: int, *, at_home: bool = False) -> bool:
    """Whether this child gets questions at all."""
    levels = choices.of_child(child_id)
    return not levels.held and _chosen(levels, at_home).now.frequency != "off"


# ---- choosing


def set_usual(adult_id: int | None, school_id: int, choice: Choice) -> None:
    """Set the school's usual choice. Raises Refused("questions" | "skills" | "numbers"),
    NotFound."""
    _check(choice)
    with write_unit():
        _write(existing(School, school_id), choice)
        audit.record(adult_id, "settings", "school", school_id)


def set_class(adult_id: int | None, class_id: int, choice: Choice | None) -> None:
    """Set the teacher's choice for a class; None: use the school's usual one, without a focus.

    Raises Refused("questions" | "skills" | "numbers" | "focus"), NotFound.
    """
    _check(choice)
    focus = choice.focus if choice else frozenset()
    if choice and (len(focus) > MOST_IN_FOCUS or not focus <= choice.skills):
        raise Refused("focus")
    with write_unit():
        row = class_settings.changed_by(adult_id, class_id)
        row.focus = sorted(focus) or None
        _sign(row, adult_id)
        _write(row, choice)
        audit.record(adult_id, "settings", "class", class_id)


def set_group(adult_id: int | None, group_id: int, choice: Choice | None) -> None:
    """Set the teacher's choice for a group; None: use the class's.

    Raises Refused("questions" | "skills" | "numbers"), NotFound.
    """
    _check(choice)
    with write_unit():
        class_id = existing(ChildGroup, group_id).class_id
        row = db.session.get(GroupRules, group_id) or GroupRules(group_id=group_id)
        _sign(row, adult_id)
        _write(row, choice)
        audit.record(adult_id, "group_settings", "class", class_id)


def set_rules(adult_id: int | None, child_id: int, choice: Choice | None) -> None:
    """Set the teacher's choice for one child; None: use its group's or class's.

    Raises Refused("questions" | "skills" | "numbers"), NotFound.
    """
    _check(choice)
    with write_unit():
        existing(Child, child_id)
        row = db.session.get(ChildRules, child_id) or ChildRules(child_id=child_id)
        _sign(row, adult_id)
        _write(row, choice)
        audit.record(adult_id, "settings", "child", child_id)


def set_child(adult_id: int | None, child_id: int, choice: Choice) -> None:
    """Set a parent's choice. What exceeds the teacher's bounds is stored, but applies only at home.

    Raises Refused("questions" | "skills" | "numbers") for a value that is not offered, NotFound.
    """
    _check(choice)
    with write_unit():
        existing(Child, child_id)
        row = db.session.get(ChildSettings, child_id) or ChildSettings(child_id=child_id)
        row.set_by, row.set_at = adult_id, clock.now()
        _write(row, choice)
        audit.record(adult_id, "settings", "child", child_id)


# ---- within


def _check(choice: Choice | None) -> None:
    if choice is None:
        return
    if choice.frequency not in FREQUENCIES:
        raise Refused("questions")
    if not choice.skills or not choice.skills <= ALL:
        raise Refused("skills")
    if choice.numbers not in RANGES:
        raise Refused("numbers")


def _chosen(levels: Levels, at_home: bool = False) -> Chosen:
    bounds, rules = _bounds(levels)
    outer = replace(WIDEST, focus=bounds.focus) if at_home else bounds
    own = next((one for one in levels.questions if one.whose == "family"), None)
    if own is None:
        return Chosen(bounds, outer, own=False, rules=rules)
    now = _choice(own.made[QUESTIONS], outer).within(outer)
    return Chosen(now, outer, own=True, rules=rules)


def _bounds(levels: Levels) -> tuple[Choice, Level | None]:
    """The bounds within which a family may choose, and the level that set them."""
    rules = choices.ruling_questions(levels)
    found = Choice() if rules is None else _choice(rules.made[QUESTIONS], Choice())
    return replace(found, focus=_askable(levels.focus) & found.skills), rules


def _sign(row: Any, adult_id: int | None) -> None:
    row.questions_by, row.questions_at = adult_id, clock.now()


def _write(row: Any, choice: Choice | None) -> None:
    """Write a choice into a row; None empties the row, so that another level decides."""
    row.questions = choice and choice.frequency
    row.question_skills = sorted(choice.skills) if choice and choice.skills != ALL else None
    row.number_low, row.number_high = choice.numbers if choice else (None, None)
    db.session.add(row)


def _choice(row: Any, fallback: Choice) -> Choice:
    """Turn a row into a choice. Skills that this version does not have are left out."""
    skills = ALL if row.question_skills is None else _askable(row.question_skills)
    low = fallback.low if row.number_low is None else row.number_low
    high = fallback.high if row.number_high is None else row.number_high
    return Choice(row.questions, skills or fallback.skills, low, high)


def _askable(keys: Collection[str]) -> frozenset[str]:
    return ALL & frozenset(keys)
