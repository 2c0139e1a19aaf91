"""Play at home: when a class allows it, and whether what children do there counts.

The teacher sets hours of the school's local day, and may set others for weekends. A round that was
begun at home is marked, and stays apart from those of lessons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, or_, select

from classroom.database import db
from classroom.models import Child, Match, Round, SchoolClass
from classroom.services.base import clock
from classroom.services.base.rows import existing

EARLIEST: Final = 6 * 60  # minutes of the local day, as are all hours here
LATEST: Final = 21 * 60
STEP: Final = 30  # hours begin and end at the full or the half hour
CLOCK_TIMES: Final = tuple(range(EARLIEST, LATEST + 1, STEP))
WEEKENDS: Final = ("same", "other", "none")  # hours as on other days, hours of their own, no play
SATURDAY: Final = 5

_counting = (
    select(Child.id)
    .join(SchoolClass, SchoolClass.id == Child.class_id)
    .where(SchoolClass.home_counts)
)


@dataclass(frozen=True, slots=True)
class Hours:
    """When the children of a class may play at home. `on`: whether they may play there at all.
    `weekend`: one of WEEKENDS, for Saturdays and Sundays."""

    on: bool = False
    first: int = 15 * 60
    last: int = 19 * 60
    weekend: str = "same"
    weekend_first: int = 10 * 60
    weekend_last: int = 19 * 60

    @property
    def today(self) -> tuple[int, int]:
        """The minutes of the day at which today's hours begin and end."""
        return self._on_day(clock.now())

    def are_now(self, late: float = 0.0) -> bool:
        """Whether the time now, or `late` seconds ago, is within these hours."""
        now = clock.now()
        return self.on and (self._hold(now) or self._hold(now - late))

    def end(self) -> float:
        """When today's hours end, in POSIX seconds."""
        now = clock.now()
        local = clock.local(now)
        gone = 60 * _minute(now) + local.second + local.microsecond / 1e6
        return now - gone + 60 * self.today[1]

    def _hold(self, at: float) -> bool:
        first, last = self._on_day(at)
        return first <= _minute(at) < last

    def _on_day(self, at: float) -> tuple[int, int]:
        if self.weekend == "same" or clock.local(at).weekday() < SATURDAY:
            return self.first, self.last
        return (self.weekend_first, self.weekend_last) if self.weekend == "other" else (0, 0)


def _minute(at: float) -> int:
    local = clock.local(at)
    return local.hour * 60 + local.minute


def hours_of(room: Any) -> Hours:
    """The hours of a class, from its row or from columns with the same names; never on for an
    archived class."""
    return Hours(
        room.home_on and room.archived_at is None,
        *(room.home_from, room.home_until, room.home_weekend),
        *(room.home_weekend_from, room.home_weekend_until),
    )


def hours_for(child_id: int) -> Hours:
    """When this child may play at home. Raises NotFound."""
    return hours_of(existing(Child, child_id).school_class)


def is_at_home(round_id: int) -> bool:
    """Whether this round is played at home."""
    found = select(Match.at_home).join(Round, Round.match_id == Match.id)
    return bool(db.session.scalar(found.where(Round.id == round_id)))


def in_numbers(columns: Any) -> ColumnElement[bool]:
    """The condition for rows that a class's numbers include. `columns`: those of a table that has
    `child_id` and `at_home`."""
    return or_(columns.at_home.is_(False), columns.child_id.in_(_counting))


def counts_for(child_id: int) -> bool:
    """Whether what this child shows at home counts in the numbers of its class."""
    return db.session.scalar(_counting.where(Child.id == child_id)) is not None
