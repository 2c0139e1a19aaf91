"""The board of what was asked: public history in time order, never a deduction."""

from __future__ import annotations

import pytest

from classroom.engine import apply, observe
from classroom.engine.actions import Ask
from classroom.engine.observation import WATCHER
from classroom.engine.state import State
from classroom.minds.board import FADING_ASKS, BoardLine, asked_board, asked_rows
from tests.engine.tabletop import dealt, rules_of, steps

CLASSIC = rules_of("classic", deal={"default": 4})


def ask(state: State, target: int, class_: str) -> State:
    return apply(state, Ask(target, class_)).state


def start() -> State:
    return dealt(CLASSIC, 3, "2C 2D 3C 3D", "7C 7D 7H 8C", "7S 9C 9D TC", top="JH QH KD AC").state


def marks(line: BoardLine) -> list[tuple[str, str | None]]:
    return [(mark.kind, mark.class_) for mark in line.marks]


def test_an_ask_that_misses_went_fishing() -> None:
    board = asked_board(observe(ask(start(), 0, "8"), 2))
    (row,) = board.rows
    assert (row.asker, row.target, row.class_, row.outcome) == (1, 0, "8", "fished")
    assert (row.seq, row.number, row.givers, row.books) == (1, 0, (), ())
    assert [line.seat for line in board.lines] == [0, 1]  # the viewer has no line
    assert marks(board.lines[0]) == [("had_none", "8")]
    assert marks(board.lines[1]) == [("asked", "8"), ("fished", None)]


def test_an_ask_that_catches_and_makes_a_book() -> None:
    board = asked_board(observe(ask(start(), 2, "7"), 0))
    (row,) = board.rows
    assert (row.outcome, row.number, row.givers, row.books) == ("gave", 1, (2,), ("7",))
    assert marks(board.lines[0]) == [("asked", "7"), ("got", "7"), ("book", "7")]
    assert marks(board.lines[1]) == [("gave", "7")]


def test_the_board_shows_a_lucky_card() -> None:
    state = dealt(CLASSIC, 3, "2C 2D 3C 3D", "7C 7D KH 8C", "9S 9C 9D TC", top="8H").state
    board = asked_board(observe(ask(state, 0, "8"), 0))
    assert (board.rows[0].outcome, board.rows[0].number) == ("lucky", 1)
    assert marks(board.lines[0]) == [("asked", "8"), ("fished", None), ("lucky", "8")]


def test_an_empty_pond_gives_nothing() -> None:
    for _, step in steps(rules_of("classic"), 4, 2):
        board = asked_board(observe(step.state, WATCHER))
        if board.rows and board.rows[-1].outcome == "nothing":
            return
    raise AssertionError("no miss with an empty pond in this round")


def test_a_book_face_down_has_no_class() -> None:
    rules = rules_of("classic_face_down", deal={"default": 4})
    state = dealt(rules, 3, "2C 2D 3C 3D", "7C 7D 7H 8C", "7S 9C 9D TC").state
    board = asked_board(observe(ask(state, 2, "7"), 0))
    assert board.rows[0].books == (None,)
    assert marks(board.lines[0])[-1] == ("book", None)


@pytest.mark.parametrize("key", ["classic", "fours", "guru_ask_all", "guru_how_many"])
def test_every_ask_has_one_row_in_time_order(key: str) -> None:
    rules = rules_of(key)
    *_, (_, last) = steps(rules, rules.seats[0] + 1, 1)
    rows = asked_board(observe(last.state, 0)).rows
    assert [row.seq for row in rows] == sorted(row.seq for row in rows)
    assert len({row.seq for row in rows}) == len(rows) > 10
    assert "waiting" not in {row.outcome for row in rows}


def test_the_last_asks_are_the_end_of_the_board() -> None:
    *_, (_, last) = steps(CLASSIC, 3, 1)
    seen = observe(last.state, 0)
    rows = asked_board(seen).rows
    assert asked_rows(seen) == rows
    assert [asked_rows(seen, n) for n in (0, 1, 6, 1000)] == [(), rows[-1:], rows[-6:], rows]
    assert asked_rows(observe(start(), 0), 6) == ()  # before the first ask


def test_support_open_peek_fading_off() -> None:
    *_, (_, step) = [item for item in steps(rules_of("classic"), 3, 1) if item[1].state.seq == 20]
    seen = observe(step.state, 0)
    whole = asked_board(seen)
    assert len(whole.rows) == 20
    assert asked_board(seen, "peek") == whole  # the table decides when it closes
    fading = asked_board(seen, "fading")
    assert fading.rows == whole.rows[-FADING_ASKS:]
    assert all(m.seq >= fading.rows[0].seq for line in fading.lines for m in line.marks)
    off = asked_board(seen, "off")
    assert off.rows == ()
    assert all(line.marks == () for line in off.lines)


def test_every_seat_and_the_watcher_see_the_same_rows() -> None:
    """The board has public history only, so it is the same for every viewer."""
    for _, step in steps(rules_of("classic"), 4, 3):
        rows = asked_board(observe(step.state, WATCHER)).rows
        assert all(asked_board(observe(step.state, seat)).rows == rows for seat in range(4))
