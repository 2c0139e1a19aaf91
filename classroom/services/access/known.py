"""Asks which browsers the school knows, before a request is answered. It knows nobody while
the database cannot be asked."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from classroom.condition import Unavailable
from classroom.database import db
from classroom.models import KnownDevice
from classroom.services.access import sessions

# What a browser has of us at most: of the school and the demo school, over http and over https.
MOST: Final = 4
STAFF: Final = ("teacher", "admin")

Names = Collection[str]


def signed_in_or_seen(tokens: Names, devices: Names) -> frozenset[str]:
    """Those of these tokens that belong to a session, or else those of these devices on which
    somebody was signed in before."""
    with suppress(DBAPIError, Unavailable):
        found = frozenset(one for one in _few(tokens) if sessions.find(one) is not sessions.NOBODY)
        if found or not _few(devices):
            return found
        seen = select(KnownDevice.device).where(KnownDevice.device.in_(devices)).distinct()
        return frozenset(db.session.scalars(seen))
    return frozenset()


def staff(tokens: Names) -> frozenset[str]:
    """Those of these tokens that belong to the session of a teacher or an administrator."""
    with suppress(DBAPIError, Unavailable):
        return frozenset(one for one in _few(tokens) if sessions.find(one).kind in STAFF)
    return frozenset()


def _few(names: Names) -> Names:
    """These names; none of them if they are more than a browser has."""
    return names if len(names) <= MOST else ()
