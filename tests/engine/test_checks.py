"""Combinations that are refused or lead to a warning, R1 to R23 (docs/rules.md A8), one by one."""

from __future__ import annotations

from typing import Any

import pytest

from classroom.engine import deal
from classroom.engine.checks import check, demand
from classroom.engine.rules import RulesError
from classroom.games import GAMES
from tests.engine.tabletop import dealt, rules_of

REFUSED: list[tuple[str, str, dict[str, Any], set[str], str]] = [
    (
        "R1",
        "guru_ask_all",
        {"turn.next": "refuser"},
        {"ask.scope", "turn.next"},
        "several players may refuse",
    ),
    ("R2", "guru_ask_all", {"response": "challenge"}, {"ask.scope", "response"}, "exactly one"),
    ("R2", "guru_ask_all", {"response": "challenge_optional"}, {"ask.scope"}, "how many"),
    ("R2", "guru_ask_all", {"miss": "draw_asked_hand"}, {"ask.scope", "miss"}, "whose hand"),
    ("R3", "guru", {"refill.active": ["now", "deal"]}, {"end", "refill.active"}, "both end"),
    ("R3", "guru", {"refill.passive": ["own_turn", 1]}, {"end", "refill.passive"}, "both end"),
    ("R3", "guru", {"refill.retire": True}, {"end", "refill.retire"}, "retire"),
    ("R4", "guru_retire", {"end": []}, {"refill.retire", "end"}, "no end"),
    ("R5", "classic", {"score.deduct": 1}, {"score.deduct", "end"}, "nothing to deduct"),
    ("R6", "classic", {"book.size": 3}, {"end", "book.size"}, "left over"),
    ("R6", "fours_wild", {"end": ["all_booked"]}, {"end", "book.size"}, "left over"),
    ("R6", "old_fish", {"end": ["all_booked"], "deck.ranks": "A2"}, {"end"}, "left over"),
    ("R7", "classic", {"book.layoff": "auto"}, {"book.layoff", "book.size"}, "never cards left"),
    ("R7", "guru", {"book.layoff": "choice"}, {"book.layoff", "book.size"}, "lay off"),
    ("R8", "guru_exact_card", {"response": "challenge"}, {"ask.what", "response"}, "meaningless"),
    (
        "R11",
        "fours",
        {"catch_to": "hand", "book.lay": "auto"},
        {"class", "catch_to", "book.lay"},
        "lay = choice",
    ),
    ("R13", "fours", {"tie": "high_book"}, {"tie", "class"}, "no rank order"),
    ("R13", "old_fish", {"tie": "high_book"}, {"tie", "class"}, "no rank order"),
    ("R13", "make_ten", {"tie": "high_book"}, {"tie", "class"}, "no rank order"),
    ("R14", "old_fish", {"deck.lost": 0}, {"end", "deck.lost"}, "nobody would be left holding"),
    ("R14", "classic", {"end": ["single_holder"]}, {"end", "deck.lost"}, "mod 4"),
    ("R15", "classic", {"deal": {"default": 30}}, {"deal", "seats"}, "largest seat count is 1"),
    ("R15", "classic", {"deal": {"default": 12}, "seats": [5, 6]}, {"deal"}, "count is 4"),
    ("R16", "classic", {"book.size": 5, "end": []}, {"book.size", "class"}, "never be made"),
    ("R16", "classic", {"book.size": 1}, {"book.size"}, "at least 2"),
    ("R16", "make_ten", {"book.size": 3}, {"book.size"}, "exactly 2"),
    (
        "R17",
        "classic",
        {"end": ["books_target"], "end.books_target": 14},
        {"end.books_target"},
        "13 books are possible",
    ),
    ("R17", "fours_wild", {"end.books_target": 32}, {"end.books_target"}, "31 books"),
    ("R17", "fours_wild", {"end.books_target": None}, {"end", "end.books_target"}, "needs its"),
    ("R18", "classic", {"match.target": 10}, {"match.target", "tie"}, "another round"),
    (
        "R19",
        "old_fish",
        {"deck.joker": "wild", "score.penalty_for": "single"},
        {"deck.joker", "end", "score.penalty_for"},
        "each holder",
    ),
    ("R22", "classic", {"end.tide": 8}, {"end.tide", "seats"}, "three or four"),
    ("R22", "wish_pairs", {"end.tide": 8}, {"end.tide", "seats"}, "three or four"),
    *(
        ("R23", key, {"end.tide": 8, "seats": [3, 4]} | change, {"end.tide", dimension}, why)
        for key, change, dimension, why in (
            ("old_fish", {}, "class", "ranks or numbers"),
            ("fours", {}, "end.declare", "nobody leaves"),
            ("classic", {"ask.what": "card"}, "ask.what", "whole class"),
            ("classic", {"ask.scope": "all"}, "ask.scope", "nothing to remember"),
            ("classic", {"ask.bait": "asked"}, "ask.bait", "shown"),
            ("classic", {"ask.bluff": True}, "ask.bluff", "bluff"),
            ("classic", {"response": "challenge"}, "response", "how many"),
            ("classic", {"miss": "draw_asked_hand"}, "miss", "pond"),
            ("classic", {"turn.catch": "again_if_book"}, "turn.catch", "another ask"),
            ("classic", {"lucky": "again_may_show"}, "lucky", "all must see"),
            ("classic", {"lucky": "ends"}, "lucky", "all must see"),
            ("classic", {"book.lay": "choice"}, "book.lay", "shell"),
            ("guru_retire", {}, "refill.retire", "could not help"),
            ("guru", {}, "end", "all books are made"),
            ("classic", {"end": ["books_target"], "end.books_target": 3}, "end", "all books"),
            ("classic", {"score.penalty": 1}, "score.penalty", "nobody pays"),
            ("classic", {"match.target": 20, "tie": "shared"}, "match.target", "alone"),
            ("classic_face_down", {}, "visibility.books", "open to all"),
        )
    ),
    # Refusals with the id of another statement of docs/rules.md.
    (
        "GA9",
        "guru_new_hand",
        {"refill.retire": True},
        {"refill.retire", "refill.active"},
        "not both",
    ),
    ("F7", "guru_ask_all", {"ask.bait": "asked"}, {"ask.bait", "ask.scope"}, "one asked player"),
    ("GA8", "make_ten", {"ask.what": "card"}, {"ask.what", "class"}, "exact card"),
    ("GA8", "fours", {"ask.what": "card"}, {"ask.what", "class"}, "exact card"),
    ("G12", "make_ten", {"book.layoff": "auto"}, {"book.layoff", "book.kind"}, "one class"),
    ("FA19", "fours_wild", {"book.size": 5}, {"book.kind", "book.size"}, "exactly four"),
    ("F17", "classic", {"end.declare": True}, {"end.declare", "class"}, "overlapping fours"),
    ("O4", "old_fish", {"book.joker": 3}, {"book.joker", "book.size"}, "less than a book"),
    ("A7", "classic", {"deck.kind": "fours"}, {"deck.kind", "class"}, "no class by rank"),
    ("A7", "classic", {"book.kind": "sum"}, {"class", "book.kind"}, "cannot be made"),
    ("A7", "classic", {"deck.joker": "suited"}, {"deck.joker", "deck.kind"}, "no Jokers"),
    ("A7", "classic", {"deck.suits": "RLF"}, {"deck.kind", "deck.suits"}, "suits of a french deck"),
    ("A7", "make_ten", {"deck.top": None}, {"deck.kind", "deck.top"}, "highest value"),
    (
        "A7",
        "old_fish",
        {"deck.joker": "wild", "book.kind": "class"},
        {"deck.joker", "book.kind"},
        "no suit",
    ),
]


@pytest.mark.parametrize(
    ("id_", "key", "changes", "keys", "words"),
    REFUSED,
    ids=[f"{id_}-{key}-{i}" for i, (id_, key, *_) in enumerate(REFUSED)],
)
def test_R_refused_with_the_dimensions_and_the_reason(
    id_: str, key: str, changes: dict[str, Any], keys: set[str], words: str
) -> None:
    rules = GAMES[key].rules.changed(changes)
    reasons = [reason for reason in check(rules).reasons if reason.id == id_]
    assert any(words in reason.text and keys <= set(reason.keys) for reason in reasons), [
        str(reason) for reason in check(rules).reasons
    ]
    with pytest.raises(RulesError) as refused:
        demand(rules)
    assert all(key in str(refused.value) for key in keys)
    assert "\n" not in str(refused.value)


WARNED: list[tuple[str, str, dict[str, Any], str]] = [
    ("R9", "guru_hand_fishing", {}, "never occur"),
    ("R10", "guru_how_many", {"give": "all"}, "naming 1 always works"),
    ("R12", "classic", {"catch_to": "boat"}, "no purpose"),
    ("R20", "wish_pairs", {"seats": [2, 4]}, "stall rule"),
    ("R21", "classic_face_down", {}, "turned up at the end"),
    ("R15", "classic", {"deal": {"default": 7}}, "at most 7 seats"),
    ("R6", "classic", {"deck.lost": 1}, "dead position"),
    ("R17", "classic", {"end.books_target": 3}, "no effect"),
    ("GA8", "classic", {"ask.bluff": True}, "no meaning"),
    ("F16", "classic", {"refill.boat": True}, "stay empty"),
]


@pytest.mark.parametrize(
    ("id_", "key", "changes", "words"), WARNED, ids=[f"{id_}-{key}" for id_, key, *_ in WARNED]
)
def test_R_warned_of_but_allowed(id_: str, key: str, changes: dict[str, Any], words: str) -> None:
    verdict = check(GAMES[key].rules.changed(changes))
    assert verdict.lawful, [str(reason) for reason in verdict.reasons]
    (warning,) = [warning for warning in verdict.warnings if warning.id == id_]
    assert words in warning.text
    demand(GAMES[key].rules.changed(changes))


LAWFUL: list[tuple[str, dict[str, Any]]] = [
    ("guru_ask_all", {"response": "one"}),
    ("guru_deduct", {"end": ["all_booked", "stock_out"]}),  # R5 needs all_booked alone (S9)
    ("classic", {"book.size": 3, "book.layoff": "auto"}),
    ("classic", {"book.size": 3, "end": ["all_booked", "stock_out"]}),
    ("classic", {"book.size": 2, "book.layoff": "choice"}),
    ("fours", {"catch_to": "hand"}),
    ("fours", {"book.lay": "auto"}),
    ("fours", {"deck.wild": True}),  # one card is always left over (FA20)
    ("fours", {"score.deduct": 1}),  # cards are left (A4), so R5 does not apply
    ("old_fish", {"deck.lost": 0, "end": ["all_booked"]}),  # 15 fish in each suit
    ("old_fish", {"deck.joker": "wild"}),
    ("guru_how_many", {"miss": "draw_asked_hand"}),
    ("classic", {"book.lay": "choice"}),
    ("classic", {"class": "suit", "end": [], "tie": "shared", "book.size": 3}),
    *(
        (key, {"end.tide": 8, "seats": [3, 4]})
        for key in ("classic", "colour_pairs", "rank_pairs", "wish_pairs", "five_suit_classic")
    ),
    *((key, {"end.tide": 8, "seats": [3, 3]}) for key in ("make_ten", "make_five")),
]


@pytest.mark.parametrize(("key", "changes"), LAWFUL)
def test_these_rules_are_not_refused(key: str, changes: dict[str, Any]) -> None:
    verdict = check(GAMES[key].rules.changed(changes))
    assert verdict.lawful, [str(reason) for reason in verdict.reasons]


@pytest.mark.parametrize("key", GAMES)
def test_every_game_of_the_menu_is_allowed_for_all_its_seats(key: str) -> None:
    rules = GAMES[key].rules
    for seats in (None, *range(rules.seats[0], rules.seats[1] + 1)):
        assert check(rules, seats).lawful


@pytest.mark.parametrize(
    ("each", "lost", "lawful"), [(12, 0, True), (13, 0, False), (12, 3, True), (12, 4, False)]
)
def test_R15_after_the_deal_a_card_is_left_for_the_stock(
    each: int, lost: int, lawful: bool
) -> None:
    """For four seats, 13 cards each would use up all 52."""
    rules = GAMES["classic"].rules.changed(
        deal={"default": each}, seats=(4, 4), deck_lost=lost, end=("stock_out",)
    )
    assert check(rules).lawful is check(rules, 4).lawful is lawful


def test_the_number_of_seats_is_checked_too() -> None:
    (reason,) = check(rules_of("wish_pairs"), 3).reasons
    assert (reason.keys, reason.text) == (("seats",), "3 seats; this game is for 2 to 2")
    with pytest.raises(RulesError):
        dealt(rules_of("wish_pairs"), 3)


@pytest.mark.parametrize("dealer", [-1, 3])
def test_the_dealer_is_one_of_the_seats(dealer: int) -> None:
    with pytest.raises(ValueError, match="dealer"):
        deal(rules_of("classic"), 3, dealer, [])


def test_a_deck_has_every_card_once() -> None:
    with pytest.raises(ValueError, match="each of its 52 cards once"):
        deal(rules_of("classic"), 3, 0, ["7H"] * 52)
