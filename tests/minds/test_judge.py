"""What an ask shows about its asker's memory: what it heard and could use, never luck."""

from __future__ import annotations

import pytest

from classroom.engine import apply, observe
from classroom.engine.actions import Ask
from classroom.engine.observation import Observation
from classroom.engine.state import State
from classroom.minds.memory.perfect_memory import Fact, Judgement, judge, lag_asks, remember
from tests.engine.tabletop import dealt, rules_of
from tests.minds.deals import agreeing, tiny

CLASSIC = rules_of("classic", deal={"default": 3})


def ask(state: State, target: int, class_: str) -> State:
    return apply(state, Ask(target, class_)).state


def view(state: State) -> Observation:
    """The table as the seat to move sees it."""
    assert state.turn is not None
    return observe(state, state.turn)


def judged(state: State) -> Judgement:
    """The judgement of what the seat to move could know."""
    return judge(view(state), remember(view(state)))


def lag_of(state: State, target: int, class_: str) -> int:
    """How many asks ago the table last heard of this catch."""
    (fact,) = (f for f in judged(state).heard if (f.target, f.class_) == (target, class_))
    return lag_asks(view(state), fact)


def table() -> State:
    """Four seats, and a pond whose first cards are all unlucky. Seat 1 begins."""
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


def fact(target: int, class_: str, since: int, *moves: int) -> Fact:
    moves = moves or (since,)
    return Fact(target, class_, since, moves, (class_,), moves[0])


# ---- what was heard


def test_nothing_is_certain_before_anybody_spoke() -> None:
    assert judged(table()) == Judgement(asks=9, certain=(), heard=())


def test_a_catch_that_was_heard_is_as_old_as_the_last_ask_that_gave_it_away() -> None:
    state = ask(ask(heard(), 0, "3"), 0, "4")  # seat 3 does not use it
    state = ask(ask(state, 3, "2"), 3, "8")
    state = ask(state, 0, "3")
    assert state.turn == 3
    assert judged(state).certain == ((1, "7"),)
    assert judged(state).heard == (fact(1, "7", 1),)
    assert lag_of(state, 1, "7") == state.seq


def test_a_seat_that_asks_again_says_it_again() -> None:
    state = later()
    assert judged(state).heard == (fact(1, "7", 5, 1, 5),)
    assert lag_of(state, 1, "7") == 2


def test_the_newest_ask_is_one_ask_ago() -> None:
    state = ask(heard(), 0, "3")
    assert view(state).hand == ("4C", "4D", "7H")
    assert lag_of(state, 1, "7") == 2
    assert lag_asks(view(state), fact(2, "3", 2)) == 1


def test_a_catch_worked_out_by_counting_is_certain_but_was_not_heard() -> None:
    """No ask was about aces, but the last card of the pond is a two, so seat 1 has the ace."""
    small = tiny(deal=7, deck_ranks="A2345")
    state = dealt(small, 2, "2C 2D AC AD 3C 4C 5C", "AH 3D 3H 4D 4H 5D 5H", dealer=1).state
    assert (1, "3") in judged(state).certain  # the pond has only one card
    assert (1, "A") not in judged(state).certain
    state = ask(state, 1, "2")  # a lucky one, and the pond is empty
    assert (1, "A") in judged(state).certain
    assert judged(state).heard == ()


def test_a_catch_that_was_lost_again_is_no_longer_certain() -> None:
    state = ask(ask(heard(), 0, "3"), 1, "7")  # seat 3 takes the seven of seat 1
    assert state.turn == 3
    assert judged(state).certain == ()


def test_what_only_the_asker_itself_brought_out_was_not_heard_from_others() -> None:
    guru = rules_of("guru_how_many", deal={"default": 3})
    state = dealt(guru, 3, "3C 3D 5C", "7C 8C 9C", "7D 7H 4D", top="KH QD JC TS AH KD").state
    state = ask(state, 2, "7")  # seat 1 asks, and seat 2 says that it has some
    seen = observe(state, 1)
    assert remember(seen).bounds(2, "7")[0] > 0
    for event_of_own_ask in remember(seen).proof(2, "7"):
        assert getattr(event_of_own_ask.event, "asker", None) in (None, 1)


def test_the_certain_catch_that_is_easiest_to_prove_comes_first() -> None:
    hands = ("7H 4D 9S", "7C 8C 9C", "3C 3D 5C", "7D 4C 8D")
    state = dealt(CLASSIC, 4, *hands, top="KH QD JC TS AH KD").state
    state = ask(ask(state, 2, "9"), 0, "3")  # seat 1 has nines and seat 2 threes, as all heard
    state = ask(ask(state, 1, "7"), 1, "4")  # seat 3 catches a seven of seat 1, then misses
    observation = view(state)
    proofs = [len(remember(observation).proof(*catch)) for catch in judged(state).certain]
    assert len(proofs) > 1
    assert proofs == sorted(proofs)
    assert proofs[0] < proofs[-1]


@pytest.mark.parametrize(("facts", "tells"), [(0, False), (1, True), (2, True), (3, False)])
def test_an_ask_tells_nothing_where_every_ask_or_none_would_have_done(
    facts: int, tells: bool
) -> None:
    some = tuple(fact(1, str(rank), 1) for rank in range(facts))
    certain = tuple((one.target, one.class_) for one in some)
    assert Judgement(asks=3, certain=certain, heard=some).tells is tells


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


def test_where_books_are_sums_a_fact_begins_when_its_class_was_first_named() -> None:
    """To be told of the first ask is to be told of this seat and this class."""
    hands = ("0-a 1-a 2-a 0-b 1-b", "7-a 8-a 0-c 1-c 0-d", "3-b 4-a 4-b 2-d 1-d")
    state = dealt(rules_of("make_ten"), 3, *hands, top="8-b 4-c 2-b 3-c 7-b 8-c 5-b").state
    state = ask(state, 0, "3")  # seat 1 has a 7, and loses it to seat 2
    for target, class_ in ((1, "7"), (0, "6"), (2, "9"), (0, "9"), (0, "6"), (2, "9")):
        state = ask(state, target, class_)
    state = ask(state, 0, "7")  # by now seat 1 has fished a 3
    (found,) = judged(state).heard
    assert (found.target, found.class_, found.said) == (1, "3", ("7",))
    assert (found.first, found.since) == (1, 8)
