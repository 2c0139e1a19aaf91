"""How many taps a child needs to make its first ask."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from classroom.services.access import knocks
from tests.browser import hands
from tests.browser.adults import make_adults
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]
COUNT = """
addEventListener('click', () =>
  sessionStorage.taps = Number(sessionStorage.taps || 0) + 1, true);
"""


def taps(page: Page) -> int:
    return int(page.evaluate("sessionStorage.taps || 0"))


def in_class(open_child: Open, served: Served) -> Page:
    """The page of animals on a device that has joined the class. Taps are counted from here on."""
    page = open_child(size="tablet").go("/")
    for sign in served.code():
        page.click(f'.key[value="{sign}"]')
    page.wait_for_selector(".animals")
    page.evaluate("sessionStorage.clear()")
    page.add_init_script(COUNT)
    page.reload()
    return page


def ask_first(page: Page) -> int:
    """Go from home to the first ask. Returns all taps so far."""
    page.click("#play-classic")
    page.wait_for_selector("#table")
    assert hands.settle(page) == "mine"  # by the keyboard, so without a tap
    hands.take(page)
    page.click("#go")
    page.wait_for_timeout(300)
    return taps(page)


@pytest.mark.walk(3, of="few taps")
def test_a_child_who_is_signed_in_asks_with_four_taps(open_child: Open, served: Served) -> None:
    served.set("Noor", opponents=2)
    child = open_child("Noor", size="tablet")
    child.page.add_init_script(COUNT)
    child.go("/play/")
    assert ask_first(child.page) <= 4  # game, card, friend, Ask


@pytest.mark.walk(3, of="few taps")
def test_a_child_with_pictures_asks_with_eight_taps_of_one_friend(
    open_child: Open, served: Served
) -> None:
    served.set("Theo", opponents=1)
    page = in_class(open_child, served)
    page.click('.animal[data-animal="turtle"]')
    page.wait_for_selector("#pics")
    for picture in served.pictures("Theo"):
        page.click(f'.pic[value="{picture}"]')
    page.wait_for_selector("#play-classic")
    assert taps(page) == 5  # the animal and its four pictures
    assert ask_first(page) <= 8  # game, card, Ask: the only friend is chosen already


@pytest.mark.walk(3, of="few taps")
def test_a_child_whom_the_teacher_lets_in_asks_with_five_taps(
    open_child: Open, served: Served
) -> None:
    served.set("Theo", opponents=2)
    page = in_class(open_child, served)
    page.click('.animal[data-animal="turtle"]')
    page.wait_for_selector("#pics")
    teacher = make_adults(served)["lake"]
    with served.room.app.app_context():
        (door,) = knocks.at_the_door(served.room.class_id)
        (device,) = door.devices
        knocks.let_in(teacher, door.child_id, device.knock_id, device.sign.key)
    page.wait_for_selector("#play-classic")
    assert ask_first(page) <= 5  # animal, game, card, friend, Ask
