"""Low tide: all against the pond (rules T1 to T9)."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from classroom.engine import legal_actions, observe, scores, winners
from classroom.engine.actions import Ask, Lamp
from classroom.engine.checks import TIDAL, check
from classroom.engine.events import (
    Asked,
    Fished,
    Gave,
    LampLit,
    Lucky,
    RoundOver,
    TideFell,
    TurnPassed,
)
from classroom.engine.observation import WATCHER
from classroom.engine.rules import Rules
from classroom.engine.scoring import after_round, new_match
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.hints import LAST_STEP, hint
from classroom.minds.playing.forgetting import LEVELS, like_me
from tests.engine.positions import position, to_text
from tests.engine.tabletop import (
    LONG,
    LOW_TIDES,
    all_of,
    ask,
    do,
    names,
    only,
    refused,
    rules_of,
    seats_of,
    steps,
)
from tests.engine.test_invariants import check_round
from tests.minds.arena import views

CLASSIC = LOW_TIDES["classic_low_tide"]
TABLE = """
    > 7H 2C / books 3C+3D+3H+3S
    . 7C 7D 9D / books 4C+4D+4H+4S
    . 7S KC KD
"""


def table(rest: str = "stock 5H 6H", text: str = TABLE, rules: Rules = CLASSIC) -> State:
    return position(rules, f"{text} \n {rest}")


def test_T2_every_seat_has_the_books_of_all() -> None:
    assert scores(table()) == observe(table(), 2).scores == (2, 2, 2)


def test_T3_the_tide_falls_after_a_miss_before_any_book() -> None:
    book = table("stock 2D 6H \n tide 7", "> 2C 2H 2S 7H \n . 7C \n . KC")
    step = ask(book, 2, "7")
    assert names(step) == ["Asked", "SaidGoFish", "Fished", "Drew", "TideFell", "LaidBook"] + [
        "TurnPassed"
    ]
    assert only(step, TideFell) == TideFell(audience="all", seat=0, left=6)
    assert observe(step.state, WATCHER).tide == step.state.tide == 6


def test_T3_neither_a_catch_nor_a_wish_lets_it_fall() -> None:
    assert ask(table(), 1, "7").state.tide == 30
    lucky = ask(table("stock 2D 5H"), 2, "2")
    assert only(lucky, Lucky).card == "2D"
    assert (lucky.state.tide, lucky.state.turn) == (30, 0)


def test_T4_with_an_empty_stock_every_miss_lets_it_fall() -> None:
    step = ask(table(""), 2, "2")
    assert names(step) == ["Asked", "SaidGoFish", "TideFell", "TurnPassed"]
    assert step.state.tide == 29


def test_T5_a_full_pond_is_won_by_all() -> None:
    last = table("tide 1", "> 2C 2H 2S \n . 2D \n . ")
    step = ask(last, 1, "2")
    assert (step.state.ended_by, winners(step.state)) == ("all_booked", (0, 1, 2))
    assert only(step, RoundOver).winners == (0, 1, 2)
    assert (step.state.tide, scores(step.state)) == (1, (1, 1, 1))


def test_T6_with_the_last_step_nobody_wins_and_the_books_stay() -> None:
    step = ask(table("stock 5H 6H \n tide 1"), 2, "2")
    assert names(step)[-2:] == ["TideFell", "RoundOver"]
    over = only(step, RoundOver)
    assert (over.ended_by, over.winners, over.scores) == ("tide", (), (2, 2, 2))
    seen = observe(step.state, 1)
    assert (seen.tide, seen.winners, seen.legal) == (0, (), ())
    assert [len(books) for books in seen.books] == [1, 1, 0]


def test_T7_a_round_without_a_winner_is_a_whole_match_too() -> None:
    match = new_match(CLASSIC, 3, dealer=0)
    assert not match.over
    lost = after_round(match, (2, 2, 2), ())
    assert (lost.over, lost.winners, lost.dealer) == (True, (), 1)
    assert after_round(match, (13, 13, 13), (0, 1, 2)).over
    assert not after_round(new_match(rules_of("classic"), 3, dealer=0), (0, 0, 0), ()).over


def test_T8_the_lamp_costs_a_step_and_shines_until_the_turn_passes() -> None:
    step = do(table(), Lamp())
    assert names(step) == ["LampLit", "TideFell"]
    assert only(step, LampLit).seat == 0
    assert (step.state.tide, step.state.turn) == (29, 0)
    for viewer in (0, 2, WATCHER):
        assert observe(step.state, viewer).lamp
    assert not observe(table(), 0).lamp
    assert refused(step.state, Lamp()) == "lamp_lit"
    assert Lamp() not in legal_actions(step.state)
    caught = ask(step.state, 1, "7").state
    assert observe(caught, 1).lamp, "the turn goes on"
    passed = ask(caught, 2, "2").state
    assert not observe(passed, 1).lamp
    assert passed.turn == 1
    assert Lamp() in legal_actions(passed)


def test_T8_the_lamp_cannot_take_the_last_step() -> None:
    last = table("stock 5H \n tide 1")
    assert refused(last, Lamp()) == "last_step"
    assert legal_actions(last)
    assert all(isinstance(action, Ask) for action in legal_actions(last))


def test_T8_there_is_no_lamp_without_a_tide() -> None:
    assert refused(position(Rules(), TABLE), Lamp()) == "not_in_this_game"


def test_a_position_with_a_tide_is_written_and_read() -> None:
    assert to_text(position(CLASSIC, to_text(table("stock 5H \n tide 4")))).endswith("tide 4")
    assert "tide" not in to_text(table())


@pytest.mark.walk(5)
@pytest.mark.parametrize("key", LOW_TIDES)
def test_random_rounds_keep_to_the_rules_and_end(key: str) -> None:
    rules = LOW_TIDES[key]
    ends = set()
    for seed in range(16 * LONG):
        for tide in (rules.end_tide, 5):
            rules = rules.changed({"end.tide": tide})
            ends.add(check_round(rules, seats_of(rules)[seed % 2], seed).ended_by)
    assert "tide" in ends
    assert ends <= {"tide", "all_booked"}


MIXED: dict[str, list[Any]] = {
    "ask.empty_target": ["legal", "illegal"],
    "response": ["all", "one"],
    "turn.next": ["clockwise", "refuser"],
    "book.size": [2, 4],
    "refill.active": [["now", "deal"], ["own_turn", 1], ["never", "deal"], ["now", 3]],
    "refill.passive": [["now", "deal"], ["own_turn", 2], ["never", "deal"]],
    "score.per": ["book", "card"],
    "deck.lost": [0, 0, 2],
    "deal": [{"default": 3}, {"default": 6}],
}


def test_every_mixture_that_goes_with_a_tide_can_be_played_to_its_end() -> None:
    rng, played = random.Random(5), 0
    while played < 60 * LONG:
        rules = LOW_TIDES[rng.choice(list(LOW_TIDES))]
        names_ = rng.sample(list(MIXED), 4)
        rules = rules.changed({name: rng.choice(MIXED[name]) for name in names_})
        if check(rules, 3).lawful:
            check_round(rules, 3, rng.randrange(10**6))
            played += 1


@pytest.mark.walk(5)
@pytest.mark.parametrize("key", LOW_TIDES)
def test_T3_the_tide_falls_once_for_each_miss_without_a_wish_and_each_lamp(key: str) -> None:
    rules = LOW_TIDES[key]
    for seed in range(4 * LONG):
        for (_, before), (_, step) in pairwise(steps(rules, 3, seed)):
            caught = all_of(step.events, Gave) or all_of(step.events, Lucky)
            missed = bool(all_of(step.events, Asked)) and not caught
            lit = bool(all_of(step.events, LampLit))
            assert (
                before.state.tide - step.state.tide
                == missed + lit
                == len(all_of(step.events, TideFell))
            )
            if missed and before.state.stock:
                assert all_of(step.events, Fished)
            if all_of(step.events, TurnPassed):
                assert not observe(step.state, 0).lamp


@pytest.mark.walk(10)
@pytest.mark.parametrize("key", LOW_TIDES)
@pytest.mark.parametrize("level", [*LEVELS.values(), like_me()], ids=lambda level: level.key)
def test_computer_players_and_hints_play_a_round_of_low_tide(key: str, level: Any) -> None:
    rules = LOW_TIDES[key]
    number = 0
    for state, seen in views(rules, [level, None, level], seed=4):
        number += 1
        if number % 5 == 0:
            found = hint(seen, LAST_STEP)
            assert isinstance(found.action, Ask)
            assert found.action in legal_actions(state)
    assert number > 5


def test_the_table_of_what_goes_with_a_tide_names_values_of_the_classic_game() -> None:
    plain = Rules().to_json()
    for key, (values, _) in TIDAL.items():
        value = plain[key]
        assert (tuple(value) if isinstance(value, list) else value) in values
    assert check(GAMES["classic"].rules.changed({"end.tide": 8, "seats": [3, 4]})).lawful
