"""What is left out of a child's record: cards that are still hidden, other children, and the names
of adults whom the reader need not know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, select

from classroom.database import Base, db
from classroom.models import Child, Player, Round
from classroom.services.reports import looks

Json = dict[str, Any]

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


@dataclass(frozen=True, slots=True)
class Withheld:
    """Removes from a child's record what the reader may not see. `going_on`: the child's matches
    with a round in progress. `shared`: the child's seat in each round with other children.
    `adults`: what the record calls each adult."""

    child_id: int
    going_on: frozenset[int]
    shared: Mapping[int, int]
    adults: Mapping[int, str]

    @classmethod
    def of(cls, child: Child, reader_id: int) -> Withheld:
        """Find out what to leave out of this child's record when this adult reads it."""
        mine = select(Player.match_id).where(Player.child_id == child.id)
        # A seat without a level is a child's, even if that child has been removed.
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
        return cls(
            child.id,
            frozenset(db.session.scalars(going_on)),
            {row.id: row.seat for row in db.session.execute(shared)},
            called(child, reader_id),
        )

    def without(self, table: str, row: Json) -> Json:
        """The row of this table as the reader may see it."""
        columns = Base.metadata.tables[table].c
        row = {name: self._reference(columns[name], value) for name, value in row.items()}
        if table == "players":
            return row | self._seat(row)
        if table == "rounds":
            return row | self._round(row)
        if table == "moves":
            return row | self._move(row)
        return row | self._memory(row)

    def _reference(self, column: Column[Any], value: Any) -> Any:
        """The value, with an adult's id turned into words and another child's id left out."""
        of = {key.column.table.name for key in column.foreign_keys}
        if "children" in of and value != self.child_id:
            return None
        if "adults" in of or str(column) == "audit.adult_id":  # the audit log has no foreign keys
            return PROGRAM if value is None else self.adults.get(value, GONE)
        return value

    def _seat(self, row: Json) -> Json:
        seed = ("seed",) if row["match_id"] in self.going_on else ()
        other = row["level"] is None and row["child_id"] is None
        return dict.fromkeys(seed + (OTHERS_SEAT if other else ()))

    def _round(self, row: Json) -> Json:
        """The fields of a round to blank: the deck would reveal every hand; who was away, and when
        a child returned, concerns everyone at the table."""
        shared = row["id"] in self.shared
        deck = ("deck",) if shared or row["ended_at"] is None else ()
        return dict.fromkeys(deck + (OF_ALL_AT_THE_TABLE if shared else ()))

    def _move(self, row: Json) -> Json:
        """The fields of a move to blank: a computer player's move is no secret, but its time shows
        how long the child before it took, and a card it drew may come from that child's hand."""
        own = row["seat"] == self.shared.get(row["round_id"], row["seat"])
        return {} if own else {"at": None, "chance": None}

    def _memory(self, row: Json) -> Json:
        """The fields of evidence or of a question to blank: how long ago another child asked shows
        when it did."""
        if row.get("round_id") not in self.shared:
            return {}
        found: Json = {"lag_seconds": None} if "lag_seconds" in row else {}
        item = row.get("item", {})
        return found | ({"item": {**item, "lag_seconds": None}} if "lag_seconds" in item else {})


def called(child: Child, reader_id: int) -> dict[int, str]:
    """What the record calls each adult of the school: by name if the reader may know it (looks.py),
    else by role, and the reader "you"."""
    found = {
        adult_id: f"{one.name}, {one.role}" if one.name else ROLES.get(one.role, one.role)
        for adult_id, one in looks.adults(child, reader_id).items()
    }
    return found | {reader_id: READER}
