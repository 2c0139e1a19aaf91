"""Children at one tablet in Chromium: a whole round by touch, and hands that rise and sink."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect
from sqlalchemy import delete

from classroom.database import db, write_unit
from classroom.models import Session
from tests.browser.conftest import Child_, Served
from tests.browser.test_sizes import APART, TOUCH, check

Open = Callable[..., Child_]
MATES = ("Ben", "Ada", "Noor")
SHAPES = ((1024, 640), (1024, 768), (1280, 620), (1280, 800), (1366, 620), (1366, 768))


@pytest.fixture(autouse=True)
def nobody_else(served: Served) -> Iterator[None]:
    """Children of earlier tests are no longer at any device."""
    with served.room.app.app_context(), write_unit():
        db.session.execute(delete(Session))
    return


def sit(open_child: Open, seats: int, **options: Any) -> Page:
    """Let Mia sign in, choose classmates, and play."""
    page = open_child("Mia", size="tablet", has_touch=True, **options).go("/play/")
    page.locator("#together").tap()
    for name in MATES[: seats - 1]:
        page.locator(f'.seating__mates label:has-text("{name}")').tap()
    page.locator("#begin").tap()
    page.wait_for_selector("#tablet")
    return page


def button(page: Page, seat: int) -> Any:
    return page.locator(f"#edge-{seat} .hold__b")


def turn(page: Page) -> int:
    found = page.locator(".edge.is-turn").get_attribute("id") or ""
    return int(found.removeprefix("edge-"))


def hands(page: Page) -> list[str]:
    """The seats whose cards are on the page."""
    return list(
        page.evaluate(
            "() => [...document.querySelectorAll('.raised')].map((one) => one.dataset.seat)"
        )
    )


class Fingers:
    """Several fingers on one screen."""

    def __init__(self, page: Page) -> None:
        self.page, self.down = page, dict[int, tuple[float, float]]()
        self.cdp: CDPSession = page.context.new_cdp_session(page)

    def _send(self, kind: str) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in self.down.items()]
        self.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def put(self, finger: int, on: Any) -> None:
        box = on.bounding_box()
        self.down[finger] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self._send("touchStart")

    def lift(self, finger: int) -> None:
        del self.down[finger]
        self._send("touchMove" if self.down else "touchEnd")  # a finger that is not named is lifted


def ask(page: Page, number: int) -> int:
    """Ask by touch for the seat whose turn it is; returns the seat. `number` varies the choice."""
    seat = turn(page)
    before = page.locator("#tablet").get_attribute("data-v")
    button(page, seat).tap()
    page.wait_for_selector("#raised")
    assert hands(page) == [str(seat)]
    fans = page.locator("#raised .raisedfan:has(input)")
    fans.nth(number % fans.count()).tap()
    faces = page.locator("#raised .raisedface")
    faces.nth(number % faces.count()).tap()
    page.locator("#ask-now").tap()
    page.wait_for_function("v => document.querySelector('#tablet').dataset.v !== v", arg=before)
    expect(page.locator("#raised")).to_have_count(0)
    return seat


@pytest.mark.hasty
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_round_is_played_by_touch(
    open_child: Open, seats: int, request: pytest.FixtureRequest
) -> None:
    if seats == 2:
        request.getfixturevalue("few")
    page = sit(open_child, seats, reduced_motion="reduce")
    asked = set()
    for number in range(200):
        if page.locator("#again").count():
            break
        asked.add(ask(page, number))
    assert asked == set(range(seats))
    page.locator("#again").tap()
    page.wait_for_selector("#tablet[data-v='0']")


def test_a_tap_on_the_middle_shows_who_asked(open_child: Open) -> None:
    page = sit(open_child, 3, reduced_motion="reduce")
    for number in range(200):
        if page.locator(".recall").count():
            break
        if page.locator("#again").count():
            page.locator("#again").tap()
            page.wait_for_selector("#tablet[data-v='0']")
        ask(page, number)
    face = page.locator(".recall .recall__who svg").first
    expect(face).to_be_hidden()
    page.locator(".recall summary").tap()
    expect(face).to_be_visible()
    page.locator(".recall summary").tap()  # it is not a dead end either way
    button(page, turn(page)).tap()
    page.wait_for_selector("#raised")


def test_a_held_animal_shows_its_cards_until_it_is_let_go(open_child: Open) -> None:
    page = sit(open_child, 3)
    fingers, seat = Fingers(page), turn(page)
    fingers.put(1, button(page, seat))
    page.wait_for_selector("#raised")
    page.wait_for_timeout(500)
    fan = page.locator("#raised .raisedfan:has(input)").first
    fingers.put(2, fan)
    fingers.lift(2)
    expect(fan.locator("input")).to_be_checked()
    fingers.lift(1)
    expect(page.locator("#raised")).to_have_count(0)


def test_however_many_fingers_hold_there_is_one_hand(open_child: Open) -> None:
    page = sit(open_child, 4)
    fingers = Fingers(page)
    for seat in range(4):
        fingers.put(seat, button(page, seat))
    page.wait_for_selector('#raised[data-seat="3"]')
    page.wait_for_timeout(700)
    assert hands(page) == ["3"]
    for seat in range(4):
        fingers.lift(seat)
    expect(page.locator(".raised")).to_have_count(0)


def test_a_tap_raises_and_the_next_one_sinks(open_child: Open) -> None:
    page = sit(open_child, 2)
    button(page, 1).tap()
    page.wait_for_selector('#raised[data-seat="1"]')
    expect(button(page, 1)).to_have_attribute("aria-expanded", "true")
    button(page, 0).tap()
    page.wait_for_selector('#raised[data-seat="0"]')
    assert hands(page) == ["0"]
    button(page, 0).tap()
    expect(page.locator(".raised")).to_have_count(0)


def test_keys_raise_choose_ask_and_sink(open_child: Open) -> None:
    page = sit(open_child, 2)
    seat = turn(page)
    button(page, seat).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#raised")
    page.keyboard.press("Escape")
    expect(page.locator(".raised")).to_have_count(0)
    page.keyboard.press("Enter")
    page.wait_for_selector("#raised input:focus", state="attached")
    page.locator("#raised [name=class]").first.focus()
    page.keyboard.press("Space")
    page.locator("#ask-now").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#tablet').dataset.v !== '0'")
    expect(page.locator(".raised")).to_have_count(0)


def test_a_forgotten_hand_sinks_after_twenty_seconds(open_child: Open) -> None:
    page = sit(open_child, 2, fresh=True)
    page.clock.install()
    page.reload()
    button(page, 0).tap()
    page.wait_for_selector("#raised")
    page.clock.run_for(19_000)
    assert hands(page) == ["0"]
    page.clock.run_for(1_500)
    assert hands(page) == []


def test_the_way_back_leads_to_no_cards(open_child: Open) -> None:
    page = sit(open_child, 2)
    button(page, 0).tap()
    page.wait_for_selector("#raised")
    page.goto(page.url.split("/play/")[0] + "/privacy")
    page.go_back()
    page.wait_for_selector("#tablet")
    page.wait_for_timeout(300)
    assert hands(page) == []


@pytest.mark.walk(6)
@pytest.mark.parametrize("shape", SHAPES)
def test_four_hands_fit_the_screen(open_child: Open, shape: tuple[int, int]) -> None:
    page = sit(open_child, 4)
    page.set_viewport_size({"width": shape[0], "height": shape[1]})
    for seat in range(4):
        button(page, seat).tap()
        page.wait_for_selector(f'#raised[data-seat="{seat}"]')
        outside = page.evaluate(
            """() => [...document.querySelectorAll(
                '#raised .card, #raised .pad, #ask-now, .hold .pad')].filter((one) => {
                const box = one.getBoundingClientRect();
                return box.left < -1 || box.top < -1 || box.right > innerWidth + 1
                  || box.bottom > innerHeight + 1;
              }).length"""
        )
        assert outside == 0, seat
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    small = page.evaluate(
        """() => [...document.querySelectorAll('.hold__b, .raisedface, .raisedfan, #ask-now')]
          .filter((one) => Math.min(one.getBoundingClientRect().width,
            one.getBoundingClientRect().height) < 44).length"""
    )
    assert small == 0


def test_the_bell_frees_the_tablet_for_others(open_child: Open) -> None:
    page = sit(open_child, 2)
    page.locator(".bell summary").tap()
    page.locator("#bell").tap()
    page.wait_for_url("**/animals")


def test_a_child_elsewhere_is_asked_comes_and_is_seated(open_child: Open) -> None:
    ben = open_child("Ben", size="laptop")
    ben.sit()
    page = open_child("Mia", size="tablet", has_touch=True).go("/play/together")
    page.locator('.seating__mates label:has-text("Ada")').tap()
    page.locator('.seating__mates button:has-text("Ben")').tap()
    ben.page.wait_for_url("**/play/invited")
    check(ben.page, "asked to come", touch=TOUCH, apart=APART)
    expect(page.locator('.seating__mates label:has-text("Ben") input')).to_be_disabled()
    expect(page.locator('.seating__mates label:has-text("Ada") input')).to_be_checked()
    ben.page.click("#come")
    ben.page.wait_for_url("**/animals")
    expect(page.locator('.seating__mates label:has-text("Ben") input')).to_be_checked()
    expect(page.locator('.seating__mates label:has-text("Ada") input')).to_be_checked()
    page.locator("#begin").tap()
    expect(page.locator("#tablet .edge")).to_have_count(3)


def test_not_now_leads_back_to_the_table(open_child: Open) -> None:
    ben = open_child("Ben", size="laptop")
    own = ben.sit().url
    page = open_child("Mia", size="tablet", has_touch=True).go("/play/together")
    page.locator('.seating__mates button:has-text("Ben")').tap()
    ben.page.wait_for_url("**/play/invited")
    ben.page.click("#not-now")
    ben.page.wait_for_url(own)
    expect(page.locator('.seating__mates label:has-text("Ben") input')).to_be_disabled()
