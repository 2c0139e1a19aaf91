"""The children of a class as their teacher finds them on a Monday: on which days each one played,
where it stands, and what has happened since last week."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.learning.skills import Strand
from classroom.services.reports.figures import ChildLine, ClassPage
from classroom.services.reports.overview import WEEK
from classroom.services.reports.skill_reports import ClassSkills
from classroom.web.reports.level_bars import Strip, strip_of
from classroom.web.words.language import gettext as _
from classroom.web.words.tomorrow_words import together, what

SCHOOL_DAYS: Final = 15  # Monday to Friday, three weeks
LONG: Final = 8  # days without play after which a child has a mark
STRANDS: Final[tuple[Strand, ...]] = ("counting", "adding", "recall")
FIRST, STEP, GAP = 4, 6, 5  # where the first dot is, and the space to the next day and week


@dataclass(frozen=True, slots=True)
class RollLine:
    """A child. `on`, `off`: the places of the dots of school days on which it played, or did not.
    `long`: for how many days it has not played, 0 if that is not long. `strips`: its levels in
    STRANDS, None where too little is known."""

    child: ChildLine
    on: tuple[int, ...]
    off: tuple[int, ...]
    long: int
    strips: tuple[Strip | None, ...]


def roll(page: ClassPage, skills: ClassSkills) -> tuple[RollLine, ...]:
    """The children by name."""
    places, at = {}, FIRST
    for day in _school_days(page.day):
        places[day] = at
        at += STEP + GAP * (_weekday(day) == 4)
    levels = {one.child_id: one.levels for one in skills.children}
    return tuple(
        RollLine(
            child,
            tuple(x for day, x in places.items() if day in child.days),
            tuple(x for day, x in places.items() if day not in child.days),
            long
            if child.last_day is not None and (long := page.day - child.last_day) >= LONG
            else 0,
            tuple(
                strip_of(mine[one]) if one in mine else None
                for mine in [levels.get(child.child_id, {})]
                for one in STRANDS
            ),
        )
        for child in page.children
    )


def _school_days(today: int) -> list[int]:
    """The last school days up to today, oldest first."""
    days = [day for day in range(today - 3 * WEEK, today + 1) if _weekday(day) < 5]
    return days[-SCHOOL_DAYS:]


def _weekday(day: int) -> int:
    """0 for Monday; day 0 was a Thursday."""
    return (day + 3) % WEEK


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
