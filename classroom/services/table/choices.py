"""Reads what the school, teachers and a family chose for a child, and stores how a teacher or the
school wants children to play. in_force.py decides which of the choices applies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, Final

from sqlalchemy import bindparam, exists, select

from classroom.database import db, run, write_unit
from classroom.games.decks import DECKS
from classroom.minds.board import SUPPORTS
from classroom.minds.playing.player_levels import LIKE_ME
from classroom.models import (
    Adult,
    Child,
    ChildGroup,
    ChildRules,
    ChildSettings,
    ClassSettings,
    GroupMember,
    GroupRules,
    PlaySettings,
    Restriction,
    School,
    SchoolClass,
)
from classroom.services.base import audit, class_settings, clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import existing
from classroom.services.table import in_force
from classroom.services.table.in_force import QUESTIONS, THINGS, Level, Whose
from classroom.services.table.paces import BY_AGE, PACES

Rows = tuple[tuple[Whose, Any], ...]  # each level with the values of its columns
Picks = Mapping[str, Any]  # choices for some of THINGS; None leaves one open

OPPONENTS: Final = (1, 2, 3)
LEVELS: Final = ("minnow", "perch", "pike", LIKE_ME)  # the levels that adults can choose
OFFERED: Final[Mapping[str, tuple[Any, ...]]] = {
    "opponents": OPPONENTS,
    "level": LEVELS,
    "deck": tuple(DECKS),
    "board": tuple(SUPPORTS),
    "hints": (True, False),
    "pace": (BY_AGE, *PACES),
    "voice": (True, False),
}
_ASKED: Final = ("questions", "question_skills", "number_low", "number_high")
_SIGNED: Final = ("play_by", "play_at", "questions_by", "questions_at")
# The query _ROW is built once, over the bare tables, since it runs at every tap.
_LEVELS: Final[tuple[tuple[Whose, Any, tuple[str, ...]], ...]] = (
    ("school", School.__table__, THINGS + _ASKED),
    ("class", ClassSettings.__table__, THINGS + _ASKED + _SIGNED),
    ("group", GroupRules.__table__, THINGS + _ASKED + _SIGNED),
    ("child", ChildRules.__table__, THINGS + _ASKED + _SIGNED),
    ("family", ChildSettings.__table__, THINGS + _ASKED),
)
_children, _classes = Child.__table__.c, SchoolClass.__table__.c
_groups, _members = ChildGroup.__table__.c, GroupMember.__table__.c
_held = Restriction.__table__.c
_ROW: Final = (
    select(
        _children.age_band,
        ClassSettings.__table__.c.focus,
        _groups.name.label("group_name"),
        exists().where(_held.child_id == _children.id).label("held"),
        *(
            table.c[name].label(f"{whose}_{name}")
            for whose, table, names in _LEVELS
            for name in names
        ),
    )
    .select_from(Child.__table__)
    .join(SchoolClass.__table__, _classes.id == _children.class_id)
    .join(School.__table__, School.__table__.c.id == _classes.school_id)
    .outerjoin(ClassSettings.__table__, ClassSettings.__table__.c.class_id == _children.class_id)
    .outerjoin(GroupMember.__table__, _members.child_id == _children.id)
    .outerjoin(
        ChildGroup.__table__,
        (_groups.id == _members.group_id) & (_groups.class_id == _children.class_id),
    )
    .outerjoin(GroupRules.__table__, GroupRules.__table__.c.group_id == _groups.id)
    .outerjoin(ChildRules.__table__, ChildRules.__table__.c.child_id == _children.id)
    .outerjoin(ChildSettings.__table__, ChildSettings.__table__.c.child_id == _children.id)
    .where(_children.id == bindparam("child"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """All levels at which something was chosen for a child, a group, a class or the school. `play`:
    the choices of how to play; `questions`: the choices of questions, each as the row that holds
    it. `group`: the group's name, "" if there is none. `focus`: the skills on which the class's
    questions focus. `held`: whether nothing may be worked out about the child.
    """

    age_band: str = ""
    group: str = ""
    held: bool = False
    play: tuple[Level, ...]
    questions: tuple[Level, ...]
    focus: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The things that one level decides, for a page. `made`: their values; `who`: the name of the
    adult who chose, "" if not known; `at`: when, None if not known; `name`: the group's name, ""
    for other levels. `whose` is None for things that no one chose, which have their defaults."""

    whose: Whose | None
    made: Mapping[str, Any]
    who: str = ""
    at: float | None = None
    name: str = ""


# ---- reading


def of_child(child_id: int) -> Levels:
    """All levels of a child, in one query. Raises NotFound."""
    row = run(_ROW, {"child": child_id}).first()
    if row is None:
        raise NotFound("child")
    values = iter(row[4:])
    found = _levels(
        row.focus,
        tuple(
            (whose, SimpleNamespace(**{name: next(values) for name in names}))
            for whose, _, names in _LEVELS
        ),
        age_band=row.age_band,
        group=row.group_name or "",
    )
    return replace(found, held=bool(row.held))


def of_class(class_id: int) -> Levels:
    """The levels that apply to a whole class. Raises NotFound."""
    room = existing(SchoolClass, class_id)
    own = db.session.get(ClassSettings, class_id)
    rows: Rows = (("school", room.school), ("class", own)) if own else (("school", room.school),)
    return _levels(own.focus if own else None, rows)


def of_group(group_id: int) -> Levels:
    """The levels that apply to a whole group. Raises NotFound."""
    group = existing(ChildGroup, group_id)
    room, own = existing(SchoolClass, group.class_id), db.session.get(GroupRules, group_id)
    settings = db.session.get(ClassSettings, group.class_id)
    rows: Rows = (("school", room.school), ("class", settings), ("group", own))
    return _levels(
        settings.focus if settings else None,
        tuple((whose, row) for whose, row in rows if row is not None),
        group=group.name,
    )


def of_school(school_id: int) -> Levels:
    """The school's usual choices. Raises NotFound."""
    return _levels(None, (("school", existing(School, school_id)),))


def speaks(child_id: int, *, at_home: bool = False) -> bool:
    """Whether this child's pages speak by themselves. Raises NotFound."""
    return in_force.play(of_child(child_id).play, at_home=at_home).voice


def told(levels: tuple[Level, ...]) -> tuple[Told, ...]:
    """Say, for a page, which level decides what; levels that take precedence come first."""
    decides = {thing: in_force.ruling(levels, thing) for thing in THINGS}
    found = [level for level in sorted(levels, key=_rank) if level in decides.values()]
    names = _names({level.by for level in found if level.by is not None})
    said = [
        Told(
            whose=level.whose,
            made={thing: level.made[thing] for thing in THINGS if decides[thing] is level},
            who=names.get(level.by or 0, ""),
            at=level.at,
            name=level.name,
        )
        for level in found
    ]
    usual = {thing: getattr(PlaySettings(), thing) for thing in THINGS if decides[thing] is None}
    return (*said, Told(whose=None, made=usual)) if usual else tuple(said)


def ruling_questions(levels: Levels) -> Level | None:
    """The level whose choice of questions bounds the family's; None if no one else chose."""
    others = (level for level in levels.questions if level.whose != "family")
    return in_force.ruling(others, QUESTIONS)


def asked_by(level: Level | None) -> Told:
    """Say, for a page, who made this level's choice of questions."""
    if level is None:
        return Told(whose=None, made={})
    who = _names({level.by} - {None}).get(level.by or 0, "")
    return Told(whose=level.whose, made=level.made, who=who, at=level.at, name=level.name)


# ---- choosing


def set_usual(by: int | None, school_id: int, picks: Picks) -> None:
    """Set how children of the school usually play. Raises Refused(thing), NotFound."""
    _check(picks)
    with write_unit():
        _write(existing(School, school_id), picks)
        audit.record(by, "settings", "school", school_id)


def set_class(by: int | None, class_id: int, picks: Picks) -> None:
    """Set how the children of a class play in lessons, from their next match; None leaves a thing
    to the families. Raises Refused(thing), NotFound."""
    _check(picks)
    with write_unit():
        row = class_settings.changed_by(by, class_id)
        row.play_by, row.play_at = by, row.set_at
        _write(row, picks)
        audit.record(by, "settings", "class", class_id)


def set_group(by: int | None, group_id: int, picks: Picks) -> None:
    """Set how the children of a group play in lessons, from their next match; None leaves a thing
    to the choice for the class. Raises Refused(thing), NotFound."""
    _check(picks)
    with write_unit():
        class_id = existing(ChildGroup, group_id).class_id
        row = db.session.get(GroupRules, group_id) or GroupRules(group_id=group_id)
        row.play_by, row.play_at = by, clock.now()
        _write(row, picks)
        audit.record(by, "group_settings", "class", class_id)


def set_child(by: int | None, child_id: int, picks: Picks) -> None:
    """Set how this child plays in lessons, from its next match; None leaves a thing to the choices
    for its group and class. The family's choices are kept. Raises Refused(thing), NotFound.
    """
    _check(picks)
    with write_unit():
        existing(Child, child_id)
        row = db.session.get(ChildRules, child_id) or ChildRules(child_id=child_id)
        row.play_by, row.play_at = by, clock.now()
        _write(row, picks)
        audit.record(by, "settings", "child", child_id)


def check_offered(thing: str, value: object) -> None:
    """Raise Refused(thing) for a value that is not on offer."""
    if value not in OFFERED[thing]:
        raise Refused(thing)


# ---- within


def _check(picks: Picks) -> None:
    for thing, value in picks.items():
        if value is not None:
            check_offered(thing, value)


def _write(row: Any, picks: Picks) -> None:
    for thing in THINGS:
        if thing in picks:
            setattr(row, thing, picks[thing])
    db.session.add(row)


def _levels(
    focus: Sequence[str] | None, rows: Rows, *, age_band: str = "", group: str = ""
) -> Levels:
    return Levels(
        age_band=age_band,
        group=group,
        play=tuple(_level(whose, row, "play", _play(row), group) for whose, row in rows),
        questions=tuple(
            _level(whose, row, "questions", {QUESTIONS: row}, group)
            for whose, row in rows
            if row.questions is not None
        ),
        focus=tuple(focus or ()),
    )


def _level(whose: Whose, row: Any, kind: str, made: Mapping[str, Any], group: str) -> Level:
    """`kind`: the prefix of the columns that say who chose and when; families and schools have no
    such columns."""
    by, at = getattr(row, f"{kind}_by", None), getattr(row, f"{kind}_at", None)
    name = group if whose == "group" else ""
    return Level(whose=whose, made=made, by=by, at=at, name=name)


def _play(row: Any) -> dict[str, Any]:
    values = {thing: getattr(row, thing) for thing in THINGS}
    return {thing: value for thing, value in values.items() if value is not None}


def _rank(level: Level) -> int:
    return in_force.IN_LESSONS.index(level.whose)


def _names(adults: set[Any]) -> dict[int, str]:
    rows = db.session.execute(select(Adult.id, Adult.name).where(Adult.id.in_(adults)))
    return {row.id: row.name for row in rows}
