"""Families: the code that links a parent to one child, the parent's account, and how the child's
next round is set up.

A code is shown once and stored only as a hash; it works for one adult, for 14 days.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Adult, Child, FamilyCode, FamilyLink, PlaySettings
from classroom.services.access import first_setup, passwords
from classroom.services.base import (
    audit,
    budgets,
    clock,
    limits,
    names,
    secrets_,
    security_log,
)
from classroom.services.base.errors import Refused
from classroom.services.base.rows import existing
from classroom.services.table import choices, in_force
from classroom.services.table.choices import Levels, Told
from classroom.services.table.home import Hours, hours_of

CODE_DAYS: Final = 14
WHAT: Final = "family"  # marks the hashes of these codes, and the counts of wrong ones


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound(PlaySettings):
    """How a child's next round will be set up. `fixed`: the things that a teacher decides, none at
    home; `told`: who chose what. `minutes_a_day`: the family's limit, None if there is none."""

    fixed: frozenset[str]
    told: tuple[Told, ...]
    minutes_a_day: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChild:
    """A child as its parent's pages show it. `home`: when it may play at home; `home_now`: whether
    it may do so now."""

    child_id: int
    name: str
    animal: str
    pad: int
    class_name: str
    home: Hours
    home_now: bool


# ---- codes


def make_code(child_id: int, by: int | None = None) -> str:
    """Make a new code for this child and return it, in groups of four letters; earlier unused codes
    stay valid."""
    with write_unit():
        existing(Child, child_id)
        limits.check("codes")
        code = add_code(child_id)
        audit.record(by, "family_code", "child", child_id)
    return code


def add_code(child_id: int) -> str:
    """Add a code for this child, within a write unit that has checked the limit."""
    (code, code_hash), now = secrets_.paper_code(WHAT), clock.now()
    db.session.add(
        FamilyCode(
            child_id=child_id,
            code_hash=code_hash,
            created_at=now,
            ends_at=now + CODE_DAYS * clock.SECONDS_A_DAY,
        )
    )
    security_log.note("family_code_made", child_id=child_id)
    return code


@security_log.refusals("account_made")
def register(code: str, name: str, login: str, password: str, device: str = "") -> int:
    """Make a parent's account, linked to the child that the code is for; returns the adult's id.
    `device`: the parent's browser.

    Raises Refused: code_unknown, code_used, code_ended, code_wait, slow_down, adult_name, login,
    login_taken, password_*.
    The code is checked first, so that no one without a code learns which logins exist; if anything
    else is wrong, the code stays valid.
    """
    budgets.may_try_code(WHAT, device)
    if _good(code) is None:
        raise _wrong_code(code, device)
    name = names.tidy(name)
    first_setup.check_account(name, login, password)
    hashed = passwords.hash_of(password)
    with write_unit():
        row = _take(code)
        school_id = _school_of(row.child_id)
        adult_id = first_setup.add_adult(school_id, "parent", name, login, hashed)
        _link(adult_id, row.child_id)
        return adult_id


@security_log.refusals("child_linked")
def link(adult_id: int, code: str, device: str = "") -> int:
    """Link one more child to this parent; returns the child's id. `device`: the parent's browser.
    Raises Refused: code_unknown, code_used, code_ended, code_wait, already_linked."""
    budgets.may_try_code(WHAT, device)
    adult = db.session.get(Adult, adult_id)
    row = _good(code)
    if row is None or adult is None or _school_of(row.child_id) != adult.school_id:
        raise _wrong_code(code if row is None else "", device)
    child_id = row.child_id
    with write_unit():
        if db.session.get(FamilyLink, (adult_id, child_id)) is not None:
            raise Refused("already_linked")
        _link(adult_id, _take(code).child_id)
    return child_id


def children_of(adult_id: int) -> tuple[OwnChild, ...]:
    """A parent's children, sorted by name."""
    rows = db.session.scalars(
        select(Child)
        .join(FamilyLink, FamilyLink.child_id == Child.id)
        .where(FamilyLink.adult_id == adult_id)
    )
    return tuple(_own(row) for row in sorted(rows, key=lambda row: names.order(row.name, row.id)))


def _own(child: Child) -> OwnChild:
    hours = hours_of(child.school_class)
    return OwnChild(
        child_id=child.id,
        name=child.name,
        animal=child.animal,
        pad=child.pad,
        class_name=child.school_class.name,
        home=hours,
        home_now=hours.are_now(),
    )


# ---- settings


def settings(child_id: int, *, at_home: bool = False) -> NextRound:
    """The settings of the child's next round in a lesson or at home, and who chose them. Raises
    NotFound."""
    return next_round(choices.of_child(child_id), at_home=at_home)


def next_round(levels: Levels, *, at_home: bool = False) -> NextRound:
    """The settings of the next round of the child that has these levels."""
    return NextRound(
        **asdict(in_force.play(levels.made, at_home=at_home)),
        fixed=in_force.fixed(levels.made, at_home=at_home),
        told=choices.told(levels),
        minutes_a_day=levels.of("family").made.get("minutes_a_day"),
    )


# ---- details


def _good(code: str) -> FamilyCode | None:
    row = _row(code)
    return row if row is not None and row.used_at is None and row.ends_at > clock.now() else None


def _row(code: str) -> FamilyCode | None:
    return db.session.scalar(
        select(FamilyCode).where(FamilyCode.code_hash == secrets_.code_hash(WHAT, code))
    )


def _take(code: str) -> FamilyCode:
    row = _good(code)
    if row is None:
        raise Refused(_why(code))
    row.used_at = clock.now()
    return row


def _wrong_code(code: str, device: str) -> Refused:
    budgets.wrong_code(WHAT, device)
    return Refused(_why(code))


def _why(code: str) -> str:
    """Why this code does not work. Somebody who types a code that once worked has read it on the
    paper, so it gives nothing away to say what became of it."""
    row = _row(code)
    if row is None:
        return "code_unknown"
    return "code_used" if row.used_at is not None else "code_ended"


def _school_of(child_id: int) -> int:
    return existing(Child, child_id).school_class.school_id


def _link(adult_id: int, child_id: int) -> None:
    db.session.add(FamilyLink(adult_id=adult_id, child_id=child_id, created_at=clock.now()))
    audit.record(adult_id, "link", "child", child_id)
    security_log.note("child_linked", adult_id=adult_id, child_id=child_id)
