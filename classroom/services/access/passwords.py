"""Passwords of adults: argon2id, and what is too easy to guess (NIST SP 800-63B, ASVS 6.2).

Hashing is slow on purpose, so one password is hashed at a time and few wait: whoever sends many
costs one core at most, and never holds all the threads that make pages.
"""

from __future__ import annotations

import gzip
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from classroom.config import ROOT
from classroom.services.base.errors import Refused

T = TypeVar("T")

SHORTEST: Final = 15
LONGEST: Final = 256
WAITING: Final = 4  # passwords that may wait while one is hashed
BUSY_SECONDS: Final = 2.0  # after which to try again where none may wait any more
LOOKED_AT: Final = 48  # letters and digits that are judged; if these are hard to guess, all is
ENOUGH: Final = 10**10  # guesses: years of work against argon2id, for one account
FEW: Final = 8  # letters and digits; a password of signs is judged as it stands
DATA: Final = ROOT / "classroom" / "data"

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
_nobody: str | None = None
# One thread: each that ever hashed would keep the 19 MiB which that took.
_hashing = ThreadPoolExecutor(1, "hashing")
_places = threading.BoundedSemaphore(1 + WAITING)


def use(hasher: PasswordHasher) -> None:
    """Another cost; tests make it cheap."""
    global _hasher, _nobody
    _hasher, _nobody = hasher, None


def tidy(password: str) -> str:
    """The same password however a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password)


def hash_of(password: str) -> str:
    """What is kept of a password. Raises Refused("slow_down") while too many wait."""
    return _in_turn(lambda: _hasher.hash(tidy(password)))


def fits(password: str, hashed: str | None) -> bool:
    """Whether it is the password; takes as long for a login nobody has (`hashed` None).

    Raises Refused("slow_down") while too many wait, whoever asks.
    """
    return _in_turn(lambda: _fits(password, hashed))


def _fits(password: str, hashed: str | None) -> bool:
    global _nobody
    _nobody = _nobody or _hasher.hash("nobody")
    try:
        return _hasher.verify(hashed or _nobody, tidy(password)[:LONGEST]) and bool(hashed)
    except (VerificationError, InvalidHashError):
        return False


def renewed(password: str, hashed: str) -> str | None:
    """A new hash where this one was made at another cost, None where it can stay."""
    return hash_of(password) if _hasher.check_needs_rehash(hashed) else None


def _in_turn(work: Callable[[], T]) -> T:
    """Do this in the one thread that hashes, after those who came before. Others, for whom no place
    is left, are refused."""
    if not _places.acquire(blocking=False):
        raise Refused("slow_down", wait=BUSY_SECONDS)
    try:
        return _hashing.submit(work).result()
    finally:
        _places.release()


def check(password: str, *known: str) -> None:
    """Raises Refused: password_short, password_long or password_easy. No rule about characters.

    `known`: login and names, which a guesser tries first.
    """
    password = tidy(password)
    if len(password) < SHORTEST:
        raise Refused("password_short", shortest=SHORTEST)
    if len(password) > LONGEST:
        raise Refused("password_long", longest=LONGEST)
    if guesses(password, (*_about(known), *_public())) < ENOUGH:
        raise Refused("password_easy")


def guesses(password: str, known: Iterable[str] = ()) -> int:
    """How many guesses find it at most, as zxcvbn counts them, if the guesser tries `known` first.

    Only letters and digits count, also in `known`: a sign between words makes nothing hard.
    """
    from zxcvbn_rs_py import zxcvbn  # 9 MB of words, needed only where somebody chooses a password

    plain = _plain(password)
    judged = plain if len(plain) >= FEW else password
    return zxcvbn(judged[:LOOKED_AT], [*known]).guesses


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _about(known: Iterable[str]) -> Iterator[str]:
    """Names and logins, whole and word by word."""
    for text in known:
        words = [word for word in re.split(r"[\W_]+", text.casefold()) if len(word) > 1]
        yield from ("".join(words), *words)


@cache
def _public() -> tuple[str, ...]:
    """What everybody knows: sentences, and passwords that were leaked (classroom/data)."""
    phrases = (DATA / "phrases.txt").read_text(encoding="utf-8")
    leaked = gzip.decompress((DATA / "leaked.txt.gz").read_bytes()).decode()
    lines = (phrases + leaked).splitlines()
    return tuple(_plain(line) for line in lines if not line.startswith("#"))
