"""Adults' own accounts: their passwords, names and data, codes on paper for forgotten passwords,
and the first account in a school."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy import Select, select

from classroom import privacy
from classroom.database import SET_UP, Base, db, hold, wait_for, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    ClassTeacher,
    FamilyCode,
    FamilyLink,
    Invitation,
    KnownDevice,
    PasswordReset,
    School,
    SecondFactor,
    Session,
    VoicePack,
)
from classroom.services.access import passwords, sessions, sign_in
from classroom.services.access.sessions import Who
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
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.base.names import ADULT_NAME
from classroom.services.base.rows import existing, is_there

Code = TypeVar("Code", FamilyCode, Invitation, PasswordReset)

# ---- What adults do with their own accounts: change their password and names, and get their data

_TABLES: Final = (
    *(Adult, SecondFactor, ClassTeacher, FamilyLink, VoicePack, Session, KnownDevice, AuditEntry),
)


@security_log.refusals("password_changed")
def change_password(who: Who, old: str, new: str) -> str:
    """Change the password if the old one is right, and end all sessions; returns a new token."""
    adult_id, login, name = with_password(who, old)
    passwords.check(new, login, name)
    sign_in.set_password(adult_id, new, "password_changed")
    with write_unit():
        return sessions.start(who.device, adult_id=adult_id)


def with_password(who: Who, password: str) -> tuple[int, str, str]:
    """Check the password of the adult who is signed in; returns the adult's id, login and name.
    Raises Refused: wrong_password, login_wait."""
    row = existing(Adult, who.adult_id or 0)
    adult_id, login, name, hashed = row.id, row.login, row.name, row.password_hash
    tried = budgets.login(login, who.device, adult_id)
    budgets.may_try_login(tried)
    if not passwords.fits(password, hashed):
        budgets.wrong_login(tried)
        raise Refused("wrong_password")
    return adult_id, login, name


@security_log.refusals("account_changed")
def change_names(who: Who, name: str, login: str, password: str) -> None:
    """Change the adult's name and login if the password is right. Raises Refused: wrong_password,
    login_wait, adult_name, login, login_taken."""
    name = names.tidy(name)
    check_names(name, login)
    adult_id, own, _ = with_password(who, password)
    with write_unit():
        check_free(login, own)
        row = db.session.get_one(Adult, adult_id)
        row.name, row.login = name, sign_in.tidy_login(login)
        audit.record(adult_id, "change", "adult", adult_id)
        security_log.note("account_changed", adult_id=adult_id)


@security_log.refusals("adult_in")
def password_again(who: Who, password: str) -> str:
    """Renew the session; returns the new token. Raises Refused: wrong_password, login_wait."""
    adult_id, _, _ = with_password(who, password)
    with write_unit():
        return sessions.rotate(who.session_id, who.device, adult_id=adult_id)


def speak(adult_id: int, language: str) -> None:
    """Show the adult's pages in this language from now on, in every browser."""
    with write_unit():
        existing(Adult, adult_id).language = language


def login_of(adult_id: int) -> str:
    """The login of this adult. Raises NotFound."""
    return existing(Adult, adult_id).login


def adult_record(adult_id: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield an adult's data, table by table: the columns in `columns()`. Raises NotFound."""
    existing(Adult, adult_id)
    for name, purposes in columns().items():
        table = Base.metadata.tables[name]
        whose = table.c.id if name == "adults" else table.c.adult_id
        found = select(*(table.c[key] for key in purposes)).where(whose == adult_id)
        rows = db.session.execute(found.order_by(*table.primary_key))
        yield name, [dict(row._mapping) for row in rows]


def columns() -> dict[str, dict[str, str]]:
    """The columns of an adult's record and the purpose of each, by table. Columns that only the
    server may see are left out."""
    found = {}
    for model in _TABLES:
        lines = privacy.REGISTER[model.__tablename__].columns.items()
        shown = {key: line.purpose for key, line in lines if line.seen_by != privacy.SERVER}
        found[model.__tablename__] = shown
    return found


# ---- codes on paper


@contextmanager
def trying(kind: str, device: str) -> Iterator[None]:
    """Raise Refused("code_wait") if no code of this kind may be tried on this device now. If the
    block raises Refused, count a wrong code."""
    budgets.may_try_code(kind, device)
    try:
        yield
    except Refused:
        budgets.wrong_code(kind, device)
        raise


def usable(model: type[Code]) -> Select[Code]:
    """A SELECT of the codes that can still be used."""
    return select(model).where(model.used_at.is_(None), model.ends_at > clock.now())


def good_code(wanted: Select[Code], name: str) -> Code:
    """The code that this SELECT finds. Raises Refused if the code does not work: `name`_unknown,
    `name`_used, `name`_ended. Somebody who types a code that once worked has read it on paper, so
    telling them that it was used or has ended reveals nothing."""
    row: Code | None = db.session.scalar(wanted)
    if row is None:
        raise Refused(name + "_unknown")
    if row.used_at is not None:
        raise Refused(name + "_used")
    if row.ends_at <= clock.now():
        raise Refused(name + "_ended")
    return row


# ---- A forgotten password: a code on paper with which an adult sets a new password
#
# A code is shown once and stored only as a keyed hash. It works once, within three days, and only
# until a newer code is made for the same adult.

RESET_DAYS: Final = 3
RESET: Final = "reset_password"  # the kind of code, for hashes and for counts of wrong codes


def make_reset_code(adult_id: int, by: int | None) -> str:
    """Make a code for this adult and return it in groups of four characters. An earlier code stops
    working. Raises NotFound. Anybody with the code can take over the account, so the caller must
    check who gets it."""
    (code, code_hash), now = secrets_.paper_code(RESET), clock.now()
    with write_unit():
        existing(Adult, adult_id)
        _end_open(adult_id)
        ends = now + RESET_DAYS * clock.SECONDS_A_DAY
        row = PasswordReset(adult_id=adult_id, code_hash=code_hash, created_at=now, ends_at=ends)
        db.session.add(row)
        audit.record(by, "reset_code", "adult", adult_id)
        security_log.note("reset_code_made", adult_id=adult_id)
    return code


def make_reset_code_for(login: str) -> str:
    """Make a code for the adult with this login, for the command line. Raises NotFound("login")."""
    found = db.session.scalar(select(Adult.id).where(Adult.login == sign_in.tidy_login(login)))
    if found is None:
        raise NotFound("login")
    return make_reset_code(found, by=None)


@security_log.refusals("password_reset")
def reset_password(code: str, new: str, device: str = "", session_id: int | None = None) -> str:
    """Set the password of the adult with this code, end all their sessions and start a new one;
    returns the token of the new session. `device`: the browser. Raises Refused: code_wait,
    reset_unknown, reset_used, reset_ended, slow_down, password_*. The code is checked first, so
    no one without a code learns anything. If the new password is refused, the code stays valid."""
    wanted = select(PasswordReset).where(PasswordReset.code_hash == secrets_.code_hash(RESET, code))
    with trying(RESET, device):
        row = good_code(wanted, "reset")
    adult = db.session.get_one(Adult, row.adult_id)
    passwords.check(new, adult.login, adult.name)
    adult_id, hashed = adult.id, passwords.hash_of(new)
    with write_unit():
        row = good_code(hold(wanted), "reset")  # it may have been used or ended in the meantime
        tombstones.note_code(row)
        row.used_at = clock.now()
        sign_in.replace_password(adult_id, hashed, "password_reset")
        return sign_in.enter(adult_id, device, session_id)


def cancel_reset(adult_id: int, by: int | None) -> None:
    """Cancel this adult's open code. Raises NotFound if there is none."""
    with write_unit():
        if not _end_open(adult_id):
            raise NotFound("code")
        audit.record(by, "cancel_reset_code", "adult", adult_id)
        security_log.note("reset_code_cancelled", adult_id=adult_id)


def open_resets(adults: Collection[int]) -> dict[int, PasswordReset]:
    """The open codes of these adults, by adult; adults without a code are left out."""
    rows = db.session.scalars(usable(PasswordReset).where(PasswordReset.adult_id.in_(adults)))
    return {row.adult_id: row for row in rows}


def _end_open(adult_id: int) -> bool:
    mine = usable(PasswordReset).where(PasswordReset.adult_id == adult_id)
    rows = db.session.scalars(mine).all()
    for row in rows:
        tombstones.note_code(row)
        row.ends_at = clock.now()
    return bool(rows)


# ---- The first visit: only someone with the one-time code from the console can set up the school
#
# There is no default account and no default password. The code is derived from the installation's
# key and the number of schools set up with that key, so every process knows the same code. It is
# valid only until the school exists.

LOGIN_SHORTEST = 3
LOGIN_LONGEST = 80


def is_set_up() -> bool:
    return is_there(select(School.id))


def first_code() -> str:
    """The code to type on the set-up page: 40 bits, in two groups of four characters."""
    code = secrets_.signed_code("set-up code", *filter(None, [tombstones.set_ups()]))
    return f"{code[:4]}-{code[4:]}"


@security_log.refusals("school_made")
def make_school(
    code: str, school_name: str, name: str, login: str, password: str, device: str = ""
) -> int:
    """Make the school and its first administrator; returns the adult's id. `device`: the browser.
    Raises Refused: already_set_up, code_wait, wrong_code, school_name, slow_down, and the errors
    of `check_account` and `add_adult`."""
    school_name, name = names.tidy(school_name), names.tidy(name)
    if is_set_up():
        raise NotNow("already_set_up")
    typed = "".join(letter for letter in code.upper() if letter in secrets_.CODE_LETTERS)
    with trying("setup", device):
        if not secrets_.same(typed, first_code().replace("-", "")):
            raise Refused("wrong_code")
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
    """Check a name, login and password. Errors: see `check_names` and `passwords.check`."""
    check_names(name, login)
    passwords.check(password, login, name, *guessable)


def check_names(name: str, login: str) -> None:
    """Check the length of a name and of a login. Raises Refused: adult_name, login."""
    if not 1 <= len(name) <= ADULT_NAME:
        raise Refused("adult_name")
    if len(sign_in.tidy_login(login)) < LOGIN_SHORTEST or len(login.strip()) > LOGIN_LONGEST:
        raise Refused("login")


def check_free(login: str, own: str = "") -> None:
    """Raise Refused("login_taken") if another account has a login that looks like this one, so that
    no one can pass for someone else. `own`: the adult's present login, which is not compared."""
    taken = select(Adult.login).where(Adult.login != own)
    if names.is_like_one_of(sign_in.tidy_login(login), db.session.scalars(taken)):
        raise Refused("login_taken")


def add_adult(
    school_id: int, role: str, name: str, login: str, hashed: str, ends_at: float | None = None
) -> int:
    """Add an account; returns its id. `ends_at`: when a substitute's account closes. Call it within
    a write unit. Raises the errors of `check_free` and `limits.check`."""
    login = sign_in.tidy_login(login)
    check_free(login)
    limits.check("adults")
    row = Adult(
        school_id=school_id, role=role, login=login, name=name, password_hash=hashed,
        created_at=clock.now(), ends_at=ends_at,
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    security_log.note("account_made", adult_id=row.id, school_id=school_id)
    return row.id
