"""The children about whom nothing is worked out: they play and their rounds are counted as usual,
but no evidence is written, and what was written before is not used.

services/school/objections.py begins and ends this. Whatever reads evidence leaves these children
out by `HELD`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, bindparam, select

from classroom.database import db, run
from classroom.models import Restriction

_held = Restriction.__table__.c
HELD: Final[Select[tuple[int]]] = select(_held.child_id)
_ONE: Final = select(_held.child_id).where(_held.child_id == bindparam("child")).limit(1)


@dataclass(frozen=True, slots=True)
class Held:
    """One wish that nothing be worked out about a child: whose it is ("family" or "school"), why,
    and since when."""

    whose: str
    reason: str
    since: float


def is_held(child_id: int) -> bool:
    """Whether nothing may be worked out about this child."""
    return run(_ONE, {"child": child_id}).first() is not None


def of(child_id: int) -> tuple[Held, ...]:
    """The wishes because of which nothing is worked out about this child; empty if there are
    none."""
    return among([child_id]).get(child_id, ())


def among(children: Collection[int]) -> dict[int, tuple[Held, ...]]:
    """The children among these about whom nothing is worked out, with the wishes behind it."""
    rows = db.session.scalars(
        select(Restriction).where(Restriction.child_id.in_(children)).order_by(Restriction.since)
    )
    found: dict[int, tuple[Held, ...]] = {}
    for row in rows:
        one = Held(row.whose, row.reason, row.since)
        found[row.child_id] = (*found.get(row.child_id, ()), one)
    return found
