"""doc 000, statement by statement (docs/rules.md A1), and what settles its gaps (CA1 to CA15)."""

from __future__ import annotations

import pytest

from classroom.engine import legal_actions, observe, scores, winners
from classroom.engine.actions import Ask
from classroom.engine.cards import deck_of
from classroom.engine.events import (
    Drew,
    Fished,
    LaidBook,
    LaidFaceDown,
    Lucky,
    Refilled,
    RevealedBooks,
    RoundOver,
    TurnPassed,
)
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
    table,
    targets,
)

CLASSIC = rules_of("classic")


def test_C1_a_french_deck_of_52_without_jokers_for_two_or_more() -> None:
    deck = deck_of(CLASSIC)
    assert len(deck.cards) == len(set(deck.cards)) == 52
    assert {card[0] for card in deck.cards} == set("A23456789TJQK")
    assert {card[1] for card in deck.cards} == set("CDHS")
    assert CLASSIC.seats[0] == 2


@pytest.mark.parametrize("dealer", range(4))
def test_C2_the_seat_left_of_the_dealer_asks_first(dealer: int) -> None:
    assert dealt(CLASSIC, 4, dealer=dealer).state.turn == (dealer + 1) % 4


@pytest.mark.parametrize(("seats", "number"), [(2, 7), (3, 5), (4, 5), (10, 5)])
def test_C3_five_cards_each_or_seven_for_two(seats: int, number: int) -> None:
    state = dealt(CLASSIC, seats).state
    held = [
        len(hand) + 4 * len(books) for hand, books in zip(state.hands, state.books, strict=True)
    ]
    assert held == [number] * seats
    assert len(state.stock) == 52 - seats * number


def test_C4_dealt_quartets_are_booked_before_the_first_ask_and_not_replaced() -> None:
    three = dealt(CLASSIC, 3, "7C 7D 7H 7S 2C").state
    assert three.books[0] == (("7C", "7D", "7H", "7S"),)
    assert hands(three)[0] == "2C"
    assert len(three.stock) == 52 - 15
    two = dealt(CLASSIC, 2, "7C 7D 7H 7S 2C 3C 4C").state
    assert hands(two)[0] == "2C 3C 4C"


def test_C5_an_ask_names_one_opponent_and_a_rank_that_the_asker_holds() -> None:
    state = table("classic", "> 7H 2C \n . 9C 9D \n . KC \n stock 5H")
    assert set(legal_actions(state)) == {Ask(t, c) for t in (1, 2) for c in ("2", "7")}
    assert refused(state, Ask(1, "9")) == "rank_not_held"
    assert refused(state, Ask(0, "7")) == "ask_self"
    assert refused(state, Ask(3, "7")) == "no_such_seat"
    assert refused(state, Ask(1, "7H")) == "unknown_class"
    assert refused(state, Ask("all", "7")) == "wrong_scope"


def test_C6_the_asked_seat_gives_all_its_cards_of_the_rank() -> None:
    state = table("classic", "> 7H 2C \n . 7C 7D 9D \n . 7S \n stock 5H")
    step = ask(state, 1, "7")
    assert hands(step.state) == ["2C 7C 7D 7H", "9D", "7S"]
    assert names(step) == ["Asked", "Gave", "GaveCards"]


def test_C7_after_a_catch_the_same_seat_asks_again_anyone_any_held_rank() -> None:
    state = table("classic", "> 7H 2C \n . 7C 9D \n . 7S 3C \n stock 5H")
    after = ask(state, 1, "7").state
    assert after.turn == 0
    assert targets(after) == {1, 2}
    assert classes(after) == {"2", "7"}
    assert ask(after, 2, "7").state.turn == 0


def test_C8_on_a_miss_the_asker_takes_exactly_the_top_card_of_the_stock() -> None:
    state = table("classic", "> 7H \n . 9D \n . 7S \n stock 5H 6H 8H")
    step = ask(state, 1, "7")
    assert hands(step.state)[0] == "5H 7H"
    assert step.state.stock == ("6H", "8H")
    assert only(step, Fished).audience == "all"
    assert only(step, Drew).audience == (0,)


def test_C9_a_lucky_card_is_shown_to_all_and_the_asker_goes_on() -> None:
    state = table("classic", "> 7H \n . 9D \n . 7S \n stock 7C 6H")
    step = ask(state, 1, "7")
    lucky = only(step, Lucky)
    assert (lucky.audience, lucky.seat, lucky.class_, lucky.card) == ("all", 0, "7", "7C")
    assert step.state.turn == 0


def test_C10_another_card_stays_hidden_and_ends_the_turn_even_if_it_completes_a_book() -> None:
    state = table("classic", "> 7H 2C \n . 9D \n . 7S \n stock 6H 8C")
    step = ask(state, 1, "7")
    assert names(step) == ["Asked", "SaidGoFish", "Fished", "Drew", "TurnPassed"]
    assert step.state.turn == 1
    state = table("classic", "> 7H 2C 2D 2H \n . 9D \n . 7S \n stock 2S 8C")
    step = ask(state, 1, "7")
    assert step.state.books[0] == (("2C", "2D", "2H", "2S"),)
    assert step.state.turn == 1
    assert hands(step.state)[0] == "7H"


def test_C11_a_book_is_laid_face_up_whatever_completed_it() -> None:
    by_catch = ask(table("classic", "> 7H 7D 7S 2C \n . 7C 3C \n stock 5H"), 1, "7")
    by_luck = ask(table("classic", "> 7H 7D 7S 2C \n . 3C \n stock 7C"), 1, "7")
    by_deal = dealt(CLASSIC, 3, "7C 7D 7H 7S 2C")
    by_refill = ask(table("classic", "> 2C \n . 2D 2H 2S 3C \n stock 7C 7D 7H 7S 9C"), 1, "2")
    for step in (by_catch, by_luck, by_deal, by_refill):
        book = next(e for e in all_of(step.events, LaidBook) if e.class_ == "7")
        assert book.audience == "all"
        assert book.cards == ("7C", "7D", "7H", "7S")


def test_C12_a_hand_with_a_card_left_is_never_topped_up() -> None:
    state = table("classic", "> 7H 7D 7S 2C \n . 7C 3C \n stock 5H 6H")
    step = ask(state, 1, "7")
    assert hands(step.state) == ["2C", "3C"]
    assert step.state.stock == ("5H", "6H")


def test_C13_asking_without_the_rank_is_refused_and_nothing_is_ever_withheld() -> None:
    state = table("classic", "> 2C \n . 7C 7D \n stock 5H")
    assert refused(state, Ask(1, "7")) == "rank_not_held"
    state = table("classic", "> 7H \n . 7C 7D 9C \n stock 5H")
    assert hands(ask(state, 1, "7").state) == ["7C 7D 7H", "9C"]


def test_C14_the_next_turn_is_the_next_seat_clockwise_that_has_cards() -> None:
    state = table("classic", "> 7H 7D \n . \n . 9C 9D \n . 7C 7S")
    step = ask(state, 2, "7")
    assert step.state.turn == 2
    assert only(step, TurnPassed).to == 2


def test_C15_the_round_ends_when_all_thirteen_quartets_are_booked() -> None:
    rest = " ".join("+".join(rank + suit for suit in "CDHS") for rank in "A2345689TJQK")
    state = table("classic", f"> 7H 7D \n . 7C 7S / books {rest}")
    step = ask(state, 1, "7")
    assert step.state.over
    assert step.state.ended_by == "all_booked"
    assert step.state.turn is None
    assert legal_actions(step.state) == ()
    over = only(step, RoundOver)
    assert over.scores == (1, 12)
    assert over.winners == (1,)


@pytest.mark.parametrize(("others", "number"), [(1, 7), (2, 5)])
def test_C16_an_emptied_hand_takes_the_deal_size_from_the_stock(others: int, number: int) -> None:
    stock = "9C 9D 8C 8D TC TD JC JD QC"
    state = table(
        "classic", "> 7H 7D 7S \n . 7C 3C \n" + ". 2D \n" * (others - 1) + f"stock {stock}"
    )
    step = ask(state, 1, "7")
    assert hands(step.state)[0].split() == sorted(
        stock.split()[:number], key=step.state.setup.deck.place.__getitem__
    )
    assert only(step, Refilled).number == number
    assert step.state.turn == 0


def test_C16_an_emptied_hand_takes_all_that_remain() -> None:
    step = ask(table("classic", "> 7H 7D 7S \n . 7C 3C \n stock 9C 8C"), 1, "7")
    assert hands(step.state)[0] == "8C 9C"
    assert step.state.stock == ()


def test_C17_an_empty_hand_with_an_empty_stock_is_out_and_waits() -> None:
    state = table("classic", "> 7H 7D 7S 2C \n . 7C \n . 2D 3C \n . 3D 2H 2S")
    after = ask(state, 1, "7").state
    assert targets(after) == {2, 3}
    assert refused(after, Ask(1, "2")) == "empty_hand"
    assert ask(after, 2, "2").state.turn == 0


def test_C18_a_miss_with_an_empty_stock_just_ends_the_turn() -> None:
    step = ask(table("classic", "> 7H 2C \n . 9C 2D \n . 7C 2H 2S"), 1, "7")
    assert names(step) == ["Asked", "SaidGoFish", "TurnPassed"]
    assert step.state.turn == 1


def test_C19_most_books_wins() -> None:
    state = table(
        "classic",
        "> 7H 7D / books 2C+2D+2H+2S \n . 7C 7S / books AC+AD+AH+AS",
    )
    step = ask(state, 1, "7")
    assert scores(step.state) == (2, 1)
    assert winners(step.state) == (0,)


def _book(rank: str) -> str:
    return "+".join(rank + suit for suit in "CDHS")


def test_C20_of_tied_seats_the_one_with_the_highest_book_wins_ace_high() -> None:
    """The worked example of doc 000: A T 4 2 beats K Q J 8."""
    aces = " ".join(map(_book, "AT4"))
    kings = " ".join(map(_book, "KQJ8"))
    state = table("classic", f"> 2C 2D / books {aces} \n . 2H 2S / books {kings}")
    step = ask(state, 1, "2")
    assert scores(step.state) == (4, 4)
    assert winners(step.state) == (0,)


def test_C21_a_tie_may_also_be_left() -> None:
    aces = " ".join(map(_book, "AT4"))
    kings = " ".join(map(_book, "KQJ8"))
    text = f"> 2C 2D / books {aces} \n . 2H 2S / books {kings}"
    assert winners(ask(table("classic", text, tie="shared"), 1, "2").state) == (0, 1)


def test_C22_books_may_lie_face_down() -> None:
    text = "> 7H 7D 7S 2C 3C \n . 7C 2D 3D \n . 2H 3H \n stock 5H"
    step = ask(table("classic_face_down", text), 1, "7")
    assert all_of(step.events, LaidBook) == []
    assert only(step, LaidFaceDown).audience == "all"
    assert observe(step.state, 0).books[0] == (("7C", "7D", "7H", "7S"),)
    assert observe(step.state, 1).books[0] == (None,)


def test_C22_books_are_turned_up_at_the_end() -> None:
    step = ask(table("classic_face_down", "> 7H 7D \n . 7C 7S"), 1, "7")
    assert only(step, RevealedBooks).books == ((("7C", "7D", "7H", "7S"),), ())
    assert observe(step.state, 1).books[0] == (("7C", "7D", "7H", "7S"),)


def test_C23_colour_pairs_are_asked_for_by_rank_and_colour() -> None:
    state = table("colour_pairs", "> 4H 9C \n . 4D 4C 2H \n stock 5H")
    assert classes(state) == {"4r", "9b"}
    step = ask(state, 1, "4r")
    assert step.state.books[0] == (("4D", "4H"),)
    assert hands(step.state) == ["9C", "2H 4C"]
    assert refused(state, Ask(1, "4b")) == "rank_not_held"


def test_C24_rank_pairs_ignore_the_colours() -> None:
    state = table("rank_pairs", "> 4H 9C \n . 4C 2H \n stock 5H")
    assert ask(state, 1, "4").state.books[0] == (("4C", "4H"),)
    both = dealt(rules_of("rank_pairs"), 3, "4C 4D 4H 4S 2C").state
    assert both.books[0] == (("4C", "4D"), ("4H", "4S"))


# Our own rulings, where the written rules leave gaps.


def test_CA2_the_rank_has_to_match_and_not_a_particular_card() -> None:
    assert ask(table("classic", "> 7H \n . 9D \n stock 7C 9H"), 1, "7").state.turn == 0


def test_CA3_a_hand_that_was_emptied_by_an_ask_refills_at_once() -> None:
    step = ask(table("classic", "> 7H \n . 7C \n . 3C 7D 7S \n stock 9C 8C"), 1, "7")
    assert hands(step.state)[1] == "8C 9C"
    assert step.state.turn == 0


def test_CA3_with_own_turn_the_refill_waits() -> None:
    text = "> 7H 2C \n . 7C \n . 3C 2D 2H 2S \n stock 9C 8C"
    later = {"refill_active": ["own_turn", 1], "refill_passive": ["own_turn", 1]}
    after = ask(table("classic", text, **later), 1, "7").state
    assert hands(after) == ["2C 7C 7H", "", "2D 2H 2S 3C"]
    step = ask(after, 2, "7")
    assert names(step)[-3:] == ["TurnPassed", "Refilled", "RefilledCards"]
    assert step.state.turn == 1
    assert hands(step.state)[:2] == ["2C 7C 7H 9C", "8C"]


def test_CA4_an_emptied_hand_goes_on_after_a_catch_and_not_after_an_unlucky_card() -> None:
    after = ask(table("classic", "> 7H 7D 7S \n . 7C 3C 9D 9H 9S \n stock 9C 8C"), 1, "7").state
    assert after.turn == 0
    lucky = ask(table("classic", "> 7H 7D 7S \n . 8D 8H 8S \n stock 7C 8C"), 1, "7").state
    assert (lucky.turn, hands(lucky)[0]) == (0, "8C")


def test_CA4_an_emptied_hand_is_refilled_although_the_turn_is_over() -> None:
    """When exact cards are asked for, the card fished after a miss can pair with one in the
    hand."""
    state = table("rank_pairs", "> 7H \n . 3C 9D \n . 4C 3D \n stock 7D 9C 8C", ask_what="card")
    step = ask(state, 1, "7C")
    assert step.state.books[0] == (("7D", "7H"),)
    assert hands(step.state)[0] == "8C 9C"
    assert step.state.turn == 1


def test_CA5_a_refill_may_hold_a_book_and_then_refills_again() -> None:
    quartet = "9C 9D 9H 9S"
    state = table("classic", f"> 7H 7D 7S \n . 7C 3C \n . 4C \n stock {quartet} 5C 5D")
    step = ask(state, 1, "7")
    assert step.state.books[0] == (("7C", "7D", "7H", "7S"), ("9C", "9D", "9H", "9S"))
    assert hands(step.state)[0] == "5C"
    state = table("classic", f"> 7H 7D 7S \n . 7C 3C 4D \n . 4C 4H 4S \n stock {quartet}")
    step = ask(state, 1, "7")
    assert len(step.state.books[0]) == 2
    assert step.state.turn == 1


def test_CA6_two_empty_hands_refill_from_the_active_seat_clockwise() -> None:
    state = table("classic", ". 4C \n > 7H 7D 7S \n . 7C \n stock 9C 8C 6C 5C 3C 2C KC")
    step = ask(state, 2, "7")
    assert [event.seat for event in all_of(step.events, Refilled)] == [1, 2]
    assert hands(step.state)[1:] == ["3C 5C 6C 8C 9C", "2C KC"]


def test_CA7_in_rank_pairs_a_rank_may_be_asked_for_in_vain() -> None:
    state = table("rank_pairs", "> 4H \n . 9C / books 4C+4D \n . 4S \n stock 5H")
    assert "4" in classes(state)
    assert ask(state, 1, "4").state.turn == 1


def test_CA9_tied_pairs_compare_their_ranks_from_high_to_low() -> None:
    text = "> 2C / books AC+AD 3C+3D \n . 2D / books AH+AS 4C+4D"
    step = ask(table("rank_pairs", text), 1, "2")
    assert winners(step.state) == (0,)
    text = "> 3H / books AC+AD 5C+5D \n . 3S / books AH+AS 5H+5S 3C+3D"
    step = ask(table("rank_pairs", text), 1, "3")
    assert scores(step.state) == (3, 3)
    assert winners(step.state) == (0, 1)


def test_CA12_a_turn_that_cannot_go_on_passes_to_the_next_seat_with_cards() -> None:
    state = table("classic", "> 7H 7D 7S \n . 7C \n . 2C 2D \n . 2H 2S")
    step = ask(state, 1, "7")
    assert step.state.turn == 2
    assert only(step, TurnPassed).to == 2


def test_CA13_ten_seats_can_play() -> None:
    state = dealt(CLASSIC, 10).state
    assert len(state.stock) == 2


def test_two_sevens_must_both_go() -> None:
    """The worked example of doc 000."""
    step = ask(table("classic", "> 7H 2C \n . 7C 7D \n stock 5H 6H 8H"), 1, "7")
    assert hands(step.state)[0] == "2C 7C 7D 7H"


def test_nothing_can_be_done_after_the_end() -> None:
    over = do(table("classic", "> 7H 7D \n . 7C 7S"), Ask(1, "7")).state
    assert refused(over, Ask(1, "7")) == "round_over"
