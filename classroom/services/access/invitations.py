"""Invitations: codes on paper with which colleagues get an account, or one more class.

A code is shown once and stored only as a hash. It works once, within 14 days. It stops working
earlier if it is revoked, or if the adult who made it loses the account, the class or the
administrator's role. A substitute's code also stops working when the account would close.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Select, delete, select
from sqlalchemy.orm import aliased

from classroom.database import db, hold, write_unit
from classroom.models import Adult, ClassTeacher, Invitation, SchoolClass
from classroom.services.access import accounts, passwords
from classroom.services.base import (
    audit,
    clock,
    limits,
    names,
    secrets_,
    security_log,
    tombstones,
)
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import existing, is_there

WHAT: Final = "colleague"  # the kind of code, for hashes and for counts of wrong codes
DAYS: Final = 14
DAY: Final = clock.SECONDS_A_DAY
LONGEST_STAY: Final = 92  # days from the invitation within which a substitute's account must close
SUBSTITUTE: Final = "substitute"
TEACHES: Final = ("teacher", "admin")  # the roles that can teach a class, apart from substitutes


@dataclass(frozen=True, slots=True)
class Listed:
    """An invitation, with the names of the class and of the adults who made it and used it."""

    row: Invitation
    class_name: str | None
    made_by: str
    used_by: str | None

    @property
    def is_open(self) -> bool:
        return self.row.used_at is None and self.row.ends_at > clock.now()


# ---- making and revoking


def make(
    school_id: int, by: int, role: str, class_id: int | None = None, until: float | None = None
) -> str:
    """Make an invitation and return its code. `until`: when a substitute's account will close.
    Raises Refused("until") if `until` is not within the next 92 days."""
    now = clock.now()
    if role == SUBSTITUTE and not now < (until or now) <= now + LONGEST_STAY * DAY:
        raise Refused("until")
    code, code_hash = secrets_.paper_code(WHAT)
    with write_unit():
        if class_id is not None and existing(SchoolClass, class_id).school_id != school_id:
            raise NotFound("class")
        limits.check("invitations")
        ends = min(now + DAYS * DAY, until or now + DAYS * DAY)
        row = Invitation(
            school_id=school_id, role=role, class_id=class_id, code_hash=code_hash, made_by=by,
            created_at=now, ends_at=ends, account_ends_at=until,
        )  # fmt: skip
        db.session.add(row)
        audit.record(by, "invite", *_about(school_id, class_id))
        security_log.note("invitation_made", class_id=class_id, school_id=school_id)
    return code


def revoke(invitation_id: int, by: int, school_id: int, class_id: int | None = None) -> None:
    """Delete an unused invitation. Raises NotFound, including when the invitation is for a class
    other than `class_id`."""
    with write_unit():
        row = db.session.get(Invitation, invitation_id)
        if row is None or row.used_at is not None or row.school_id != school_id:
            raise NotFound("invitation")
        if class_id is not None and row.class_id != class_id:
            raise NotFound("invitation")
        audit.record(by, "revoke", *_about(school_id, row.class_id))
        _void(row)


def of_class(class_id: int) -> tuple[Listed, ...]:
    """The invitations to a class, newest first."""
    return _listed(Invitation.class_id == class_id)


def of_school(school_id: int) -> tuple[Listed, ...]:
    """All invitations to a school, newest first."""
    return _listed(Invitation.school_id == school_id)


# ---- using an invitation


@security_log.refusals("account_made")
def register(code: str, name: str, login: str, password: str, device: str = "") -> int:
    """Make the account that the code is for, and let the adult teach the code's class, if any;
    returns the adult's id. `device`: the colleague's browser.

    Raises Refused: invitation_unknown, code_wait, and the errors of `accounts.check_account` and
    `add_adult`. The code is checked first, so that no one without a code learns which logins
    exist; if anything else is wrong, the code stays valid.
    """
    _try(code, device)
    name = names.tidy(name)
    accounts.check_account(name, login, password)
    hashed = passwords.hash_of(password)
    with write_unit():
        row = _take(code)
        adult_id = accounts.add_adult(
            row.school_id, row.role, name, login, hashed, row.account_ends_at
        )
        _use(row, adult_id)
    return adult_id


@security_log.refusals("class_joined")
def take(adult_id: int, code: str, device: str = "") -> int:
    """Make an adult a teacher of the class that the code is for; returns the class's id. Teachers
    and administrators can take a teacher's code; substitutes can take a substitute's code if their
    account closes at the same time. Raises Refused: invitation_unknown, code_wait, already_taught,
    and invitation_other if the code is for no class or for another kind of account."""
    _try(code, device)
    with write_unit():
        row, adult = _take(code), db.session.get_one(Adult, adult_id)
        if row.school_id != adult.school_id:
            raise Refused("invitation_unknown")
        if adult.role == SUBSTITUTE:
            fits = row.role == SUBSTITUTE and row.account_ends_at == adult.ends_at
        else:
            fits = row.role == "teacher"
        if row.class_id is None or not fits:
            raise Refused("invitation_other")
        if db.session.get(ClassTeacher, (row.class_id, adult_id)) is not None:
            raise Refused("already_taught")
        _use(row, adult_id)
        return row.class_id


# ---- within a write unit


def let_teach(class_id: int, adult_id: int) -> None:
    """Make this adult a teacher of the class. Call it only if they do not teach the class yet."""
    db.session.add(ClassTeacher(class_id=class_id, adult_id=adult_id, since=clock.now()))
    db.session.flush()
    security_log.note("class_joined", adult_id=adult_id, class_id=class_id)


def void_of(adult_id: int, class_id: int | None = None) -> None:
    """Delete unused invitations that this adult made; with `class_id`, only those to this class."""
    mine = select(Invitation).where(Invitation.made_by == adult_id, Invitation.used_at.is_(None))
    if class_id is not None:
        mine = mine.where(Invitation.class_id == class_id)
    for row in db.session.scalars(mine):
        _void(row)


def _void(row: Invitation) -> None:
    tombstones.note_gone(row)
    db.session.execute(delete(Invitation).where(Invitation.id == row.id))


def _use(row: Invitation, adult_id: int) -> None:
    tombstones.note_gone(row)
    row.used_at, row.used_by = clock.now(), adult_id
    if row.class_id is not None:
        let_teach(row.class_id, adult_id)
    audit.record(adult_id, "join", *_about(row.school_id, row.class_id))


def _take(code: str) -> Invitation:
    row: Invitation | None = db.session.scalar(hold(_good(code)))
    if row is None:
        raise Refused("invitation_unknown")
    return row


# ---- details


def _try(code: str, device: str) -> None:
    with accounts.trying(WHAT, device):
        if not is_there(_good(code)):
            raise Refused("invitation_unknown")


def _good(code: str) -> Select[Invitation]:
    hashed = secrets_.code_hash(WHAT, code)
    return accounts.usable(Invitation).where(Invitation.code_hash == hashed)


def _listed(where: ColumnElement[bool]) -> tuple[Listed, ...]:
    maker, user = aliased(Adult), aliased(Adult)
    rows = db.session.execute(
        select(Invitation, SchoolClass.name, maker.name, user.name)
        .join(maker, maker.id == Invitation.made_by)
        .outerjoin(user, user.id == Invitation.used_by)
        .outerjoin(SchoolClass, SchoolClass.id == Invitation.class_id)
        .where(where)
        .order_by(Invitation.id.desc())
    )
    return tuple(Listed(*found) for found in rows)


def _about(school_id: int, class_id: int | None) -> tuple[str, int]:
    """What the invitation is for, as the audit log names it: a class or the school, and its id."""
    return ("class", class_id) if class_id is not None else ("school", school_id)
