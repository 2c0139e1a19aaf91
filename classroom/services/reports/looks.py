"""The audit log as teachers and parents read it: the looks at one child's data. What an
administrator reads is in school_log.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, CompoundSelect, and_, func, or_, select, union

from classroom.database import db
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    ClassTeacher,
    FamilyLink,
    Match,
    Player,
    Round,
    SchoolClass,
    YearMove,
)
from classroom.services.base import clock
from classroom.services.base.errors import NotFound

DAYS: Final = 28  # days of looks on a page about a child
# Of the logged actions on a class, only these concern its children.
ABOUT_CHILDREN: Final = ("read", "export", "cards", "family_code", "names")


@dataclass(frozen=True, slots=True)
class Person:
    """An adult in the log. `name`: "" if the reader need not know it; `role`: "" for an account
    that has ended. `you`: whether it is the reader."""

    name: str
    role: str
    you: bool = False


PROGRAM: Final = Person("", "program")
ENDED: Final = Person("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one adult did on one day with a child, its class, its school or one of its rounds.
    `class_name`: the class's name, "" if the class is gone or the thing is not a class."""

    who: Person
    action: str
    thing: str
    times: int
    class_name: str = ""


@dataclass(frozen=True, slots=True)
class DayOfLooks:
    """A local day, and what was done on it, latest first."""

    day: int
    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """Days of looks at a child, newest first. `more`: the `before` of the next page, None if this
    is the last one."""

    days: tuple[DayOfLooks, ...]
    more: int | None


# ---- one child


def about(child: Child) -> ColumnElement[bool]:
    """The condition for rows about the child itself, its rounds, the names of all children of the
    school, or its class: the present class since the child came, earlier ones until then."""
    played = (
        select(Round.id)
        .join(Player, Player.match_id == Round.match_id)
        .where(Player.child_id == child.id)
    )
    came = _came(child)
    in_class = and_(
        AuditEntry.thing == "class",
        AuditEntry.action.in_(ABOUT_CHILDREN),
        AuditEntry.at >= child.created_at,
        or_(
            and_(AuditEntry.thing_id == child.class_id, AuditEntry.at >= came),
            and_(AuditEntry.thing_id.in_(_earlier(child)), AuditEntry.at < came),
        ),
    )
    in_school = and_(
        AuditEntry.thing == "school",
        AuditEntry.thing_id == child.school_class.school_id,
        AuditEntry.action == "names",
        AuditEntry.at >= child.created_at,
    )
    return or_(
        in_school,
        and_(AuditEntry.thing == "child", AuditEntry.thing_id == child.id),
        and_(AuditEntry.thing == "round", AuditEntry.thing_id.in_(played)),
        in_class,
    )


def _came(child: Child) -> float:
    """When the child came into its class: at its last change of class, else when it was added."""
    moves = select(func.max(AuditEntry.at)).where(
        AuditEntry.action.in_(("move", "leave", "take_out", "take_back")),
        AuditEntry.thing == "child",
        AuditEntry.thing_id == child.id,
    )
    return db.session.scalar(moves) or child.created_at


def _earlier(child: Child) -> CompoundSelect[tuple[int | None]]:
    """The classes in which the child played, and those that it left with a school year."""
    played = select(Match.class_id).join(Player, Player.match_id == Match.id)
    left = select(YearMove.from_class).where(YearMove.child_id == child.id)
    return union(
        played.where(Player.child_id == child.id), left.where(YearMove.from_class.is_not(None))
    )


def adults(child: Child, reader_id: int) -> dict[int, Person]:
    """The adults of the school as a reader of this child's data may know them: the child's teachers
    by name, its parents too if the reader is one of those teachers, all others by role."""
    teachers = set(
        db.session.scalars(
            select(ClassTeacher.adult_id).where(ClassTeacher.class_id == child.class_id)
        )
    )
    linked = select(FamilyLink.adult_id).where(FamilyLink.child_id == child.id)
    named = teachers | (set(db.session.scalars(linked)) if reader_id in teachers else set())
    rows = db.session.execute(select(Adult.id, Adult.role, Adult.name))
    return {
        row.id: Person(row.name if row.id in named else "", row.role, row.id == reader_id)
        for row in rows
    }


def of_child(child_id: int, reader_id: int, before: int | None = None) -> Looks:
    """A page of the days on which someone looked at a child's data; `before`: only days before this
    one. Raises NotFound."""
    child = db.session.get(Child, child_id)
    if child is None:
        raise NotFound("child")
    ours, until = about(child), clock.day() + 1 if before is None else before
    newest = db.session.scalar(
        select(AuditEntry.at)
        .where(ours, AuditEntry.at < clock.begin_of(until))
        .order_by(AuditEntry.at.desc())
        .limit(1)
    )
    if newest is None:
        return Looks(days=(), more=None)
    first = clock.day(newest) - DAYS + 1
    span = AuditEntry.at >= clock.begin_of(first), AuditEntry.at < clock.begin_of(until)
    rows = db.session.scalars(select(AuditEntry).where(ours, *span).order_by(AuditEntry.id.desc()))
    earlier = select(AuditEntry.id).where(ours, AuditEntry.at < clock.begin_of(first)).limit(1)
    return Looks(
        days=_by_day(rows.all(), adults(child, reader_id)),
        more=first if db.session.scalar(earlier) is not None else None,
    )


def _by_day(rows: Sequence[AuditEntry], known: Mapping[int, Person]) -> tuple[DayOfLooks, ...]:
    days: dict[int, Counter[tuple[Person, str, str, str]]] = {}
    in_class = {row.thing_id for row in rows if row.thing == "class"}
    named = select(SchoolClass.id, SchoolClass.name).where(SchoolClass.id.in_(in_class))
    rooms = dict(db.session.execute(named).tuples().all())
    for row in rows:
        room = rooms.get(row.thing_id or 0, "") if row.thing == "class" else ""
        one = (person(row.adult_id, known), row.action, row.thing, room)
        days.setdefault(clock.day(row.at), Counter())[one] += 1
    return tuple(
        DayOfLooks(
            day,
            tuple(
                Look(who=who, action=action, thing=thing, times=times, class_name=room)
                for (who, action, thing, room), times in found.items()
            ),
        )
        for day, found in days.items()
    )


def person(adult_id: int | None, known: Mapping[int, Person]) -> Person:
    return PROGRAM if adult_id is None else known.get(adult_id, ENDED)
