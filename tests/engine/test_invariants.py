"""Invariants of every game, in random play over many seeds."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from classroom.engine import apply, legal_actions, observe, scores, winners
from classroom.engine.actions import Ask, IllegalAction, Lots
from classroom.engine.checks import check
from classroom.engine.events import Lucky, RoundOver
from classroom.engine.observation import WATCHER
from classroom.engine.rules import DOMAINS, Rules, RulesError
from classroom.engine.state import State, Step
from classroom.games import GAMES
from tests.engine.tabletop import LONG, all_of, rules_of, seats_of, steps

ROUNDS = 30 * LONG


def check_cards(state: State) -> None:
    """Check that every card of the deck is in exactly one place."""
    places = [
        *(card for hand in state.hands for card in hand),
        *(card for boat in state.boats for card in boat),
        *state.stock,
        *state.lost,
        *(card for books in state.books for book in books for card in book),
        *(card for singles in state.singles for card in singles),
    ]
    assert len(places) == len(state.setup.deck.cards)
    assert set(places) == set(state.setup.deck.cards)


def check_hands(state: State) -> None:
    """Check that no hand keeps a book that should have been laid."""
    if state.rules.book_lay == "auto" and state.phase in ("ask", "over"):
        for seat in range(state.seats):
            assert not state.setup.finder.possible(state.cards(seat))


def check_turn(state: State) -> None:
    """Check that an unfinished round has a seat with something to do, and a finished one has
    none."""
    legal = legal_actions(state)
    assert bool(legal) == (state.turn is not None) == (not state.over)
    assert len(set(legal)) == len(legal)
    assert (state.ended_by is not None) == state.over == (state.phase == "over")
    lost = state.tide is not None and state.ended_by != "all_booked"
    assert bool(winners(state)) == (state.over and not lost)
    if state.turn is not None:
        assert state.turn not in state.out


def check_step(before: State, step: Step) -> None:
    """Check that books only grow, the stock only shrinks, and the log gets longer by one."""
    after = step.state
    for old, new in zip(before.books, after.books, strict=True):
        assert new[: len(old)] == old
    assert after.stock == before.stock[len(before.stock) - len(after.stock) :]
    assert after.seq == before.seq + 1
    assert after.log[:-1] == before.log
    assert after.log[-1].events == step.events


def check_end(state: State) -> None:
    (over,) = all_of(state.log[-1].events, RoundOver)
    assert over.ended_by == state.ended_by
    assert over.scores == scores(state)
    assert over.winners == winners(state)
    assert state.log[-1].events[-1] == over


def check_round(rules: Rules, seats: int, seed: int) -> State:
    """Play a round at random and check each step. Returns its last state."""
    before: State | None = None
    for _, step in steps(rules, seats, seed):
        check_cards(step.state)
        check_hands(step.state)
        check_turn(step.state)
        if before is not None:
            check_step(before, step)
        before = step.state
    assert before is not None
    check_end(before)
    return before


@pytest.mark.walk(5)
@pytest.mark.parametrize("key", GAMES)
def test_random_rounds_keep_to_the_rules_and_end(key: str) -> None:
    rules = rules_of(key)
    sizes = seats_of(rules)
    for seed in range(ROUNDS):
        check_round(rules, sizes[seed % len(sizes)], seed)


VALUES: dict[str, list[Any]] = {
    "deck.lost": [0, 0, 1, 3],
    "deal": [{"default": 5, "2": 7}, {"default": 3}, {"default": 6}],
    "ask.what": ["class", "class", "card"],
    "ask.scope": ["one", "one", "all"],
    "ask.bait": ["nobody", "asked"],
    "ask.empty_target": ["legal", "illegal"],
    "ask.bluff": [False, True],
    "response": ["all", "one", "challenge", "challenge_optional"],
    "give": ["named", "all"],
    "catch_to": ["hand", "hand", "boat"],
    "miss": ["draw_stock", "draw_asked_hand"],
    "turn.catch": ["again", "again_if_book"],
    "lucky": ["again_must_show", "again_may_show", "ends"],
    "turn.next": ["clockwise", "refuser"],
    "book.size": [2, 3, 4],
    "book.lay": ["auto", "choice"],
    "book.layoff": ["none", "auto", "choice"],
    "refill.active": [["now", "deal"], ["own_turn", 1], ["never", "deal"], ["now", 3]],
    "refill.passive": [["now", "deal"], ["own_turn", 2], ["never", "deal"]],
    "refill.boat": [False, True],
    "refill.retire": [False, False, True],
    "end": [["all_booked"], [], ["stock_out"], ["hand_empty"], ["all_booked", "books_target"]],
    "end.books_target": [None, 2],
    "end.declare": [False, True],
    "score.per": ["book", "card"],
    "score.deduct": [0, 1],
    "score.penalty": [0, 3],
    "score.penalty_for": ["each", "single"],
    "score.floor": [None, 0],
    "tie": ["shared", "high_book"],
    "visibility.books": ["public", "face_down"],
}
"""Values to mix for each dimension. The deck and its classes stay those of the preset."""


def _mixed(rng: random.Random) -> Rules | None:
    """A preset with some dimensions changed, or None if the result is not allowed."""
    game = GAMES[rng.choice(list(GAMES))]
    changes = {key: rng.choice(VALUES[key]) for key in rng.sample(list(VALUES), rng.randint(1, 7))}
    rules = game.rules.changed(changes)
    return rules if check(rules, rules.seats[0]).lawful else None


def test_every_allowed_mixture_of_dimensions_can_be_played_to_its_end(whole: bool) -> None:
    rng = random.Random(20)
    played = 0
    while played < (600 * LONG if whole else 150):
        rules = _mixed(rng)
        if rules is None:
            continue
        sizes = [seats for seats in seats_of(rules, 5) if check(rules, seats).lawful]
        check_round(rules, rng.choice(sizes), rng.randrange(10**6))
        played += 1


def test_a_forbidden_mixture_is_refused_with_its_keys() -> None:
    rng = random.Random(21)
    for _ in range(300):
        key = rng.choice(list(GAMES))
        changes = {name: rng.choice(VALUES[name]) for name in rng.sample(list(VALUES), 6)}
        rules = GAMES[key].rules.changed(changes)
        for reason in check(rules).reasons:
            assert reason.keys
            assert set(reason.keys) <= set(DOMAINS)
            assert str(reason).startswith(reason.keys[0])


@pytest.mark.parametrize("key", ["classic", "guru_how_many", "fours", "fours_wild", "old_fish"])
def test_players_who_avoid_the_end_still_reach_it(key: str) -> None:
    """From a few legal actions each seat takes one that, if possible, neither ends the round nor
    makes a book; of those, it takes one that leaves the most cards in the stock."""
    rules = rules_of(key)
    for seats in seats_of(rules, 4):
        rng = random.Random(seats)
        *_, (_, dealt) = list(steps(rules, seats, 1))[:1]
        state, number = dealt.state, 0
        while not state.over:
            state = min(
                (apply(state, action, _lots(rng)).state for action in _few(state, rng)),
                key=lambda after: (after.over, sum(map(len, after.books)), -len(after.stock)),
            )
            number += 1
            assert number < 4000
        assert state.ended_by is not None


def _few(state: State, rng: random.Random) -> list[Any]:
    legal = [a for a in legal_actions(state) if a.type != "declare"]
    return rng.sample(legal, min(4, len(legal)))


def _lots(rng: random.Random) -> Lots:
    return Lots(random.Random(rng.randrange(10**6)))


@pytest.mark.walk(5)
@pytest.mark.parametrize("key", GAMES)
def test_the_legal_list_follows_from_the_seats_own_view(key: str) -> None:
    """States that look the same to the seat to act have the same legal actions, whatever is
    hidden."""
    rules = rules_of(key)
    lists: dict[Any, Any] = {}
    for seed in range(6):
        for _, step in steps(rules, seats_of(rules)[0], seed):
            state = step.state
            if state.turn is None:
                continue
            view = observe(state, state.turn)
            known = (view.hand, view.boat, view.hand_sizes, view.boat_sizes, view.stock_size)
            known = (*known, view.books, view.phase, view.pending, view.turn, view.out, view.drawn)
            known = (*known, view.tide, view.lamp)
            if state.phase != "claim":
                assert lists.setdefault(known, view.legal) == view.legal


def test_a_lucky_card_is_of_the_class_asked_for() -> None:
    for key in ("classic", "guru_exact_card", "fours", "make_ten"):
        rules = rules_of(key)
        for action, step in steps(rules, seats_of(rules)[0], 4):
            for lucky in all_of(step.events, Lucky):
                assert isinstance(action, Ask)
                assert lucky.class_ == action.class_
                classes = step.state.setup.deck.classes_of[lucky.card]
                assert lucky.class_ in (*classes, lucky.card)


def test_a_watcher_is_never_offered_anything() -> None:
    for _, step in steps(rules_of("classic"), 3, 1):
        assert observe(step.state, WATCHER).legal == ()


@pytest.mark.parametrize("seed", range(3))
def test_random_actions_are_carried_out_or_refused(seed: int) -> None:
    """A legal action is carried out, and any other raises IllegalAction and nothing else."""
    rng = random.Random(seed)
    for key in GAMES:
        rules = rules_of(key)
        for number, (_, step) in enumerate(steps(rules, seats_of(rules)[0], seed)):
            if number % 10 == 0:
                deck = step.state.setup.deck
                target = rng.choice([-1, 0, 1, 2, 99, "all"])
                class_ = rng.choice([*deck.classes, *deck.cards, "", "x"])
                bait = rng.choice([None, *deck.cards])
                with suppress(IllegalAction):
                    apply(step.state, Ask(target, class_, bait), _lots(rng))


def test_rules_that_are_refused_are_refused_at_the_deal() -> None:
    with pytest.raises(RulesError):
        list(steps(rules_of("classic", book_size=3), 3, 1))
