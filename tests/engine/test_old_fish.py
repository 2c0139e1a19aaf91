"""doc 004, statement by statement (docs/rules.md A5): Old Fish and the five-suit deck."""

from __future__ import annotations

import pytest

from classroom.engine import observe, scores, winners
from classroom.engine.actions import Ask
from classroom.engine.cards import deck_of
from classroom.engine.checks import check
from classroom.engine.events import Gave, LaidBook, Refilled, RevealedLost, SetAside
from classroom.engine.observation import WATCHER
from classroom.engine.scoring import after_round, new_match
from tests.engine.tabletop import (
    all_of,
    ask,
    classes,
    dealt,
    hands,
    names,
    only,
    played,
    refused,
    rules_of,
    table,
)

FISH = rules_of("old_fish")


def test_O1_two_to_six_seats_and_all_cards_with_a_joker_for_each_suit() -> None:
    assert FISH.seats == (2, 6)
    deck = deck_of(FISH)
    assert len(deck.cards) == 70
    assert [card for card in deck.cards if "*" in card] == ["R*", "L*", "F*", "S*", "W*"]
    assert deck.classes == ("R", "L", "F", "S", "W")
    assert {len(cards) for cards in deck.members.values()} == {14}


def test_O2_the_traditional_game_needs_all_five_cards_of_a_rank() -> None:
    rules = rules_of("five_suit_classic")
    assert len(deck_of(rules).classes) == 14
    step = ask(table("five_suit_classic", "> R7 L7 F7 S7 R2 \n . W7 R3 \n stock L2 L3"), 1, "7")
    assert only(step, LaidBook).cards == ("R7", "L7", "F7", "S7", "W7")
    jokers = ask(table("five_suit_classic", "> R* L* F* S* R2 \n . W* R3 \n stock L2 L3"), 1, "*")
    assert only(jokers, LaidBook).class_ == "*"


def test_O3_five_cards_each_and_the_next_lies_aside_until_the_end() -> None:
    step = dealt(FISH, 3, top="W5 R2")
    assert step.state.lost == ("W5",)
    assert len(step.state.stock) <= 70 - 16
    assert only(step, SetAside).number == 1
    for viewer in (0, 1, 2, WATCHER):
        view = observe(step.state, viewer)
        assert (view.lost, view.lost_size) == (None, 1)


def test_O3_it_is_turned_up_when_the_round_ends() -> None:
    step = ask(table("old_fish", "> R2 R3 L4 \n . R4 \n lost L5"), 1, "R")
    assert step.state.ended_by == "single_holder"
    assert only(step, RevealedLost).cards == ("L5",)
    assert observe(step.state, WATCHER).lost == ("L5",)


def test_O4_three_cards_of_a_suit_or_one_and_its_joker_are_a_book() -> None:
    three = ask(table("old_fish", "> R2 R3 L4 \n . R4 L5 \n stock F2 F3"), 1, "R")
    assert only(three, LaidBook).cards == ("R2", "R3", "R4")
    joker = ask(table("old_fish", "> R2 L4 \n . R* L5 \n stock F2 F3"), 1, "R")
    assert only(joker, LaidBook).cards == ("R2", "R*")
    other = ask(table("old_fish", "> R2 L4 \n . R3 L* \n stock F2 F3"), 1, "R")
    assert all_of(other.events, LaidBook) == []


def test_O5_books_are_laid_at_once_also_after_the_deal_never_more_than_three_fish() -> None:
    """The worked example: of four or more fish of a suit, three are booked."""
    state = dealt(FISH, 3, "R2 R3 R4 R5 L*", "F2 F* F3 F4 F5").state
    assert state.books[0] == (("R2", "R3", "R4"),)
    assert hands(state)[0] == "R5 L*"
    assert state.books[1][:2] == (("F2", "F*"), ("F3", "F4", "F5"))


def test_O6_clockwise_from_the_dealers_left() -> None:
    assert dealt(FISH, 4, dealer=1).state.turn == 2
    state = table("old_fish", ". L4 \n > R2 \n . L5 \n . L6 F2 \n stock S2 S3")
    assert ask(state, 3, "R").state.turn == 2


def test_O7_an_ask_is_for_a_suit_that_the_asker_holds() -> None:
    state = table("old_fish", "> R2 L* \n . F2 \n stock S2 S3")
    assert classes(state) == {"R", "L"}
    assert refused(state, Ask(1, "F")) == "rank_not_held"


def test_O8_the_asked_seat_gives_all_its_cards_of_the_suit_the_joker_too() -> None:
    step = ask(table("old_fish", "> R2 L4 \n . R3 R* F2 \n stock S2 S3"), 1, "R")
    assert only(step, Gave).number == 2
    assert hands(step.state)[1] == "F2"


def test_O9_a_book_gives_another_ask_and_a_catch_without_a_book_ends_the_turn() -> None:
    book = ask(table("old_fish", "> R2 R3 L4 \n . R4 L5 \n stock F2 F3"), 1, "R").state
    assert book.turn == 0
    caught = ask(table("old_fish", "> R2 L4 \n . R4 L5 \n stock F2 F3"), 1, "R").state
    assert hands(caught) == ["R2 R4 L4", "L5"]
    assert caught.turn == 1


def test_O9_a_book_that_another_seat_makes_of_its_refill_does_not_keep_the_turn() -> None:
    """Seat 1 gives its last fish, takes five new ones, and books three of them."""
    text = "> F3 S2 S3 W2 W3 \n . F2 \n stock R3 R4 R5 S9 L9 F9"
    step = ask(table("old_fish", text), 1, "F")
    assert only(step, LaidBook).seat == 1
    assert hands(step.state) == ["F2 F3 S2 S3 W2 W3", "L9 S9"]
    assert step.state.turn == 1
    third = table("old_fish", "> F3 S2 \n . F2 \n . L2 \n stock R3 R4 R5 S9 L9 F9")
    assert ask(third, 1, "F").state.turn == 1


def test_O9_the_askers_own_book_keeps_the_turn_whatever_the_refills_hold() -> None:
    text = "> F3 F4 \n . F2 \n stock S2 W2 L2 R2 S3 R3 R4 R5 S9 L9 F9"
    step = ask(table("old_fish", text), 1, "F")
    assert [event.seat for event in all_of(step.events, LaidBook)] == [0, 1]
    assert step.state.turn == 0


def test_O10_a_miss_draws_one_card_and_ends_the_turn_whatever_it_is() -> None:
    step = ask(table("old_fish", "> R2 L4 \n . L5 \n stock R3 F3"), 1, "R")
    assert names(step) == ["Asked", "SaidGoFish", "Fished", "Drew", "TurnPassed"]
    assert hands(step.state)[0] == "R2 R3 L4"


def test_O11_a_hand_whose_last_card_is_played_or_taken_draws_five() -> None:
    stock = "F2 L3 S2 W2 R7 L8 F8"
    step = ask(table("old_fish", f"> R2 R3 \n . R4 \n . L5 \n stock {stock}"), 1, "R")
    assert [(e.seat, e.number) for e in all_of(step.events, Refilled)] == [(0, 5), (1, 2)]
    assert hands(step.state)[:2] == ["R7 L3 F2 S2 W2", "L8 F8"]
    assert step.state.turn == 0


def test_O12_the_round_ends_with_an_empty_lake_and_one_holder_of_the_old_fish() -> None:
    text = "> R2 R3 L4 \n . R4 \n . L5"
    after = ask(table("old_fish", text), 1, "R").state
    assert not after.over
    united = ask(after, 2, "L").state
    assert (united.over, united.ended_by) == (True, "single_holder")


def test_O13_a_point_a_book_and_three_less_for_the_holder_but_not_below_zero() -> None:
    """The worked example: three books and the Old Fish score 0, four books score 1."""
    book = "F2+F3+F4"
    for number, score in [(3, 1), (2, 0), (0, 0)]:
        books = f"/ books {' '.join([book] * number)}" if number else ""
        text = f"> R2 R3 L4 L5 {books} \n . R4 / books {book} {book}"
        state = ask(table("old_fish", text), 1, "R").state
        assert scores(state) == (score, 2)


@pytest.mark.parametrize("seats", range(2, 7))
def test_O14_a_round_gives_24_books_and_one_old_fish(seats: int) -> None:
    for seed in range(40):
        state = played(FISH, seats, seed)
        if state.ended_by == "stall":
            continue
        left = [card for hand in state.hands for card in hand]
        assert sum(map(len, state.books)) == 24
        assert len({card[0] for card in (*left, *state.lost)}) == 1
        assert sum(2 if "*" in card else 1 for card in left) in (1, 2)


def test_O15_rounds_until_a_total_of_a_hundred() -> None:
    match = new_match(FISH, 2, dealer=0)
    for _ in range(4):
        match = after_round(match, (14, 10), (0,))
        assert not match.over
    for _ in range(3):
        match = after_round(match, (14, 10), (0,))
    assert match.totals == (98, 70)
    match = after_round(match, (14, 8), (0,))
    assert match.winners == (0,)


# Our own rulings, where the written rules leave gaps.


def test_OA1_wild_jokers_belong_to_no_suit_and_cannot_be_asked_for() -> None:
    state = table("old_fish", "> R2 *1 L4 \n . R3 F2 \n stock S2 S3", deck_joker="wild")
    assert classes(state) == {"R", "L"}
    cards = deck_of(rules_of("old_fish", deck_joker="wild")).cards
    assert [card for card in cards if card[0] == "*"] == ["*1", "*2", "*3", "*4", "*5"]


def test_OA1_a_wild_joker_makes_a_book_with_any_card() -> None:
    state = table("old_fish", "> R2 L4 \n . F3 F2 \n stock *1 S3 S4", deck_joker="wild")
    step = ask(state, 1, "R")
    assert only(step, LaidBook).cards == ("R2", "*1")
    assert only(step, LaidBook).class_ == "R"


def test_OA2_of_several_books_the_one_with_the_joker_comes_first() -> None:
    state = dealt(FISH, 3, "R2 R3 R4 R* L2").state
    assert state.books[0] == (("R2", "R*"),)
    assert hands(state)[0] == "R3 R4 L2"


def test_OA3_a_book_by_the_drawn_card_is_laid_and_the_turn_ends() -> None:
    step = ask(table("old_fish", "> R2 L4 L5 \n . F5 \n stock L6 F3"), 1, "R")
    assert only(step, LaidBook).cards == ("L4", "L5", "L6")
    assert step.state.turn == 1


def test_OA6_a_miss_with_an_empty_lake_just_ends_the_turn() -> None:
    step = ask(table("old_fish", "> R2 L4 L5 \n . F5 R5 \n . R6 L7"), 1, "L")
    assert names(step) == ["Asked", "SaidGoFish", "TurnPassed"]


def test_OA7_a_dead_position_goes_on_until_no_card_moves() -> None:
    """With four holders, the fourth ask in a row that moves no card ends the round."""
    state = table("old_fish", "> R2 \n . R3 \n . L2 \n . F2")
    one = ask(state, 2, "R").state
    two = ask(one, 2, "R").state
    three = ask(two, 0, "L").state
    assert not three.over
    four = ask(three, 0, "F").state
    assert (four.over, four.ended_by) == (True, "dead")
    moved = ask(two, 3, "L").state
    assert not moved.over
    caught = ask(table("old_fish", "> R2 \n . R3 \n . L2 \n . F2"), 1, "R").state
    assert (caught.over, caught.quiet.dodges) == (False, 0)


def test_OA8_every_holder_pays_or_only_a_single_one() -> None:
    books = "/ books S2+S3+S4 S5+S6+S7 S8+S9+ST SJ+SQ+SK"
    text = f"> R2 {books} \n . R3 {books} \n . L2"
    state = ask(ask(ask(table("old_fish", text), 2, "R").state, 2, "R").state, 0, "L").state
    assert state.ended_by == "dead"
    assert scores(state) == (1, 1, 0)
    single = table("old_fish", text, score_penalty_for="single")
    state = ask(ask(ask(single, 2, "R").state, 2, "R").state, 0, "L").state
    assert scores(state) == (4, 4, 0)


def test_OA11_no_seat_pays_if_none_holds_a_card_at_the_end() -> None:
    state = ask(table("old_fish", "> R2 R3 \n . R4 \n lost L*"), 1, "R").state
    assert state.ended_by == "all_booked"
    assert scores(state) == (1, 0)
    for joker, suits in [("suited", "R"), ("wild", "RLFSW")]:
        ranks = "A23456789TJ"
        odd = rules_of("old_fish", deck_ranks=ranks, deck_suits=suits, deck_joker=joker)
        assert "OA11" in {reason.id for reason in check(odd, 2).warnings}, joker
    assert check(FISH).warnings == ()


def test_OA13_a_tie_at_the_top_means_another_round() -> None:
    match = after_round(new_match(FISH, 2, dealer=0), (100, 100), (0, 1))
    assert not match.over
    assert after_round(match, (0, 4), (1,)).winners == (1,)


def test_OA9_more_books_win() -> None:
    state = ask(table("old_fish", "> R2 R3 L4 \n . R4"), 1, "R").state
    assert scores(state) == (0, 0)
    assert winners(state) == (0, 1)
