"""The version of the values in a form, so that a second save cannot silently undo the first.

A version is a keyed digest of the values that the form shows: it needs no column, and says nothing
to anybody who cannot see them. It is checked at the start of the unit that writes, under a lock on
the child, class or school, so that two saves at the same time are handled one after the other.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select

from classroom.database import check_first, db, hold
from classroom.models import Child, ChildGroup, School, SchoolClass
from classroom.services.base import secrets_


class Changed(Exception):
    """The values that the form shows have been changed since it was made."""


def of(form: str, shown: object) -> str:
    """The version of these values in this form."""
    return secrets_.sign("version", form, shown).hex()[:32]


def demand(
    is_current: Callable[[], bool],
    *,
    school_id: int,
    class_id: int = 0,
    group_id: int = 0,
    child_id: int = 0,
) -> None:
    """Make this thread's next write unit raise Changed unless `is_current` returns True. It is
    called under a lock on the child if one is given, else on the class (or the group's), else on
    the school."""
    if child_id:
        locked = hold(select(Child.id).where(Child.id == child_id))
    elif group_id:
        of_group = select(ChildGroup.class_id).where(ChildGroup.id == group_id).scalar_subquery()
        locked = hold(select(SchoolClass.id).where(SchoolClass.id == of_group))
    elif class_id:
        locked = hold(select(SchoolClass.id).where(SchoolClass.id == class_id))
    else:
        locked = hold(select(School.id).where(School.id == school_id))

    def check() -> None:
        db.session.execute(locked)
        if not is_current():
            raise Changed()

    check_first(check)
