"""All the ways to sign in; there are no others (ASVS v5.0.0-6.1.3):

- a class device: the code of an open class
- a child on a class device: four pictures, or the teacher lets the child in
- a child at home: four pictures, on a device that a parent opened
- an adult: login and password, and a second factor if the adult has one
- the first adult: the code shown on the console (accounts.py)
- a parent: a family code (family_links.py)
- a colleague: an invitation (invitations.py)
- an adult who forgot the password: a code on paper (accounts.py)

In the demo school only, a tap is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Adult, Child, DoorKnock, FamilyLink, KnownDevice, SchoolClass
from classroom.services.access import knocks, passwords, second_factors, sessions
from classroom.services.access.second_factors import PasswordRight, Site
from classroom.services.access.sessions import Who
from classroom.services.base import (
    audit,
    budgets,
    clock,
    names,
    notices,
    secrets_,
    security_log,
    tombstones,
)
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.base.names import ChildFace
from classroom.services.base.rows import existing
from classroom.services.lesson import gatherings, open_tables, shared_tables
from classroom.services.table import stand_ins
from classroom.services.table.choices import hours_of

PICTURES: Final = tuple(
    "q-" + name
    for name in "sun moon apple boat house tree flower key umbrella ball kite cup".split()
)
CHOSEN: Final = 4
DEMO_LESSON: Final = 4 * 3600.0


# ---- the four pictures


def pictures_of(child: Child) -> tuple[str, ...]:
    """The child's four pictures in order. All 11,880 possible sequences are equally likely."""
    left, found = list(PICTURES), []
    number = int.from_bytes(secrets_.sign("pictures", child.id, child.pictures_version), "big")
    for _ in range(CHOSEN):
        number, place = divmod(number, len(left))
        found.append(left.pop(place))
    return tuple(found)


def grid(child: Child) -> tuple[str, ...]:
    """The twelve pictures in this child's fixed order, which does not hint at the right four."""
    return tuple(sorted(PICTURES, key=lambda name: secrets_.sign("grid", child.id, name)))


# ---- a class device


@security_log.refusals("device_in")
def open_device(class_code: str, device: str | None = None, session_id: int | None = None) -> str:
    """Bring a device into the open class with this code; returns the session's token. Raises
    NotNow("class_not_open") if the code is unknown or the class is closed, and Refused("code_wait",
    wait=seconds) after too many wrong codes on this device."""
    device = device or secrets_.device_name()
    code = "".join(letter for letter in class_code if letter in "0123456789")[:12]
    budgets.may_try_code("class", device)
    if _open_under(code) is None:
        budgets.wrong_code("class", device)
        raise NotNow("class_not_open")
    with write_unit():
        room = _open_under(code)
        if room is None:  # the class was closed in the meantime
            raise NotNow("class_not_open")
        return sessions.rotate(session_id, device, class_id=room.id)


def _open_under(code: str) -> SchoolClass | None:
    room = db.session.scalar(select(SchoolClass).where(SchoolClass.code == code))
    return room if room is not None and is_open(room) else None


def is_open(school_class: SchoolClass) -> bool:
    """Whether the children in this class may sign in now."""
    return school_class.opened_until is not None and clock.now() < school_class.opened_until


# ---- a child on a class device


def knock(who: Who, child_id: int) -> None:
    """Record that this device is at this child's door, and show it to the teacher."""
    with write_unit():
        child = _classmate(who, child_id)
        knocks.stand(who.device, child)
        class_id = child.class_id
    notices.door(class_id)


def wait_of(who: Who, child_id: int) -> float:
    """Seconds until this device may try the child's pictures again."""
    row = knocks.find(who.device, child_id)
    return max(0.0, row.wait_until - clock.now()) if row else 0.0


def needs_teacher(who: Who, child_id: int) -> bool:
    """Whether pictures are off for this child on this device, so that only the teacher can help."""
    return _pictures_off(_classmate(who, child_id), who.device)


@security_log.refusals("child_in")
def pictures(who: Who, child_id: int, chosen: list[str]) -> str:
    """Sign the child in with four pictures; returns the new token. Raises Refused("wrong_pictures",
    wait=seconds) if they are wrong, Refused("wait", wait=seconds) if they are tried too soon, and
    NotNow("class_rests") or NotNow("ask_teacher") if only the teacher can help now."""
    with write_unit():
        child = _classmate(who, child_id)
        row = knocks.stand(who.device, child)
        no: Refused | None = None
        if row.wait_until > clock.now():
            no = Refused("wait", wait=row.wait_until - clock.now())
        elif budgets.pictures_off(child.class_id, row.device):
            no = NotNow("class_rests")
        elif budgets.child_needs_teacher(child.id, row.device):
            no = NotNow("ask_teacher")
        elif _are_right(chosen, child):
            token = _enter(who, child, row)
        else:
            no = _wrong(row)
            budgets.wrong_pictures(child.class_id, child.id, row.device)
            if _pictures_off(child, row.device):
                whose = {"child_id": child.id, "class_id": child.class_id}
                security_log.note("lock_out", "ask_teacher", **whose)
    if no is not None:
        raise no
    _tell(child_id)
    return token


def come_in(who: Who, child_id: int) -> str | None:
    """Sign the child in if the teacher has let this device in; returns the new token or None.
    A device stays at the door as long as its page keeps asking the server. A device that has left,
    because it knocked at another door or the child came in on another device, must knock again."""
    row = knocks.find(who.device, child_id)
    if row is None or row.sign is None:
        return None
    if row.knocked_at < clock.now() - knocks.KNOCK_AGAIN:
        knock(who, child_id)
        return None
    if not knocks.may_enter(row):
        return None
    with write_unit():
        child = _classmate(who, child_id)
        row = knocks.find(who.device, child_id)
        token = _enter(who, child, row) if row and knocks.may_enter(row) else None
    _tell(child_id)
    return token


def leave(who: Who) -> str | None:
    """Sign out. Returns a new token if a child was signed in (the device stays), else None."""
    token = None
    with write_unit():
        security_log.went_out(adult_id=who.adult_id, child_id=who.child_id, class_id=who.class_id)
        if who.kind == "child" and who.child_id is not None:
            gatherings.stand_up_from_open(who.child_id)
            token = sessions.rotate(who.session_id, who.device, class_id=who.class_id)
        else:
            knocks.leave(DoorKnock.device == who.device)
            sessions.end(who.session_id)
    if who.class_id is not None:
        notices.friends(who.class_id)
    return token


def _tell(child_id: int) -> None:
    """Tell the class that the child is here, and the previous device that the child has moved.
    Start a one-tablet table that waits for the child, or let the child replace a stand-in."""
    shared_tables.let_in(child_id)
    notices.tables(db.session.get_one(Child, child_id).class_id)
    round_id = open_tables.round_of(child_id)
    if round_id is not None:
        stand_ins.touched(round_id, child_id)


# ---- adults


@security_log.refusals("adult_in")
def adult(login: str, password: str, device: str, session_id: int | None = None) -> str:
    """Sign an adult in; returns the token.

    Raises Refused("wrong_login"), Refused("account_over") if the password is right but the account
    has ended, Refused("login_wait", wait=seconds) after too many wrong passwords, and the errors of
    passwords.fits. None of these errors shows, even by its timing, whether the login exists. Raises
    SecondStep if the password is right and a second factor is needed.
    """
    row = _account(login)
    tried = budgets.login(tidy_login(login), device, row.id if row else None)
    budgets.may_try_login(tried)
    # Hashing is slow on purpose, so it is outside the write unit.
    fits = passwords.fits(password, row.password_hash if row else None)
    if row is None or not fits:
        budgets.wrong_login(tried)
        raise Refused("wrong_login", adult_id=tried.adult_id)
    if is_over(row):
        raise Refused("account_over", adult_id=row.id)
    right = PasswordRight(row.id, tried, passwords.renewed(password, row.password_hash))
    second_factors.begin_step(right)
    with write_unit():
        return _adult_in(right, session_id)


def adult_with_second(
    ticket: str, code: str, site: Site, challenge: str, signed: str, session_id: int | None
) -> str:
    """Finish signing in with the second factor; returns the token. Errors: see `step_answered`."""
    right = second_factors.step_answered(ticket, code, site, challenge, signed)
    with write_unit():
        return _adult_in(right, session_id)


def welcome(adult_id: int, device: str, session_id: int | None = None) -> str:
    """Sign in an adult whose account was made in the same request; returns the token."""
    with write_unit():
        return enter(adult_id, device, session_id)


def enter(adult_id: int, device: str, session_id: int | None = None) -> str:
    """Start a session for this adult, within a write unit; returns the token."""
    _know(device, adult_id=adult_id)
    return sessions.rotate(session_id, device, adult_id=adult_id)


def reset_password(login: str, new: str) -> None:
    """Set a password without asking for the old one, for the operator on the command line. The
    second factors are removed, because they may be lost too."""
    row = _account(login)
    if row is None or is_over(row):
        raise NotFound("login")
    passwords.check(new, row.login, row.name)
    set_password(row.id, new, "password_reset")


def set_password(adult_id: int, new: str, event: str) -> None:
    """Set this password and end every session. `event`: the event for the security log."""
    hashed = passwords.hash_of(new)
    with write_unit():
        replace_password(adult_id, hashed, event)


def replace_password(adult_id: int, hashed: str, event: str) -> None:
    """Set this password and end every session of the account, within a write unit. A reset also
    removes the second factors, because they may be lost too."""
    row = db.session.get_one(Adult, adult_id)
    tombstones.note_password(row)
    row.password_hash = hashed
    sessions.end_all(adult_id=adult_id)
    if event == "password_reset":
        second_factors.remove_all(adult_id)
    audit.record(adult_id, "password", "adult", adult_id)
    security_log.note(event, adult_id=adult_id)


def _account(login: str) -> Adult | None:
    return db.session.scalar(select(Adult).where(Adult.login == tidy_login(login)))


def is_over(row: Adult) -> bool:
    """Whether this account is closed, as a substitute's is after its last day."""
    return row.ends_at is not None and row.ends_at <= clock.now()


def tidy_login(login: str) -> str:
    """The login in its standard form: no invisible characters, no outer spaces, lower case."""
    return names.tidy(passwords.tidy(login)).casefold()[:80]


# ---- signing in without a secret, which only the demo school offers


def demo_adult(adult_id: int, device: str, session_id: int | None = None) -> str:
    """Sign in one of the demo school's adults without a password."""
    with write_unit():
        existing(Adult, adult_id)
        return sessions.rotate(session_id, device, adult_id=adult_id)


def demo_child(child_id: int, device: str, session_id: int | None = None) -> str:
    """Sign in one of the demo school's children without pictures."""
    with write_unit():
        child = existing(Child, child_id)
        _demo_lesson(child.school_class)
        token = sessions.rotate(session_id, device, class_id=child.class_id, child_id=child.id)
    shared_tables.let_in(child_id)
    return token


def demo_device(class_id: int, device: str, session_id: int | None = None) -> str:
    """Bring a device into a class of the demo school, for signing in with a card."""
    with write_unit():
        room = existing(SchoolClass, class_id)
        _demo_lesson(room)
        return sessions.rotate(session_id, device, class_id=room.id)


def _demo_lesson(room: SchoolClass) -> None:
    """Open the class if it is closed: visitors to the demo school always find a lesson."""
    if not is_open(room):
        room.opened_until = clock.now() + DEMO_LESSON


# ---- within a write unit


def _classmate(who: Who, child_id: int) -> Child:
    child = db.session.get(Child, child_id)
    if child is None or child.class_id != who.class_id:
        raise NotFound()
    if not is_open(child.school_class):
        raise NotNow("class_not_open")
    return child


def _pictures_off(child: Child, device: str) -> bool:
    off = budgets.pictures_off(child.class_id, device)
    return off or budgets.child_needs_teacher(child.id, device)


def _are_right(chosen: list[str], child: Child) -> bool:
    return secrets_.same(" ".join(pictures_of(child)), " ".join(chosen))


def _wrong(row: DoorKnock) -> Refused:
    row.tries += 1
    wait = budgets.picture_wait(row.tries)
    row.wait_until = clock.now() + wait
    return Refused("wrong_pictures", wait=wait)


def _enter(who: Who, child: Child, row: DoorKnock) -> str:
    knocks.leave(DoorKnock.child_id == child.id)
    row.tries, row.wait_until = 0, 0.0
    _know(who.device, child_id=child.id)
    sessions.move_to_here(child.id, who.session_id)
    notices.changed_for([child.id])
    return sessions.rotate(who.session_id, who.device, class_id=child.class_id, child_id=child.id)


def _adult_in(right: PasswordRight, session_id: int | None) -> str:
    row = db.session.get(Adult, right.adult_id)
    if row is None:  # the account was removed in the meantime
        raise Refused("wrong_login")
    if right.renewed:
        row.password_hash = right.renewed  # the password is the same, so no session ends
    budgets.forgive_login(right.tried)
    return enter(right.adult_id, right.tried.device, session_id)


def _know(device: str, *, adult_id: int | None = None, child_id: int | None = None) -> None:
    whose = KnownDevice.adult_id == adult_id if adult_id else KnownDevice.child_id == child_id
    row = db.session.scalar(select(KnownDevice).where(whose, KnownDevice.device == device))
    if row is None:
        row = KnownDevice(adult_id=adult_id, child_id=child_id, device=device)
        db.session.add(row)
    row.last_at = clock.now()
    db.session.flush()


# ---- what the pages at the door show


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoDoor:
    """What the entrance of the demo school shows. `adults`: each adult and, for a parent, the
    children's names. `cards`: each child and the child's pictures."""

    school: str
    class_id: int
    class_name: str
    adults: tuple[tuple[Adult, tuple[str, ...]], ...]
    cards: tuple[tuple[ChildFace, tuple[str, ...]], ...]


def classroom(class_id: int) -> tuple[str, tuple[ChildFace, ...]]:
    """The name of the class that a device is in, and the class's children, sorted by name."""
    return existing(SchoolClass, class_id).name, names.faces(names.children_of(class_id))


def at_the_pictures(class_id: int, child_id: int) -> tuple[ChildFace, tuple[str, ...]]:
    """A child in this class, and the twelve pictures from which the child chooses."""
    child = existing(Child, child_id)
    if child.class_id != class_id:
        raise NotFound()
    return ChildFace(*names.face(child)), grid(child)


def demo_door() -> DemoDoor:
    """Read the staff and parents, teachers first, and the sign-in cards of the first class. Never
    call this for a real school."""
    room = db.session.scalars(select(SchoolClass).order_by(SchoolClass.id)).first()
    if room is None:
        raise NotFound()
    roles = ("teacher", "admin", "parent")
    found = db.session.scalars(select(Adult).where(Adult.role.in_(roles)).order_by(Adult.id))
    linked = select(Child.name).join(FamilyLink, FamilyLink.child_id == Child.id)
    adults = []
    for row in sorted(found, key=lambda row: roles.index(row.role)):
        own = db.session.scalars(linked.where(FamilyLink.adult_id == row.id))
        adults.append((row, tuple(sorted(own, key=names.order))))
    children = names.children_of(room.id)
    return DemoDoor(
        school=room.school.name,
        class_id=room.id,
        class_name=room.name,
        adults=tuple(adults),
        cards=tuple((ChildFace(*names.face(one)), pictures_of(one)) for one in children),
    )


# ---- the door at home: a parent opens a device for one child, who then taps the four pictures
#
# The parent is signed out on that device, so that the child cannot reach the parent's pages. Wrong
# pictures at home are counted separately, so that they never lock the child out in class.

HOME_TRIES: Final = 9  # wrong tries in 24 hours; then the parent has to open the device again


def open_at_home(adult_id: int, child_id: int, device: str, session_id: int | None) -> str:
    """Open this device for one of the parent's children until today's hours end; returns the token.
    Raises NotFound for somebody else's child, and NotNow("home_closed") outside the hours."""
    if not sessions.is_parent_of(adult_id, child_id):
        raise NotFound("child")
    with write_unit():
        child = existing(Child, child_id)
        if not hours_of(child.school_class).are_now():
            raise NotNow("home_closed")
        budgets.forgive(_wrong_at_home(child_id))
        audit.record(adult_id, "open_home", "child", child_id)
        security_log.note("home_opened", adult_id=adult_id, child_id=child_id)
        return _start_at_home(Who(session_id=session_id, device=device, home_by=adult_id), child)


def is_closed_at_home(who: Who) -> bool:
    """Whether the parent must open the device again, because of too many wrong pictures."""
    since = clock.now() - clock.SECONDS_A_DAY
    return budgets.count(_wrong_at_home(_home_child(who).id), since) >= HOME_TRIES


@security_log.refusals("child_in")
def pictures_at_home(who: Who, chosen: list[str]) -> str:
    """Sign in the child for whom this device was opened; returns the new token. Raises
    Refused("wrong_pictures", wait=seconds), Refused("wait", wait=seconds) if they are tried too
    soon, and NotNow("ask_parent") after HOME_TRIES wrong tries."""
    with write_unit():
        child = _home_child(who)
        row = knocks.noted(who.device, child.id)
        no: Refused | None = None
        wait = row.wait_until - clock.now()
        if is_closed_at_home(who):
            no = NotNow("ask_parent")
        elif wait > 0:
            no = Refused("wait", wait=wait)
        elif _are_right(chosen, child):
            row.tries, row.wait_until = 0, 0.0
            budgets.forgive(_wrong_at_home(child.id))
            sessions.move_to_here(child.id, who.session_id)
            security_log.came_in(child_id=child.id)
            token = _start_at_home(who, child, child.id)
        else:
            no = _wrong(row)
            budgets.note(_wrong_at_home(child.id), row.device)
        class_id = child.class_id
    if no is not None:
        raise no
    notices.tables(class_id)
    return token


def leave_at_home(who: Who) -> str | None:
    """Sign the child out and return the device's new token; if no child is signed in, close the
    device and return None."""
    with write_unit():
        security_log.went_out(child_id=who.child_id)
        if who.child_id is not None:
            return _start_at_home(who, _home_child(who))
        sessions.end(who.session_id)
    return None


def _home_child(who: Who) -> Child:
    if who.home_id is None:
        raise NotFound("child")
    return existing(Child, who.home_id)


def _start_at_home(who: Who, child: Child, child_id: int | None = None) -> str:
    """Replace the session of this device with one for the child at home."""
    sessions.end(who.session_id)
    return sessions.start(
        who.device,
        child_id=child_id,
        home_id=child.id,
        home_by=who.home_by,
        until=hours_of(child.school_class).end() + sessions.CLASS_GRACE,
    )


def _wrong_at_home(child_id: int) -> str:
    return f"home:{child_id}"
