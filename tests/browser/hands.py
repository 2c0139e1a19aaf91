"""The actions of a child with a mouse, a finger or the keys, for tests of the child's pages."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page

READY = "#table.is-mine:not(.is-playing) #ask"
OVER = "#tally:not(.is-counting)"


def state(page: Page) -> str:
    """The state of the table: mine, playing, over or waiting."""
    return str(
        page.evaluate(
            """() => {
              const table = document.querySelector('#table');
              if (table.classList.contains('ending'))
                return document.querySelector('.is-counting') &&
                  !document.querySelector('#question.asking') ? 'playing' : 'over';
              if (table.classList.contains('is-playing')) return 'playing';
              return table.dataset.next ? 'mine' : 'waiting';
            }"""
        )
    )


def number(page: Page) -> int:
    """The number of the last move that the page shows."""
    return int(page.locator("#table").get_attribute("data-v") or -1)


def settle(page: Page, seconds: float = 30.0) -> str:
    """Press Escape to skip what is being shown, until it is the child's turn or the round is
    over."""
    page.wait_for_selector("#table")
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        now = state(page)
        if now in ("mine", "over"):
            return now
        if now == "playing":
            page.keyboard.press("Escape")
        page.wait_for_timeout(50)
    raise AssertionError(f"the table stands still: {state(page)}, move {number(page)}")


def start(page: Page, url: str) -> str:
    """Go from home to a table of Go Fish; wait until it is the child's turn or the round is
    over."""
    page.goto(url + "/play/")
    page.click("#play-classic")
    page.wait_for_selector("#table")
    return settle(page)


def take(page: Page, fan: int = 0, seat: int = 0) -> None:
    """Tap a fan and a player, but not yet Ask."""
    fans = page.locator("#hand .fan:not([aria-disabled])")
    fans.nth(fan % fans.count()).click()
    if page.locator('#ring .seat[aria-pressed="true"]').count() == 0:
        seats = page.locator("#ring .seat:not([aria-disabled])")
        seats.nth(seat % seats.count()).click()


def send(page: Page) -> None:
    """Send the ask that was tapped so far, and leave the focus where it is."""
    page.evaluate("() => document.querySelector('#ask').requestSubmit()")


def ask(page: Page, fan: int = 0, seat: int = 0) -> None:
    """Tap a fan, a player and Ask, and wait for the answer."""
    before = number(page)
    take(page, fan, seat)
    page.click("#go")
    _moved(page, before)


def move(
    page: Page,
    turn: int = 0,
    shot: Callable[[str], None] = lambda _: None,
    tap: Callable[[Locator], None] = Locator.click,
) -> None:
    """Do the next action that the page offers, and wait for the answer.

    `turn` varies the choice; `shot` is called with a name for each state of the page on the way;
    `tap` presses a button.
    """
    before = number(page)
    if page.locator("#sheet-lay").count() or page.locator("#sheet-claim").count():
        _four(page, shot, tap)
    elif page.locator(".btn--layoff").count():
        tap(page.locator(".btn--layoff").first)
    elif page.locator("#ask").count():
        _choose(page, turn, shot, tap)
        tap(page.locator("#go"))
    elif page.locator("#sheet-declare").count() and not page.locator("#act button").count():
        tap(page.locator("#sheet-declare summary"))
        shot("declare")
        tap(page.locator("#declare"))
    else:
        buttons = page.locator("#act button")
        tap(buttons.nth(turn % buttons.count()))
    _moved(page, before)


def _choose(
    page: Page,
    turn: int,
    shot: Callable[[str], None],
    tap: Callable[[Locator], None] = Locator.click,
) -> None:
    """Tap a card, the class to ask for, and a player."""
    fans = page.locator("#hand .fan:not([aria-disabled])")
    tap(fans.nth(turn % fans.count()))
    shot("card")
    if _next(page) == "option" and page.locator("#traits").count():
        for trait in {0: (0, 1), 1: (0, 2), 2: (1, 2)}[turn % 3]:
            tap(page.locator("#traits .trait").nth(trait))
    elif _next(page) == "option":
        options = page.locator("#opts .opt:not([hidden])")
        tap(options.nth(turn % options.count()))
    shot("chosen")
    if page.locator('#ring .seat[aria-pressed="true"], #all').count() == 0:
        seats = page.locator("#ring .seat:not([aria-disabled])")
        tap(seats.nth(turn % seats.count()))
    shot("ready")


def _next(page: Page) -> str:
    """Returns "option" if the child must choose now what to ask for, otherwise ""."""
    found = page.locator("#opts.opts--open, #traits.is-next")
    return "option" if found.count() else ""


def _four(page: Page, shot: Callable[[str], None], tap: Callable[[Locator], None]) -> None:
    """Open the sheet, tap the cards of a four, and lay them."""
    sheet = page.locator("#sheet-lay, #sheet-claim").first
    tap(sheet.locator("summary"))
    shot("sheet")
    for _ in range(4):
        tap(sheet.locator('.single[aria-pressed="false"]:not([aria-disabled])').first)
    shot("sheet-four")
    tap(sheet.locator(".sheet__foot form button"))


def _moved(page: Page, before: int) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if number(page) != before or state(page) == "playing":
            return
        page.wait_for_timeout(15)
    raise AssertionError("the ask was not answered")
