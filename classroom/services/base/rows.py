"""Functions to look up, count and lock rows, and versions of values for optimistic locking."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, func, select

from classroom.database import Base, db, hold
from classroom.models import Child, ClassSettings, Moment, OwnGame, SchoolClass
from classroom.services.base import clock, secrets_
from classroom.services.base.errors import NotFound

Row = TypeVar("Row", bound=Base)
InClass = TypeVar("InClass", Child, Moment, OwnGame)


def existing(model: type[Row], row_id: int) -> Row:
    """The row with this id. Raises NotFound."""
    row = db.session.get(model, row_id)
    if row is None:
        raise NotFound(model.__tablename__)
    return row


def in_class(model: type[InClass], row_id: int, class_id: int) -> InClass:
    """The row with this id, if it belongs to this class. Raises NotFound."""
    row = existing(model, row_id)
    if row.class_id != class_id:
        raise NotFound(model.__tablename__)
    return row


def held(model: type[Row], row_id: int) -> Row:
    """The row as it is now, locked until this write unit commits. Raises NotFound."""
    row = db.session.get(model, row_id, with_for_update={"key_share": True})
    if row is None:
        raise NotFound(model.__tablename__)
    return row


def hold_children(which: ColumnElement[bool]) -> None:
    """Lock these children until the commit, so that a second tap waits, and so that other requests
    cannot seat or merge the children meanwhile."""
    db.session.execute(hold(select(Child.id).where(which).order_by(Child.id)))


def is_there(found: Select[Any]) -> bool:
    """Whether this SELECT finds a row."""
    return db.session.scalar(found.limit(1)) is not None


def count_rows(found: Select[int]) -> int:
    """The number of rows that this SELECT finds."""
    return db.session.scalar(select(func.count()).select_from(found.subquery())) or 0


def settings_to_change(adult_id: int | None, class_id: int) -> ClassSettings:
    """Lock the class and return its settings, for this adult to change in the current write unit.
    If the class has no settings yet, they are created. Raises NotFound."""
    held(SchoolClass, class_id)
    row = db.session.get(ClassSettings, class_id) or ClassSettings(class_id=class_id)
    row.set_by, row.set_at = adult_id, clock.now()
    db.session.add(row)
    return row


# ---- the version of the values in a form, so that a second save cannot silently undo the first
#
# This is optimistic locking. A version is a keyed digest of the stored values. It needs no column,
# and reveals nothing about the values. The form sends it back, and the service that saves the new
# values compares it under a lock (`held`), so that two saves at the same time cannot both succeed.


class Changed(Exception):
    """Somebody has changed the values since the form was shown. `now`: the values now in force."""

    def __init__(self, now: Any) -> None:
        super().__init__("changed")
        self.now = now


def version_of(values: object) -> str:
    """The version of these values, as 32 hexadecimal digits."""
    plain = json.dumps(values, default=_plain, sort_keys=True)
    return secrets_.sign("version", plain).hex()[:32]


def check_version(version: str, now: object) -> None:
    """Raise Changed if the stored values no longer have this version. Programs, and pages of an
    older release, send "" as the version; then nothing is compared."""
    if version and not secrets_.same(version_of(now), version):
        raise Changed(now)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return dict(value) if isinstance(value, Mapping) else sorted(value)
