"""The whole audit log without any child's name, for an administrator. What somebody did several
times in one minute is one line of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, or_, select

from classroom.database import db
from classroom.models import Adult, AuditEntry, Child, Match, Round, SchoolClass
from classroom.services.base import clock, names
from classroom.services.reports.looks import ENDED, Person, person

LINES: Final = 50  # lines of the log on a page
ROWS: Final = 2_000  # the most rows that are read for a page
PARENTS, PROGRAM = "parents", "program"  # whose rows can be chosen, besides an adult of the staff


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the log: what somebody did in one minute, `times` times. `rooms`: the classes that
    the things are or belong to, "" for none or one that is gone, and how often each; a line about
    anything but children has one. `adult`: whom it is about, if it is about an account. Parents
    have no names here, since many are named after their child ("Mia's father")."""

    at: float
    who: Person
    action: str
    thing: str
    rooms: tuple[tuple[str, int], ...]
    adult: Person | None
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which rows are wanted: only this action on this thing, this local day, this person (an
    adult's id, PARENTS or PROGRAM), this class; only rows before this one. None: all."""

    kind: tuple[str, str] | None = None
    day: int | None = None
    person: int | str | None = None
    room: int | None = None
    before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """A page of the log, newest first. `more`: the `before` of the next page, None if this is the
    last one. `kinds`: each pair of an action and a thing that occurs in the school's log. `people`
    and `rooms`: the staff and the classes of the school, by id."""

    entries: tuple[Entry, ...]
    more: int | None
    kinds: tuple[tuple[str, str], ...]
    people: tuple[tuple[int, str], ...]
    rooms: tuple[tuple[int, str], ...]


def of_school(school_id: int, reader_id: int, chosen: Chosen) -> Entries:
    """A page of the school's log."""
    ours = _of_school(school_id)
    wanted = select(AuditEntry).where(ours, *_where(chosen, school_id))
    rows = db.session.scalars(wanted.order_by(AuditEntry.id.desc()).limit(ROWS + 1)).all()
    lines, rest = _lines(rows[:ROWS], school_id, reader_id)
    cut = rest if rest is not None else (rows[ROWS - 1].id if len(rows) > ROWS else None)
    kinds = select(AuditEntry.action, AuditEntry.thing).where(ours).distinct()
    staff = select(Adult.id, Adult.name).where(Adult.school_id == school_id)
    staff = staff.where(Adult.role != "parent")
    rooms = select(SchoolClass.id, SchoolClass.name).where(SchoolClass.school_id == school_id)
    return Entries(
        entries=lines,
        more=cut,
        kinds=tuple(sorted((row.action, row.thing) for row in db.session.execute(kinds))),
        people=tuple((row.id, row.name) for row in names.by_name(db.session.execute(staff))),
        rooms=tuple((row.id, row.name) for row in names.by_name(db.session.execute(rooms))),
    )


# ---- which rows


def _of_school(school_id: int) -> ColumnElement[bool]:
    """The condition for rows that no adult of another school made. A row outlives its adult, and no
    longer shows the school then; in practice an installation has only one school."""
    others = select(Adult.id).where(Adult.school_id != school_id)
    return or_(AuditEntry.adult_id.is_(None), AuditEntry.adult_id.not_in(others))


def _where(chosen: Chosen, school_id: int) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if chosen.kind:
        found += [AuditEntry.action == chosen.kind[0], AuditEntry.thing == chosen.kind[1]]
    if chosen.day is not None:
        found.append(AuditEntry.at >= clock.begin_of(chosen.day))
        found.append(AuditEntry.at < clock.begin_of(chosen.day + 1))
    if chosen.person == PARENTS:
        found.append(AuditEntry.adult_id.in_(select(Adult.id).where(Adult.role == "parent")))
    elif chosen.person == PROGRAM:
        found.append(AuditEntry.adult_id.is_(None))
    elif chosen.person is not None:
        found.append(AuditEntry.adult_id == chosen.person)
    if chosen.room is not None:
        found.append(_in_room(chosen.room, school_id))
    if chosen.before is not None:
        found.append(AuditEntry.id < chosen.before)
    return found


def _in_room(class_id: int, school_id: int) -> ColumnElement[bool]:
    """The condition for rows about a class of the school, its children and its rounds."""
    room = SchoolClass.id == class_id, SchoolClass.school_id == school_id
    children = select(Child.id).join(SchoolClass, SchoolClass.id == Child.class_id).where(*room)
    rounds = select(Round.id).join(Match, Match.id == Round.match_id)
    rounds = rounds.join(SchoolClass, SchoolClass.id == Match.class_id).where(*room)
    things = {"class": select(SchoolClass.id).where(*room), "child": children, "round": rounds}
    return or_(
        *(
            (AuditEntry.thing == thing) & AuditEntry.thing_id.in_(query)
            for thing, query in things.items()
        )
    )


# ---- lines


def _lines(
    rows: Sequence[AuditEntry], school_id: int, reader_id: int
) -> tuple[tuple[Entry, ...], int | None]:
    """The first LINES lines of these rows, and the id of the last row in them, None if there are no
    more."""
    people = _people(school_id, reader_id)
    rooms = _rooms_of(rows, school_id)
    groups: dict[Hashable, list[AuditEntry]] = {}
    last = 0
    for row in rows:
        what: Hashable = None if row.thing == "child" else (row.thing_id, row.thing)
        key = int(row.at // 60), row.adult_id, row.action, row.thing, what
        if key not in groups and len(groups) == LINES:
            return tuple(_line(found, people, rooms) for found in groups.values()), last
        groups.setdefault(key, []).append(row)
        last = row.id
    return tuple(_line(found, people, rooms) for found in groups.values()), None


def _line(
    rows: Sequence[AuditEntry],
    people: Mapping[int, Person],
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


def _people(school_id: int, reader_id: int) -> dict[int, Person]:
    here = select(Adult.id, Adult.name, Adult.role).where(Adult.school_id == school_id)
    return {
        row.id: Person("" if row.role == "parent" else row.name, row.role, row.id == reader_id)
        for row in db.session.execute(here)
    }


def _rooms_of(rows: Sequence[AuditEntry], school_id: int) -> dict[tuple[str, int | None], str]:
    """The name of the class of each thing, by the thing and its id."""
    ids = {
        thing: [row.thing_id for row in rows if row.thing == thing]
        for thing in ("class", "child", "round")
    }
    room = SchoolClass.school_id == school_id
    of_class = select(SchoolClass.id, SchoolClass.name).where(SchoolClass.id.in_(ids["class"]))
    of_child = (
        select(Child.id, SchoolClass.name)
        .join(SchoolClass, SchoolClass.id == Child.class_id)
        .where(Child.id.in_(ids["child"]))
    )
    of_round = (
        select(Round.id, SchoolClass.name)
        .join(Match, Match.id == Round.match_id)
        .join(SchoolClass, SchoolClass.id == Match.class_id)
        .where(Round.id.in_(ids["round"]))
    )
    return {
        (thing, row.id): row.name
        for thing, query in (("class", of_class), ("child", of_child), ("round", of_round))
        for row in db.session.execute(query.where(room))
    }
