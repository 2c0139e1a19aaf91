"""The second factor at an adult's sign-in: an app that shows six digits, or a passkey."""

from __future__ import annotations

import base64
import json
import re
import secrets
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from weakref import WeakKeyDictionary

import pyotp
from sqlalchemy import delete, select
from sqlalchemy.engine import Engine

from classroom.database import db, write_unit
from classroom.models import Adult, SecondFactor
from classroom.services.base import audit, budgets, clock, names, secrets_, security_log, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import existing

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

# An app's secret is not stored: it is derived from the installation's key, the adult and a random
# word. The server knows only the public half of a passkey. Passkeys need https and a host name.

APP, KEY = "app", "key"
MOST_FACTORS: Final = 6  # the largest number for one adult
STEP: Final = 30  # seconds for which an app shows one code
SECRET_BYTES: Final = 20
SECONDS: Final = 300.0  # seconds to answer a challenge, or to take the second step of a sign-in
LONGEST_NAME: Final = 40
_WORD: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class NewApp:
    """What an adult needs to set up an app: the `secret` to type, or the URI to scan (`address`),
    which contains the secret. `word`: the random word from which the secret is derived."""

    word: str
    secret: str
    address: str


@dataclass(frozen=True, slots=True)
class Site:
    """The name and the origin of this server, to which a passkey is bound."""

    name: str
    origin: str


# ---- tickets: random names for values that the server keeps in memory for a few minutes
#
# A restart deletes them; people then begin the step again. Each database has its own tickets.

T = TypeVar("T")
MOST_TICKETS: Final = 1_000  # tickets of one kind; then each new ticket replaces the oldest


class Tickets(Generic[T]):
    """Remembers each value for SECONDS under a random ticket."""

    def __init__(self) -> None:
        self._schools: WeakKeyDictionary[Engine, dict[str, tuple[float, T]]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def give(self, value: T) -> str:
        """Remember a value; returns its ticket."""
        ticket = secrets_.token()
        with self._lock:
            here = self._here()
            here[ticket] = (clock.now() + SECONDS, value)
            while len(here) > MOST_TICKETS:
                del here[next(iter(here))]
        return ticket

    def look(self, ticket: str) -> T | None:
        """Return the value and keep it; None if the ticket is unknown or too old."""
        with self._lock:
            until, value = self._here().get(ticket, (0.0, None))
        return value if clock.now() < until else None

    def take(self, ticket: str) -> T | None:
        """Return the value and forget it; None if the ticket is unknown or too old."""
        value = self.look(ticket)
        with self._lock:
            gone = self._here().pop(ticket, None)
        return value if gone else None

    def _here(self) -> dict[str, tuple[float, T]]:
        return self._schools.setdefault(db.engine, {})


# ---- an adult's second factors

# the adult whose passkey must answer, and the bytes that the passkey has to sign
_challenges: Tickets[tuple[int, bytes]] = Tickets()


def of(adult_id: int, kind: str = "") -> tuple[SecondFactor, ...]:
    """An adult's second factors, or those of one kind, oldest first."""
    rows = select(SecondFactor).where(SecondFactor.adult_id == adult_id).order_by(SecondFactor.id)
    if kind:
        rows = rows.where(SecondFactor.kind == kind)
    return tuple(db.session.scalars(rows))


def kinds_of(adult_id: int) -> frozenset[str]:
    """The kinds of second factor that an adult has; empty if the password alone is enough."""
    kinds = select(SecondFactor.kind).where(SecondFactor.adult_id == adult_id)
    return frozenset(db.session.scalars(kinds))


def remove(adult_id: int, factor_id: int) -> None:
    """Remove one of the adult's own factors. Raises NotFound."""
    with write_unit():
        row = db.session.get(SecondFactor, factor_id)
        if row is None or row.adult_id != adult_id:
            raise NotFound("factor")
        tombstones.note_gone(row)
        db.session.delete(row)
        _changed(adult_id)


def remove_all(adult_id: int) -> None:
    """Remove all factors of an adult who has lost them. Call it within a write unit."""
    if rows := of(adult_id):
        for row in rows:
            tombstones.note_gone(row)
        db.session.execute(delete(SecondFactor).where(SecondFactor.adult_id == adult_id))
        _changed(adult_id)


# ---- an app


def begin_app(adult_id: int, word: str) -> NewApp:
    """Make a secret for a new app. The `word` from an earlier page gives the same secret again."""
    adult = existing(Adult, adult_id)
    word = word if _WORD.fullmatch(word) else secrets.token_hex(16)
    totp = _totp(adult_id, word)
    address = totp.provisioning_uri(name=adult.login, issuer_name="Fish School")
    return NewApp(word, totp.secret, address)


def add_app(adult_id: int, word: str, name: str, code: str) -> None:
    """Add an app that shows the right code. Raises Refused: factor_code, factors_full."""
    step = _step_of(_totp(adult_id, word), code, 0) if _WORD.fullmatch(word) else None
    if step is None:
        raise Refused("factor_code")
    _add(SecondFactor(kind=APP, word=word, last_step=step), adult_id, name)


def app_fits(adult_id: int, code: str) -> bool:
    """Whether one of the adult's apps shows this code now. Each code is accepted only once."""
    with write_unit():
        for row in of(adult_id, APP):
            step = _step_of(_totp(adult_id, row.word), code, row.last_step)
            if step is not None:
                row.last_step, row.last_at = step, clock.now()
                return True
    return False


def _totp(adult_id: int, word: str) -> pyotp.TOTP:
    found = secrets_.sign("second factor", adult_id, word)[:SECRET_BYTES]
    return pyotp.TOTP(base64.b32encode(found).decode(), interval=STEP)


def _step_of(totp: pyotp.TOTP, code: str, last: int) -> int | None:
    """The 30-second step in which an app shows this code; None if there is no such step. The step
    must be later than `last`, and at most one step from the present one, because clocks differ."""
    digits = "".join(sign for sign in code if sign.isdigit())
    now = int(clock.now() // STEP)
    shown = (step for step in (now, now - 1, now + 1) if step > last)
    return next((s for s in shown if secrets_.same(totp.generate_otp(s), digits)), None)


# ---- a passkey


def begin_key(adult_id: int, site: Site) -> tuple[str, str]:
    """A ticket, and the options (JSON) with which a browser makes a new passkey."""
    import webauthn
    from webauthn.helpers.structs import AuthenticatorSelectionCriteria, UserVerificationRequirement

    adult = db.session.get_one(Adult, adult_id)
    options = webauthn.generate_registration_options(
        rp_id=site.name,
        rp_name="Fish School",
        user_id=secrets_.sign("passkey", adult_id)[:32],
        user_name=adult.login,
        user_display_name=adult.name,
        exclude_credentials=_known(adult_id),
        authenticator_selection=AuthenticatorSelectionCriteria(
            user_verification=UserVerificationRequirement.PREFERRED
        ),
    )
    return _challenges.give((adult_id, options.challenge)), webauthn.options_to_json(options)


def add_key(adult_id: int, name: str, site: Site, ticket: str, answer: str) -> None:
    """Add the passkey that a browser has made. Raises Refused: factor_key, factors_full."""
    import webauthn

    whose, challenge = _challenges.take(ticket) or (0, b"")
    if whose != adult_id:
        raise Refused("factor_key")
    try:
        made = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
        )
    except _wrong() as error:
        raise Refused("factor_key") from error
    row = SecondFactor(
        kind=KEY,
        credential=webauthn.helpers.bytes_to_base64url(made.credential_id),
        public_key=webauthn.helpers.bytes_to_base64url(made.credential_public_key),
        last_step=made.sign_count,
    )
    _add(row, adult_id, name)


def ask_key(adult_id: int, site: Site) -> tuple[str, str]:
    """A ticket, and the options (JSON) with which a browser asks for one of the passkeys."""
    import webauthn

    options = webauthn.generate_authentication_options(
        rp_id=site.name, allow_credentials=_known(adult_id)
    )
    return _challenges.give((adult_id, options.challenge)), webauthn.options_to_json(options)


def key_fits(adult_id: int, site: Site, ticket: str, answer: str) -> bool:
    """Whether one of the adult's passkeys has signed the challenge; if so, records its use."""
    import webauthn

    whose, challenge = _challenges.take(ticket) or (0, b"")
    if whose != adult_id:
        return False
    with write_unit():
        try:
            credential = json.loads(answer)["id"]
        except (ValueError, TypeError, KeyError):
            return False
        row = next((one for one in of(adult_id, KEY) if one.credential == credential), None)
        if row is None:
            return False
        try:
            found = webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                credential_public_key=webauthn.base64url_to_bytes(row.public_key),
                credential_current_sign_count=row.last_step,
            )
        except _wrong():
            return False
        row.last_step, row.last_at = int(found.new_sign_count), clock.now()
        return True


def _known(adult_id: int) -> list[PublicKeyCredentialDescriptor]:
    import webauthn
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    return [
        PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(row.credential))
        for row in of(adult_id, KEY)
    ]


def _wrong() -> tuple[type[Exception], ...]:
    """The errors that the library raises for a response that is wrong or cannot be read."""
    from webauthn.helpers.exceptions import WebAuthnException

    return (WebAuthnException, ValueError)


# ---- both kinds


def _add(row: SecondFactor, adult_id: int, name: str) -> None:
    with write_unit():
        if len(of(adult_id)) >= MOST_FACTORS:
            raise Refused("factors_full", most=MOST_FACTORS)
        row.adult_id, row.name = adult_id, names.tidy(name)[:LONGEST_NAME]
        row.created_at = clock.now()
        db.session.add(row)
        _changed(adult_id)


def _changed(adult_id: int) -> None:
    audit.record(adult_id, "second_factor", "adult", adult_id)
    security_log.note("account_changed", adult_id=adult_id)


# ---- The second step of an adult's sign-in, after the right password: a code or a passkey
#
# Between the two steps there is no session. A ticket stands for the adult and the device on which
# the right password was typed. Wrong answers count like wrong passwords.


@dataclass(frozen=True, slots=True)
class PasswordRight:
    """An adult whose password was right. `tried`: the login and the device, for counting wrong
    answers; `renewed`: the password's new hash if the old hash is out of date."""

    adult_id: int
    tried: budgets.Login
    renewed: str | None


class SecondStep(Exception):
    """The password is right, and a second factor is needed: `step_answered` takes the `ticket`."""

    def __init__(self, ticket: str) -> None:
        super().__init__("second step")
        self.ticket = ticket


_waiting: Tickets[PasswordRight] = Tickets()


def begin_step(right: PasswordRight) -> None:
    """Raise SecondStep if this adult has a second factor."""
    if kinds_of(right.adult_id):
        raise SecondStep(_waiting.give(right))


def step_waits(ticket: str) -> PasswordRight:
    """The adult who has yet to take the second step. Raises Refused("second_late")."""
    found = _waiting.look(ticket)
    if found is None:
        raise Refused("second_late")
    return found


def step_answered(ticket: str, code: str, site: Site, challenge: str, signed: str) -> PasswordRight:
    """Check a `code` or, if `signed` is given, a passkey's response to the challenge whose ticket
    is `challenge`. Raises Refused: second_late, login_wait, second_wrong. Success ends `ticket`."""
    found = step_waits(ticket)
    budgets.may_try_login(found.tried)
    if signed:
        fits = key_fits(found.adult_id, site, challenge, signed)
    else:
        fits = app_fits(found.adult_id, code)
    if not fits:
        budgets.wrong_login(found.tried)
        raise Refused("second_wrong")
    _waiting.take(ticket)
    return found
