"""What changed at a table is told to pages that ask for it."""

from __future__ import annotations

import secrets

import pytest
from werkzeug.test import TestResponse

from classroom.database import db
from classroom.services.operation import background
from classroom.services.table import matches, rounds
from classroom.services.table.rounds import LATEST, ViewedTable
from tests.playing import Browser, Classroom, settings

NEWS, WHOLE = 'id="told"', 'id="table"'


@pytest.fixture
def looking_on(room: Classroom) -> ViewedTable:
    """A table at which Mia has just asked, and is not next; more moves than a page replays."""
    with room.app.app_context():
        settings(room.children["Mia"], opponents=3, deck="full")
        round_id = matches.start_match(room.children["Mia"])
        shown = rounds.table(round_id, 0)
        while not shown.over and (shown.my_turn or shown.seq <= LATEST + 1):
            if shown.my_turn:
                action, key = shown.observation.legal[0], secrets.token_hex(8)
                rounds.play(round_id, 0, action, key, shown.seq)
            else:
                background.play_one(round_id)
            shown = rounds.table(round_id, 0)
        db.session.rollback()
    assert not shown.over
    return shown


def news(mia: Browser, table: ViewedTable, mark: str, told: str = "?told=1") -> str:
    headers = {"Last-Event-ID": mark}
    answer: TestResponse = mia.get(f"/play/rounds/{table.round_id}/events{told}", **headers)
    assert answer.status_code == 200
    return answer.text


def test_a_page_that_looks_on_is_told_what_changed(mia: Browser, looking_on: ViewedTable) -> None:
    text = news(mia, looking_on, f"{looking_on.seq - 1}-0")
    assert text.startswith(f"id: {looking_on.seq}-0\n")
    assert NEWS in text
    assert WHOLE not in text
    assert 'id="steps"' in text
    assert f'data-since="{looking_on.seq - 1}"' in text


@pytest.mark.parametrize(
    ("missed", "changes", "told"),
    [(1, 0, ""), (1, 1, "?told=1"), (LATEST + 1, 0, "?told=1")],
    ids=["did not ask for news", "something else changed", "missed too much"],
)
def test_other_pages_get_the_whole_table(
    mia: Browser, looking_on: ViewedTable, missed: int, changes: int, told: str
) -> None:
    text = news(mia, looking_on, f"{looking_on.seq - missed}-{changes}", told)
    assert WHOLE in text
    assert NEWS not in text


def test_the_first_message_of_a_stream_is_the_whole_table(
    mia: Browser, looking_on: ViewedTable
) -> None:
    assert WHOLE in mia.get(f"/play/rounds/{looking_on.round_id}/events?told=1&seen=3").text


def test_a_child_who_is_next_is_told_its_turn(
    room: Classroom, mia: Browser, looking_on: ViewedTable
) -> None:
    with room.app.app_context():
        background.play_now(looking_on.round_id)
        shown = rounds.table(looking_on.round_id, 0)
        db.session.rollback()
    assert shown.my_turn
    text = news(mia, shown, f"{shown.seq - 1}-0")
    assert NEWS in text
    assert WHOLE not in text
    assert 'data-next="class"' in text
    assert 'id="go"' in text


@pytest.mark.parametrize("keeps", [True, False])
def test_a_move_is_answered_with_what_changed_if_its_page_asks_for_that(
    room: Classroom, mia: Browser, looking_on: ViewedTable, keeps: bool
) -> None:
    mia.keeps = keeps
    while True:
        with room.app.app_context():
            background.play_now(looking_on.round_id)
            before = rounds.table(looking_on.round_id, 0)
            db.session.rollback()
        assert not before.over, "every ask of this round caught something"
        answer = mia.move(before.round_id, before.observation.legal[-1], before.seq)
        assert answer.headers["Last-Event-ID"] == f"{before.seq + 1}-0"
        if 'data-next="' not in answer.text or 'data-next=""' in answer.text:
            break
    assert (NEWS in answer.text, WHOLE in answer.text) == (keeps, not keeps)
