"""Families: the code that links a parent to one child, the parent's account, the child's settings.

A code is shown once and stored only as a hash; it works for one adult, for 14 days.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Adult, Child, ChildSettings, FamilyCode, FamilyLink
from classroom.services.access import first_setup, passwords
from classroom.services.base import (
    audit,
    budgets,
    clock,
    limits,
    names,
    notices,
    secrets_,
    security_log,
)
from classroom.services.base.errors import Refused
from classroom.services.base.rows import existing
from classroom.services.table import choices, in_force
from classroom.services.table.choices import Told
from classroom.services.table.home import Hours, hours_for, hours_of
from classroom.services.table.in_force import TEACHERS, THINGS

CODE_DAYS: Final = 14
WHAT: Final = "family"  # marks the hashes of these codes, and the counts of wrong ones
MINUTES: Final = (10, 20, 30, 45)  # the limits per day that parents can choose


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """How a child's next round will be set up. `fixed`: the things that a teacher decides, none at
    home; `told`: who chose what. `minutes_a_day`: the family's limit, None if there is none.
    `set_at`: when the family last chose, None if never."""

    opponents: int
    level: str
    deck: str
    board: str
    hints: bool
    pace: str
    voice: bool
    fixed: frozenset[str]
    told: tuple[Told, ...]
    minutes_a_day: int | None
    set_at: float | None


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


def to_choose(child_id: int) -> NextRound:
    """The settings on the page where a parent chooses: those at home if the class allows play
    there, else those in lessons. Raises NotFound."""
    return settings(child_id, at_home=hours_for(child_id).on)


def settings(child_id: int, *, at_home: bool = False) -> NextRound:
    """The settings of the child's next round in a lesson or at home, and who chose them. Raises
    NotFound."""
    levels = choices.of_child(child_id).play
    order = in_force.AT_HOME if at_home else in_force.IN_LESSONS
    rules = {thing: in_force.ruling(levels, thing, order) for thing in THINGS}
    row = db.session.get(ChildSettings, child_id)
    return NextRound(
        **asdict(in_force.play(levels, at_home=at_home)),
        fixed=frozenset(
            thing
            for thing, level in rules.items()
            if level and level.whose in TEACHERS and not at_home
        ),
        told=choices.told(levels),
        minutes_a_day=row.minutes_a_day if row else None,
        set_at=row.set_at if row else None,
    )


def change_settings(
    adult_id: int | None,
    child_id: int,
    opponents: int | None,
    level: str | None,
    deck: str | None,
    board: str | None,
    hints: bool | None,
    minutes_a_day: int | None,
    pace: str | None = None,
    voice: bool | None = None,
) -> None:
    """Set the family's choices; None keeps the earlier choice; for `minutes_a_day` it means no
    limit. A round in progress keeps its settings, but the minutes apply at once
    (services/table/time_limit.py).

    Raises Refused("opponents" | "level" | "deck" | "board" | "pace" | "voice" | "minutes_a_day")
    for a value that is not on offer.
    """
    picks = dict(zip(THINGS, (opponents, level, deck, board, hints, pace, voice), strict=True))
    made = {thing: value for thing, value in picks.items() if value is not None}
    for thing, value in made.items():
        choices.check_offered(thing, value)
    if minutes_a_day not in (None, *MINUTES):
        raise Refused("minutes_a_day")
    with write_unit():
        class_id = existing(Child, child_id).class_id
        row = db.session.get(ChildSettings, child_id) or ChildSettings(child_id=child_id)
        changes_now = row.minutes_a_day != minutes_a_day
        for thing, value in made.items():
            setattr(row, thing, value)
        row.minutes_a_day = minutes_a_day
        row.set_by, row.set_at = adult_id, clock.now()
        db.session.add(row)
        playing = notices.changed_for([child_id]) if changes_now else []
        audit.record(adult_id, "settings", "child", child_id)
    if playing:
        notices.tables(class_id, playing)


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
