"""doc 001, statement by statement (docs/rules.md A2), and what settles its gaps (GA1 to GA17)."""

from __future__ import annotations

import pytest

from classroom.engine import legal_actions, scores, winners
from classroom.engine.actions import Answer, Ask, LayOff, Name, Pick, Show
from classroom.engine.cards import deck_of
from classroom.engine.events import (
    Gave,
    LaidBook,
    LaidOff,
    Lucky,
    Picked,
    Refilled,
    Replaced,
    ReplacedCard,
    Retired,
    SaidGoFish,
)
from classroom.engine.scoring import after_round, new_match
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

GURU = rules_of("guru")


def test_G1_52_cards_and_five_each_or_seven() -> None:
    assert len(deck_of(GURU).cards) == 52
    assert [GURU.deal_size(seats) for seats in (2, 3, 4)] == [7, 5, 5]
    seven = rules_of("guru", deal={"default": 7})
    assert len(dealt(seven, 4).state.stock) == 52 - 28


def test_G2_the_seat_left_of_the_dealer_begins() -> None:
    assert dealt(GURU, 4, dealer=3).state.turn == 0


def test_G3_an_ask_is_for_a_rank_in_the_askers_hand() -> None:
    state = table("guru", "> TH \n . TC 2C \n . 3C \n stock 5H")
    assert classes(state) == {"T"}
    assert refused(state, Ask(1, "2")) == "rank_not_held"


def test_G4_all_cards_of_the_rank_are_handed_over_and_the_asker_goes_on() -> None:
    step = ask(table("guru", "> TH \n . TC TD 2C \n . 3C \n stock 5H"), 1, "T")
    assert hands(step.state) == ["TC TD TH", "2C", "3C"]
    assert step.state.turn == 0


def test_G5_a_miss_draws_one_card_and_a_lucky_one_is_shown_for_another_ask() -> None:
    step = ask(table("guru", "> TH \n . 2C \n . 3C \n stock TS 5H"), 1, "T")
    assert only(step, Lucky).card == "TS"
    assert step.state.turn == 0


def test_G6_otherwise_the_turn_goes_to_the_seat_that_said_go_fish() -> None:
    step = ask(table("guru", "> TH \n . 2C \n . 3C \n . 4C \n stock 5H 6H"), 2, "T")
    assert step.state.turn == 2


def test_G6b_or_the_turn_goes_to_the_left() -> None:
    text = "> TH \n . 2C \n . 3C \n . 4C \n stock 5H 6H"
    assert ask(table("guru", text, turn_next="clockwise"), 2, "T").state.turn == 1


def test_G7_a_quartet_is_laid_in_front_of_its_owner() -> None:
    step = ask(table("guru", "> TH TC TD 3D \n . TS 2C \n . 3C \n stock 5H"), 1, "T")
    assert only(step, LaidBook).seat == 0
    assert step.state.books[0] == (("TC", "TD", "TH", "TS"),)


@pytest.mark.parametrize(
    ("text", "target", "ended_by"),
    [
        ("> TH TC TD \n . TS 2C \n . 3C \n stock 5H", 1, "hand_empty"),
        ("> TH 3D \n . TS \n . 3C \n stock 5H", 1, "hand_empty"),
        ("> TH 3D \n . 2S \n . 3C \n stock 5H", 1, "stock_out"),
    ],
)
def test_G8_the_round_ends_with_an_empty_hand_or_an_empty_stock(
    text: str, target: int, ended_by: str
) -> None:
    state = ask(table("guru", text), target, "T").state
    assert (state.over, state.ended_by) == (True, ended_by)


def test_G9_most_books_wins() -> None:
    books = "/ books 2C+2D+2H+2S"
    state = ask(table("guru", f"> TH 3D {books} \n . TS \n . 3C \n stock 5H"), 1, "T").state
    assert scores(state) == (1, 0, 0)
    assert winners(state) == (0,)


def test_G10_rounds_for_points_until_a_total_reaches_the_target() -> None:
    match = new_match(rules_of("guru_points", match_target=10), 3, dealer=2)
    match = after_round(match, (5, 4, 0), (0,))
    assert (match.totals, match.dealer, match.over) == ((5, 4, 0), 0, False)
    match = after_round(match, (5, 6, 0), (1,))
    assert (match.totals, match.dealer, match.over) == ((10, 10, 0), 1, False)
    match = after_round(match, (1, 0, 7), (2,))
    assert (match.winners, match.rounds) == ((0,), 3)


def test_G11_books_of_two() -> None:
    step = ask(table("guru_pairs", "> TH 3D \n . TS 2C \n . 3C \n stock 5H"), 1, "T")
    assert step.state.books[0] == (("TH", "TS"),)


def test_G12_books_of_three_and_single_cards_laid_beside_them() -> None:
    text = "> TH TC 3D \n . TS 2C \n . TD 3C 4C \n stock 5H"
    step = ask(table("guru_threes", text), 1, "T")
    assert step.state.books[0] == (("TC", "TH", "TS"),)
    assert only(step, LaidOff) == LaidOff(audience="all", seat=2, card="TD")
    assert step.state.singles == ((), (), ("TD",))


def test_G12_a_fourth_card_that_comes_later_is_laid_off_too() -> None:
    text = "> 3D \n . 2C / books TC+TH+TS \n . 4C \n stock TD 5H"
    step = ask(table("guru_threes", text), 1, "3")
    assert step.state.singles[0] == ("TD",)


def test_G13_points_for_books_less_the_cards_left_in_the_hand() -> None:
    books = "/ books 2C+2D+2H+2S"
    text = f"> TH 3D {books} \n . TS \n . 3C 4C 4D \n stock 5H"
    state = ask(table("guru_deduct", text), 1, "T").state
    assert hands(state) == ["3D TH TS", "", "3C 4C 4D"]
    assert scores(state) == (1 - 3, 0, -3)
    assert winners(state) == (1,)


def test_G14_play_on_when_the_stock_is_out_until_a_hand_is_empty() -> None:
    text = "> TH 3D \n . 2S TC TD TS \n . 3C 2C 2D 2H \n stock 5H"
    state = ask(table("guru_play_on", text), 2, "T").state
    assert not state.over
    assert state.stock == ()
    state = ask(table("guru_play_on", "> TH 3D \n . 2S TC TD TS \n . 3C"), 2, "3").state
    assert state.ended_by == "hand_empty"


def test_G15_an_exact_card_is_asked_for() -> None:
    state = table("guru_exact_card", "> TH TC \n . TS 2C \n . TD 3C \n stock 5H 6H")
    assert classes(state) == {"TD", "TS"}
    step = ask(state, 1, "TS")
    assert hands(step.state)[0] == "TC TH TS"
    assert step.state.turn == 0
    assert ask(state, 1, "TD").state.turn == 1


def test_G16_the_ask_goes_to_all_and_every_holder_gives() -> None:
    state = table("guru_ask_all", "> TH 3D \n . TS 2C \n . 3C 4C \n . TD 4D \n stock 5H 6H")
    assert targets(state) == {"all"}
    step = ask(state, "all", "T")
    assert [(e.giver, e.number) for e in all_of(step.events, Gave)] == [(1, 1), (3, 1)]
    assert [e.seat for e in all_of(step.events, SaidGoFish)] == [2]
    assert hands(step.state) == ["3D TD TH TS", "2C", "3C 4C", "4D"]
    assert step.state.turn == 0


def test_G16_if_no_seat_has_any_the_turn_goes_clockwise() -> None:
    state = table("guru_ask_all", "> 3H \n . TS 2C \n . 4C \n . TD 4D \n stock 5H 6H")
    step = ask(state, "all", "3")
    assert len(all_of(step.events, SaidGoFish)) == 3
    assert step.state.turn == 1


def test_G17_an_emptied_hand_takes_a_whole_new_one() -> None:
    stock = "5H 6H 8H 9H KH QH"
    text = f"> TH TC TD \n . TS 2C 6C \n . 3C \n stock {stock}"
    step = ask(table("guru_new_hand", text), 1, "T")
    assert hands(step.state)[0] == "5H 6H 8H 9H KH"
    assert not step.state.over


def test_G18_an_emptied_hand_is_finished_and_the_others_go_on() -> None:
    text = "> TH TC TD \n . TS 2C 6C \n . 3C 2D \n stock 5H 6H"
    step = ask(table("guru_retire", text), 1, "T")
    assert only(step, Retired).seat == 0
    assert step.state.out == {0}
    assert step.state.turn == 1
    assert targets(step.state) == {2}
    assert refused(step.state, Ask(0, "2")) == "target_out"
    assert ask(ask(step.state, 2, "6").state, 1, "3").state.ended_by == "stock_out"


def test_G19_on_a_miss_a_card_is_fished_from_the_asked_hand_which_is_replaced() -> None:
    state = table("guru_hand_fishing", "> TH \n . 2C 6C 9C \n . 3C \n stock 5H 6H")
    step = do(state, Ask(1, "T"), Pick(1, "6C"))
    assert hands(step.state) == ["6C TH", "2C 5H 9C", "3C"]
    assert only(step, Picked).audience == (0, 1)
    assert only(step, Replaced).audience == "all"
    assert only(step, ReplacedCard) == ReplacedCard(audience=(1,), seat=1, card="5H")
    assert step.state.turn == 1
    assert step.chance == (Pick(1, "6C"),)


def test_G20_how_many_and_a_number_from_one_to_three() -> None:
    state = table("guru_how_many", "> TH 3D \n . TS TC 2C \n . 3C \n stock 5H 6H")
    asked = ask(state, 1, "T")
    assert names(asked) == ["Asked", "AskedHowMany"]
    assert (asked.state.phase, asked.state.turn) == ("name", 0)
    assert legal_actions(asked.state) == (Name(1), Name(2), Name(3))
    assert refused(asked.state, Name(4)) == "wrong_number"
    assert refused(asked.state, Ask(1, "T")) == "wrong_phase"
    given = do(asked.state, Name(2))
    assert hands(given.state)[0] == "3D TC TH TS"
    assert given.state.turn == 0
    missed = do(asked.state, Name(3))
    assert names(missed) == ["Named", "SaidGoFish", "Fished", "Drew", "TurnPassed"]
    assert missed.state.turn == 1


def test_G20_a_seat_with_none_just_says_go_fish() -> None:
    state = table("guru_how_many", "> TH 3D \n . 2C \n . 3C \n stock 5H 6H")
    assert names(ask(state, 1, "T")) == ["Asked", "SaidGoFish", "Fished", "Drew", "TurnPassed"]


# Our own rulings, where the written rules leave gaps.


def test_GA1_a_lucky_last_card_gives_no_further_ask() -> None:
    state = ask(table("guru", "> TH 3D \n . 2S \n . 3C \n stock TS"), 1, "T").state
    assert (state.over, state.ended_by) == (True, "stock_out")
    assert hands(state)[0] == "3D TH TS"


def test_GA2_a_hand_emptied_by_the_deal_ends_the_round() -> None:
    four = rules_of("guru_pairs", deal={"default": 4})
    state = dealt(four, 3, "", "2C 2D 3C 3D").state
    assert state.ended_by == "hand_empty"


def test_GA3_a_lucky_card_that_may_be_shown_is_shown_or_kept() -> None:
    state = table("guru", "> TH 3D \n . 2S \n . 3C \n stock TS 5H", lucky="again_may_show")
    drawn = ask(state, 1, "T")
    assert (drawn.state.phase, drawn.state.turn, drawn.state.drawn) == ("show", 0, "TS")
    assert legal_actions(drawn.state) == (Show(True), Show(False))
    assert do(drawn.state, Show(True)).state.turn == 0
    assert do(drawn.state, Show(False)).state.turn == 1


@pytest.mark.parametrize("target", [1, 2])
def test_GA3_after_a_card_was_kept_the_seat_that_said_go_fish_plays(target: int) -> None:
    state = table("guru", "> TH 3D \n . 2S \n . 3C \n stock TS 5H", lucky="again_may_show")
    assert do(ask(state, target, "T").state, Show(False)).state.turn == target


def test_GA4_laying_off_may_be_a_choice_and_is_worth_nothing() -> None:
    text = "> 3D TD \n . 2C 3H / books TC+TH+TS \n . 4C \n stock 5H 6H"
    state = table("guru_threes", text, book_layoff="choice")
    assert LayOff("TD") in legal_actions(state)
    assert refused(state, LayOff("3D")) == "no_book_yet"
    assert refused(state, LayOff("3H")) == "cards_not_held"
    step = do(state, LayOff("TD"))
    assert step.state.singles[0] == ("TD",)
    assert scores(step.state) == (0, 1, 0)
    assert (step.state.turn, step.state.phase) == (0, "ask")
    assert LayOff("TD") not in legal_actions(step.state)


def test_GA5_without_lay_off_threes_end_in_a_dead_position() -> None:
    threes = {"book_layoff": "none", "end": []}
    alive = ask(table("guru_threes", "> TH TC 3D \n . TS TD 3H 3S \n . 3C", **threes), 2, "T")
    assert not alive.state.over
    dead = ask(table("guru_threes", "> TH TC 3D \n . TS TD 4C \n . 3C 3H", **threes), 2, "3")
    assert hands(dead.state) == ["TC TH", "4C TD TS", ""]
    assert not dead.state.over
    assert ask(dead.state, 1, "T").state.ended_by == "dead"


def test_GA8_the_rank_must_be_held_and_only_a_bluff_names_ones_own_card() -> None:
    text = "> TH TC \n . TS 2C \n . TD 3C \n stock 5H 6H"
    honest, bluff = table("guru_exact_card", text), table("guru_exact_card", text, ask_bluff=True)
    assert refused(honest, Ask(1, "2C")) == "rank_not_held"
    assert refused(honest, Ask(1, "TC")) == "own_card"
    assert refused(honest, Ask(1, "T")) == "unknown_class"
    assert classes(bluff) == {"TC", "TD", "TH", "TS"}
    assert ask(bluff, 1, "TC").state.turn == 1


def test_GA8_only_the_exact_card_is_lucky() -> None:
    text = "> TH TC \n . 2S 2C \n . TD 3C \n stock TS 6H"
    assert ask(table("guru_exact_card", text), 1, "TS").state.turn == 0
    assert ask(table("guru_exact_card", text), 1, "TD").state.turn == 1


def test_GA10_a_new_hand_has_the_deal_size() -> None:
    text = "> TH TC TD \n . TS 2C 6C \n stock 5H 6H 8H 9H KH QH JH 4H"
    step = ask(table("guru_new_hand", text), 1, "T")
    assert only(step, Refilled).number == 7


def test_GA11_exactly_the_number_named_moves_and_can_be_taken_back() -> None:
    """The worked example of doc 001: two tens, one named, one given, and it can be taken back."""
    text = "> TH 3D \n . TS TC 2C \n . 3C \n stock 5H 6H"
    one = do(ask(table("guru_how_many", text), 1, "T").state, Name(1))
    assert only(one, Gave).number == 1
    assert hands(one.state)[:2] == ["3D TC TH", "2C TS"]
    missed = ask(one.state, 1, "3").state
    assert missed.turn == 1
    back = do(ask(missed, 0, "T").state, Name(2))
    assert hands(back.state)[1] == "2C TC TH TS"
    everything = do(ask(table("guru_how_many", text, give="all"), 1, "T").state, Name(1))
    assert hands(everything.state)[0] == "3D TC TH TS"


def test_GA12_from_an_empty_hand_the_stock_is_fished() -> None:
    text = "> TH \n . \n . 3C \n stock 5H 6H"
    state = table("guru_hand_fishing", text, ask_empty_target="legal", end=["stock_out"])
    step = do(state, Ask(1, "T"))
    assert hands(step.state) == ["5H TH", "", "3C"]
    assert step.chance == ()


def test_GA12_with_an_empty_stock_nothing_is_replaced() -> None:
    text = "> TH 2D \n . 2C 6C 9C \n . TC TD TS"
    step = do(table("guru_hand_fishing", text, end=["hand_empty"]), Ask(1, "T"), Pick(1, "6C"))
    assert hands(step.state)[:2] == ["2D 6C TH", "2C 9C"]
    assert all_of(step.events, Replaced) == []


def test_GA12_a_blind_card_can_be_lucky_after_naming_too_many() -> None:
    text = "> TH 3D \n . TS TC 2C \n . 3C \n stock 5H 6H"
    state = table("guru_hand_fishing", text, response="challenge")
    asked = ask(state, 1, "T").state
    lucky = do(asked, Name(3), Pick(1, "TS"))
    assert only(lucky, Lucky).card == "TS"
    assert lucky.state.turn == 0
    unlucky = do(asked, Name(3), Pick(1, "2C"))
    assert unlucky.state.turn == 1


def test_GA13_the_challenge_may_be_a_decision_of_the_asked_seat() -> None:
    text = "> TH 3D \n . TS TC 2C \n . 3C \n stock 5H 6H"
    asked = ask(table("guru_how_many", text, response="challenge_optional"), 1, "T").state
    assert (asked.phase, asked.turn) == ("answer", 1)
    assert legal_actions(asked) == (Answer("give"), Answer("challenge"))
    given = do(asked, Answer("give")).state
    assert hands(given)[0] == "3D TC TH TS"
    assert given.turn == 0
    challenged = do(asked, Answer("challenge")).state
    assert (challenged.phase, challenged.turn) == ("name", 0)


def test_GA14_more_than_can_be_held_may_be_named_and_is_a_miss() -> None:
    text = "> TH TD TC 3D \n . TS 2C \n . 3C \n stock 5H 6H"
    asked = ask(table("guru_how_many", text), 1, "T").state
    assert Name(2) in legal_actions(asked)
    assert do(asked, Name(2)).state.turn == 1


def test_GA16_if_the_refuser_has_no_cards_the_next_seat_after_it_plays() -> None:
    text = "> TH \n . 2D \n . \n . 3C \n stock 5H 6H"
    state = table("guru", text, ask_empty_target="legal", end=["stock_out"])
    assert ask(state, 2, "T").state.turn == 3


def test_GA17_ties_are_shared() -> None:
    books = "/ books {}C+{}D+{}H+{}S"
    aces, kings = books.replace("{}", "A"), books.replace("{}", "K")
    text = f"> TH 3D {aces} \n . TS {kings} \n . 3C \n stock 5H"
    assert winners(ask(table("guru", text), 1, "T").state) == (0, 1)
    assert winners(ask(table("guru", text, tie="high_book"), 1, "T").state) == (0,)
