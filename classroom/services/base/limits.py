"""How many classes, children, games and so on a school may hold.

A real school never comes near its limits; the demo school, which is open to strangers, has small
ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy import Select, func, select
from sqlalchemy.engine import Engine

from classroom.database import db
from classroom.models import Adult, Child, FamilyCode, Invitation, OwnGame, Round, SchoolClass
from classroom.services.base import clock
from classroom.services.base.errors import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that a school may hold of each thing. `codes`, `invitations`: valid ones;
    `rounds`: unfinished rounds, None for any number. `refusal`: the code of the refusal at a
    limit."""

    classes: int
    children: int
    adults: int
    own_games: int
    codes: int
    invitations: int
    rounds: int | None
    refusal: str


SCHOOL: Final = Limits(
    classes=500,
    children=10_000,
    adults=20_000,
    own_games=5_000,
    codes=10_000,
    invitations=500,
    rounds=None,
    refusal="school_full",
)
DEMO: Final = Limits(
    classes=5,
    children=60,
    adults=40,
    own_games=40,
    codes=40,
    invitations=20,
    rounds=1_000,
    refusal="demo_full",
)
DEMO_BYTES: Final = 64 * 2**20  # the demo database's largest size; a fresh one has 3 MB

_limits: WeakKeyDictionary[Engine, Limits] = WeakKeyDictionary()


def keep(engine: Engine, limits: Limits) -> None:
    """Set the limits of this database, which are SCHOOL by default."""
    _limits[engine] = limits


def check(what: str, more: int = 1) -> None:
    """Raises Refused (`school_full`, `demo_full`) unless there is room for `more` of `what`.

    `what`: a field of Limits. Call it in the write unit that adds them.
    """
    here = _limits.get(db.engine, SCHOOL)
    most: int | None = getattr(here, what)
    if most is not None and (db.session.scalar(_count(what)) or 0) + more > most:
        raise Refused(here.refusal, what=_WORDS[what], most=most)


_WORDS: Final = {
    "classes": "classes",
    "children": "children",
    "adults": "adults",
    "own_games": "class games",
    "codes": "unused family codes",
    "invitations": "unused invitations",
    "rounds": "rounds in progress",
}


def _count(what: str) -> Select[tuple[int]]:
    if what in ("codes", "invitations"):
        code = FamilyCode if what == "codes" else Invitation
        good = code.used_at.is_(None), code.ends_at > clock.now()
        return select(func.count(code.id)).where(*good)
    if what == "rounds":
        return select(func.count(Round.id)).where(Round.ended_at.is_(None))
    tables = {"classes": SchoolClass, "children": Child, "adults": Adult, "own_games": OwnGame}
    return select(func.count()).select_from(tables[what])
