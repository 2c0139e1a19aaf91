"""The open board: who asked whom, and for the youngest nothing else."""

from __future__ import annotations

import re

import pytest

from classroom.database import db, write_unit
from classroom.engine import observe
from classroom.learning.skills import AGE_BANDS
from classroom.minds.board import asked_board
from classroom.models import Child
from classroom.services.operation import background
from classroom.services.table import rounds
from classroom.web.child.card_faces import faces_of
from classroom.web.child.helping import PLAIN, asked_lines
from tests.playing import Classroom
from tests.web.conftest import Browser
from tests.web.test_play import my_turn
from tests.web.test_table_view import played

SIGNS = re.compile(r'class="mark mark--(\w+)">(.*?)</li>')


@pytest.mark.parametrize("game", ["classic", "guru_ask_all", "make_ten"])
def test_every_ask_on_the_board_names_who_was_asked(game: str) -> None:
    seen = observe(played(game, 3, seed=2)[-1], 0)
    board = asked_board(seen)
    rows = {row.seq: row for row in board.rows}
    asks = 0
    for line in asked_lines(board, faces_of(seen.rules)):
        for turn in line.turns:
            for sign in (one for one in turn.signs if one.kind == "asked"):
                target = rows[turn.seq].target
                assert sign.target == (None if target == "all" else target)
                assert (rows[turn.seq].asker, sign.asks and sign.asks.key) == (
                    line.seat,
                    rows[turn.seq].class_,
                )
                asks += 1
    assert asks == sum(row.asker != 0 for row in board.rows)


def test_the_youngest_see_three_kinds_of_sign_and_every_ask_of_the_others() -> None:
    seen = observe(played("classic", 4, seed=3)[-1], 0)
    board = asked_board(seen)
    all_, few = set[str](), set[str]()
    asks = 0
    for line in asked_lines(board, faces_of(seen.rules)):
        all_ |= {sign.kind for turn in line.turns for sign in turn.signs}
        few |= {sign.kind for turn in line.asks.turns for sign in turn.signs}
        asks += len(line.asks.turns)
    assert all_ > few == PLAIN
    assert asks == sum(row.asker != 0 for row in board.rows)


@pytest.mark.parametrize("band", AGE_BANDS)
def test_age_decides_how_much_the_board_shows(room: Classroom, mia: Browser, band: str) -> None:
    with room.app.app_context(), write_unit():
        db.session.get_one(Child, room.children["Mia"]).age_band = band
    table = my_turn(room, board="open", opponents=2)
    while table.seq < 14:
        with room.app.app_context():
            action = table.observation.legal[-1]
            rounds.play(table.round_id, 0, action, f"k{table.seq}", table.seq)
            background.play_now(table.round_id)
            table = rounds.table(table.round_id, 0)
            db.session.rollback()
    page = mia.post(f"/play/rounds/{table.round_id}/board", seen=table.seq).text
    marks = SIGNS.findall(page)
    asks = [text for kind, text in marks if kind == "asked"]
    assert asks
    faces = {who.animal for who in table.players}
    assert all(set(re.findall(r"#a-(\w+)", text)) < faces and "#a-" in text for text in asks)
    kinds = {kind for kind, _ in marks}
    assert (kinds == {"asked"}) == (band == AGE_BANDS[0])
