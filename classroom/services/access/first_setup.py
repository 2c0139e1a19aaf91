"""The first visit: only someone with the one-time code from the console can set up the school.

There is no default account and no default password. The code follows from the installation's key
and from how often a school was set up with it, so every process knows the same one. It is valid
only until the school exists.
"""

from __future__ import annotations

from sqlalchemy import select

from classroom.database import SET_UP, db, wait_for, write_unit
from classroom.models import Adult, School
from classroom.services.access import passwords
from classroom.services.access.sign_in import tidy_login
from classroom.services.base import (
    audit,
    budgets,
    clock,
    limits,
    names,
    secrets_,
    security_log,
    tombstones,
)
from classroom.services.base.errors import NotNow, Refused
from classroom.services.base.names import ADULT_NAME

LOGIN_SHORTEST = 3
LOGIN_LONGEST = 80


def is_set_up() -> bool:
    return db.session.scalar(select(School.id).limit(1)) is not None


def first_code() -> str:
    """The code to type on the set-up page: 40 random bits in two groups of four characters."""
    code = secrets_.signed_code("set-up code", *filter(None, [tombstones.set_ups()]))
    return f"{code[:4]}-{code[4:]}"


@security_log.refusals("school_made")
def make_school(
    code: str, school_name: str, name: str, login: str, password: str, device: str = ""
) -> int:
    """Make the school and its first administrator; returns the adult's id. `device`: the browser.

    Raises Refused: already_set_up, code_wait, wrong_code, school_name, slow_down, and what
    `check_account` and `add_adult` raise.
    """
    school_name, name = names.tidy(school_name), names.tidy(name)
    _check_code(code, device)
    if not 2 <= len(school_name) <= 80:
        raise Refused("school_name")
    check_account(name, login, password, school_name)
    hashed = passwords.hash_of(password)
    with write_unit():
        wait_for(db.session.connection(), SET_UP)
        if is_set_up():
            raise NotNow("already_set_up")
        school = School(name=school_name, created_at=clock.now())
        db.session.add(school)
        db.session.flush()
        adult_id = add_adult(school.id, "admin", name, login, hashed)
        tombstones.note_set_up(school)
        audit.record(adult_id, "set_up", "school", school.id)
        security_log.note("school_made", school_id=school.id)
        return adult_id


def check_account(name: str, login: str, password: str, *guessable: str) -> None:
    """Check the name, login and password of a new account. Raises Refused: adult_name, login, or a
    code of `passwords.check`."""
    check_names(name, login)
    passwords.check(password, login, name, *guessable)


def check_names(name: str, login: str) -> None:
    """Check the length of a name and of a login. Raises Refused: adult_name, login."""
    if not 1 <= len(name) <= ADULT_NAME:
        raise Refused("adult_name")
    if len(tidy_login(login)) < LOGIN_SHORTEST or len(login.strip()) > LOGIN_LONGEST:
        raise Refused("login")


def check_free(login: str, own: str = "") -> None:
    """Raise Refused("login_taken") if another account has this login or one that looks like it, so
    that no one can pass for someone else. `own`: the adult's present login, which the new one may
    resemble."""
    taken = select(Adult.login).where(Adult.login != own)
    if names.is_like_one_of(tidy_login(login), db.session.scalars(taken)):
        raise Refused("login_taken")


def add_adult(
    school_id: int, role: str, name: str, login: str, hashed: str, ends_at: float | None = None
) -> int:
    """Add an account; returns its id. `ends_at`: when a substitute's account ends. Call it within a
    write unit. Raises what `check_free` and `limits.check` raise."""
    login = tidy_login(login)
    check_free(login)
    limits.check("adults")
    row = Adult(
        school_id=school_id,
        role=role,
        login=login,
        name=name,
        password_hash=hashed,
        created_at=clock.now(),
        ends_at=ends_at,
    )
    db.session.add(row)
    db.session.flush()
    security_log.note("account_made", adult_id=row.id, school_id=school_id)
    return row.id


def _check_code(code: str, device: str) -> None:
    if is_set_up():
        raise NotNow("already_set_up")
    budgets.may_try_code("setup", device)
    typed = "".join(letter for letter in code.upper() if letter in secrets_.CODE_LETTERS)
    if not secrets_.same(typed, first_code().replace("-", "")):
        budgets.wrong_code("setup", device)
        raise Refused("wrong_code")
