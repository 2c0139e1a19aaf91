"""A child's record: all data kept about one child, which its family may ask for (PRIVACY.md).

The privacy register says which columns belong to it, this module which rows are the child's, and
withheld.py what is left out of those rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import ColumnElement, and_, exists, or_, select

from classroom import privacy
from classroom.database import Base, db, in_portions
from classroom.engine.record import event_to_json
from classroom.learning.history import History
from classroom.models import (
    Child,
    ChildHistory,
    ChildRound,
    ChoicesRow,
    DoorKnock,
    EvidenceRow,
    FamilyCode,
    FamilyLink,
    GroupMember,
    HelpTaken,
    KnownDevice,
    Match,
    Move,
    Place,
    PlannedSeat,
    Player,
    QuestionRow,
    Restriction,
    Round,
    Session,
    SkillWindow,
    StrandTrack,
    TallyRow,
    WrongTry,
    YearMove,
)
from classroom.services.base import clock
from classroom.services.base.errors import EarlierRules, NotFound
from classroom.services.reports import looks
from classroom.services.school.withheld import Json, Withheld
from classroom.services.table import rounds

SEEN: Final = "seen"
_SEEN_COLUMNS: Final = {
    "round_id": "a round with other children",
    "events": "what the child could see of it, in order: its own cards, and what all could see; "
    "null if it was played under earlier rules and cannot be shown step by step",
}


def columns() -> dict[str, dict[str, str]]:
    """The columns of a record, table by table, with the purpose of each."""
    found = {
        name: {column: line.purpose for column, line in table.columns.items() if line.export}
        for name, table in privacy.REGISTER.items()
        if privacy.in_record(name)
    }
    return found | {SEEN: _SEEN_COLUMNS}


def record(child_id: int, reader_id: int) -> Iterator[tuple[str, Iterator[Json]]]:
    """Yield each table's name and rows, oldest first, without what this reader may not see; then
    what the child saw of rounds with other children. Raises NotFound."""
    child = db.session.get(Child, child_id)
    if child is None:
        raise NotFound("child")
    theirs, withheld = _theirs(child, reader_id), Withheld.of(child, reader_id)
    for name, wanted in columns().items():
        if name == SEEN:
            yield name, _seen(withheld)
        else:
            yield name, _rows(name, list(wanted), theirs[name], withheld)


def ratings(child_id: int) -> Iterator[Json]:
    """The data used to choose the child's next question, skill by skill, in words and numbers."""
    row = db.session.get(ChildHistory, child_id)
    return History.from_json(row.history if row else {}).lines()


def _theirs(child: Child, reader_id: int) -> dict[str, ColumnElement[bool]]:
    """For each table, the condition that selects the child's rows."""
    matches = select(Player.match_id).where(Player.child_id == child.id)
    mine = Round.match_id.in_(matches)
    over = select(Round.id).where(mine, Round.ended_at.is_not(None))
    models = (
        *(
            ChoicesRow,
            Restriction,
            ChildHistory,
            ChildRound,
            HelpTaken,
            SkillWindow,
            StrandTrack,
            TallyRow,
            FamilyCode,
            YearMove,
        ),
        *(KnownDevice, DoorKnock, Place, GroupMember, PlannedSeat),
    )
    return {model.__tablename__: model.child_id == child.id for model in models} | {
        "children": Child.id == child.id,
        "sessions": (Session.child_id == child.id) | (Session.home_id == child.id),
        "family_links": _links(child.id, reader_id),
        "wrong_tries": WrongTry.what.in_((f"child:{child.id}", f"home:{child.id}")),
        "matches": Match.id.in_(matches),
        "players": Player.match_id.in_(matches),
        "rounds": mine,
        "moves": Move.round_id.in_(over) & _by_child_or_computer(child.id),
        "evidence": (EvidenceRow.child_id == child.id)
        & (
            EvidenceRow.round_id.is_(None)
            | EvidenceRow.round_id.in_(over)
            | (EvidenceRow.day < clock.day())
        ),
        "questions": (QuestionRow.child_id == child.id)
        & (
            QuestionRow.round_id.in_(over)
            | (QuestionRow.closed_at.is_not(None) & (QuestionRow.made_at < clock.midnight()))
        ),
        "audit": looks.about(child),
    }


def _links(child_id: int, reader_id: int) -> ColumnElement[bool]:
    """The condition for the child's links to its parents: all of them for a teacher who reads the
    record, for a parent only their own."""
    own = FamilyLink.adult_id == reader_id
    is_parent = exists().where(own, FamilyLink.child_id == child_id)
    return and_(FamilyLink.child_id == child_id, or_(own, ~is_parent))


def _by_child_or_computer(child_id: int) -> ColumnElement[bool]:
    return exists().where(
        Round.id == Move.round_id,
        Player.match_id == Round.match_id,
        Player.seat == Move.seat,
        or_(Player.child_id == child_id, Player.level.is_not(None)),
    )


def _rows(
    name: str, wanted: list[str], which: ColumnElement[bool], withheld: Withheld
) -> Iterator[Json]:
    table = Base.metadata.tables[name]
    found = select(*(table.c[column] for column in wanted)).where(which)
    ordered = found.order_by(*table.primary_key)
    for row in in_portions(ordered):
        yield withheld.without(name, dict(row._mapping))


def _seen(withheld: Withheld) -> Iterator[Json]:
    over = select(Round.id).where(Round.id.in_(withheld.shared), Round.ended_at.is_not(None))
    for round_id in db.session.scalars(over.order_by(Round.id)).all():
        seat = withheld.shared[round_id]
        yield {"round_id": round_id, "events": _events(round_id, seat)}


def _events(round_id: int, seat: int) -> list[Json] | None:
    try:
        view = rounds.then(round_id, seat, rounds.seq(round_id)).observation
    except EarlierRules:
        return None
    return [{"seq": one.seq, **event_to_json(one.event)} for one in view.history]
