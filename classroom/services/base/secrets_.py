"""Random codes and tokens, and everything that follows from the installation's key.

The key is 32 random bytes in instance/ (mode 0600), apart from the database: a stolen database
alone tells no child's pictures and signs no form.
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

from classroom.database import db
from classroom.services.base import clock, disk
from classroom.services.base.errors import CannotStart

KEY_BYTES: Final = 32
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # nothing that looks like another
# Class codes. The first digit tells how long one is, so that the door knows when a child has typed
# all of it.
FRESH_DIGITS: Final = 6
KEPT_DIGITS: Final = 8
KEPT_FIRST: Final = "9"
_NO_KEY: Final = (
    "{}, and all children's pictures follow from it: put it back from where the backups are kept. "
    "Only if it is lost for good: python3 run.py newkey; then every child needs a new sign-in card."
)

# By database: the demo school in the same process has a key of its own, or its public sign-in
# cards would tell the pictures of the real school.
_keys: WeakKeyDictionary[Engine, bytes] = WeakKeyDictionary()


def key_in(folder: Path, name: str = "key", make: bool = True) -> bytes:
    """The key kept in this folder; made where there is none and `make` says so.

    Raises CannotStart for a file that holds no key, and where there is none. A key is never put in
    the place of another: every child's pictures would change.
    """
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
    """Make another key, whatever there is; returns where the old file was put."""
    path, old = folder / name, None
    if path.exists():
        old = path.with_name(f"{name}.old-{clock.stamp()}")
        os.replace(path, old)
    disk.make(path, secrets.token_hex(KEY_BYTES))
    return old


def keep_key(engine: Engine, key: bytes) -> None:
    """From now on what is signed for this database is signed with this key."""
    _keys[engine] = key


def keep_in_place(folder: Path, name: str = "key") -> bool:
    """Write the key that is in use once more where its file is gone; whether it was."""
    if (folder / name).exists():
        return False
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    disk.make(folder / name, _keys[db.engine].hex())
    return True


def sign(*parts: object) -> bytes:
    """HMAC-SHA256 of the parts under the installation's key; never equal for different parts."""
    text = "".join(f"{len(str(part))}:{part}" for part in parts)
    return hmac.digest(_keys[db.engine], text.encode(), "sha256")


def token() -> str:
    """256 random bits, for a cookie."""
    return secrets.token_urlsafe(32)


def device_name() -> str:
    """128 random bits, the name of a browser."""
    return secrets.token_hex(16)


def hashed(secret: str) -> str:
    """What the database keeps of a random secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def code(letters: int = 8) -> str:
    """A code to be typed by an adult; 5 bits a letter."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(letters))


def class_code(kept: bool = False) -> str:
    """A code for the board: six digits, good for a lesson; or eight that a class keeps. No secret
    of any child: it opens the door behind which the pictures are, and only while that is open."""
    if kept:
        return KEPT_FIRST + _digits(KEPT_DIGITS - 1)
    while (code := _digits(FRESH_DIGITS)).startswith(KEPT_FIRST):
        pass
    return code


def _digits(many: int) -> str:
    return f"{secrets.randbelow(10**many):0{many}d}"


def same(left: str, right: str) -> bool:
    """Equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(left.encode(), right.encode())
