"""The files that belong to a database. A server with another key would refuse every form and show
every child other pictures, and one without the list of what was removed could bring it back with a
backup: so neither starts."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from classroom.config import COMMAND
from classroom.database import UPGRADE, db, wait_for, write_unit
from classroom.models import Installation
from classroom.services.base import disk, secrets_, tombstones
from classroom.services.base.errors import CannotStart

_KEY, _LIST = 1, 2  # the numbers of the rows
_OTHER: Final = (
    "The key in {} is not the one that this school was made with: copy the file key from the "
    "school's other server, or from where the backups are kept. Only if it is lost for good: "
    f"{COMMAND} newkey; then every child needs a new sign-in card."
)
_NO_LIST: Final = (
    f"The list {{}} is missing: copy it back from where the backups are kept. Without it, "
    "children, accounts and links to parents that were removed since the backup are there again. "
    f"Only if it is lost for good: {COMMAND} restore --without-list"
)


def check() -> None:
    """Raise CannotStart unless this process has the key of its database. The first process that
    asks decides which key that is."""
    with write_unit():
        wait_for(db.session.connection(), UPGRADE)
        row, mine = db.session.get(Installation, _KEY), _fingerprint()
        if row is None:
            db.session.add(Installation(id=_KEY, key_print=mine))
        elif row.key_print != mine:
            raise CannotStart(_OTHER.format(disk.folder_of(db.engine)))


def replace() -> None:
    """Note that the key was replaced on purpose."""
    with write_unit():
        db.session.merge(Installation(id=_KEY, key_print=_fingerprint()))


def _fingerprint() -> str:
    return secrets_.sign("fingerprint of the key").hex()


def check_list(folder: Path) -> None:
    """Raise CannotStart if the list was begun and is missing; begin it if it was not.

    On PostgreSQL a school may have several machines, each with a list of its own.
    """
    with write_unit():
        wait_for(db.session.connection(), UPGRADE)
        begun = db.session.get(Installation, _LIST) is not None
        if not begun:
            db.session.add(Installation(id=_LIST, key_print=_fingerprint()))
    if begun and db.engine.dialect.name == "sqlite":
        require_list(folder)
    tombstones.begin(folder)


def require_list(folder: Path) -> None:
    """Raise CannotStart if there is no list in this folder."""
    if not tombstones.is_there(folder):
        raise CannotStart(_NO_LIST.format(folder / tombstones.NAME))
