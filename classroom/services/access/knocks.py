"""Devices at a child's door (the page with the child's pictures): their signs, and entry.

A device is at one door at a time. While it is there, it shows a sign that the server draws at
random. No other device at a door of the same class shows this sign. The device keeps its sign until
it leaves the door.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Float, bindparam, func, or_, select, update

from classroom.database import db, run, write_unit
from classroom.models import Child, DoorKnock
from classroom.services.base import audit, budgets, clock, notices, security_log
from classroom.services.base.errors import NotFound, NotNow
from classroom.services.base.names import ChildFace
from classroom.services.lesson import live_class

# ---- Signs of devices at a door: coloured shapes that a teacher can spot in the children's hands
#
# No shape looks like another, even when the device is turned, so two signs at one child's door can
# be told apart without their colours.

COLOURS: Final = ("red", "orange", "green", "blue", "purple", "pink")
SHAPES: Final = ("circle", "square", "triangle", "star", "heart", "drop", "cloud", "cross")


class Sign(NamedTuple):
    colour: str
    shape: str

    @property
    def key(self) -> str:
        """The sign's name in forms and in the database: `blue-star`."""
        return f"{self.colour}-{self.shape}"

    @property
    def words(self) -> str:
        """The sign's name for people: `blue star`."""
        return f"{self.colour} {self.shape}"


SIGNS: Final = {sign.key: sign for sign in (Sign(c, s) for c in COLOURS for s in SHAPES)}


def draw_sign(taken: Collection[Sign], beside: Collection[Sign]) -> Sign | None:
    """Draw a random sign that is not `taken`; None if none is left. If possible, its shape differs
    from the shapes of the signs `beside` it, at the same door. Of the shapes left, one that is
    taken least often is drawn, so a crowd at one door does not use up another door's shapes."""
    free = [sign for sign in SIGNS.values() if sign not in taken]
    near, often = {sign.shape for sign in beside}, Counter(sign.shape for sign in taken)

    def crowd(sign: Sign) -> tuple[bool, int]:
        return sign.shape in near, often[sign.shape]

    least = min(map(crowd, free), default=None)
    return secrets.choice([sign for sign in free if crowd(sign) == least]) if free else None


KNOCK_SECONDS: Final = 600.0
KNOCK_AGAIN: Final = 120.0
LET_IN_SECONDS: Final = 120.0

# This query runs each time a teacher's live page is drawn, so it is built once, without the ORM.
_knocks, _children = DoorKnock.__table__.c, Child.__table__.c
_AT_THE_DOOR = (
    select(
        *(_knocks.id, _knocks.sign, _knocks.tries),
        func.coalesce(_knocks.since, _knocks.knocked_at),
        *(_children.id, _children.name, _children.animal, _children.pad),
    )
    .join(Child.__table__, _children.id == _knocks.child_id)
    .where(
        _children.class_id == bindparam("class"),
        _knocks.sign.is_not(None),
        _knocks.knocked_at > bindparam("recent", type_=Float),
        or_(_knocks.let_in_at.is_(None), _knocks.let_in_at <= bindparam("let_in", type_=Float)),
    )
    .order_by(_knocks.since, _knocks.id)
)


@dataclass(frozen=True, slots=True)
class DeviceAtDoor:
    """One device at a child's door. `tries`: how often wrong pictures have been tapped on it."""

    knock_id: int
    sign: Sign
    tries: int
    since: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildAtDoor(ChildFace):
    """A child and the devices at the child's door, longest wait first. `inside`: whether the child
    is already signed in on another device. Coming in at this door signs the child out there."""

    inside: bool
    devices: tuple[DeviceAtDoor, ...]


def at_the_door(class_id: int) -> tuple[ChildAtDoor, ...]:
    """The children in the class who have a device at their door, longest wait first. Devices let in
    during the last two minutes are left out."""
    now = clock.now()
    values = {"class": class_id, "recent": now - KNOCK_SECONDS, "let_in": now - LET_IN_SECONDS}
    children: dict[tuple[Any, ...], list[DeviceAtDoor]] = {}
    for knock_id, sign, tries, since, *child in run(_AT_THE_DOOR, values):
        device = DeviceAtDoor(knock_id, SIGNS[sign], tries, since)
        children.setdefault(tuple(child), []).append(device)
    here = live_class.here(class_id) if children else {}
    return tuple(
        ChildAtDoor(*child, inside=child[0] in here, devices=tuple(devices))
        for child, devices in children.items()
    )


def find(device: str, child_id: int) -> DoorKnock | None:
    """The knock of this device at this child's door, even if the device has left since."""
    return db.session.scalar(select(DoorKnock).filter_by(child_id=child_id, device=device))


def sign_at(device: str, child_id: int) -> Sign | None:
    """The sign that this device shows at this child's door; None if the device is not there."""
    row = find(device, child_id)
    return SIGNS[row.sign] if row and row.sign else None


def let_in(teacher_id: int, child_id: int, knock_id: int, sign: str) -> None:
    """Let this device in for two minutes, because the teacher saw its sign in the child's hands.
    Raises NotFound for a knock at another door, and NotNow("nobody_at_the_door") if the device has
    left or now shows another sign, because the teacher's page may be out of date."""
    with write_unit():
        row = db.session.get(DoorKnock, knock_id)
        if row is None or row.child_id != child_id:
            raise NotFound("knock")
        if row.sign != sign or not _is_at_door(row):
            raise NotNow("nobody_at_the_door")
        row.let_in_at, row.tries, row.wait_until = clock.now(), 0, 0.0
        budgets.forgive(f"child:{child_id}")
        audit.record(teacher_id, "let_in", "child", child_id)
        security_log.note("child_let_in", child_id=child_id)
        class_id = db.session.get_one(Child, child_id).class_id
    notices.door(class_id)


# ---- within a write unit


def stand(device: str, child: Child) -> DoorKnock:
    """Record that the device is at this child's door, and at no other."""
    leave(DoorKnock.device == device, DoorKnock.child_id != child.id)
    now, row = clock.now(), find(device, child.id)
    if row is None:
        row = DoorKnock(child_id=child.id, device=device, knocked_at=now)
        db.session.add(row)
    elif row.knocked_at < now - clock.SECONDS_A_DAY:
        row.tries = 0
    if not _is_at_door(row):
        shown = DoorKnock.sign.is_not(None), DoorKnock.knocked_at > now - KNOCK_SECONDS
        signs = select(DoorKnock.child_id, DoorKnock.sign).where(*shown)
        in_class = signs.join(Child, Child.id == DoorKnock.child_id)
        rows = db.session.execute(in_class.where(Child.class_id == child.class_id))
        taken = [(child_id, SIGNS[sign or ""]) for child_id, sign in rows]
        beside = [sign for child_id, sign in taken if child_id == child.id]
        sign = draw_sign([sign for _, sign in taken], beside)
        row.sign, row.since, row.let_in_at = sign and sign.key, sign and now, None
    row.knocked_at = now
    db.session.flush()
    return row


def noted(device: str, child_id: int) -> DoorKnock:
    """Record that the device is at this child's door at home, where no sign is needed."""
    row = find(device, child_id)
    if row is None:
        row = DoorKnock(child_id=child_id, device=device)
        db.session.add(row)
    row.knocked_at = clock.now()
    db.session.flush()
    return row


def leave(*which: ColumnElement[bool]) -> None:
    """Record that these devices have left their doors. Their signs are free again, and none of the
    devices is let in any longer."""
    db.session.execute(
        update(DoorKnock).where(*which).values(sign=None, since=None, let_in_at=None)
    )


def may_enter(row: DoorKnock) -> bool:
    """Whether the teacher has let this device in during the last two minutes."""
    return row.let_in_at is not None and clock.now() < row.let_in_at + LET_IN_SECONDS


def _is_at_door(row: DoorKnock) -> bool:
    """Whether this device is at a door; `_AT_THE_DOOR` and `stand` check the same in SQL."""
    return row.sign is not None and row.knocked_at > clock.now() - KNOCK_SECONDS
