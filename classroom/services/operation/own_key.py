"""The key that belongs to a database: a server with another key would refuse every form and show
every child other pictures, so it does not start."""

from __future__ import annotations

from typing import Final

from classroom import advisory
from classroom.config import COMMAND
from classroom.database import db, write_unit
from classroom.models import Installation
from classroom.services.base import disk, secrets_
from classroom.services.base.errors import CannotStart

_ONLY: Final = 1  # the number of the one row
_OTHER: Final = (
    "The key in {} is not the one that this school was made with: copy the file key from the "
    "school's other server, or from where the backups are kept. Only if it is lost for good: "
    f"{COMMAND} newkey; then every child needs a new sign-in card."
)


def check() -> None:
    """Raise CannotStart unless this process has the key of its database. The first process that
    asks decides which key that is."""
    with write_unit():
        advisory.wait_for(db.session.connection(), advisory.UPGRADE)
        row, mine = db.session.get(Installation, _ONLY), _fingerprint()
        if row is None:
            db.session.add(Installation(id=_ONLY, key_print=mine))
        elif row.key_print != mine:
            raise CannotStart(_OTHER.format(disk.folder_of(db.engine)))


def replace() -> None:
    """Note that the key was replaced on purpose."""
    with write_unit():
        db.session.merge(Installation(id=_ONLY, key_print=_fingerprint()))


def _fingerprint() -> str:
    return secrets_.sign("fingerprint of the key").hex()
