"""Statements that every tap needs: put together once, then handed to the driver as they are.

SQLAlchemy looks a statement up again each time it is run, and wraps what comes back: about ten
times the work that SQLite has with it. Here the text, the order of the values, and what turns them
into what the driver takes and gives are worked out once for each sort of database.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from sqlalchemy import CursorResult, Dialect, Executable

from classroom.database import db

Turn = Callable[[Any], Any]
"""A value of ours into one of the driver's, or the other way round."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement as one sort of database is sent it.

    `order`: names of the values in the order of the text, None where the driver goes by names.
    `fixed`: values that belong to the statement itself. `turns`: for values that need it.
    """

    text: str
    order: list[str] | None
    fixed: dict[str, Any]
    turns: list[tuple[str, Turn]]


class Prepared:
    """A statement that is run in the session's transaction, always with the same names of values.

    Lists of values of no fixed length (IN) are beyond it.
    """

    def __init__(self, statement: Executable) -> None:
        self.statement: Final[Any] = statement
        self._texts: dict[str, _Text] = {}
        self._rows: dict[str, Turn] = {}

    def run(self, **values: Any) -> None:
        """Run it, and look at nothing that comes back."""
        self._run(values)

    def all(self, **values: Any) -> list[Any]:
        """All rows, as tuples with names."""
        result, row = self._run(values)
        return [row(one) for one in result.all()]

    def first(self, **values: Any) -> Any:
        """The first row, or None."""
        result, row = self._run(values)
        found = result.first()
        return None if found is None else row(found)

    def scalar(self, **values: Any) -> Any:
        """The first column of the first row, or None."""
        found = self.first(**values)
        return None if found is None else found[0]

    def _run(self, values: dict[str, Any]) -> tuple[CursorResult[Any], Turn]:
        """What came back, and what makes a row of ours of one of the driver's."""
        connection = db.session.connection()
        dialect = connection.dialect
        made = self._texts.get(dialect.name)
        if made is None:
            made = self._texts[dialect.name] = _text(self.statement, dialect, values)
        given = made.fixed | values
        for name, turn in made.turns:
            given[name] = turn(given[name])
        parameters: Any = given if made.order is None else tuple(given[name] for name in made.order)
        result = connection.exec_driver_sql(made.text, parameters)
        row = self._rows.get(dialect.name)
        if row is None:
            row = self._rows[dialect.name] = _rows(self.statement, dialect, result)
        return result, row


def _text(statement: Any, dialect: Dialect, values: Mapping[str, Any]) -> _Text:
    compiled = statement.compile(dialect=dialect, column_keys=list(values))
    turns = {
        name: bind.type.dialect_impl(dialect).bind_processor(dialect)
        for bind, name in compiled.bind_names.items()
    }
    return _Text(
        str(compiled),
        compiled.positiontup,
        {name: value for name, value in compiled.params.items() if name not in values},
        [(name, turn) for name, turn in turns.items() if turn],
    )


def _rows(statement: Any, dialect: Dialect, result: CursorResult[Any]) -> Turn:
    columns = getattr(statement, "exported_columns", ())
    sorts = [column[1] for column in result.cursor.description] if columns else []
    turns = [
        column.type.dialect_impl(dialect).result_processor(dialect, sort)
        for column, sort in zip(columns, sorts, strict=True)
    ]
    names = [str(column.key) for column in columns]
    row: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]
    return partial(_row, row._make, [(place, turn) for place, turn in enumerate(turns) if turn])


def _row(make: Turn, turns: list[tuple[int, Turn]], found: Any) -> Any:
    values = list(found)
    for place, turn in turns:
        values[place] = turn(values[place])
    return make(values)
