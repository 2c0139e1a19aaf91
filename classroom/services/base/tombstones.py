"""Tombstones: a list of changes that a restored backup must not undo, in a file beside the key.

Each line records one of these: a child, a class, an account, a second factor, a note on a child, a
voice or a child's answers were deleted; a child was merged into another; a child's pictures were
changed; a password was replaced; a parent was unlinked; a code was cancelled or used; somebody is
no longer an administrator or no longer teaches a class; a restriction on what is worked out about a
child began or ended. The first line records that the school was set up, so that a missing list is
noticed. Lines contain only numbers, hashes and fixed words, no names. A line is on the disk before
the change is acknowledged, and is crossed out if the change fails. `operation/restored.py` reads
the file.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterator, Mapping
from errno import ENOSPC
from pathlib import Path
from typing import Final, Literal

from classroom.condition import FULL, Unavailable
from classroom.database import condition_of, db, if_undone
from classroom.models import (
    Adult,
    Child,
    ChildNote,
    ClassTeacher,
    FamilyCode,
    FamilyLink,
    Invitation,
    PasswordReset,
    School,
    SchoolClass,
    SecondFactor,
    VoicePack,
)
from classroom.services.base import disk

NAME: Final = "removed"
Gone = Adult | Child | ChildNote | Invitation | SchoolClass | SecondFactor | VoicePack
AboutChild = Literal["merged", "restricted", "released", "erased", "pictures"]
_GONE: Final[Mapping[type, str]] = {
    Adult: "adult",
    Child: "child",
    ChildNote: "note",
    Invitation: "invitation",
    SchoolClass: "class",
    SecondFactor: "factor",
    VoicePack: "voice",
}
CROSSED_OUT: Final = b"-"  # a line that begins with this does not count
_LINE: Final = re.compile(
    r"(setup|child|note|adult|class|factor|invitation|role|voice) [0-9]+ \S+"
    r"|(pictures|link) [0-9]+ \S+ [0-9]+|merged [0-9]+ \S+ [0-9]+ \S+"
    r"|restricted [0-9]+ \S+ [a-z]+ [a-z]+ \S+|released [0-9]+ \S+ [a-z]+ \S+|erased [0-9]+ \S+ \S+"
    r"|(password|code|reset) [0-9]+ [0-9a-f]{64}|left [0-9]+ [0-9]+ \S+"
)

_log = logging.getLogger(__name__)


def begin(folder: Path) -> None:
    """Make an empty list if there is none."""
    disk.make(folder / NAME, "")


def is_there(folder: Path) -> bool:
    return (folder / NAME).exists()


def keep(folder: Path, known: bytes | None) -> bytes | None:
    """Write the list again if the file is missing or has become shorter. `known`: the contents on
    the last call, None if there was no list. Returns the current contents."""
    path = folder / NAME
    there = path.exists()
    if known is not None and there and path.stat().st_size == len(known):
        return known
    found = path.read_bytes() if there else None
    if known is None or (found is not None and len(found) >= len(known)):
        return found
    disk.append(path, known)
    _log.error("The list %s was cut while the school was open; it has been written again.", path)
    return (found or b"") + known


def note_set_up(school: School) -> None:
    """Note that the school was set up, so that its set-up code cannot be used again."""
    _note("setup", school.id, school.created_at)


def set_ups() -> int:
    """How many times a school was set up in this installation's folder."""
    folder = disk.folder_of(db.engine)
    return sum(line[0] == "setup" for line in lines(folder)) if folder else 0


def note_gone(row: Gone) -> None:
    """Note that this row is removed, or that this invitation can no longer be used. Call this, like
    the other functions here, in the write unit that makes the change."""
    _note(_GONE[type(row)], row.id, row.created_at)


def note_child(kind: AboutChild, child: Child, *facts: object) -> None:
    """Note a change to a child. The `facts` depend on the kind. "merged": the id and creation time
    of the other child. "restricted" (nothing may be worked out about the child): whose choice this
    is, the reason and the start. "released" (a restriction ended): whose choice it was, its start.
    "erased": the time up to which answers are erased. "pictures": the pictures' version."""
    _note(kind, child.id, child.created_at, *facts)


def note_password(adult: Adult) -> None:
    """Note that the account's current password is about to be replaced."""
    _note("password", adult.id, fingerprint(adult.password_hash))


def note_link(link: FamilyLink) -> None:
    """Note that a parent is no longer linked to a child."""
    _note("link", link.adult_id, link.created_at, link.child_id)


def note_code(code: FamilyCode | PasswordReset) -> None:
    """Note that a code for a family, or for a new password, can no longer be used."""
    kind = "code" if isinstance(code, FamilyCode) else "reset"
    _note(kind, code.id, fingerprint(code.code_hash))


def fingerprint(hashed: str) -> str:
    """A hash of the stored hash of a password or code: the file must not hold the stored hash."""
    return hashlib.sha256(hashed.encode()).hexdigest()


def note_role(adult: Adult) -> None:
    """Note that an administrator is about to become an ordinary teacher."""
    _note("role", adult.id, adult.role_since)


def note_left(teaching: ClassTeacher) -> None:
    """Note that an adult no longer teaches a class."""
    _note("left", teaching.class_id, teaching.adult_id, teaching.since)


def lines(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield the tombstones in order: the kind, the id, and the other facts."""
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
    # Begin with a line break, in case a power cut has left the line before it incomplete.
    path, line = folder / NAME, "\n" + " ".join([kind, *map(str, facts)])
    try:
        at = disk.append(path, line.encode()) + 1
    except OSError as error:
        why = Unavailable(FULL if error.errno == ENOSPC else f"{path} cannot be written.")
        condition_of(db.engine).failed(why)
        raise why from error
    if_undone(lambda: disk.overwrite(path, at, CROSSED_OUT))
