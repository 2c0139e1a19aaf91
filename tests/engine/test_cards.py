"""Decks, classes and books of every kind."""

from __future__ import annotations

import pytest

from classroom.engine.cards import (
    deck_of,
    finder_of,
    is_joker,
    is_wild,
    rank_height,
    rank_of,
    suit_of,
    title_of,
    value_of,
)
from classroom.games import GAMES
from tests.engine.tabletop import rules_of


@pytest.mark.parametrize("key", GAMES)
def test_every_card_is_in_the_classes_that_it_has(key: str) -> None:
    deck = deck_of(GAMES[key].rules)
    assert len(set(deck.cards)) == len(deck.cards)
    assert len(set(deck.classes)) == len(deck.classes)
    for card in deck.cards:
        assert all(card in deck.members[class_] for class_ in deck.classes_of[card])
    assert sum(map(len, deck.members.values())) == sum(map(len, deck.classes_of.values()))
    assert deck.sorted(reversed(deck.cards)) == deck.cards


def test_a_deck_is_made_once() -> None:
    assert deck_of(rules_of("classic")) is deck_of(rules_of("classic"))


def test_a_smaller_deck_has_the_named_ranks_and_suits() -> None:
    deck = deck_of(rules_of("classic", deck_ranks="A2345", deck_suits="HS"))
    assert deck.cards == ("AH", "AS", "2H", "2S", "3H", "3S", "4H", "4S", "5H", "5S")


def test_classes_are_in_the_order_of_the_deck() -> None:
    assert deck_of(rules_of("classic")).classes == tuple("A23456789TJQK")
    assert deck_of(rules_of("colour_pairs")).classes[:4] == ("Ab", "Ar", "2b", "2r")
    assert deck_of(rules_of("five_suit_classic")).classes == tuple("A23456789TJQK*")
    assert deck_of(rules_of("old_fish")).classes == tuple("RLFSW")
    assert deck_of(rules_of("fours")).classes[:3] == ("RS.", "R.1", ".S1")
    assert deck_of(rules_of("make_ten")).classes == tuple(map(str, range(11)))


def test_in_make_ten_the_complement_entitles_to_ask() -> None:
    deck = deck_of(rules_of("make_ten"))
    assert deck.entitling["7"] == deck.members["3"]
    assert deck.entitling["5"] == deck.members["5"]


def test_the_parts_of_a_card() -> None:
    assert [rank_of(card) for card in ("7H", "TD", "R7", "L*", "*1")] == ["7", "T", "7", "*", "*"]
    assert [suit_of(card) for card in ("7H", "R7", "L*")] == ["H", "R", "L"]
    assert value_of("0-a") == 0
    assert [is_joker(card) for card in ("R7", "L*", "*3")] == [False, True, True]
    assert [is_wild(card) for card in ("RS1", "KS1", "RO1", "RS?")] == [False, True, True, True]
    heights = [rank_height(rank + "H") for rank in "23456789TJQKA"]
    assert heights == sorted(set(heights))


@pytest.mark.parametrize(
    ("key", "cards", "books"),
    [
        ("classic", "7H 7D 7C 2H 2D 2S 2C", ["2C 2D 2H 2S"]),
        ("rank_pairs", "7H 7D 7C 2H 2D", ["2D 2H", "7C 7D"]),
        ("colour_pairs", "7H 7D 7C 7S 2H 2S", ["7C 7S", "7D 7H"]),
        ("guru_threes", "7H 7D 7C 7S", ["7C 7D 7H"]),
        ("old_fish", "R2 R3 R4 R5 R* L2 L*", ["R2 R*", "R3 R4 R5", "L2 L*"]),
        ("five_suit_classic", "R* L* F* S* W*", ["R* L* F* S* W*"]),
        ("make_ten", "3-a 3-b 7-a 5-a 5-b 5-c 0-a", ["3-a 7-a", "5-a 5-b"]),
    ],
)
def test_the_books_that_are_laid_automatically(key: str, cards: str, books: list[str]) -> None:
    held = frozenset(cards.split())
    finder = finder_of(rules_of(key))
    assert [" ".join(book) for book in finder.automatic(held, held)] == books


def test_only_books_with_a_new_card_are_searched_for() -> None:
    finder = finder_of(rules_of("rank_pairs"))
    held = frozenset(("7H", "7D", "2H", "2D"))
    assert list(finder.automatic(held, frozenset(("7H",)))) == [("7D", "7H")]


def test_the_options_of_an_owner_who_can_choose() -> None:
    finder = finder_of(rules_of("old_fish", book_lay="choice"))
    held = frozenset(("R2", "R3", "R*"))
    assert finder.options(held) == (("R2", "R*"), ("R3", "R*"))
    assert finder.overlapping(held)
    assert not finder.overlapping(frozenset(("R2", "R*", "L2", "L*")))


def test_fours_that_share_a_card_overlap_and_others_do_not() -> None:
    finder = finder_of(rules_of("fours"))
    squares, ones = ("RS1", "RS2", "RS3", "RS4"), ("RT1", "RH1", "RC1")
    assert finder.overlapping(frozenset((*squares, *ones)))
    assert not finder.overlapping(frozenset((*squares, "GT1", "GT2", "GT3", "GT4")))
    assert not finder.overlapping(frozenset(squares))


def test_one_pool_of_five_wild_cards_is_a_choice() -> None:
    finder = finder_of(rules_of("fours_wild"))
    five = frozenset(("RS1", "RS2", "RS3", "RS4", "RS?"))
    assert finder.overlapping(five)
    assert len(finder.options(five)) == 5


def test_the_title_of_a_book_is_the_class_that_its_cards_share() -> None:
    assert title_of(deck_of(rules_of("classic")), ("7C", "7D", "7H", "7S")) == "7"
    assert title_of(deck_of(rules_of("old_fish")), ("R2", "R*")) == "R"
    assert title_of(deck_of(rules_of("fours")), ("RS1", "RS2", "RS3", "RS4")) == "RS."
    assert title_of(deck_of(rules_of("fours_wild")), ("RS1", "RS2", "RS3", "KS4")) is None
    assert title_of(deck_of(rules_of("make_ten")), ("3-a", "7-a")) is None
