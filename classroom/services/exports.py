"""Everything that is kept of one child, table by table: what a family may ask for (PRIVACY.md).

Which columns belong to it the privacy register says; which rows are the child's is said here. No
card that still lies hidden is among them, and nothing about another child.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, select

from classroom import privacy
from classroom.database import Base, db
from classroom.models import (
    Child,
    ChildRound,
    ChildSettings,
    EvidenceRow,
    FamilyLink,
    HelpTaken,
    Match,
    Move,
    Player,
    QuestionRow,
    Round,
    SkillWindow,
    TallyRow,
)
from classroom.services import clock
from classroom.services.errors import NotFound

Json = dict[str, Any]

OF_ADULTS: Final = frozenset({"adults"})  # exported to that adult, and not with any child
OTHERS_SEAT: Final = ("child_id", "name", "animal", "pad", "board", "hints")


def columns() -> dict[str, dict[str, str]]:
    """What is in a record: each table's columns, and what each of them is for."""
    found = {
        name: {column: line.purpose for column, line in table.columns.items() if line.export}
        for name, table in privacy.REGISTER.items()
        if name not in OF_ADULTS
    }
    return {name: lines for name, lines in found.items() if lines}


def record(child_id: int) -> Iterator[tuple[str, Iterator[Json]]]:
    """The tables of a child's record, each with its rows, oldest first. Raises NotFound.

    A round that goes on shows neither deck nor moves, nor what its computer players forget; what
    was asked in it comes a day later, as on the pages.
    """
    if db.session.get(Child, child_id) is None:
        raise NotFound("child")
    theirs, going_on = _theirs(child_id), _going_on(child_id)
    return ((name, _rows(name, theirs[name], child_id, going_on)) for name in columns())


def _theirs(child_id: int) -> dict[str, ColumnElement[bool]]:
    """Which rows of each table are the child's."""
    matches = select(Player.match_id).where(Player.child_id == child_id)
    mine = Round.match_id.in_(matches)
    over = select(Round.id).where(mine, Round.ended_at.is_not(None))
    return {
        "children": Child.id == child_id,
        "child_settings": ChildSettings.child_id == child_id,
        "family_links": FamilyLink.child_id == child_id,
        "matches": Match.id.in_(matches),
        "players": Player.match_id.in_(matches),
        "rounds": mine,
        "moves": Move.round_id.in_(over),
        "child_rounds": ChildRound.child_id == child_id,
        "evidence": (EvidenceRow.child_id == child_id)
        & (
            EvidenceRow.round_id.is_(None)
            | EvidenceRow.round_id.in_(over)
            | (EvidenceRow.day < clock.day())
        ),
        "questions": (QuestionRow.child_id == child_id)
        & (
            QuestionRow.round_id.in_(over)
            | (QuestionRow.closed_at.is_not(None) & (QuestionRow.made_at < clock.midnight()))
        ),
        "tallies": TallyRow.child_id == child_id,
        "skill_windows": SkillWindow.child_id == child_id,
        "help_taken": HelpTaken.child_id == child_id,
    }


def _going_on(child_id: int) -> frozenset[int]:
    """The child's matches with a round that is not over."""
    wanted = (
        select(Round.match_id)
        .join(Player, Player.match_id == Round.match_id)
        .where(Player.child_id == child_id, Round.ended_at.is_(None))
    )
    return frozenset(db.session.scalars(wanted))


def _rows(
    name: str, which: ColumnElement[bool], child_id: int, going_on: frozenset[int]
) -> Iterator[Json]:
    table = Base.metadata.tables[name]
    wanted = select(*(table.c[column] for column in columns()[name])).where(which)
    ordered = wanted.order_by(*table.primary_key).execution_options(yield_per=1000)
    for row in db.session.execute(ordered):
        yield _shown(name, row, child_id, going_on)


def _shown(name: str, row: Row[Any], child_id: int, going_on: frozenset[int]) -> Json:
    """A row without what is hidden still, or is about another child."""
    hidden: tuple[str, ...] = ()
    if name == "rounds" and row.ended_at is None:
        hidden = ("deck",)
    elif name == "players":
        hidden = ("seed",) if row.match_id in going_on else ()
        hidden += OTHERS_SEAT if row.child_id not in (None, child_id) else ()
    return dict(row._mapping) | dict.fromkeys(hidden)
