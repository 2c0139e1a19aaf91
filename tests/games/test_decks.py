"""Every deck that adults can choose can be dealt at every table."""

from __future__ import annotations

import pytest

from classroom.engine.checks import check
from classroom.games import GAMES
from classroom.games.variants import DECKS, deck_rules
from tests.games.aimless import medians


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("deck", DECKS)
def test_every_deck_can_be_dealt_at_every_table(game: str, deck: str) -> None:
    fewest, most = GAMES[game].rules.seats
    for seats in range(fewest, most + 1):
        assert check(deck_rules(GAMES[game], seats, deck), seats).lawful, seats


def test_six_children_with_few_kinds_of_card_get_one_kind_more() -> None:
    kinds = [len(deck_rules(GAMES["classic"], seats, "small").deck_ranks) for seats in range(2, 7)]
    assert kinds == [7, 7, 7, 7, 8]


EVERY_DAY = ("five", "small")  # with few kinds of card rounds are shortest


@pytest.mark.walk(10)
@pytest.mark.parametrize(
    "deck",
    [pytest.param(one, marks=() if one in EVERY_DAY else pytest.mark.whole) for one in DECKS],
)
@pytest.mark.parametrize("game", GAMES)
def test_a_round_has_eight_asks_at_every_table_even_without_thought(game: str, deck: str) -> None:
    asks = medians(game, deck)
    assert min(asks.values()) >= 8, asks
    if deck == "small" and GAMES[game].rules.deck_kind == "french":  # others have no few kinds
        assert all(asks[seats] >= asks[4] for seats in asks if seats > 4), asks
