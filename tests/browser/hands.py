"""What a child does with a mouse, a finger or the keys; used by the tests of the child's pages."""

from __future__ import annotations

import time

from playwright.sync_api import Page

READY = "#table.is-mine:not(.is-playing) #ask"
OVER = "#tally:not(.is-counting)"


def state(page: Page) -> str:
    """mine, playing, over or waiting."""
    return str(
        page.evaluate(
            """() => {
              const table = document.querySelector('#table');
              if (table.classList.contains('ending'))
                return document.querySelector('.is-counting') ? 'playing' : 'over';
              if (table.classList.contains('is-playing')) return 'playing';
              return table.dataset.next ? 'mine' : 'waiting';
            }"""
        )
    )


def number(page: Page) -> int:
    """The number of the last move that the page shows."""
    return int(page.locator("#table").get_attribute("data-v") or -1)


def settle(page: Page, seconds: float = 30.0) -> str:
    """Let what happened be played, hurried by the Escape key, until it is my turn or over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        now = state(page)
        if now in ("mine", "over"):
            return now
        if now == "playing":
            page.keyboard.press("Escape")
        page.wait_for_timeout(15)
    raise AssertionError(f"the table stands still: {state(page)}, move {number(page)}")


def start(page: Page, url: str) -> str:
    """From home to a new table, and until it is my turn."""
    page.goto(url + "/play/")
    page.click("#go-fish")
    page.wait_for_selector("#table")
    return settle(page)


def take(page: Page, fan: int = 0, seat: int = 0) -> None:
    """Tap a fan and a player, not yet Ask."""
    fans = page.locator("#hand .fan:not([aria-disabled])")
    fans.nth(fan % fans.count()).click()
    if page.locator('#ring .seat[aria-pressed="true"]').count() == 0:
        seats = page.locator("#ring .seat:not([aria-disabled])")
        seats.nth(seat % seats.count()).click()


def ask(page: Page, fan: int = 0, seat: int = 0) -> None:
    """Tap a fan, a player and Ask, and wait until it was answered."""
    before = number(page)
    take(page, fan, seat)
    page.click("#go")
    _moved(page, before)


def _moved(page: Page, before: int) -> None:
    until = time.monotonic() + 8
    while time.monotonic() < until:
        if number(page) != before or state(page) == "playing":
            return
        page.wait_for_timeout(15)
    raise AssertionError("the ask was not answered")
