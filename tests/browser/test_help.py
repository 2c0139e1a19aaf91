"""Help at the table: the board that closes by itself, and the fish and what it says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]


def my_turn(child: Child_) -> Page:
    """A page at a table where it is the child's turn, and whose clock can be set forward."""
    child.page.clock.install()
    return child.sit()


def stand_still(page: Page) -> None:
    """Let the page's clock stand, so that only the test sets it forward, however slow it is."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)


def test_a_peek_ends_by_itself_after_five_seconds(open_child: Open, served: Served) -> None:
    served.set("Mia", opponents=2, deck="short", board="peek")
    page = my_turn(open_child("Mia", fresh=True))
    expect(page.locator(".tag")).to_have_count(0)
    page.focus("#line")
    stand_still(page)
    page.keyboard.press("Enter")
    for _ in range(1000):  # while it is fetched
        if page.locator(".board").is_visible():
            break
        page.clock.run_for(20)
    page.clock.fast_forward(4500)
    expect(page.locator(".board")).to_be_visible()
    page.clock.fast_forward(500)
    expect(page.locator(".board")).to_have_count(0)
    expect(page.locator("#line")).to_be_focused()


def test_a_peek_leads_back_to_the_table_without_scripts(open_child: Open, served: Served) -> None:
    served.set("Ben", opponents=1, deck="small", board="peek")
    child = open_child("Ben", java_script_enabled=False)
    page = child.go("/play/")
    page.click("#play-classic")
    page.click("#line")
    expect(page.locator(".board")).to_be_visible()
    expect(page.locator("#table")).to_be_visible(timeout=15000)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_fish_waves_after_twelve_seconds_and_not_before(
    open_child: Open, served: Served, motion: str
) -> None:
    served.set("Noor", opponents=1, deck="short", board="open")
    page = my_turn(open_child("Noor", fresh=True, reduced_motion=motion))
    stand_still(page)
    page.mouse.click(2, 2)
    page.clock.fast_forward(10_500)
    assert page.locator("#fish.is-waving").count() == 0
    page.clock.fast_forward(2_500)
    expect(page.locator("#fish.is-waving")).to_have_count(1)
    assert page.locator("#hint > *").count() == 0  # it offers help without speaking unasked
    page.mouse.click(2, 2)
    expect(page.locator("#fish.is-waving")).to_have_count(0)


def test_the_fish_lights_up_what_it_speaks_of(open_child: Open, served: Served) -> None:
    served.set("Theo", opponents=1, deck="short", hints=True)
    page = my_turn(open_child("Theo", fresh=True))
    page.click("#fish")
    expect(page.locator("#hint .told")).to_contain_text("Tap a card")
    page.wait_for_timeout(1600)
    page.click("#fish")
    expect(page.locator("#hint .told")).to_contain_text("Look at your")
    expect(page.locator("#hand .fan.is-hinted")).to_have_count(1)
    expect(page.locator("#ring .is-hinted")).to_have_count(0)
