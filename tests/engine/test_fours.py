"""doc 003, statement by statement (docs/rules.md A4): Fisherman's Fours and its wild game."""

from __future__ import annotations

from itertools import combinations

import pytest

from classroom.engine import legal_actions, observe, scores, winners
from classroom.engine.actions import (
    Ask,
    Bait,
    ChanceError,
    Claim,
    Compensate,
    Declare,
    Lay,
    Pass,
    Show,
)
from classroom.engine.cards import deck_of, finder_of
from classroom.engine.checks import check
from classroom.engine.events import (
    Baited,
    BaitedCards,
    Claimed,
    Compensated,
    Declared,
    Drew,
    Gave,
    GaveCards,
    KeptHidden,
    LaidBook,
    LeftRound,
    Lucky,
    Refilled,
    SawBait,
    ShowedBait,
)
from classroom.engine.observation import WATCHER
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
    played,
    refused,
    rules_of,
    table,
    targets,
)

FOURS = rules_of("fours")
WILD = rules_of("fours_wild")
RED_SQUARES = "RS1 RS2 RS3 RS4"


def _asks(*cards: str) -> set[str]:
    deck = deck_of(FOURS)
    return {class_ for card in cards for class_ in deck.classes_of[card]}


def test_F1_three_to_six_seats_and_one_card_for_each_colour_shape_and_number() -> None:
    assert FOURS.seats == (3, 6)
    cards = deck_of(FOURS).cards
    assert len(cards) == len(set(cards)) == 64
    assert {card[0] for card in cards} == set("RYGB")
    assert {card[1] for card in cards} == set("STHC")
    assert {card[2] for card in cards} == set("1234")


def test_F2_five_cards_each_from_the_dealers_left() -> None:
    state = dealt(FOURS, 3, dealer=1).state
    assert list(map(len, state.hands)) == [5, 5, 5]
    assert len(state.stock) == 49
    assert state.turn == 2


def test_F3_a_four_shares_two_of_three_traits_and_each_card_is_in_three() -> None:
    deck = deck_of(FOURS)
    fours = finder_of(FOURS).options(frozenset(deck.cards))
    assert len(fours) == len(deck.classes) == 48
    assert {len(of) for of in deck.classes_of.values()} == {3}
    assert deck.classes_of["RS1"] == ("RS.", "R.1", ".S1")
    assert all(sum(card in four for four in fours) == 3 for card in deck.cards)


def test_F4_a_dealt_four_may_be_laid_at_once() -> None:
    step = dealt(FOURS, 3, "", f"{RED_SQUARES} GT2")
    assert only(step, LaidBook).cards == ("RS1", "RS2", "RS3", "RS4")
    assert step.state.turn == 1
    assert hands(step.state)[1] == "GT2"


def test_F5_clockwise_from_the_dealers_left() -> None:
    assert dealt(FOURS, 4, dealer=3).state.turn == 0
    state = table("fours", "> RS1 \n . GT2 \n . GT3 \n . BH1 \n stock YC4 YC3")
    assert ask(state, 2, "R.1", "RS1").state.turn == 1


def test_F6_an_ask_names_one_seat_and_values_of_two_different_traits() -> None:
    state = table("fours", "> RS1 GT2 \n . GT3 \n . BH1 \n stock YC4 YC3")
    assert targets(state) == {1, 2}
    assert classes(state) == _asks("RS1", "GT2")
    assert refused(state, Ask(1, "RS1", "RS1")) == "unknown_class"
    assert refused(state, Ask(1, "RG.", "RS1")) == "unknown_class"


def test_F7_a_card_of_the_class_in_the_bait_is_shown_to_the_asked_seat_only() -> None:
    state = table("fours", "> RS1 RT1 \n . GT3 \n . BH1 \n stock YC4 YC3")
    step = ask(state, 1, "R.1", "RT1")
    assert only(step, ShowedBait).audience == "all"
    assert only(step, SawBait) == SawBait(audience=(0, 1), seat=0, target=1, card="RT1")
    assert "RT1" in step.state.hands[0]
    assert {a.bait for a in legal_actions(state) if isinstance(a, Ask) and a.class_ == "R.1"} == {
        "RS1",
        "RT1",
    }
    assert refused(state, Ask(1, "RS.", "RT1")) == "wrong_bait"
    assert refused(state, Ask(1, "R.1")) == "wrong_bait"
    assert refused(state, Ask(1, "G.3", "GT3")) == "rank_not_held"


def test_F8_the_asked_seat_gives_from_bait_and_boat_into_the_askers_boat() -> None:
    state = table("fours", "> RS1 \n . RT1 GT3 / boat RH1 BH2 \n . BH1 \n stock YC4 YC3")
    step = ask(state, 1, "R.1", "RS1")
    assert hands(step.state)[:2] == ["RS1", "GT3"]
    assert boats(step.state)[:2] == ["RT1 RH1", "BH2"]
    assert only(step, Gave).number == 2
    assert only(step, GaveCards).audience == (0, 1)


def test_F9_bait_and_boat_are_never_mixed() -> None:
    state = table("fours", "> RS1 / boat GT1 \n . RT1 GT3 \n . BH1 \n stock YC4 YC3")
    assert classes(state) == _asks("RS1")
    assert refused(state, Ask(1, "GT.", "GT1")) == "rank_not_held"


def test_F10_a_four_of_bait_and_boat_may_be_laid() -> None:
    state = table("fours", "> RS1 GH2 / boat RS2 RS3 \n . RS4 GT3 \n . BH1 \n stock YC4 YC3")
    step = ask(state, 1, "RS.", "RS1")
    assert only(step, LaidBook).cards == ("RS1", "RS2", "RS3", "RS4")
    assert (hands(step.state)[0], boats(step.state)[0]) == ("GH2", "")


def test_F10_with_overlapping_fours_the_owner_chooses() -> None:
    overlapping = "RT1 RH1 RC1 GH2 / boat RS2 RS3 RS4"
    state = table("fours", f"> {overlapping} \n . RS1 GT3 \n . BH1 \n stock YC4 YC3")
    step = ask(state, 1, "R.1", "RT1")
    assert all_of(step.events, LaidBook) == []
    lays = [a for a in legal_actions(step.state) if isinstance(a, Lay)]
    assert [set(lay.cards) for lay in lays] == [
        {"RS1", "RS2", "RS3", "RS4"},
        {"RS1", "RT1", "RH1", "RC1"},
    ]
    laid = do(step.state, lays[1]).state
    assert (hands(laid)[0], boats(laid)[0]) == ("GH2", "RS2 RS3 RS4")
    assert (laid.turn, laid.phase) == (0, "ask")
    assert refused(step.state, Lay(("RS1", "RS2", "RS3", "RT1"))) == "not_a_book"
    assert refused(step.state, Lay(("BH1", "RS2", "RS3", "RT1"))) == "cards_not_held"


def test_F11_after_a_catch_the_same_seat_asks_again() -> None:
    state = table("fours", "> RS1 \n . RT1 GT3 \n . BH1 \n stock YC4 YC3")
    after = ask(state, 1, "R.1", "RS1").state
    assert after.turn == 0
    assert classes(after) == _asks("RS1")


def test_F12_a_card_that_matches_in_both_traits_is_shown_and_gives_another_ask() -> None:
    state = table("fours", "> RS1 \n . GT3 \n . BH1 \n stock RC1 YC3")
    step = ask(state, 1, "R.1", "RS1")
    assert only(step, Lucky).card == "RC1"
    assert (step.state.turn, hands(step.state)[0]) == (0, "RS1 RC1")
    half = table("fours", "> RS1 \n . GT3 \n . BH1 \n stock RC2 YC3")
    step = ask(half, 1, "R.1", "RS1")
    assert only(step, Drew).audience == (0,)
    assert (step.state.turn, hands(step.state)[0]) == (1, "RS1 RC2")


def test_F13_another_four_by_the_drawn_card_is_laid_and_the_turn_ends() -> None:
    state = table("fours", "> RS1 GT2 GT3 GT4 \n . GH3 \n . BH1 \n stock GT1 YC3")
    step = ask(state, 1, "R.1", "RS1")
    assert only(step, LaidBook).class_ == "GT."
    assert step.state.turn == 1


def test_F14_a_bait_emptied_by_a_four_draws_five_at_once() -> None:
    stock = "YC4 YC3 BH3 BH4 GC1 GC2"
    state = table("fours", f"> RS1 / boat RS2 RS3 \n . RS4 GT3 \n . BH1 \n stock {stock}")
    step = ask(state, 1, "RS.", "RS1")
    assert (only(step, Refilled).seat, only(step, Refilled).number) == (0, 5)
    assert (step.state.turn, len(step.state.hands[0])) == (0, 5)


def test_F15_a_bait_emptied_by_an_ask_draws_five_at_its_own_turn() -> None:
    stock = "YC4 BH3 BH4 GC1 GC2 YC1 YT2"
    state = table("fours", f"> RS1 \n . RT1 \n . BH1 \n stock {stock}")
    after = ask(state, 1, "R.1", "RS1").state
    assert hands(after)[1] == ""
    assert targets(after) == {2}
    step = ask(after, 2, "R.1", "RS1")
    assert names(step)[-3:] == ["TurnPassed", "Refilled", "RefilledCards"]
    assert (step.state.turn, len(step.state.hands[1])) == (1, 5)


def test_F16_without_a_deck_a_miss_just_ends_the_turn() -> None:
    state = table("fours", "> RS1 RS2 \n . GT3 RS3 \n . BH1 RS4")
    step = ask(state, 1, "R.1", "RS1")
    assert names(step)[-2:] == ["SaidGoFish", "TurnPassed"]


def test_F16_a_seat_without_bait_takes_five_of_its_shuffled_boat() -> None:
    boat = "RS2 RS3 GT1 GT2 BH2 BH3"
    state = table("fours", f"> RS1 RS4 YC1 \n . / boat {boat} \n . BH1")
    bait = Bait(1, ("RS2", "GT1", "BH2", "GT2", "BH3"))
    step = do(state, Ask(2, "YC.", "YC1"), bait)
    assert hands(step.state)[1] == "RS2 GT1 GT2 BH2 BH3"
    assert boats(step.state)[1] == "RS3"
    assert only(step, Baited) == Baited(audience="all", seat=1, number=5)
    assert only(step, BaitedCards).audience == (1,)


@pytest.mark.parametrize(
    "logged",
    [
        Bait(1, ("RS2", "GT1", "BH2", "GT2", "GT2", "BH3")),  # five cards, one of them twice
        Bait(1, ("RS2", "GT1", "BH2", "GT2", "GT2")),
        Bait(1, ("RS2", "GT1", "BH2", "GT2")),
        Bait(1, ("RS2", "GT1", "BH2", "GT2", "YC1")),  # one from another seat
        Bait(0, ("RS2", "GT1", "BH2", "GT2", "BH3")),
    ],
)
def test_F16_only_five_cards_of_the_boat_can_be_logged_as_bait(logged: Bait) -> None:
    state = table("fours", "> RS1 RS4 YC1 \n . / boat RS2 RS3 GT1 GT2 BH2 BH3 \n . BH1")
    with pytest.raises(ChanceError, match="cannot happen here"):
        do(state, Ask(2, "YC.", "YC1"), logged)


def test_F16_the_active_seat_does_so_at_once() -> None:
    state = table("fours", "> RS1 / boat RS2 RS3 GT1 \n . RS4 GT2 \n . BH1 GT3 GT4")
    step = do(state, Ask(1, "RS.", "RS1"), Bait(0, ("GT1",)))
    assert (step.state.turn, hands(step.state)[0], boats(step.state)[0]) == (0, "GT1", "")


DECLARED = "> RS1 BH4 \n . RS2 GT1 / boat GT2 \n . RS3 GT3 \n . RS4 YC1 GT4"
RED_SQUARES_CLAIMED = Claim(("RS1", "RS2", "RS3", "RS4"))


def test_F17_a_declaration_exposes_all_cards() -> None:
    step = do(table("fours", DECLARED), Declare())
    exposed = only(step, Declared)
    assert exposed.audience == "all"
    assert exposed.hands[0] == ("RS1", "BH4")
    assert exposed.boats[1] == ("GT2",)
    assert (step.state.phase, step.state.turn) == ("claim", 1)
    assert observe(step.state, WATCHER).hands[3] == ("RS4", "YC1", "GT4")


def test_F17_a_four_that_uses_a_card_of_the_declarer_may_be_claimed() -> None:
    claiming = do(table("fours", DECLARED), Declare()).state
    assert legal_actions(claiming) == (RED_SQUARES_CLAIMED, Pass())
    assert refused(claiming, Claim(("GT1", "GT2", "GT3", "GT4"))) == "no_card_of_declarer"
    assert refused(claiming, Claim(("RS1", "RS2", "RS3", "BH4"))) == "not_a_book"
    assert refused(claiming, Claim(("RS1", "BC1", "RS3", "BH4"))) == "cards_not_held"
    passed = do(claiming, Pass()).state
    assert passed.turn == 2
    step = do(passed, RED_SQUARES_CLAIMED, Compensate(1, "BH4"))
    assert only(step, Claimed).seat == 2
    assert step.state.books[2] == (RED_SQUARES_CLAIMED.cards,)


def test_F17_third_owners_get_random_cards_of_the_declarer() -> None:
    """Seats 1 and 3 lose a card each, and the declarer has one left for seat 1, which is nearer
    (FA15)."""
    claiming = do(do(table("fours", DECLARED), Declare()).state, Pass()).state
    step = do(claiming, RED_SQUARES_CLAIMED, Compensate(1, "BH4"))
    assert only(step, Compensated) == Compensated(audience="all", seat=1, card="BH4")
    assert boats(step.state)[1] == "GT2 BH4"
    assert only(step, LeftRound).seat == 0
    assert step.state.out == {0}


def test_F17_the_others_play_on_clockwise_from_the_declarer() -> None:
    claiming = do(table("fours", DECLARED), Declare()).state
    for _ in range(3):
        claiming = do(claiming, Pass()).state
    assert (claiming.phase, claiming.turn, claiming.out) == ("ask", 1, {0})


def test_F18_most_cards_win() -> None:
    books = "/ books GS1+GS2+GS3+GS4 BS1+BS2+BS3+BS4"
    state = table("fours", f"> RS1 {books} \n . RS2 RS3 RS4 \n . ")
    state = ask(state, 1, "RS.", "RS1").state
    assert (scores(state), winners(state)) == ((12, 0, 0), (0,))


def test_A4_a_round_ends_when_no_four_can_be_made_whatever_is_left() -> None:
    assert FOURS.end == ()
    state = table("fours", "> RS1 RS2 RS3 YC1 \n . RS4 GT2 \n . BH1")
    step = ask(state, 1, "RS.", "RS1")
    assert (step.state.ended_by, hands(step.state)) == ("dead", ["YC1", "GT2", "BH1"])


@pytest.mark.parametrize("target", [None, 7])
def test_S19_a_round_in_which_all_fours_are_laid_is_all_booked(target: int | None) -> None:
    end = {"end": [] if target is None else ["books_target"], "end_books_target": target}
    text = "> RS1 RS2 RS3 \n . RS4 \n ."
    assert ask(table("fours", text, **end), 1, "RS.", "RS1").state.ended_by == "all_booked"
    kept = table("fours", text + "GT1 / out", **end)
    assert ask(kept, 1, "RS.", "RS1").state.ended_by == "dead", "a seat left with a card"


def test_G13_cards_left_in_hand_and_boat_may_be_deducted() -> None:
    text = "> RS1 RS2 RS3 YC1 \n . RS4 GT2 / boat GH3 \n . BH1"
    state = table("fours", text, score_deduct=1)
    assert check(state.rules).lawful
    assert scores(ask(state, 1, "RS.", "RS1").state) == (3, -2, -1)


# The wild game.


def test_W1_the_full_deck_of_125_cards() -> None:
    cards = deck_of(WILD).cards
    assert len(cards) == len(set(cards)) == 125
    assert {card[0] for card in cards} == set("RYGBK")
    assert {card[1] for card in cards} == set("STHCO")
    assert {card[2] for card in cards} == set("1234?")


@pytest.mark.parametrize(
    ("cards", "is_four"),
    [
        ("RS1 KS2 RO3 RS?", True),  # red squares
        ("KO1 KO2 KO3 KO4", True),  # all wild in colour and shape (FA19)
        ("KO1 RS1 RT1 KC1", True),  # red cards with 1
        ("RS1 GS2 RO3 RS?", False),  # squares, but neither of one colour nor of one number
        ("KS1 RS2 RO4 RT?", False),  # red cards, but neither of one shape nor of one number
    ],
)
def test_W2_wild_traits_stand_for_any_when_a_four_is_made(cards: str, is_four: bool) -> None:
    assert finder_of(WILD).possible(frozenset(cards.split())) is is_four


def test_W2_there_are_208903_fours() -> None:
    """Found by going through all 48 pools; a four that lies in several pools is counted once."""
    finder = finder_of(WILD)
    pools = set(finder.pools.values())
    fours = {four for pool in pools for four in combinations(sorted(pool), 4)}
    assert len(pools) == 48
    assert {len(pool) for pool in pools} == {20}
    assert len(fours) == 208_903


def test_W3_for_asking_wild_traits_are_values_of_their_own() -> None:
    deck = deck_of(WILD)
    assert len(deck.classes) == 75
    assert {len(cards) for cards in deck.members.values()} == {5}


def test_W4_a_card_with_exactly_these_values_is_needed_and_given() -> None:
    """The worked examples 10a to 10d of doc 003."""
    state = table("fours_wild", "> KS1 \n . RT1 RT? \n . BH1 \n stock YC4 YC3")
    assert refused(state, Ask(1, "R.1", "KS1")) == "rank_not_held"
    state = table("fours_wild", "> RS3 \n . RT3 RT? \n . BH1 \n stock YC4 YC3")
    assert boats(ask(state, 1, "R.3", "RS3").state)[0] == "RT3"
    state = table("fours_wild", "> KS2 RC2 KC1 \n . KC2 \n . BH1 \n stock YC4 YC3")
    for class_, bait in [("K.2", "KS2"), (".C2", "RC2"), ("KC.", "KC1")]:
        assert boats(ask(state, 1, class_, bait).state)[0] == "KC2"
    state = table("fours_wild", "> RO4 \n . BO4 RS4 BT4 KO4 \n . BH1 \n stock YC4 YC3")
    assert boats(ask(state, 1, ".O4", "RO4").state)[0] == "BO4 KO4"


def test_W5_the_four_laid_need_not_hold_the_bait_shown() -> None:
    text = "> RS1 RT1 RH1 KO1 BO2 \n . RC1 GT3 \n . BH1 \n stock YC4 YC3"
    step = ask(table("fours_wild", text), 1, "R.1", "RS1")
    without_bait = Lay(("RT1", "RH1", "RC1", "KO1"))
    assert without_bait in legal_actions(step.state)
    assert do(step.state, without_bait).state.books[0] == (without_bait.cards,)


def test_W6_a_lucky_card_must_be_shown_for_another_ask_and_may_be_kept() -> None:
    state = table("fours_wild", "> RS1 \n . GT3 \n . BH1 \n stock RC1 YC3")
    drawn = ask(state, 1, "R.1", "RS1").state
    assert legal_actions(drawn) == (Show(True), Show(False))
    shown = do(drawn, Show(True))
    assert only(shown, Lucky).card == "RC1"
    assert shown.state.turn == 0
    kept = do(drawn, Show(False))
    assert names(kept) == ["KeptHidden", "TurnPassed"]
    assert only(kept, KeptHidden).audience == "all"
    other = table("fours_wild", "> RS1 \n . GT3 \n . BH1 \n stock RC? YC3")
    assert legal_actions(ask(other, 1, "R.1", "RS1").state) == (Show(False),)


@pytest.mark.parametrize("size", [3, 5])
def test_FA19_a_four_is_exactly_four_cards(size: int) -> None:
    for rules in (FOURS, WILD):
        assert "FA19" in {reason.id for reason in check(rules.changed(book_size=size)).reasons}


def test_FA20_without_a_target_the_wild_game_ends_dead_and_a_card_is_always_over() -> None:
    rules = FOURS.changed(deck_wild=True, end_declare=False)
    assert check(rules).lawful
    for seed in range(3):
        state = played(rules, 3, seed)
        assert state.ended_by in ("dead", "stall")
        assert len(state.in_play()) % 4 == 1


def test_W7_first_to_an_agreed_number_of_fours_wins() -> None:
    books = "/ books GS1+GS2+GS3+GS4 BS1+BS2+BS3+BS4 YS1+YS2+YS3+YS4"
    text = f"> RS1 {books} \n . RS2 RS3 RS4 GT1 \n . BH1 \n stock YC4 YC3"
    state = ask(table("fours_wild", text), 1, "RS.", "RS1").state
    assert (state.over, state.ended_by) == (True, "books_target")
    assert winners(state) == (0,)
