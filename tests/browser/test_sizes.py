"""Everything that can be touched is big enough and far enough apart, on every size of screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page

from classroom.engine.cards import deck_of
from classroom.games import GAMES
from classroom.services.table import matches
from tests.browser import hands
from tests.browser.conftest import EACH_SIZE, Child_, Served
from tests.playing import stacked

Open = Callable[..., Child_]
Box = dict[str, Any]

TOUCH = 76  # CSS pixels: 2 cm on the screens children use
APART = 31  # CSS pixels: 8 mm
TABLE = {"phone": (44, 6)}  # TOUCH and APART at a table that fills a small screen

CONTROLS = "button, a[href], input:not([type=hidden])"
BOXES = """(which) => [...document.querySelectorAll(which)]
  .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.closest('[inert]')
    && one.getAttribute('aria-disabled') !== 'true')
  .map((one) => {
    const box = one.getBoundingClientRect();
    const name = one.id || one.getAttribute('aria-label') || one.value || one.textContent.trim();
    const tile = one.closest('.game')?.querySelector('.tile').id ?? '';
    return {name, tile, x: box.x, y: box.y, w: box.width, h: box.height,
      hidden: box.width < 3 || box.height < 3};
  }).filter((one) => !one.hidden)"""


def check(
    page: Page, where: str, which: str = CONTROLS, touch: float = TOUCH, apart: float = APART
) -> None:
    page.wait_for_load_state("load")
    page.wait_for_timeout(150)  # until a tapped fan has risen
    boxes: list[Box] = page.evaluate(BOXES, which)
    assert boxes, where
    for box in boxes:
        assert box["name"], f"{where}: a control without a name"
        assert box["w"] >= touch - 0.5, f"{where}: {box['name']} is {box['w']:.0f} wide"
        assert box["h"] >= touch - 0.5, f"{where}: {box['name']} is {box['h']:.0f} high"
    for one, other in combinations(boxes, 2):
        if one["tile"] and one["tile"] == other["tile"]:
            continue  # the question mark lies in a corner of its tile, which is all one button
        gap = distance(one, other)
        assert gap >= apart - 0.5, f"{where}: {one['name']} and {other['name']} are {gap:.0f} apart"
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{where} is {wide} too wide"


def distance(one: Box, other: Box) -> float:
    """The straight-line distance between the nearest edges of two boxes."""
    dx = max(one["x"] - other["x"] - other["w"], other["x"] - one["x"] - one["w"], 0)
    dy = max(one["y"] - other["y"] - other["h"], other["y"] - one["y"] - one["h"], 0)
    return float((dx**2 + dy**2) ** 0.5)


@pytest.mark.parametrize("size", EACH_SIZE)
def test_controls_are_big_and_apart_on_the_way_in(
    open_child: Open, served: Served, size: str
) -> None:
    child = open_child(size=size)
    page = child.go("/")
    check(page, "door")
    for sign in served.code():
        page.click(f'.key[value="{sign}"]')
    page.wait_for_selector(".animals")
    check(page, "animals")
    page.click('.animal[data-animal="turtle"]')
    page.wait_for_selector("#pics")
    check(page, "pictures")
    *first, last = served.pictures("Theo")
    for picture in first:
        page.click(f'.pic[value="{picture}"]')
        check(page, "pictures chosen")
    page.click(f'.pic[value="{last}"]')  # the last one sends the form
    page.wait_for_url("**/play/")
    page.wait_for_selector("#play-classic")
    check(page, "home")


@pytest.mark.hasty
@pytest.mark.parametrize("size", EACH_SIZE)
def test_controls_are_big_and_apart_at_the_table(
    open_child: Open, served: Served, size: str, whole: bool
) -> None:
    served.set("Sam", opponents=3, deck="short", board="open")
    child = open_child("Sam", size=size)
    page = child.page
    page.goto(child.url + "/play/")
    page.click("#go-on" if page.locator("#go-on").count() else "#play-classic")
    touch, apart = TABLE.get(size, (TOUCH, APART))
    for turn in range(3 if whole else 2):
        if hands.settle(page) != "mine":
            return
        check(page, f"table {turn}", touch=touch, apart=apart)
        hands.take(page, turn, turn)
        check(page, f"ready to ask {turn}", touch=touch, apart=apart)
        page.click("#line")
        page.wait_for_selector(".veil")
        check(page, "board")
        page.click("#shut")
        before = hands.number(page)
        page.click("#go")
        while hands.number(page) == before and hands.state(page) == "mine":
            page.wait_for_timeout(10)


@pytest.mark.whole  # every day instead: test_screens.py
def test_the_table_fits_a_laptop_and_a_tablet_without_scrolling(
    open_child: Open, served: Served
) -> None:
    served.set("Lina", opponents=3, deck="short")
    for size in ("laptop", "tablet"):
        child = open_child("Lina", size=size)
        page = child.page
        assert hands.start(page, child.url) == "mine"
        assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0, size


@pytest.mark.parametrize("size", EACH_SIZE)
def test_controls_are_big_and_apart_where_a_four_is_chosen(
    open_child: Open, served: Served, size: str
) -> None:
    """After a catch of two red squares, this hand has two fours to choose from."""
    hands_ = "RS2 RS3 RH1 RT1 RC1", "RS1 RS4 GH2 YC3 BT2", "BH4 GC1 YT3 BS2 GT4"
    first = [card for cards in zip(*map(str.split, hands_), strict=True) for card in cards]
    rest = [card for card in deck_of(GAMES["fours"].rules).cards if card not in first]
    served.set("Theo", opponents=2)
    with served.room.app.app_context(), stacked([*first, *rest], dealer=2):
        round_id = matches.start_match(served.room.children["Theo"], "fours")
    page = open_child("Theo", size=size).go(f"/play/rounds/{round_id}")
    hands.settle(page)
    hands.move(page)
    hands.settle(page)
    seen = []
    touch, apart = TABLE.get(size, (TOUCH, APART))

    def shot(where: str) -> None:
        check(page, where, ".sheet[open] .single", touch, apart)
        check(page, where, ".sheet[open] .sheet__foot :is(button, a)", touch, apart)
        seen.append(where)

    hands.move(page, shot=shot)
    assert seen == ["sheet", "sheet-four"]


LOW = ((1366, 620), (844, 390), (740, 360), (640, 300))
WITHIN = """(which) => [...document.querySelectorAll(which)].every((one) => {
  const box = one.getBoundingClientRect();
  return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
})"""


def test_friends_meet_on_a_low_screen_without_scrolling(open_child: Open, served: Served) -> None:
    mia, ben = open_child("Mia").page, open_child("Ben").page
    mia.goto(served.url + "/play/friends")
    mia.click("#new-classic")
    ben.goto(served.url + "/play/friends")
    ben.wait_for_selector(".opentable")
    for width, height in LOW:
        ben.set_viewport_size({"width": width, "height": height})
        assert ben.evaluate(WITHIN, "#home, #sound, .opentable"), f"to join, {width}x{height}"
    ben.click(".opentable")
    ben.wait_for_selector("#ready")
    for width, height in LOW:
        ben.set_viewport_size({"width": width, "height": height})
        assert ben.evaluate(WITHIN, "#stand-up, #sound, .place, .place .chip, #ready"), (
            f"at the table, {width}x{height}"
        )
        assert ben.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for page in (ben, mia):
        page.click("#stand-up")
