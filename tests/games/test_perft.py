"""The numbers of lines of play are unchanged (docs/rules.md B4)."""

from __future__ import annotations

import json

import pytest

from classroom.engine import legal_actions
from classroom.games import GAMES
from tests.games.perft import FILE, middle, perft, start

TABLE = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_game_is_in_the_table() -> None:
    assert list(TABLE) == list(GAMES)


@pytest.mark.walk(4)
@pytest.mark.parametrize("key", GAMES)
def test_the_numbers_of_lines_are_the_same(key: str) -> None:
    row = TABLE[key]
    seats = row["seats"]
    places = [
        ("start", start(key, seats)),
        ("after 25 moves", middle(key, seats, 25)),
        ("after 60 moves", middle(key, seats, 60)),
    ]
    for name, state in places:
        for depth, number in enumerate(row[name], start=1):
            assert perft(state, depth) == number, (name, depth)


def test_without_chance_the_first_depth_is_the_number_of_legal_actions() -> None:
    state = start("classic", 3)
    assert perft(state, 1) == len(legal_actions(state))
