"""Deciding whose choice is in force for a child, from the levels at which something was chosen.

A teacher's choice comes first: the one for the child, else for its group, else for its class. What
teachers left open is the family's to choose. Where no one chose, the school's usual choice applies.
At home the family's choice comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from classroom.models import PlaySettings

Whose = Literal["child", "group", "class", "family", "school"]

IN_LESSONS: Final[tuple[Whose, ...]] = ("child", "group", "class", "family", "school")
"""The levels, the strongest first. "child", "group" and "class" are a teacher's choices."""
AT_HOME: Final[tuple[Whose, ...]] = ("family", "child", "group", "class", "school")
TEACHERS: Final[frozenset[Whose]] = frozenset({"child", "group", "class"})
# the fields of PlaySettings
THINGS: Final = ("opponents", "level", "deck", "board", "hints", "pace", "voice")
QUESTIONS: Final = "questions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What was chosen at one level. `made`: the choices, by column of `choices`; what was left open
    is missing. `by`, `at`: the adult who last chose how to play, and when, where this is known;
    `asked_by`, `asked_at`: the same for questions. `name`: the group's name. `row_id`: 0 if nothing
    is stored yet."""

    whose: Whose
    made: Mapping[str, Any]
    by: int | None = None
    at: float | None = None
    asked_by: int | None = None
    asked_at: float | None = None
    name: str = ""
    row_id: int = 0


def ruling(
    levels: Iterable[Level], thing: str, order: tuple[Whose, ...] = IN_LESSONS
) -> Level | None:
    """The level whose choice of this thing is in force; None if no one chose."""
    chose = [level for level in levels if thing in level.made]
    return min(chose, key=lambda level: order.index(level.whose), default=None)


def play(levels: Iterable[Level], *, at_home: bool = False) -> PlaySettings:
    """How the child plays: each thing as the ruling level chose it, else the default."""
    known, order = tuple(levels), AT_HOME if at_home else IN_LESSONS
    found = {thing: ruling(known, thing, order) for thing in THINGS}
    return PlaySettings(**{thing: level.made[thing] for thing, level in found.items() if level})


def fixed(levels: Iterable[Level], *, at_home: bool = False) -> frozenset[str]:
    """The things that a teacher decided and a family cannot; none at home."""
    rules = {thing: ruling(levels, thing) for thing in THINGS} if not at_home else {}
    return frozenset(thing for thing, level in rules.items() if level and level.whose in TEACHERS)


def minutes(*limits: int | None) -> int | None:
    """The daily limit in minutes that applies: the smallest one; None if no one set a limit."""
    return min((limit for limit in limits if limit is not None), default=None)
