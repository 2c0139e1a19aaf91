"""One tap is at most one move, even if it arrives many times at once."""

from __future__ import annotations

import multiprocessing
import random
import secrets
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select

from classroom.app import create_app
from classroom.database import db
from classroom.models import ChildRound, Move
from classroom.services.base.errors import OutOfDate
from classroom.services.operation import background
from classroom.services.table import matches, rounds
from classroom.services.table.rounds import ViewedTable
from tests.playing import Browser, Classroom, browser, settings

MANY = 5_000  # volleys with --long
TAPS = 20


class Table20:
    """A child's round, and twenty browsers that tap at the same moment."""

    def __init__(self, room: Classroom) -> None:
        self.room = room
        first = browser(room)
        first.get("/play/")
        self.hands = [self._copy(first) for _ in range(TAPS)]
        self.pool = ThreadPoolExecutor(TAPS)
        self.gate = threading.Barrier(TAPS)
        self.lots = random.Random(4)
        self.round_id = 0

    def _copy(self, first: Browser) -> Browser:
        client = self.room.app.test_client()
        for name in ("school", "school-device"):
            cookie = first.client.get_cookie(name)
            assert cookie is not None
            client.set_cookie(name, cookie.value)
        return Browser(client, first.token)

    def turn(self) -> ViewedTable:
        """The table at the child's turn, in a new round if the last one is over."""
        with self.room.app.app_context():
            if not self.round_id or rounds.table(self.round_id, 0).over:
                self.round_id = matches.start_match(self.room.children["Mia"])
            background.play_now(self.round_id)
            table = rounds.table(self.round_id, 0)
        return self.turn() if table.over else table

    def volley(self, table: ViewedTable, key: Callable[[int], str]) -> Counter[int]:
        """Send twenty taps on one legal ask at once. Returns their statuses."""
        action = self.lots.choice(table.observation.legal)

        def tap(number: int) -> int:
            self.gate.wait()
            answer = self.hands[number].ask(
                self.round_id, action.target, action.class_, table.seq, key(number)
            )  # type: ignore[union-attr]
            return answer.status_code

        return Counter(self.pool.map(tap, range(TAPS)))

    def log(self) -> list[tuple[int, str]]:
        with self.room.app.app_context():
            wanted = select(Move.seq, Move.key).where(Move.round_id == self.round_id)
            found = [tuple(row) for row in db.session.execute(wanted.order_by(Move.seq))]
            db.session.rollback()
        return found


@pytest.fixture
def tables(room: Classroom):  # type: ignore[no-untyped-def]
    with room.app.app_context():
        settings(room.children["Mia"], opponents=1, deck="full")
    found = Table20(room)
    yield found
    found.pool.shutdown()


def one_move_more(tables: Table20, before: ViewedTable) -> None:
    moves = tables.log()
    assert [seq for seq, _ in moves] == list(range(1, before.seq + 2))
    with tables.room.app.app_context():
        after = rounds.table(tables.round_id, 0)
        row = db.session.scalars(select(ChildRound).where(ChildRound.round_id == after.round_id))
        assert row.one().asks == sum(key.startswith("0:") for _, key in moves)
        db.session.rollback()


def one_key(tables: Table20, volleys: int) -> None:
    for _ in range(volleys):
        before, key = tables.turn(), secrets.token_hex(8)
        assert tables.volley(before, lambda _, key=key: key) == {200: TAPS}
        one_move_more(tables, before)


def keys_of_their_own(tables: Table20, volleys: int) -> None:
    for _ in range(volleys):
        before = tables.turn()
        found = tables.volley(before, lambda _: secrets.token_hex(8))
        assert found == {200: 1, 409: TAPS - 1}
        one_move_more(tables, before)


def test_twenty_taps_with_one_key_are_one_move_and_all_are_answered(
    tables: Table20, whole: bool
) -> None:
    one_key(tables, 30 if whole else 10)


def test_of_twenty_taps_with_different_keys_one_is_a_move(tables: Table20, whole: bool) -> None:
    keys_of_their_own(tables, 30 if whole else 10)


@pytest.mark.long
@pytest.mark.parametrize("volley", [one_key, keys_of_their_own])
def test_ten_thousand_volleys_are_ten_thousand_moves(
    tables: Table20, volley: Callable[[Table20, int], None]
) -> None:
    volley(tables, MANY)


def test_taps_of_four_children_at_once_do_not_hold_up_each_other(room: Classroom) -> None:
    """Each child plays at its own table, and no tap is refused."""

    def play(name: str) -> Counter[int]:
        reader, found = browser(room, name), Counter[int]()
        reader.get("/play/")
        with room.app.app_context():
            round_id = matches.start_match(room.children[name])
        for _ in range(15):
            with room.app.app_context():
                background.play_now(round_id)
                table = rounds.table(round_id, 0)
            if table.over:
                break
            action = table.observation.legal[0]
            answer = reader.ask(round_id, action.target, action.class_, table.seq)  # type: ignore[union-attr]
            found[answer.status_code] += 1
        return found

    with ThreadPoolExecutor(4) as pool:
        assert all(set(found) == {200} for found in pool.map(play, room.children))


# ---- processes


def tap_in_a_process(folder: str, round_id: int, rows, gate, answers) -> None:  # type: ignore[no-untyped-def]
    """Tap in one of several processes that share a database but not their locks for writing."""
    app = create_app({"INSTANCE": folder, "LOOK_AROUND": False, "UPGRADE": False})
    with app.app_context():
        for key, seen, shared in rows:
            table = rounds.table(round_id, 0)
            gate.wait()
            name = key if shared else secrets.token_hex(8)
            try:
                rounds.play(round_id, 0, table.observation.legal[0], name, seen)
                answers.put((key, "moved"))
            except OutOfDate:
                answers.put((key, "out of date"))
            db.session.rollback()
            gate.wait()


@pytest.mark.parametrize("shared", [True, False])
def test_two_processes_make_a_move_once(room: Classroom, folder: Path, shared: bool) -> None:
    with room.app.app_context():
        settings(room.children["Mia"], opponents=1, deck="full")
        round_id = matches.start_match(room.children["Mia"])
        background.play_now(round_id)
        seen = rounds.table(round_id, 0).seq
        db.session.rollback()
    context = multiprocessing.get_context("spawn")
    gate, answers = context.Barrier(2), context.Queue()
    given = (str(folder), round_id, [("tap", seen, shared)], gate, answers)
    processes = [context.Process(target=tap_in_a_process, args=given) for _ in range(2)]
    for process in processes:
        process.start()
    found = Counter(answers.get(timeout=60) for _ in range(2))
    for process in processes:
        process.join(20)
    assert found[("tap", "moved")] == (2 if shared else 1)
    with room.app.app_context():
        assert rounds.seq(round_id) == seen + 1
