"""Printed sign-in cards: face, name, the four pictures and the way to the class."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Child
from classroom.services.access import sign_in
from classroom.services.base import audit
from classroom.services.base.errors import NotFound


@dataclass(frozen=True, slots=True)
class SignInCard:
    """What stands on one printed card: a key to one child's place, to be treated like a key.
    `code`: of the class, where it keeps one; else "", for a fresh one is good for a lesson only."""

    child_id: int
    name: str
    animal: str
    pad: int
    pictures: tuple[str, ...]
    class_name: str
    code: str


def sign_in_cards(class_id: int, by: int | None = None) -> tuple[SignInCard, ...]:
    """Every child's card, by name. Reading keys is written to the audit log."""
    with write_unit():
        audit.record(by, "cards", "class", class_id)
    rows = select(Child).where(Child.class_id == class_id).order_by(Child.name, Child.id)
    return tuple(map(_card, db.session.scalars(rows)))


def sign_in_card(child_id: int, by: int | None = None) -> SignInCard:
    """One child's card."""
    with write_unit():
        audit.record(by, "cards", "child", child_id)
    child = db.session.get(Child, child_id)
    if child is None:
        raise NotFound("child")
    return _card(child)


def _card(child: Child) -> SignInCard:
    room = child.school_class
    return SignInCard(
        child.id,
        child.name,
        child.animal,
        child.pad,
        sign_in.pictures_of(child),
        room.name,
        room.code if room.code_kept else "",
    )
