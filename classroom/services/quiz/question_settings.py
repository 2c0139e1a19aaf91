"""How often questions come and what they may be about: a parent's choice within the teacher's.

The teacher's choice is both the default and the bound for the class: a parent can choose less,
never more. It is looked up for each question, so a change applies at once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import bindparam, select

from classroom.database import db, write_unit
from classroom.learning.schedule import Asking, Frequency
from classroom.learning.skills import ASKED, bounds_at
from classroom.learning.skills import Bounds as SkillBounds
from classroom.models import Child, ChildSettings, ClassSettings, SchoolClass
from classroom.services.base import audit, clock
from classroom.services.base.errors import NotFound, Refused

FREQUENCIES: Final[tuple[Frequency, ...]] = ("off", "rarely", "sometimes", "every_turn")
USUAL: Final[Frequency] = "sometimes"  # the default until anyone chooses
ALL: Final = frozenset(ASKED)
MOST_IN_FOCUS: Final = 3  # with more, each would take too long to get enough answers
RANGES: Final = ((0, 52), (0, 5), (0, 10), (6, 10), (0, 20), (11, 20))
"""The ranges of numbers to choose from. The first one means: whatever suits the age."""

_KEPT: Final = (
    select(Child.age_band, ClassSettings, ChildSettings)
    .outerjoin(ClassSettings, ClassSettings.class_id == Child.class_id)
    .outerjoin(ChildSettings, ChildSettings.child_id == Child.id)
    .where(Child.id == bindparam("child"))
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


@dataclass(frozen=True, slots=True)
class Chosen:
    """A child's question settings: those that apply `now`, and their bounds.

    `own`: whether a parent has chosen; if not, the class's choice applies.
    """

    now: Choice
    bounds: Choice
    own: bool


def of_class(class_id: int) -> Choice:
    """The teacher's choice for a class, or the default."""
    return _bounds(db.session.get(ClassSettings, class_id))


def of_child(child_id: int) -> Chosen:
    """The settings of a child. Raises NotFound."""
    return _kept(child_id)[1]


def asking(child_id: int) -> Asking:
    """A child's settings within what suits its age, for learning.schedule. Raises NotFound."""
    age_band, chosen = _kept(child_id)
    now, usual = chosen.now, bounds_at(age_band)
    bounds = SkillBounds(
        low=now.low, high=now.high, skills=now.skills, options=usual.options, band=usual.band
    )
    return Asking(now.frequency, bounds.within(usual), now.focus)


def asks(child_id: int) -> bool:
    """Whether this child gets questions at all."""
    return of_child(child_id).now.frequency != "off"


def set_class(adult_id: int | None, class_id: int, choice: Choice) -> None:
    """Set the teacher's choice.

    Raises Refused("questions" | "skills" | "numbers" | "focus"), NotFound.
    """
    _check(choice)
    if len(choice.focus) > MOST_IN_FOCUS or not choice.focus <= choice.skills:
        raise Refused("focus")
    with write_unit():
        if db.session.get(SchoolClass, class_id) is None:
            raise NotFound("class")
        row = db.session.get(ClassSettings, class_id) or ClassSettings(class_id=class_id)
        row.focus = sorted(choice.focus) or None
        _write(row, adult_id, choice)
        audit.record(adult_id, "settings", "class", class_id)


def set_child(adult_id: int | None, child_id: int, choice: Choice) -> None:
    """Set a parent's choice. What exceeds the teacher's bounds is stored, but not applied.

    Raises Refused("questions" | "skills" | "numbers") for a value that is not offered, NotFound.
    """
    _check(choice)
    with write_unit():
        _child(child_id)
        row = db.session.get(ChildSettings, child_id) or ChildSettings(child_id=child_id)
        _write(row, adult_id, choice)
        audit.record(adult_id, "settings", "child", child_id)


# ---- within


def _check(choice: Choice) -> None:
    if choice.frequency not in FREQUENCIES:
        raise Refused("questions")
    if not choice.skills or not choice.skills <= ALL:
        raise Refused("skills")
    if choice.numbers not in RANGES:
        raise Refused("numbers")


def _kept(child_id: int) -> tuple[str, Chosen]:
    """The child's age band and settings, in one query because it runs at every tap."""
    row = db.session.execute(_KEPT, {"child": child_id}).one_or_none()
    if row is None:
        raise NotFound("child")
    age_band, of_class, own = row
    bounds = _bounds(of_class)
    if own is None or own.questions is None:
        return age_band, Chosen(bounds, bounds, own=False)
    return age_band, Chosen(_choice(own, bounds).within(bounds), bounds, own=True)


def _bounds(row: ClassSettings | None) -> Choice:
    if row is None:
        return Choice()
    return replace(_choice(row, Choice()), focus=_askable(row.focus or ()))


def _write(row: Any, adult_id: int | None, choice: Choice) -> None:
    row.questions = choice.frequency
    row.question_skills = None if choice.skills == ALL else sorted(choice.skills)
    row.number_low, row.number_high = choice.numbers
    row.set_by, row.set_at = adult_id, clock.now()
    db.session.add(row)


def _choice(row: Any, fallback: Choice) -> Choice:
    """Turn a row into a choice. Skills that this version does not have are left out."""
    skills = ALL if row.question_skills is None else _askable(row.question_skills)
    low = fallback.low if row.number_low is None else row.number_low
    high = fallback.high if row.number_high is None else row.number_high
    return Choice(row.questions, skills or fallback.skills, low, high)


def _askable(keys: Collection[str]) -> frozenset[str]:
    return ALL & frozenset(keys)


def _child(child_id: int) -> Child:
    row = db.session.get(Child, child_id)
    if row is None:
        raise NotFound("child")
    return row
