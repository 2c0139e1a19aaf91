"""Friends who tap the same game, and who sees when one of them leaves the table or thinks."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from classroom.services.lesson import gatherings
from tests.browser.conftest import EACH_SIZE, Child_, Served
from tests.browser.hands import number, settle
from tests.browser.test_hard_days import hide
from tests.browser.test_sizes import check
from tests.browser.test_together import sit_together, tap_a_move, until

Open = Callable[..., Child_]
TABLE = re.compile("/play/rounds/[0-9]+")
anybody_free = gatherings.anybody_free


@pytest.fixture
def _free(monkeypatch: pytest.MonkeyPatch, served: Served) -> None:
    """Let signed-in classmates count as free to come, as in the program."""
    monkeypatch.setattr(gatherings, "anybody_free", anybody_free)


def tap(page: Page, game: str) -> None:
    page.evaluate(f"() => document.querySelector('#play-{game}').form.submit()")


@pytest.mark.usefixtures("_free")
def test_two_who_tap_the_same_game_play_together(
    open_child: Open, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gatherings, "WAIT_FOR_FRIEND", 20.0)  # however slow the second browser is
    for name in ("Mia", "Ben"):
        served.set(name, opponents=1)
    mia, ben = open_child("Mia", size="tablet").go("/play/"), open_child("Ben").go("/play/")
    tap(mia, "make_five")
    expect(mia.locator(".friends__mine--soon .pad")).to_have_count(1)
    expect(ben.locator("#with-friends .pad").first).to_be_visible()
    tap(ben, "make_five")
    for page in (mia, ben):
        page.wait_for_url(TABLE)
    assert mia.url == ben.url


@pytest.mark.usefixtures("_free")
def test_a_child_whom_nobody_joins_gets_its_table_without_a_tap(
    open_child: Open, served: Served
) -> None:
    open_child("Ruby").go("/play/")  # who has not played
    page = open_child("Lina").go("/play/")
    tap(page, "rank_pairs")
    page.wait_for_selector(".friends__mine--soon")
    page.wait_for_selector("#table.table")


@pytest.mark.usefixtures("_free")
@pytest.mark.parametrize("size", EACH_SIZE)
def test_a_child_who_waits_can_go_back_or_begin(
    open_child: Open, served: Served, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    monkeypatch.setattr(gatherings, "WAIT_FOR_FRIEND", 600.0)
    open_child("Ruby").go("/play/")
    name = {"phone": "Theo", "tablet": "Sam", "laptop": "Noor"}[
        size
    ]  # without a round to go on with
    page = open_child(name, size=size).go("/play/")
    tap(page, "old_fish")
    expect(page.locator("#words")).to_have_attribute("data-say", "wait-friends")
    check(page, f"waiting, {size}")
    tall = page.evaluate("() => document.documentElement.scrollHeight - innerHeight")
    assert tall <= 0
    page.click("#stand-up")
    page.wait_for_selector("#with-friends")
    expect(page.locator("#with-friends .rtable")).to_have_count(0)
    tap(page, "old_fish")
    page.click("#ready")
    page.wait_for_selector("#table.table")


def test_a_friend_who_closes_the_page_is_marked_and_one_who_loads_it_again_is_not(
    open_child: Open, served: Served
) -> None:
    mia, ben = open_child("Mia", size="tablet"), open_child("Ben")
    sit_together(served, mia.page, ben.page)
    friend = mia.page.locator(".ring .seat")
    mia.page.evaluate(
        """() => {
          window.marks = 0;
          new MutationObserver(() => {
            if (document.querySelector('.seat.is-away')) window.marks += 1;
          }).observe(document.body, {subtree: true, childList: true, attributes: true});
        }"""
    )
    ben.page.reload()
    ben.page.wait_for_selector("#table.table")
    mia.page.wait_for_timeout(4500)
    assert mia.page.evaluate("() => window.marks") == 0
    address = ben.page.url
    ben.page.goto("about:blank")
    expect(friend).to_have_class(re.compile("is-away"))
    ben.page.goto(address)
    expect(friend).not_to_have_class(re.compile("is-away"))


def test_a_friend_whose_turn_it_is_has_dots(open_child: Open, served: Served) -> None:
    mia, ben = open_child("Mia", size="tablet"), open_child("Ben")
    sit_together(served, mia.page, ben.page)
    on_turn, other = pair(mia.page, ben.page)
    expect(other.locator(".seat.is-turn .say--wait")).to_have_count(1)
    expect(on_turn.locator(".say--wait")).to_have_count(0)


def test_a_page_that_was_hidden_shows_the_newest_table(open_child: Open, served: Served) -> None:
    """While it is hidden it has no stream, and nothing of the move reaches it."""
    mia, ben = open_child("Mia", size="tablet"), open_child("Ben")
    sit_together(served, mia.page, ben.page)
    on_turn, other = pair(mia.page, ben.page)
    settle(on_turn)
    hide(other, True)
    tap_a_move(on_turn)
    until(lambda: number(on_turn) > 0, on_turn)
    other.wait_for_timeout(1500)
    assert number(other) == 0
    hide(other, False)
    until(lambda: number(other) == number(on_turn), other, 10.0)


def pair(*pages: Page) -> tuple[Page, Page]:
    """The page of the child whose turn it is, and the other one."""
    mine, others = [p for p in pages if p.locator("#table.is-mine").count()], list(pages)
    others.remove(mine[0])
    return mine[0], others[0]
