"""What a class's evidence suggests for tomorrow, and the worksheets that go with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from classroom.learning.levels import Level
from classroom.learning.scales import SCALES
from classroom.learning.sheets import Sheet, sheet
from classroom.learning.skills import AGE_BANDS, Strand
from classroom.learning.tomorrow import (
    ON_PAPER,
    Pupil,
    Suggestion,
    focus_skills,
    sheet_numbers,
    tomorrow,
)
from classroom.services.base.errors import NotFound, Refused
from classroom.services.quiz import question_settings
from classroom.services.reports import skill_reports
from classroom.services.reports.skill_reports import ChildSkills, ClassSkills


@dataclass(frozen=True, slots=True)
class ChildSheet:
    """A worksheet to print for one child."""

    name: str
    sheet: Sheet


def of_class(page: ClassSkills) -> tuple[Suggestion, ...]:
    """What to do with this class tomorrow."""
    chosen = question_settings.of("class", page.class_id)
    pupils = [_pupil(one) for one in page.children if not one.held]
    return tomorrow(pupils, chosen.focus, chosen.skills)


def set_focus(class_id: int, strand: Strand, by: int | None = None, version: str = "") -> None:
    """Set the focus of the class's questions to the skills of a strand that have the fewest
    answers.

    Raises Refused("no_focus") if no skill of it may be asked about, NotFound, Changed.
    """
    page = skill_reports.of_class(class_id)
    chosen = question_settings.of("class", class_id)
    pupils = [
        _pupil(one, {key: mine.n for key, mine in one.estimates().items()})
        for one in page.children
        if not one.held
    ]
    bands = {one.band for one in pupils} or set(AGE_BANDS)
    skills = focus_skills(strand, pupils, bands, chosen.skills)
    if not skills:
        raise Refused("no_focus")
    choice = replace(chosen, focus=frozenset(skills))
    question_settings.write(by, "class", class_id, choice, version)


def sheets(
    class_id: int, strand: Strand, children: Collection[int] | None = None
) -> tuple[ChildSheet, ...]:
    """A sheet of counting or adding for each of these children of the class, by name, with the
    numbers that suit its level now; `children` None: for every child. Raises NotFound."""
    if strand not in ON_PAPER:
        raise NotFound("sheet")
    page = skill_reports.of_class(class_id)
    return tuple(
        ChildSheet(child.name, sheet(strand, _numbers(child, strand), child.child_id))
        for child in page.children
        if children is None or child.child_id in children
    )


def _numbers(child: ChildSkills, strand: Strand) -> tuple[int, int]:
    """The range of numbers that suits the child's level; while that is unknown, from 1 to the
    number that children of its age work towards, or to 10 if that is less."""
    level: Level | None = child.levels.get(strand)
    if level is not None and level.standing != "none":
        return sheet_numbers(level.about)
    return 1, min(SCALES[strand].expected[AGE_BANDS.index(child.age_band)], 10)


def _pupil(child: ChildSkills, answers: Mapping[str, int] | None = None) -> Pupil:
    return Pupil(
        child=child.child_id,
        band=child.age_band,
        levels=child.levels,
        answers=answers or {},
        signals=child.signals,
    )
