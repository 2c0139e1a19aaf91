"""Wrong secrets are counted, and what follows from the count.

| what is guessed | counted by | what follows |
|---|---|---|
| a child's four pictures | child and device | tries 1 to 3 free, then 5, 15, 30 s, never longer |
| | child and 24 hours | 11 in all, 9 on one device, 10 on devices the child never was in on: then |
| | | the teacher lets the child in with one tap (11 of 11,880 is below 0.1 %) |
| | class and day, new devices | 30: then pictures open nothing on a new device until tomorrow; |
| | | the teacher is told, and lets children in there with one tap |
| | class and 10 minutes, others | 60: pictures rest until the teacher opens the class again |
| an adult's password | account and own device | 20 free in an hour, then one a minute; |
| | account, all other devices | after 100 in 24 hours one in 15 minutes; each for itself |
| a class, family or set-up code | device and 10 minutes | 10, then a minute each |

A new device is one on which no child of the class was ever signed in. An adult's own device is a
browser in which that adult was signed in before. Whether a login exists changes nothing.

So what is typed wrong on one device keeps no right code out on another, and no adult out of a
browser of their own. What stays is the pace of guessing from throw-away browsers: `live` slows a
network with 60 wrong answers in ten minutes down to one try a second, and after 1,000 in a day to
one in 4 seconds. In a day, from one network:

| guessed at | tries | chance |
|---|---|---|
| a fresh class code (900,000), open six hours | 6,160 | 0.7 %; 6.7 % with ten classes open |
| a kept class code (10,000,000), the same | 6,160 | 0.06 %; 0.6 % with ten classes open |
| then some child's pictures in that class | 30 | 0.25 % |
| one adult's password, from all networks together | 190 | as good as the password |
| a family code (60 bits), a set-up code (40 bits) | 22,360 | below one in ten million |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Select, delete, func, select

from classroom.database import db, write_unit
from classroom.models import Child, KnownDevice, WrongTry
from classroom.services.base import clock, secrets_
from classroom.services.base.errors import Refused
from classroom.services.base.strangers import Memory

PICTURE_WAITS: Final = (0.0, 0.0, 0.0, 5.0, 15.0, 30.0)
CHILD_A_DAY: Final = 11
CHILD_A_DEVICE: Final = 9
CHILD_STRANGE: Final = 10
TEN_MINUTES: Final = 600.0
CLASS_TRIES: Final = 60
NEW_DEVICES: Final = 30
CODE_TRIES: Final = 10
CODE_WAIT: Final = 60.0
LOGIN_FREE: Final = 20
LOGIN_WAIT: Final = 60.0
LOGIN_A_DAY: Final = 100
LOGIN_LONGEST_WAIT: Final = 900.0
HOUR: Final = 3600.0
DAY: Final = clock.SECONDS_A_DAY

_logins, _codes = Memory(), Memory()


# ---- rows of wrong tries, within a write unit


def count(what: str, since: float, *more: ColumnElement[bool]) -> int:
    found = db.session.scalar(
        select(func.count())
        .select_from(WrongTry)
        .where(WrongTry.what == what, WrongTry.at > since, *more)
    )
    return int(found or 0)


def note(what: str, device: str = "") -> None:
    """One more wrong try."""
    db.session.add(WrongTry(what=what, device=device, at=clock.now()))
    db.session.flush()


def forgive(what: str, *more: ColumnElement[bool]) -> None:
    db.session.execute(delete(WrongTry).where(WrongTry.what == what, *more))


# ---- children


def picture_wait(tries: int) -> float:
    """Seconds to wait after so many wrong tries in a row on one device."""
    return PICTURE_WAITS[min(tries, len(PICTURE_WAITS)) - 1] if tries else 0.0


def class_rests(class_id: int, device: str) -> bool:
    """Whether pictures open nothing on this device just now, whatever child it is."""
    known = WrongTry.device.in_(_known_in(class_id))
    if count(_class(class_id), clock.now() - TEN_MINUTES, known) >= CLASS_TRIES:
        return True
    return _is_new(class_id, device) and new_devices_rest(class_id)


def new_devices_rest(class_id: int) -> bool:
    """Whether new devices have tapped so many wrong pictures today that only the teacher's tap
    opens one. A device on which a child came in is new no more, and its tries stop counting."""
    new = WrongTry.device.not_in(_known_in(class_id))
    return count(_class(class_id), clock.midnight(), new) >= NEW_DEVICES


def forgive_class(class_id: int, *, new_devices: bool = False) -> None:
    """Forget the wrong pictures that were tapped on the devices of this class, or on new ones."""
    known = WrongTry.device.in_(_known_in(class_id))
    forgive(_class(class_id), ~known if new_devices else known)


def wrong_pictures(class_id: int, child_id: int, device: str) -> None:
    """One more wrong try, of the child and of the class."""
    note(_class(class_id), device)
    note(f"child:{child_id}", device)


def _class(class_id: int) -> str:
    return f"class:{class_id}"


def _is_new(class_id: int, device: str) -> bool:
    here = _known_in(class_id).where(KnownDevice.device == device).limit(1)
    return db.session.scalar(here) is None


def _known_in(class_id: int) -> Select[tuple[str]]:
    """Devices on which some child of the class was signed in."""
    return (
        select(KnownDevice.device)
        .join(Child, Child.id == KnownDevice.child_id)
        .where(Child.class_id == class_id)
    )


def child_needs_teacher(child_id: int, device: str) -> bool:
    """Whether pictures are no way in any more today for this child on this device."""
    what, since = f"child:{child_id}", clock.now() - DAY
    if count(what, since) >= CHILD_A_DAY:
        return True
    if count(what, since, WrongTry.device == device) >= CHILD_A_DEVICE:
        return True
    own = select(KnownDevice.device).where(KnownDevice.child_id == child_id)
    if device in set(db.session.scalars(own)):
        return False
    return count(what, since, WrongTry.device.not_in(own)) >= CHILD_STRANGE


# ---- adults


@dataclass(frozen=True, slots=True)
class Login:
    """A login as it is counted on a device. `name` is signed, so that nothing keeps what was typed.
    `own`: its adult was signed in on this device before. `adult_id`: whose it is, if anybody's."""

    name: str
    device: str
    own: bool
    adult_id: int | None


def login(typed: str, device: str, adult_id: int | None) -> Login:
    """What is typed as a login here. One that nobody has (None) asks the same of the database, so
    that time tells nothing."""
    name = "login:" + secrets_.sign("login", typed).hex()[:40]
    here = KnownDevice.adult_id == (adult_id or 0), KnownDevice.device == device
    own = db.session.scalar(select(KnownDevice.id).where(*here)) is not None
    return Login(name, device, own, adult_id)


def may_try_login(login: Login) -> None:
    """Raises Refused("login_wait", wait=seconds) where the next password would come too soon."""
    if login.own:
        since = WrongTry.at > clock.now() - DAY
        found = select(WrongTry.at).where(*_mine(login), since).order_by(WrongTry.at)
        tries = list(db.session.scalars(found))
    else:
        tries = _logins.times(login.name, DAY)
    _wait("login_wait", tries, _login_pause(tries), adult_id=login.adult_id)


def wrong_login(login: Login) -> None:
    """One more wrong password: a row, in a write unit of its own, on an own device alone."""
    if not login.own:
        _logins.note(login.name, login.device)
        return
    with write_unit():
        note(login.name, login.device)


def forgive_login(login: Login) -> None:
    """The right password was typed: what was wrong on this device before is forgotten."""
    db.session.execute(delete(WrongTry).where(*_mine(login)))
    _logins.forgive(login.name, login.device)


def _mine(login: Login) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return WrongTry.what == login.name, WrongTry.device == login.device


def _login_pause(tries: Sequence[float]) -> float:
    """Seconds from the last of these tries of 24 hours to the next."""
    if len(tries) >= LOGIN_A_DAY:
        return LOGIN_LONGEST_WAIT
    lately = sum(at > clock.now() - HOUR for at in tries)
    return LOGIN_WAIT if lately >= LOGIN_FREE else 0.0


# ---- codes: `kind` is class, family or setup


def may_try_code(kind: str, device: str) -> None:
    """Raises Refused("code_wait", wait=seconds) where this very device has to wait."""
    tries = _codes.times(f"{kind}:{device}", TEN_MINUTES)
    _wait("code_wait", tries, CODE_WAIT if len(tries) >= CODE_TRIES else 0.0)


def wrong_code(kind: str, device: str) -> None:
    """One more wrong code."""
    _codes.note(f"{kind}:{device}", device)


def _wait(code: str, tries: Sequence[float], pause: float, **facts: object) -> None:
    """Refuse until so many seconds after the last try; no longer where the clock was set back."""
    wait = min(pause, tries[-1] + pause - clock.now()) if tries else 0.0
    if wait > 0:
        raise Refused(code, wait=wait, **facts)
