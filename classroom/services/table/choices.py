"""What the school, teachers and a family chose for a child: one reader and one writer for all
levels. in_force.py decides which of the choices applies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import bindparam, exists, or_, select, update

from classroom.database import db, run, write_unit
from classroom.games.decks import DECKS
from classroom.minds.board import SUPPORTS
from classroom.minds.playing.player_levels import LIKE_ME
from classroom.models import (
    Adult,
    Child,
    ChildGroup,
    ChoicesRow,
    GroupMember,
    PlaySettings,
    Restriction,
    School,
    SchoolClass,
)
from classroom.services.base import audit, clock, notices, versions
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import held
from classroom.services.table import in_force
from classroom.services.table.in_force import QUESTIONS, THINGS, Level, Whose
from classroom.services.table.paces import BY_AGE, PACES

Picks = Mapping[str, Any]  # choices by column of ChoicesRow; None leaves one open

OPPONENTS: Final = (1, 2, 3)
LEVELS: Final = ("minnow", "perch", "pike", LIKE_ME)  # the levels that adults can choose
MINUTES: Final = (10, 20, 30, 45)  # the limits per day that parents can choose
OFFERED: Final[Mapping[str, tuple[Any, ...]]] = {
    "opponents": OPPONENTS,
    "level": LEVELS,
    "deck": tuple(DECKS),
    "board": tuple(SUPPORTS),
    "hints": (True, False),
    "pace": (BY_AGE, *PACES),
    "voice": (True, False),
    "minutes_a_day": MINUTES,
}
_MADE: Final = (
    *THINGS,
    *(QUESTIONS, "question_skills", "number_low", "number_high", "focus", "minutes_a_day"),
)
_OWNERS: Final[Mapping[Whose, tuple[Any, str]]] = {  # whose row it is, and the column for its id
    "school": (School, "school_id"),
    "class": (SchoolClass, "class_id"),
    "group": (ChildGroup, "group_id"),
    "child": (Child, "child_id"),
    "family": (Child, "child_id"),
}
# The queries are built once, over the bare tables, since the child's runs at every tap.
_schools, _classes = School.__table__.c, SchoolClass.__table__.c
_children, _groups = Child.__table__.c, ChildGroup.__table__.c
_members, _held = GroupMember.__table__.c, Restriction.__table__.c
_rows = ChoicesRow.__table__.c
_LEVEL: Final = (
    *(_rows.id.label("row_id"), _rows.whose),
    *(_rows.play_by, _rows.play_at, _rows.questions_by, _rows.questions_at),
    *(_rows[name] for name in _MADE),
)
_AT_HOME: Final = (_classes.home_on & _classes.archived_at.is_(None)).label("at_home")
_ALL: Final = or_(
    _rows.school_id == _classes.school_id,
    _rows.class_id == _classes.id,
    _rows.group_id == _groups.id,
)
_OF_CHILD: Final = (
    select(
        *(_children.age_band, _groups.name.label("group"), _classes.id.label("class_id"), _AT_HOME),
        exists().where(_held.child_id == _children.id).label("held"),
        *_LEVEL,
    )
    .select_from(Child.__table__)
    .join(SchoolClass.__table__, _classes.id == _children.class_id)
    .outerjoin(GroupMember.__table__, _members.child_id == _children.id)
    .outerjoin(
        ChildGroup.__table__,
        (_groups.id == _members.group_id) & (_groups.class_id == _children.class_id),
    )
    .outerjoin(ChoicesRow.__table__, _ALL | (_rows.child_id == _children.id))
    .where(_children.id == bindparam("of"))
)
_READ: Final[Mapping[Whose, Any]] = {
    "child": _OF_CHILD,
    "family": _OF_CHILD,
    "group": select(_groups.name.label("group"), _classes.id.label("class_id"), *_LEVEL)
    .select_from(ChildGroup.__table__)
    .join(SchoolClass.__table__, _classes.id == _groups.class_id)
    .outerjoin(ChoicesRow.__table__, _ALL)
    .where(_groups.id == bindparam("of")),
    "class": select(_classes.id.label("class_id"), *_LEVEL)
    .select_from(SchoolClass.__table__)
    .outerjoin(
        ChoicesRow.__table__,
        or_(_rows.school_id == _classes.school_id, _rows.class_id == _classes.id),
    )
    .where(_classes.id == bindparam("of")),
    "school": select(_schools.id, *_LEVEL)
    .outerjoin(ChoicesRow.__table__, _rows.school_id == _schools.id)
    .where(_schools.id == bindparam("of")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """All levels at which something was chosen for a child, a group, a class or the school.
    `class_id`: its class, 0 for the school. `group`: the group's name, "" if there is none.
    `at_home`: whether the child's class allows play at home. `held`: whether nothing may be worked
    out about the child."""

    made: tuple[Level, ...]
    class_id: int = 0
    age_band: str = ""
    group: str = ""
    at_home: bool = False
    held: bool = False

    def of(self, whose: Whose) -> Level:
        """What was chosen at this level."""
        found = (level for level in self.made if level.whose == whose)
        return next(found, Level(whose=whose, made={}))


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


def read(whose: Whose, whose_id: int) -> Levels:
    """All levels that apply to this school, class, group or child, in one query. Raises
    NotFound."""
    rows = run(_READ[whose], {"of": whose_id}).mappings().all()
    if not rows:
        raise NotFound(whose)
    facts = rows[0]
    group = facts.get("group") or ""
    return Levels(
        made=tuple(_level(row, group) for row in rows if row["whose"]),
        class_id=facts.get("class_id", 0),
        age_band=facts.get("age_band", ""),
        group=group,
        at_home=bool(facts.get("at_home")),
        held=bool(facts.get("held")),
    )


def of_child(child_id: int) -> Levels:
    """All levels of a child. Raises NotFound."""
    return read("child", child_id)


def speaks(child_id: int, *, at_home: bool = False) -> bool:
    """Whether this child's pages speak by themselves. Raises NotFound."""
    return in_force.play(of_child(child_id).made, at_home=at_home).voice


def told(levels: Levels) -> tuple[Told, ...]:
    """Say, for a page, which level decides what; levels that take precedence come first."""
    decides = {thing: in_force.ruling(levels.made, thing) for thing in THINGS}
    found = [level for level in sorted(levels.made, key=_rank) if level in decides.values()]
    names = _names({level.by for level in found if level.whose in in_force.TEACHERS} - {None})
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
    others = (level for level in levels.made if level.whose != "family")
    return in_force.ruling(others, QUESTIONS)


def asked_by(level: Level | None) -> Told:
    """Say, for a page, who made this level's choice of questions."""
    if level is None:
        return Told(whose=None, made={})
    who = _names({level.asked_by} - {None}).get(level.asked_by or 0, "")
    return Told(whose=level.whose, made=level.made, who=who, at=level.asked_at, name=level.name)


# ---- choosing


def write(by: int | None, whose: Whose, whose_id: int, picks: Picks, version: str = "") -> None:
    """Store what an adult chose at one level, from the next match and the next question on; a limit
    of minutes applies at once. None leaves a choice to the other levels; what is not in `picks`
    stays as it is, and so does what a teacher decided, where a family chooses.

    Raises Refused(thing) for a value that is not on offer, NotFound, Changed.
    """
    for thing, value in picks.items():
        if value is not None and value not in OFFERED.get(thing, (value,)):
            raise Refused(thing)
    owner, column = _OWNERS[whose]
    with write_unit():
        held(owner, whose_id)
        levels = read(whose, whose_id)
        versions.check(version, levels)
        values, before = dict(picks), levels.of(whose)
        if whose == "family":
            for thing in in_force.fixed(levels.made, at_home=levels.at_home):
                values.pop(thing, None)
            for thing in THINGS:  # a family leaves nothing open
                if values.get(thing, thing) is None:
                    raise Refused(thing)
        kind = "questions" if QUESTIONS in values else "play"
        values |= {f"{kind}_by": by, f"{kind}_at": clock.now()}
        if before.row_id:
            db.session.execute(update(ChoicesRow).filter_by(id=before.row_id).values(values))
        else:
            db.session.add(ChoicesRow(whose=whose, **{column: whose_id}, **values))
        minutes = before.made.get("minutes_a_day")
        playing = (
            notices.changed_for([whose_id])
            if whose == "family" and values.get("minutes_a_day", minutes) != minutes
            else []
        )
        if whose == "group":
            audit.record(by, "group_settings", "class", levels.class_id)
        else:
            audit.record(by, "settings", "child" if whose == "family" else whose, whose_id)
    if playing:
        notices.tables(levels.class_id, playing)


# ---- within


def _level(row: Mapping[Any, Any], group: str) -> Level:
    whose = cast(Whose, row["whose"])
    return Level(
        whose=whose,
        made={name: row[name] for name in _MADE if row[name] is not None},
        by=row["play_by"],
        at=row["play_at"],
        asked_by=row["questions_by"],
        asked_at=row["questions_at"],
        name=group if whose == "group" else "",
        row_id=row["row_id"],
    )


def _rank(level: Level) -> int:
    return in_force.IN_LESSONS.index(level.whose)


def _names(adults: set[Any]) -> dict[int, str]:
    if not adults:
        return {}
    rows = db.session.execute(select(Adult.id, Adult.name).where(Adult.id.in_(adults)))
    return {row.id: row.name for row in rows}
