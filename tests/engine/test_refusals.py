"""Illegal actions: a stable reason, a message in one line, and no change."""

from __future__ import annotations

import pytest

from classroom.engine import apply, legal_actions, refusal
from classroom.engine.actions import (
    Action,
    Answer,
    Ask,
    Claim,
    Declare,
    IllegalAction,
    Lay,
    LayOff,
    Name,
    Pass,
    Show,
)
from classroom.games import GAMES
from tests.engine.tabletop import rules_of, seats_of, steps, table

TEXT = "> 7H 2C \n . 9C 9D \n . \n stock 5H 6H"


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Ask(0, "7"), "ask_self"),
        (Ask(3, "7"), "no_such_seat"),
        (Ask(-1, "7"), "no_such_seat"),
        (Ask(2, "7"), "empty_hand"),
        (Ask("all", "7"), "wrong_scope"),
        (Ask(1, "9"), "rank_not_held"),
        (Ask(1, "seven"), "unknown_class"),
        (Ask(1, ""), "unknown_class"),
        (Ask(1, "7", "7H"), "wrong_bait"),
        (Answer("give"), "not_in_this_game"),
        (Name(1), "not_in_this_game"),
        (Show(True), "not_in_this_game"),
        (Lay(("7H",)), "not_in_this_game"),
        (LayOff("7H"), "not_in_this_game"),
        (Declare(), "not_in_this_game"),
        (Claim(("7H",)), "not_in_this_game"),
        (Pass(), "not_in_this_game"),
    ],
)
def test_the_reason_is_a_stable_code(action: Action, reason: str) -> None:
    state = table("classic", TEXT)
    with pytest.raises(IllegalAction) as refused:
        apply(state, action)
    assert refused.value.reason == reason
    assert "\n" not in refused.value.message


def test_a_seat_acts_in_its_own_turn_only() -> None:
    state = table("classic", TEXT)
    with pytest.raises(IllegalAction) as refused:
        apply(state, Ask(0, "9"), seat=1)
    assert refused.value.reason == "not_your_turn"
    assert apply(state, Ask(1, "7"), seat=0).state.seq == 1


def test_a_message_shows_no_hidden_card() -> None:
    state = table("classic", TEXT)
    found = refusal(state, Ask(1, "K"))
    assert found is not None
    with pytest.raises(IllegalAction) as refused:
        apply(state, Ask(1, "K"))
    assert not any(card in refused.value.message for card in ("7H", "2C", "9C", "9D", "5H"))


def test_a_refused_action_changes_nothing() -> None:
    state = table("classic", TEXT)
    before = dict(vars(state))
    with pytest.raises(IllegalAction):
        apply(state, Ask(1, "9"))
    assert vars(state) == before


PHASES: list[Action] = [Answer("give"), Name(1), Show(False), Pass(), Declare(), Ask(1, "7")]


@pytest.mark.parametrize("key", GAMES)
def test_the_legal_list_and_the_refusals_agree(key: str) -> None:
    """Each of these actions is either listed or refused, in every sixth position of a round."""
    rules = rules_of(key)
    seats = seats_of(rules)[0]
    deck = table(key, "> \n" + ". \n" * (seats - 1) + "stock 5H").setup.deck
    asks: list[Action] = [
        Ask(target, class_, bait)
        for target in (*range(seats), "all")
        for class_ in (deck.cards if rules.ask_what == "card" else deck.classes)
        for bait in ([None] if rules.ask_bait == "nobody" else sorted(deck.members[class_]))
    ]
    for number, (_, step) in enumerate(steps(rules, seats, 1)):
        if number % 6:
            continue
        legal = set(legal_actions(step.state))
        for action in (*asks, *PHASES, *map(Name, range(5)), Show(True), Answer("challenge")):
            assert (refusal(step.state, action) is None) == (action in legal), action
