"""The board shows public history, as much of it as a level allows, and nothing that is deduced."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from classroom.engine.observation import WATCHER, observe
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.board import FADING_ASKS, SUPPORTS, Support, asked_board
from tests.web.test_table_view import played


def positions(game: str) -> Iterator[State]:
    yield from played(game, min(4, GAMES[game].rules.seats[1]), 1)[::7]


@pytest.mark.parametrize("game", GAMES)
def test_every_viewer_reads_the_same_history(game: str) -> None:
    """What follows from public events alone cannot tell a hidden card."""
    for state in positions(game):
        public = asked_board(observe(state, WATCHER))
        for viewer in range(state.seats):
            mine = asked_board(observe(state, viewer))
            assert mine.rows == public.rows
            others = {line.seat: line.marks for line in public.lines if line.seat != viewer}
            shown = {line.seat: line.marks for line in mine.lines}
            if state.rules.visibility_books == "public":
                assert shown == others


@pytest.mark.parametrize("support", SUPPORTS)
def test_a_level_shows_its_share_of_the_asks(support: Support) -> None:
    state = played("classic", 4, 2)[20]
    seen = observe(state, 1)
    board = asked_board(seen, support)
    asks = {"open": 20, "peek": 20, "fading": FADING_ASKS, "off": 0}[support]
    assert [row.seq for row in board.rows] == list(range(21 - asks, 21))
    marks = [mark for line in board.lines for mark in line.marks]
    assert all(mark.seq > 20 - asks for mark in marks)
    assert bool(marks) == (support != "off")


def test_the_others_stand_clockwise_and_in_the_order_of_time() -> None:
    board = asked_board(observe(played("classic", 4, 2)[20], 1))
    assert [line.seat for line in board.lines] == [2, 3, 0]
    for line in board.lines:
        assert [mark.seq for mark in line.marks] == sorted(mark.seq for mark in line.marks)
