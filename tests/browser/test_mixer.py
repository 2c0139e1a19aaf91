"""A teacher mixes rules for the class, and a child plays them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from classroom.services.table import matches, offers
from tests.browser.adults import fits, hard_to_read, make_adults, sign_in
from tests.browser.conftest import EACH_SIZE, Child_, Served

Open = Callable[..., Child_]


@pytest.fixture(autouse=True)
def _adults(served: Served) -> None:
    make_adults(served)


@pytest.mark.walk(4, of="pages of adults fit every screen")
@pytest.mark.parametrize("size", EACH_SIZE)
def test_the_pages_fit_and_are_readable(open_child: Open, served: Served, size: str) -> None:
    teacher = open_child(size=size)
    page = sign_in(teacher, "lake")
    room = f"{teacher.url}/teach/classes/{served.room.class_id}/games"
    for address in (room, f"{room}/own?game=fours"):
        page.goto(address)
        assert fits(page)
        assert not hard_to_read(page)


def test_rules_can_be_mixed_read_saved_and_played(open_child: Open, served: Served) -> None:
    teacher = open_child()
    page = sign_in(teacher, "lake")
    page.goto(f"{teacher.url}/teach/classes/{served.room.class_id}/games")
    page.click("text=Create your own game")
    mixed = page.locator("#mixed")
    expect(mixed).to_contain_text("Four cards of the same number make a book.")
    page.select_option("#k-scope", "all")
    page.select_option("#k-next", "refuser")
    expect(mixed).to_contain_text("These rules do not work together", timeout=15_000)
    page.select_option("#k-next", "clockwise")
    page.select_option("#k-kinds", "6")
    expect(mixed).to_contain_text("There are 24 cards", timeout=15_000)
    expect(mixed).to_contain_text("3 players")
    page.fill("#f-name", "Everybody!")
    page.click("text=Put it on the shelf")
    expect(page.locator(".said")).to_contain_text("Saved")
    child = open_child("Noor")
    with served.room.app.app_context():
        (*_, own) = offers.offered(served.room.class_id)
        round_id = matches.sit_down(served.room.children["Noor"], own)
    child.go(f"/play/rounds/{round_id}")
    expect(child.page.locator("h1.vh")).to_have_text("Everybody!")
    page.click("summary:has-text('Everybody!')")
    page.click("text=Remove Everybody!")
    expect(page.locator(".said")).to_contain_text("Removed")
    child.page.reload()
    expect(child.page.locator("#table")).to_be_visible()
