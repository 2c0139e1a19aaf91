"""A moment that the teacher deals, in a child's browser and on the projector page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.adults import finished_round, make_adults, sign_in
from tests.browser.conftest import EACH_SIZE, Child_, Served
from tests.browser.hands import ask, settle, take
from tests.browser.test_sizes import APART, TABLE, TOUCH, check

Open = Callable[..., Child_]
pytestmark = pytest.mark.hasty


@pytest.mark.walk(4, of="meets a moment and goes back")
@pytest.mark.parametrize("size", EACH_SIZE)
def test_a_child_meets_a_moment_and_goes_back_to_its_table(
    open_child: Open, served: Served, size: str
) -> None:
    touch, apart = TABLE.get(size, (TOUCH, APART))
    make_adults(served)
    round_id = finished_round(served, "Ben")
    mia, lake = open_child("Mia", size=size), open_child()
    table, projector = mia.sit().url, sign_in(lake, "lake")
    lake.go(f"/teach/rounds/{round_id}?move=4")
    projector.click("button:has-text('Deal this moment')")
    moment_id = projector.url.rpartition("/")[2]
    projector.click("button:has-text('Deal to the class')")
    mia.page.wait_for_url(f"**/play/moments/{moment_id}")
    assert mia.page.locator("#table").get_attribute("data-next") == "", "it is told first"
    assert settle(mia.page) == "mine"
    check(mia.page, f"a moment, {size}", touch=touch, apart=apart)
    mia.page.locator("#hand .fan").first.click()
    mia.page.locator("#ring .seat").first.click()
    mia.page.click("#go")
    mia.page.wait_for_selector("#again:visible", timeout=60_000)
    check(mia.page, f"a moment that is answered, {size}", touch=touch, apart=apart)
    expect(projector.locator(".moment__n b")).to_have_text("1")
    mia.page.click("#again")
    mia.page.wait_for_url(table)


# every day instead: the end of such a round in tests/web/test_moments.py
@pytest.mark.whole
def test_a_child_plays_on_from_a_moment_to_the_end_and_goes_back(
    open_child: Open, served: Served
) -> None:
    make_adults(served)
    round_id = finished_round(served, "Ben")
    mia, lake = open_child("Mia"), open_child()
    own, projector = mia.sit().url, sign_in(lake, "lake")
    lake.go(f"/teach/rounds/{round_id}?move=4")
    projector.click("button:has-text('Deal this moment')")
    projector.click("button:has-text('Deal and play on')")
    mia.page.wait_for_url("**/play/moments/*")
    settle(mia.page)
    take(mia.page)
    mia.page.click("#go")
    mia.page.wait_for_url("**/play/rounds/*seen=*")
    assert mia.page.url.partition("?")[0] != own
    expect(mia.page.locator("#steps [data-kind=asked]").first).to_be_attached()
    check(mia.page, "a round from a moment", touch=TOUCH, apart=APART)
    mia.page.click("#home")
    mia.page.click("#go-on")
    while settle(mia.page) == "mine":
        ask(mia.page)
    mia.page.click("#again")
    mia.page.wait_for_url(own)
    expect(projector.locator(".moment__n b")).to_have_text("1")
