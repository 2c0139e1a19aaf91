"""The settled readings of docs/rules.md, S1 to S35, unless another test covers them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classroom.engine import deal, legal_actions, observe, scores, winners
from classroom.engine.actions import Ask, Bait, Claim, Compensate, Declare, Lay, Pass, Pick, Show
from classroom.engine.cards import deck_of
from classroom.engine.checks import check, demand
from classroom.engine.events import (
    Baited,
    LaidBook,
    LaidOff,
    LeftRound,
    Refilled,
    Retired,
    TurnPassed,
)
from classroom.engine.observation import WATCHER
from classroom.engine.rules import Rules, RulesError
from classroom.engine.state import Quiet, State
from tests.engine.tabletop import (
    all_of,
    ask,
    boats,
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


def _quiet(state: State, **counters: int) -> State:
    return replace(state, quiet=Quiet(**counters))


def test_S1_a_hidden_lucky_card_cannot_be_told_from_bad_luck() -> None:
    public = []
    for card in ("TS", "6H"):
        text = f"> TH 3D \n . 2S \n . 3C \n stock {card} 5H"
        drawn = ask(table("guru", text, lucky="again_may_show"), 1, "T").state
        assert drawn.phase == "show"
        kept = do(drawn, Show(False)).state
        public.append(observe(kept, 1).history)
    assert public[0] == public[1]


def test_S1_only_a_card_of_the_class_asked_for_can_be_shown() -> None:
    text = "> TH 3D \n . 2S \n . 3C \n stock 6H 5H"
    drawn = ask(table("guru", text, lucky="again_may_show"), 1, "T").state
    assert legal_actions(drawn) == (Show(False),)
    assert refused(drawn, Show(True)) == "not_lucky"


THREES = "> 2C 3C 4C \n . 2D 3D 4D \n . 2H 3H 4H 2S 3S 4S"


def test_S2_too_many_asks_without_a_new_book_stall_a_round_though_cards_move() -> None:
    state = _quiet(table("classic", THREES), bookless=4 * 40 - 2)
    one = ask(state, 1, "2").state
    assert not one.over
    assert (one.quiet.idle, one.quiet.bookless) == (0, 159)
    assert ask(one, 1, "3").state.ended_by == "stall"


def test_S2_a_new_book_starts_the_count_again() -> None:
    text = "> 2C 2D 2H 3C \n . 2S 3D 4D \n . 3H 3S 4H 4S 4C"
    state = ask(_quiet(table("classic", text), bookless=159), 1, "2").state
    assert (state.over, state.quiet.bookless) == (False, 0)


def test_S2_a_blindly_fished_card_is_not_moved_by_the_ask() -> None:
    text = "> TH 2D \n . 2C 6C 9C \n . TC TD TS"
    state = _quiet(table("guru_hand_fishing", text, end=["hand_empty"]), idle=38)
    one = do(state, Ask(1, "T"), Pick(1, "6C")).state
    assert (one.over, one.quiet.idle) == (False, 39)
    assert do(one, Ask(2, "9"), Pick(2, "TC")).state.ended_by == "stall"


def test_A11_forty_idle_asks_in_a_row_with_an_empty_stock_stall_a_round() -> None:
    state = table("classic", "> 2C 3C \n . 2D 3D \n . 2H 3H 2S 3S 4C \n . 4D 4H 4S")
    idle = _quiet(state, idle=51)
    assert ask(idle, 3, "2").state.ended_by == "stall"
    assert not ask(_quiet(state, idle=50), 3, "2").state.over
    three = table("classic", "> 2C 3C \n . 2D 3D 4D 4H 4S \n . 2H 3H 2S 3S 4C")
    assert ask(_quiet(three, idle=39), 1, "3").state.quiet.idle == 0


def test_A11_idle_asks_do_not_count_while_the_stock_has_cards() -> None:
    state = table("classic", "> 2C 3C \n . 4D \n . 2H 3H 2S 3S 4C \n stock 5C 5D 5H")
    assert ask(state, 1, "2").state.quiet == Quiet()


def test_S3_when_no_seat_can_act_the_round_is_over() -> None:
    state = table("guru_retire", "> TH TC TD \n . TS 2C 6C \n stock 5H 6H")
    step = ask(state, 1, "T")
    assert only(step, Retired).seat == 0
    assert (step.state.over, step.state.ended_by) == (True, "dead")


def test_S5_laying_names_the_four_cards() -> None:
    text = "> RS1 RS2 RS3 RS4 RT1 RH1 RC1 \n . GT3 \n . BH1 \n stock YC4 YC3"
    state = table("fours", text)
    assert Lay(("RS1", "RS2", "RS3", "RS4")) in legal_actions(state)
    assert refused(state, Lay(("RS1", "RS2", "RS3"))) == "not_a_book"
    assert refused(state, Lay(("RS1", "RS1", "RS3", "RS4"))) == "not_a_book"


def test_S6_everybody_sees_public_books_and_only_the_number_of_face_down_ones() -> None:
    text = "> 7H 2C / books 3C+3D+3H+3S \n . 7C 9H \n . 9C \n stock 5H 6H"
    for viewer in (0, 1, 2, WATCHER):
        assert observe(table("classic", text), viewer).books[0] == (("3C", "3D", "3H", "3S"),)
    for viewer in (1, 2, WATCHER):
        assert observe(table("classic_face_down", text), viewer).books[0] == (None,)


def test_S7_a_four_of_another_seat_waits_for_its_turn() -> None:
    step = dealt(rules_of("fours"), 3, "", "GT1 GH2 GC3 BT1 BH2", "RS1 RS2 RS3 RS4 GT2")
    assert all_of(step.events, LaidBook) == []
    text = "> GT1 \n . RS1 RS2 RS3 RS4 GH1 \n . BH1 \n stock YC4 YC3"
    step = ask(table("fours", text), 2, "GT.", "GT1")
    assert names(step)[-2:] == ["TurnPassed", "LaidBook"]
    assert only(step, LaidBook).seat == 1
    assert hands(step.state)[1] == "GH1"


def test_S7_overlapping_fours_are_offered_at_that_turn() -> None:
    text = "> GT1 \n . RS1 RS2 RS3 RS4 RT1 RH1 RC1 \n . BH1 \n stock YC4 YC3"
    step = ask(table("fours", text), 2, "GT.", "GT1")
    assert all_of(step.events, LaidBook) == []
    assert len([a for a in legal_actions(step.state) if isinstance(a, Lay)]) == 2


def test_S8_all_seats_whose_cards_changed_book_the_active_one_first() -> None:
    step = dealt(
        rules_of("classic"), 3, "2C 2D 2H 2S 3C", "4C 4D 4H 4S 5C", "6C 6D 6H 6S 7C", dealer=1
    )
    assert [(e.seat, e.class_) for e in all_of(step.events, LaidBook)] == [
        (2, "6"),
        (0, "2"),
        (1, "4"),
    ]


def test_S12_single_cards_are_laid_off_by_every_seat_and_may_empty_a_hand() -> None:
    text = "> TH TC 3D \n . TS 2C \n . TD \n stock 5H"
    step = ask(table("guru_threes", text), 1, "T")
    assert only(step, LaidOff).seat == 2
    assert step.state.ended_by == "hand_empty"


def test_S13_a_seat_that_books_its_refill_away_refills_again_before_the_next_looks() -> None:
    two = rules_of("rank_pairs", deal={"default": 2})
    text = "> 7H \n . 7C \n . KC QC \n stock 2C 2D 3C 4C 5C 6C 8C"
    step = ask(table("rank_pairs", text, deal={"default": 2}), 1, "7")
    assert two.deal_size(3) == 2
    assert [(e.seat, e.number) for e in all_of(step.events, Refilled)] == [(0, 2), (0, 2), (1, 2)]
    assert hands(step.state)[:2] == ["3C 4C", "5C 6C"]


def test_S13_a_refill_at_a_seats_own_turn_that_is_booked_away_is_repeated() -> None:
    own_turn = ["own_turn", 2]
    step = dealt(
        rules_of(
            "rank_pairs", deal={"default": 2}, refill_active=own_turn, refill_passive=own_turn
        ),
        3,
        "7C 7D",
        "8C 9C",
        "TC JC",
        dealer=2,
        top="2C 2D 3C 4C",
    )
    assert [(e.seat, e.number) for e in all_of(step.events, Refilled)] == [(0, 2), (0, 2)]
    assert (hands(step.state)[0], step.state.turn) == ("3C 4C", 0)


EMPTY_NEXT = "> TH 7D \n . \n . 6C \n stock 9H "


def test_S13_it_is_repeated_when_the_turn_comes_to_an_empty_seat() -> None:
    text = EMPTY_NEXT + "2C 2D 3C 3D 4C 5C 8C"
    step = ask(table("rank_pairs", text, refill_passive=["own_turn", 2]), 2, "T")
    assert [(e.seat, e.number) for e in all_of(step.events, Refilled)] == [(1, 2)] * 3
    assert (hands(step.state)[1], step.state.turn) == ("4C 5C", 1)


@pytest.mark.parametrize("active", ["now", "own_turn", "never"])
def test_A7_a_seat_that_waited_for_its_turn_takes_what_passive_seats_take(active: str) -> None:
    refills = {"refill_active": [active, 4], "refill_passive": ["own_turn", 2]}
    step = ask(table("classic", EMPTY_NEXT + "2C 3C 4C 5C 8C KC", **refills), 2, "T")
    assert (only(step, Refilled).seat, only(step, Refilled).number) == (1, 2)
    assert step.state.turn == 1


@pytest.mark.parametrize("active", ["own_turn", "never"])
def test_A6_a_seat_that_passes_the_turn_with_an_empty_hand_is_refilled_as_passive(
    active: str,
) -> None:
    """A book with an unlucky fished card empties the hand (steps 8 and 9)."""
    refills = {"refill_active": [active, 4], "refill_passive": ["now", 2]}
    text = "> 6C \n . 7C 8C \n . 9C \n stock 6D TD 3C 4C 5C KC"
    step = ask(table("rank_pairs", text, lucky="ends", **refills), 1, "6")
    assert names(step)[-4:] == ["LaidBook", "TurnPassed", "Refilled", "RefilledCards"]
    assert hands(step.state) == ["3C TD", "7C 8C", "9C"]
    assert step.state.turn == 1


@pytest.mark.parametrize(("passive", "turn"), [("now", 1), ("own_turn", 0)])
def test_S3_no_round_ends_while_the_seat_that_had_the_turn_is_due_to_be_refilled(
    passive: str, turn: int
) -> None:
    """Seat 1 can ask no one until seat 0 has cards again."""
    refills = {"refill_active": ["never", "deal"], "refill_passive": [passive, 2]}
    state = table("rank_pairs", "> 6C \n . 6D 8C \n stock TD 3C 4C", **refills)
    step = ask(state, 1, "6")
    assert (only(step, Refilled).seat, hands(step.state)) == (0, ["3C TD", "8C"])
    assert (step.state.over, step.state.turn) == (False, turn)
    never = {"refill_active": ["never", "deal"], "refill_passive": ["never", "deal"]}
    last = ask(table("rank_pairs", "> 6C \n . 6D 8C \n stock TD 3C 4C", **never), 1, "6")
    assert last.state.ended_by == "dead"


def test_S14_after_a_lucky_card_that_empties_the_hand_the_turn_goes_clockwise() -> None:
    text = "> TH TC TD \n . 2C \n . 3C 4C \n stock TS 5H"
    step = ask(table("guru", text, end=["stock_out"]), 2, "T")
    assert only(step, TurnPassed).to == 1


FOURLESS = "> RS1 RS2 YC1 \n . GT3 RS3 YC2 \n . BH1 RS4 YC3"


def test_S15_turns_without_a_new_four_end_a_round_of_fours() -> None:
    state = _quiet(table("fours", FOURLESS), fourless=28)
    one = ask(state, 2, "R.1", "RS1").state
    assert (one.over, one.quiet.fourless) == (False, 29)
    assert ask(one, 2, "GT.", "GT3").state.ended_by == "stall"


def test_S15_only_turns_count_whose_last_action_began_with_an_empty_stock() -> None:
    state = table("fours", FOURLESS + "\n stock YT4")
    assert ask(state, 2, "R.1", "RS1").state.quiet.fourless == 0


def test_S15_a_new_four_sets_the_count_to_nought() -> None:
    text = "> RS1 RS2 RS4 YC1 \n . GT3 RS3 YC2 \n . BH1 YC3 YC4"
    after = ask(_quiet(table("fours", text), fourless=29), 1, "RS.", "RS1").state
    assert (after.over, after.quiet.fourless) == (False, 0)


DECLARED = "> RS1 BH4 \n . RS2 GT1 / boat GT2 \n . RS3 GT3 \n . RS4 YC1 GT4"
RED_SQUARES = Claim(("RS1", "RS2", "RS3", "RS4"))


def test_S16_declaring_only_when_the_stock_is_out() -> None:
    assert refused(table("fours", DECLARED + "\n stock YT4"), Declare()) == "stock_not_out"
    assert Declare() in legal_actions(table("fours", DECLARED))
    assert refused(table("fours", DECLARED, end_declare=False), Declare()) == "not_in_this_game"


def test_S16_a_seat_that_left_is_not_asked_gets_no_turn_and_claims_nothing() -> None:
    state = do(table("fours", DECLARED), Declare()).state
    for _ in range(3):
        state = do(state, Pass()).state
    assert targets(state) == {2, 3}
    assert refused(state, Ask(0, "RS.", "RS2")) == "target_out"
    again = do(state, Declare()).state
    assert (again.phase, again.turn) == ("claim", 2)
    assert do(do(again, Pass()).state, Pass()).state.out == {0, 1}


def test_S16_a_seat_without_cards_may_claim() -> None:
    text = "> RS1 BH4 \n . \n . RS3 GT3 RS2 GT2 GT1 \n . RS4 YC1 GT4"
    state = do(table("fours", text), Declare()).state
    assert state.turn == 1
    outcomes = (Compensate(2, "BH4"),)
    assert do(state, RED_SQUARES, *outcomes).state.books[1] == (RED_SQUARES.cards,)


def test_S16_the_claims_end_when_nothing_is_left_that_uses_a_card_of_the_declarer() -> None:
    text = "> RS1 RT2 BH4 \n . RS2 GT1 \n . RS3 GT3 RT1 RT3 RT4 \n . RS4 YC1 GT4 GT2"
    state = do(table("fours", text), Declare()).state
    state = do(state, RED_SQUARES, Compensate(2, "BH4"), Compensate(3, "RT2")).state
    assert (state.phase, state.out) == ("ask", {0})


def test_S16_a_pass_without_a_claim_is_the_last() -> None:
    text = "> RS1 RT2 BH4 BH3 BC1 \n . RS2 GT1 / boat GT2 \n . RS3 GT3 RT1 RT3 RT4 \n . RS4 YC1 GT4"
    state = do(table("fours", text), Declare()).state
    state = do(state, RED_SQUARES, Compensate(2, "BH4"), Compensate(3, "BH3")).state
    assert (state.phase, state.turn) == ("claim", 2)
    state = do(state, Pass()).state
    state = do(state, Pass()).state
    assert (state.phase, state.turn) == ("claim", 1)
    for _ in range(3):
        assert state.phase == "claim"
        state = do(state, Pass()).state
    assert state.out == {0}


def test_S16_after_a_true_declaration_no_seat_claims_and_the_declarer_leaves() -> None:
    text = "> RS1 BH4 \n . RS2 GT1 / boat GT2 \n . RS3 GT3 \n . YC1 GT4"
    step = do(table("fours", text), Declare())
    assert names(step) == ["Declared", "LeftRound", "TurnPassed"]


def test_S16_the_target_is_looked_at_after_each_claim() -> None:
    books = "/ books BS1+BS2+BS3+BS4 BT1+BT2+BT3+BT4 BC1+BC2+BC3+BC4"
    text = DECLARED.replace("RS2 GT1", "RS2 GT1 " + books)
    state = do(table("fours_wild", text), Declare()).state
    step = do(state, RED_SQUARES, Compensate(2, "BH4"))
    assert step.state.ended_by == "books_target"
    assert all_of(step.events, LeftRound) == []


def test_S17_lay_is_legal_in_phase_ask_only() -> None:
    text = "> RS1 RS2 RS3 RS4 RT1 RH1 RC1 GT2 \n . GT3 \n . BH1 \n stock YC4 YC3"
    state = table("fours_wild", text)
    drawn = ask(state, 2, "GT.", "GT2").state
    assert drawn.phase == "show"
    assert refused(drawn, Lay(("RS1", "RS2", "RS3", "RS4"))) == "wrong_phase"


def test_S18_a_refill_from_a_short_stock_is_not_filled_up_from_the_boat() -> None:
    text = "> RS1 / boat RS2 RS3 GT1 GT2 \n . RS4 GT3 \n . BH1 GT4 \n stock YC4 YC3"
    step = ask(table("fours", text), 1, "RS.", "RS1")
    assert hands(step.state)[0] == "YC3 YC4"
    assert boats(step.state)[0] == "GT1 GT2"
    assert all_of(step.events, Baited) == []


def test_S18_another_seat_takes_from_its_boat_at_its_own_turn() -> None:
    text = "> RS1 RS2 GT1 \n . RS3 / boat GT2 YC1 \n . BH1 GT3 GT4 RS4"
    caught = ask(table("fours", text), 1, "RS.", "RS1")
    assert hands(caught.state)[1] == ""
    step = do(caught.state, Ask(2, "R.1", "RS1"), Bait(1, ("GT2", "YC1")))
    assert hands(step.state)[1] == "YC1 GT2"


def test_S19_all_booked_comes_before_the_target_and_ends_before_dead() -> None:
    text = "> 7H 7D \n . 7C 7S"
    both = table("classic", text, end=["books_target", "all_booked"], end_books_target=1)
    assert ask(both, 1, "7").state.ended_by == "all_booked"
    empty = table("classic", text, end=["stock_out", "all_booked"])
    assert ask(empty, 1, "7").state.ended_by == "all_booked"
    target = table("classic", text, end=["books_target"], end_books_target=1)
    assert ask(target, 1, "7").state.ended_by == "books_target"


def test_S19_dead_comes_before_stall() -> None:
    state = table("guru_threes", "> TH TC 2C \n . TS 3C \n . 4C 5C", end=[], book_layoff="none")
    dead = ask(_quiet(state, idle=39), 1, "T").state
    assert dead.ended_by == "dead"


def test_S21_the_last_card_is_looked_at_before_the_round_ends() -> None:
    text = "> TH TC TD 3D \n . 2S \n . 3C \n stock TS"
    drawn = ask(table("guru", text, lucky="again_may_show"), 1, "T").state
    assert (drawn.phase, drawn.over) == ("show", False)
    assert hands(drawn)[0] == "3D TC TD TH TS"
    assert drawn.books[0] == ()
    for show in (True, False):
        ended = do(drawn, Show(show)).state
        assert ended.ended_by == "stock_out"
        assert len(ended.books[0]) == 1


@pytest.mark.parametrize(
    ("key", "seats", "limit"),
    [("guru_exact_card", 4, 52), ("fours", 3, 144), ("fours_wild", 3, 225), ("old_fish", 3, 40)],
)
def test_S22_the_stall_limit_goes_by_all_classes_and_a_rank_is_one(
    key: str, seats: int, limit: int
) -> None:
    assert dealt(rules_of(key), seats).state.setup.stall_limit == limit


def test_S23_a_card_in_a_book_may_be_asked_for() -> None:
    text = "> TH \n . 2C / books TC+TD \n . 3C \n stock 5H 6H"
    state = table("guru_exact_card", text, book_size=2)
    assert classes(state) == {"TC", "TD", "TS"}
    assert ask(state, 1, "TC").state.turn == 1


def test_S24_the_joker_rank_is_the_highest() -> None:
    jokers, aces = "R*+L*+F*+S*+W*", "RA+LA+FA+SA+WA"
    text = f"> R7 L7 F7 / books {aces} \n . S7 W7 / books {jokers} R2+L2+F2+S2+W2"
    state = ask(table("five_suit_classic", text), 1, "7").state
    assert scores(state) == (2, 2)
    assert winners(state) == (1,)


def test_S25_before_the_end_nothing_is_deducted_and_no_seat_has_won() -> None:
    text = "> TH 3D / books 2C+2D+2H+2S \n . TS 4C \n . 3C \n stock 5H 6H"
    state = ask(table("guru_deduct", text), 1, "T").state
    assert scores(state) == (1, 0, 0)
    assert winners(state) == ()


def test_S26_whose_turn_it_is_while_an_ask_is_open() -> None:
    text = "> TH 3D \n . TS TC 2C \n . 3C \n stock 5H 6H"
    answering = ask(table("guru_how_many", text, response="challenge_optional"), 1, "T").state
    naming = ask(table("guru_how_many", text), 1, "T").state
    showing = ask(table("guru", text, lucky="again_may_show"), 2, "T").state
    claiming = do(table("fours", DECLARED), Declare()).state
    assert [s.turn for s in (answering, naming, showing, claiming)] == [1, 0, 0, 1]


def test_S27_a_view_does_not_follow_the_order_of_the_deck() -> None:
    rules = Rules()
    deck = list(deck_of(rules).cards)
    one = deal(rules, 3, 0, deck).state
    for i in range(3):  # swap the first and the last card that each seat is dealt
        deck[i], deck[i + 12] = deck[i + 12], deck[i]
    deck[15:] = reversed(deck[15:])
    other = deal(rules, 3, 0, deck).state
    assert one.stock != other.stock
    for viewer in (0, 1, 2, WATCHER):
        assert observe(one, viewer) == observe(other, viewer)


def test_S29_a_refill_that_takes_the_last_card_ends_the_round_as_well() -> None:
    text = "> TH TC TD \n . TS 2C 6C \n . 3C \n stock 5H 6H 8H"
    step = ask(table("guru_new_hand", text), 1, "T")
    assert only(step, Refilled).number == 3
    assert step.state.ended_by == "stock_out"


def test_S29_a_hand_emptied_by_giving_retires_too() -> None:
    step = ask(table("guru_retire", "> TH 3D \n . TS \n . 3C 4D \n stock 5H 6H"), 1, "T")
    assert only(step, Retired).seat == 1
    assert (step.state.turn, targets(step.state)) == (0, {2})


def test_S31_cards_of_a_seat_that_left_are_out_of_the_round() -> None:
    text = "> RS2 GT1 \n . RS3 GT3 \n . RS4 GT4 GT2 \n . RS1 BH4 / out"
    state = table("fours", text)
    step = do(state, Declare())
    assert (step.state.phase, step.state.turn) == ("claim", 1)
    assert {a.cards for a in legal_actions(step.state) if isinstance(a, Claim)} == {
        ("GT1", "GT2", "GT3", "GT4")
    }
    alone = table("fours", "> RS2 \n . RS3 \n . RS4 \n . RS1 / out")
    assert alone.dead


def test_S32_a_book_by_the_replacement_card_is_laid_in_the_step_of_the_ask() -> None:
    text = "> TH \n . 2C 2D 2H 6C 9C \n . 3C \n stock 2S 6H 8H"
    state = table("guru_hand_fishing", text, lucky="again_may_show", end=["stock_out"])
    step = do(state, Ask(1, "T"), Pick(1, "6C"))
    assert step.state.phase == "show"
    assert only(step, LaidBook).seat == 1
    assert step.state.books[1] == (("2C", "2D", "2H", "2S"),)
    assert do(step.state, Show(False)).state.turn == 1


def test_S32_the_pickers_own_book_waits_for_its_answer() -> None:
    text = "> TH 6H 6D 6S \n . 2C 2D 6C \n . 3C \n stock 5S 7H 8H"
    state = table("guru_hand_fishing", text, lucky="again_may_show", end=["stock_out"])
    step = do(state, Ask(1, "T"), Pick(1, "6C"))
    assert step.state.books[0] == ()
    assert len(do(step.state, Show(False)).state.books[0]) == 1


def test_S33_with_automatic_books_every_seat_lays_at_once() -> None:
    text = "> TH \n . 2C 2D 2H 6C \n . 3C \n stock 2S 6H 8H"
    step = do(table("guru_hand_fishing", text, end=["stock_out"]), Ask(1, "T"), Pick(1, "6C"))
    assert only(step, LaidBook).seat == 1


def test_S35_without_all_booked_among_the_ends_nothing_left_is_dead() -> None:
    state = table("classic", "> 7H 7D \n . 7C 7S", end=[])
    assert ask(state, 1, "7").state.ended_by == "dead"


def test_S4_play_on_ends_with_an_empty_hand_at_any_time_and_not_with_the_stock() -> None:
    assert rules_of("guru_play_on").end == ("hand_empty",)
    dry = ask(table("guru_play_on", "> 7H 2C \n . 9C 9D \n . 9H 9S"), 1, "7").state
    assert (dry.stock, dry.over) == ((), False)
    early = ask(table("guru_play_on", "> 7H 2C \n . 7C \n stock 5H 6H"), 1, "7").state
    assert (early.over, early.ended_by) == (True, "hand_empty")


def test_S9_a_deduction_is_refused_only_where_all_booked_is_the_only_end() -> None:
    alone = rules_of("guru_deduct", end=["all_booked"])
    both = rules_of("guru_deduct", end=["all_booked", "stock_out"])
    assert [reason.id for reason in check(alone).reasons] == ["R5"]
    assert check(both).lawful


def test_A6_only_a_book_of_the_catch_keeps_a_turn_that_needs_one() -> None:
    """The book that seat 1 finds in its refill comes too late (steps 5 and 6)."""
    text = "> 7H 2C \n . 7C \n . 3H \n stock 9C 9D 9H 9S 5C 6H"
    step = ask(table("classic", text, turn_catch="again_if_book"), 1, "7")
    assert only(step, LaidBook).seat == 1
    assert step.state.turn == 1


def test_S11_guru_deals_five_or_seven_to_two_and_both_are_data() -> None:
    rules = rules_of("guru")
    assert [rules.deal_size(seats) for seats in (2, 3, 6)] == [7, 5, 5]
    assert rules_of("guru", deal={"default": 6, "2": 4}).deal_size(2) == 4


def test_S20_idle_asks_in_a_dead_position_end_it_one_for_each_seat_with_cards() -> None:
    state = table("old_fish", "> R2 \n . R3 \n . L2 \n .")
    for target, class_ in ((2, "R"), (2, "R")):
        state = ask(state, target, class_).state
        assert not state.over
    state = ask(state, 0, "L").state
    assert (state.over, state.ended_by) == (True, "dead"), "three seats have cards"


def test_S30_the_penalty_is_for_each_holder_or_only_for_a_single_one() -> None:
    books = "/ books S2+S3+S4 S5+S6+S7 S8+S9+ST SJ+SQ+SK"
    text = f"> R2 {books} \n . R3 {books} \n . L2"
    for penalty_for, wanted in (("each", (1, 1, 0)), ("single", (4, 4, 0))):
        state = table("old_fish", text, score_penalty_for=penalty_for)
        for target, class_ in ((2, "R"), (2, "R"), (0, "L")):
            state = ask(state, target, class_).state
        assert scores(state) == wanted


def test_S34_a_refusal_names_the_dimensions_by_their_keys_and_says_why() -> None:
    rules = rules_of("guru_ask_all", turn_next="refuser")
    with pytest.raises(RulesError) as refused_:
        demand(rules)
    words = str(refused_.value)
    assert words.startswith("ask.scope and turn.next: ")
    assert "several players may refuse" in words
