"""A child's record: all data about one child, for the family. Data about others is left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, exists, or_, select

from classroom import privacy
from classroom.database import Base, db, in_portions
from classroom.engine.record import event_to_json
from classroom.learning.history import History
from classroom.models import (
    Child,
    ChildHistory,
    EvidenceRow,
    FamilyLink,
    Match,
    Move,
    Player,
    QuestionRow,
    Round,
    Session,
    WrongTry,
)
from classroom.services.base import clock
from classroom.services.base.errors import EarlierRules
from classroom.services.base.rows import existing
from classroom.services.reports import looks
from classroom.services.table import rounds

Json = dict[str, Any]

# ---- left out: hidden cards, other children, and names of adults that the reader need not know

OTHERS_SEAT: Final = ("child_id", "name", "animal", "pad", "board", "hints", "pace")
OF_ALL_AT_THE_TABLE: Final = ("away", "returned_at")
READER: Final = "you"
PROGRAM: Final = "the program"
ROLES: Final = {
    "teacher": "a teacher",
    "substitute": "a substitute",
    "parent": "a parent",
    "admin": "an administrator",
}
GONE: Final = "an adult who is no longer here"


class Withheld:
    """Removes from a child's record everything that this reader may not see. `going_on`: the
    child's matches with a round in progress. `shared`: the child's seat in each round with other
    children, by the round's id. `adults`: what each adult is called, by id: name and role if the
    reader may know the name (looks.py), else only the role, and "you" for the reader."""

    def __init__(self, child: Child, reader_id: int) -> None:
        mine = select(Player.match_id).where(Player.child_id == child.id)
        # A seat without a level belongs to a child, even if that child has been removed.
        others = select(Player.match_id).where(
            Player.match_id.in_(mine),
            Player.level.is_(None),
            Player.child_id.is_distinct_from(child.id),
        )
        going_on = select(Round.match_id).where(Round.match_id.in_(mine), Round.ended_at.is_(None))
        shared = (
            select(Round.id, Player.seat)
            .join(Player, Player.match_id == Round.match_id)
            .where(Player.child_id == child.id, Round.match_id.in_(others))
        )
        self.child_id = child.id
        self.going_on = frozenset(db.session.scalars(going_on))
        self.shared: dict[int, int] = dict(db.session.execute(shared).all())
        self.adults = {reader_id: READER}
        for adult_id, one in looks.adults(child, reader_id).items():
            named = f"{one.name}, {one.role}" if one.name else ROLES[one.role]
            self.adults.setdefault(adult_id, named)

    def without(self, table: str, row: Json) -> Json:
        """A row of this table, with None for each value that the reader may not see."""
        columns = Base.metadata.tables[table].c
        row = {name: self._reference(columns[name], value) for name, value in row.items()}
        blank: tuple[str, ...] = ()
        if table == "players":
            seed = ("seed",) if row["match_id"] in self.going_on else ()
            other = row["level"] is None and row["child_id"] is None
            blank = seed + (OTHERS_SEAT if other else ())
        elif table == "rounds":
            # The deck would reveal every hand. The columns `away` and `returned_at` are about all
            # children at the table.
            shared = row["id"] in self.shared
            deck = ("deck",) if shared or row["ended_at"] is None else ()
            blank = deck + (OF_ALL_AT_THE_TABLE if shared else ())
        elif table == "moves":
            # A computer player's move is no secret. But its time shows how long the child before it
            # took, and `chance` may contain a card from that child's hand.
            own = row["seat"] == self.shared.get(row["round_id"], row["seat"])
            blank = () if own else ("at", "chance")
        elif row.get("round_id") in self.shared:
            # The lag would show when another child asked.
            blank = ("lag_seconds",) if "lag_seconds" in row else ()
            if "lag_seconds" in row.get("item", {}):
                row["item"] = {**row["item"], "lag_seconds": None}
        return row | dict.fromkeys(blank)

    def _reference(self, column: Column[Any], value: Any) -> Any:
        """The column's value; an adult's id becomes words, and another child's id becomes None."""
        of = {key.column.table.name for key in column.foreign_keys}
        if "children" in of and value != self.child_id:
            return None
        if "adults" in of or str(column) == "audit.adult_id":  # the audit log has no foreign keys
            return PROGRAM if value is None else self.adults.get(value, GONE)
        return value


# ---- A child's record: all data kept about one child, which the family may ask for (PRIVACY.md)
#
# The privacy register defines the columns of the record. This section selects the child's rows, and
# the section above removes values from these rows.

SEEN: Final = "seen"
_SEEN_COLUMNS: Final = {
    "round_id": "a round with other children",
    "events": "what the child could see of it, in order: its own cards, and what all could see; "
    "null if it was played under earlier rules and cannot be shown step by step",
}


def columns() -> dict[str, dict[str, str]]:
    """The columns of a record by table, each with its purpose."""
    found = {
        name: {column: line.purpose for column, line in table.columns.items() if line.export}
        for name, table in privacy.REGISTER.items()
        if privacy.in_record(name)
    }
    return found | {SEEN: _SEEN_COLUMNS}


def record(child_id: int, reader_id: int) -> Iterator[tuple[str, Iterator[Json]]]:
    """Yield the name and the rows of each table, oldest row first, without values that this reader
    may not see. The table SEEN has the events that the child saw in shared rounds. Raises NotFound.
    """
    child = existing(Child, child_id)
    theirs, withheld = _theirs(child, reader_id), Withheld(child, reader_id)
    for name, wanted in columns().items():
        if name == SEEN:
            yield name, _seen(withheld)
        else:
            yield name, _rows(name, list(wanted), theirs[name], withheld)


def ratings(child_id: int) -> Iterator[Json]:
    """The data used to choose the child's next question, in words and numbers, skill by skill."""
    row = db.session.get(ChildHistory, child_id)
    return History.from_json(row.history if row else {}).lines()


def _theirs(child: Child, reader_id: int) -> dict[str, ColumnElement[bool]]:
    """The SQL condition that selects the child's rows in each table, by the table's name."""
    matches = select(Player.match_id).where(Player.child_id == child.id)
    mine = Round.match_id.in_(matches)
    over = select(Round.id).where(mine, Round.ended_at.is_not(None))
    # A parent gets only their own link to the child; a teacher gets all links.
    own = FamilyLink.adult_id == reader_id
    is_parent = exists().where(own, FamilyLink.child_id == child.id)
    by_child_or_computer = exists().where(
        Round.id == Move.round_id,
        Player.match_id == Round.match_id,
        Player.seat == Move.seat,
        or_(Player.child_id == child.id, Player.level.is_not(None)),
    )
    return {
        name: table.c.child_id == child.id
        for name, table in Base.metadata.tables.items()
        if "child_id" in table.c and privacy.in_record(name)
    } | {
        "children": Child.id == child.id,
        "sessions": (Session.child_id == child.id) | (Session.home_id == child.id),
        "family_links": (FamilyLink.child_id == child.id) & or_(own, ~is_parent),
        "wrong_tries": WrongTry.what.in_((f"child:{child.id}", f"home:{child.id}")),
        "matches": Match.id.in_(matches),
        "players": Player.match_id.in_(matches),
        "rounds": mine,
        "moves": Move.round_id.in_(over) & by_child_or_computer,
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


def _rows(
    name: str, wanted: list[str], which: ColumnElement[bool], withheld: Withheld
) -> Iterator[Json]:
    table = Base.metadata.tables[name]
    found = select(*(table.c[column] for column in wanted)).where(which)
    for row in in_portions(found.order_by(*table.primary_key)):
        yield withheld.without(name, dict(row._mapping))


def _seen(withheld: Withheld) -> Iterator[Json]:
    over = select(Round.id).where(Round.id.in_(withheld.shared), Round.ended_at.is_not(None))
    for round_id in db.session.scalars(over.order_by(Round.id)).all():
        events: list[Json] | None = None
        with suppress(EarlierRules):
            seen = rounds.then(round_id, withheld.shared[round_id], rounds.seq(round_id))
            history = seen.observation.history
            events = [{"seq": one.seq, **event_to_json(one.event)} for one in history]
        yield {"round_id": round_id, "events": events}
