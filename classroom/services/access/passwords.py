"""Adults' passwords: hashed with argon2id, and not too easy to guess (NIST SP 800-63B, ASVS 6.2).

Hashing is slow on purpose, so only one password is hashed at a time, and only a few may wait. A
client that sends many passwords uses at most one core and never blocks all threads serving pages.
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

from classroom.config import PACKAGE
from classroom.services.base.errors import Refused

T = TypeVar("T")

SHORTEST: Final = 15
LONGEST: Final = 256
WAITING: Final = 4  # passwords that may wait while one is hashed
BUSY_SECONDS: Final = 2.0  # seconds after which a browser should retry when the queue is full
JUDGED: Final = 48  # characters judged; if the first 48 are hard to guess, so is the whole password
ENOUGH: Final = 10**10  # the guesses a password must withstand; with argon2id they take years
FEW: Final = 8  # with fewer letters and digits than this, punctuation is judged too
DATA: Final = PACKAGE / "data"

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
_dummy: str | None = None
# There is one thread only, because every thread that has hashed keeps the 19 MiB it needed.
_hashing = ThreadPoolExecutor(1, "hashing")
_places = threading.BoundedSemaphore(1 + WAITING)


def use(hasher: PasswordHasher) -> None:
    """Use this hasher, which sets the cost of hashing. Tests use a cheap hasher."""
    global _hasher, _dummy
    _hasher, _dummy = hasher, None


def tidy(password: str) -> str:
    """The password in a standard Unicode form, so that all keyboards give the same text."""
    return unicodedata.normalize("NFKC", password)


def hash_of(password: str) -> str:
    """Hash a password for storage. Raises Refused("slow_down") while too many passwords wait."""
    return _in_turn(lambda: _hasher.hash(tidy(password)))


def fits(password: str, hashed: str | None) -> bool:
    """Whether the password is right. For an unknown login (`hashed` None) the check takes just as
    long. Raises Refused("slow_down") while too many passwords wait, even for an unknown login."""
    return _in_turn(lambda: _fits(password, hashed))


def _fits(password: str, hashed: str | None) -> bool:
    global _dummy
    _dummy = _dummy or _hasher.hash("nobody")
    try:
        return _hasher.verify(hashed or _dummy, tidy(password)[:LONGEST]) and bool(hashed)
    except (VerificationError, InvalidHashError):
        return False


def renewed(password: str, hashed: str) -> str | None:
    """The password's new hash if `hashed` was made with other cost settings, else None."""
    return hash_of(password) if _hasher.check_needs_rehash(hashed) else None


def _in_turn(work: Callable[[], T]) -> T:
    """Run `work` in the hashing thread. Raises Refused("slow_down") if too many passwords wait."""
    if not _places.acquire(blocking=False):
        raise Refused("slow_down", wait=BUSY_SECONDS)
    try:
        return _hashing.submit(work).result()
    finally:
        _places.release()


def check(password: str, *guessable: str) -> None:
    """Check a new password; any characters are allowed. `guessable`: the login and names, which a
    guesser tries first. Raises Refused: password_short, password_long, password_easy."""
    password = tidy(password)
    if len(password) < SHORTEST:
        raise Refused("password_short", shortest=SHORTEST)
    if len(password) > LONGEST:
        raise Refused("password_long", longest=LONGEST)
    if guesses(password, (*_words_of(guessable), *_public())) < ENOUGH:
        raise Refused("password_easy")


def guesses(password: str, guessable: Iterable[str] = ()) -> int:
    """Estimate with zxcvbn how many guesses it takes to find the password if the texts in
    `guessable` are tried first. Only letters and digits count: punctuation between words adds no
    strength, so `guessable` must contain none. With fewer than FEW of them, punctuation counts."""
    from zxcvbn_rs_py import zxcvbn  # 9 MB of words, needed only when someone chooses a password

    plain = _plain(password)
    judged = plain if len(plain) >= FEW else password
    return zxcvbn(judged[:JUDGED], [*guessable]).guesses


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _words_of(texts: Iterable[str]) -> Iterator[str]:
    """Each text as a whole, then each of its words, in lower case and without punctuation."""
    for text in texts:
        words = [word for word in re.split(r"[\W_]+", text.casefold()) if len(word) > 1]
        yield from ("".join(words), *words)


@cache
def _public() -> tuple[str, ...]:
    """Well-known phrases and leaked passwords (classroom/data)."""
    phrases = (DATA / "phrases.txt").read_text(encoding="utf-8")
    leaked = gzip.decompress((DATA / "leaked.txt.gz").read_bytes()).decode()
    lines = (phrases + leaked).splitlines()
    return tuple(_plain(line) for line in lines if not line.startswith("#"))
