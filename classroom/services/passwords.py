"""Passwords of adults: argon2id, and what is too easy to guess (NIST SP 800-63B, ASVS 6.2).

Hashing is slow on purpose, so one password is hashed at a time and few wait: whoever sends many
costs one core at most, and never holds all the threads that make pages.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from classroom.services.errors import Refused

SHORTEST: Final = 15
LONGEST: Final = 256
WAITING: Final = 2  # passwords that may wait while one is hashed: a page thread stays free
BUSY_SECONDS: Final = 2.0  # after which to try again where none may wait any more
_ROWS: Final = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "yxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
)
_RUNS: Final = tuple(row[::way] for row in _ROWS for way in (1, -1))
_RUN: Final = 4  # letters of a row that count as a run
# The words long passwords of leaked lists are put together from.
_COMMON: Final = (
    "password passwort passw0rd letmein welcome iloveyou sunshine princess football baseball "
    "dragon monkey shadow master superman batman michael charlie jordan qwerty admin login secret "
    "teacher student school classroom class fishschool fish gofish goodmorning summer winter "
    "spring autumn changeme default trustno1 whatever freedom starwars computer internet love "
    "mylove forever jesus god family mother father the you are my and is this i a me"
).split()

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
_nobody: str | None = None
_turn = threading.Lock()
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
    with _one_at_a_time():
        return _hasher.hash(tidy(password))


def fits(password: str, hashed: str | None) -> bool:
    """Whether it is the password; takes as long for a login nobody has (`hashed` None).

    Raises Refused("slow_down") while too many wait, whoever asks.
    """
    global _nobody
    with _one_at_a_time():
        _nobody = _nobody or _hasher.hash("nobody")
        try:
            return _hasher.verify(hashed or _nobody, tidy(password)[:LONGEST]) and bool(hashed)
        except (VerificationError, InvalidHashError):
            return False


def renewed(password: str, hashed: str) -> str | None:
    """A new hash where this one was made at another cost, None where it can stay."""
    return hash_of(password) if _hasher.check_needs_rehash(hashed) else None


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """One hash at a time; others wait for it, and those for whom no place is left are refused."""
    if not _places.acquire(blocking=False):
        raise Refused("slow_down", wait=BUSY_SECONDS)
    try:
        with _turn:
            yield
    finally:
        _places.release()


def check(password: str, *known: str) -> None:
    """Raises Refused: password_short, password_long or password_easy. No rule about characters.

    `known`: login and names, which may not be all that a password consists of.
    """
    password = tidy(password)
    if len(password) < SHORTEST:
        raise Refused("password_short", shortest=SHORTEST)
    if len(password) > LONGEST:
        raise Refused("password_long", longest=LONGEST)
    if _easy(password.casefold(), known):
        raise Refused("password_easy")


def _easy(password: str, known: tuple[str, ...]) -> bool:
    """Whether fewer than four letters are left without runs, common words, names and digits."""
    letters = re.sub(r"[\W_]+", "", password)
    if len(set(letters)) < 5 or _repeats(letters):
        return True
    names = [word for text in known for word in re.split(r"[\W_]+", text.casefold())]
    guessed = {word for word in names if len(word) > 1} | {w for w in _COMMON if len(w) > 2}
    rest = letters
    for word in sorted(guessed, key=len, reverse=True):
        rest = rest.replace(word, "")
    return len(re.sub(r"\d+", "", _without_runs(rest))) < 4


def _without_runs(letters: str) -> str:
    """What is left when pieces of the alphabet and of keyboard rows are taken out."""
    kept, at = "", 0
    while at < len(letters):
        length = max(_run_at(letters, at, run) for run in _RUNS)
        kept += "" if length >= _RUN else letters[at]
        at += length if length >= _RUN else 1
    return kept


def _run_at(letters: str, at: int, run: str) -> int:
    start, length = run.find(letters[at : at + _RUN]), 0
    while start >= 0 and letters[at : at + length + 1] == run[start : start + length + 1]:
        length += 1
        if at + length >= len(letters) or start + length >= len(run):
            break
    return length


def _repeats(letters: str) -> bool:
    """One short piece again and again."""
    return any(letters == (letters[:n] * len(letters))[: len(letters)] for n in range(1, 7))
