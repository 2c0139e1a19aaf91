"""How often the voice asks a child to tell how it knew, after a catch or a book of its own.

Telling how one found something out helps to remember it. The child answers whoever sits beside it,
or nobody: nothing waits for an answer, and nothing is written down.
"""

from __future__ import annotations

from typing import Final, Literal

from classroom.database import db, write_unit
from classroom.models import ClassSettings
from classroom.services.base import audit, class_settings, versions
from classroom.services.base.errors import Refused

Often = Literal["never", "now", "often"]

EVERY: Final[dict[Often, int]] = {"never": 0, "now": 4, "often": 2}
"""By choice: the voice asks at one in this many good moments; 0: at none."""
OFTEN: Final[tuple[Often, ...]] = tuple(EVERY)
USUAL: Final[Often] = "now"  # the default until the teacher chooses


def of_class(class_id: int) -> Often:
    """How often children of this class are asked."""
    row = db.session.get(ClassSettings, class_id)
    return known(row.talk if row else None)


def known(key: str | None) -> Often:
    """A stored choice; the default for none, and for one that this version does not have."""
    return next((one for one in OFTEN if one == key), USUAL)


def choose(class_id: int, often: str, by: int | None = None, version: str = "") -> None:
    """Set how often children of this class are asked. Raises Refused("talk"), NotFound, Changed."""
    if often not in OFTEN:
        raise Refused("talk")
    with write_unit():
        row = class_settings.changed_by(by, class_id)
        versions.check(version, of_class(class_id))
        row.talk = often
        audit.record(by, "settings", "class", class_id)
