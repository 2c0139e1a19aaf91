"""https without a web server in front: a certificate and its key, tested before the start."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from classroom.services.base import clock
from classroom.services.base.errors import CannotStart

NO_CHECK_TIME: Final = 0x200000  # OpenSSL flag; we check dates ourselves, to name them in messages
_CERTIFICATE: Final = b"-----BEGIN CERTIFICATE-----"
_KEY: Final = b"PRIVATE KEY-----"


class Https(NamedTuple):
    """The TLS context of a server, and when its certificate expires."""

    context: ssl.SSLContext
    until: datetime


def https(certificate: str, key: str) -> Https:
    """Set up TLS 1.2 or newer with these two files. Raises CannotStart with one sentence if they
    cannot be used."""
    found = _context(certificate, key)
    return Https(found, _good_until(found, certificate))


def _context(certificate: str, key: str) -> ssl.SSLContext:
    if not (certificate and key):
        raise CannotStart(
            "https needs two files: the certificate (--tls-cert) and its key (--tls-key)."
        )
    _look(Path(certificate), _CERTIFICATE, "certificate")
    _look(Path(key), _KEY, "private key")
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        found.load_cert_chain(certificate, key, lambda: _locked(key))
    except ssl.SSLError as error:
        raise CannotStart(_trouble(error, certificate, key)) from error
    return found


def _good_until(served: ssl.SSLContext, certificate: str) -> datetime:
    """Find out when the certificate expires. Raises CannotStart if browsers would refuse it: it is
    not valid now, or not for a web server."""
    try:
        shown = _rehearsed(served, certificate)
    except ssl.SSLError as error:
        why = getattr(error, "verify_message", "") or error.reason or "unknown"
        raise CannotStart(
            f"Browsers would refuse the certificate {certificate} ({why}): ask for one made for a "
            "web server, and put all certificates between it and its root in the file."
        ) from error
    begins, ends = (
        ssl.cert_time_to_seconds(str(shown[name])) for name in ("notBefore", "notAfter")
    )
    if clock.now() >= ends:
        raise CannotStart(f"The certificate {certificate} expired on {_day(ends)}: get a new one.")
    if clock.now() < begins:
        raise CannotStart(
            f"The certificate {certificate} is not valid before {_day(begins)}: wait, or correct "
            "this machine's clock."
        )
    return datetime.fromtimestamp(ends, tz=UTC)


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).astimezone().strftime("%Y-%m-%d")


def _look(file: Path, sign: bytes, what: str) -> None:
    try:
        text = file.read_bytes()
    except OSError as error:
        raise CannotStart(
            f"The file {file} cannot be read ({error.strerror}): the {what} must be there and "
            "readable by the user who starts the program."
        ) from error
    if sign not in text:
        raise CannotStart(
            f"The file {file} contains no {what} in PEM format (-----BEGIN ... -----)."
        )


def _locked(key: str) -> str:
    raise CannotStart(
        f"The key {key} is protected by a password, which no one can type at each start: store it "
        "without one, readable only by this user."
    )


def _trouble(error: ssl.SSLError, certificate: str, key: str) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return f"The key {key} does not belong to the certificate {certificate}."
    return f"The certificate {certificate} and the key {key} cannot be used: {error.reason}."


def _rehearsed(served: ssl.SSLContext, certificate: str) -> dict[str, object]:
    """Return the certificate as a browser that trusts it sees it, by a TLS handshake in memory."""
    browser = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    browser.check_hostname = False
    browser.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | NO_CHECK_TIME
    browser.load_verify_locations(certificate)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = browser.wrap_bio(back, there), served.wrap_bio(there, back, server_side=True)
    for _ in range(2):
        for side in sides:
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return dict(sides[0].getpeercert() or {})
