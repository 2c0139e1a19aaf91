"""A mark of what a table's page shows besides the moves: who sits there, the child's settings, and
what goes on around the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from classroom.web.http import sse

if TYPE_CHECKING:
    from classroom.services.table.tables import ViewedTable


def beside(table: ViewedTable) -> str:
    """Pages of one round for one viewer with equal marks differ only by what its moves changed."""
    around = replace(table.around, pondering=frozenset())
    shown = (
        table.players, table.board, table.hints, table.pace, table.points, table.champion,
        table.name, table.look, table.practice, around, sorted(table.around.pondering),
    )  # fmt: skip
    return sse.mark_of(shown)[:8]
