"""A computer player's turn is told quickly enough at each pace, however busy the machine is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from classroom.config import ROOT
from classroom.games import GAMES
from classroom.services.lesson import own_games
from classroom.services.table import offers
from tests.browser import telling_time
from tests.browser.conftest import Child_, Served
from tests.browser.telling_time import Turn

Open = Callable[..., Child_]

AMONG_FRIENDS = 3.0  # seconds of a turn that no child has to answer
LONGEST = {"quick": 4.0, "calm": 7.0}  # seconds of a turn that is an ask and its answer
SPARE = 1.15  # a spoken piece has to be loaded once
TURNS = 3
VOICE = ROOT / "static" / "voice"
LONG_CARD = "for+sh-circle+with-q"


@pytest.mark.parametrize("pace", LONGEST)
def test_a_turn_of_go_fish_is_told_in_time(open_child: Open, served: Served, pace: str) -> None:
    check(open_child, served, "classic", pace)


def test_an_ask_between_computer_friends_is_told_in_three_seconds(
    open_child: Open, served: Served
) -> None:
    page = open_child("Ruby", "tablet").page
    found = told(page, served, "Ruby", "classic", "calm", opponents=3)
    apart = [turn for turn in found if " you" not in turn.words[0]]
    assert apart, found
    assert max(turn.seconds for turn in apart) <= AMONG_FRIENDS, apart


@pytest.mark.whole  # every day instead: test_a_turn_of_go_fish_is_told_in_time
def test_a_turn_is_told_in_time_however_long_its_ask_is(open_child: Open, served: Served) -> None:
    """The longest ask takes 3.6 s at the quick pace, so the answer begins before it ends."""
    page = open_child("Ben", "tablet").page
    for pieces, longest in (("*-asks+*", "penguin-asks+everybody"), ("for-*", LONG_CARD)):
        page.route(f"**/voice/{pieces}.mp3", instead(longest))
    found = told(page, served, "Ben", "classic", "quick")
    assert max(turn.seconds for turn in found) <= LONGEST["quick"] * SPARE, found


def instead(name: str) -> Callable[[Route], None]:
    """Answers with this piece of the voice."""
    return lambda route: route.fulfill(path=VOICE / f"{name}.mp3")


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
    page = open_child("Mia", "tablet").page
    plain = sorted((turn.seconds, turn.words) for turn in told(page, served, "Mia", game, pace))
    middle, _ = plain[len(plain) // 2]
    assert middle <= LONGEST[pace], plain
    assert plain[-1][0] <= LONGEST[pace] * SPARE, plain[-1]


def told(
    page: Page, served: Served, name: str, game: str, pace: str, opponents: int = 2
) -> list[Turn]:
    """Turns of computer players that were nothing but an ask and its answer."""
    opponents = min(opponents, GAMES[game].rules.seats[1] - 1)
    served.set(name, opponents=opponents, deck="short", pace=pace, questions="off")
    telling_time.begin(page)
    page.goto(served.url + "/play/")
    page.click(f"#play-{game}")
    page.wait_for_selector("#table")
    found = telling_time.play(page, TURNS, patience=90, plain=True)
    assert any(turn.plain for turn in found), found
    return [turn for turn in found if turn.plain]
