"""Every hint is true and comes from the view alone, and a certain catch carries its proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from classroom.engine import apply, observe, refusal
from classroom.engine.actions import Ask, Lay, Name, Show
from classroom.engine.observation import Observation
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.hints import STEPS, Hint, hint
from classroom.minds.memory.perfect_memory import certain_catches, plain_asks, remember
from tests.engine.tabletop import dealt, rules_of, steps, table
from tests.minds.deals import agreeing, tiny

FEW = rules_of("classic", deal={"default": 3})


def positions(key: str, seed: int = 1, every: int = 9) -> Iterator[tuple[State, Observation]]:
    """Some positions of a random round, as the seat to move sees them."""
    rules = rules_of(key)
    for _, step in steps(rules, rules.seats[0], seed):
        state = step.state
        if state.turn is not None and state.seq % every == 0:
            yield state, observe(state, state.turn)


def ladder(observation: Observation) -> list[Hint]:
    return [hint(observation, step) for step in STEPS]


@pytest.mark.walk(6)
@pytest.mark.parametrize("key", GAMES)
def test_the_last_step_is_always_something_to_do(key: str) -> None:
    every = 40 if key.startswith("fours") else 12
    for state, observation in positions(key, every=every):
        last = hint(observation, STEPS[-1])
        assert last.action is not None
        assert refusal(state, last.action) is None


@pytest.mark.walk(3)
@pytest.mark.parametrize(
    "key", ["classic", "guru", "guru_ask_all", "wish_pairs", "guru_exact_card"]
)
def test_a_certain_ask_catches_and_carries_its_proof(key: str) -> None:
    certain = 0
    for state, observation in positions(key, every=3):
        last = hint(observation, STEPS[-1])
        if not isinstance(last.action, Ask):
            continue
        assert last.certain == bool(certain_catches(observation, remember(observation)))
        if last.certain:
            certain += 1
            assert last.evidence
            assert all(0 <= number <= state.seq for number in last.evidence)
            assert last.chance == 1
            moved = apply(state, last.action).state
            assert len(moved.cards(state.active)) + 4 * len(moved.books[state.active]) > len(
                state.cards(state.active)
            ) + 4 * len(state.books[state.active])
    assert certain > 1


def test_the_steps_of_a_position_are_about_one_ask_and_say_more_and_more() -> None:
    for _, observation in positions("classic", every=4):
        again, look, evidence, narrow, show = ladder(observation)
        assert again == Hint(1, "again")
        assert isinstance(show.action, Ask)
        assert (look.class_, look.seat, look.chance) == (show.action.class_, None, None)
        assert look.cards
        assert set(look.cards) <= set(observation.hand)
        for one in (evidence, narrow, show):
            assert (one.seat, one.class_) == (show.action.target, show.action.class_)
            assert one.evidence == show.evidence
        assert (show.seat, show.class_) in narrow.choices
        assert len(narrow.choices) == min(2, len(plain_asks(observation)))
        assert hint(observation, 99) == show
        assert hint(observation, 0) == again


def test_the_evidence_names_a_seat_that_asked_in_vain() -> None:
    hands = ("2C 2D 2H", "7C 8C 9C", "3C 3D 5C", "7H 4C 4D")
    state = dealt(FEW, 4, *hands, top="KH QD JC TS").state
    state = apply(state, Ask(2, "7")).state
    state = apply(state, Ask(0, "3")).state
    evidence = hint(observe(state, 3), 3)
    assert (evidence.kind, evidence.seat, evidence.class_) == ("asked_for", 1, "7")
    assert evidence.evidence == (1,)


def test_the_evidence_names_a_seat_that_got_or_showed_a_card() -> None:
    hands = ("2C 2D 2H", "7C 8C 9C", "7D 3D 5C", "7H 4C 4D")
    state = dealt(FEW, 4, *hands, top="KH QD JC TS").state
    state = apply(state, Ask(2, "7")).state
    took = hint(observe(replace(state, active=3), 3), 3)
    assert (took.kind, took.seat, took.evidence) == ("took", 1, (1,))
    state = dealt(FEW, 4, "2C 2D 2H", "7C 8C 9C", "3C 3D 5C", "7H 4C 4D", top="7S QD").state
    state = apply(state, Ask(2, "7")).state
    showed = hint(observe(replace(state, active=3), 3), 3)
    assert (showed.kind, showed.seat) == ("showed", 1)


def test_a_seat_with_nothing_to_do_waits() -> None:
    state = dealt(FEW, 3).state
    assert hint(observe(state, 0), 4) == Hint(4, "wait", seat=1)
    *_, (_, last) = steps(FEW, 3, 1)
    assert hint(observe(last.state, 0), 2).kind == "over"


def test_other_phases_have_their_own_help() -> None:
    rules = rules_of("guru_how_many", deal={"default": 3})
    state = dealt(rules, 3, "2C 2D 2H", "7C 8C 9C", "7D 7H 5C").state
    naming = apply(state, Ask(2, "7")).state
    assert hint(observe(naming, 1), 5).action == Name(1)
    looks = dealt(FEW.changed(lucky="again_may_show"), 3, "2C", "7C 8C 9C", "3C 3D 5C", top="7H")
    looking = apply(looks.state, Ask(2, "7")).state
    shown = hint(observe(looking, 1), 5)
    assert (shown.kind, shown.action, shown.cards) == ("do_show", Show(True), ("7H",))


def test_a_book_that_can_be_laid_comes_first() -> None:
    """The hand has two fours that share a card, so the seat must choose."""
    text = "> RS1 RS2 RS3 RS4 RT1 RH1 RC1 \n . YS1 \n . YS2 \n stock YT1"
    laying = hint(observe(table("fours", text), 0), 5)
    assert laying.kind == "do_lay"
    assert isinstance(laying.action, Lay)
    assert laying.cards == laying.action.cards


def plainly(observation: Observation, one: Hint) -> dict[str, Any]:
    """A hint with the viewer's cards given by class, since cards of one class are alike."""
    values = {f.name: getattr(one, f.name) for f in fields(one)}
    return values | {"cards": [card[0] for card in one.cards]}


@pytest.mark.parametrize("seats", [2, 3])
def test_hidden_cards_change_no_hint(seats: int) -> None:
    compared = 0
    for seed in range(4):
        for _, true, same in agreeing(tiny(), seats, seed % seats, seed):
            if true.turn != seed % seats:
                continue
            seen = observe(true, true.turn)
            told = [plainly(seen, one) for one in ladder(seen)]
            for state in same[:: max(len(same) // 5, 1)]:
                other = observe(state, true.turn)
                assert [plainly(other, one) for one in ladder(other)] == told
                compared += 1
    assert compared > 30
