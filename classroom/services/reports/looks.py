"""Pages of the audit log: about one child, and about the whole school for an administrator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, and_, func, or_, select, union

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
from classroom.services.base import clock, names
from classroom.services.base.rows import existing, is_there

# ---- Looks at one child's data. The child's teachers and parents can see who looked, and when

DAYS: Final = 28  # how many days of the log one page about a child shows

# Among the logged actions on a class, only these concern its children.
ABOUT_CHILDREN: Final = ("read", "export", "cards", "family_code", "names")


@dataclass(frozen=True, slots=True)
class Looker:
    """An adult in the log, as the reader sees it. `name`: "" if the reader need not know the name.
    `role`: "" if the account is closed. `you`: whether this adult is the reader."""

    name: str
    role: str
    you: bool = False


PROGRAM: Final = Looker("", "program")
ENDED: Final = Looker("", "")


@dataclass(frozen=True, slots=True)
class Look:
    """One kind of action by one adult on one day, about a child or the child's class, school or
    rounds. `class_name`: "" if `thing` is not a class, or if the class has been deleted."""

    who: Looker
    action: str
    thing: str
    class_name: str
    times: int


DayOfLooks = tuple[int, tuple[Look, ...]]  # a local day, and the looks on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """One page of looks by day, newest first. `more`: the `before` for the next page, if any."""

    days: tuple[DayOfLooks, ...]
    more: int | None


# ---- one child


def about(child: Child) -> ColumnElement[bool]:
    """The SQL condition for log rows about this child, the child's rounds or class, or the names of
    all children in the school. Rows about the present class count only from when the child joined
    it. Rows about classes in which the child played, or which the child left for a new school year,
    count only until then."""
    sat = select(Round.id).join(Player, Player.match_id == Round.match_id)
    played = sat.where(Player.child_id == child.id)
    came = came_at([child.id])[child.id]
    elsewhere = select(Match.class_id).join(Player, Player.match_id == Match.id)
    elsewhere = elsewhere.where(Player.child_id == child.id)
    left = select(YearMove.from_class).where(YearMove.child_id == child.id)
    left = left.where(YearMove.from_class.is_not(None))
    in_class = and_(
        AuditEntry.thing == "class",
        AuditEntry.action.in_(ABOUT_CHILDREN),
        AuditEntry.at >= child.created_at,
        or_(
            and_(AuditEntry.thing_id == child.class_id, AuditEntry.at >= came),
            and_(AuditEntry.thing_id.in_(union(elsewhere, left)), AuditEntry.at < came),
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


def came_at(children: Collection[int]) -> dict[int | None, float]:
    """When each child joined the present class: when last moved, or else when first added."""
    added = select(Child.id, Child.created_at).where(Child.id.in_(children))
    moves = select(AuditEntry.thing_id, func.max(AuditEntry.at)).where(
        AuditEntry.action.in_(("move", "leave", "take_out", "take_back")),
        AuditEntry.thing == "child",
        AuditEntry.thing_id.in_(children),
    )
    moved = db.session.execute(moves.group_by(AuditEntry.thing_id)).all()
    return dict(db.session.execute(added).all()) | dict(moved)


def adults(child: Child, reader_id: int) -> dict[int, Looker]:
    """All adults by id, with the facts that this reader of the child's data may know: everyone's
    role, the teachers' names and, if the reader teaches the child, the parents' names."""
    taught = select(ClassTeacher.adult_id).where(ClassTeacher.class_id == child.class_id)
    teachers = set(db.session.scalars(taught))
    linked = select(FamilyLink.adult_id).where(FamilyLink.child_id == child.id)
    named = teachers | (set(db.session.scalars(linked)) if reader_id in teachers else set())
    return {
        row.id: Looker(row.name if row.id in named else "", row.role, row.id == reader_id)
        for row in db.session.execute(select(Adult.id, Adult.role, Adult.name))
    }


def of_child(child_id: int, reader_id: int, before: int | None = None) -> Looks:
    """One page of who looked at a child's data, on days before `before`. Raises NotFound."""
    child = existing(Child, child_id)
    ours, until = about(child), clock.day() + 1 if before is None else before
    latest = select(func.max(AuditEntry.at)).where(ours, AuditEntry.at < clock.begin_of(until))
    newest = db.session.scalar(latest)
    if newest is None:
        return Looks(days=(), more=None)
    first = clock.day(newest) - DAYS + 1
    span = AuditEntry.at >= clock.begin_of(first), AuditEntry.at < clock.begin_of(until)
    wanted = select(AuditEntry).where(ours, *span).order_by(AuditEntry.id.desc())
    rows, known = db.session.scalars(wanted).all(), adults(child, reader_id)
    days: dict[int, Counter[tuple[Looker, str, str, str]]] = {}
    in_class = {row.thing_id for row in rows if row.thing == "class"}
    named = select(SchoolClass.id, SchoolClass.name).where(SchoolClass.id.in_(in_class))
    rooms = dict(db.session.execute(named).all())
    for row in rows:
        room = rooms.get(row.thing_id or 0, "") if row.thing == "class" else ""
        one = (person(row.adult_id, known), row.action, row.thing, room)
        days.setdefault(clock.day(row.at), Counter())[one] += 1
    looks = {day: tuple(Look(*one, n) for one, n in found.items()) for day, found in days.items()}
    earlier = select(AuditEntry.id).where(ours, AuditEntry.at < clock.begin_of(first))
    return Looks(days=tuple(looks.items()), more=first if is_there(earlier) else None)


def person(adult_id: int | None, known: Mapping[int, Looker]) -> Looker:
    return PROGRAM if adult_id is None else known.get(adult_id, ENDED)


# ---- the whole log for an administrator, without children's names and grouped by minute

LINES: Final = 50  # lines of the log on a page
ROWS: Final = 2_000  # the largest number of rows read for a page
PARENTS, BY_PROGRAM = ("parents", "program")  # values of ChosenLooks.person besides ids of adults


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line in the log: what one person did in one minute. `times`: how many rows were combined.
    `rooms`: the classes that these rows are about, each with its number of rows; "" stands for no
    class or a deleted class. `adult`: the owner of the account that the line is about, if any.
    Parents are not named, because their names often contain a child's name ("Mia's father")."""

    at: float
    who: Looker
    action: str
    thing: str
    rooms: tuple[tuple[str, int], ...]
    adult: Looker | None
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenLooks:
    """Which rows to show; a field that is None allows all rows. `kind`: an action and a thing.
    `day`: a local day. `person`: an adult's id, PARENTS or BY_PROGRAM. `room`: a class's id.
    `before`: only rows older than the row with this id."""

    kind: tuple[str, str] | None = None
    day: int | None = None
    person: int | str | None = None
    room: int | None = None
    before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """A page of the log, newest first. `more`: the `before` for the next page, if any. `kinds`: the
    pairs of an action and a thing that occur in the school's log. `people`: the id and name of each
    member of staff. `rooms`: the id and name of each class."""

    entries: tuple[Entry, ...]
    more: int | None
    kinds: tuple[tuple[str, str], ...]
    people: tuple[tuple[int, str], ...]
    rooms: tuple[tuple[int, str], ...]


def of_school(school_id: int, reader_id: int, chosen: ChosenLooks) -> Entries:
    """One page of the school's log, with the chosen rows."""
    # Leave out the rows about what adults in another school did. Once such an adult is deleted, a
    # row's school is unknown; but in practice an installation has only one school.
    others = select(Adult.id).where(Adult.school_id != school_id)
    ours = or_(AuditEntry.adult_id.is_(None), AuditEntry.adult_id.not_in(others))
    wanted = select(AuditEntry).where(ours, *_where(chosen, school_id))
    rows = db.session.scalars(wanted.order_by(AuditEntry.id.desc()).limit(ROWS + 1)).all()
    lines, rest = _lines(rows[:ROWS], school_id, reader_id)
    if rest is None and len(rows) > ROWS:
        rest = rows[ROWS - 1].id
    kinds = select(AuditEntry.action, AuditEntry.thing).where(ours).distinct()
    here = Adult.school_id == school_id, Adult.role != "parent"
    staff = select(Adult.id, Adult.name).where(*here)
    rooms = select(SchoolClass.id, SchoolClass.name).where(SchoolClass.school_id == school_id)
    return Entries(
        entries=lines,
        more=rest,
        kinds=tuple(sorted((row.action, row.thing) for row in db.session.execute(kinds))),
        people=tuple((row.id, row.name) for row in names.by_name(db.session.execute(staff))),
        rooms=tuple((row.id, row.name) for row in names.by_name(db.session.execute(rooms))),
    )


# ---- choosing rows


def _where(chosen: ChosenLooks, school_id: int) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if chosen.kind:
        found += [AuditEntry.action == chosen.kind[0], AuditEntry.thing == chosen.kind[1]]
    if chosen.day is not None:
        found.append(AuditEntry.at >= clock.begin_of(chosen.day))
        found.append(AuditEntry.at < clock.begin_of(chosen.day + 1))
    if chosen.person == PARENTS:
        found.append(AuditEntry.adult_id.in_(select(Adult.id).where(Adult.role == "parent")))
    elif chosen.person == BY_PROGRAM:
        found.append(AuditEntry.adult_id.is_(None))
    elif chosen.person is not None:
        found.append(AuditEntry.adult_id == chosen.person)
    if chosen.room is not None:
        found.append(_in_room(chosen.room, school_id))
    if chosen.before is not None:
        found.append(AuditEntry.id < chosen.before)
    return found


def _in_room(class_id: int, school_id: int) -> ColumnElement[bool]:
    """The SQL condition for rows about a class in the school, its children and its rounds."""
    room = SchoolClass.id == class_id, SchoolClass.school_id == school_id
    return or_(
        *(
            (AuditEntry.thing == thing) & AuditEntry.thing_id.in_(ids.where(*room))
            for thing, ids in _IN_CLASSES.items()
        )
    )


# For each kind of thing in the log: a SELECT that finds the ids and joins the things' classes.
_IN_CLASSES: Final = {
    "class": select(SchoolClass.id),
    "child": select(Child.id).join(SchoolClass, SchoolClass.id == Child.class_id),
    "round": select(Round.id)
    .join(Match, Match.id == Round.match_id)
    .join(SchoolClass, SchoolClass.id == Match.class_id),
}


# ---- grouping rows into lines


def _lines(
    rows: Sequence[AuditEntry], school_id: int, reader_id: int
) -> tuple[tuple[Entry, ...], int | None]:
    """The first LINES lines made from these rows, and the id of the last row in them, or None if no
    rows are left over."""
    here = select(Adult.id, Adult.name, Adult.role).where(Adult.school_id == school_id)
    people = {
        row.id: Looker("" if row.role == "parent" else row.name, row.role, row.id == reader_id)
        for row in db.session.execute(here)
    }
    rooms = _rooms_of(rows, school_id)
    groups: dict[Hashable, list[AuditEntry]] = {}
    last, rest = 0, None
    for row in rows:
        of = None if row.thing == "child" else row.thing_id
        key = int(row.at // 60), row.adult_id, row.action, row.thing, of
        if key not in groups and len(groups) == LINES:
            rest = last
            break
        groups.setdefault(key, []).append(row)
        last = row.id
    return tuple(_line(found, people, rooms) for found in groups.values()), rest


def _line(
    rows: Sequence[AuditEntry],
    people: Mapping[int, Looker],
    rooms: Mapping[tuple[str, int | None], str],
) -> Entry:
    first = rows[0]
    counted = Counter(rooms.get((row.thing, row.thing_id), "") for row in rows)
    return Entry(
        at=first.at,
        who=person(first.adult_id, people),
        action=first.action,
        thing=first.thing,
        rooms=tuple(sorted(counted.items(), key=lambda one: names.order(one[0]))),
        adult=people.get(first.thing_id or 0, ENDED) if first.thing == "adult" else None,
        times=len(rows),
    )


def _rooms_of(rows: Sequence[AuditEntry], school_id: int) -> dict[tuple[str, int | None], str]:
    """The name of the class that each row is about, keyed by the row's thing and its id."""
    found: dict[tuple[str, int | None], str] = {}
    for thing, ids in _IN_CLASSES.items():
        these = {row.thing_id for row in rows if row.thing == thing}
        which = ids.selected_columns.id.in_(these), SchoolClass.school_id == school_id
        named = db.session.execute(ids.add_columns(SchoolClass.name).where(*which))
        found |= {(thing, row.id): row.name for row in named}
    return found
