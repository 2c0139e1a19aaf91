"""Prepared statements against SQLAlchemy's own way with the same statements."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from sqlalchemy import insert, select

from classroom.database import db, write_unit
from classroom.models import EvidenceRow
from classroom.services.prepared import Prepared
from tests.services.test_rounds import finished

ROW = {
    "child_id": 0, "round_id": None, "seq": None, "source": "play", "skill": "recall_ask",
    "item": {"ä": [1, None]}, "options": [True, False], "first_answer": None, "later_answers": [],
    "right": True, "latency_ms": None, "aided": False, "board": "off", "hint_step": 0,
    "lag_asks": 3, "lag_seconds": 0.5, "overlap": True, "lure": None, "guess_rate": 0.25,
    "day": 20_000, "at": 1e9,
}  # fmt: skip


def test_a_prepared_statement_finds_what_the_session_finds(mia: int) -> None:
    found: dict[Prepared, int] = {}
    all_ = Prepared.all

    def both(self: Prepared, **values: Any) -> list[Any]:
        rows = all_(self, **values)
        if self.statement.is_select:
            own = db.session.execute(self.statement, values).all()
            assert [(type(v), v) for row in rows for v in row] == [
                (type(v), v) for row in own for v in row
            ]
            found[self] = found.get(self, 0) + len(rows)
        return rows

    def first(self: Prepared, **values: Any) -> Any:
        return next(iter(both(self, **values)), None)

    with patch.object(Prepared, "all", both), patch.object(Prepared, "first", first):
        finished(mia)
    assert sum(map(bool, found.values())) >= 5


def test_a_prepared_statement_writes_what_the_session_writes(mia: int) -> None:
    table, row = EvidenceRow.__table__, ROW | {"child_id": mia}
    with write_unit():
        Prepared(insert(table).inline()).run(**row)
        db.session.execute(insert(table), row)
        written = db.session.execute(select(*table.c[1:])).all()
        one, other = db.session.connection().exec_driver_sql("SELECT * FROM evidence")
    assert written[0] == written[1]
    assert written[0]._asdict() == row
    assert one[1:] == other[1:]


def test_values_of_the_statement_itself_stay_in_it(mia: int) -> None:
    statement = Prepared(select(EvidenceRow.id).where(EvidenceRow.skill == "no such skill"))
    assert statement.first() is None
    assert statement.scalar() is None
    assert statement.all() == []
