"""Devices in front of a child's pictures: the sign each of them shows, and which one is let in.

A device stands at one door at a time. While it stands there it has a sign that no other device at
a door of its class has; the server draws it, and the device keeps it until it leaves the door.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, and_, or_, select, update

from classroom.database import db, write_unit
from classroom.models import Child, DoorKnock
from classroom.services.access import signs
from classroom.services.access.signs import Sign
from classroom.services.base import audit, budgets, clock, notices, security_log
from classroom.services.base.errors import NotFound, NotNow
from classroom.services.lesson import presence

KNOCK_SECONDS: Final = 600.0
KNOCK_AGAIN: Final = 120.0
LET_IN_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Standing:
    """One device at a child's door. `tries`: wrong pictures tapped there so far."""

    knock_id: int
    sign: Sign
    tries: int
    since: float


@dataclass(frozen=True, slots=True)
class Waiting:
    """A child at whose pictures some devices stand, longest first. `inside`: it is signed in on
    another device already, which it would leave."""

    child_id: int
    name: str
    animal: str
    pad: int
    inside: bool
    devices: tuple[Standing, ...]


def at_the_door(class_id: int) -> tuple[Waiting, ...]:
    """Children of the class at whose pictures a device stands, longest waiting first."""
    too_late = DoorKnock.let_in_at <= clock.now() - LET_IN_SECONDS
    rows = db.session.execute(
        select(DoorKnock, Child)
        .join(Child, Child.id == DoorKnock.child_id)
        .where(
            Child.class_id == class_id,
            _standing(),
            or_(DoorKnock.let_in_at.is_(None), too_late),
        )
        .order_by(DoorKnock.since, DoorKnock.id)
    ).tuples()
    children: dict[Child, list[Standing]] = {}
    for row, child in rows:
        sign, since = signs.SIGNS[row.sign or ""], row.since or row.knocked_at
        children.setdefault(child, []).append(Standing(row.id, sign, row.tries, since))
    here = presence.here(class_id)
    return tuple(
        Waiting(child.id, child.name, child.animal, child.pad, child.id in here, tuple(devices))
        for child, devices in children.items()
    )


def find(device: str, child_id: int) -> DoorKnock | None:
    """What is known of this device at this child's door, whether it stands there now or not."""
    return db.session.scalar(
        select(DoorKnock).where(DoorKnock.child_id == child_id, DoorKnock.device == device)
    )


def sign_at(device: str, child_id: int) -> Sign | None:
    """The sign that this device shows at this child's door; None if it does not stand there."""
    row = find(device, child_id)
    return signs.SIGNS[row.sign] if row and row.sign else None


def let_in(teacher_id: int, child_id: int, knock_id: int, sign: str) -> None:
    """The teacher saw this sign in the child's hands: that device may go in, for two minutes.

    NotFound for a knock at another door. NotNow("nobody_at_the_door") if the device has left, or
    shows another sign by now: the teacher's page may be a few seconds old.
    """
    with write_unit():
        row = db.session.get(DoorKnock, knock_id)
        if row is None or row.child_id != child_id:
            raise NotFound("knock")
        if row.sign != sign or not _stands(row):
            raise NotNow("nobody_at_the_door")
        row.let_in_at, row.tries, row.wait_until = clock.now(), 0, 0.0
        budgets.forgive(f"child:{child_id}")
        audit.record(teacher_id, "let_in", "child", child_id)
        security_log.note("child_let_in", child_id=child_id)
        class_id = db.session.get_one(Child, child_id).class_id
    notices.door(class_id)


# ---- within a write unit


def stand(device: str, child: Child) -> DoorKnock:
    """The device stands at this child's door from now on, and at no other."""
    leave(DoorKnock.device == device, DoorKnock.child_id != child.id)
    now, row = clock.now(), find(device, child.id)
    if row is None:
        row = DoorKnock(child_id=child.id, device=device, tries=0, wait_until=0.0, knocked_at=now)
        db.session.add(row)
    elif row.knocked_at < now - clock.SECONDS_A_DAY:
        row.tries = 0
    if not _stands(row):
        sign = _draw(child)
        row.sign, row.since, row.let_in_at = sign and sign.key, sign and now, None
    row.knocked_at = now
    db.session.flush()
    return row


def leave(*which: ColumnElement[bool]) -> None:
    """These devices stand at no door any more: their signs are free, their let-ins are void."""
    db.session.execute(
        update(DoorKnock).where(*which).values(sign=None, since=None, let_in_at=None)
    )


def may_enter(row: DoorKnock) -> bool:
    """Whether the teacher let this device in a moment ago."""
    return row.let_in_at is not None and clock.now() < row.let_in_at + LET_IN_SECONDS


def _draw(child: Child) -> Sign | None:
    rows = db.session.execute(
        select(DoorKnock.child_id, DoorKnock.sign)
        .join(Child, Child.id == DoorKnock.child_id)
        .where(Child.class_id == child.class_id, _standing())
    ).tuples()
    taken = [(child_id, signs.SIGNS[sign or ""]) for child_id, sign in rows]
    beside = [sign for child_id, sign in taken if child_id == child.id]
    return signs.draw([sign for _, sign in taken], beside)


def _standing() -> ColumnElement[bool]:
    """The knocks of devices that stand at a door; `_stands` says the same of one row."""
    recent = DoorKnock.knocked_at > clock.now() - KNOCK_SECONDS
    return and_(DoorKnock.sign.is_not(None), recent)


def _stands(row: DoorKnock) -> bool:
    return row.sign is not None and row.knocked_at > clock.now() - KNOCK_SECONDS
