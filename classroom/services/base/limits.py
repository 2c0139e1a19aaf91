"""How many classes, children and games a school may have, and how long its data is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Select, func, select
from sqlalchemy.engine import Engine

from classroom.database import db, write_unit
from classroom.models import (
    Adult,
    Child,
    FamilyCode,
    Invitation,
    OwnGame,
    Round,
    School,
    SchoolClass,
)
from classroom.privacy import PERIODS
from classroom.services.base import audit, clock
from classroom.services.base.errors import Refused
from classroom.services.base.rows import check_version, held

# ---- How many classes, children, games and so on a school may have
#
# A real school never comes near its limits. The demo school, which is open to strangers, has small
# limits.


class Limits(NamedTuple):
    """How many of each thing a school may have (None: no limit), and the code of the refusal."""

    most: Mapping[str, int | None]
    refusal: str


# For each thing: its name in messages, the limit in a real school, the limit in the demo school.
_THINGS: Final[Mapping[str, tuple[str, int | None, int]]] = {
    "classes": ("classes", 500, 5),
    "children": ("children", 10_000, 60),
    "adults": ("adults", 20_000, 40),
    "own_games": ("class games", 5_000, 40),
    "codes": ("unused family codes", 10_000, 40),
    "invitations": ("unused invitations", 500, 20),
    "rounds": ("rounds in progress", None, 1_000),
}
WORDS: Final = {what: words for what, (words, _, _) in _THINGS.items()}
SCHOOL: Final = Limits({what: most for what, (_, most, _) in _THINGS.items()}, "school_full")
DEMO: Final = Limits({what: most for what, (_, _, most) in _THINGS.items()}, "demo_full")
DEMO_BYTES: Final = 64 * 2**20  # maximum size of the demo's database; a new one is below 2 MB

_limits: WeakKeyDictionary[Engine, Limits] = WeakKeyDictionary()


def use(engine: Engine, limits: Limits) -> None:
    """Set the limits for this database; the default is SCHOOL."""
    _limits[engine] = limits


def check(what: str, more: int = 1) -> None:
    """Check that there is room for `more` of `what`, which is a key of WORDS. Call this in the
    write unit that adds the things. Raises Refused (`school_full`, `demo_full`)."""
    here = _limits.get(db.engine, SCHOOL)
    most = here.most[what]
    if most is not None and (db.session.scalar(_count(what)) or 0) + more > most:
        raise Refused(here.refusal, what=WORDS[what], most=most)


def _count(what: str) -> Select[int]:
    if what in ("codes", "invitations"):
        code = FamilyCode if what == "codes" else Invitation
        good = code.used_at.is_(None), code.ends_at > clock.now()
        return select(func.count(code.id)).where(*good)
    if what == "rounds":
        return select(func.count(Round.id)).where(Round.ended_at.is_(None))
    tables = {"classes": SchoolClass, "children": Child, "adults": Adult, "own_games": OwnGame}
    return select(func.count()).select_from(tables[what])


# ---- How long data is kept: the school chooses a time for each of privacy.PERIODS


def days_kept() -> dict[str, int]:
    """How many days the school keeps each kind of data, by the key of its period."""
    school = db.session.scalar(select(School).order_by(School.id))  # there is only one
    return {one.key: getattr(school, one.key) if school else one.days for one in PERIODS}


def kept_since(period: str) -> float:
    """Now minus this period, in POSIX seconds. Data from before then has been kept long enough."""
    return clock.now() - days_kept()[period] * clock.SECONDS_A_DAY


def choose_days(
    school_id: int, chosen: Mapping[str, int], by: int | None = None, version: str = ""
) -> None:
    """Set all periods. Raises Refused("period", key=...) for a value out of bounds, or Changed."""
    for one in PERIODS:
        if not one.least <= chosen[one.key] <= one.most:
            raise Refused("period", key=one.key, least=one.least, most=one.most)
    with write_unit():
        school = held(School, school_id)
        check_version(version, days_kept())
        for one in PERIODS:
            setattr(school, one.key, chosen[one.key])
        audit.record(by, "keeping", "school", school_id)
