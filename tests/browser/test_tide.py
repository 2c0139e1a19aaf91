"""All against the pond, by mouse: the tide falls aloud, and a round ends well either way."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from classroom.games import GAMES
from classroom.services.lesson import own_games
from classroom.services.table import offers
from tests.browser import hands
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]
pytestmark = pytest.mark.hasty
SHOTS = os.environ.get("TIDE_SHOTS")
NEW = count(1)


def own_tide(served: Served, steps: int, kinds: int = 4) -> str:
    """Put a game of all against the pond on the shelf; returns its key."""
    changes = {"deck.ranks": "A23456789TJQK"[:kinds], "seats": [3, 4], "end.tide": steps}
    rules = GAMES["classic"].rules.changed(changes | {"deal": {"default": 4}})
    with served.room.app.app_context():
        name = f"Low tide {next(NEW)}"
        own = own_games.save(served.room.class_id, "classic", name, rules, "both", by=None)
    return offers.own_key(own)


def shot(page: Page, name: str) -> None:
    if SHOTS:
        for width, height in ((1024, 768), (1366, 768), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(200)
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}.png")


def play(page: Page) -> str:
    """Ask until the round is over; returns what the banner says."""
    turn, now = 0, hands.settle(page)
    while now == "mine":
        hands.ask(page, turn, turn)
        now, turn = hands.settle(page), turn + 1
        if turn == 2:
            shot(page, "table")
    return page.locator("#made").inner_text()


def look_for_a_step(page: Page) -> None:
    """Light the lamp, which costs a step, and look at the board."""
    before = steps_left(page)
    shot(page, "dark")
    page.click("#line")
    expect(page.locator("#lookup.line__form--lamp")).to_have_count(0)
    assert hands.settle(page) == "mine"
    assert steps_left(page) == before - 1
    page.click("#line")
    expect(page.locator("#board .board__rows")).to_be_visible()
    page.click("#shut")


def steps_left(page: Page) -> int:
    return int(str(page.locator("#path").get_attribute("aria-label")).split()[2])


@pytest.mark.parametrize(("steps", "said"), [(32, "The pond is full!"), (9, "")])
def test_a_round_against_the_pond_by_mouse(
    open_child: Open, served: Served, steps: int, said: str
) -> None:
    served.set("Mia", opponents=1, board="peek")
    child = open_child("Mia", "tablet")
    page = child.page
    page.goto(child.deal.func("Mia", own_tide(served, steps)))  # type: ignore[attr-defined]
    expect(page.locator("#path .path__step")).to_have_count(steps + 1)
    expect(page.locator(".seat")).to_have_count(2)  # three sit there, whoever chose to play alone
    expect(page.locator("#shelf")).to_have_count(0)
    if hands.settle(page) == "mine":
        look_for_a_step(page)
    told = play(page)
    assert told.startswith(said)
    books = page.locator(".endrow__book").count()
    assert page.locator(".endrow__n").inner_text() == str(books)
    assert (books == 4) == told.startswith("The pond is full!")
    expect(page.locator(".crew__one")).to_have_count(3)
    shot(page, f"end-{steps}")
    page.set_viewport_size({"width": 1024, "height": 768})
    page.click("#again")
    page.wait_for_selector("#table.table #shell")


def next_thing(page: Page) -> str:
    """Wait for a question about the missing books, for the child's turn without a question, or for
    the end. Other questions are left."""
    calm = 0  # looks at which nothing came
    while True:
        if page.locator("#q.q--books-missing:not(.is-found)").count():
            return "missing"
        now = hands.state(page)
        if page.locator("#q").count():
            page.evaluate("document.querySelector('#q-on')?.click()")
            now = "playing"
        elif now == "playing":
            page.keyboard.press("Escape")
        calm = calm + 1 if now in ("mine", "over") else 0
        if calm > 8:
            return now
        page.wait_for_timeout(60)


def test_at_a_catch_the_page_asks_how_many_books_are_missing_and_takes_keys(
    open_child: Open, eager: Served
) -> None:
    eager.set("Mia", opponents=3, deck="five", pace="quick")
    page = open_child("Mia", "tablet").page
    for _ in range(4):
        page.goto(eager.deal("Mia", "low_tide"))
        while (now := next_thing(page)) == "mine":
            hands.ask(page)
        if now == "missing":
            break
    assert now == "missing"
    assert "How many books are still missing?" in page.locator("#q-words").inner_text()
    made = page.locator(".q__shell .book--shut").count()
    assert made == int(page.locator("#shell .shell__n").inner_text()) >= 1
    page.locator(f"#q .pick:has-text('{5 - made}')").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#q")).to_have_count(0)
