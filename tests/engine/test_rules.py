"""Rules as one value and as JSON: the flat keys of docs/record.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from classroom.engine.rules import DOMAINS, Rules, RulesError
from classroom.games import GAMES

CLASSIC = json.loads(
    """
{"deck.kind": "french", "deck.ranks": "A23456789TJQK", "deck.suits": "CDHS", "deck.joker": "none",
 "deck.wild": false, "deck.top": null, "deck.copies": 4, "deck.lost": 0, "seats": [2, 10],
 "deal": {"default": 5, "2": 7}, "class": "rank", "ask.what": "class", "ask.scope": "one",
 "ask.bait": "nobody", "ask.empty_target": "illegal", "ask.bluff": false, "response": "all",
 "give": "named", "catch_to": "hand", "miss": "draw_stock", "turn.catch": "again",
 "lucky": "again_must_show", "turn.next": "clockwise", "book.kind": "class", "book.size": 4,
 "book.joker": 2, "book.lay": "auto", "book.layoff": "none", "refill.active": ["now", "deal"],
 "refill.passive": ["now", "deal"], "refill.boat": false, "refill.retire": false,
 "end": ["all_booked"], "end.books_target": null, "end.declare": false, "score.per": "book",
 "score.deduct": 0, "score.penalty": 0, "score.penalty_for": "each", "score.floor": null,
 "tie": "high_book", "match.target": null, "visibility.books": "public",
 "visibility.boat": "count", "visibility.lost": "hidden"}
"""
)


def test_the_classic_game_is_written_as_defined() -> None:
    assert Rules().to_json() == CLASSIC
    assert list(Rules().to_json()) == list(CLASSIC)


@pytest.mark.parametrize("key", GAMES)
def test_rules_are_read_back_as_they_were_written(key: str) -> None:
    rules = GAMES[key].rules
    again = Rules.from_json(json.loads(json.dumps(rules.to_json())))
    assert again == rules
    assert hash(again) == hash(rules)


def test_every_dimension_is_an_attribute() -> None:
    assert Rules().ask_empty_target == "illegal"
    assert Rules().class_ == "rank"
    assert len(DOMAINS) == len(Rules.__dataclass_fields__) == 46


def test_the_tide_is_written_only_where_it_is_set() -> None:
    rules = Rules().changed({"end.tide": 8})
    assert rules.to_json() == Rules().to_json() | {"end.tide": 8}
    assert Rules.from_json(rules.to_json()) == rules
    assert Rules.from_json(Rules().to_json()).end_tide is None


def test_a_change_by_key_and_by_attribute_is_the_same() -> None:
    assert Rules().changed({"book.size": 2}) == Rules().changed(book_size=2)


@pytest.mark.parametrize(
    "change",
    [
        {"book_size": 2},
        {"class_": "rank"},
        {"unknown": 1},
        {"book.size": "2"},
        {"book.size": True},
        {"book.size": 0},
        {"seats": [3, 2]},
        {"seats": [2]},
        {"deal": {"2": 7}},
        {"deal": {"default": 5, "two": 7}},
        {"deal": 5},
        {"refill.active": ["never"]},
        {"refill.active": ["later", "deal"]},
        {"end": "all_booked"},
        {"end": ["all_booked", "all_booked"]},
        {"end": ["stock_out_then_hand_empty"]},
        {"deck.ranks": "AA"},
        {"deck.suits": "CR"},
        {"deck.top": 4},
        {"end.tide": 0},
        {"end.tide": True},
        {"ask.bluff": 1},
        {"visibility.boat": "open"},
        {"tie": None},
    ],
)
def test_an_unknown_key_or_value_is_refused_by_its_name(change: dict[str, Any]) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.from_json(change)
    (key,) = change
    assert str(refused.value).startswith(f"{key}: ")


def test_the_ends_are_kept_in_the_order_in_which_they_are_checked() -> None:
    assert Rules().changed({"end": ["stock_out", "hand_empty"]}).end == ("hand_empty", "stock_out")
