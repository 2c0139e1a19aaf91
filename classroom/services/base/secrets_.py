"""Random codes and tokens, and signatures with the installation's key.

The key is 32 random bytes in instance/ (mode 0600), outside the database. So nobody can work out a
child's pictures, or sign a form, from a stolen database alone.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy.engine import Engine

from classroom.config import COMMAND
from classroom.database import db
from classroom.services.base import clock, disk
from classroom.services.base.errors import CannotStart

KEY_BYTES: Final = 32
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without I, O, 0 and 1
PAPER_LETTERS: Final = 12
# Class codes. The first digit shows the length, so that the page knows when a code is complete.
FRESH_DIGITS: Final = 6
KEPT_DIGITS: Final = 8
KEPT_FIRST: Final = "9"
_NO_KEY: Final = (
    "{}, and all children's pictures follow from it: put it back from where the backups are kept. "
    f"Only if it is lost for good: {COMMAND} newkey; then every child needs a new sign-in card."
)
_OTHER_KEY: Final = (
    "Another key was put in place while the school was open: it was moved to {}, and the key of "
    "this school has been written again."
)

# The key for each database. The demo school in the same process has another key: with the same key,
# the demo school's public sign-in cards would reveal pictures used in the real school.
_keys: WeakKeyDictionary[Engine, bytes] = WeakKeyDictionary()


def key_in(folder: Path, name: str = "key", make: bool = True) -> bytes:
    """The key in this folder. `make`: create a key if there is no file. Raises CannotStart if there
    is no valid key. Never replaces an existing file: that would change every child's pictures."""
    path = folder / name
    if make and not path.exists():
        disk.make(path, secrets.token_hex(KEY_BYTES))
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except FileNotFoundError as error:
        raise CannotStart(_NO_KEY.format(f"The file {path} is missing")) from error
    except ValueError as error:
        raise CannotStart(_NO_KEY.format(f"The file {path} does not hold a key")) from error
    if len(key) != KEY_BYTES:
        raise CannotStart(_NO_KEY.format(f"The file {path} does not hold a whole key"))
    return key


def new_key(folder: Path, name: str = "key") -> Path | None:
    """Replace the key; returns the path to the old key, None if there was no key."""
    path, old = folder / name, None
    if path.exists():
        old = path.with_name(f"{name}.old-{clock.stamp()}")
        os.replace(path, old)
    disk.make(path, secrets.token_hex(KEY_BYTES))
    return old


def keep_key(engine: Engine, key: bytes) -> None:
    """Use this key for everything signed for this database."""
    _keys[engine] = key


def keep_in_place(folder: Path) -> str:
    """If the key file is missing or has other contents, write the key in use to it again, and keep
    the other file under a new name. Returns a sentence saying what was done, or else ""."""
    path, mine = folder / "key", _keys[db.engine].hex()
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        disk.make(path, mine)
        return "The key was deleted while the school was open; it has been written again."
    if path.read_bytes().strip() == mine.encode():
        return ""
    other = path.with_name(f"key.other-{clock.stamp()}")
    os.replace(path, other)
    disk.make(path, mine)
    return _OTHER_KEY.format(other)


def sign(*parts: object) -> bytes:
    """HMAC-SHA256 of the parts with our key. Different parts never make the same text to sign."""
    text = "".join(f"{len(str(part))}:{part}" for part in parts)
    return hmac.digest(_keys[db.engine], text.encode(), "sha256")


def token() -> str:
    """A random token of 256 bits for a cookie."""
    return secrets.token_urlsafe(32)


def device_name() -> str:
    """A random name of 128 bits for a browser."""
    return secrets.token_hex(16)


def hashed(secret: str) -> str:
    """The hash of a random secret, which the database keeps instead of the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def code(letters: int = 8) -> str:
    """A random code for an adult to type; each letter adds 5 bits."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(letters))


def signed_code(*parts: object) -> str:
    """A code of eight letters that is derived from the key and these parts."""
    return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in sign(*parts)[:8])


def paper_code(what: str) -> tuple[str, str]:
    """A random code in groups of four letters, and the hash to keep (see `code_hash`)."""
    new = code(PAPER_LETTERS)
    return "-".join(new[at : at + 4] for at in range(0, len(new), 4)), code_hash(what, new)


def code_hash(what: str, typed: str) -> str:
    """The keyed hash of a code on paper, which the database keeps instead of the code. Case, spaces
    and hyphens are ignored. `what`: the kind of code; a code of one kind never works as another."""
    return sign(what, "".join(mark for mark in typed.upper() if mark.isalnum())).hex()


def class_code(kept: bool = False) -> str:
    """A code to write on the board: six digits for one lesson, or eight digits to keep. The code
    alone lets nobody in: while the class is open, it leads to the sign-in pictures."""
    if kept:
        return KEPT_FIRST + _digits(KEPT_DIGITS - 1)
    while (code := _digits(FRESH_DIGITS)).startswith(KEPT_FIRST):
        pass
    return code


def _digits(number: int) -> str:
    return f"{secrets.randbelow(10**number):0{number}d}"


def same(left: str, right: str) -> bool:
    """Whether the two texts are equal; the comparison takes the same time wherever they differ."""
    return hmac.compare_digest(left.encode(), right.encode())
