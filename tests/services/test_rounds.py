"""A move: made once, in turn, at the table that the child was looking at, and announced after the
commit."""

from __future__ import annotations

import secrets

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.engine.actions import Action, Ask, IllegalAction
from classroom.engine.observation import TEACHER, WATCHER
from classroom.hub import hub_of
from classroom.models import Move, Round
from classroom.services.base.errors import NotFound, OutOfDate
from classroom.services.operation import background
from classroom.services.table import matches, rounds, states
from classroom.services.table.rounds import ViewedTable
from tests.playing import Classroom, re_deal, settings
from tests.statements import sent_to


def my_turn(child_id: int, game: str = "classic") -> ViewedTable:
    """Start a round and play until it is the child's turn. Returns its table."""
    round_id = matches.start_match(child_id, game)
    background.play_now(round_id)
    return rounds.table(round_id, 0)


def act(
    table: ViewedTable, action: Action | None = None, key: str = "", seen: int | None = None
) -> ViewedTable:
    return rounds.play(
        table.round_id,
        0,
        action or table.observation.legal[0],
        key or secrets.token_hex(8),
        table.seq if seen is None else seen,
    )


def finished(child_id: int, game: str = "classic") -> ViewedTable:
    table = my_turn(child_id, game)
    while not table.over:
        act(table)
        background.play_now(table.round_id)
        table = rounds.table(table.round_id, 0)
    return table


def log(round_id: int) -> list[Move]:
    db.session.rollback()
    wanted = select(Move).where(Move.round_id == round_id).order_by(Move.seq)
    return list(db.session.scalars(wanted))


# ---- looking


def test_a_table_shows_its_players_and_only_the_viewers_hand(mia: int) -> None:
    table = my_turn(mia)
    assert [player.me for player in table.players] == [True, False, False]
    assert table.players[0].name == "Mia"
    assert table.players[0].child_id == mia
    assert {player.level for player in table.players[1:]} == {"minnow"}
    assert table.observation.viewer == 0
    assert table.observation.hands[0] == table.observation.hand
    assert table.observation.hands[1:] == (None, None)
    assert table.my_turn
    assert table.thoughts == ()


def test_a_computer_player_is_thinking_on_its_turn(mia: int) -> None:
    while True:
        table = rounds.table(matches.start_match(mia), 0)
        if not table.my_turn:
            break
    assert table.thoughts == (table.observation.turn,)


def test_a_watcher_sees_no_hand_and_a_teacher_all(mia: int) -> None:
    round_id = my_turn(mia).round_id
    watched = rounds.table(round_id, WATCHER)
    assert watched.observation.hands == (None, None, None)
    assert (watched.board, watched.hints, watched.seat) == ("off", False, None)
    assert all(rounds.table(round_id, TEACHER).observation.hands)


def test_none_is_not_a_viewer(mia: int) -> None:
    with pytest.raises(TypeError):
        rounds.table(my_turn(mia).round_id, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("round_id", [0, -1, 999])
def test_an_unknown_round_is_not_found(room: Classroom, round_id: int) -> None:
    with pytest.raises(NotFound):
        rounds.table(round_id, 0)
    with pytest.raises(NotFound):
        rounds.seq(round_id)
    with pytest.raises(NotFound):
        rounds.play(round_id, 0, Ask(1, "7"), "k", 0)


def test_a_child_has_a_seat_in_its_own_rounds_only(mia: int, ben: int) -> None:
    round_id = matches.start_match(mia)
    assert rounds.seat_of(round_id, mia) == 0
    assert rounds.seat_of(round_id, ben) is None
    assert rounds.seat_of(999, mia) is None


# ---- playing


def test_a_move_is_in_the_log_when_it_is_answered(mia: int) -> None:
    table = my_turn(mia)
    action = table.observation.legal[0]
    after = act(table, action, "tap")
    moves = log(table.round_id)
    assert [move.seq for move in moves] == list(range(1, after.seq + 1))
    assert (moves[-1].seat, moves[-1].key, moves[-1].played_by) == (0, "0:tap", "child")
    assert after.seq == table.seq + 1 == rounds.seq(table.round_id)


def test_two_taps_with_one_key_are_one_move(mia: int) -> None:
    table = my_turn(mia)
    first = act(table, key="tap")
    again = act(table, key="tap")
    assert again == first
    assert len(log(table.round_id)) == first.seq


def test_a_repeated_old_tap_is_answered_with_the_present_table(mia: int) -> None:
    table = my_turn(mia)
    act(table, key="tap")
    background.play_now(table.round_id)
    now = rounds.table(table.round_id, 0)
    assert act(table, key="tap") == now


def test_the_same_key_of_another_seat_is_another_tap(mia: int) -> None:
    table = my_turn(mia)
    act(table, key="c1")
    background.play_now(table.round_id)
    keys = [move.key for move in log(table.round_id)]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("off", [-1, 1, 1000])
def test_a_move_made_on_an_old_table_is_out_of_date(mia: int, off: int) -> None:
    table = my_turn(mia)
    with pytest.raises(OutOfDate) as caught:
        act(table, seen=table.seq + off)
    assert caught.value.facts == {"round_id": table.round_id, "seq": table.seq}
    assert rounds.table(table.round_id, 0) == table


def test_a_seat_that_is_not_to_move_is_refused(mia: int) -> None:
    table = my_turn(mia)
    other = table.players[1].seat
    with pytest.raises(IllegalAction) as caught:
        rounds.play(table.round_id, other, Ask(0, "7"), "k", table.seq)
    assert caught.value.reason == "not_your_turn"


def test_an_illegal_move_changes_nothing(mia: int) -> None:
    table = my_turn(mia)
    mine = {card[0] for card in table.observation.hand}
    missing = next(rank for rank in "A23456789T" if rank not in mine)
    for action in (Ask(1, missing), Ask(0, table.observation.hand[0][0]), Ask(9, "A")):
        with pytest.raises(IllegalAction):
            act(table, action)
    assert rounds.table(table.round_id, 0) == table
    assert len(log(table.round_id)) == table.seq


def test_a_refused_move_can_be_corrected_with_the_same_key(mia: int) -> None:
    table = my_turn(mia)
    with pytest.raises(IllegalAction):
        act(table, Ask(0, "A"), key="tap")
    assert act(table, key="tap").seq == table.seq + 1


def test_a_finished_round_takes_no_move(mia: int) -> None:
    table = finished(mia)
    with pytest.raises(IllegalAction) as caught:
        act(table, Ask(1, "A"))
    assert caught.value.reason == "round_over"


def test_the_end_of_a_round_is_written_in_its_row(mia: int) -> None:
    table = finished(mia)
    row = db.session.get_one(Round, table.round_id)
    assert row.ended_by == table.observation.ended_by
    assert tuple(row.scores or ()) == table.observation.scores
    assert tuple(row.winners or ()) == table.observation.winners
    assert row.moves == table.seq
    assert row.ended_at is not None


def test_a_move_is_announced_after_the_commit_and_never_before(mia: int) -> None:
    table = my_turn(mia)
    heard: list[tuple[int, int, int]] = []

    def hear(round_id: int, seq: int) -> None:
        with db.engine.connect() as other:
            rows = other.execute(select(Move.seq).where(Move.round_id == round_id)).all()
        heard.append((round_id, seq, len(rows)))

    leave = hub_of(db.engine).subscribe(table.round_id, hear)
    after = act(table, key="tap")
    act(table, key="tap")
    leave()
    assert heard == [(table.round_id, after.seq, after.seq)]


def test_a_move_that_fails_half_way_leaves_nothing(
    mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = my_turn(mia)

    def broken(*_: object) -> None:
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr("classroom.services.table.recording.after_move", broken)
        with pytest.raises(RuntimeError):
            act(table, key="tap")
    assert len(log(table.round_id)) == table.seq
    assert rounds.table(table.round_id, 0) == table
    assert act(table, key="tap").seq == table.seq + 1


def test_a_move_of_another_process_makes_a_later_one_out_of_date(
    mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a shared lock, the log itself refuses a second move with the same number."""
    table = my_turn(mia)
    before = states.read(table.round_id)
    act(table, key="first")
    with monkeypatch.context() as patch:
        stale = iter([before])
        read = states.read
        patch.setattr(states, "read", lambda *a, **k: next(stale, None) or read(*a, **k))
        with pytest.raises(OutOfDate):
            act(table, key="second")
        stale = iter([before])
        assert act(table, key="first").seq == table.seq + 1
    assert len(log(table.round_id)) == table.seq + 1


# ---- the kept states


def test_a_restored_database_is_not_answered_from_memory(mia: int) -> None:
    table = my_turn(mia)
    deck = list(db.session.get_one(Round, table.round_id).deck)
    db.session.rollback()
    other = deck[::-1]
    with write_unit():
        db.session.execute(Move.__table__.delete().where(Move.round_id == table.round_id))
    re_deal(table.round_id, deck=other, moves=0)
    seen = rounds.table(table.round_id, TEACHER).observation
    assert seen.seq == 0
    assert {card for hand in seen.hands for card in hand or ()} <= set(other[:15]) | {
        card for books in seen.books for book in books for card in book or ()
    }


def test_a_log_that_was_rolled_back_and_continued_is_folded_again(mia: int) -> None:
    table = my_turn(mia)
    legal = table.observation.legal
    act(table, legal[0], "one")
    with write_unit():
        db.session.execute(Move.__table__.delete().where(Move.seq > table.seq))
    re_deal(table.round_id, moves=table.seq)
    assert rounds.table(table.round_id, 0) == table
    after = act(table, legal[-1], "two")
    assert (
        after.observation.history[len(table.observation.history)].event.class_ == legal[-1].class_
    )  # type: ignore[union-attr]


def test_a_log_with_a_gap_is_never_played_on(mia: int) -> None:
    table = finished(mia)
    with write_unit():
        db.session.execute(Move.__table__.delete().where(Move.seq == table.seq - 2))
    states._shelves.clear()
    with pytest.raises(RuntimeError, match=f"move {table.seq - 2} is missing"):
        rounds.table(table.round_id, 0)


def test_the_kept_states_are_bounded_by_their_moves(
    mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states, "KEPT_MOVES", 100)
    tables = [finished(mia) for _ in range(8)]
    kept = [*states._shelf()._kept.values()]
    assert 1 < len(kept) < len(tables)
    assert sum(len(fold.times) for fold in kept) <= 100
    assert all(rounds.table(table.round_id, 0) == table for table in tables)


def test_a_kept_round_and_one_folded_from_the_log_are_the_same(mia: int) -> None:
    for game in ("classic", "classic_face_down", "colour_pairs", "rank_pairs"):
        table = finished(mia, game)
        kept = rounds.table(table.round_id, TEACHER)
        states._shelves.clear()
        assert rounds.table(table.round_id, TEACHER) == kept


# ---- again


def test_a_finished_round_can_be_shown_at_every_move(mia: int) -> None:
    table = finished(mia)
    for seq in range(table.seq + 1):
        assert rounds.replay(table.round_id, TEACHER, seq).seq == seq
    assert rounds.replay(table.round_id, 0, table.seq).observation == table.observation
    assert rounds.replay(table.round_id, 0, 10**6).seq == table.seq


def test_an_unfinished_round_cannot_be_replayed(mia: int) -> None:
    table = my_turn(mia)
    with pytest.raises(NotFound):
        rounds.replay(table.round_id, TEACHER, 0)


# ---- cost


@pytest.mark.sqlite
def test_an_ask_is_one_transaction_of_few_statements_in_a_round_of_any_length(mia: int) -> None:
    settings(mia, opponents=3, deck="full")
    table = my_turn(mia)
    counts = []
    while not table.over:
        with sent_to(db.engine, begins=True) as seen:
            act(table)
        counts.append(len(seen))
        begun = [text for text in seen if text.startswith("BEGIN")]
        assert begun == ["BEGIN IMMEDIATE"], "the answer needs no second reading"
        background.play_now(table.round_id)
        table = rounds.table(table.round_id, 0)
    assert max(counts) <= 9
