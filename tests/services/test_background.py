"""Computer players move as children do, see no hidden cards, and never move twice."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select

from classroom.database import connect_to, db, write_unit
from classroom.engine import deal, observe
from classroom.minds.playing.forgetting import LEVELS
from classroom.models import Move, Player, Round, SkillWindow
from classroom.services.base import notices
from classroom.services.operation import background, health
from classroom.services.table import evidence_log, matches, rounds, stand_ins, states
from tests import databases
from tests.conftest import make_app
from tests.learning.rows import row
from tests.playing import Classroom, fill, settings
from tests.world import World


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def log(round_id: int) -> list[tuple[int, int, str]]:
    db.session.rollback()
    wanted = select(Move.seq, Move.seat, Move.played_by).where(Move.round_id == round_id)
    return [tuple(row) for row in db.session.execute(wanted.order_by(Move.seq))]


def waits_for_computer(child_id: int) -> int:
    """Start a round in which a computer player begins. Returns its id."""
    while True:
        round_id = matches.start_match(child_id)
        if rounds.table(round_id, 0).thoughts:
            return round_id


def waits_for_child(round_id: int) -> bool:
    db.session.rollback()
    table = rounds.table(round_id, 0)
    return table.my_turn or table.over


# ---- one move


def test_they_play_until_it_is_a_childs_turn(mia: int) -> None:
    round_id = waits_for_computer(mia)
    moves = background.play_now(round_id)
    assert moves >= 1
    assert waits_for_child(round_id)
    assert [(seq, by) for seq, _, by in log(round_id)] == [
        (seq, "computer") for seq in range(1, moves + 1)
    ]
    assert background.play_now(round_id) == 0


@pytest.mark.parametrize("level", LEVELS)
def test_a_decision_follows_only_from_what_the_seat_saw_and_its_seed(mia: int, level: str) -> None:
    """With other hidden cards, and after a restart, the decision is the same."""
    settings(mia, level=level, opponents=2)
    lots = random.Random(level)
    tried = 0
    for _ in range(4):
        round_id = matches.start_match(mia)
        for _ in range(6):
            live = states.read(round_id)
            player = background.waiting(live.facts, live.state.turn)
            if player is not None:
                decided = background.decide(observe(live.state, player.seat), player, 1)
                for _ in range(3):
                    other = hidden_cards_moved(live, player.seat, lots)
                    if other is not None:
                        tried += 1
                        assert background.decide(other, player, 1) == decided
                assert background.decide(observe(live.state, player.seat), player, 1) == decided
                background.play_one(round_id)
            elif not live.state.over:
                table = rounds.table(round_id, 0)
                action = lots.choice(table.observation.legal)
                rounds.play(round_id, 0, action, f"k{table.seq}", table.seq)
    assert tried > 10


def hidden_cards_moved(live: states.Live, seat: int, lots: random.Random):  # type: ignore[no-untyped-def]
    """The seat's view of the round with two hidden cards swapped, or None if it would notice."""
    seen = observe(live.state, seat)
    known = {*seen.hand, *(card for books in seen.books for book in books for card in book or ())}
    hidden = [card for card in live.facts.deck if card not in known]
    for _ in range(10):
        if len(hidden) < 2:
            return None
        one, two = lots.sample(hidden, 2)
        swap = {one: two, two: one}
        deck = [swap.get(card, card) for card in live.facts.deck]
        rows = states._moves(live.facts.round_id, 0, None)
        try:
            start = deal(live.facts.rules, len(live.facts.players), live.facts.dealer, deck).state
            state = start
            for row in rows:
                state = states.replayed(state, [(row.action, row.chance)])
        except ValueError:
            continue
        if observe(state, seat) == seen:
            return observe(state, seat)
    return None


def test_two_workers_at_one_move_make_it_once(room: Classroom, mia: int) -> None:
    round_id = waits_for_computer(mia)
    gate = threading.Barrier(6)
    made: list[bool] = []

    def play() -> None:
        with room.app.app_context():
            gate.wait()
            made.append(background.play_one(round_id))

    threads = [threading.Thread(target=play) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    moves = log(round_id)
    assert [seq for seq, _, _ in moves] == list(range(1, len(moves) + 1))
    assert len(made) == 6


def test_the_seat_of_a_child_who_left_the_class_is_played_while_another_child_waits(
    mia: int, ben: int
) -> None:
    round_id = waits_for_computer(mia)
    with write_unit():
        for row in db.session.scalars(select(Player)):
            row.level = None  # neither child nor computer player, as after a child has left
    assert stand_ins.patience(states.read(round_id)) == 0
    assert background.play_now(round_id) >= 1
    assert {by for _, _, by in log(round_id)} == {"stand_in"}


# ---- the worker


@pytest.fixture
def worker(room: Classroom):  # type: ignore[no-untyped-def]
    started: list[background.Worker] = []

    def start(pace: float = 0.0) -> background.Worker:
        started.append(background.Worker(room.app.app_context, pace).start())
        return started[-1]

    yield start
    for each in started:
        each.stop()
        assert not each._thread.is_alive()


def test_it_plays_rounds_that_waited_before_it_started(mia: int, worker) -> None:  # type: ignore[no-untyped-def]
    waiting = [waits_for_computer(mia) for _ in range(3)]
    worker()
    until(lambda: all(waits_for_child(round_id) for round_id in waiting))


def test_it_plays_as_soon_as_a_child_has_moved(mia: int, worker) -> None:  # type: ignore[no-untyped-def]
    worker()
    round_id = matches.start_match(mia)
    for _ in range(200):
        until(lambda: waits_for_child(round_id))
        table = rounds.table(round_id, 0)
        if table.over:
            break
        rounds.play(round_id, 0, table.observation.legal[0], f"k{table.seq}", table.seq)
    assert rounds.table(round_id, 0).over
    moves = log(round_id)
    assert [seq for seq, _, _ in moves] == list(range(1, len(moves) + 1))
    assert all((by == "child") == (seat == 0) for _, seat, by in moves)


def test_it_keeps_a_pace_that_a_child_can_follow(mia: int, worker) -> None:  # type: ignore[no-untyped-def]
    worker(pace=0.3)
    round_id = waits_for_computer(mia)
    began = time.monotonic()
    until(lambda: len(log(round_id)) == 1)
    assert time.monotonic() - began >= 0.25


def test_a_reminder_neither_hurries_nor_delays_it(mia: int, worker) -> None:  # type: ignore[no-untyped-def]
    worker(pace=0.4)
    round_id = waits_for_computer(mia)
    began = time.monotonic()
    while not log(round_id):
        background.remind(rounds.table(round_id, 0))
        assert time.monotonic() - began < 20
    moved = db.session.scalar(select(func.min(Move.at)).where(Move.round_id == round_id))
    assert moved - db.session.get_one(Round, round_id).started_at >= 0.35


def test_it_leaves_a_table_of_children_alone_until_something_changes(
    room: Classroom,
    worker,
    monkeypatch: pytest.MonkeyPatch,  # type: ignore[no-untyped-def]
) -> None:
    looks: list[int] = []
    look = background._look
    monkeypatch.setattr(background, "_look", lambda number: (looks.append(number), look(number))[1])
    with write_unit():
        round_id = matches.together(room.class_id, "classic", list(room.children.values()))
    started = worker()
    until(lambda: started._patience.get(round_id, 0.0) > 0)  # the worker knows who is there
    assert len(looks) == 1
    for _ in range(5):
        seat = rounds.table(round_id, 0).observation.turn
        table = rounds.table(round_id, seat)
        rounds.play(round_id, seat, table.observation.legal[0], f"k{table.seq}", table.seq)
    time.sleep(0.2)
    assert len(looks) == 1
    notices.tables(room.class_id)
    until(lambda: len(looks) == 2)


def test_evidence_is_counted_in_the_background(
    mia: int,
    worker,  # type: ignore[no-untyped-def]
) -> None:
    with write_unit():
        evidence_log.append(mia, [row(at=n, round_id=None) for n in range(evidence_log.MANY)])
    assert evidence_log.stored_of([mia])[mia].new
    worker()
    until(lambda: db.session.rollback() or not evidence_log.stored_of([mia])[mia].new)


def test_a_child_who_cannot_be_counted_does_not_stop_the_others(
    mia: int,
    ben: int,
    worker,  # type: ignore[no-untyped-def]
) -> None:
    shown = [row(right=n % 2 > 0, at=n, round_id=None) for n in range(evidence_log.MANY)]
    with write_unit():
        db.session.add(SkillWindow(child_id=mia, skill=shown[0].skill, window={}))
        for child_id in (mia, ben):
            evidence_log.append(child_id, shown)
    worker()
    until(lambda: db.session.rollback() or not evidence_log.stored_of([ben])[ben].new)
    assert evidence_log.behind() == [mia]


def test_rounds_that_moved_in_another_process_are_found(
    mia: int,
    worker,
    monkeypatch: pytest.MonkeyPatch,  # type: ignore[no-untyped-def]
) -> None:
    monkeypatch.setattr(background, "SCAN_SECONDS", 0.05)
    worker()
    with monkeypatch.context() as patch:
        patch.setattr("classroom.hub.Hub.tell", lambda *_: None)  # without a notice
        round_id = waits_for_computer(mia)
        until(lambda: waits_for_child(round_id))


def test_a_move_that_fails_is_tried_again_and_names_no_card(
    mia: int,
    worker,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,  # type: ignore[no-untyped-def]
) -> None:
    choose, failed = background.choose, []

    def stumbles(*args: object) -> object:
        if not failed:
            failed.append(True)
            raise ValueError(f"holding {args[0].hand}")  # type: ignore[attr-defined]
        return choose(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(background, "choose", stumbles)
    with caplog.at_level(logging.ERROR):
        round_id = waits_for_computer(mia)
        worker()
        until(lambda: waits_for_child(round_id))
    assert "ValueError" in caplog.text
    assert "holding (" not in caplog.text


def test_a_round_that_fails_for_a_whole_night_does_not_stop_the_others(
    room: Classroom,
    mia: int,
    worker,
    monkeypatch: pytest.MonkeyPatch,  # type: ignore[no-untyped-def]
) -> None:
    broken, look = waits_for_computer(mia), background._look

    def fails(round_id: int) -> object:
        if round_id == broken:
            raise ValueError
        return look(round_id)

    monkeypatch.setattr(background, "_look", fails)
    each = background.Worker(room.app.app_context, 0.0)
    each._failed[broken] = 2_000
    each._play(broken)
    assert each._due[broken] <= time.monotonic() + background.LONGEST_DELAY
    waiting = waits_for_computer(mia)
    worker()
    until(lambda: waits_for_child(waiting))


def test_it_silently_skips_a_round_that_was_removed_with_its_child(
    mia: int,
    worker,  # type: ignore[no-untyped-def]
    caplog: pytest.LogCaptureFixture,
) -> None:
    gone, later = waits_for_computer(mia), waits_for_computer(mia)
    with write_unit():
        db.session.delete(db.session.get_one(Round, gone))
    started = worker(pace=0.2)
    started._hear(gone, 1)
    until(lambda: waits_for_child(later) and gone not in started._due)
    assert gone not in started._failed
    assert "skipped" not in caplog.text


def test_it_stops_at_once_and_leaves_nothing_behind(room: Classroom, mia: int) -> None:
    waits_for_computer(mia)
    worker = background.Worker(room.app.app_context, pace=60.0).start()
    began = time.monotonic()
    worker.stop()
    assert time.monotonic() - began < 20  # without waiting for the pace
    assert not worker._thread.is_alive()


def test_it_plays_on_when_another_database_replaces_its_own(
    room: Classroom,
    mia: int,
    worker,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    migrated: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "SCAN_SECONDS", 0.05)
    worker()
    other = fill(make_app(tmp_path / "other", migrated))
    with other.app.app_context():
        fresh = db.engine
    db.session.rollback()
    before = connect_to(fresh)
    round_id = waits_for_computer(other.children["Mia"])
    until(lambda: waits_for_child(round_id))
    before.dispose()  # the new database is the room's now


# ---- several processes


def test_a_worker_that_does_not_lead_makes_no_move_until_it_does(mia: int, worker) -> None:  # type: ignore[no-untyped-def]
    started = worker()
    until(lambda: started._leads)
    started.lead(False)
    round_id = waits_for_computer(mia)
    time.sleep(0.3)
    assert log(round_id) == []
    began = time.monotonic()
    started.lead(True)
    until(lambda: waits_for_child(round_id))
    assert time.monotonic() - began < background.SCAN_SECONDS  # at once, not at the next scan


def test_only_the_leader_deletes_and_checks_once_a_day(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(health.Tidying, "when_due", lambda _: done.append("tidied"))
    monkeypatch.setattr(health.SealWatch, "go_on", lambda _: done.append("checked"))
    with world.app.app_context():
        health.Watch().look(leads=False)
        assert done == []
        health.Watch().look(leads=True)
    assert done == ["tidied", "checked"]


@pytest.mark.skipif(not databases.SERVER, reason="needs FISH_TEST_POSTGRES")
def test_of_two_workers_on_one_database_the_second_takes_over_when_the_first_ends(
    room: Classroom,
    mia: int,
    worker,  # type: ignore[no-untyped-def]
) -> None:
    first, second = worker(), worker()
    until(lambda: first._leads != second._leads)
    time.sleep(1.5)
    assert first._leads != second._leads
    leader, other = (first, second) if first._leads else (second, first)
    leader.stop()
    until(lambda: other._leads, 3)
    round_id = waits_for_computer(mia)
    until(lambda: waits_for_child(round_id))
