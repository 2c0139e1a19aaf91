"""Practice rounds: short, for two, with open hands, and never counted."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import func, select

from classroom.database import db
from classroom.engine import apply, deal, observe, shuffled
from classroom.engine.actions import Ask, Lots
from classroom.engine.checks import check
from classroom.engine.observation import TEACHER, WATCHER
from classroom.games import GAMES
from classroom.games.variants import PRACTICE_SEATS, practice_rules
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import LEVELS
from classroom.models import ChildRound, EvidenceRow, Match, Round
from classroom.services.base.errors import NotFound
from classroom.services.operation import background
from classroom.services.quiz import posing, question_settings
from classroom.services.quiz.question_settings import QuestionChoice
from classroom.services.reports import overview
from classroom.services.table import help, matches, recording, rounds, states
from tests.playing import Classroom, settings


def play_out(round_id: int, child_moves: int = 300) -> None:
    """Play legal moves for the child, and the computer player's at once, until the round is
    over."""
    rng = random.Random(round_id)
    for _ in range(child_moves):
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        if table.over:
            return
        action = rng.choice(table.observation.legal)
        rounds.play(round_id, 0, action, f"k{table.seq}", table.seq)
    raise AssertionError("the practice round does not end")


def rows(model: type[ChildRound] | type[EvidenceRow]) -> int:
    return db.session.scalar(select(func.count()).select_from(model)) or 0


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", GAMES)
def test_a_practice_round_is_short_and_for_two_or_against_the_pond_for_three(game: str) -> None:
    rules = practice_rules(GAMES[game])
    seats = 3 if game == "low_tide" else PRACTICE_SEATS
    assert rules.seats == (seats, seats)
    assert check(rules, seats).lawful
    asks = []
    for seed in range(6):
        rng = random.Random(seed)
        state = deal(rules, seats, 1, shuffled(rules, rng), Lots(rng)).state
        mine = 0
        while not state.over:
            seen = observe(state, state.turn if state.turn is not None else 0)
            action = choose(seen, LEVELS[matches.KINDEST], rng, seed)
            mine += isinstance(action, Ask)
            state = apply(state, action, Lots(rng)).state
        asks.append(mine)
    assert 4 <= sum(asks) / len(asks) <= 30  # 0.5 to 3.5 minutes, at 7 s an ask


def test_a_mixed_game_for_two_is_tried_as_it_is() -> None:
    own = GAMES["classic"].rules.changed({"book.size": 2, "lucky": "ends"})
    assert practice_rules(GAMES["classic"], own).lucky == "ends"
    broken = GAMES["classic"].rules.changed({"deal": {"default": 5}, "book.size": 3})
    assert practice_rules(GAMES["classic"], broken) == practice_rules(GAMES["classic"])


def test_nothing_of_a_practice_round_counts(mia: int) -> None:
    for game in ("classic", "wish_pairs", "make_ten"):
        round_id = matches.start_practice(mia, game)
        help.opened_board(round_id, 0)
        help.hint(round_id, 0)
        play_out(round_id)
    assert rows(ChildRound) == rows(EvidenceRow) == 0
    assert recording.books_made_by(mia) == {}
    assert overview.rounds_of(mia) == ()
    assert matches.current_round(mia) is None


def test_no_question_comes_in_a_practice_round(
    room: Classroom, mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    question_settings.write(None, "class", room.class_id, QuestionChoice("every_turn"))
    monkeypatch.setattr(posing, "suits", lambda *_, **__: True)
    monkeypatch.setattr(posing, "due_question", lambda *_, **__: "chosen")
    settings(mia, opponents=1)
    assert posing.put(matches.start_match(mia, "classic"), mia, 0, seen=0) is not None
    assert posing.put(matches.start_practice(mia, "classic"), mia, 0, seen=0) is None


def test_the_same_round_in_earnest_does_count(mia: int) -> None:
    settings(mia, opponents=1)
    play_out(matches.start_match(mia, "classic"))
    assert rows(ChildRound) == 1
    assert rows(EvidenceRow) > 0
    assert recording.books_made_by(mia)


def test_home_does_not_lead_back_to_a_practice_round(mia: int) -> None:
    real = matches.start_match(mia, "classic")
    trial = matches.start_practice(mia, "classic")
    assert matches.current_round(mia) == real != trial
    assert matches.sit_down(mia, "classic") == real


def test_the_child_begins_and_plays_with_one_kind_player(mia: int) -> None:
    settings(mia, opponents=3, level="pike", hints=False)
    table = rounds.table(matches.start_practice(mia, "classic"), 0)
    assert table.practice
    assert table.my_turn
    assert [player.level for player in table.players] == [None, matches.KINDEST]
    assert not table.hints  # the child's settings hold here too


def test_two_taps_are_one_practice_round_and_the_next_one_replaces_it(mia: int) -> None:
    first = matches.start_practice(mia, "classic")
    assert matches.start_practice(mia, "classic") == first
    other = matches.start_practice(mia, "make_ten")
    assert other != first
    assert db.session.scalars(select(Round.id)).all() == [other]
    assert db.session.scalars(select(Match.practice)).all() == [True]


def test_after_a_practice_round_the_game_is_played_in_earnest(mia: int) -> None:
    round_id = matches.start_practice(mia, "rank_pairs")
    play_out(round_id)
    table = rounds.table(round_id, 0)
    settings(mia, opponents=3)
    ways = {matches.next_round(table.match_id, mia, after=1) for _ in range(2)}
    (way,) = ways
    earnest = rounds.table(way, 0)
    assert (earnest.practice, earnest.game, len(earnest.players)) == (False, "rank_pairs", 4)
    assert rows(ChildRound) == 1


def test_an_unknown_game_cannot_be_tried(mia: int) -> None:
    with pytest.raises(NotFound):
        matches.start_practice(mia, "poker")


# ---- open hands


def test_in_practice_only_the_child_sees_the_computer_players_cards(mia: int) -> None:
    round_id = matches.start_practice(mia, "classic")
    state = states.read(round_id).state
    assert rounds.table(round_id, 0).open_hands == (None, observe(state, 1).hand)
    for viewer in (1, WATCHER, TEACHER):
        assert rounds.table(round_id, viewer).open_hands == ()


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_is_not_for_practice_never_has_open_hands(mia: int, game: str) -> None:
    round_id = matches.start_match(mia, game)
    for viewer in (0, 1, WATCHER, TEACHER):
        table = rounds.table(round_id, viewer)
        assert not table.practice
        assert table.open_hands == ()
