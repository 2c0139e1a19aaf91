"""The adults who work at a school: their classes, their roles and the closing of their accounts.

`by` is the adult who makes a change, for the audit log. Parents are left out: these lists must not
name children, and a parent's name often contains a child's ("Mia's father").
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, func, select

from classroom.database import db, empty_log, hold, write_unit
from classroom.models import (
    Adult,
    Child,
    ClassTeacher,
    KnownDevice,
    PasswordReset,
    School,
    SchoolClass,
    Session,
)
from classroom.services.access import accounts, invitations, sign_in
from classroom.services.access.invitations import SUBSTITUTE, TEACHES
from classroom.services.base import audit, clock, names, security_log, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import existing, held, is_there
from classroom.services.school import removals

STAFF: Final = (*TEACHES, SUBSTITUTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Colleague:
    """An adult who works at the school. `classes`: the names of the classes that they teach.
    `seen_day`: the last local day on which they signed in or did something, None if it is not
    known. `ends_at`: when a substitute's account closes. `ended`: whether it is closed. `reset`:
    the unused code for a new password, if any."""

    adult_id: int
    name: str
    role: str
    classes: tuple[str, ...]
    seen_day: int | None
    ends_at: float | None
    ended: bool
    reset: PasswordReset | None

    @property
    def can_be_reset(self) -> bool:
        """Whether an administrator may make a code for this adult's new password. Codes for
        administrators are made on the server only, so that nobody can take over their accounts."""
        return self.role != "admin" and not self.ended


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A class, how many children it has, and its teachers and substitutes, sorted by name."""

    class_id: int
    name: str
    children: int
    teachers: tuple[Colleague, ...]
    substitutes: tuple[Colleague, ...]


def staff(school_id: int) -> tuple[Colleague, ...]:
    """Everyone who works at the school, sorted by name."""
    found = select(Adult).where(Adult.school_id == school_id, Adult.role.in_(STAFF))
    rows = names.by_name(db.session.scalars(found))
    taught = defaultdict(list)
    for _, adult_id, name in db.session.execute(_teaching(school_id).add_columns(SchoolClass.name)):
        taught[adult_id].append(name)
    ids = [row.id for row in rows]
    seen, reset = _last_seen(ids), accounts.open_resets(ids)
    return tuple(
        Colleague(
            adult_id=row.id,
            name=row.name,
            role=row.role,
            classes=tuple(sorted(taught[row.id], key=names.order)),
            seen_day=clock.day(seen[row.id]) if row.id in seen else None,
            ends_at=row.ends_at,
            ended=sign_in.is_over(row),
            reset=reset.get(row.id),
        )
        for row in rows
    )


def teachers(school_id: int) -> tuple[Colleague, ...]:
    """Everyone at the school who can teach a class, sorted by name."""
    return tuple(one for one in staff(school_id) if one.role in TEACHES)


def rooms(school_id: int) -> tuple[Room, ...]:
    """The classes of a school, sorted by name, each with its teachers."""
    known = {one.adult_id: one for one in staff(school_id) if not one.ended}
    of_room = defaultdict(list)
    for class_id, adult_id in db.session.execute(_teaching(school_id)):
        if adult_id in known:
            of_room[class_id].append(known[adult_id])
    for adults in of_room.values():
        adults.sort(key=lambda one: names.order(one.name, one.adult_id))
    count = select(func.count(Child.id)).where(Child.class_id == SchoolClass.id).scalar_subquery()
    rows = db.session.execute(
        select(SchoolClass.id, SchoolClass.name, count).where(SchoolClass.school_id == school_id)
    )
    return tuple(
        Room(
            class_id=class_id,
            name=name,
            children=children,
            teachers=tuple(one for one in of_room[class_id] if one.role in TEACHES),
            substitutes=tuple(one for one in of_room[class_id] if one.role == SUBSTITUTE),
        )
        for class_id, name, children in names.by_name(rows)
    )


def room(class_id: int) -> Room:
    """One class with its teachers. Raises NotFound."""
    found = existing(SchoolClass, class_id)
    return next(one for one in rooms(found.school_id) if one.class_id == class_id)


def colleague(adult_id: int) -> Colleague:
    """The colleague with this id. Raises NotFound for a parent too."""
    everyone = staff(existing(Adult, adult_id).school_id)
    found = next((one for one in everyone if one.adult_id == adult_id), None)
    if found is None:
        raise NotFound("adult")
    return found


def _teaching(school_id: int) -> Select[int, int]:
    return (
        select(ClassTeacher.class_id, ClassTeacher.adult_id)
        .join(SchoolClass, SchoolClass.id == ClassTeacher.class_id)
        .where(SchoolClass.school_id == school_id)
    )


def _last_seen(adults: list[int]) -> dict[int, float]:
    """When each of these adults last signed in or did something, by id, as far as is known."""
    known = select(KnownDevice.adult_id, KnownDevice.last_at.label("at"))
    both = known.union_all(select(Session.adult_id, Session.seen_at)).subquery().c
    last = select(both.adult_id, func.max(both.at)).where(both.adult_id.in_(adults))
    return dict(db.session.execute(last.group_by(both.adult_id)).all())


def make_reset_code(adult_id: int, by: int) -> tuple[str, str]:
    """Make a code with which this colleague can set a new password; returns the colleague's name
    and the code. Raises NotFound for an administrator too."""
    found = colleague(adult_id)
    if not found.can_be_reset:
        raise NotFound("adult")
    return found.name, accounts.make_reset_code(adult_id, by)


# ---- who teaches a class; each change locks the class until the commit


def share(class_id: int, colleague_id: int, by: int) -> None:
    """Let a teacher or administrator of the same school teach this class; does nothing if they
    teach it already. Raises NotFound for anyone else."""
    with write_unit():
        held(SchoolClass, class_id)
        _assign(class_id, colleague_id, by)


def leave(class_id: int, adult_id: int, to: int | None = None) -> None:
    """Remove an adult from the teachers of this class, at the adult's request. `to`: a colleague
    who takes over the class. Raises Refused("last_teacher") if no teacher would be left, and
    NotFound for a colleague who cannot teach the class."""
    with write_unit():
        held(SchoolClass, class_id)
        if to is not None and to != adult_id:
            _assign(class_id, to, adult_id)
        others = (
            select(Adult.id)
            .join(ClassTeacher, ClassTeacher.adult_id == Adult.id)
            .where(ClassTeacher.class_id == class_id, Adult.role.in_(TEACHES), Adult.id != adult_id)
        )
        if not is_there(others):
            raise Refused("last_teacher")
        _take_off(class_id, adult_id)
        audit.record(adult_id, "leave", "class", class_id)


def take_off(class_id: int, colleague_id: int, by: int) -> None:
    """Remove a colleague from the teachers of this class, even if no teacher is left. Raises
    NotFound if they do not teach the class."""
    with write_unit():
        held(SchoolClass, class_id)
        _take_off(class_id, colleague_id)
        audit.record(by, "take_off", "class", class_id)
        audit.record(by, "take_off", "adult", colleague_id)


def dismiss(class_id: int, colleague_id: int, by: int) -> None:
    """End a substitute's work in this class, and the account if this was their last class. Raises
    NotFound."""
    with write_unit():
        held(SchoolClass, class_id)
        row = _member(colleague_id, (SUBSTITUTE,))
        _take_off(class_id, colleague_id)
        audit.record(by, "take_off", "class", class_id)
        audit.record(by, "take_off", "adult", colleague_id)
        if not is_there(select(ClassTeacher.class_id).filter_by(adult_id=colleague_id)):
            removals.take_out_adult(row)
            audit.record(by, "remove", "adult", row.id)
    empty_log()


def _assign(class_id: int, colleague_id: int, by: int) -> None:
    room_ = db.session.get_one(SchoolClass, class_id)
    row = db.session.get(Adult, colleague_id)
    if row is None or row.role not in TEACHES or row.school_id != room_.school_id:
        raise NotFound("adult")
    if db.session.get(ClassTeacher, (class_id, colleague_id)) is None:
        invitations.let_teach(class_id, colleague_id)
        audit.record(by, "assign", "class", class_id)
        audit.record(by, "assign", "adult", colleague_id)


def _take_off(class_id: int, adult_id: int) -> None:
    row = db.session.get(ClassTeacher, (class_id, adult_id))
    if row is None:
        raise NotFound("adult")
    tombstones.note_left(row)
    invitations.void_of(adult_id, class_id)
    db.session.delete(row)
    db.session.flush()
    security_log.note("class_left", adult_id=adult_id, class_id=class_id)


# ---- accounts


def set_role(colleague_id: int, role: str, by: int | None = None) -> None:
    """Make a teacher an administrator, or an administrator an ordinary teacher. Raises
    Refused("last_admin") if no administrator would be left, and NotFound for all other adults."""
    with write_unit():
        row = _member(colleague_id, TEACHES)
        if row.role == role:
            return
        if role == "teacher":
            _not_the_last(row)
            tombstones.note_role(row)
            invitations.void_of(row.id)
        row.role, row.role_since = role, clock.now()
        audit.record(by, f"make_{role}", "adult", row.id)
        security_log.note("role_changed", adult_id=row.id)


def make_administrator(login: str) -> None:
    """Make the teacher with this login an administrator. Raises NotFound("login")."""
    mine = Adult.login == sign_in.tidy_login(login)
    row = db.session.scalar(select(Adult).where(mine, Adult.role.in_(TEACHES)))
    if row is None:
        raise NotFound("login")
    set_role(row.id, "admin")


def end_account(colleague_id: int, by: int) -> None:
    """Delete the account of a colleague and end all of its sessions at once. The colleague's
    classes stay, even without a teacher. Raises Refused("last_admin") and NotFound."""
    with write_unit():
        row = _member(colleague_id, STAFF)
        _not_the_last(row)
        removals.take_out_adult(row)
        audit.record(by, "remove", "adult", row.id)
    empty_log()


def only_administers(adult_id: int) -> bool:
    """Whether this adult teaches no class although their school has classes."""
    taught = select(ClassTeacher.class_id).where(ClassTeacher.adult_id == adult_id)
    rooms_ = (
        select(SchoolClass.id)
        .join(Adult, Adult.school_id == SchoolClass.school_id)
        .where(Adult.id == adult_id)
    )
    return not is_there(taught) and is_there(rooms_)


def has_administrator() -> bool:
    """Whether there is an administrator. Also True while there are no teachers yet."""
    works = select(Adult.id).where(Adult.role.in_(TEACHES))
    return not is_there(works) or is_there(works.where(Adult.role == "admin"))


def _member(adult_id: int, roles: tuple[str, ...]) -> Adult:
    """The account, which must have one of these roles. The school is locked until the commit, so
    that nobody else changes a role there. Raises NotFound."""
    row = db.session.get(Adult, adult_id)
    if row is None or row.role not in roles:
        raise NotFound("adult")
    db.session.scalar(hold(select(School.id).where(School.id == row.school_id)))
    db.session.refresh(row)
    return row


def _not_the_last(row: Adult) -> None:
    others = select(Adult.id).where(
        Adult.school_id == row.school_id, Adult.role == "admin", Adult.id != row.id
    )
    if row.role == "admin" and not is_there(others):
        raise Refused("last_admin")
