"""Pauses: why a table, or one seat of it, may not move now.

The teacher has paused the class or is ending the lesson, or the child's time for today is up. At
the end of the lesson or of a child's time an open ask is still finished; "eyes on me" stops play at
once, and an open ask goes on afterwards. Lessons do not affect a table at home; there the child's
time is also up when the hours of the class have ended.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from classroom.services.table import time_limit
from classroom.services.table.states import Live

PAUSED: Final = "paused"
LESSON_OVER: Final = "lesson_over"
TIME_OVER: Final = "time_over"


def of_table(live: Live) -> str | None:
    """Why no seat of this table may move now; None if play goes on.

    When a lesson ends, an ask that is already open is finished, and a child whose turn had begun
    may still ask; a computer player or a stand-in begins no new ask.
    """
    lesson, state = live.facts.lesson, live.state
    if state.over or live.facts.at_home:
        return None
    if lesson.paused_at is not None:
        return PAUSED
    if lesson.ending_at is None or state.phase != "ask":
        return None
    is_there = state.turn in live.facts.children and state.turn not in live.facts.away
    return None if is_there and live.fold.last_at < lesson.ending_at else LESSON_OVER


def of_seat(live: Live, seat: int, spent: Collection[int] | None = None) -> str | None:
    """Why this seat may not move now, turns and rules aside; None if it may. `spent`: the children
    who have no time left today, if the caller knows them."""
    why = of_table(live)
    if why is None and live.state.phase == "ask" and _time_is_over(live, seat, spent):
        return None if live.state.over else TIME_OVER
    return why


def _time_is_over(live: Live, seat: int, spent: Collection[int] | None) -> bool:
    facts = live.facts
    if facts.at_home and seat in facts.children and not facts.lesson.home.are_now():
        return True
    if spent is not None:
        return facts.children.get(seat) in spent
    return time_limit.has_no_time(live, seat)
