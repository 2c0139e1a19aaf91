"""A forgotten password: a code on paper with which an adult sets a new one.

A code is shown once and stored only as a keyed hash; it works once, for three days, and only until
the next one is made for the same adult.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, select

from classroom.database import db, hold, write_unit
from classroom.models import Adult, PasswordReset
from classroom.services.access import passwords, sign_in
from classroom.services.base import audit, budgets, clock, secrets_, security_log, tombstones
from classroom.services.base.errors import NotFound, Refused

CODE_DAYS: Final = 3
WHAT: Final = "reset"  # marks the hashes of these codes, and the counts of wrong ones


@dataclass(frozen=True, slots=True)
class Paper:
    """A code on paper that can still be used, and until when."""

    code_id: int
    made_at: float
    ends_at: float


def make_code(adult_id: int, by: int | None) -> str:
    """Make a code for this adult and return it, in groups of four letters; an earlier code ends.
    Raises NotFound.

    The account can be taken over with it: the caller decides who may ask for one.
    """
    (code, code_hash), now = secrets_.paper_code(WHAT), clock.now()
    with write_unit():
        if db.session.get(Adult, adult_id) is None:
            raise NotFound("adult")
        _end_open(adult_id)
        db.session.add(
            PasswordReset(
                adult_id=adult_id,
                code_hash=code_hash,
                created_at=now,
                ends_at=now + CODE_DAYS * clock.SECONDS_A_DAY,
            )
        )
        audit.record(by, "reset_code", "adult", adult_id)
        security_log.note("reset_code_made", adult_id=adult_id)
    return code


def make_code_for(login: str) -> str:
    """Make a code for the adult with this sign-in name, for the operator on the command line.
    Raises NotFound("login")."""
    found = db.session.scalar(select(Adult.id).where(Adult.login == sign_in.tidy_login(login)))
    if found is None:
        raise NotFound("login")
    return make_code(found, by=None)


@security_log.refusals("password_reset")
def reset(code: str, new: str, device: str = "", session_id: int | None = None) -> str:
    """Set the password of the adult whose code this is, end all their sessions and start one;
    returns its token. `device`: the browser.

    Raises Refused: code_wait, reset_unknown, reset_used, reset_ended, slow_down, password_*. The
    code is checked first, so that no one without a code learns anything; it stays valid if the new
    password is refused.
    """
    budgets.may_try_code(WHAT, device)
    row = db.session.scalar(_of(code))
    why = _trouble(row)
    if row is None or why:
        budgets.wrong_code(WHAT, device)
        raise Refused(why)
    adult = db.session.get_one(Adult, row.adult_id)
    passwords.check(new, adult.login, adult.name)
    adult_id, hashed = adult.id, passwords.hash_of(new)
    with write_unit():
        _take(code)
        sign_in.replace_password(adult_id, hashed, "password_reset")
        return sign_in.enter(adult_id, device, session_id)


def cancel(adult_id: int, by: int | None) -> None:
    """End this adult's open code. Raises NotFound if there is none."""
    with write_unit():
        if not _end_open(adult_id):
            raise NotFound("code")
        audit.record(by, "cancel_reset_code", "adult", adult_id)
        security_log.note("reset_code_cancelled", adult_id=adult_id)


def open_codes(adults: Collection[int]) -> dict[int, Paper]:
    """The open code of each of these adults who has one."""
    rows = db.session.scalars(_open().where(PasswordReset.adult_id.in_(adults)))
    return {row.adult_id: Paper(row.id, row.created_at, row.ends_at) for row in rows}


def _open() -> Select[tuple[PasswordReset]]:
    return select(PasswordReset).where(
        PasswordReset.used_at.is_(None), PasswordReset.ends_at > clock.now()
    )


def _end_open(adult_id: int) -> bool:
    rows = db.session.scalars(_open().where(PasswordReset.adult_id == adult_id)).all()
    for row in rows:
        tombstones.note_reset(row)
        row.ends_at = clock.now()
    return bool(rows)


def _of(code: str) -> Select[tuple[PasswordReset]]:
    return select(PasswordReset).where(PasswordReset.code_hash == secrets_.code_hash(WHAT, code))


def _trouble(row: PasswordReset | None) -> str:
    """Why the code does not work, as the code of a refusal; "" if it does."""
    if row is None:
        return "reset_unknown"
    if row.used_at is not None:
        return "reset_used"
    return "" if row.ends_at > clock.now() else "reset_ended"


def _take(code: str) -> None:
    row = db.session.scalar(hold(_of(code)))
    why = _trouble(row)
    if row is None or why:  # used or ended in the meantime
        raise Refused(why)
    tombstones.note_reset(row)
    row.used_at = clock.now()
