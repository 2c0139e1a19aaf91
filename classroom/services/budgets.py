"""Wrong secrets are counted, and what follows from the count. Within a write unit.

| what is guessed | counted by | what follows |
|---|---|---|
| a child's four pictures | child and device | tries 1 to 3 free, then 5, 15, 30 s, never longer |
| | child and day | 11 in all, 9 on one device, 10 on devices the child never was in on: then |
| | | the teacher lets the child in with one tap (11 of 11,880 is below 0.1 %) |
| | class and 10 minutes | 60: pictures rest until the teacher opens the class again |
| an adult's password | account and known device | 5 free, then 30 s doubling to 15 min |
| | account, all strange devices | 20 free in an hour, then one a minute |
| a class code | device and 10 minutes | 10, then a minute each |
| | installation and 10 minutes | 300: only devices that were in a class before may try |
| the set-up code, a family code | installation and 10 minutes | 100 |

So a classmate who taps wrong pictures on another device leaves the owner of the animal a way in,
and no stranger can lock an adult out of a browser in which that adult has been signed in before.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, delete, func, select

from classroom.database import db
from classroom.models import KnownDevice, WrongTry
from classroom.services import clock, secrets_

PICTURE_WAITS: Final = (0.0, 0.0, 0.0, 5.0, 15.0, 30.0)
CHILD_A_DAY: Final = 11
CHILD_A_DEVICE: Final = 9
CHILD_STRANGE: Final = 10
TEN_MINUTES: Final = 600.0
CLASS_TRIES: Final = 60
CODE_TRIES: Final = 10
CODE_WAIT: Final = 60.0
ALL_CODE_TRIES: Final = 300
OTHER_CODE_TRIES: Final = 100
LOGIN_FREE: Final = 5
LOGIN_FIRST_WAIT: Final = 30.0
LOGIN_LONGEST_WAIT: Final = 900.0
STRANGE_LOGIN_FREE: Final = 20
STRANGE_LOGIN_WAIT: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = clock.SECONDS_A_DAY


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


def _last(what: str, *more: ColumnElement[bool]) -> float:
    found = db.session.scalar(select(func.max(WrongTry.at)).where(WrongTry.what == what, *more))
    return float(found or 0.0)


# ---- children


def picture_wait(tries: int) -> float:
    """Seconds to wait after so many wrong tries in a row on one device."""
    return PICTURE_WAITS[min(tries, len(PICTURE_WAITS)) - 1] if tries else 0.0


def class_rests(class_id: int) -> bool:
    """Too many wrong pictures in this class just now."""
    return count(f"class:{class_id}", clock.now() - TEN_MINUTES) >= CLASS_TRIES


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


def login_name(login: str) -> str:
    """Under what a login is counted: signed, so that the table does not hold what was typed."""
    return "login:" + secrets_.sign("login", login).hex()[:40]


def login_wait(what: str, device: str, adult_id: int | None) -> float:
    """Seconds until the next try of this account on this device is looked at."""
    now = clock.now()
    own = select(KnownDevice.device).where(KnownDevice.adult_id == adult_id)
    if adult_id is not None and device in set(db.session.scalars(own)):
        mine = WrongTry.device == device
        return max(0.0, _last(what, mine) + _login_pause(count(what, now - DAY, mine)) - now)
    strange = WrongTry.device.not_in(own)
    if count(what, now - HOUR, strange) < STRANGE_LOGIN_FREE:
        return 0.0
    return max(0.0, _last(what, strange) + STRANGE_LOGIN_WAIT - now)


def _login_pause(tries: int) -> float:
    if tries < LOGIN_FREE:
        return 0.0
    return float(min(LOGIN_FIRST_WAIT * 2.0 ** min(tries - LOGIN_FREE, 10), LOGIN_LONGEST_WAIT))


# ---- codes


def code_wait(device: str) -> float:
    """Seconds until this device may try another class code."""
    now = clock.now()
    mine = WrongTry.device == device
    if device and count("code", now - TEN_MINUTES, mine) >= CODE_TRIES:
        return max(0.0, _last("code", mine) + CODE_WAIT - now)
    if count("code", now - TEN_MINUTES) >= ALL_CODE_TRIES and not _been_in_a_class(device):
        return CODE_WAIT
    return 0.0


def used_up(what: str) -> bool:
    """Too many wrong codes of this kind just now (`setup`, `family`)."""
    return count(what, clock.now() - TEN_MINUTES) >= OTHER_CODE_TRIES


def _been_in_a_class(device: str) -> bool:
    return bool(
        db.session.scalar(
            select(KnownDevice.id)
            .where(KnownDevice.device == device, KnownDevice.child_id.is_not(None))
            .limit(1)
        )
    )
