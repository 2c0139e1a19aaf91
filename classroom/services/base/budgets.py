"""Budgets for wrong secrets: how many tries are free, and what happens after that.

| what is guessed | counted by | what happens |
|---|---|---|
| a child's four pictures | child and device | tries 1 to 3 free, then 5, 15, 30 s, never longer |
| | child and 24 hours | after 11 in all, 9 on one device or 10 on devices new to the child, only |
| | | the teacher's tap lets the child in (11 of 11,880 is below 0.1 %) |
| | class and day, new devices | after 30, pictures do not work on new devices until tomorrow; |
| | | the teacher is told, and can allow pictures on them again with one tap |
| | class and 10 minutes, known devices | after 60, pictures are off until some tries are ten |
| | | minutes old, or the class is opened again |
| the same at home | child and 24 hours | the same waits; after 9 a parent must reopen the device |
| an adult's password | account and own device | 20 free in an hour, then one a minute; |
| | | after 100 in 24 hours, one in 15 minutes |
| | account, all other devices | the same, counted separately |
| a code on the board or on paper | device and 10 minutes | 10 free, then one a minute |

A new device is one on which no child in the class was ever signed in. An adult's own device is a
browser in which that adult was signed in before. A login that does not exist is treated like one
that does.

So wrong tries on one device never block a right code on another, or adults in their own browser.
Somebody can still guess with a new browser for every few tries. Therefore `live/bounds.py` slows a
network with 60 wrong answers in ten minutes to one try a second, and after 1,000 in a day to one in
4 seconds; the device with the fewest wrong tries comes first. Signed-in people and devices on which
somebody was signed in before are slowed separately, by the same numbers. On new devices, somebody
in one network can achieve at most this in a day:

| what is guessed | tries | probability of success |
|---|---|---|
| a fresh class code (900,000), open six hours | 6,160 | 0.7 %; 6.7 % with ten classes open |
| a kept class code (10,000,000), open six hours | 6,160 | 0.06 %; 0.6 % with ten classes open |
| then some child's pictures in that class | 30 | 0.25 % |
| one adult's password, from all networks together | 190 | depends on the password |
| a code on paper (60 bits), a set-up code (40 bits) | 22,360 | below one in ten million |
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Select, delete, select
from sqlalchemy.engine import Engine

from classroom.database import db, write_unit
from classroom.models import Child, KnownDevice, WrongTry
from classroom.services.base import clock, secrets_
from classroom.services.base.errors import Refused
from classroom.services.base.rows import count_rows, is_there

# ---- wrong tries of strangers, in memory
#
# These are wrong passwords from devices that are new to the account, and wrong codes from any
# device. They are counted in memory, so that a stranger's guess writes nothing to disk.
#
# A restart forgets the counts, which gives strangers their free tries once more. Each database has
# its own counts, so that tries at the demo school never count at the real school.

TRIES: Final = 100  # the latest tries kept for each key (see TryMemory); no rule needs more
KEYS: Final = 5_000  # the largest number of keys remembered for one school
DAY: Final = clock.SECONDS_A_DAY  # the longest time for which a wrong try counts

Tries = deque[tuple[float, str]]  # the time and the device of each try, latest last


class TryMemory:
    """Wrong tries by key. A key is a login's signed name, or a kind of code with a device. Keys
    with the fewest tries are dropped first, so made-up logins hardly affect real ones."""

    def __init__(self, keys: int = KEYS) -> None:
        self._keys = keys
        self._schools: WeakKeyDictionary[Engine, dict[str, Tries]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def note(self, key: str, device: str) -> None:
        """Count one more wrong try, made now on this device."""
        with self._lock:
            here = self._here()
            here.setdefault(key, deque(maxlen=TRIES)).append((clock.now(), device))
            if len(here) > self._keys:
                # Drop the keys that were not tried in the last day. Of the others, keep those that
                # were tried most, up to half of the allowed number.
                since = clock.now() - DAY
                fresh = [key for key, tries in here.items() if tries[-1][0] > since]
                fresh.sort(key=lambda key: (len(here[key]), here[key][-1][0]))
                kept = {key: here[key] for key in fresh[-(self._keys // 2) :]}
                here.clear()
                here.update(kept)

    def times(self, key: str, seconds: float) -> list[float]:
        """The times of the tries with this key in the last `seconds`, latest last."""
        since = clock.now() - seconds
        with self._lock:
            return [at for at, _ in self._here().get(key, ()) if at > since]

    def forgive(self, key: str, device: str) -> None:
        """Forget this device's tries with this key, but not those of other devices."""
        with self._lock:
            here = self._here()
            kept = [one for one in here.pop(key, ()) if one[1] != device]
            if kept:
                here[key] = deque(kept, maxlen=TRIES)

    def _here(self) -> dict[str, Tries]:
        return self._schools.setdefault(db.engine, {})


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

_logins, _codes = TryMemory(), TryMemory()


# ---- wrong tries in the database; call these functions within a write unit


def count(what: str, since: float, *more: ColumnElement[bool]) -> int:
    """How many wrong tries there were with the key `what` since this time (POSIX seconds)."""
    return count_rows(select(WrongTry.id).where(WrongTry.what == what, WrongTry.at > since, *more))


def note(what: str, device: str = "") -> None:
    """Count one more wrong try with the key `what`."""
    db.session.add(WrongTry(what=what, device=device, at=clock.now()))
    db.session.flush()


def forgive(what: str, *more: ColumnElement[bool]) -> None:
    """Forget the wrong tries with the key `what`. `more`: further SQL conditions."""
    db.session.execute(delete(WrongTry).where(WrongTry.what == what, *more))


def forgive_child(child_id: int) -> None:
    """Forget the wrong tries at this child's pictures, in class and at home."""
    forgive(f"child:{child_id}")
    forgive(f"home:{child_id}")


# ---- wrong tries at the pictures of children


def picture_wait(tries: int) -> float:
    """Seconds to wait after this many wrong tries in a row on one device."""
    return PICTURE_WAITS[min(tries, len(PICTURE_WAITS)) - 1] if tries else 0.0


def pictures_off(class_id: int, device: str) -> bool:
    """Whether no child in the class can sign in with pictures on this device now."""
    on_ours = WrongTry.device.in_(_devices_of(class_id))
    if count(_class(class_id), clock.now() - TEN_MINUTES, on_ours) >= CLASS_TRIES:
        return True
    known = _devices_of(class_id).where(KnownDevice.device == device)
    return not is_there(known) and new_devices_off(class_id)


def new_devices_off(class_id: int) -> bool:
    """Whether there were too many wrong tries on new devices today, so that only the teacher's tap
    works on these. Tries on a device do not count once a child in the class has signed in there."""
    on_new = WrongTry.device.not_in(_devices_of(class_id))
    return count(_class(class_id), clock.midnight(), on_new) >= NEW_DEVICES


def forgive_class(class_id: int, *, new_devices: bool = False) -> None:
    """Forget wrong tries on the class's known devices or, with `new_devices`, on new devices."""
    on_ours = WrongTry.device.in_(_devices_of(class_id))
    forgive(_class(class_id), ~on_ours if new_devices else on_ours)


def wrong_pictures(class_id: int, child_id: int, device: str) -> None:
    """Count one more wrong try at a child's pictures, for the child and for the class."""
    note(_class(class_id), device)
    note(f"child:{child_id}", device)


def _class(class_id: int) -> str:
    return f"class:{class_id}"


def _devices_of(class_id: int) -> Select[str]:
    """The devices on which a child in the class was signed in before."""
    devices = select(KnownDevice.device).join(Child, Child.id == KnownDevice.child_id)
    return devices.where(Child.class_id == class_id)


def child_needs_teacher(child_id: int, device: str) -> bool:
    """Whether this child has no tries left on this device for now and needs the teacher's tap."""
    what, since = f"child:{child_id}", clock.now() - DAY
    if count(what, since) >= CHILD_A_DAY:
        return True
    if count(what, since, WrongTry.device == device) >= CHILD_A_DEVICE:
        return True
    own = select(KnownDevice.device).where(KnownDevice.child_id == child_id)
    known = is_there(own.where(KnownDevice.device == device))
    return not known and count(what, since, WrongTry.device.not_in(own)) >= CHILD_STRANGE


# ---- wrong passwords of adults


@dataclass(frozen=True, slots=True)
class Login:
    """A login for which wrong passwords are counted on one device. `name`: a signature of the
    login, so that the typed text is never stored. `own`: whether the adult was signed in on this
    device before. `adult_id`: the adult with this login, None if the login does not exist."""

    name: str
    device: str
    own: bool
    adult_id: int | None


def login(typed: str, device: str, adult_id: int | None) -> Login:
    """Look up the login typed on this device. `adult_id`: None if there is no such login. The
    database is queried even then, so that the time taken does not reveal which logins exist."""
    name = "login:" + secrets_.sign("login", typed).hex()[:40]
    here = KnownDevice.adult_id == (adult_id or 0), KnownDevice.device == device
    return Login(name, device, is_there(select(KnownDevice.id).where(*here)), adult_id)


def may_try_login(login: Login) -> None:
    """Check that a password may be tried now. Raises Refused("login_wait", wait=seconds)."""
    if login.own:
        since = WrongTry.at > clock.now() - DAY
        found = select(WrongTry.at).where(*_mine(login), since).order_by(WrongTry.at)
        tries = list(db.session.scalars(found))
    else:
        tries = _logins.times(login.name, DAY)
    lately = sum(at > clock.now() - HOUR for at in tries)
    pause = LOGIN_WAIT if lately >= LOGIN_FREE else 0.0
    pause = LOGIN_LONGEST_WAIT if len(tries) >= LOGIN_A_DAY else pause
    _wait("login_wait", tries, pause, adult_id=login.adult_id)


def wrong_login(login: Login) -> None:
    """Count one more wrong password: in the database for the adult's own device, else in memory."""
    if login.own:
        with write_unit():
            note(login.name, login.device)
    else:
        _logins.note(login.name, login.device)


def forgive_login(login: Login) -> None:
    """Forget the wrong passwords for this login on this device: the right one was typed."""
    db.session.execute(delete(WrongTry).where(*_mine(login)))
    _logins.forgive(login.name, login.device)


def _mine(login: Login) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return WrongTry.what == login.name, WrongTry.device == login.device


# ---- wrong codes: `kind` is class, family, colleague, reset or setup


def may_try_code(kind: str, device: str) -> None:
    """Check that a code may be tried now. Raises Refused("code_wait", wait=seconds)."""
    tries = _codes.times(f"{kind}:{device}", TEN_MINUTES)
    _wait("code_wait", tries, CODE_WAIT if len(tries) >= CODE_TRIES else 0.0)


def wrong_code(kind: str, device: str) -> None:
    """Count one more wrong code of this kind on this device."""
    _codes.note(f"{kind}:{device}", device)


def _wait(code: str, tries: Sequence[float], pause: float, **facts: object) -> None:
    """Refuse until `pause` seconds after the last try. The wait is never longer than `pause`, even
    if the clock was set back."""
    wait = min(pause, tries[-1] + pause - clock.now()) if tries else 0.0
    if wait > 0:
        raise Refused(code, wait=wait, **facts)
