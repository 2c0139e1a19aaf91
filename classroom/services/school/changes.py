"""A note of who joined or left a class, so that the change can be undone (undoing.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import insert, select

from classroom.database import db
from classroom.models import Child, YearChange, YearMove
from classroom.services.base import clock

YEAR: Final = "year"
LEFT, REMOVED, MERGED, LISTED = "left", "removed", "merged", "listed"


def note(
    school_id: int,
    what: str,
    by: int | None,
    ways: Mapping[int, tuple[int | None, int]],
    made: Sequence[int] = (),
    given: dict[str, Any] | None = None,
) -> None:
    """Note a change that can be undone, within a write unit. `ways`: the class before and after, by
    child; `made`: the classes that were made for it; `given`: as in YearChange."""
    change = YearChange(
        school_id=school_id,
        what=what,
        by=by,
        at=clock.now(),
        made=list(made),
        archived=[],
        ends={},
        given=given,
    )
    db.session.add(change)
    db.session.flush()
    children = db.session.scalars(select(Child).where(Child.id.in_(list(ways)))).all()
    moves = [
        {
            "change_id": change.id,
            "child_id": child.id,
            "from_class": ways[child.id][0],
            "to_class": ways[child.id][1],
            "name": child.name,
            "animal": child.animal,
            "pad": child.pad,
            "age_band": child.age_band,
            "new_card": False,
        }
        for child in children
    ]
    if moves:
        db.session.execute(insert(YearMove), moves)
