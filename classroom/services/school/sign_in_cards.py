"""Printed sign-in cards: the child's face, name and four pictures, and how to get to its class."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Child
from classroom.services.access import sign_in
from classroom.services.base import audit, clock, names
from classroom.services.base.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInCard:
    """The content of one printed card, to be guarded like a key: it opens the child's account.
    `code`: the class code if the class keeps one; else "", since other codes last one lesson.
    `number`: the card's number, one more each time the child gets new pictures. `printed`: when."""

    child_id: int
    name: str
    animal: str
    pad: int
    pictures: tuple[str, ...]
    class_name: str
    code: str
    number: int
    printed: float


def sign_in_cards(
    class_id: int, by: int | None = None, only: Collection[int] | None = None
) -> tuple[SignInCard, ...]:
    """The sign-in cards of the children in the class, sorted by name; `only`: just the cards of
    these children. Adds to the audit log."""
    with write_unit():
        audit.record(by, "cards", "class", class_id)
    found = select(Child).where(Child.class_id == class_id)
    if only is not None:
        found = found.where(Child.id.in_(only))
    rows = db.session.scalars(found)
    return tuple(map(_card, sorted(rows, key=lambda row: names.order(row.name, row.id))))


def sign_in_card(child_id: int, by: int | None = None) -> SignInCard:
    """The sign-in card of one child. Adds to the audit log."""
    with write_unit():
        audit.record(by, "cards", "child", child_id)
    child = db.session.get(Child, child_id)
    if child is None:
        raise NotFound("child")
    return _card(child)


def _card(child: Child) -> SignInCard:
    room = child.school_class
    return SignInCard(
        child_id=child.id,
        name=child.name,
        animal=child.animal,
        pad=child.pad,
        pictures=sign_in.pictures_of(child),
        class_name=room.name,
        code=room.code if room.code_kept else "",
        number=child.pictures_version,
        printed=clock.now(),
    )
