"""The adults linked to each child, the codes that can still link someone, and ways to end both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Select, func, select

from classroom.database import db, empty_log, hold, write_unit
from classroom.models import Adult, Child, FamilyCode, FamilyLink, KnownDevice
from classroom.services.access import resets, sessions
from classroom.services.access.resets import Paper
from classroom.services.base import audit, clock, limits, names, security_log, tombstones
from classroom.services.base.errors import NotFound
from classroom.services.school import families, removals

Which = Literal["all", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedAdult:
    """A parent of a child. `last_day`: the local day of the last sign-in, None if it is no longer
    known. `reset`: the open code for a new password, if any."""

    adult_id: int
    name: str
    since: float
    last_day: int | None
    reset: Paper | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A child with its linked adults by name, and the codes that can still link someone."""

    child_id: int
    name: str
    animal: str
    pad: int
    adults: tuple[LinkedAdult, ...]
    codes: tuple[Paper, ...]

    @property
    def missing(self) -> bool:
        """Whether no one is linked, and no one holds a code."""
        return not self.adults and not self.codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What unlinking would end. `last`: the parent has no other child here, so the account ends.
    `codes`: codes for this child that can still be used."""

    child_id: int
    child: str
    adult_id: int
    adult: str
    last: bool
    codes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A code for the family of one child, to be printed."""

    child_id: int
    name: str
    class_name: str
    code: str


# ---- what there is


def of_class(class_id: int) -> tuple[Family, ...]:
    """The families of a class, by the children's names."""
    return _families(select(Child).where(Child.class_id == class_id))


def of_child(child_id: int) -> Family:
    """One child's family. Raises NotFound."""
    found = _families(select(Child).where(Child.id == child_id))
    if not found:
        raise NotFound("child")
    return found[0]


def _families(which: Select[tuple[Child]]) -> tuple[Family, ...]:
    children = names.by_name(db.session.scalars(which))
    ids = [child.id for child in children]
    adults, codes = _adults_of(ids), _codes_of(ids)
    return tuple(
        Family(
            child_id=child.id,
            name=child.name,
            animal=child.animal,
            pad=child.pad,
            adults=tuple(adults[child.id]),
            codes=tuple(codes[child.id]),
        )
        for child in children
    )


def _adults_of(children: Collection[int]) -> Mapping[int, list[LinkedAdult]]:
    seen = (
        select(func.max(KnownDevice.last_at))
        .where(KnownDevice.adult_id == Adult.id)
        .scalar_subquery()
    )
    rows = db.session.execute(
        select(FamilyLink.child_id, Adult.id, Adult.name, FamilyLink.created_at, seen)
        .join(Adult, Adult.id == FamilyLink.adult_id)
        .where(FamilyLink.child_id.in_(children))
    ).all()
    rows = names.by_name(rows)
    reset = resets.open_codes({row[1] for row in rows})
    found: dict[int, list[LinkedAdult]] = defaultdict(list)
    for child_id, adult_id, name, since, last_at in rows:
        found[child_id].append(
            LinkedAdult(
                adult_id=adult_id,
                name=name,
                since=since,
                last_day=None if last_at is None else clock.day(last_at),
                reset=reset.get(adult_id),
            )
        )
    return found


def _codes_of(children: Collection[int]) -> Mapping[int, list[Paper]]:
    found: dict[int, list[Paper]] = defaultdict(list)
    for row in _usable(FamilyCode.child_id.in_(children)):
        found[row.child_id].append(Paper(row.id, row.created_at, row.ends_at))
    return found


def _usable(*where: ColumnElement[bool]) -> Sequence[FamilyCode]:
    """The codes that can still link someone, oldest first."""
    rows = select(FamilyCode).where(
        *where, FamilyCode.used_at.is_(None), FamilyCode.ends_at > clock.now()
    )
    return db.session.scalars(rows.order_by(FamilyCode.created_at, FamilyCode.id)).all()


# ---- codes


def make_sheets(class_id: int, which: Which, by: int | None = None) -> tuple[Sheet, ...]:
    """Make a code for each child of the class or, with "missing", for each without a linked adult
    and without a code; all of them, or none. Earlier codes stay valid."""
    with write_unit():
        chosen = [one for one in of_class(class_id) if which == "all" or one.missing]
        rooms = {
            child.id: child.school_class.name
            for child in db.session.scalars(select(Child).where(Child.class_id == class_id))
        }
        limits.check("codes", len(chosen))
        made = tuple(
            Sheet(
                child_id=one.child_id,
                name=one.name,
                class_name=rooms[one.child_id],
                code=families.add_code(one.child_id),
            )
            for one in chosen
        )
        if made:
            audit.record(by, "family_code", "class", class_id)
    return made


def cancel_code(child_id: int, code_id: int, by: int | None = None) -> None:
    """End a code that was not used. Raises NotFound if this child has no such code."""
    with write_unit():
        found = _usable(FamilyCode.id == code_id, FamilyCode.child_id == child_id)
        if not found:
            raise NotFound("code")
        _end_codes(found)
        audit.record(by, "cancel_code", "child", child_id)


def _end_codes(codes: Sequence[FamilyCode]) -> None:
    for code in codes:
        tombstones.note_code(code)
        code.ends_at = clock.now()
        security_log.note("family_code_cancelled", child_id=code.child_id)


# ---- links


def ending(child_id: int, adult_id: int) -> Ending:
    """What `unlink` would end, for the page that asks first. Raises NotFound."""
    if db.session.scalar(_link(child_id, adult_id)) is None:
        raise NotFound("parent")
    return Ending(
        child_id=child_id,
        child=db.session.get_one(Child, child_id).name,
        adult_id=adult_id,
        adult=db.session.get_one(Adult, adult_id).name,
        last=len(_children_of(adult_id)) == 1,
        codes=len(_usable(FamilyCode.child_id == child_id)),
    )


def unlink(child_id: int, adult_id: int, by: int | None = None, codes: bool = False) -> bool:
    """End what an adult may see of a child, and the account if they have no other child here;
    returns whether the account has ended. Raises NotFound.

    Their sessions end, unless they do this themselves. `codes`: end the child's unused codes as
    well, since they may hold one. The child's used codes are noted too, so that no backup brings
    them back unused.
    """
    with write_unit():
        link = db.session.scalar(hold(_link(child_id, adult_id)))
        if link is None:
            raise NotFound("parent")
        _end_link(link, by)
        if codes:
            _end_codes(_usable(FamilyCode.child_id == child_id))
        ended = not _children_of(adult_id)
        if ended:
            removals.take_out_adult(db.session.get_one(Adult, adult_id))
            audit.record(by, "remove", "adult", adult_id)
    if ended:
        empty_log()
    return ended


def end_account(adult_id: int) -> None:
    """End a parent's account at their own wish, with all its links and sessions. Raises
    NotFound."""
    with write_unit():
        adult = db.session.scalar(hold(select(Adult).where(Adult.id == adult_id)))
        if adult is None or adult.role != "parent":
            raise NotFound("parent")
        for link in _links_of(adult_id):
            _end_link(link, adult_id)
        removals.take_out_adult(adult)
        audit.record(adult_id, "remove", "adult", adult_id)
    empty_log()


def _end_link(link: FamilyLink, by: int | None) -> None:
    adult_id, child_id = link.adult_id, link.child_id
    tombstones.note_link(link)
    used = FamilyCode.used_at.is_not(None), FamilyCode.ends_at > clock.now()
    for code in db.session.scalars(
        select(FamilyCode).where(FamilyCode.child_id == child_id, *used)
    ):
        tombstones.note_code(code)
    db.session.delete(link)
    db.session.flush()
    if by != adult_id:
        sessions.end_for_adult(adult_id)
    audit.record(by, "unlink", "child", child_id)
    security_log.note("child_unlinked", adult_id=adult_id, child_id=child_id)


def _link(child_id: int, adult_id: int) -> Select[tuple[FamilyLink]]:
    return select(FamilyLink).filter_by(child_id=child_id, adult_id=adult_id)


def _links_of(adult_id: int) -> Sequence[FamilyLink]:
    return db.session.scalars(select(FamilyLink).where(FamilyLink.adult_id == adult_id)).all()


def _children_of(adult_id: int) -> list[int]:
    return [link.child_id for link in _links_of(adult_id)]


# ---- a forgotten password


def make_reset_code(child_id: int, adult_id: int, by: int | None = None) -> tuple[str, str]:
    """Make a code with which this parent of the child sets a new password; returns their name and
    the code. Raises NotFound."""
    parent = _parent(child_id, adult_id)
    name = parent.name
    return name, resets.make_code(adult_id, by)


def cancel_reset_code(child_id: int, adult_id: int, by: int | None = None) -> None:
    """End the unused code for a new password of this parent of the child. Raises NotFound."""
    _parent(child_id, adult_id)
    resets.cancel(adult_id, by)


def _parent(child_id: int, adult_id: int) -> Adult:
    adult = db.session.get(Adult, adult_id)
    link = db.session.scalar(_link(child_id, adult_id))
    if adult is None or link is None or adult.role != "parent":
        raise NotFound("parent")
    return adult
