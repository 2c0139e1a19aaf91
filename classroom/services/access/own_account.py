"""What adults do with their own accounts: change their password and names, and get their data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, select

from classroom import privacy
from classroom.database import Base, db, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    ClassTeacher,
    FamilyLink,
    KnownDevice,
    SecondFactor,
    Session,
)
from classroom.services.access import first_setup, passwords, sessions, sign_in
from classroom.services.access.sessions import Who
from classroom.services.access.sign_in import tidy_login
from classroom.services.base import audit, budgets, names, security_log
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import existing

Json = dict[str, Any]
_BY_ADULT: Final = (SecondFactor, ClassTeacher, FamilyLink, Session, KnownDevice, AuditEntry)


@security_log.refusals("password_changed")
def change_password(who: Who, old: str, new: str) -> str:
    """Change the password if the old one is right, and end every session; returns a new token."""
    adult_id, login, name = with_password(who, old)
    passwords.check(new, login, name)
    sign_in.set_password(adult_id, new, "password_changed")
    with write_unit():
        return sessions.start(who.device, adult_id=adult_id)


def with_password(who: Who, password: str) -> tuple[int, str, str]:
    """The id, login and name of the adult who is signed in, if this is the password.

    Raises Refused: wrong_password, login_wait.
    """
    row = db.session.get(Adult, who.adult_id)
    if row is None:
        raise NotFound()
    adult_id, login, name, hashed = row.id, row.login, row.name, row.password_hash
    tried = budgets.login(login, who.device, adult_id)
    budgets.may_try_login(tried)
    if not passwords.fits(password, hashed):
        budgets.wrong_login(tried)
        raise Refused("wrong_password")
    return adult_id, login, name


@security_log.refusals("account_changed")
def change_names(who: Who, name: str, login: str, password: str) -> None:
    """Change one's own name and sign-in name, if the password is right.

    Raises Refused: wrong_password, login_wait, adult_name, login, login_taken.
    """
    name = names.tidy(name)
    first_setup.check_names(name, login)
    adult_id, own, _ = with_password(who, password)
    with write_unit():
        first_setup.check_free(login, own)
        row = db.session.get_one(Adult, adult_id)
        row.name, row.login = name, tidy_login(login)
        audit.record(adult_id, "change", "adult", adult_id)
        security_log.note("account_changed", adult_id=adult_id)


@security_log.refusals("adult_in")
def again(who: Who, password: str) -> str:
    """Begin the session again for an adult who types the password once more; returns its token.

    Raises Refused: wrong_password, login_wait.
    """
    adult_id, _, _ = with_password(who, password)
    with write_unit():
        return sessions.rotate(who.session_id, who.device, adult_id=adult_id)


def login_of(adult_id: int) -> str:
    """The name that an adult signs in with. Raises NotFound."""
    return existing(Adult, adult_id).login


def record(adult_id: int) -> Iterator[tuple[str, list[Json]]]:
    """The data kept about an adult, table by table, without the columns that only the server may
    see.

    Raises NotFound.
    """
    existing(Adult, adult_id)
    yield "adults", _rows("adults", Adult.id == adult_id)
    for model in _BY_ADULT:
        yield model.__tablename__, _rows(model.__tablename__, model.adult_id == adult_id)


def columns() -> dict[str, dict[str, str]]:
    """The columns of an adult's record, table by table, with the purpose of each."""
    named = [Adult.__tablename__, *(model.__tablename__ for model in _BY_ADULT)]
    return {
        name: {key: privacy.REGISTER[name].columns[key].purpose for key in _open(name)}
        for name in named
    }


def _open(name: str) -> list[str]:
    """The columns of a table that the server does not keep to itself."""
    lines = privacy.REGISTER[name].columns.items()
    return [key for key, line in lines if line.seen_by != privacy.SERVER]


def _rows(name: str, which: ColumnElement[bool]) -> list[Json]:
    table = Base.metadata.tables[name]
    found = select(*(table.c[key] for key in _open(name))).where(which)
    rows = db.session.execute(found.order_by(*table.primary_key))
    return [dict(row._mapping) for row in rows]
