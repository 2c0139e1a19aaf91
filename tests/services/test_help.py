"""Hints and looks at the board: given when allowed, and always recorded as help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from classroom.database import db
from classroom.engine.observation import Observation
from classroom.minds import board
from classroom.minds.board import ON_THE_LINE, PEEK_SECONDS, SUPPORTS, Support
from classroom.minds.playing.forgetting import Mind, Thought, episodes
from classroom.models import ChildRound, EvidenceRow, HelpTaken
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, NotNow
from classroom.services.operation import background
from classroom.services.table import help, matches, rounds
from classroom.services.table.rounds import ViewedTable
from classroom.services.table.states import Facts
from tests.playing import settings


def my_turn(child_id: int) -> ViewedTable:
    round_id = matches.start_match(child_id)
    background.play_now(round_id)
    return rounds.table(round_id, 0)


def taken(kind: str) -> list[tuple[int, int]]:
    db.session.rollback()
    rows = db.session.query(HelpTaken).filter_by(kind=kind).order_by(HelpTaken.id)
    return [(row.seq, row.step) for row in rows]


def numbers(table: ViewedTable) -> ChildRound:
    db.session.rollback()
    return db.session.query(ChildRound).filter_by(round_id=table.round_id).one()


def test_hints_climb_the_ladder_step_by_step(mia: int) -> None:
    table = my_turn(mia)
    for step in (1, 2, 3, 4, 5, 5, 5):
        with clock.clock_at(1_000_000.0 + 10 * len(taken("hint")) + step):
            assert help.hint(table.round_id, 0).step == step
    assert taken("hint") == [(table.seq, step) for step in (1, 2, 3, 4, 5)]
    assert numbers(table).hints == 5


def test_fast_taps_do_not_skip_steps_of_the_ladder(mia: int) -> None:
    table = my_turn(mia)
    for moment in (0.0, 0.5, 1.0, 1.4):
        with clock.clock_at(1_000_000.0 + moment):
            assert help.hint(table.round_id, 0).step == 1
    with clock.clock_at(1_000_001.6):
        assert help.hint(table.round_id, 0).step == 2


def test_the_ladder_starts_again_with_each_move(mia: int) -> None:
    table = my_turn(mia)
    for moment in (0.0, 5.0):
        with clock.clock_at(1_000_000.0 + moment):
            help.hint(table.round_id, 0)
    rounds.play(table.round_id, 0, table.observation.legal[0], "k", table.seq)
    background.play_now(table.round_id)
    assert help.hint(table.round_id, 0).step == 1


def test_the_last_step_is_a_legal_action(mia: int) -> None:
    table = my_turn(mia)
    for moment in range(0, 30, 5):
        with clock.clock_at(1_000_000.0 + moment):
            hint = help.hint(table.round_id, 0)
    assert hint.action in table.observation.legal


def test_there_are_no_hints_where_they_are_off(mia: int) -> None:
    settings(mia, hints=False)
    table = my_turn(mia)
    with pytest.raises(NotNow, match="no_hints"):
        help.hint(table.round_id, 0)
    assert taken("hint") == []


def test_there_is_no_hint_for_a_move_that_is_not_mine(mia: int) -> None:
    while True:
        table = rounds.table(matches.start_match(mia), 0)
        if not table.my_turn:
            break
    with pytest.raises(NotNow, match="not_your_turn"):
        help.hint(table.round_id, 0)


def test_a_look_at_the_board_is_counted_once_for_each_move(mia: int) -> None:
    table = my_turn(mia)
    for _ in range(3):
        help.opened_board(table.round_id, 0)
    assert taken("board") == [(table.seq, 0)]
    assert numbers(table).peeks == 1


def test_the_board_can_be_opened_while_others_move(mia: int) -> None:
    while True:
        table = rounds.table(matches.start_match(mia), 0)
        if not table.my_turn:
            break
    help.opened_board(table.round_id, 0)
    assert taken("board") == [(0, 0)]


def test_a_board_that_is_off_cannot_be_opened(mia: int) -> None:
    settings(mia, board="off")
    table = my_turn(mia)
    with pytest.raises(NotNow, match="no_board"):
        help.opened_board(table.round_id, 0)
    assert taken("board") == []


def test_each_peek_is_counted_but_two_taps_are_one(mia: int) -> None:
    settings(mia, board="peek")
    table = my_turn(mia)
    for moment in (0.0, 0.4, PEEK_SECONDS, PEEK_SECONDS + 1.0, 2.0 * PEEK_SECONDS):
        with clock.clock_at(1_000_000.0 + moment):
            help.opened_board(table.round_id, 0)
    assert taken("board") == [(table.seq, 0)] * 3
    assert numbers(table).peeks == 3


def test_a_replay_shows_help_once_and_only_in_its_round(mia: int) -> None:
    my_turn(mia)
    table = my_turn(mia)
    help.hint(table.round_id, 0)
    help.opened_board(table.round_id, 0)
    assert help.taken(table.round_id) == {table.seq + 1: ((0, 1, 1),)}


@pytest.mark.parametrize("ask", [help.hint, help.opened_board])
def test_help_in_an_unknown_round_is_not_found(mia: int, ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NotFound):
        ask(999, 0)


def test_an_ask_after_help_is_aided_and_without_it_is_not(mia: int, whole: bool) -> None:
    """In whole rounds, the rows must follow from the help that was taken."""
    settings(mia, board="off", opponents=2, deck="small")
    helped: set[tuple[int, int]] = set()
    for number in range(12 if whole else 4):
        round_id = matches.start_match(mia)
        while True:
            background.play_now(round_id)
            table = rounds.table(round_id, 0)
            if table.over:
                break
            if number % 2:
                for moment in range(0, 15, 5):
                    with clock.clock_at(clock.now() + moment):
                        help.hint(round_id, 0)
                helped.add((round_id, table.seq + 1))
            rounds.play(round_id, 0, table.observation.legal[-1], f"k{table.seq}", table.seq)
    rows = db.session.query(EvidenceRow).all()
    assert {row.aided for row in rows} == {True, False}
    for row in rows:
        assert row.board == "off" or (row.board == "hint" and row.round_id in dict(helped))
        assert row.aided == ((row.round_id, row.seq) in helped)
        assert row.hint_step == (3 if row.aided else 0)


@pytest.mark.walk(2)
@pytest.mark.parametrize("support", SUPPORTS)
def test_a_fact_that_could_be_looked_up_does_not_count_as_remembered(
    mia: int, support: Support, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    """A fact in the line above the pond, or on the board when it was opened, counts as aided."""
    monkeypatch.setattr(Facts, "minds_heard", lambda *_: {})  # nothing else tells the fact
    settings(mia, board=support, opponents=3, deck="full")
    looked: dict[int, list[int]] = {}
    for number in range(6 if whole else 3):
        round_id = matches.start_match(mia)
        while True:
            background.play_now(round_id)
            table = rounds.table(round_id, 0)
            if table.over:
                break
            if support != "off" and number % 2 and table.seq % 3 == 0:
                help.opened_board(round_id, 0)
                looked.setdefault(round_id, []).append(table.seq)
            rounds.play(round_id, 0, table.observation.legal[-1], f"k{table.seq}", table.seq)
    rows = db.session.query(EvidenceRow).all()
    assert {row.board for row in rows} == POSSIBLE[support]
    for row in rows:
        looks = [at for at in looked.get(row.round_id or 0, ()) if at < (row.seq or 0)]
        if ON_THE_LINE[support]:
            assert row.board == support
        elif any(at >= row.item["since"] for at in looks):
            assert row.board == "peek"
        elif not looks:
            assert row.board == ("off" if support == "off" else "closed")
        assert row.aided == (row.board not in ("closed", "off"))


POSSIBLE = {
    "open": {"open"},
    "peek": {"peek", "closed"},
    "fading": {"fading"},
    "off": {"off"},
}


def test_computer_players_think_aloud_only_if_the_board_is_on(mia: int) -> None:
    heard = {}
    for support in SUPPORTS:
        settings(mia, board=support, opponents=3, level="pike")
        heard[support] = sum(len(table.aloud) for table in played_tables(mia, 1))
    assert heard["off"] == 0
    assert min(count for support, count in heard.items() if support != "off") > 0


def test_a_fact_that_was_thought_aloud_does_not_count_as_remembered(
    mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If every earlier ask were repeated aloud, nothing would count as remembered alone."""
    settings(mia, board="peek", opponents=3, deck="full")
    list(played_tables(mia))
    alone = db.session.query(EvidenceRow).filter_by(aided=False).count()
    assert alone > 0
    monkeypatch.setattr(board, "thoughts", all_of_it)
    list(played_tables(mia))
    assert db.session.query(EvidenceRow).filter_by(aided=False).count() == alone


def all_of_it(seen: Observation, minds: Mapping[int, Mind], since: int) -> tuple[Thought, ...]:
    return tuple(
        Thought(
            seq=seen.seq + 1, seat=1, about=episode.seq, asker=episode.asker, class_=episode.class_
        )
        for episode in episodes(seen)
        if episode.seq >= since
    )


def played_tables(child_id: int, number: int = 2) -> Iterator[ViewedTable]:
    """The table at each of the child's moves, in rounds played to their end without help."""
    for _ in range(number):
        round_id = matches.start_match(child_id)
        while True:
            background.play_now(round_id)
            table = rounds.table(round_id, 0)
            if table.over:
                break
            yield table
            rounds.play(round_id, 0, table.observation.legal[-1], f"k{table.seq}", table.seq)
