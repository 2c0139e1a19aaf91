"""How good an ask was, given what the asker could know: certain catches, hopeless asks, never
luck."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classroom.engine.actions import Ask, Show
from classroom.engine.observation import observe
from classroom.engine.round import apply
from classroom.engine.state import State
from classroom.minds.judge import Judgement, judge
from tests.engine.tabletop import dealt, rules_of
from tests.minds.deals import agreeing, tiny

CLASSIC = rules_of("classic", deal={"default": 3})


def ask(state: State, target: int, class_: str) -> State:
    return apply(state, Ask(target, class_)).state


def judged(state: State, target: int, class_: str) -> Judgement:
    """The judgement of an ask by the seat to move."""
    assert state.turn is not None
    judgement = judge(observe(state, state.turn), Ask(target, class_))
    assert judgement is not None
    return judgement


def table() -> State:
    """Four seats, and a pond without a lucky card for a while. Seat 1 begins."""
    hands = ("2C 2D 2H", "7C 8C 9C", "3C 3D 5C", "7H 4C 4D")
    return dealt(CLASSIC, 4, *hands, top="KH QD JC TS AH KD QC JS").state


def heard() -> State:
    """Seat 1 asked seat 2 for sevens and went fishing; seat 2 has the turn."""
    return ask(table(), 2, "7")


def test_nothing_is_certain_before_the_first_ask() -> None:
    judgement = judged(table(), 2, "7")
    assert not judgement.available
    assert not judgement.taken
    assert judgement.catch_target is judgement.catch_class is None
    assert judgement.lag_asks is judgement.lag_moves is None
    assert judgement.proof == ()
    assert not judgement.hopeless
    assert judgement.chance is not None
    assert judgement.best_chance is not None
    assert 0 < judgement.chance <= judgement.best_chance < 1


def test_a_certain_catch_is_known_since_the_ask_that_gave_it_away() -> None:
    state = ask(heard(), 0, "3")  # seat 2 goes fishing too
    state = ask(state, 0, "4")  # so does seat 3, which holds a seven and does not use it
    state = ask(state, 3, "2")  # seat 0
    state = ask(state, 2, "7")  # seat 1 asks again: known to have a seven since its first ask
    state = ask(state, 0, "3")
    assert state.turn == 3
    judgement = judged(state, 1, "7")
    assert judgement.available
    assert judgement.taken
    assert (judgement.catch_target, judgement.catch_class) == (1, "7")
    assert judgement.proof[0] == 1
    assert judgement.lag_moves == state.seq - 1
    assert judgement.lag_asks == state.seq - 1
    assert judgement.chance == judgement.best_chance == 1
    assert not judgement.first_hand  # it was others who spoke
    assert not judgement.overlap


def test_a_catch_proved_by_counting_is_dated_by_the_last_count() -> None:
    """No ask was about aces, but the last card of the pond is a two, so seat 1 has the ace."""
    small = tiny(deal=7, deck_ranks="A2345")
    state = dealt(small, 2, "2C 2D AC AD 3C 4C 5C", "AH 3D 3H 4D 4H 5D 5H", dealer=1).state
    before = judged(state, 1, "A")
    assert not before.taken
    sure = judged(state, 1, "3")  # one of two threes remains, after one card of the pond
    assert (sure.taken, sure.proof, sure.lag_moves) == (True, (0,), 0)
    state = ask(state, 1, "2")  # a lucky card, and the pond is empty
    after = judged(state, 1, "A")
    assert (after.taken, after.proof, after.lag_asks) == (True, (0, 1), 0)
    assert not after.hopeless
    state = ask(state, 1, "3")
    later = judged(state, 1, "A")
    assert (later.proof, later.lag_moves, later.lag_asks) == ((0, 1), 1, 1)


def test_the_moves_of_a_count_are_those_that_made_it() -> None:
    """Seat 1 has eight of nine cards and no book, so the one in the pond is a three."""
    small = rules_of("classic", deck_ranks="A234", deal={"default": 7})
    state = dealt(small, 2, "AC AD 2C 2D 2H 4C 4D", "3C 3D 3H AH 2S 4H 4S", top="AS 3S").state
    state = ask(state, 0, "3")  # seat 1 fishes something
    for class_ in "A24":
        judgement = judged(state, 1, class_)
        assert judgement.taken
        assert max(judgement.proof) == state.seq == 1
        assert judgement.lag_moves == 0
        assert not judgement.first_hand
    assert judged(ask(state, 1, "A"), 1, "4").lag_moves == 1


def test_a_certain_catch_that_was_not_taken_is_judged_as_missed() -> None:
    state = ask(ask(heard(), 0, "3"), 0, "4")
    state = ask(ask(ask(state, 3, "2"), 2, "7"), 0, "3")
    judgement = judged(state, 0, "4")
    assert judgement.available
    assert not judgement.taken
    assert judgement.catch_class == "7"
    assert judgement.best_chance == 1


def test_a_catch_that_was_lost_again_is_no_longer_certain() -> None:
    state = ask(heard(), 0, "3")
    state = ask(state, 1, "7")  # seat 3 takes the seven of seat 1
    assert state.turn == 3
    judgement = judged(state, 1, "7")
    assert not judgement.available
    assert judgement.hopeless
    assert judgement.stale  # it had been there
    assert judgement.repeated  # it was this very ask that took it


def test_a_catch_is_first_hand_if_the_asker_took_part_in_all_of_it() -> None:
    two = dealt(CLASSIC, 2, "2C 3C 4C", "7C 8C 9C", top="KH 7H KD").state
    state = ask(two, 0, "7")  # seat 0 itself was asked
    state = ask(state, 1, "2")  # it fishes a seven
    state = ask(state, 0, "8")
    judgement = judged(state, 1, "7")
    assert judgement.taken
    assert judgement.first_hand
    assert judgement.proof == (1,)
    assert judgement.lag_asks == 2


def test_two_seats_that_asked_for_one_class_overlap() -> None:
    hands = ("2C 2D 7S", "7C 8C 9C", "7D 3C 5C", "7H 4C 4D")
    state = dealt(CLASSIC, 4, *hands, top="KH QD JC TS AH").state
    state = ask(state, 0, "7")  # seat 1 takes the seven of seat 0
    state = ask(state, 0, "7")  # in vain now
    state = ask(state, 0, "7")  # seat 2 asks for sevens as well
    assert state.turn == 3
    judgement = judged(state, 1, "7")
    assert judgement.taken
    assert judgement.overlap


def test_a_hopeless_and_a_repeated_ask_are_named() -> None:
    state = heard()
    state = ask(state, 1, "3")  # seat 1 says go fish to threes
    again = replace(state, active=2)  # as if seat 2 had the turn at once
    judgement = judge(observe(again, 2), Ask(1, "3"))
    assert judgement is not None
    assert judgement.hopeless
    assert judgement.repeated
    assert judgement.chance == 0
    fresh = replace(state, active=3)
    other = judge(observe(fresh, 3), Ask(2, "4"))
    assert other is not None
    assert not other.hopeless
    assert not other.repeated


def test_an_ask_is_no_longer_hopeless_once_the_other_took_a_card() -> None:
    state = ask(heard(), 1, "3")
    for target, class_ in ((0, "4"), (1, "2"), (0, "7")):
        state = ask(state, target, class_)
    assert state.turn == 2
    judgement = judged(state, 1, "3")  # seat 1 drew a card since
    assert not judgement.hopeless
    assert not judgement.repeated


def test_only_asks_are_judged() -> None:
    observation = observe(heard(), 2)
    assert judge(observation, Show(True)) is None


@pytest.mark.parametrize("seats", [2, 3])
def test_luck_never_counts(seats: int) -> None:
    """The judgement is the same in all deals that agree with what the asker saw."""
    rules, compared = tiny(), 0
    for seed in range(4):
        for _, true, same in agreeing(rules, seats, seed % seats, seed):
            if true.turn != seed % seats:
                continue
            ask_ = observe(true, true.turn).legal[0]
            judgement = judge(observe(true, true.turn), ask_)
            for state in same[:: max(len(same) // 8, 1)]:
                assert judge(observe(state, true.turn), ask_) == judgement
                compared += 1
    assert compared > 40
