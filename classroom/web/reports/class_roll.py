"""The children of a class as their teacher finds them on a Monday: on which days each one played,
where it stands, and what has happened since last week."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.learning.skills import Strand
from classroom.services.reports.figures import ChildLine, ClassPage
from classroom.services.reports.overview import WEEK
from classroom.services.reports.skill_reports import ClassSkills
from classroom.web.reports.charts import DayDots, day_dots
from classroom.web.reports.level_bars import Strip, strip_of
from classroom.web.words.language import gettext as _
from classroom.web.words.tomorrow_words import together, what

LONG: Final = 8  # days without play after which a child has a mark
STRANDS: Final[tuple[Strand, ...]] = ("counting", "adding", "recall")


@dataclass(frozen=True, slots=True)
class RollLine:
    """A child. `long`: for how many days it has not played, 0 if that is not long. `strips`: its
    levels in STRANDS, None where too little is known."""

    child: ChildLine
    dots: DayDots
    long: int
    strips: tuple[Strip | None, ...]


def roll(page: ClassPage, skills: ClassSkills) -> tuple[RollLine, ...]:
    """The children by name."""
    levels = {one.child_id: one.levels for one in skills.children}
    found = []
    for child in page.children:
        mine, long = levels.get(child.child_id, {}), page.day - (child.last_day or page.day)
        found.append(
            RollLine(
                child,
                day_dots(child.days, page.day),
                long if long >= LONG else 0,
                tuple(strip_of(mine[one]) if one in mine else None for one in STRANDS),
            )
        )
    return tuple(found)


def since_last_week(page: ClassPage, skills: ClassSkills) -> str:
    """One line that tells who grew and who did not play; "" before anybody has played."""
    if all(child.last_day is None for child in page.children):
        return ""
    grown = [
        f"{child.name} ({_(what(one.strand))})"
        for child in skills.children
        for one in child.glance.grown
    ]
    absent = [one.name for one in page.children if not any(d > page.day - WEEK for d in one.days)]
    said = [_("%(who)s grew.", who=together(grown))] if grown else []
    if absent:
        said.append(_("%(who)s did not play.", who=together(absent)))
    else:
        said.append(_("Everybody played."))
    return " ".join(said)
