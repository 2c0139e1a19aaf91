"""doc 002, statement by statement (docs/rules.md A3): pairs for two."""

from __future__ import annotations

import pytest

from classroom.engine import scores, winners
from classroom.engine.actions import Ask
from classroom.engine.cards import deck_of
from classroom.engine.events import Drew, LaidBook, Lucky, Refilled, SaidGoFish
from tests.engine.tabletop import (
    all_of,
    ask,
    classes,
    dealt,
    do,
    hands,
    names,
    only,
    refused,
    rules_of,
    steps,
    table,
    targets,
)

WISH = rules_of("wish_pairs")


def test_P1_two_seats_52_cards_five_each_dealt_alternately() -> None:
    assert WISH.seats == (2, 2)
    deck = deck_of(WISH).cards
    assert len(deck) == 52
    step = dealt(WISH, 2, "2C 3C 4C 5C 6C", "7D 8D 9D TD JD")
    assert hands(step.state) == ["2C 3C 4C 5C 6C", "7D 8D 9D TD JD"]
    assert len(step.state.stock) == 42


def test_P2_pairs_go_to_the_pot_at_once_also_from_the_deal() -> None:
    """The worked example: of three cards of a rank one pair is laid and one card stays."""
    state = dealt(WISH, 2, "2C 2D 2H 5C 6C", "7C 7D 7H 7S JD").state
    assert state.books == ((("2C", "2D"),), (("7C", "7D"), ("7H", "7S")))
    assert hands(state) == ["2H 5C 6C", "JD"]


@pytest.mark.parametrize("seed", range(20))
def test_P2_no_hand_ever_holds_two_cards_of_a_rank(seed: int) -> None:
    for _, step in steps(WISH, 2, seed):
        for hand in step.state.hands:
            assert len({card[0] for card in hand}) == len(hand)


def test_P3_the_active_seat_asks_for_the_rank_of_a_card_in_its_hand() -> None:
    state = table("wish_pairs", "> 3C 9D \n . 4C \n stock 5H 6H")
    assert classes(state) == {"3", "9"}
    assert refused(state, Ask(1, "4")) == "rank_not_held"


def test_P4_a_card_that_is_there_makes_a_pair_and_the_seat_goes_on() -> None:
    step = ask(table("wish_pairs", "> 3C 9D \n . 3D 4C \n stock 5H 6H"), 1, "3")
    assert step.state.books[0] == (("3C", "3D"),)
    assert hands(step.state) == ["9D", "4C"]
    assert step.state.turn == 0


def test_P5_if_it_is_not_there_the_active_seat_fishes() -> None:
    step = ask(table("wish_pairs", "> 3C 9D \n . 4D 4C \n stock 5H 6H"), 1, "3")
    assert names(step) == ["Asked", "SaidGoFish", "Fished", "Drew", "TurnPassed"]
    assert only(step, Drew).card == "5H"


def test_P6_a_fished_wish_is_called_and_the_seat_goes_on() -> None:
    step = ask(table("wish_pairs", "> 3C 9D \n . 4C \n stock 3H 6H"), 1, "3")
    assert only(step, Lucky).card == "3H"
    assert step.state.books[0] == (("3C", "3H"),)
    assert step.state.turn == 0


def test_P7_another_pair_goes_to_the_pot_without_the_call_and_the_turn_ends() -> None:
    step = ask(table("wish_pairs", "> 3C 9D \n . 4C \n stock 9H 6H"), 1, "3")
    assert all_of(step.events, Lucky) == []
    assert only(step, LaidBook).cards == ("9D", "9H")
    assert step.state.turn == 1


def test_P8_a_card_that_pairs_with_nothing_stays_and_the_turn_ends() -> None:
    step = ask(table("wish_pairs", "> 3C 9D \n . 4C \n stock 5H 6H"), 1, "3")
    assert hands(step.state)[0] == "3C 5H 9D"
    assert step.state.turn == 1


def test_P9_an_active_seat_with_an_empty_hand_draws_one_card_and_asks_for_it() -> None:
    step = ask(table("wish_pairs", "> 3C \n . 3D 4C \n stock 5H 6H"), 1, "3")
    assert names(step)[-2:] == ["Refilled", "RefilledCards"]
    assert only(step, Refilled).number == 1
    assert hands(step.state) == ["5H", "4C"]
    assert (step.state.turn, classes(step.state)) == (0, {"5"})


def test_P9_an_empty_hand_draws_at_the_start_of_its_turn_too() -> None:
    step = ask(table("wish_pairs", "> 3C \n . \n stock 5H 6H 7H"), 1, "3")
    assert names(step)[-3:] == ["TurnPassed", "Refilled", "RefilledCards"]
    assert hands(step.state) == ["3C 5H", "6H"]


def test_P10_a_passive_seat_with_an_empty_hand_does_not_draw() -> None:
    step = ask(table("wish_pairs", "> 3C 4D \n . 3D \n stock 5H 6H"), 1, "3")
    assert hands(step.state) == ["4D", ""]
    assert len(step.state.stock) == 2
    assert targets(step.state) == {1}
    step = ask(step.state, 1, "4")
    assert only(step, SaidGoFish).seat == 1


def test_P11_a_rank_must_be_named_even_if_the_answer_is_known() -> None:
    state = table("wish_pairs", "> 3C 4D \n . \n stock 3H 6H")
    step = do(state, Ask(1, "3"))
    assert only(step, Lucky).card == "3H"
    assert step.state.turn == 0


@pytest.mark.parametrize("seed", range(20))
def test_P12_the_round_ends_with_all_cards_in_the_pots(seed: int) -> None:
    *_, (_, last) = steps(WISH, 2, seed)
    state = last.state
    assert state.ended_by == "all_booked"
    assert state.stock == ()
    assert hands(state) == ["", ""]
    assert sum(map(len, state.books)) == 26


def test_P13_the_score_is_the_cards_in_the_pot_and_more_cards_win() -> None:
    text = "> 3C / books AC+AD AH+AS \n . 3D / books KC+KD"
    state = ask(table("wish_pairs", text), 1, "3").state
    assert scores(state) == (6, 2)
    assert winners(state) == (0,)


def test_equal_pots_are_a_draw() -> None:
    text = "> 3C / books AC+AD \n . 3D / books KC+KD KH+KS"
    assert winners(ask(table("wish_pairs", text), 1, "3").state) == (0, 1)
