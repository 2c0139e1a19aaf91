"""The players at a table's seats, as the database has them now: part of each reading of a round.

What a page shows about the viewer besides the table is read here too, in the same statement as the
round: so a page never shows less than its mark says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, func, select

from classroom.minds.board import Support
from classroom.models import ChoicesRow, Gathering, Place, Player, Round, Session
from classroom.models.question_rows import open_since

_players, _family = Player.__table__.c, ChoicesRow.__table__.c
_sessions, _places, _gatherings = Session.__table__.c, Place.__table__.c, Gathering.__table__.c
_later = Round.__table__.alias("later")
_HAND = (
    select(func.max(_sessions.hand_at))
    .where(_sessions.child_id == _players.child_id)
    .scalar_subquery()
)
# Without the sum SQLite would look among all unfinished rounds of the school, not the match's few.
_GOES_ON = (_later.c.ended_at + 0.0).is_(None)
_CALLED = (
    select(func.max(_later.c.id))
    .join(Gathering.__table__, _gatherings.match_id == _later.c.match_id)
    .join(Place.__table__, _places.gathering_id == _gatherings.id)
    .where(_places.child_id == _players.child_id, _GOES_ON)
    .scalar_subquery()
)
COLUMNS: Final = (
    _players.seat, _players.child_id, _players.level, _players.name, _players.animal,
    _players.pad, _players.board, _players.hints, _players.pace, _players.seed,
    _players.gone,
    _family.minutes_a_day,
    open_since(_players.child_id, Round.__table__.c.id).label("asked_at"),
    _HAND.label("hand_at"), _CALLED.label("called"),
)  # fmt: skip
_NAMES: Final = tuple(column.name for column in COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """The player at a seat: a row of `players`, with the settings from when the match began.

    `child_id`: None for a computer player or a removed child; `level`: None for any child. `gone`:
    the child has closed the table's page.
    `minutes_a_day`: the present limit of the child's family, None if there is none. `asked_at`:
    when the child's open question was made, `hand_at`: when its hand went up, None if there is
    none. `called`: the unfinished round of the table where the child has its place now.
    """

    seat: int
    child_id: int | None
    level: str | None
    name: str
    animal: str
    pad: int
    board: Support
    hints: bool
    pace: str
    seed: int
    gone: bool
    minutes_a_day: int | None
    asked_at: float | None = None
    hand_at: float | None = None
    called: int | None = None


def sitter(row: Row[Any]) -> Sitter:
    """Make the player of a row that begins with COLUMNS."""
    return Sitter(**dict(zip(_NAMES, row, strict=False)))
