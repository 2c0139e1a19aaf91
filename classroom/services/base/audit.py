"""The audit log: who looked at or changed the data of children, classes and adults. Each row has a
seal, which also covers the seal on the row before it.

The seals are made with the installation's key, which is not in the database. So if somebody who can
write to the database or to a backup changes a row, or removes a row between two others, the seals
reveal it. They do not reveal that the oldest or newest rows are missing, or that the oldest
remaining row was changed.
"""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import dataclass
from typing import Final, TypeAlias
from weakref import WeakKeyDictionary

from sqlalchemy import insert, select, text
from sqlalchemy.engine import Engine

from classroom.database import AnyRow, db, write_unit
from classroom.models import AuditEntry
from classroom.services.base import clock, secrets_

START: Final = "0" * 64
NEW_KEY: Final = "new_key"
PIECE: Final = 2_000  # how many rows are checked at a time
_AUDIT_LOCK: Final = 7_346_001  # PostgreSQL advisory lock: only one process at a time may append

Sealed: TypeAlias = AuditEntry | AnyRow
_columns = AuditEntry.__table__.c
_ROWS = select(*_columns).order_by(_columns.id)  # without the ORM, which would take twice as long


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check. `whole`: the number of rows with a correct seal; `older`: the number
    of rows that this key cannot confirm; `wrong`: the id of the first row that was changed or that
    follows a missing row, None if there is no such row."""

    whole: int = 0
    older: int = 0
    wrong: int | None = None


def record(adult_id: int | None, action: str, thing: str, *thing_ids: int | None) -> None:
    """Append one row for each thing. Call this in the write unit that makes the recorded change. A
    row contains ids and fixed words only, never a name, a code or a card. `adult_id`: None if the
    installation acted by itself."""
    if db.engine.dialect.name == "postgresql":
        db.session.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _AUDIT_LOCK})
    last = db.session.scalar(select(AuditEntry.seal).order_by(AuditEntry.id.desc()).limit(1))
    before, rows = last or START, []
    what = {"at": clock.now(), "adult_id": adult_id, "action": action, "thing": thing}
    for thing_id in thing_ids:
        before = _seal(before, AuditEntry(**what, thing_id=thing_id))
        rows.append({**what, "thing_id": thing_id, "seal": before})
    db.session.flush()
    if rows:
        db.session.execute(insert(AuditEntry), rows)


def begin_with_a_new_key() -> None:
    """Record that the key was replaced, so that earlier rows can no longer be checked."""
    with write_unit():
        record(None, NEW_KEY, "school", None)


def verify() -> Checked:
    """Check every seal, oldest row first. The oldest rows may be gone (they are kept for a limited
    time), so the first remaining row is trusted. Rows from versions that sealed without a key, and
    rows from before the key was replaced, count as `older`."""
    check = Check()
    while not check.go_on():
        pass
    return check.found


class Check:
    """Checks every seal, some rows at a time. `found`: the result for the rows checked so far."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.found, self._last_id, self._before = Checked(), 0, ""

    def go_on(self, rows: int = PIECE) -> bool:
        """Check up to `rows` more rows; returns whether they were the last. If the row checked last
        has been deleted for its age in the meantime, the check starts again."""
        if self._last_id and db.session.get(AuditEntry, self._last_id) is None:
            self._begin()
        found = db.session.execute(_ROWS.where(_columns.id > self._last_id).limit(rows)).all()
        for row in found:
            self.found = _checked(self.found, self._before, row)
            self._last_id, self._before = row.id, row.seal
        return len(found) < rows


def _checked(found: Checked, before: str, row: Sealed) -> Checked:
    if not before or row.seal == _seal(before, row):
        if row.action == NEW_KEY:
            return Checked(whole=1, older=found.whole + found.older)
        return Checked(found.whole + 1, found.older, found.wrong)
    none_with_key = found.whole == 0 or (found.whole == 1 and found.older == 0)
    if none_with_key and row.seal == _seal_without_key(before, row):
        return Checked(0, found.older + found.whole + 1, found.wrong)
    return Checked(found.whole, found.older + 1, found.wrong or row.id)


def _seal(before: str, row: Sealed) -> str:
    return secrets_.sign("audit", *_sealed(before, row)).hex()


def _seal_without_key(before: str, row: Sealed) -> str:
    """The seal of a row as version 0.1 computed it."""
    return hashlib.sha256("|".join(str(part) for part in _sealed(before, row)).encode()).hexdigest()


def _sealed(before: str, row: Sealed) -> tuple[object, ...]:
    return (before, repr(row.at), row.adult_id, row.action, row.thing, row.thing_id)


# ---- Checking the seals of the audit log while the server runs: after the start, then once a day
#
# A hundred thousand rows take a second of processor time. That is too long to spend before the
# start or without a pause, so the background thread checks some rows at a time.

TAMPERED: Final = (
    "The audit log was tampered with: entry %s was changed, or one before it is missing. Compare "
    "it with a backup."
)

_log = logging.getLogger(__name__)
_found: WeakKeyDictionary[Engine, Checked] = WeakKeyDictionary()


def broken_seals() -> Checked | None:
    """The result of the latest complete check; None until the first check is complete."""
    return _found.get(db.engine)


def seals_in_words(seen: Checked) -> str:
    """The result of a check, in words for the operator."""
    if seen.wrong is not None:
        return TAMPERED % seen.wrong
    older = f" Too old to check with this key: {seen.older}." if seen.older else ""
    return f"The audit log is whole. Checked: {seen.whole}.{older}"


class SealWatch:
    """Checks all seals, some rows on each call, and starts again a day later."""

    def __init__(self) -> None:
        self._check: Check | None = None
        self._next_at = 0.0

    def go_on(self) -> None:
        """Check the next rows if a check is due. A wrong row is only logged; nothing is stopped."""
        if self._check is None:
            if time.monotonic() < self._next_at:
                return
            self._check = Check()
        over = self._check.go_on()
        db.session.rollback()
        if over:
            seen, self._check = self._check.found, None
            self._next_at = time.monotonic() + clock.SECONDS_A_DAY
            _found[db.engine] = seen
            if seen.wrong is not None:
                _log.warning(TAMPERED, seen.wrong)
