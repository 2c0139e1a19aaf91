"""How much a school may hold of what its people make. A school of its own never comes near its
limits; the demo school, where strangers may do as they like, has small ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy import Select, func, select
from sqlalchemy.engine import Engine

from classroom.database import db
from classroom.models import Adult, Child, FamilyCode, OwnGame, Round, SchoolClass
from classroom.services.base import clock
from classroom.services.base.errors import Refused


@dataclass(frozen=True, slots=True)
class Limits:
    """The most of each. `codes`: family codes that are good at once; `rounds`: that go on at once,
    None for any number. `refusal`: the code of the refusal where one is reached."""

    classes: int
    children: int
    adults: int
    own_games: int
    codes: int
    rounds: int | None
    refusal: str


SCHOOL: Final = Limits(500, 10_000, 20_000, 5_000, 10_000, None, "school_full")
DEMO: Final = Limits(5, 60, 40, 40, 40, 1_000, "demo_full")
DEMO_BYTES: Final = 64 * 2**20  # of the demo's database: a fresh one has two million

_limits: WeakKeyDictionary[Engine, Limits] = WeakKeyDictionary()


def keep(engine: Engine, limits: Limits) -> None:
    """From now on these are the limits of this database; without a word, those of a school."""
    _limits[engine] = limits


def check(what: str, more: int = 1) -> None:
    """Raises Refused (`school_full`, `demo_full`) unless there is room for so many more of `what`,
    a field of Limits. Call it in the write unit that adds them."""
    here = _limits.get(db.engine, SCHOOL)
    most: int | None = getattr(here, what)
    if most is not None and (db.session.scalar(_count(what)) or 0) + more > most:
        raise Refused(here.refusal, what=_WORDS[what], most=most)


_WORDS: Final = {
    "classes": "classes",
    "children": "children",
    "adults": "adults",
    "own_games": "games of its own",
    "codes": "family codes that are good",
    "rounds": "rounds that go on",
}


def _count(what: str) -> Select[tuple[int]]:
    if what == "codes":
        good = FamilyCode.used_at.is_(None), FamilyCode.ends_at > clock.now()
        return select(func.count(FamilyCode.id)).where(*good)
    if what == "rounds":
        return select(func.count(Round.id)).where(Round.ended_at.is_(None))
    tables = {"classes": SchoolClass, "children": Child, "adults": Adult, "own_games": OwnGame}
    return select(func.count()).select_from(tables[what])
