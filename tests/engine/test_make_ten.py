"""Make Ten and Make Five (docs/rules.md, their own chapter)."""

from __future__ import annotations

import pytest

from classroom.engine.actions import Ask
from classroom.engine.cards import deck_of
from classroom.engine.checks import check
from classroom.engine.events import Gave, LaidBook, Lucky
from tests.engine.tabletop import (
    all_of,
    ask,
    classes,
    dealt,
    hands,
    only,
    played,
    refused,
    rules_of,
    seats_of,
    table,
)


@pytest.mark.parametrize(("key", "top", "number"), [("make_ten", 10, 44), ("make_five", 5, 24)])
def test_four_copies_of_each_value_from_nought_to_the_sum(key: str, top: int, number: int) -> None:
    deck = deck_of(rules_of(key))
    assert len(deck.cards) == number
    assert deck.classes == tuple(map(str, range(top + 1)))
    assert deck.cards[:4] == ("0-a", "0-b", "0-c", "0-d")


def test_a_seat_that_holds_three_asks_for_seven() -> None:
    state = table("make_ten", "> 3-a 5-b \n . 7-a 7-c \n stock 1-a 1-b")
    assert classes(state) == {"7", "5"}
    assert refused(state, Ask(1, "3")) == "rank_not_held"
    assert refused(state, Ask(1, "11")) == "unknown_class"


def test_the_asked_seat_gives_one_card_which_makes_the_pair() -> None:
    step = ask(table("make_ten", "> 3-a 5-b \n . 7-a 7-c \n stock 1-a 1-b"), 1, "7")
    assert only(step, Gave).number == 1
    assert only(step, LaidBook).cards == ("3-a", "7-a")
    assert only(step, LaidBook).class_ is None
    assert hands(step.state) == ["5-b", "7-c"]
    assert step.state.turn == 0


def test_half_of_the_sum_asks_for_itself() -> None:
    step = ask(table("make_ten", "> 3-a 5-b \n . 5-a 7-c \n stock 1-a 1-b"), 1, "5")
    assert only(step, LaidBook).cards == ("5-a", "5-b")
    assert only(step, LaidBook).class_ == "5"


def test_a_fished_card_of_the_value_asked_for_is_lucky() -> None:
    step = ask(table("make_ten", "> 3-a 5-b \n . 1-c \n stock 7-d 1-b"), 1, "7")
    assert only(step, Lucky).card == "7-d"
    assert step.state.books[0] == (("3-a", "7-d"),)
    assert step.state.turn == 0


def test_another_pair_by_the_fished_card_is_laid_and_the_turn_ends() -> None:
    step = ask(table("make_ten", "> 3-a 4-b \n . 1-c \n stock 6-d 9-b"), 1, "7")
    assert all_of(step.events, Lucky) == []
    assert step.state.books[0] == (("4-b", "6-d"),)
    assert step.state.turn == 1


def test_all_dealt_pairs_are_laid() -> None:
    state = dealt(rules_of("make_ten"), 3, "3-a 3-b 3-c 7-a 7-b").state
    assert state.books[0] == (("3-a", "7-a"), ("3-b", "7-b"))
    fives = dealt(rules_of("make_ten"), 3, "5-a 5-b 5-c 5-d 0-a").state
    assert fives.books[0] == (("5-a", "5-b"), ("5-c", "5-d"))


@pytest.mark.parametrize("key", ["make_ten", "make_five"])
def test_the_deck_adds_up_so_all_cards_are_booked(key: str) -> None:
    rules = rules_of(key)
    top = rules.deck_top or 0
    for seats in seats_of(rules, 4):
        for seed in range(25):
            state = played(rules, seats, seed)
            assert state.ended_by == "all_booked"
            assert sum(map(len, state.books)) == 2 * (top + 1)
            for book in (book for books in state.books for book in books):
                assert sum(int(card.split("-")[0]) for card in book) == top


@pytest.mark.parametrize("top", [5, 6, 9, 12, 20])
def test_every_sum_from_five_to_twenty_works(top: int) -> None:
    rules = rules_of("make_ten", deck_top=top)
    assert check(rules, 2).lawful
    assert played(rules, 2, top).ended_by == "all_booked"


def test_an_odd_number_of_halves_is_refused() -> None:
    refusals = check(rules_of("make_ten", deck_copies=3)).reasons
    assert [reason.id for reason in refusals] == ["R6"]
    assert check(rules_of("make_five", deck_copies=3)).lawful


@pytest.mark.parametrize(("key", "most"), [("make_ten", 8), ("make_five", 4)])
def test_S28_the_deck_decides_how_many_can_play(key: str, most: int) -> None:
    assert rules_of(key).seats == (2, most)
    more = rules_of(key, seats=[2, most + 1])
    assert [reason.id for reason in check(more, most + 1).reasons] == ["R15"]
