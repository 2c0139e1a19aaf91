"""A computer player's turn is told quickly enough at each pace, however busy the machine is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classroom.games import GAMES
from classroom.services.lesson import own_games
from classroom.services.table import offers
from tests.browser import telling_time
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]

LONGEST = {"quick": 4.0, "calm": 7.0}  # seconds of a turn that is an ask and its answer
SPARE = 1.15  # a spoken piece has to be loaded once
TURNS = 4


@pytest.mark.parametrize("pace", LONGEST)
def test_a_turn_of_go_fish_is_told_in_time(open_child: Open, served: Served, pace: str) -> None:
    check(open_child, served, "classic", pace)


@pytest.mark.long
@pytest.mark.parametrize("pace", LONGEST)
@pytest.mark.parametrize("game", GAMES)
def test_a_turn_of_every_game_is_told_in_time(
    open_child: Open, served: Served, game: str, pace: str
) -> None:
    with served.room.app.app_context():
        own_games.put_on_shelf(served.room.class_id, [game], by=None)
    try:
        check(open_child, served, game, pace)
    finally:
        with served.room.app.app_context():
            own_games.put_on_shelf(served.room.class_id, offers.DEFAULT, by=None)


def check(open_child: Open, served: Served, game: str, pace: str) -> None:
    opponents = min(2, GAMES[game].rules.seats[1] - 1)
    served.set("Mia", opponents=opponents, deck="short", pace=pace, questions="off")
    page = open_child("Mia", "tablet").page
    telling_time.begin(page)
    page.goto(served.url + "/play/")
    page.click(f"#play-{game}")
    page.wait_for_selector("#table")
    found = telling_time.play(page, TURNS, patience=90, plain=True)
    plain = sorted((turn.seconds, turn.words) for turn in found if turn.plain)
    assert plain, found
    middle, _ = plain[len(plain) // 2]
    assert middle <= LONGEST[pace], plain
    assert plain[-1][0] <= LONGEST[pace] * SPARE, plain[-1]
