"""How long things are kept: the school's own choice for each of privacy.PERIODS."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import School
from classroom.privacy import PERIODS
from classroom.services.base import audit, clock, versions
from classroom.services.base.errors import Refused
from classroom.services.base.rows import held


def days(school_id: int | None = None) -> dict[str, int]:
    """How many days each thing is kept in this school, by the key of its period.

    Without `school_id`: what the first school chose, for things that belong to the whole
    installation.
    """
    wanted = select(School).order_by(School.id).limit(1)
    school = db.session.scalar(
        wanted if school_id is None else wanted.where(School.id == school_id)
    )
    return {one.key: getattr(school, one.key) if school else one.days for one in PERIODS}


def before(period: str, school_id: int | None = None) -> float:
    """Now minus this period, in POSIX seconds: anything older has been kept long enough."""
    return clock.now() - days(school_id)[period] * clock.SECONDS_A_DAY


def choose(
    school_id: int, chosen: Mapping[str, int], by: int | None = None, version: str = ""
) -> None:
    """Set all periods. Raises Refused("period", key=...) for one out of its bounds, Changed."""
    for one in PERIODS:
        if not one.least <= chosen[one.key] <= one.most:
            raise Refused("period", key=one.key, least=one.least, most=one.most)
    with write_unit():
        school = held(School, school_id)
        versions.check(version, days(school_id))
        for one in PERIODS:
            setattr(school, one.key, chosen[one.key])
        audit.record(by, "keeping", "school", school_id)
