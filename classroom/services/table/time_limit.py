"""The daily time limit: how long a child may play, as its family and its teacher allow.

In a lesson only the time in lessons counts, so that playing at home never costs a child its lesson.
At home the whole day counts.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Boolean, bindparam, func, or_, select

from classroom.database import db
from classroom.models import Child, ChildRound, ChoicesRow, ClassSettings
from classroom.services.base import clock
from classroom.services.table.in_force import minutes
from classroom.services.table.states import Live

_sums, _children = ChildRound.__table__.c, Child.__table__.c
_own, _class = ChoicesRow.__table__.c, ClassSettings.__table__.c
_SECONDS = (
    select(func.sum(_sums.seconds))
    .where(
        _sums.child_id == _children.id,
        _sums.day == bindparam("day"),
        or_(bindparam("home", type_=Boolean), _sums.at_home.is_(False)),
    )
    .scalar_subquery()
)
_TIME = (
    select(
        _children.id, _own.minutes_a_day, _class.minutes_a_day.label("of_class"),
        _SECONDS.label("seconds"),
    )
    .select_from(Child.__table__)
    .outerjoin(
        ChoicesRow.__table__, (_own.child_id == _children.id) & (_own.whose == "family")
    )
    .outerjoin(ClassSettings.__table__, _class.class_id == _children.class_id)
    .where(_children.id.in_(bindparam("children", expanding=True)))
)  # fmt: skip


def has_no_time(live: Live, seat: int) -> bool:
    """Whether the child at this seat has used up its time. Queries only if there is a limit."""
    player = live.facts.players[seat]
    limit = minutes(player.minutes_a_day, live.facts.lesson.minutes_a_day)
    if player.child_id is None or limit is None:
        return False
    return time_is_up(player.child_id, at_home=live.facts.at_home)


def time_is_up(child_id: int, *, at_home: bool = False) -> bool:
    """Whether today's minutes are used up, by the smaller limit of its family and its class."""
    return child_id in without_time([child_id], at_home=at_home)


def without_time(children: Collection[int], *, at_home: bool = False) -> frozenset[int]:
    """Those of these children whose minutes for today are used up."""
    sent = {"children": list(children), "day": clock.day(), "home": at_home}
    return frozenset(
        child_id
        for child_id, own, of_class, seconds in db.session.execute(_TIME, sent).tuples()
        if (limit := minutes(own, of_class)) is not None and (seconds or 0.0) >= 60 * limit
    )
