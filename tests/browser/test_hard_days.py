"""A child can play on without scripts, streams, network or motion, and with two tabs or double
taps."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]
CUT = {"ERR_FAILED", "htmx: htmx:error", "Failed to fetch"}  # may be logged when a request fails


def test_a_turn_can_be_played_without_scripts(open_child: Open, served: Served) -> None:
    served.set("Noor", opponents=2, deck="short", board="open")  # which only a tap closes
    served.deal("Noor")
    child = open_child("Noor", java_script_enabled=False)
    page = child.page
    page.goto(child.url + "/play/")
    page.click("#go-on")
    before = hands_number(page)
    fan = page.locator("#hand .fan").first
    value = fan.get_attribute("value")
    fan.click()
    expect(page.locator(f"#fan-{value}")).to_have_attribute("aria-pressed", "true")
    assert f"class={value}" in page.url
    page.locator("#ring .seat.is-pick").first.click()
    expect(page.locator("#words")).to_contain_text("do you have any")
    page.click("#go")
    assert hands_number(page) > before
    page.click("#line")
    expect(page.locator(".board__row")).to_have_count(2)
    page.click("#shut")
    expect(page.locator("#table")).to_be_visible()


def hands_number(page: Page) -> int:
    return int(page.locator("#table").get_attribute("data-v") or -1)


@pytest.mark.walk(2, of="no stream")
def test_the_table_moves_on_when_streams_are_blocked(
    open_child: Open, served: Served, whole: bool
) -> None:
    served.set("Ruby", opponents=2, deck="short")
    child = open_child("Ruby")
    child.allowed |= CUT
    child.context.route("**/events*", lambda route: route.abort())
    page = child.sit()
    for turn in range(2 if whole else 1):
        hands.ask(page, turn, turn)
        if hands.settle(page) == "over":
            break


@pytest.mark.walk(2, of="no stream")
def test_the_page_does_not_wait_for_a_silent_stream(open_child: Open, served: Served) -> None:
    served.set("Ruby", opponents=2, deck="short")
    child = open_child("Ruby")
    child.allowed |= CUT
    held: list[object] = []
    # never answered, as by a proxy that buffers streams
    child.context.route("**/events*", lambda route: held.append(route))
    page = child.sit()
    hands.ask(page)
    hands.settle(page)
    assert held


def test_two_taps_on_ask_are_one_move(open_child: Open, served: Served) -> None:
    served.set("Mia", opponents=2, deck="short")
    page = open_child("Mia").sit()
    posted: list[str] = []
    page.on("request", lambda r: posted.append(r.post_data or "") if r.method == "POST" else None)
    hands.take(page)
    page.dblclick("#go")
    hands.settle(page)
    assert len(posted) == 1


def test_an_older_tab_is_told_kindly_that_the_table_moved_on(
    open_child: Open, served: Served
) -> None:
    served.set("Ben", opponents=2, deck="short")
    child = open_child("Ben")
    page = child.sit()
    older = child.context.new_page()
    child.context.route("**/events*", lambda route: route.abort())  # the older tab gets no news
    child.context.route("**/table?*", lambda route: route.abort())
    child.allowed |= CUT
    older.goto(page.url)
    hands.take(older)
    hands.ask(page, 1, 1)
    older.click("#go")
    expect(older.locator("#notice")).to_be_visible(timeout=20_000)
    expect(older.locator("#notice")).to_contain_text("moved on")
    assert hands.number(older) > 0
    older.close()


@pytest.mark.walk(2, of="a lost ask")
def test_an_ask_without_a_network_is_sent_again_and_is_one_move(
    open_child: Open, served: Served
) -> None:
    served.set("Theo", opponents=2, deck="short")
    child = open_child("Theo")
    child.allowed |= CUT
    page = child.sit()
    tries: list[str] = []

    def flaky(route: object) -> None:
        tries.append(route.request.post_data)  # type: ignore[attr-defined]
        if len(tries) == 1:
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    child.context.route("**/asks", flaky)
    hands.ask(page)
    hands.settle(page)
    assert len(tries) == 2
    assert tries[0] == tries[1]


@pytest.mark.walk(2, of="a lost ask")
def test_a_lost_answer_is_asked_for_again(open_child: Open, served: Served) -> None:
    served.set("Theo", opponents=2, deck="short")
    child = open_child("Theo")
    child.allowed |= CUT
    page = child.sit()
    before = hands.number(page)
    statuses: list[int] = []

    def lossy(route: object) -> None:
        answer = route.fetch()  # type: ignore[attr-defined]
        statuses.append(answer.status)
        if len(statuses) == 1:
            route.abort()  # type: ignore[attr-defined]
        else:
            route.fulfill(response=answer)  # type: ignore[attr-defined]

    child.context.route("**/asks", lossy)
    hands.ask(page)
    hands.settle(page)
    assert set(statuses) == {200}
    assert hands.number(page) > before


def test_without_a_network_the_page_stays_and_shows_that_it_waits(
    open_child: Open, served: Served
) -> None:
    child = open_child("Ruby")
    child.allowed |= {"ERR_INTERNET_DISCONNECTED", "Failed to fetch"}  # streams log these, too
    page = child.go("/play/")
    child.context.set_offline(True)
    for tap in ("#with-friends", "#play-classic"):
        page.click(tap)
        expect(page.locator("#lost")).to_be_visible()
    child.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden()
    page.click("#with-friends")
    expect(page.locator("#friends")).to_be_visible()


def test_with_reduced_motion_the_steps_are_shown_one_after_the_other(
    open_child: Open, served: Served
) -> None:
    served.set("Lina", opponents=2, deck="short")
    child = open_child("Lina", reduced_motion="reduce")
    page = child.sit()
    hands.take(page)
    page.click("#go")
    expect(page.locator("#tell .told")).to_be_visible()
    assert (
        page.evaluate(
            "() => document.getAnimations().filter((a) => a.playState === 'running').length"
        )
        == 0
    )
    hands.settle(page)


def test_the_back_button_shows_the_present_table(open_child: Open, served: Served) -> None:
    served.set("Sam", opponents=2, deck="short")
    page = open_child("Sam").sit()
    address = page.url
    hands.ask(page)
    if hands.settle(page) == "over":
        return
    moved = hands.number(page)
    page.click("#home")
    page.wait_for_selector("#go-on")
    page.go_back()
    page.wait_for_selector("#table")
    assert page.url.split("?")[0] == address.split("?")[0]
    assert hands.number(page) >= moved


def test_a_hidden_page_comes_back_to_the_present(open_child: Open, served: Served) -> None:
    """The page replays at most the last move, not minutes of missed moves."""
    served.set("Ada", opponents=3, deck="short")
    child = open_child("Ada")
    page = child.sit()
    hide(page, True)
    hands.take(page)
    hands.send(page)
    until = time.monotonic() + 10
    while time.monotonic() < until and hands.number(page) < 1:
        page.wait_for_timeout(20)
    page.wait_for_timeout(800)
    hide(page, False)
    began = time.monotonic()
    hands.settle(page)
    assert time.monotonic() - began < 12


def hide(page: Page, hidden: bool) -> None:
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
          document.dispatchEvent(new Event('visibilitychange'));
        }""",
        hidden,
    )


def test_the_fish_helps_in_place_and_leaves_no_count(open_child: Open, served: Served) -> None:
    served.set("Mia", opponents=2, deck="short", hints=True)
    page = open_child("Mia").sit()
    page.click("#fish")
    expect(page.locator("#hint .hintsay")).to_be_visible()
    page.wait_for_timeout(1600)
    page.click("#fish")
    expect(page.locator("#hand .is-hinted").first).to_be_visible()
    assert "1" not in page.locator("#hint .hintsay .told").inner_text()


def test_board_and_hints_are_gone_where_an_adult_turned_them_off(
    open_child: Open, served: Served
) -> None:
    served.set("Ruby", opponents=2, deck="short", board="off", hints=False)
    page = open_child("Ruby").sit()
    expect(page.locator("#line")).to_have_count(0)
    expect(page.locator("#fish")).to_have_count(0)
    served.set("Ruby", board="open", hints=True)


def test_the_ear_held_down_is_silent_and_stays_silent(open_child: Open, served: Served) -> None:
    child = open_child("Mia")
    page = child.go("/play/")
    ear = page.locator("#sound")
    ear.click(delay=1200)
    expect(ear).to_have_class(re.compile("is-quiet"))
    expect(ear).to_have_accessible_name(re.compile("off"))
    page.reload()
    expect(ear).to_have_class(re.compile("is-quiet"))
    ear.click()
    expect(ear).not_to_have_class(re.compile("is-quiet"))
    kept = page.evaluate("() => [localStorage.length, sessionStorage.length]")
    assert kept == [0, 0]
