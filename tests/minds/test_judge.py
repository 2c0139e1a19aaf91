"""What an ask shows of its asker's memory: certain catches, hopeless asks, never luck."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classroom.engine.actions import Ask
from classroom.engine.observation import Observation, observe
from classroom.engine.round import apply
from classroom.engine.state import State
from classroom.minds.board import Support
from classroom.minds.judge import Fact, Judgement, board_for, judge, lag_asks
from classroom.minds.memory.perfect_memory import remember
from classroom.minds.playing.forgetting import Fading
from classroom.minds.playing.thoughts import Mind, thoughts
from tests.engine.tabletop import dealt, rules_of
from tests.minds.deals import agreeing, tiny

CLASSIC = rules_of("classic", deal={"default": 3})
FORGETS_NOTHING = Fading(span=None, decay=0.0, blur=0.0)


def ask(state: State, target: int, class_: str) -> State:
    return apply(state, Ask(target, class_)).state


def view(state: State) -> Observation:
    """The table as the seat to move sees it."""
    assert state.turn is not None
    return observe(state, state.turn)


def judged(state: State) -> Judgement:
    """What the seat to move could know."""
    return judge(view(state), remember(view(state)))


def lag_of(state: State, target: int, class_: str) -> int:
    """How many asks ago this certain catch became known."""
    (fact,) = (f for f in judged(state).certain if (f.target, f.class_) == (target, class_))
    return lag_asks(view(state), fact)


def table() -> State:
    """Four seats, and a pond without a lucky card for a while. Seat 1 begins."""
    hands = ("2C 2D 2H", "7C 8C 9C", "3C 3D 5C", "7H 4C 4D")
    return dealt(CLASSIC, 4, *hands, top="KH QD JC TS AH KD QC JS").state


def heard() -> State:
    """Seat 1 asked seat 2 for sevens and went fishing; seat 2 has the turn."""
    return ask(table(), 2, "7")


def later() -> State:
    """Seat 3 has the turn and has known since the first of six asks that seat 1 has a seven."""
    state = ask(heard(), 0, "3")  # seat 2 goes fishing too
    state = ask(state, 0, "4")  # so does seat 3, which holds a seven and does not use it
    state = ask(state, 3, "2")  # seat 0 asks
    state = ask(state, 2, "7")  # seat 1 asks again
    state = ask(state, 0, "3")
    assert (state.turn, state.seq) == (3, 6)
    return state


# ---- certain and hopeless asks


def test_nothing_is_certain_or_hopeless_before_anybody_spoke() -> None:
    assert judged(table()) == Judgement(asks=9, certain=(), hopeless=())


def test_a_certain_catch_is_known_since_the_ask_that_gave_it_away() -> None:
    state = later()
    assert judged(state).certain == (Fact(1, "7", since=1),)
    assert lag_of(state, 1, "7") == state.seq


def test_the_newest_ask_is_one_ask_ago() -> None:
    state = ask(heard(), 0, "3")
    assert view(state).hand == ("4C", "4D", "7H")
    assert lag_of(state, 1, "7") == 2
    assert lag_asks(view(state), Fact(2, "3", since=2)) == 1


def test_a_catch_proved_by_counting_is_dated_by_the_last_count() -> None:
    """No ask was about aces, but the last card of the pond is a two, so seat 1 has the ace."""
    small = tiny(deal=7, deck_ranks="A2345")
    state = dealt(small, 2, "2C 2D AC AD 3C 4C 5C", "AH 3D 3H 4D 4H 5D 5H", dealer=1).state
    assert Fact(1, "3", since=0) in judged(state).certain  # the pond has only one card
    assert all(fact.class_ != "A" for fact in judged(state).certain)
    state = ask(state, 1, "2")  # a lucky one, and the pond is empty
    assert Fact(1, "A", since=1) in judged(state).certain
    assert lag_of(state, 1, "A") == 1
    state = ask(state, 1, "3")
    assert Fact(1, "A", since=1) in judged(state).certain
    assert lag_of(state, 1, "A") == 2


def test_a_count_is_known_since_the_move_that_made_it() -> None:
    """Seat 1 has eight of the nine unseen cards and no book, so the one in the pond is a three."""
    small = rules_of("classic", deck_ranks="A234", deal={"default": 7})
    state = dealt(small, 2, "AC AD 2C 2D 2H 4C 4D", "3C 3D 3H AH 2S 4H 4S", top="AS 3S").state
    state = ask(state, 0, "3")  # seat 1 fishes something
    assert {(fact.class_, fact.since) for fact in judged(state).certain} == {
        ("A", 1), ("2", 1), ("4", 1)
    }  # fmt: skip


def test_a_catch_that_was_lost_again_is_hopeless() -> None:
    state = ask(ask(heard(), 0, "3"), 1, "7")  # seat 3 takes the seven of seat 1
    assert state.turn == 3
    assert judged(state).certain == ()
    assert Fact(1, "7", since=3) in judged(state).hopeless


def test_a_seat_that_said_go_fish_is_hopeless_until_it_takes_a_card() -> None:
    state = ask(heard(), 1, "3")  # seat 1 has no threes
    again = replace(state, active=2)  # as if seat 2 had the turn at once
    assert judged(again).hopeless == (Fact(1, "3", since=2),)
    for target, class_ in ((0, "4"), (2, "2"), (0, "7")):
        state = ask(state, target, class_)
    assert state.turn == 2
    assert judged(state).hopeless == ()  # seat 1 went fishing since


def test_the_certain_catch_that_is_easiest_to_prove_comes_first() -> None:
    hands = ("7H 4D 9S", "7C 8C 9C", "3C 3D 5C", "7D 4C 8D")
    state = dealt(CLASSIC, 4, *hands, top="KH QD JC TS AH KD").state
    state = ask(ask(state, 2, "9"), 0, "3")  # seat 1 has nines and seat 2 threes, as all heard
    state = ask(ask(state, 1, "7"), 1, "4")  # seat 3 catches a seven of seat 1, then misses
    observation = view(state)
    proofs = [
        len(remember(observation).proof(fact.target, fact.class_)) for fact in judged(state).certain
    ]
    assert len(proofs) > 1
    assert proofs == sorted(proofs)
    assert proofs[0] < proofs[-1]


@pytest.mark.parametrize(("facts", "tells"), [(0, False), (1, True), (2, True), (3, False)])
def test_an_ask_tells_nothing_where_every_ask_or_none_would_have_done(
    facts: int, tells: bool
) -> None:
    some = tuple(Fact(1, str(rank), since=1) for rank in range(facts))
    assert Judgement(asks=3, certain=some, hopeless=()).tells(some) is tells


@pytest.mark.parametrize("seats", [2, 3])
def test_luck_never_counts(seats: int) -> None:
    """The judgement is the same in other deals that agree with what the asker saw."""
    rules, compared = tiny(), 0
    for seed in range(4):
        for _, true, same in agreeing(rules, seats, seed % seats, seed):
            if true.turn != seed % seats:
                continue
            for state in same[:: max(len(same) // 8, 1)]:
                assert judged(state) == judged(true)
                compared += 1
    assert compared > 40


# ---- what could be looked up


@pytest.mark.parametrize(
    ("support", "since", "looked", "found"),
    [
        ("off", [1], 6, "off"),
        ("open", [], 6, "off"),
        ("open", [1], -1, "open"),  # six asks are on the line
        ("fading", [4], -1, "fading"),
        ("fading", [3], -1, "closed"),
        ("fading", [3], 6, "closed"),  # it shows no more to those who open it
        ("fading", [3, 5], -1, "fading"),  # one of them is enough
        ("peek", [6], -1, "closed"),
        ("peek", [4], 3, "closed"),  # looked before it became known
        ("peek", [4], 4, "peek"),
        ("peek", [2, 5], 3, "peek"),
    ],
)
def test_a_fact_can_be_looked_up_on_the_line_or_on_an_opened_board(
    support: Support, since: list[int], looked: int, found: str
) -> None:
    assert board_for(view(later()), since, support, looked, {}) == found


def test_a_fact_older_than_the_line_needs_a_look_at_the_open_board() -> None:
    state = ask(later(), 2, "4")
    assert board_for(view(state), [1], "open", -1, {}) == "closed"
    assert board_for(view(state), [1], "open", 1, {}) == "peek"


def test_a_thought_of_the_same_ask_tells_it_again() -> None:
    """Some seeds have seat 2 think aloud, before its second ask, of an ask of seat 1."""
    observation, told = view(later()), 0
    for seed in range(200):
        minds = {2: Mind(FORGETS_NOTHING, seed)}
        about = {thought.asker for thought in thoughts(observation, minds, 1)}
        found = board_for(observation, [1], "peek", -1, minds)
        assert found == ("peek" if 1 in about else "closed")
        told += 1 in about
    assert told > 5
