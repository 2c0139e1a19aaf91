"""The hint ladder in every game: legal, consistent from step to step, and true of the table."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from classroom.engine import apply, events as ev, observe
from classroom.engine.actions import Ask, Lots
from classroom.engine.observation import Observation
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.chances import chances
from classroom.minds.hints import EVIDENCE, LOOK, NARROW, SAY_AGAIN, SHOW, Hint, hint
from classroom.minds.memory.perfect_memory import certain_catches, plain_asks, remember
from tests.learning.size import many
from tests.web.test_table_view import played

PHASES = {"answer", "name", "show", "claim"}


def positions(game: str) -> Iterator[State]:
    """Some positions of a round, and some of each rare phase."""
    states = played(game, min(3, GAMES[game].rules.seats[1]), 4)
    yield from states[6:-1:17]
    for phase in PHASES:
        yield from [state for state in states if state.phase == phase][:3]


def ladder(state: State) -> tuple[Observation, dict[int, Hint]]:
    seen = observe(state, state.turn or 0)
    return seen, {step: hint(seen, step) for step in (SAY_AGAIN, LOOK, EVIDENCE, NARROW, SHOW)}


@pytest.mark.walk(12)
@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_legal_and_true(game: str) -> None:
    for state in positions(game):
        if state.over:
            continue
        seen, steps = ladder(state)
        assert steps[SHOW].action in seen.legal
        assert steps[SAY_AGAIN].chance is None
        check_choices(steps)
        check_evidence(seen, steps[EVIDENCE])
        if steps[SHOW].certain and steps[SHOW].action is not None:
            after = apply(state, steps[SHOW].action, Lots(random.Random(1)), seat=state.turn)
            told = [type(event) for event in after.events]
            assert {ev.Gave, ev.AskedHowMany} & set(told) or after.state.phase == "answer"


def check_choices(steps: dict[int, Hint]) -> None:
    """Check that all steps are about the same class, and that one of the two choices is right."""
    asks = [steps[step].class_ for step in (LOOK, EVIDENCE, NARROW, SHOW)]
    assert len(set(asks)) == 1
    action, pair = steps[SHOW].action, steps[NARROW].choices
    if isinstance(action, Ask) and pair:
        assert len(set(pair)) == 2
        assert (action.target, action.class_) in pair
    if steps[NARROW].numbers and steps[NARROW].kind == "one_of_two":
        assert set(steps[SHOW].numbers) < set(steps[NARROW].numbers)


def check_evidence(seen: Observation, told: Hint) -> None:
    """Check that what a hint says did happen, at the named move, and was not undone."""
    if told.certain:
        assert told.evidence
    if told.kind in ("asked_for", "took", "showed", "answered"):
        what = {
            "asked_for": lambda e: isinstance(e, ev.Asked) and e.seat == told.seat,
            "took": lambda e: isinstance(e, ev.Gave) and e.taker == told.seat,
            "showed": lambda e: isinstance(e, ev.Lucky) and e.seat == told.seat,
            "answered": lambda e: isinstance(e, (ev.AskedHowMany, ev.SaidGoFish)),
        }[told.kind]
        at = [i for i, one in enumerate(seen.history)
              if one.seq in told.evidence and what(one.event)
              and getattr(one.event, "class_", None) == told.told]  # fmt: skip
        assert at, told
        if told.told == told.class_ and seen.rules.response == "all":
            later = [one.event for one in seen.history[at[-1] :]]
            assert not any(
                isinstance(e, ev.Gave) and (e.giver, e.class_) == (told.seat, told.told)
                for e in later
            )


def test_an_ask_for_the_other_number_is_described_as_it_was() -> None:
    """In Make Ten a seat that asks for a three holds a seven: the hint mentions the three, and
    advises asking for a seven."""
    found = 0
    for seed in range(5):
        for state in played("make_ten", 2, seed)[1:-1:2]:
            seen = observe(state, state.turn or 0)
            told = hint(seen, EVIDENCE)
            if told.kind == "asked_for":
                found += 1
                assert int(told.told or 0) + int(told.class_ or 0) == 10
    assert found > 3


def test_of_certain_catches_the_hint_prefers_one_that_completes_a_book(whole: bool) -> None:
    """The book comes first even if another catch is easier to prove."""
    chosen, seeds = 0, many(10 if whole else 3, 40)
    for seed in range(seeds):
        for state in played("classic", 3, seed)[8:-1]:
            seen = observe(state, state.turn or 0)
            catches = certain_catches(seen, remember(seen))
            if len({catch.completes for catch in catches}) == 2 and not catches[0].completes:
                action = hint(seen, SHOW).action
                assert action is not None
                step = apply(state, action, Lots(random.Random(1)), seat=state.turn)
                assert any(isinstance(event, ev.LaidBook) for event in step.events)
                chosen += 1
    assert chosen > 2 * seeds


def test_where_no_catch_is_certain_the_likeliest_ask_is_shown_beside_the_unlikeliest() -> None:
    found = 0
    for state in played("classic", 3, 2)[1:-1:2]:
        seen = observe(state, state.turn or 0)
        memory = remember(seen)
        if certain_catches(seen, memory) or not plain_asks(seen):
            continue
        odds = chances(seen, memory).by_ask
        told = hint(seen, NARROW)
        if told.kind == "one_of_two" and len(set(odds.values())) > 1:
            assert {odds[pair] for pair in told.choices} == {max(odds.values()), min(odds.values())}
            found += min(odds.values()) == 0
    assert found > 2


def test_where_all_are_asked_the_evidence_names_the_holders() -> None:
    kinds = set()
    for state in played("guru_ask_all", 3, 2)[3:-1:4]:
        _, steps = ladder(state)
        assert isinstance(steps[SHOW].action, Ask)
        assert steps[SHOW].seat == "all"
        if steps[EVIDENCE].certain:
            kinds.add(steps[EVIDENCE].kind)
            assert isinstance(steps[EVIDENCE].seat, int)
    assert kinds


def test_how_many_narrows_to_two_numbers_and_names_a_safe_one() -> None:
    named = [s for seed in range(3) for s in played("guru_how_many", 3, seed) if s.phase == "name"]
    assert named
    for state in named[:6]:
        _, steps = ladder(state)
        assert steps[SAY_AGAIN].kind == "name"
        assert steps[NARROW].kind == "one_of_two"
        assert steps[SHOW].kind == "do_name"
        assert steps[SHOW].certain


def test_there_is_no_hint_where_there_is_nothing_to_do() -> None:
    states = played("classic", 3, 1)
    waiting = next(state for state in states if state.turn == 1)
    assert hint(observe(waiting, 0), SHOW).kind == "wait"
    assert hint(observe(states[-1], 0), SHOW).kind == "over"
