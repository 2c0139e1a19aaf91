"""What the sign-in pages show: the children of a class, and the ways into the demo school."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from classroom.database import db
from classroom.models import Adult, Child, FamilyLink, School, SchoolClass
from classroom.services.access import sign_in
from classroom.services.base import names
from classroom.services.base.errors import NotFound
from classroom.services.base.names import ChildFace


@dataclass(frozen=True, slots=True)
class Classroom:
    name: str
    children: tuple[ChildFace, ...]


@dataclass(frozen=True, slots=True)
class AtThePictures:
    child: ChildFace
    grid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemoAdult:
    """An adult of the demo school. `children`: the names of a parent's children."""

    id: int
    name: str
    role: str
    children: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoDoor:
    """`cards`: children, each with its pictures."""

    school: str
    class_id: int
    class_name: str
    adults: tuple[DemoAdult, ...]
    cards: tuple[tuple[ChildFace, tuple[str, ...]], ...]


def classroom(class_id: int) -> Classroom:
    """The class that a device is in, with its children sorted by name."""
    row = db.session.get(SchoolClass, class_id)
    if row is None:
        raise NotFound()
    return Classroom(
        row.name, tuple(ChildFace(*names.face(child)) for child in _children(class_id))
    )


def at_the_pictures(class_id: int, child_id: int) -> AtThePictures:
    """A child of this class, with the twelve pictures from which it chooses."""
    child = db.session.get(Child, child_id)
    if child is None or child.class_id != class_id:
        raise NotFound()
    return AtThePictures(ChildFace(*names.face(child)), sign_in.grid(child))


def demo_door() -> DemoDoor:
    """What the entrance of the demo school offers: its staff and parents, teachers first, and the
    sign-in cards of its first class. Never call it for a real school."""
    school = db.session.scalars(select(School).order_by(School.id)).first()
    room = db.session.scalars(select(SchoolClass).order_by(SchoolClass.id)).first()
    if school is None or room is None:
        raise NotFound()
    cards = tuple(
        (ChildFace(*names.face(child)), sign_in.pictures_of(child)) for child in _children(room.id)
    )
    roles = ("teacher", "admin", "parent")
    adults = db.session.scalars(select(Adult).where(Adult.role.in_(roles)).order_by(Adult.id))
    return DemoDoor(
        school=school.name,
        class_id=room.id,
        class_name=room.name,
        adults=tuple(map(_demo_adult, sorted(adults, key=lambda row: roles.index(row.role)))),
        cards=cards,
    )


def _demo_adult(adult: Adult) -> DemoAdult:
    own = db.session.scalars(
        select(Child.name)
        .join(FamilyLink, FamilyLink.child_id == Child.id)
        .where(FamilyLink.adult_id == adult.id)
    )
    return DemoAdult(adult.id, adult.name, adult.role, tuple(sorted(own, key=names.order)))


def _children(class_id: int) -> list[Child]:
    rows = db.session.scalars(select(Child).where(Child.class_id == class_id))
    return sorted(rows, key=lambda row: names.order(row.name, row.id))
