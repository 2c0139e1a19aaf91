"""Tombstones: what a restored backup must not bring back, in a file beside the key.

Each line says that something has ended: a child or an account was removed, a child's pictures were
changed, a password was replaced. Lines hold numbers and fixed words only, no names. A line is on
the disk before the removal is acknowledged, and is crossed out if the removal fails.
`services/operation/restored.py` reads it.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path
from typing import Final

from classroom.condition import FULL, Unavailable
from classroom.database import condition_of, db, if_undone
from classroom.models import Adult, Child, SecondFactor
from classroom.services.base import disk

NAME: Final = "removed"
CROSSED_OUT: Final = b"-"  # a line that begins with it does not count
_LINE: Final = re.compile(
    r"(child|adult|factor) [0-9]+ \S+|pictures [0-9]+ \S+ [0-9]+|password [0-9]+ [0-9a-f]{64}"
)

_log = logging.getLogger(__name__)


def note_child(child: Child) -> None:
    """Note that a child is removed. Call this, like the others, in the same write unit."""
    _note("child", child.id, repr(child.created_at))


def note_adult(adult: Adult) -> None:
    """Note that an account is removed."""
    _note("adult", adult.id, repr(adult.created_at))


def note_pictures(child: Child) -> None:
    """Note that the pictures which the child had before its current ones are no longer valid."""
    _note("pictures", child.id, repr(child.created_at), child.pictures_version)


def note_password(adult: Adult) -> None:
    """Note that the account's current password is about to be replaced."""
    _note("password", adult.id, fingerprint(adult.password_hash))


def note_factor(row: SecondFactor) -> None:
    """Note that a second factor was taken away."""
    _note("factor", row.id, repr(row.created_at))


def fingerprint(password_hash: str) -> str:
    """A hash of the password's hash: the file must not hold the hash itself."""
    return hashlib.sha256(password_hash.encode()).hexdigest()


def lines(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield the tombstones in order: the kind, the id, and what else was noted."""
    path = folder / NAME
    if path.exists():
        for line in path.read_text(encoding="ascii", errors="replace").splitlines():
            if _LINE.fullmatch(line):
                yield tuple(line.split())
            elif line and not line.startswith(CROSSED_OUT.decode()):
                _log.warning("a line of the file %s cannot be read", NAME)


def _note(kind: str, *facts: object) -> None:
    folder = disk.folder_of(db.engine)
    if folder is None:
        return
    # Begin with a line break, so that a line torn by a power cut does not swallow this one.
    path, line = folder / NAME, "\n" + " ".join([kind, *map(str, facts)])
    try:
        at = disk.append(path, line.encode()) + 1
    except OSError as error:
        why = Unavailable(FULL if error.errno == ENOSPC else f"{path} cannot be written.")
        condition_of(db.engine).failed(why)
        raise why from error
    if_undone(lambda: disk.overwrite(path, at, CROSSED_OUT))
